//! How the two sides get to know each other.

use std::borrow::Cow;

use super::capabilities::ClientCapabilities;
use super::revision::Revision;
use super::shape::{Shape, ShapeError};
use crate::json::Node;

/// Keys of `_meta` that belong to the protocol.
pub mod key {
    /// The revision of a request.
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// What the client can do.
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// Who the client says it is.
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// Who the server says it is.
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// How much the server shall log.
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// The request that opened a stream of notifications.
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    /// The task that a message belongs to (2025-11-25).
    pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
}

/// The parameters of `initialize`.
#[derive(Debug, Clone)]
pub struct Initialize<'d> {
    /// The revision that the client wants.
    pub version: Cow<'d, str>,
    /// What it can do.
    pub capabilities: ClientCapabilities<'d>,
    /// Who it says it is.
    pub client: Party<'d>,
}

/// The result of `initialize`.
#[derive(Debug, Clone)]
pub struct Initialized<'d> {
    /// The revision that the server wants.
    pub version: Cow<'d, str>,
    /// What it can do, an object.
    pub capabilities: Node<'d>,
    /// Who it says it is.
    pub server: Party<'d>,
    /// What it wants the model to know.
    pub instructions: Option<Cow<'d, str>>,
}

/// The result of `server/discover`.
#[derive(Debug, Clone)]
pub struct Discovered<'d> {
    /// The revisions that the server speaks.
    pub versions: Vec<Cow<'d, str>>,
    /// What it can do, an object.
    pub capabilities: Node<'d>,
    /// What it wants the model to know.
    pub instructions: Option<Cow<'d, str>>,
}

/// Who somebody says they are. It is shown and decides nothing.
#[derive(Debug, Clone)]
pub struct Party<'d> {
    /// A name.
    pub name: Cow<'d, str>,
    /// A version.
    pub version: Option<Cow<'d, str>>,
}

/// What a request says of itself in the era without sessions.
#[derive(Debug, Clone)]
pub struct RequestMeta<'d> {
    /// The revision it is written in.
    pub version: Cow<'d, str>,
    /// What the client can do.
    pub capabilities: ClientCapabilities<'d>,
    /// Who the client says it is.
    pub client: Option<Party<'d>>,
}

impl<'d> Initialize<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<Initialize<'d>, ShapeError> {
        let of = "initialize";
        let shape = Shape::params(of, params, &["protocolVersion", "capabilities", "clientInfo"])?;
        Ok(Initialize {
            version: shape.text("protocolVersion")?,
            capabilities: ClientCapabilities::read(shape.object("capabilities")?)?,
            client: Party::read(of, shape.object("clientInfo")?)?,
        })
    }

    /// The revision that the client wants, if it is known.
    pub fn revision(&self) -> Option<Revision> {
        Revision::of(&self.version)
    }
}

impl<'d> Initialized<'d> {
    /// Reads the result.
    ///
    /// # Errors
    /// If something is missing or of another kind.
    pub fn read(result: Node<'d>) -> Result<Initialized<'d>, ShapeError> {
        let of = "result of initialize";
        let members = ["protocolVersion", "capabilities", "serverInfo", "instructions"];
        let shape = Shape::new(of, result, &members)?;
        Ok(Initialized {
            version: shape.text("protocolVersion")?,
            capabilities: shape.object("capabilities")?,
            server: Party::read(of, shape.object("serverInfo")?)?,
            instructions: shape.optional_text("instructions")?,
        })
    }

    /// The revision that the server wants, if it is known.
    pub fn revision(&self) -> Option<Revision> {
        Revision::of(&self.version)
    }
}

impl<'d> Discovered<'d> {
    /// Reads the result.
    ///
    /// # Errors
    /// If something is missing or of another kind.
    pub fn read(result: Node<'d>) -> Result<Discovered<'d>, ShapeError> {
        let members = ["supportedVersions", "capabilities", "instructions"];
        let shape = Shape::new("result of server/discover", result, &members)?;
        let wrong = || shape.kind("supportedVersions", "an array of strings");
        let versions = shape.array("supportedVersions")?.items();
        Ok(Discovered {
            versions: versions.map(|version| version.as_str().ok_or_else(wrong)).collect::<Result<_, _>>()?,
            capabilities: shape.object("capabilities")?,
            instructions: shape.optional_text("instructions")?,
        })
    }
}

impl<'d> RequestMeta<'d> {
    /// Reads what a request says of itself; nothing, if it is of the era with sessions.
    ///
    /// # Errors
    /// If it is of the era without sessions, but something is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<Option<RequestMeta<'d>>, ShapeError> {
        let of = "_meta";
        let Some(meta) = params.and_then(|params| params.get("_meta")) else { return Ok(None) };
        let members = [key::PROTOCOL_VERSION, key::CLIENT_CAPABILITIES, key::CLIENT_INFO];
        let shape = Shape::new(of, meta, &members)?;
        if meta.get(key::PROTOCOL_VERSION).is_none() && meta.get(key::CLIENT_CAPABILITIES).is_none() {
            return Ok(None);
        }
        Ok(Some(RequestMeta {
            version: shape.text(key::PROTOCOL_VERSION)?,
            capabilities: ClientCapabilities::read(shape.object(key::CLIENT_CAPABILITIES)?)?,
            client: shape.optional_object(key::CLIENT_INFO)?.map(|node| Party::read(of, node)).transpose()?,
        }))
    }

    /// The revision it is written in, if it is known.
    pub fn revision(&self) -> Option<Revision> {
        Revision::of(&self.version)
    }
}

impl<'d> Party<'d> {
    fn read(of: &'static str, node: Node<'d>) -> Result<Party<'d>, ShapeError> {
        let shape = Shape::new(of, node, &["name", "version"])?;
        Ok(Party { name: shape.text("name")?, version: shape.optional_text("version")? })
    }
}
