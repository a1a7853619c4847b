//! What a provider says of a definition, under its signature.

use jiff::Timestamp;
use portcullis_lattice::{Effect, Effects, Scope};
use portcullis_wire::json::{Node, quote};
use semver::Version;

use crate::digest::Digest;
use crate::fields::{FieldError, Fields};

/// The only format there is so far.
pub(crate) const FORMAT: u64 = 1;

/// What a provider says of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims {
    /// Who provides the tool, such as `acme.example`.
    pub provider: String,
    /// Which tool it is, the same in all its versions.
    pub tool_id: String,
    /// Which version of it.
    pub version: Version,
    /// When this was said.
    pub issued: Timestamp,
    /// Until when it holds; without it, until it is revoked.
    pub expires: Option<Timestamp>,
    /// What the tool does.
    pub profile: Option<Profile>,
    /// The hash of the canonical form of the OpenAPI document behind the tool.
    pub contract: Option<Digest>,
}

/// What a provider says that a tool does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// What it does to the world.
    pub effects: Effects,
    /// Where data comes from, as rules write places.
    pub inputs: Vec<Scope>,
    /// Where data goes.
    pub outputs: Vec<Scope>,
    /// The OAuth scopes that it uses.
    pub scopes: Vec<String>,
    /// What its caller has to be entitled to.
    pub entitlements: Vec<String>,
}

impl Claims {
    /// Claims without expiry, profile and contract.
    pub fn new(provider: &str, tool_id: &str, version: Version, issued: Timestamp) -> Claims {
        let (provider, tool_id) = (provider.to_owned(), tool_id.to_owned());
        Claims { provider, tool_id, version, issued, expires: None, profile: None, contract: None }
    }

    pub(crate) fn read(node: Node<'_>) -> Result<Claims, FieldError> {
        const KNOWN: &[&str] =
            &["format", "provider", "tool_id", "version", "issued", "expires", "profile", "contract"];
        // The format first: a later one may have other members.
        let fields = Fields::some(node, "claims")?;
        if fields.number("format")? != FORMAT {
            return Err(fields.wrong("format", "1, the only format that this version of Portcullis knows"));
        }
        let fields = Fields::only(node, "claims", KNOWN)?;
        Ok(Claims {
            provider: fields.text("provider")?,
            tool_id: fields.text("tool_id")?,
            version: fields.read("version", "a semantic version such as `1.4.0`")?,
            issued: fields.time("issued")?,
            expires: fields.optional_time("expires")?,
            profile: fields
                .has("profile")
                .then(|| Profile::read(fields.node("profile")?, &fields.inside("profile")))
                .transpose()?,
            contract: fields.optional_read("contract", "`sha256:` and 64 hexadecimal digits")?,
        })
    }

    /// They as JSON.
    pub(crate) fn write(&self) -> String {
        let text = |key: &str, text: String| format!(r#","{key}":{}"#, quote(&text));
        let optional =
            |key: &str, value: Option<String>| value.map(|value| text(key, value)).unwrap_or_default();
        let profile = self.profile.as_ref().map(|profile| format!(r#","profile":{}"#, profile.write()));
        [
            format!(r#"{{"format":{FORMAT}"#),
            text("provider", self.provider.clone()),
            text("tool_id", self.tool_id.clone()),
            text("version", self.version.to_string()),
            text("issued", self.issued.to_string()),
            optional("expires", self.expires.map(|expires| expires.to_string())),
            optional("contract", self.contract.map(|contract| contract.to_string())),
            profile.unwrap_or_default(),
            "}".to_owned(),
        ]
        .concat()
    }
}

impl Profile {
    /// Reads a profile as claims have it.
    ///
    /// # Errors
    /// If a member is missing, wrong or unknown.
    pub fn of_node(node: Node<'_>) -> Result<Profile, FieldError> {
        Profile::read(node, "profile")
    }

    fn read(node: Node<'_>, place: &str) -> Result<Profile, FieldError> {
        const EFFECTS: &str = "a list of one or more of `read`, `write`, `del`, `exec`, `spawn`";
        const SCOPES: &str = "a list of places as rules write them, such as `https://api.acme.com/**`";
        let fields = Fields::only(node, place, &["effects", "inputs", "outputs", "scopes", "entitlements"])?;
        let named = |name: &String| Effect::from_name(name);
        let effects: Option<Effects> = fields.texts("effects")?.iter().map(named).collect();
        Ok(Profile {
            effects: effects
                .filter(|effects| !effects.is_empty())
                .ok_or_else(|| fields.wrong("effects", EFFECTS))?,
            inputs: fields.reads("inputs", SCOPES)?,
            outputs: fields.reads("outputs", SCOPES)?,
            scopes: fields.texts("scopes")?,
            entitlements: fields.texts("entitlements")?,
        })
    }

    pub(crate) fn write(&self) -> String {
        let list = |texts: Vec<String>| {
            let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
            format!("[{}]", quoted.join(","))
        };
        format!(
            r#"{{"effects":{},"inputs":{},"outputs":{},"scopes":{},"entitlements":{}}}"#,
            list(self.effects.iter().map(|effect| effect.to_string()).collect()),
            list(self.inputs.iter().map(Scope::to_string).collect()),
            list(self.outputs.iter().map(Scope::to_string).collect()),
            list(self.scopes.clone()),
            list(self.entitlements.clone()),
        )
    }
}
