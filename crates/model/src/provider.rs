//! Who is asked.

use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;
use url::{Host, Url};

use crate::key::{Key, KeyError};
use crate::keyring::{KeyringError, Secrets};

/// How long an answer may take, unless it is said.
const USUAL_TIMEOUT: Duration = Duration::from_secs(120);
/// The longest time that can be said, in seconds.
const LONGEST_TIMEOUT: u64 = 3_600;

/// The form of requests and answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's chat completions, which many other servers speak.
    OpenAi,
    /// Ollama's chat, on this machine unless it is said otherwise.
    Ollama,
}

/// What is said about a provider; what is not said is as usual. In TOML it is a table of the same names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The form of requests and answers.
    pub provider: Option<Kind>,
    /// The name of the model.
    pub name: Option<String>,
    /// Where the provider is; paths of requests are added to it.
    pub url: Option<String>,
    /// The environment variable that holds the key, which the keyring has otherwise; an empty name is for no key.
    pub key_env: Option<String>,
    /// How many seconds an answer may take.
    pub timeout: Option<u64>,
    /// Whether a server elsewhere may be asked without encryption.
    pub allow_http: Option<bool>,
}

/// A provider that can be asked.
#[derive(Clone, Debug)]
pub struct Provider {
    pub(crate) kind: Kind,
    pub(crate) base: Url,
    pub(crate) name: String,
    pub(crate) key: Option<Key>,
    pub(crate) timeout: Duration,
}

/// Why nobody can be asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProviderError {
    /// It is not said who.
    #[error("say which form the provider speaks: anthropic, openai or ollama")]
    NoProvider,
    /// It is not said which model.
    #[error("say the name of the model")]
    NoName,
    /// The address is none.
    #[error("the address of the provider is no URL: {0}")]
    Url(url::ParseError),
    /// The address has parts that an address must not have.
    #[error("the address of the provider must have a host, and no user, password, query or fragment")]
    Parts,
    /// Neither of the two.
    #[error("the address of the provider begins with neither `https` nor `http`")]
    Scheme,
    /// It would go over the network for everybody to read.
    #[error("the provider is elsewhere and would be asked without encryption; use `https`, or allow http")]
    Plain,
    /// There is no key where it should be.
    #[error(
        "the environment variable `{name}`, which holds the key of the provider, is not set, and {error}"
    )]
    NoKey {
        /// The variable.
        name: String,
        /// Why the keyring has none either.
        error: KeyringError,
    },
    /// What is there is no key.
    #[error("the environment variable `{name}` holds no key: {error}")]
    Key {
        /// The variable.
        name: String,
        /// What is wrong with it.
        error: KeyError,
    },
    /// Too short or too long.
    #[error("the time for an answer is between 1 and {LONGEST_TIMEOUT} seconds")]
    Timeout,
}

impl Kind {
    fn usual_url(self) -> &'static str {
        match self {
            Kind::Anthropic => "https://api.anthropic.com",
            Kind::OpenAi => "https://api.openai.com/v1",
            Kind::Ollama => "http://127.0.0.1:11434",
        }
    }

    fn usual_key(self) -> Option<&'static str> {
        match self {
            Kind::Anthropic => Some("ANTHROPIC_API_KEY"),
            Kind::OpenAi => Some("OPENAI_API_KEY"),
            Kind::Ollama => None,
        }
    }

    /// What is added to the address.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Kind::Anthropic => "/v1/messages",
            Kind::OpenAi => "/chat/completions",
            Kind::Ollama => "/api/chat",
        }
    }

    /// As users write it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Anthropic => "anthropic",
            Kind::OpenAi => "openai",
            Kind::Ollama => "ollama",
        }
    }
}

impl Settings {
    /// These settings, and where they say nothing, others.
    #[must_use]
    pub fn or(self, others: Settings) -> Settings {
        Settings {
            provider: self.provider.or(others.provider),
            name: self.name.or(others.name),
            url: self.url.or(others.url),
            key_env: self.key_env.or(others.key_env),
            timeout: self.timeout.or(others.timeout),
            allow_http: self.allow_http.or(others.allow_http),
        }
    }

    /// The provider that they describe. Its key is looked for in the environment first, and then in the keyring.
    pub fn provider(&self, secrets: &impl Secrets) -> Result<Provider, ProviderError> {
        let kind = self.provider.ok_or(ProviderError::NoProvider)?;
        let name = self.name.clone().filter(|name| !name.trim().is_empty()).ok_or(ProviderError::NoName)?;
        let base = base(self.url.as_deref().unwrap_or(kind.usual_url()))?;
        if base.scheme() == "http" && !is_here(&base) && self.allow_http != Some(true) {
            return Err(ProviderError::Plain);
        }
        let timeout = match self.timeout {
            None => USUAL_TIMEOUT,
            Some(seconds) if (1..=LONGEST_TIMEOUT).contains(&seconds) => Duration::from_secs(seconds),
            Some(_) => return Err(ProviderError::Timeout),
        };
        let key_env = self.key_env.as_deref().or(kind.usual_key()).filter(|name| !name.is_empty());
        let host = base.host_str().unwrap_or_default();
        let key = key_env.map(|name| key(name, host, secrets)).transpose()?;
        Ok(Provider { kind, base, name, key, timeout })
    }
}

fn key(name: &str, host: &str, secrets: &impl Secrets) -> Result<Key, ProviderError> {
    let name = name.to_owned();
    match secrets.variable(&name) {
        Some(text) => Key::new(&text).map_err(|error| ProviderError::Key { name, error }),
        None => secrets.kept(host).map_err(|error| ProviderError::NoKey { name, error }),
    }
}

fn base(text: &str) -> Result<Url, ProviderError> {
    let base = Url::parse(text).map_err(ProviderError::Url)?;
    if !matches!(base.scheme(), "http" | "https") {
        return Err(ProviderError::Scheme);
    }
    let has_user = !base.username().is_empty() || base.password().is_some();
    if has_user || base.query().is_some() || base.fragment().is_some() || base.host().is_none() {
        return Err(ProviderError::Parts);
    }
    Ok(base)
}

/// Whether an address is on this machine, whatever names are looked up as.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

impl Provider {
    /// The form of requests and answers.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The host that is asked.
    pub fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Where requests go.
    pub(crate) fn endpoint(&self) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path().trim_end_matches('/'), self.kind.path()));
        url
    }
}
