//! What the bridge has to know of a `serve` that runs: where it listens, and the token.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::whose;

/// Where a `serve` that runs says so.
const FILE: &str = "serve.json";

/// A `serve` that runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// The process.
    process: String,
    #[serde(skip)]
    file: PathBuf,
}

impl Standing {
    /// Says that this process serves here.
    pub(crate) fn announce(places: &Places, address: SocketAddr) -> Result<Standing, Failure> {
        let file = places.state.join(FILE);
        let standing = Standing { address, process: whose::own(), file: file.clone() };
        let text = serde_json::to_string(&standing).map_err(std::io::Error::from)?;
        let failed = |error| Failure::WriteFile { path: file.clone(), error };
        std::fs::create_dir_all(&places.state).map_err(failed)?;
        // Whoever reads it meanwhile sees the old one or the new one.
        let fresh = file.with_extension("json.new");
        std::fs::write(&fresh, text).map_err(failed)?;
        std::fs::rename(&fresh, &file).map_err(failed)?;
        Ok(standing)
    }

    /// The `serve` that runs.
    pub(crate) fn find(places: &Places) -> Result<Standing, Failure> {
        let text = std::fs::read_to_string(places.state.join(FILE)).ok();
        let standing: Option<Standing> = text.and_then(|text| serde_json::from_str(&text).ok());
        let standing = standing.filter(|standing| whose::runs(&standing.process) != Some(false));
        standing.ok_or_else(|| {
            let text =
                "no `portcullis serve` runs; start it in another terminal, or name its address with --url";
            GateError::Said(text.to_owned()).into()
        })
    }

    /// It ends.
    pub(crate) fn withdraw(self) {
        // Another one may have begun meanwhile.
        let text = std::fs::read_to_string(&self.file).ok();
        let standing: Option<Standing> = text.and_then(|text| serde_json::from_str(&text).ok());
        if standing.is_some_and(|standing| standing.process == self.process) {
            let _ = std::fs::remove_file(&self.file);
        }
    }
}

/// What hosts have to know to speak to the servers: always the same, so that it can stand in their settings.
pub(crate) fn token(places: &Places) -> Result<String, Failure> {
    let key = places.key().map_err(GateError::from)?;
    let mut token = String::new();
    for byte in key.derive("the token of serve") {
        // Writing to a string does not fail.
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}
