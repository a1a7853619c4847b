//! What is suspicious in a text that a server wrote for a model: hidden characters, and instructions that no description
//! of a tool needs.
//!
//! The rules are of words and their order, written by hand, the same on every machine. They find what is said openly in
//! English and what is hidden; a lie in plain words they cannot find. So they raise the weight of a change or point at a
//! place in a new tool; that they find nothing permits nothing.

mod cue;
mod encoded;
mod hidden;
mod instruction;
mod lexicon;
mod pattern;
mod prose;

use std::collections::BTreeSet;

use serde_json::Value;

pub use cue::{Cue, Finding, Weight, visible};
pub(crate) use hidden::is_unseen;
pub(crate) use instruction::outward;

use crate::definition::{Definition, Text};

/// The names of tools that a text may speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// In lower case; only what nobody writes by chance, as `search` and `fetch`, which are words of the language.
    others: BTreeSet<String>,
}

impl Around {
    /// The tools of the same server, of which to speak is honest, and those of others: a text that tells how to use them
    /// meddles.
    pub fn new<'n>(
        siblings: impl IntoIterator<Item = &'n str>,
        others: impl IntoIterator<Item = &'n str>,
    ) -> Around {
        let is_reference = |name: &&str| name.contains(['_', '-', '.']) || has_hump(name);
        let mut others: BTreeSet<String> =
            others.into_iter().filter(is_reference).map(str::to_lowercase).collect();
        for sibling in siblings {
            others.remove(&sibling.to_lowercase());
        }
        Around { others }
    }

    fn is_alone(&self) -> bool {
        self.others.is_empty()
    }

    fn has_other(&self, word: &str) -> bool {
        self.others.contains(word)
    }
}

fn has_hump(name: &str) -> bool {
    name.bytes()
        .zip(name.bytes().skip(1))
        .any(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase())
}

/// How many findings are told of one definition. If there are more, that is one itself, so that none drowns in others.
const MOST_FINDINGS: usize = 200;

/// How many bytes of one definition are looked at word by word; what is more is a finding itself.
pub(crate) const LONGEST_PROSE: usize = 128 << 10;

/// What is suspicious in a definition.
pub fn of_definition(definition: &Definition, around: &Around) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut left = LONGEST_PROSE;
    for text in definition.texts() {
        look(&text, around, &mut left, &mut findings);
    }
    icons(definition, &mut findings);
    heaviest(findings)
}

/// What is suspicious in another text of a server: its instructions, a prompt, a description of a resource.
pub fn of_text(pointer: &str, text: &str, around: &Around) -> Vec<Finding> {
    let mut findings = Vec::new();
    let text = Text { pointer: pointer.to_owned(), text, is_key: false };
    look(&text, around, &mut LONGEST_PROSE.clone(), &mut findings);
    heaviest(findings)
}

/// The findings with the heaviest first, and how many there are if that is more than can be told.
fn heaviest(mut findings: Vec<Finding>) -> Vec<Finding> {
    let count = findings.len();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight()));
    if count > MOST_FINDINGS {
        findings.truncate(MOST_FINDINGS);
        findings.insert(0, Finding::new(Cue::TooLong, "", &format!("{count} findings")));
    }
    findings
}

fn look(text: &Text<'_>, around: &Around, left: &mut usize, findings: &mut Vec<Finding>) {
    hidden::look(text, findings);
    // A key is a name unless it has spaces, and then it is a text in a place where nobody looks.
    let is_prose = text.text.trim().contains(char::is_whitespace);
    if text.is_key && !is_prose {
        return;
    }
    let most = if is_prose { *left } else { LONGEST_PROSE };
    let (looked_at, rest) = text.text.split_at(text.text.floor_char_boundary(most));
    if is_prose {
        *left -= looked_at.len();
    }
    if !rest.is_empty() {
        findings.push(Finding::new(Cue::TooLong, &text.pointer, rest));
    }
    instruction::look(&text.pointer, looked_at, around, findings);
    for decoded in encoded::texts(looked_at) {
        findings.push(Finding::new(decoded.cue, &text.pointer, &decoded.text));
        instruction::look(&text.pointer, &decoded.text, around, findings);
    }
}

/// An icon is fetched and drawn by the host, so its address must be of a kind that does no more than that.
fn icons(definition: &Definition, findings: &mut Vec<Finding>) {
    let icons = definition.members().get("icons").and_then(Value::as_array);
    for (index, icon) in icons.into_iter().flatten().enumerate() {
        let Some(source) = icon.get("src").and_then(Value::as_str) else { continue };
        let lower = source.trim_start().to_ascii_lowercase();
        if !lower.starts_with("https://") && !lower.starts_with("data:image/") {
            findings.push(Finding::new(Cue::Icon, &format!("/icons/{index}/src"), source));
        }
    }
}
