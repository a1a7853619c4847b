//! What may be done, beside what may not: "you may look at issues all day, just don't comment on them".

use super::peeled::is_closed;
use super::remarks::is_plain;
use crate::english::exact::aside::FINE;
use crate::english::exact::told::refer;
use crate::english::exact::told::turned::word;
use crate::english::exact::words;
use crate::english::token::{Shape, Token};

/// How leave begins.
const LEAVE: &[&str] = &[
    "you may",
    "you can",
    "feel free to",
    "you are free to",
    "you're free to",
    "go ahead and",
    "you are welcome to",
    "you're welcome to",
    "by all means",
];

/// How leave ends.
const AT_WILL: &[&str] = &[
    "is yours",
    "are yours",
    "as much as you like",
    "as much as you want",
    "as often as you like",
    "as you like",
    "as you please",
    "as you wish",
    "all you want",
    "all you like",
    "any time",
    "if you must",
    "if you like",
    "if you want",
    "if you need to",
    "if need be",
    "if needed",
    "if necessary",
    "if it helps",
    "whatever you like",
    "whatever you want",
    "whatever helps",
    "whatever you need",
    "freely",
];

/// Words with which a rule speaks of all but what was allowed.
const MORE: &[&str] = &["other", "others", "else", "rest", "besides", "otherwise", "more"];

/// The rule beside what may be done. What "it" and "there" stand for may be named where something is allowed.
pub(super) fn beside_leave(tokens: &[Token]) -> Option<Vec<Token>> {
    let is_more = |tokens: &[Token]| tokens.iter().any(|token| MORE.contains(&token.low.as_str()));
    let denies = |tokens: &[Token]| {
        tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "never" | "no" | "not" | "don't" | "only" | "nothing"))
    };
    (1..tokens.len().saturating_sub(1)).find_map(|at| {
        let token = tokens.get(at)?;
        let parts = matches!(token.shape, Shape::Mark(',' | ';' | '.' | '!')) || token.low == "but";
        let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        if !parts || !is_closed(front) {
            return None;
        }
        let rule = words::strip(behind, &["but", "just", "but just", "but please", "and"]).unwrap_or(behind);
        if allows(front) && !denies(front) && !is_more(rule) && !is_of_it(front, rule) && rule.len() > 1 {
            return Some(with_what_was_named(front, rule));
        }
        let is_free = at > 1
            && allows(behind)
            && !denies(behind)
            && !is_more(behind)
            && !is_of_it(behind, front)
            && behind.iter().all(is_plain);
        is_free.then(|| front.to_vec())
    })
}

/// Whether what is allowed is some of what is forbidden: who may append does change something, and who may copy makes something.
pub(super) fn is_of_it(leave: &[Token], rule: &[Token]) -> bool {
    const PARTS: &[&str] = &[
        "add",
        "adding",
        "added",
        "append",
        "appending",
        "appended",
        "copy",
        "copying",
        "copied",
        "comment",
        "commenting",
        "commented",
        "rename",
        "renaming",
        "renamed",
        "create",
        "creating",
        "new",
    ];
    const WHOLES: &[&str] = &[
        "change", "changed", "changes", "changing", "touch", "touched", "touching", "edit", "modify",
        "modified", "alter", "altered", "write",
    ];
    let says = |tokens: &[Token], any: &[&str]| tokens.iter().any(|token| any.contains(&token.low.as_str()));
    says(leave, PARTS) && says(rule, WHOLES)
}

/// Whether something is allowed, perhaps in a place that is named first.
fn allows(tokens: &[Token]) -> bool {
    let core = words::core(tokens);
    words::strip(tokens, LEAVE).is_some()
        || words::strip_end(core, FINE).is_some()
        || words::strip_end(core, AT_WILL).is_some()
        || scoped(tokens).is_some()
}

/// "On the Family calendar you may add things": the place.
fn scoped(tokens: &[Token]) -> Option<&[Token]> {
    const PLACED: &[&str] = &["in", "on", "at", "inside", "under", "into"];
    tokens.first().filter(|first| PLACED.contains(&first.low.as_str()))?;
    let at = tokens.windows(2).position(|pair| words::strip(pair, &["you may", "you can"]).is_some())?;
    let place = tokens.get(..at)?;
    let place = words::strip_end(place, &[","]).unwrap_or(place);
    (2..=8).contains(&place.len()).then_some(place)
}

/// The rule, with what the leave before it names in the places of "it" and "there".
fn with_what_was_named(leave: &[Token], rule: &[Token]) -> Vec<Token> {
    if let Some(place) = scoped(leave) {
        const THERE: &[&str] =
            &["what is there", "what's there", "anything there", "in there", "there", "what is in there"];
        let rule = words::core(rule);
        return match words::strip_end(rule, THERE) {
            Some(rest)
                if words::strip_end(rule, &["in there", "there"]).is_some_and(|other| other == rest) =>
            {
                [rest, place].concat()
            }
            Some(rest) => [rest, &[word("anything")], place].concat(),
            None => [rule, place].concat(),
        };
    }
    if let Some(rule) = neither(leave, rule) {
        return rule;
    }
    let named = words::strip(leave, LEAVE).and_then(|rest| rest.get(1..)).map(|rest| {
        let rest = words::strip(rest, &["in", "into", "to", "at", "on", "from", "along in"]).unwrap_or(rest);
        const ALL_OF: &[&str] = &[
            "everything in",
            "anything in",
            "all of",
            "the files in",
            "files in",
            "whatever is in",
            "what is in",
        ];
        let rest = words::strip(rest, ALL_OF).unwrap_or(rest);
        words::strip_end(words::core(rest), AT_WILL).unwrap_or(rest)
    });
    let is_named = |named: &&[Token]| {
        (1..=6).contains(&named.len())
            && named.iter().any(|token| !matches!(token.shape, Shape::Word | Shape::Mark(_)))
    };
    named.filter(is_named).and_then(|named| refer::replaced(rule, named)).unwrap_or_else(|| rule.to_vec())
}

/// "You may look at the database and at /etc, but change neither": never change the one or the other.
fn neither(leave: &[Token], rule: &[Token]) -> Option<Vec<Token>> {
    const NONE: &[&str] = &["neither of them", "neither", "none of them", "none of these", "none of those"];
    let verb = words::strip_end(words::core(rule), NONE).filter(|verb| verb.len() == 1)?;
    let named = words::strip(leave, LEAVE)?.get(1..)?;
    let named = words::strip(named, &["at", "into", "in", "through"]).unwrap_or(named);
    let again = |token: &&Token| !matches!(token.low.as_str(), "at" | "into" | "in" | "through");
    let or = |token: &Token| match token.low.as_str() {
        "and" => word("or"),
        _ => token.clone(),
    };
    let named = named.iter().filter(again).map(or);
    Some(std::iter::once(word("never")).chain(verb.iter().cloned()).chain(named).collect())
}
