//! `portcullis keys new`.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use portcullis_seal::Algorithm;

use crate::failure::Failure;
use crate::places::Places;

/// What `keys new` needs.
#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// What the key is called here: letters, digits, `-`, `_` and `.`.
    #[arg(value_name = "NAME")]
    name: String,
    /// How it signs.
    #[arg(long, value_enum, default_value_t = KeyKind::Ed25519)]
    algorithm: KeyKind,
}

/// How a key signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum KeyKind {
    /// EdDSA with the curve Ed25519.
    Ed25519,
    /// ECDSA with the curve P-256 and SHA-256, for those who need it.
    Es256,
}

pub(super) const HELP: &str = r#"The private key is kept in the folder `keys` beside the store, in a file that only you may read.
It is shown by nothing but `portcullis keys export NAME --private`. Then:

  portcullis keys export NAME > acme.json      # give this to those who use your tools
  portcullis sign --key NAME --provider acme.example --version 1.0.0 tools.json"#;

pub(super) fn run(args: &NewArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let algorithm = match args.algorithm {
        KeyKind::Ed25519 => Algorithm::Ed25519,
        KeyKind::Es256 => Algorithm::Es256,
    };
    let (key, path) = Places::find()?.own_keys().create(&args.name, algorithm)?;
    writeln!(out, "{} ({algorithm}), kept in {}", key.public().id(), path.display())?;
    writeln!(out, "`portcullis keys export {}` prints what others need to trust it", args.name)?;
    Ok(ExitCode::SUCCESS)
}
