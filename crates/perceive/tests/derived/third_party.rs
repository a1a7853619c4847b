//! Texts of third parties, which stay beside the repository. Where they are absent, the checks say so and pass.

use std::path::PathBuf;

/// The text of a file of `../shared`, or of where `PORTCULLIS_SHARED` points to.
pub(crate) fn shared(file: &str) -> Option<String> {
    let root = std::env::var_os("PORTCULLIS_SHARED").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let text = std::fs::read_to_string(root.join(file)).ok();
    if text.is_none() {
        println!("skipped: `../shared/{file}` is absent, so nothing is compared with it");
    }
    text
}
