//! Verbs that say the same of one and the same object: whoever must not list the members must not pull their list either.

use crate::english::exact::words::begins;
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};

/// Verbs of one meaning. A verb that means something else with some objects ("add labels", "drop tables") is in none.
const SAME: &[&[&str]] = &[
    &[
        "read",
        "list",
        "view",
        "look at",
        "open",
        "fetch",
        "pull",
        "get",
        "load",
        "retrieve",
        "grab",
        "inspect",
        "see",
        "pull up",
        "look up",
        "access",
        "request",
        "query",
        "browse",
        "bring up",
        "call up",
        "go through",
        "look through",
        "consult",
        "check",
        "show",
        "display",
        "print",
        "ask for",
        "enumerate",
        "collect",
        "look into",
    ],
    &[
        "create",
        "make",
        "set up",
        "build",
        "invent",
        "introduce",
        "establish",
        "generate",
        "define",
        "come up with",
        "produce",
    ],
    &[
        "delete",
        "remove",
        "erase",
        "purge",
        "wipe",
        "get rid of",
        "destroy",
        "throw away",
        "throw out",
        "discard",
        "clear out",
        "clean up",
        "clean out",
        "eliminate",
        "nuke",
        "kill off",
    ],
    &[
        "change",
        "edit",
        "modify",
        "alter",
        "adjust",
        "tweak",
        "update",
        "touch",
        "mess with",
        "fiddle with",
        "play with",
        "tamper with",
        "meddle with",
        "rework",
        "revise",
    ],
    &["use", "employ", "utilise", "utilize", "rely on", "resort to", "work with", "make use of", "go for"],
    &[
        "run", "execute", "launch", "invoke", "trigger", "start", "kick off", "fire up", "fire", "call",
        "issue",
    ],
    &["stop", "kill", "terminate", "end", "shut down", "halt", "take down", "bring down"],
    &["send", "fire off", "send out", "shoot off", "dispatch"],
    &["rename", "relabel", "give another name to"],
    &["switch", "change", "hop"],
];

/// Each verb of the same meaning as the one in front, with the words behind that.
pub(super) fn others(tokens: &[Token]) -> Vec<(&'static str, &[Token])> {
    let mut found = Vec::new();
    let Some(own) = tokens.first().filter(|own| own.shape == Shape::Word) else { return found };
    let bases = word_bases(&own.low);
    for verbs in SAME {
        let said = verbs.iter().filter_map(|verb| length(tokens, &bases, verb)).max();
        let Some(rest) = said.and_then(|length| tokens.get(length..)).filter(|rest| !rest.is_empty()) else {
            continue;
        };
        found.extend(verbs.iter().map(|verb| (*verb, rest)));
    }
    found
}

/// How many words a verb takes at the beginning of these, whose first is given in all its forms.
fn length(tokens: &[Token], bases: &[String], verb: &str) -> Option<usize> {
    let (first, rest) = verb.split_once(' ').unwrap_or((verb, ""));
    if !bases.iter().any(|base| base == first) {
        return None;
    }
    match rest.is_empty() {
        true => Some(1),
        false => begins(tokens.get(1..)?, rest).map(|length| length + 1),
    }
}
