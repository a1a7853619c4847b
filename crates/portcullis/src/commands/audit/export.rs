//! `portcullis audit export`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use portcullis_store::ExportError;

use super::verify::progress;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;

/// What `audit export` needs.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The file that is written, which must not be there yet [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only what comes behind this entry.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    after: u64,
}

pub(super) const HELP: &str = r#"The first line says which chain it is and behind which entry it begins, the last where it ends; each line between
is an entry.

  portcullis audit export --output audit.jsonl
  portcullis audit verify audit.jsonl --head 17:9f2c…"#;

pub(super) fn run(args: &ExportArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let failed = |error: ExportError, path: Option<&PathBuf>| match (error, path) {
        (ExportError::Store(error), _) => error.into(),
        (ExportError::Output(error), Some(path)) => Failure::WriteFile { path: path.clone(), error },
        (ExportError::Output(error), None) => error.into(),
        (error @ ExportError::NoSuchStart(_), _) => GateError::Said(error.to_string()).into(),
    };
    let Some(path) = &args.output else {
        store.export(args.after, out, &mut |_| ()).map_err(|error| failed(error, None))?;
        return Ok(ExitCode::SUCCESS);
    };
    let file = File::create_new(path).map_err(|error| Failure::WriteFile { path: path.clone(), error })?;
    let mut shown = progress("written");
    let ended = store.export(args.after, &mut BufWriter::new(&file), &mut shown);
    let head = ended.map_err(|error| failed(error, Some(path)))?;
    file.sync_all().map_err(|error| Failure::WriteFile { path: path.clone(), error })?;
    writeln!(out, "written up to head {head}")?;
    Ok(ExitCode::SUCCESS)
}
