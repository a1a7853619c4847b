//! Holes for what tools offer that list themselves: a tool by what it does, an argument by its name, a value that it takes.

use super::class;
use crate::english::exact::Exact;
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};
use crate::hand::{OwnArgument, OwnTool};
use crate::names;

/// Words around a verb and its noun that say nothing of the tool.
const LIGHT: &[&str] = &[
    "the", "a", "an", "any", "my", "our", "your", "some", "of", "in", "on", "for", "to", "from", "me", "new",
    "existing", "is", "are", "be", "being", "get", "gets", "anybody", "anything", "up", "off", "into",
    "with", "this", "these", "please", "own",
];

/// Words that no name of anything has.
const NO_PART: &[&str] = &[
    "never", "no", "not", "don't", "only", "and", "or", "but", "before", "after", "unless", "except",
    "without", "must", "may", "you", "nothing", "than", "more", "at", "if", "when", "until", "that", "which",
    "who", "every", "each", "all", "always", "first", "by", "there", "it", "them",
];

/// What a hole is filled with: how many words, and the texts by the names of holes.
pub(super) type Way = (usize, Vec<(&'static str, Vec<String>)>);

/// The ways to fill a hole of this sort; none where there is no such sort.
pub(super) fn ways(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<Way>> {
    let own = exact.hand.own_tools();
    Some(match sort {
        "tool" => each_length(tokens, 6, |said| found("tool", tools(said, own))),
        "thing" => each_length(tokens, 2, |said| found("thing", about(said, own))),
        "argument" => each_length(tokens, 3, |said| found("argument", arguments(said, own))),
        "choice" => each_length(tokens, 3, |said| chosen(said, own)),
        "choices" => choices(tokens, own),
        "holder" => each_length(tokens, 2, |said| found("holder", holders(said, own))),
        "switch" => each_length(tokens, 6, |said| found("switch", switches(said, own))),
        _ => return None,
    })
}

fn found(name: &'static str, texts: Vec<String>) -> Option<Vec<(&'static str, Vec<String>)>> {
    (!texts.is_empty()).then(|| vec![(name, texts)])
}

fn each_length(
    tokens: &[Token],
    most: usize,
    fill: impl Fn(&[Token]) -> Option<Vec<(&'static str, Vec<String>)>>,
) -> Vec<Way> {
    let is_part = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier) && !NO_PART.contains(&token.low.as_str())
    };
    let length = tokens.iter().take(most).take_while(is_part).count();
    let is_light = |token: Option<&Token>| token.is_some_and(|token| LIGHT.contains(&token.low.as_str()));
    let each = |length: usize| {
        let said = tokens.get(..length).filter(|said| length == 1 || !is_light(said.last()))?;
        Some((length, fill(said)?))
    };
    (1..=length).rev().filter_map(each).collect()
}

/// The words that say something, each in all its forms.
fn content(said: &[Token]) -> Vec<Vec<String>> {
    let says = |token: &&Token| !LIGHT.contains(&token.low.as_str());
    said.iter()
        .filter(says)
        .flat_map(|token| names::words(&token.low).into_iter().map(|word| (token, word)).collect::<Vec<_>>())
        .map(|(token, word)| {
            let mut forms = word_bases(&token.low);
            forms.extend(word_bases(&word));
            forms.push(word);
            forms.sort_unstable();
            forms.dedup();
            forms
        })
        .collect()
}

/// The classes of verbs of which one form is.
fn verbs(forms: &[String]) -> impl Iterator<Item = &'static std::collections::BTreeSet<String>> {
    const CLASSES: &[&str] =
        &["verb_create", "verb_change", "verb_delete", "verb_read", "verb_send", "verb_finish"];
    let known = CLASSES.iter().filter_map(|name| class(name));
    known.filter(move |verbs| forms.iter().any(|form| verbs.contains(form)))
}

/// Whether a tool's name has a word, or another of the same class of verbs.
fn is_in_name(tool: &OwnTool, forms: &[String]) -> bool {
    forms.iter().any(|form| tool.words.contains(form))
        || verbs(forms).any(|class| tool.words.iter().any(|word| class.contains(word)))
}

/// Whether words are nothing but something to do: "don't move" is no rule about all that `move_file` does.
fn is_lone_verb(said: &[Token]) -> bool {
    const LONE: &[&str] = &["move", "copy", "open", "start", "stop", "set", "run", "put", "take"];
    matches!(said, [one] if LONE.contains(&one.low.as_str()))
}

/// The tools that do what words say.
fn tools(said: &[Token], own: &[OwnTool]) -> Vec<String> {
    let words = content(said);
    if words.is_empty() || is_lone_verb(said) {
        return Vec::new();
    }
    let all_named = |tool: &&OwnTool| words.iter().all(|forms| is_in_name(tool, forms));
    let full = |tool: &OwnTool| tool.full.clone();
    // "turn off" is `turn_off` and not `turn_on`.
    let light: Vec<&str> =
        said.iter().map(|token| token.low.as_str()).filter(|low| LIGHT.contains(low)).collect();
    let has_light = |tool: &&OwnTool| light.iter().any(|word| tool.words.iter().any(|own| own == word));
    let mut fitting: Vec<&OwnTool> = own.iter().filter(all_named).collect();
    if fitting.iter().any(&has_light) {
        fitting.retain(|tool| has_light(tool));
    }
    let named: Vec<String> = fitting.into_iter().map(full).collect();
    // A verb alone names too much.
    let is_verb = |forms: &Vec<String>| verbs(forms).next().is_some();
    if !named.is_empty() {
        return if words.iter().all(is_verb) { Vec::new() } else { named };
    }
    if words.len() < 2 {
        return Vec::new();
    }
    let has = |tool: &OwnTool, forms: &Vec<String>| {
        is_in_name(tool, forms) || (!is_verb(forms) && forms.iter().any(|form| tool.described.contains(form)))
    };
    let is_told = |tool: &&OwnTool| {
        words.iter().all(|forms| has(tool, forms)) && words.iter().any(|forms| is_in_name(tool, forms))
    };
    own.iter().filter(is_told).map(full).collect()
}

/// The tools that are about a noun.
fn about(said: &[Token], own: &[OwnTool]) -> Vec<String> {
    let words = content(said);
    // "issues", "records": in the plural these are things, whatever else they may be.
    const THINGS: &[&str] = &[
        "issues", "records", "posts", "orders", "bookings", "files", "logs", "messages", "shares",
        "archives", "notes", "comments", "reports", "requests", "issue", "record",
    ];
    let is_thing = |forms: &Vec<String>| forms.iter().any(|form| THINGS.contains(&form.as_str()));
    if words.is_empty()
        || is_lone_verb(said)
        || words.iter().any(|forms| !is_thing(forms) && verbs(forms).next().is_some())
    {
        return Vec::new();
    }
    let named =
        |tool: &&OwnTool| words.iter().all(|forms| forms.iter().any(|form| tool.words.contains(form)));
    own.iter().filter(named).map(|tool| tool.full.clone()).collect()
}

fn each_argument(own: &[OwnTool]) -> impl Iterator<Item = &OwnArgument> {
    own.iter().flat_map(|tool| &tool.arguments)
}

/// The names of the arguments that words name.
fn arguments(said: &[Token], own: &[OwnTool]) -> Vec<String> {
    let words = content(said);
    let is_light = |token: Option<&Token>| token.is_some_and(|token| LIGHT.contains(&token.low.as_str()));
    if is_light(said.first()) || is_light(said.last()) {
        return Vec::new();
    }
    let says_id = said.iter().any(|token| token.low == "id" || token.low == "ids");
    let is_id = |name: &str| name.split(' ').any(|word| matches!(word, "id" | "uid" | "gid"));
    let all_in = |has: &dyn Fn(&OwnArgument, &String) -> bool| {
        let fits = |argument: &&OwnArgument| {
            !words.is_empty()
                && (says_id || !is_id(&argument.name))
                && words.iter().all(|forms| forms.iter().any(|form| has(argument, form)))
        };
        let mut names: Vec<String> =
            each_argument(own).filter(fits).map(|argument| argument.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let is_in = |argument: &OwnArgument, form: &String| argument.name.split(' ').any(|word| word == form);
    let named = all_in(&is_in);
    if !named.is_empty() || words.len() < 2 {
        return named;
    }
    // "an end time" is `end`, whatever else is described by both words.
    let heads: Vec<String> =
        all_in(&|argument, form| is_in(argument, form) || SORTS.contains(&form.as_str()))
            .into_iter()
            .filter(|name| words.iter().flatten().any(|form| name.split(' ').any(|word| word == form)))
            .collect();
    if heads.is_empty() { all_in(&|argument, form| argument.described.contains(form)) } else { heads }
}

/// What arguments are, which their names need not say.
const SORTS: &[&str] =
    &["time", "date", "name", "number", "value", "text", "field", "address", "code", "level"];

/// The value that words name, and the arguments that take it.
fn chosen(said: &[Token], own: &[OwnTool]) -> Option<Vec<(&'static str, Vec<String>)>> {
    let words: Vec<Vec<String>> =
        said.iter().flat_map(|token| content(std::slice::from_ref(token))).collect();
    let fits = |choice: &String| {
        let own = names::words(choice);
        own.len() == words.len()
            && own.iter().zip(&words).all(|(own, forms)| {
                let bases = word_bases(own);
                forms.iter().any(|form| form == own || bases.contains(form))
            })
    };
    let mut values = Vec::new();
    let mut takers = Vec::new();
    for argument in each_argument(own) {
        for choice in argument.choices.iter().filter(|choice| fits(choice)) {
            values.push(choice.clone());
            takers.push(argument.name.clone());
        }
    }
    values.sort_unstable();
    values.dedup();
    takers.sort_unstable();
    takers.dedup();
    (!words.is_empty() && !values.is_empty()).then(|| vec![("choice", values), ("chooser", takers)])
}

/// Several values, "solved or closed".
fn choices(tokens: &[Token], own: &[OwnTool]) -> Vec<Way> {
    let (mut at, mut values, mut takers) = (0, Vec::new(), Vec::new());
    let mut ways: Vec<Way> = Vec::new();
    while let Some((length, filled)) =
        tokens.get(at..).and_then(|rest| each_length(rest, 3, |said| chosen(said, own)).into_iter().next())
    {
        for (hole, texts) in filled {
            if hole == "choice" { &mut values } else { &mut takers }.extend(texts);
        }
        at += length;
        ways.push((at, vec![("choice", values.clone()), ("chooser", takers.clone())]));
        let joints = super::singles::joints(tokens.get(at..).unwrap_or_default());
        if joints == 0 {
            break;
        }
        at += joints;
    }
    ways.reverse();
    ways
}

/// The names of the arguments that say what something is in or of: "project" for `project_id`.
fn holders(said: &[Token], own: &[OwnTool]) -> Vec<String> {
    const BEHIND: &[&str] =
        &["id", "name", "key", "slug", "uid", "uri", "number", "title", "gid", "code", "path", "url", "or"];
    let words = content(said);
    let fits = |argument: &&OwnArgument| {
        let own: Vec<&str> = argument.name.split(' ').filter(|word| !BEHIND.contains(word)).collect();
        !words.is_empty()
            && own.len() == words.len()
            && own.iter().zip(&words).all(|(own, forms)| forms.iter().any(|form| form == own))
    };
    let mut names: Vec<String> =
        each_argument(own).filter(fits).map(|argument| argument.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names of arguments that are true where words hold.
fn switches(said: &[Token], own: &[OwnTool]) -> Vec<String> {
    let words = content(said);
    let has = |argument: &OwnArgument, forms: &Vec<String>| {
        forms.iter().any(|form| {
            argument.name.split(' ').any(|word| word == form) || argument.described.contains(form)
        })
    };
    // "complete" is `completed`.
    let is_named = |argument: &OwnArgument, forms: &Vec<String>| {
        argument.name.split(' ').any(|word| {
            let bases = word_bases(word);
            forms.iter().any(|form| word == form || bases.contains(form))
        })
    };
    let has = |argument: &OwnArgument, forms: &Vec<String>| is_named(argument, forms) || has(argument, forms);
    // What another argument is called by no switch tells.
    let is_light = |token: &&Token| LIGHT.contains(&token.low.as_str());
    let front = said.iter().take_while(is_light).count();
    let is_other = arguments(said.get(front..).unwrap_or_default(), own).iter().any(|name| {
        let is_switch = |argument: &OwnArgument| argument.is_switch && argument.name == *name;
        !each_argument(own).any(is_switch)
    });
    let fits = |argument: &&OwnArgument| {
        argument.is_switch
            && !words.is_empty()
            && words.iter().all(|forms| has(argument, forms))
            && ((words.len() > 1 && !is_other) || words.iter().any(|forms| is_named(argument, forms)))
    };
    let mut names: Vec<String> =
        each_argument(own).filter(fits).map(|argument| argument.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
