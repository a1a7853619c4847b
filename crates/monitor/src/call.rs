//! A call as a front hands it over.

use portcullis_lattice::{Server, Standing};
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
}

impl ToolCall<'_> {
    /// The server, as rules know it.
    pub fn server(&self) -> Server {
        let standing = match self.profile.source {
            Source::Declared | Source::Catalogue => Standing::Known,
            Source::Derived => Standing::Derived,
        };
        Server { name: self.server.into(), standing }
    }
}
