//! A call as a front hands it over.

use portcullis_lattice::{Decision, Server, Standing};
use portcullis_perceive::profile::{Profile, Source};
use serde_json::Value;

/// A call of a tool, with what is known of the tool.
#[derive(Clone, Copy)]
pub struct ToolCall<'c> {
    /// What the server is called where it is configured.
    pub server: &'c str,
    /// The address of a server on another machine: whatever the arguments hold goes there.
    pub remote: Option<&'c str>,
    /// What the tool does.
    pub profile: &'c Profile,
    /// The other tools of the server, for tools that call tools.
    pub tools: &'c dyn Fn(&str) -> Option<&'c Profile>,
    /// The arguments.
    pub arguments: &'c Value,
    /// Whether the tool is the one that was approved.
    pub standing: &'c ToolStanding,
}

/// Whether a tool is the one that was approved, as it was found out by whoever keeps the approvals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolStanding {
    /// Whether it may be called.
    pub decision: Decision,
    /// Why, one reason each; none for a tool that is as it was approved.
    pub reasons: Vec<String>,
}

impl ToolStanding {
    /// A tool that is as it was approved.
    pub const APPROVED: &'static ToolStanding =
        &ToolStanding { decision: Decision::Permit, reasons: Vec::new() };
}

impl ToolCall<'_> {
    /// The server, as rules know it.
    pub fn server(&self) -> Server {
        let standing = match self.profile.source {
            Source::Catalogue => Standing::Known,
            // What is declared bounds what it does; whose things they are is as little known as before.
            Source::Declared | Source::Derived => Standing::Derived,
        };
        Server { name: self.server.into(), standing }
    }
}
