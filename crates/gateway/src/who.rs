//! Who a server is: the package or program behind the command that starts it, or its address.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use portcullis_identity::ContentHash;
use portcullis_identity::server::ServerIdentity;

/// Programs that are larger than this are told by their size and time, for reading them takes too long.
const MOST_READ: u64 = 16 << 20;
/// A version that is not known before the package is fetched.
const UNKNOWN: &str = "unknown";

/// The server that a command starts.
pub(crate) fn of_command(command: &[String], package: Option<(&str, &str, Option<&str>)>) -> ServerIdentity {
    if let Some((registry, name, version)) = package {
        let resolved = version.map(str::to_owned).or_else(|| installed(registry, name));
        return ServerIdentity::Package {
            registry: registry.to_owned(),
            name: name.to_owned(),
            version: resolved.unwrap_or_else(|| UNKNOWN.to_owned()),
            arguments: command.iter().skip(1).cloned().collect(),
        };
    }
    let program = command.first().map_or("", String::as_str);
    let path = find(program);
    let digest = path.as_deref().map_or_else(|| ContentHash::of(b""), digest);
    ServerIdentity::Program {
        path: path.map_or_else(|| program.to_owned(), |path| path.display().to_string()),
        digest,
        arguments: command.iter().skip(1).cloned().collect(),
    }
}

/// A program's file, with all links resolved.
fn find(program: &str) -> Option<PathBuf> {
    let is_path = program.contains('/') || program.contains('\\');
    if is_path {
        return fs::canonicalize(program).ok();
    }
    let folders = env::var_os("PATH")?;
    let candidates = env::split_paths(&folders).map(|folder| folder.join(program));
    candidates.filter_map(|path| fs::canonicalize(path).ok()).find(|path| path.is_file())
}

fn digest(path: &Path) -> ContentHash {
    let Ok(metadata) = fs::metadata(path) else { return ContentHash::of(b"") };
    if metadata.len() <= MOST_READ
        && let Ok(bytes) = fs::read(path)
    {
        return ContentHash::of(&bytes);
    }
    let time = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    ContentHash::of(format!("{} {time:?}", metadata.len()).as_bytes())
}

/// The version of a package that its runner has fetched already.
fn installed(registry: &str, name: &str) -> Option<String> {
    if registry != "npm" {
        return None;
    }
    let cache = env::var_os("npm_config_cache").map(PathBuf::from).or_else(|| {
        let home = env::var_os("HOME")?;
        Some(PathBuf::from(home).join(".npm"))
    })?;
    let runs = fs::read_dir(cache.join("_npx")).ok()?;
    let manifests = runs.flatten().map(|run| run.path().join("node_modules").join(name).join("package.json"));
    let newest = manifests
        .filter_map(|manifest| Some((fs::metadata(&manifest).ok()?.modified().ok()?, manifest)))
        .max_by_key(|(time, _)| *time)?;
    let text = fs::read_to_string(newest.1).ok()?;
    let manifest: serde_json::Value = serde_json::from_str(&text).ok()?;
    manifest.get("version")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_program_is_its_file_and_what_it_consists_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("server");
        fs::write(&file, b"one").unwrap();
        let words = command(&[file.to_str().unwrap(), "--root", "."]);
        let before = of_command(&words, None);
        assert_eq!(before, of_command(&words, None));
        fs::write(&file, b"two").unwrap();
        let relation = before.compare(&of_command(&words, None));
        assert_eq!(relation, portcullis_identity::server::Relation::OtherContent);
    }

    #[test]
    fn what_is_not_there_is_told_by_its_name() {
        let ServerIdentity::Program { path, .. } = of_command(&command(&["no-such-program-anywhere"]), None)
        else {
            panic!("it is a program");
        };
        assert_eq!(path, "no-such-program-anywhere");
    }

    #[test]
    fn a_package_is_told_by_its_name_and_version() {
        let words = command(&["npx", "-y", "@scope/thing@1.2.3"]);
        let found = of_command(&words, Some(("npm", "@scope/thing", Some("1.2.3"))));
        let ServerIdentity::Package { registry, name, version, .. } = found else {
            panic!("it is a package")
        };
        assert_eq!((registry.as_str(), name.as_str(), version.as_str()), ("npm", "@scope/thing", "1.2.3"));
    }
}
