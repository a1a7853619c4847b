//! What policies can ask about a name.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::names::MOST_WORDS;
use crate::filters::{ends_as_file, host, is_loopback, parts};
use crate::meaning::sorts_in;
use crate::names;

/// The attributes of a name by itself.
pub(super) fn attributes(name: &str) -> serde_json::Map<String, Value> {
    let (stem, below) = parts(name);
    let host = host(name);
    let last = stem.rsplit(['/', ':']).next().unwrap_or(stem);
    let tail = stem.split_once(':').map(|(_, tail)| tail);
    let id = tail.unwrap_or(stem).to_lowercase().replace('-', "");
    let table =
        stem.split_once(':').filter(|(service, tail)| *service != "mailto" && !tail.starts_with("//"));
    let table = table.map(|(_, tail)| (tail, tail.rsplit(['.', '/']).next().unwrap_or(tail)));
    // A table by its own name, by the whole one, and by whatever holds it.
    let holders = table.into_iter().flat_map(|(tail, _)| tail.rsplit('.').skip(1));
    let tables = table.into_iter().flat_map(<[&str; 2]>::from).chain(holders).map(str::to_ascii_lowercase);
    let attributes = json!({
        "name": name,
        "stem": stem,
        "below": below,
        "host": host.map(str::to_ascii_lowercase).unwrap_or_default(),
        "loopback": host.is_some_and(is_loopback),
        "labels": labels(stem, host),
        "last": last,
        "low": last.to_lowercase(),
        "sorts": sorts_in(last),
        "file": ends_as_file(stem),
        "segments": stem.split('/').collect::<BTreeSet<_>>(),
        "folders": folders(stem),
        "words": words(stem),
        "own": tail.unwrap_or_default(),
        "tail": tail.map(str::to_ascii_lowercase).unwrap_or_default(),
        "ids": id.split(['/', '.']).collect::<BTreeSet<_>>(),
        "id": id,
        "tables": tables.collect::<BTreeSet<_>>(),
        "table": table.map(|(_, last)| names::stem(&last.to_lowercase())).unwrap_or_default(),
    });
    attributes.as_object().cloned().unwrap_or_default()
}

/// The labels of a host but the last, with and without hyphens and an article; of what has no host, the service.
fn labels(stem: &str, host: Option<&str>) -> BTreeSet<String> {
    let Some(host) = host else {
        return stem.split_once(':').map(|(service, _)| service.to_owned()).into_iter().collect();
    };
    let labels: Vec<&str> = host.split('.').collect();
    let named = labels.iter().take(labels.len().saturating_sub(1).max(1));
    let spellings = |label: &&str| {
        let plain = label.replace('-', "");
        let bare = plain.strip_prefix("the").map(str::to_owned);
        [Some((*label).to_owned()), bare, Some(plain)].into_iter().flatten()
    };
    named.flat_map(spellings).collect()
}

fn folders(stem: &str) -> BTreeSet<String> {
    let segments = stem.split(['/', ':']);
    segments.flat_map(|segment| [segment.to_ascii_lowercase(), names::words(segment).join(" ")]).collect()
}

/// The words of a name: of folders all of them together, of files and other things each, and some in a row.
pub(super) fn words(stem: &str) -> BTreeSet<String> {
    let is_file = stem.starts_with('/');
    let segments: Vec<&str> = stem.split(['/', ':', '.', '@', '?']).collect();
    let last = segments.len().saturating_sub(if is_file { 2 } else { 1 });
    let mut found = BTreeSet::new();
    for (at, segment) in segments.iter().enumerate() {
        let words = names::words(segment);
        if is_file && at < last {
            found.insert(words.join(" "));
            continue;
        }
        for length in 1..=MOST_WORDS {
            found.extend(words.windows(length).map(|run| run.join(" ")));
        }
    }
    found
}
