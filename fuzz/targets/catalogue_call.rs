//! Any JSON as the arguments of a tool of the catalogue: the call is understood or doubted, and every act is a flow.
//!
//! The first line of the input names the tool (`gmail.send_email`); where it names none, its first byte chooses one. The
//! rest are the arguments.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::calls::{check, perceive};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::profile::Profile;
use serde_json::Value;

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in().expect("the built-in catalogue loads"));
/// Every tool with its server, in the order of their names.
static TOOLS: LazyLock<Vec<(&str, &Profile)>> = LazyLock::new(|| {
    let tools =
        CATALOGUE.servers().flat_map(|(server, entry)| entry.tools().map(move |(_, tool)| (server, tool)));
    tools.collect()
});

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Some((line, rest)) = text.split_once('\n') else { return };
    let named = |tool: &&(&str, &Profile)| line.split_once('.') == Some((tool.0, &tool.1.tool));
    let number = usize::from(line.bytes().next().unwrap_or_default()) % TOOLS.len();
    let Some((server, profile)) = TOOLS.iter().find(named).or_else(|| TOOLS.get(number)) else { return };
    let Ok(arguments) = serde_json::from_str::<Value>(rest) else { return };
    let tools = |name: &str| CATALOGUE.profile(server, name);
    let seen = perceive(profile, &arguments, &tools);
    assert_eq!(seen, perceive(profile, &arguments, &tools), "the same call is perceived alike");
    check(profile, &arguments, &seen);
    assert!(
        !seen.acts.is_empty() || !seen.doubts.is_empty(),
        "{}: neither understood nor doubted",
        profile.tool
    );
});
