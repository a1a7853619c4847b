//! What a bundle says, read and written.

use jiff::Timestamp;
use portcullis_wire::json::{Document, Limits, Node, canonical, quote};

use super::{BundleError, LONGEST, Pinned};
use crate::allowance::Names;
use crate::fields::{FieldError, Fields, LONGEST_LIST};
use crate::jws::JwsError;
use crate::key::{KeyId, PublicKey};
use crate::key_set::KeySet;
use crate::roots::{Issuer, IssuerKeys, RevokedTool, TrustedKey};
use crate::version::VersionRange;

pub(super) const LIMITS: Limits = Limits { bytes: LONGEST, depth: 16, nodes: 1 << 19 };
const FORMAT: u64 = 1;
/// A registry may know many.
const MOST: usize = 20_000;
const HASH: &str = "`sha256:` and 64 hexadecimal digits";

/// What a bundle says, before it is signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BundleForm {
    /// Its number, which has to grow with every change.
    pub version: u64,
    /// When it was issued.
    pub issued: Timestamp,
    /// Until when it holds.
    pub expires: Timestamp,
    /// Keys that may sign definitions.
    pub keys: Vec<TrustedKey>,
    /// Identity providers that may vouch for definitions.
    pub issuers: Vec<Issuer>,
    /// Keys that nobody shall believe any more.
    pub revoked_keys: Vec<KeyId>,
    /// Tools that nobody shall call any more.
    pub revoked_tools: Vec<RevokedTool>,
    /// Definitions that are approved.
    pub pinned: Vec<Pinned>,
}

impl BundleForm {
    /// A bundle that says nothing yet.
    pub fn empty(version: u64, issued: Timestamp, expires: Timestamp) -> BundleForm {
        BundleForm {
            version,
            issued,
            expires,
            keys: Vec::new(),
            issuers: Vec::new(),
            revoked_keys: Vec::new(),
            revoked_tools: Vec::new(),
            pinned: Vec::new(),
        }
    }

    /// Reads what a bundle shall say, as a person wrote it.
    ///
    /// # Errors
    /// If it is no strict JSON, or a member is missing, wrong or unknown.
    pub fn parse(text: &str) -> Result<BundleForm, BundleError> {
        BundleForm::read(document(text)?.root())
    }

    /// The canonical form that is signed.
    pub(super) fn payload(&self) -> Result<Vec<u8>, BundleError> {
        let written = document(&self.write())?;
        // What could not be read back is not signed.
        BundleForm::read(written.root())?;
        canonical(written.root())
            .map_err(|error| JwsError::NotJson { part: "payload", problem: error.to_string() }.into())
    }

    pub(super) fn read(node: Node<'_>) -> Result<BundleForm, BundleError> {
        const KNOWN: &[&str] = &[
            "format",
            "version",
            "issued",
            "expires",
            "keys",
            "issuers",
            "revoked_keys",
            "revoked_tools",
            "pinned",
        ];
        let fields = Fields::some(node, "")?;
        if fields.number("format")? != FORMAT {
            return Err(fields
                .wrong("format", "1, the only format that this version of Portcullis knows")
                .into());
        }
        let fields = Fields::only(node, "", KNOWN)?;
        let each = |key: &str, most: usize| fields.list(key, most).map(Vec::into_iter);
        Ok(BundleForm {
            version: fields.number("version")?,
            issued: fields.time("issued")?,
            expires: fields.time("expires")?,
            keys: each("keys", MOST)?.map(read_key).collect::<Result<_, _>>()?,
            issuers: each("issuers", LONGEST_LIST)?.map(read_issuer).collect::<Result<_, _>>()?,
            revoked_keys: each("revoked_keys", MOST)?
                .map(|node| {
                    let id = node.as_str().and_then(|id| id.parse().ok());
                    id.ok_or_else(|| fields.wrong("revoked_keys", "a list of thumbprints of keys"))
                })
                .collect::<Result<_, _>>()?,
            revoked_tools: each("revoked_tools", MOST)?.map(read_revoked).collect::<Result<_, _>>()?,
            pinned: each("pinned", MOST)?.map(read_pinned).collect::<Result<_, _>>()?,
        })
    }

    /// It as JSON.
    pub fn write(&self) -> String {
        let list = |items: Vec<String>| format!("[{}]", items.join(","));
        format!(
            r#"{{"format":{FORMAT},"version":{},"issued":{},"expires":{},"keys":{},"issuers":{},"revoked_keys":{},"revoked_tools":{},"pinned":{}}}"#,
            self.version,
            quote(&self.issued.to_string()),
            quote(&self.expires.to_string()),
            list(self.keys.iter().map(write_key).collect()),
            list(self.issuers.iter().map(write_issuer).collect()),
            list(self.revoked_keys.iter().map(|id| quote(id.as_str())).collect()),
            list(self.revoked_tools.iter().map(write_revoked).collect()),
            list(self.pinned.iter().map(write_pinned).collect()),
        )
    }
}

fn document(text: &str) -> Result<Document, BundleError> {
    Document::parse(text, &LIMITS)
        .map_err(|error| JwsError::NotJson { part: "payload", problem: error.to_string() }.into())
}

fn read_key(node: Node<'_>) -> Result<TrustedKey, BundleError> {
    let fields = Fields::only(node, "keys", &["name", "jwk", "providers", "tools"])?;
    let name = fields.text("name")?;
    let key = PublicKey::from_node(fields.node("jwk")?)
        .map_err(|error| BundleError::Key { name: name.clone(), error })?;
    Ok(TrustedKey { key, name, providers: names(&fields, "providers")?, tools: names(&fields, "tools")? })
}

/// Names have to be stated: a list that was forgotten shall not mean all.
fn names(fields: &Fields<'_>, key: &str) -> Result<Names, FieldError> {
    fields.node(key)?;
    fields.texts(key).map(Names::of)
}

fn read_issuer(node: Node<'_>) -> Result<Issuer, BundleError> {
    let fields = Fields::only(node, "issuers", &["issuer", "audience", "tools", "jwks", "jwks_url"])?;
    let issuer = fields.text("issuer")?;
    let keys = match (fields.has("jwks"), fields.has("jwks_url")) {
        (true, false) => IssuerKeys::Stated(
            KeySet::from_node(fields.node("jwks")?)
                .map_err(|error| BundleError::Keys { issuer: issuer.clone(), error })?,
        ),
        (false, true) => {
            let url = fields.text("jwks_url")?;
            if !url.starts_with("https://") {
                return Err(fields.wrong("jwks_url", "an address that begins with `https://`").into());
            }
            IssuerKeys::At { url, fetched: None }
        }
        (true, true) => return Err(fields.wrong("jwks_url", "left out where `jwks` is given").into()),
        (false, false) => return Err(FieldError::Missing { place: fields.inside("jwks") }.into()),
    };
    Ok(Issuer {
        issuer,
        audience: fields.text("audience")?,
        tools: names(&fields, "tools")?,
        keys,
        bundle: None,
    })
}

fn read_revoked(node: Node<'_>) -> Result<RevokedTool, FieldError> {
    if node.get("definition").is_some() {
        let fields = Fields::only(node, "revoked_tools", &["definition"])?;
        return Ok(RevokedTool::Definition(fields.read("definition", HASH)?));
    }
    const VERSION: &str = "a semantic version such as `1.4.0`";
    let fields = Fields::only(node, "revoked_tools", &["tool_id", "from", "before"])?;
    let versions = VersionRange {
        from: fields.optional_read("from", VERSION)?,
        before: fields.optional_read("before", VERSION)?,
    };
    Ok(RevokedTool::Versions { tool_id: fields.text("tool_id")?, versions })
}

fn read_pinned(node: Node<'_>) -> Result<Pinned, FieldError> {
    let fields = Fields::only(node, "pinned", &["tool", "definition"])?;
    Ok(Pinned { tool: fields.text("tool")?, definition: fields.read("definition", HASH)? })
}

fn write_names(names: &Names) -> String {
    format!("[{}]", names.iter().map(quote).collect::<Vec<String>>().join(","))
}

fn write_key(key: &TrustedKey) -> String {
    let (providers, tools) = (write_names(&key.providers), write_names(&key.tools));
    let (name, jwk) = (quote(&key.name), key.key.write());
    format!(r#"{{"name":{name},"jwk":{jwk},"providers":{providers},"tools":{tools}}}"#)
}

fn write_issuer(issuer: &Issuer) -> String {
    let keys = match &issuer.keys {
        IssuerKeys::Stated(keys) => {
            let keys: Vec<String> = keys.keys().map(|(kid, key)| key.write_as(kid)).collect();
            format!(r#""jwks":{{"keys":[{}]}}"#, keys.join(","))
        }
        IssuerKeys::At { url, .. } => format!(r#""jwks_url":{}"#, quote(url)),
    };
    let (name, audience) = (quote(&issuer.issuer), quote(&issuer.audience));
    format!(r#"{{"issuer":{name},"audience":{audience},"tools":{},{keys}}}"#, write_names(&issuer.tools))
}

fn write_revoked(tool: &RevokedTool) -> String {
    match tool {
        RevokedTool::Definition(definition) => format!(r#"{{"definition":"{definition}"}}"#),
        RevokedTool::Versions { tool_id, versions } => {
            let bound = |key: &str, version: &Option<semver::Version>| match version {
                Some(version) => format!(r#","{key}":"{version}""#),
                None => String::new(),
            };
            let (from, before) = (bound("from", &versions.from), bound("before", &versions.before));
            format!(r#"{{"tool_id":{}{from}{before}}}"#, quote(tool_id))
        }
    }
}

fn write_pinned(pinned: &Pinned) -> String {
    format!(r#"{{"tool":{},"definition":"{}"}}"#, quote(&pinned.tool), pinned.definition)
}
