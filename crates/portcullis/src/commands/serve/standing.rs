//! What the bridge has to know of a `serve` that runs: where it listens, and the token.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::whose;

/// Each `serve` that runs says so in a file that begins and ends so.
const FILE: (&str, &str) = ("serve-", ".json");

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
        let file = places.state.join(format!("{}{}{}", FILE.0, std::process::id(), FILE.1));
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

    /// The `serve` that runs, the latest if there are several.
    pub(crate) fn find(places: &Places) -> Result<Standing, Failure> {
        let files = std::fs::read_dir(&places.state).into_iter().flatten().flatten();
        let mut running: Vec<(SystemTime, Standing)> = files
            .filter(|file| is_ours(&file.file_name().to_string_lossy()))
            .filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file)))
            .filter_map(|(time, file)| Some((time, std::fs::read_to_string(file.path()).ok()?)))
            .filter_map(|(time, text)| Some((time, serde_json::from_str::<Standing>(&text).ok()?)))
            .filter(|(_, standing)| whose::runs(&standing.process) != Some(false))
            .collect();
        running.sort_by_key(|(time, _)| *time);
        running.pop().map(|(_, standing)| standing).ok_or_else(|| {
            let text =
                "no `portcullis serve` runs; start it in another terminal, or name its address with --url";
            GateError::Said(text.to_owned()).into()
        })
    }

    /// It ends.
    pub(crate) fn withdraw(self) {
        // Whoever finds the file later sees that the process is gone.
        let _ = std::fs::remove_file(&self.file);
    }
}

fn is_ours(name: &str) -> bool {
    name.starts_with(FILE.0) && name.ends_with(FILE.1)
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
