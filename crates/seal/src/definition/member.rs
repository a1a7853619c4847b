//! The member of `_meta`, taken apart.

use portcullis_wire::json::{Node, quote};

use super::{MEMBER, Refused};
use crate::fields::Fields;
use crate::voucher;

/// Longer than any signature; what is longer is told by the reader of signatures.
const LONGEST_SIGNATURE: usize = 8 << 10;

/// What the member holds. Nothing has been verified.
pub(super) struct Member<'d> {
    pub(super) signed: Option<SignedClaims<'d>>,
    pub(super) voucher: Option<String>,
}

pub(super) struct SignedClaims<'d> {
    pub(super) claims: Node<'d>,
    pub(super) signature: String,
}

impl<'d> Member<'d> {
    /// The member of a tool, if it has one. A tool that has no such member is unsigned; one with a member that holds
    /// nothing is malformed, for somebody took something out.
    pub(super) fn read(tool: Node<'d>) -> Result<Option<Member<'d>>, Refused> {
        if !tool.is_object() {
            return Err(Refused::NoObject);
        }
        let Some(member) = tool.get("_meta").and_then(|meta| meta.get(MEMBER)) else { return Ok(None) };
        let fields = Fields::only(member, "", &["claims", "signature", "voucher"])?;
        let signed = match fields.has("claims") || fields.has("signature") {
            true => Some(SignedClaims {
                claims: fields.node("claims")?,
                signature: fields.long_text("signature", LONGEST_SIGNATURE)?,
            }),
            false => None,
        };
        let voucher =
            fields.has("voucher").then(|| fields.long_text("voucher", voucher::LONGEST)).transpose()?;
        if signed.is_none() && voucher.is_none() {
            fields.node("signature")?;
        }
        Ok(Some(Member { signed, voucher }))
    }
}

/// The member as JSON.
pub(super) fn write(signed: Option<(&str, &str)>, voucher: Option<&str>) -> String {
    let signed =
        signed.map(|(claims, signature)| format!(r#""claims":{claims},"signature":{}"#, quote(signature)));
    let voucher = voucher.map(|token| format!(r#""voucher":{}"#, quote(token)));
    format!("{{{}}}", [signed, voucher].into_iter().flatten().collect::<Vec<String>>().join(","))
}
