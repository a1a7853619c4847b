//! Definitions of tools that carry a signature, a voucher, or both.
//!
//! The member `_meta["io.portcullis/definition"]` of the tool holds
//!
//! ```json
//! { "claims": { "format": 1, "provider": "…", "…": "…" }, "signature": "<header>..<signature>", "voucher": "<token>" }
//! ```
//!
//! The signature is a JWS with a detached payload. The payload is the canonical form of
//! `{"claims": <claims>, "definition": <the tool without the member>}`; a `_meta` that is empty without the member counts
//! as not there. What the [hash of a definition](Standing::definition) covers is the canonical form of the tool without the
//! member.

mod member;
mod refused;
mod sign;

use jiff::Timestamp;
use portcullis_wire::json::{Document, Limits, Node, canonical, canonical_without};

use crate::claims::Claims;
use crate::digest::Digest;
use crate::jws::{Header, Signed};
use crate::key::KeyId;
use crate::roots::{Found, TrustRoots, TrustedKey};
use crate::version::Edition;
use crate::voucher::{self, Voucher, VoucherRefused};
use crate::{end, is_ahead, is_over};

pub use refused::Refused;
pub use sign::{SignError, sign, vouch};

use member::{Member, SignedClaims};

/// The key in `_meta` under which our member is found.
pub const MEMBER: &str = "io.portcullis/definition";
/// A definition is at most this long, with its signature.
pub const LONGEST: usize = 1 << 20;

pub(crate) const PATH: [&str; 2] = ["_meta", MEMBER];
pub(crate) const TYPE: &str = "portcullis-definition+jws";
pub(crate) const LIMITS: Limits = Limits { bytes: LONGEST, depth: 128, nodes: 1 << 17 };

/// How a definition stands, if nothing speaks against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nobody signed it. That is no fault, and says nothing for it.
    Unsigned {
        /// Its hash.
        definition: Digest,
    },
    /// A trusted key signed it.
    Sealed(Box<Sealed>),
    /// A trusted issuer vouches for it, and nobody signed it.
    Vouched(Box<Voucher>),
}

/// A definition that a trusted key signed. Only [`verify`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    definition: Digest,
    claims: Claims,
    key: KeyId,
    signer: String,
    voucher: Option<Voucher>,
}

/// Verifies the definition of a tool that is part of a document.
///
/// Whatever a definition carries has to hold: one with a good signature and a bad voucher is refused, and the other way
/// round.
///
/// # Errors
/// If something speaks against it, with the reason.
pub fn verify(tool: Node<'_>, roots: &TrustRoots, now: Timestamp) -> Result<Standing, Refused> {
    let length = tool.span().len();
    if length > LONGEST {
        return Err(Refused::TooLarge { length, limit: LONGEST });
    }
    let form = canonical_without(tool, &PATH)?;
    let definition = Digest::of(&form);
    if roots.is_tool_revoked(&definition, None) {
        return Err(Refused::RevokedTool);
    }
    let Some(member) = Member::read(tool)? else { return Ok(Standing::Unsigned { definition }) };
    let sealed = match &member.signed {
        Some(signed) => Some(verify_signature(signed, &form, definition, roots, now)?),
        None => None,
    };
    let voucher = match &member.voucher {
        Some(token) => Some(voucher::verify(token, &definition, roots, now)?),
        None => None,
    };
    stand(sealed, voucher, definition, roots)
}

/// Verifies the definition of a tool that is a document of its own.
///
/// # Errors
/// If it is no strict JSON, or something speaks against it, with the reason.
pub fn verify_bytes(tool: &[u8], roots: &TrustRoots, now: Timestamp) -> Result<Standing, Refused> {
    if tool.len() > LONGEST {
        return Err(Refused::TooLarge { length: tool.len(), limit: LONGEST });
    }
    verify(Document::parse(tool, &LIMITS)?.root(), roots, now)
}

/// The hash of a definition, which does not depend on who signed it.
///
/// # Errors
/// If it has no canonical form.
pub fn hash(tool: Node<'_>) -> Result<Digest, Refused> {
    Ok(Digest::of(&canonical_without(tool, &PATH)?))
}

fn verify_signature(
    signed: &SignedClaims<'_>,
    form: &[u8],
    definition: Digest,
    roots: &TrustRoots,
    now: Timestamp,
) -> Result<Sealed, Refused> {
    let signature = Signed::detached(&signed.signature, Header::Own(TYPE))?;
    let trusted = match roots.find(&signature.kid) {
        Found::Revoked(key) => return Err(Refused::RevokedKey { key }),
        Found::Unknown => return Err(Refused::UnknownKey { kid: crate::fields::shown(&signature.kid) }),
        Found::Trusted(keys) => keys,
    };
    let key = trusted
        .first()
        .map(|trusted| &trusted.key)
        .ok_or_else(|| Refused::UnknownKey { kid: crate::fields::shown(&signature.kid) })?;
    signature.verify_detached(key, &payload(&canonical(signed.claims)?, form))?;
    // From here on the provider says so.
    let claims = Claims::read(signed.claims)?;
    let signer = allowed(&claims, trusted)?;
    if let Some(at) = claims.expires.filter(|expires| is_over(*expires, now)) {
        return Err(Refused::Expired { at });
    }
    if is_ahead(claims.issued, now) {
        return Err(Refused::NotYetValid { at: claims.issued });
    }
    if roots.is_tool_revoked(&definition, Some((&claims.tool_id, &claims.version))) {
        return Err(Refused::RevokedTool);
    }
    Ok(Sealed { definition, key: key.id().clone(), signer, claims, voucher: None })
}

/// Who the signer is, if it may sign this.
fn allowed(claims: &Claims, trusted: &[TrustedKey]) -> Result<String, Refused> {
    let may =
        |key: &&TrustedKey| key.providers.contain(&claims.provider) && key.tools.contain(&claims.tool_id);
    match trusted.iter().find(may) {
        Some(key) => Ok(key.name.clone()),
        None => Err(Refused::NotAllowed {
            signer: trusted.first().map(|key| key.name.clone()).unwrap_or_default(),
            provider: crate::fields::shown(&claims.provider),
            tool_id: crate::fields::shown(&claims.tool_id),
        }),
    }
}

fn stand(
    sealed: Option<Sealed>,
    voucher: Option<Voucher>,
    definition: Digest,
    roots: &TrustRoots,
) -> Result<Standing, Refused> {
    if let Some(voucher) = &voucher
        && roots.is_tool_revoked(&definition, Some((voucher.tool_id(), voucher.version())))
    {
        return Err(Refused::RevokedTool);
    }
    match (sealed, voucher) {
        (Some(sealed), Some(voucher)) => {
            let claims = &sealed.claims;
            if voucher.tool_id() != claims.tool_id || *voucher.version() != claims.version {
                let (tool_id, version) = (voucher.tool_id().to_owned(), voucher.version().clone());
                return Err(VoucherRefused::OtherTool { tool_id, version }.into());
            }
            Ok(Standing::Sealed(Box::new(Sealed { voucher: Some(voucher), ..sealed })))
        }
        (Some(sealed), None) => Ok(Standing::Sealed(Box::new(sealed))),
        (None, Some(voucher)) => Ok(Standing::Vouched(Box::new(voucher))),
        (None, None) => Ok(Standing::Unsigned { definition }),
    }
}

/// What is signed. The keys are in the order of the canonical form, so that this is one.
fn payload(claims: &[u8], definition: &[u8]) -> Vec<u8> {
    [br#"{"claims":"#, claims, br#","definition":"#, definition, b"}"].concat()
}

impl Standing {
    /// The hash of the definition: SHA-256 of the canonical form of the tool without our member.
    pub fn definition(&self) -> &Digest {
        match self {
            Standing::Unsigned { definition } => definition,
            Standing::Sealed(sealed) => &sealed.definition,
            Standing::Vouched(voucher) => voucher.definition(),
        }
    }

    /// When it has to be judged anew, because a signature or a voucher is over then.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Standing::Unsigned { .. } => None,
            Standing::Sealed(sealed) => {
                let voucher = sealed.voucher.as_ref().map(Voucher::expires);
                sealed.claims.expires.into_iter().chain(voucher).min().map(end)
            }
            Standing::Vouched(voucher) => Some(end(voucher.expires())),
        }
    }

    /// Which version of which tool it is, if somebody who is trusted says so.
    pub fn edition(&self) -> Option<Edition> {
        match self {
            Standing::Unsigned { .. } => None,
            Standing::Sealed(sealed) => Some(sealed.edition()),
            Standing::Vouched(voucher) => Some(voucher.edition()),
        }
    }
}

impl Sealed {
    /// The hash of the definition.
    pub fn definition(&self) -> &Digest {
        &self.definition
    }

    /// What the provider says of it.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }

    /// The key that signed it.
    pub fn key(&self) -> &KeyId {
        &self.key
    }

    /// What people call the owner of the key.
    pub fn signer(&self) -> &str {
        &self.signer
    }

    /// The voucher that it carries as well.
    pub fn voucher(&self) -> Option<&Voucher> {
        self.voucher.as_ref()
    }

    /// What is compared with the approved one: the definition, and what is said of it (provider, profile, contract). Times
    /// are no part of it, so that a signature can be renewed.
    pub fn edition(&self) -> Edition {
        let claims = &self.claims;
        let profile = claims.profile.as_ref().map(crate::Profile::write).unwrap_or_default();
        let contract = claims.contract.map(|contract| contract.to_string()).unwrap_or_default();
        let parts = [&claims.provider, &profile, &contract].map(|part| *Digest::of(part.as_bytes()).bytes());
        let declared = claims.profile.iter().flat_map(|profile| profile.scopes.iter().cloned());
        let vouched = self.voucher.iter().flat_map(|voucher| voucher.scopes().iter().cloned());
        Edition {
            tool_id: claims.tool_id.clone(),
            version: claims.version.clone(),
            definition: self.definition,
            claims: Some(Digest::of(&parts.concat())),
            scopes: declared.chain(vouched).collect(),
        }
    }
}
