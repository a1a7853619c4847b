//! Vouchers: tokens of an identity provider that are bound to one definition.

use std::collections::BTreeSet;

use jiff::Timestamp;
use portcullis_wire::json::{Limits, Node};
use semver::Version;

use crate::digest::Digest;
use crate::fields::{FieldError, Fields, shown};
use crate::jws::{Header, JwsError, Signed};
use crate::key::{KeyId, PublicKey};
use crate::roots::{Issuer, TrustRoots};
use crate::version::Edition;
use crate::{is_ahead, is_over, no_longer_ahead};

/// The longest token.
pub(crate) const LONGEST: usize = 16 << 10;
const LONGEST_SCOPES: usize = 4 << 10;
const MOST_AUDIENCES: usize = 32;

/// A token that was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Voucher {
    issuer: String,
    signer: String,
    key: KeyId,
    tool_id: String,
    version: Version,
    scopes: BTreeSet<String>,
    definition: Digest,
    expires: Timestamp,
}

/// Why a token vouches for nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VoucherRefused {
    /// The token itself.
    #[error("the voucher is not taken: {0}")]
    Jws(#[from] JwsError),
    /// A claim is missing or wrong.
    #[error("in the voucher, {0}")]
    Field(#[from] FieldError),
    /// Nobody trusts its issuer.
    #[error("the voucher is from `{issuer}`, which is not among the issuers you trust")]
    UnknownIssuer {
        /// Who says to have issued it.
        issuer: String,
    },
    /// The keys of its issuer are not known yet.
    #[error("the keys of the issuer `{issuer}` have not been fetched; fetch its key set and look again")]
    NoKeys {
        /// Which issuer.
        issuer: String,
        /// Where they can be fetched.
        addresses: Vec<String>,
    },
    /// Its issuer has no such key.
    #[error("the issuer `{issuer}` has no key `{kid}`; if it is new, fetch its key set and look again")]
    UnknownKey {
        /// Which issuer.
        issuer: String,
        /// The name of the key.
        kid: String,
        /// Where the issuer's keys can be fetched.
        addresses: Vec<String>,
    },
    /// Its issuer was revoked.
    #[error("the voucher is from `{issuer}`, which was revoked")]
    RevokedIssuer {
        /// Which issuer.
        issuer: String,
    },
    /// Its key was revoked.
    #[error("the voucher is signed with the key `{key}`, which was revoked")]
    RevokedKey {
        /// Which key.
        key: KeyId,
    },
    /// It is meant for somebody else.
    #[error("the voucher is meant for somebody else (`aud`); expected `{expected}`")]
    Audience {
        /// Who it has to be meant for.
        expected: String,
    },
    /// It is over.
    #[error("the voucher expired at {at}")]
    Expired {
        /// When.
        at: Timestamp,
    },
    /// It does not hold yet.
    #[error("the voucher holds only from {at} on; is the clock right?")]
    NotYetValid {
        /// From when on.
        at: Timestamp,
    },
    /// It vouches for another definition.
    #[error("the voucher is for another definition than this one")]
    OtherDefinition,
    /// It names another tool or version than the signature beside it.
    #[error("the voucher is for `{tool_id}` {version}, and the signed claims say something else")]
    OtherTool {
        /// Which tool it is for.
        tool_id: String,
        /// Which version.
        version: Version,
    },
    /// Its issuer is not trusted for this tool.
    #[error("the issuer `{issuer}` is not trusted to vouch for `{tool_id}`")]
    NotAllowed {
        /// Which issuer.
        issuer: String,
        /// Which tool.
        tool_id: String,
    },
}

impl VoucherRefused {
    /// When it has to be judged anew, because time alone changes the answer.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            VoucherRefused::NotYetValid { at } => Some(no_longer_ahead(*at)),
            VoucherRefused::Jws(_)
            | VoucherRefused::Field(_)
            | VoucherRefused::UnknownIssuer { .. }
            | VoucherRefused::NoKeys { .. }
            | VoucherRefused::UnknownKey { .. }
            | VoucherRefused::RevokedIssuer { .. }
            | VoucherRefused::RevokedKey { .. }
            | VoucherRefused::Audience { .. }
            | VoucherRefused::Expired { .. }
            | VoucherRefused::OtherDefinition
            | VoucherRefused::OtherTool { .. }
            | VoucherRefused::NotAllowed { .. } => None,
        }
    }

    /// Where a key set could be fetched that would tell more.
    pub fn addresses(&self) -> &[String] {
        match self {
            VoucherRefused::NoKeys { addresses, .. } | VoucherRefused::UnknownKey { addresses, .. } => {
                addresses
            }
            VoucherRefused::Jws(_)
            | VoucherRefused::Field(_)
            | VoucherRefused::UnknownIssuer { .. }
            | VoucherRefused::RevokedIssuer { .. }
            | VoucherRefused::RevokedKey { .. }
            | VoucherRefused::Audience { .. }
            | VoucherRefused::Expired { .. }
            | VoucherRefused::NotYetValid { .. }
            | VoucherRefused::OtherDefinition
            | VoucherRefused::OtherTool { .. }
            | VoucherRefused::NotAllowed { .. } => &[],
        }
    }
}

impl Voucher {
    /// Who issued it.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Whose word it is: the issuer, as whoever trusts it means it.
    pub fn signer(&self) -> &str {
        &self.signer
    }

    /// The thumbprint of the key that signed it.
    pub fn key(&self) -> &KeyId {
        &self.key
    }

    /// Which tool it is for.
    pub fn tool_id(&self) -> &str {
        &self.tool_id
    }

    /// Which version of it.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The scopes that are bound to the definition.
    pub fn scopes(&self) -> &BTreeSet<String> {
        &self.scopes
    }

    /// Which definition.
    pub fn definition(&self) -> &Digest {
        &self.definition
    }

    /// Until when it holds.
    pub fn expires(&self) -> Timestamp {
        self.expires
    }

    /// What is compared with the approved one.
    pub fn edition(&self) -> Edition {
        let (tool_id, version, scopes) = (self.tool_id.clone(), self.version.clone(), self.scopes.clone());
        Edition { tool_id, version, definition: self.definition, claims: None, scopes }
    }
}

/// Verifies that a token vouches for a definition.
///
/// # Errors
/// If it does not, with the reason.
pub fn verify(
    token: &str,
    definition: &Digest,
    roots: &TrustRoots,
    now: Timestamp,
) -> Result<Voucher, VoucherRefused> {
    let signed = Signed::attached(token, Header::Token, LONGEST)?;
    let payload = signed.payload(&Limits { bytes: LONGEST, depth: 16, nodes: 2 << 10 })?;
    let fields = Fields::some(payload.root(), "")?;
    // Who says to have issued it only chooses with whose keys it is verified.
    let issuer = fields.text("iss")?;
    if roots.is_issuer_revoked(&issuer) {
        return Err(VoucherRefused::RevokedIssuer { issuer: shown(&issuer) });
    }
    let trusted = roots.issuer(&issuer);
    if trusted.is_empty() {
        return Err(VoucherRefused::UnknownIssuer { issuer: shown(&issuer) });
    }
    let audiences = audiences(&fields)?;
    let meant: Vec<&Issuer> = trusted.iter().filter(|issuer| audiences.contains(&issuer.audience)).collect();
    if meant.is_empty() {
        let expected =
            trusted.iter().map(|issuer| issuer.audience.as_str()).collect::<Vec<&str>>().join("` or `");
        return Err(VoucherRefused::Audience { expected });
    }
    let (key, signers) = verify_signature(&signed, &meant, roots)?;
    // From here on its issuer says so.
    check_times(&fields, now)?;
    let tool_id = fields.text("tool_id")?;
    let allowed = signers.iter().find(|issuer| issuer.tools.contain(&tool_id));
    let voucher = Voucher {
        key,
        signer: allowed.map(|issuer| issuer.signer()).unwrap_or_default(),
        tool_id,
        version: fields.read("tool_version", "a semantic version such as `1.4.0`")?,
        scopes: scopes(&fields)?,
        definition: fields.read("tool_definition", "`sha256:` and 64 hexadecimal digits")?,
        expires: fields.seconds("exp")?,
        issuer,
    };
    if voucher.definition != *definition {
        return Err(VoucherRefused::OtherDefinition);
    }
    if allowed.is_none() {
        let (issuer, tool_id) = (shown(&voucher.issuer), shown(&voucher.tool_id));
        return Err(VoucherRefused::NotAllowed { issuer, tool_id });
    }
    Ok(voucher)
}

/// The key of this issuer, and of no other, that signed the token, and all that is said of the issuer with that key.
fn verify_signature<'r>(
    signed: &Signed<'_>,
    meant: &[&'r Issuer],
    roots: &TrustRoots,
) -> Result<(KeyId, Vec<&'r Issuer>), VoucherRefused> {
    let issuer = || shown(meant.first().map(|issuer| issuer.issuer.as_str()).unwrap_or_default());
    if meant.iter().all(|issuer| issuer.key_set().is_none()) {
        return Err(VoucherRefused::NoKeys { issuer: issuer(), addresses: addresses(meant) });
    }
    let named = |issuer: &&'r Issuer| Some((issuer.key_set()?.key(&signed.kid)?, *issuer));
    let found: Vec<(&PublicKey, &Issuer)> = meant.iter().filter_map(named).collect();
    // What is said twice of one issuer may be with different keys of the same name.
    let (mut refused, mut revoked) = (None, None);
    let mut signers: Vec<(&PublicKey, &Issuer)> = Vec::new();
    for (key, issuer) in found {
        revoked = revoked.or_else(|| roots.is_revoked(key.id()).then(|| key.id().clone()));
        match signed.verify(key) {
            Ok(()) if roots.is_revoked(key.id()) => {
                return Err(VoucherRefused::RevokedKey { key: key.id().clone() });
            }
            Ok(()) => signers.push((key, issuer)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let unknown = || VoucherRefused::UnknownKey {
        issuer: issuer(),
        kid: shown(&signed.kid),
        addresses: addresses(meant),
    };
    match (signers.first(), revoked) {
        (Some((key, _)), _) => Ok((key.id().clone(), signers.iter().map(|(_, issuer)| *issuer).collect())),
        (None, Some(key)) => Err(VoucherRefused::RevokedKey { key }),
        (None, None) => Err(refused.map_or_else(unknown, VoucherRefused::from)),
    }
}

/// Where the keys of an issuer are fetched.
fn addresses(meant: &[&Issuer]) -> Vec<String> {
    meant.iter().filter_map(|issuer| issuer.address()).map(str::to_owned).collect()
}

fn check_times(fields: &Fields<'_>, now: Timestamp) -> Result<(), VoucherRefused> {
    let expires = fields.seconds("exp")?;
    if is_over(expires, now) {
        return Err(VoucherRefused::Expired { at: expires });
    }
    let not_before = fields.has("nbf").then(|| fields.seconds("nbf")).transpose()?;
    for at in [Some(fields.seconds("iat")?), not_before].into_iter().flatten() {
        if is_ahead(at, now) {
            return Err(VoucherRefused::NotYetValid { at });
        }
    }
    Ok(())
}

/// One text or a list of them.
fn audiences(fields: &Fields<'_>) -> Result<Vec<String>, FieldError> {
    if fields.node("aud")?.is_array() {
        fields.list("aud", MOST_AUDIENCES)?;
        return fields.texts("aud");
    }
    Ok(vec![fields.text("aud")?])
}

/// Words with spaces between.
fn scopes(fields: &Fields<'_>) -> Result<BTreeSet<String>, FieldError> {
    match fields.node("scope").ok().and_then(Node::as_str) {
        Some(text) if text.is_empty() => Ok(BTreeSet::new()),
        None if !fields.has("scope") => Ok(BTreeSet::new()),
        _ => {
            let text = fields.long_text("scope", LONGEST_SCOPES)?;
            Ok(text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect())
        }
    }
}
