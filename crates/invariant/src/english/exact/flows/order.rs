//! What must come first, and what is over once something was done: "announce it in #ops first, then merge", "no commit without
//! a run of make test before it", "once you have read pay, no more mails".

use super::mention::{Mention, Use, What};
use super::stretch::{DENYING, has};
use crate::english::chunk::{Chunk, Piece};
use crate::english::exact::words::{around, begins, strip};
use crate::english::exact::{Exact, Part};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

/// Two things that are done, and how they are bound.
struct Bound<'t> {
    /// What is done earlier.
    earlier: &'t [Token],
    /// What the rule is about.
    rule: &'t [Token],
    /// Whether it needs what is earlier, or is over after it.
    is_needed: bool,
}

/// Words that say that something ends.
const ENDING: &[&str] = &["over", "off", "stop", "done", "out", "forbidden", "taboo", "none", "alone"];

const ONLY: &[&str] = &["only", "wait", "waits", "allowed"];

const READING: &[&str] = &[
    "read",
    "reading",
    "look",
    "looked",
    "looking",
    "check",
    "checked",
    "checking",
    "open",
    "opened",
    "query",
    "queried",
    "querying",
    "consult",
    "consulted",
    "see",
    "seen",
    "fetch",
    "fetched",
    "fetching",
    "view",
    "viewed",
    "get",
    "known",
    "reads",
    "seeing",
    "loaded",
    "visited",
];

const CHANGING: &[&str] = &[
    "change",
    "changed",
    "changes",
    "touch",
    "touched",
    "edit",
    "edited",
    "update",
    "updated",
    "modify",
    "modified",
    "alter",
    "altered",
    "delete",
    "deleted",
    "overwrite",
    "overwritten",
    "insert",
    "write",
    "written",
    "modifications",
    "edits",
    "replace",
    "replaced",
    "drop",
    "dropped",
];

/// Actions that words in passing name and that no such rule is about.
const PASSING: &[&str] = &[
    "use",
    "send",
    "touch",
    "read",
    "write",
    "create",
    "change",
    "copy",
    "move",
    "text",
    "like",
    "follow",
    "print environment",
    "run",
    "query",
    "delete",
    "thread",
    "network",
    "type",
    "accept",
    "label",
    "pin",
    "mention",
    "append",
    "replace",
    "rate",
    "search",
    "close",
    "buy",
];

impl Exact<'_> {
    /// A rule about what comes before what.
    pub(super) fn ordered(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let bound = self.bound(tokens)?;
        let is_timed = |own: &[Token]| {
            (0..own.len()).any(|at| own.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some()))
        };
        if is_timed(tokens) {
            return None;
        }
        let earlier = self.calls_told(bound.earlier, true);
        let rule = self.calls_told(bound.rule, false);
        if earlier.is_empty() || rule.is_empty() || earlier == rule {
            return None;
        }
        let mut rules: Vec<(Verdict, Case)> = Vec::new();
        for case in rule {
            let tests = earlier
                .iter()
                .map(|what| Test::Earlier { what: Box::new(what.clone()), is: !bound.is_needed });
            if bound.is_needed {
                let mut needed = case;
                needed.tests.extend(tests);
                rules.push((Verdict::Deny, needed));
                continue;
            }
            for test in tests {
                let mut over = case.clone();
                over.tests.push(test);
                rules.push((Verdict::Deny, over));
            }
        }
        Some(vec![Part::Rules(rules)])
    }

    /// The calls that words speak of.
    pub(super) fn calls_told(&self, tokens: &[Token], is_earlier: bool) -> Vec<Case> {
        let pieces: Vec<Piece> = self.chunker().chunks(tokens);
        let commands = pieces.iter().filter_map(|piece| match &piece.chunk {
            Chunk::Command(words) => {
                let told =
                    words.iter().filter(|word| !matches!(word.as_str(), "has" | "have" | "is" | "was"));
                Some(told.map(String::as_str).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        });
        let commands: Vec<Case> = commands.map(|command| did(&command, Vec::new())).collect();
        if !commands.is_empty() {
            return commands;
        }
        let mut acts: Vec<String> = Vec::new();
        for piece in &pieces {
            if let Chunk::Verb(number) | Chunk::Act(number) = piece.chunk
                && let Some(action) = self.lexicon.action(number)
                && !PASSING.contains(&action.name.as_str())
                && !acts.contains(&action.name)
            {
                acts.push(action.name.clone());
            }
        }
        let mentions = self.mentions(tokens);
        let reads = has(tokens, READING);
        let places = mentions.iter().find_map(|own| match &own.what {
            What::Thing(places) => Some(places.clone()),
            _ => None,
        });
        if let Some(places) = places {
            return done_at(places, &acts, reads, is_earlier, tokens);
        }
        self.done_in(&mentions, &acts, reads, tokens)
    }

    /// What is done with a service, or by an act alone.
    fn done_in(&self, mentions: &[Mention], acts: &[String], reads: bool, tokens: &[Token]) -> Vec<Case> {
        let services = mentions.iter().filter_map(|own| match &own.what {
            What::Service(service, own_use) if *own_use != Use::Verb || acts.is_empty() => {
                Some((own, *service))
            }
            _ => None,
        });
        let services: Vec<_> = services.collect();
        let is_issue = services.iter().any(|(_, service)| service.about == "issue");
        if is_issue && !acts.iter().any(|act| act == "post" || act == "comment") {
            let about = Test::About { nouns: vec!["issue".to_owned()], is: true };
            return match reads {
                true => vec![deed(Deed::Reads, vec![about])],
                false => vec![did("create", vec![about])],
            };
        }
        if reads && let Some((_, service)) = services.iter().find(|(_, service)| !service.kind.is_empty()) {
            return vec![deed(Deed::Reads, vec![at(vec![Place::Kind(service.kind.clone())])])];
        }
        let mut found: Vec<Case> =
            acts.iter().filter(|act| *act != "browse").map(|act| did(act, Vec::new())).collect();
        for (own, service) in &services {
            let is_web = service.place == "page" || service.did == "web search";
            let case = match is_web {
                true if acts.iter().any(|act| act == "web search") => None,
                true => {
                    Some(Case { tests: vec![at(vec![Place::Kind("page".to_owned())])], ..Case::default() })
                }
                false
                    if service.did == "execute"
                        || (found.is_empty() && service.name != "files" && service.name != "requests") =>
                {
                    self.reached_by(&own.what).map(|(doings, tests)| Case {
                        doings,
                        tests,
                        ..Case::default()
                    })
                }
                false => None,
            };
            found.extend(case.filter(|case| !found.contains(case)));
        }
        if found.is_empty()
            && has(tokens, &["run", "execute", "start", "commands", "shell"])
            && self.hand.runs_commands()
        {
            found.push(did("execute", Vec::new()));
        }
        found
    }

    /// Where a text is cut in two, and how.
    fn bound<'t>(&self, tokens: &'t [Token]) -> Option<Bound<'t>> {
        let needed = |earlier, rule| Some(Bound { earlier, rule, is_needed: true });
        let over = |earlier, rule| Some(Bound { earlier, rule, is_needed: false });
        if let Some((front, _, behind)) = around(tokens, &["without"]) {
            let told = ["first", "before", "beforehand", "earlier", "prior", "having"];
            return if has(front, DENYING) && has(behind, &told) { needed(behind, front) } else { None };
        }
        if let Some(bound) = first_then(tokens) {
            return Some(bound);
        }
        let word = |token: &Token| {
            matches!(
                token.low.as_str(),
                "before" | "until" | "till" | "after" | "once" | "beforehand" | "having"
            ) || token.low == "soon"
        };
        let found = tokens.iter().position(|token| token.shape == Shape::Word && word(token))?;
        let (front, behind) = (tokens.get(..found)?, tokens.get(found + 1..)?);
        let low = tokens.get(found)?.low.as_str();
        let (front, behind) = match low {
            "soon" => (front.get(..front.len().checked_sub(1)?)?, strip(behind, &["as"])?),
            _ => (front, behind),
        };
        let front = core(front);
        let cut = behind.iter().position(is_mark).unwrap_or(behind.len());
        let told = behind.get(..cut).filter(|told| !told.is_empty())?;
        let starts = front.is_empty() || is_mark(front.last()?);
        let denies = has(front, DENYING) || has(front, ENDING);
        match low {
            "beforehand" => {
                let (rule, _, earlier) =
                    around(tokens, &["has to be", "have to be", "must be", "needs to be"])?;
                needed(earlier, rule)
            }
            "before" if starts => {
                let (rule, earlier) = parted(behind)?;
                needed(earlier, rule)
            }
            "before" if has(front, DENYING) || has(front, &["wait", "waits"]) => needed(told, front),
            "before" if has(behind, DENYING) => None,
            "before" => needed(front, told),
            "until" | "till" if has(front, DENYING) || has(front, &["wait", "waits"]) => needed(told, front),
            "until" | "till" if has(front, &["fine", "ok", "allowed"]) => over(told, front),
            "after" | "once" | "soon" | "having" if starts => {
                let (earlier, rule) = parted(behind)?;
                if has(rule, DENYING) || has(rule, ENDING) { over(earlier, rule) } else { None }
            }
            "after" | "once" | "soon" if denies && !has(front, &["only"]) => over(told, front),
            "after" | "once" if has(front, ONLY) => needed(told, front),
            _ => None,
        }
    }
}

/// "First A, then B", "A first, B afterwards", "commits wait for A".
fn first_then(tokens: &[Token]) -> Option<Bound<'_>> {
    if let Some((rule, _, earlier)) =
        around(tokens, &["wait for", "waits for", "have to wait for", "has to wait for"])
    {
        return Some(Bound { earlier, rule, is_needed: true });
    }
    let first = tokens.iter().position(|token| token.low == "first" && token.shape == Shape::Word)?;
    let then = |token: &Token| matches!(token.low.as_str(), "then" | "afterwards" | "second" | "only");
    let at = tokens.iter().enumerate().skip(first + 1).find(|(_, token)| then(token)).map(|(at, _)| at)?;
    let word = tokens.get(at)?.low.as_str();
    let cut = tokens.iter().enumerate().skip(first + 1).find(|(_, token)| is_mark(token)).map(|(at, _)| at);
    let (earlier, rule) = match word {
        "then" => (tokens.get(..at)?, tokens.get(at + 1..)?),
        "only" => return None,
        _ => {
            let cut = cut.filter(|cut| *cut < at).or_else(|| {
                tokens
                    .iter()
                    .enumerate()
                    .skip(first + 1)
                    .find(|(_, token)| token.low == "and")
                    .map(|(at, _)| at)
            })?;
            (tokens.get(..cut)?, tokens.get(cut + 1..at)?)
        }
    };
    // What follows in another sentence says it once more.
    let end = rule
        .iter()
        .position(|token| matches!(token.shape, Shape::Mark('.' | ';' | '!')))
        .unwrap_or(rule.len());
    Some(Bound { earlier, rule: rule.get(..end)?, is_needed: true })
}

/// What stands before and behind the end of a clause that leads.
fn parted(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    const TURNS: &[&str] = &[
        "it has",
        "it must",
        "it needs",
        "comes",
        "you must",
        "you may",
        "you have to",
        "there must",
        "you stay",
        "you are",
        "nothing",
        "no more",
        "you should",
        "you can",
        "you need",
    ];
    let comma = tokens.iter().position(is_mark);
    let turn = (2..tokens.len()).find(|at| {
        tokens.get(*at..).is_some_and(|rest| TURNS.iter().any(|turn| begins(rest, turn).is_some()))
    });
    match (comma, turn) {
        (Some(comma), Some(turn)) if turn < comma => Some((tokens.get(..turn)?, tokens.get(turn..)?)),
        (Some(comma), _) => Some((tokens.get(..comma)?, tokens.get(comma + 1..)?)),
        (None, Some(turn)) => Some((tokens.get(..turn)?, tokens.get(turn..)?)),
        (None, None) => None,
    }
}

/// A front without what only leads: "Customers notice mistakes, so …", "People want a warning: …".
fn core(front: &[Token]) -> &[Token] {
    let colon = front.iter().rposition(|token| matches!(token.shape, Shape::Mark(':')));
    match colon.and_then(|at| front.get(at + 1..)) {
        Some(behind) if !behind.is_empty() => behind,
        _ => front,
    }
}

fn is_mark(token: &Token) -> bool {
    matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.' | '!'))
}

/// What is done to a thing that is named.
fn done_at(
    places: Vec<Place>,
    acts: &[String],
    reads: bool,
    is_earlier: bool,
    tokens: &[Token],
) -> Vec<Case> {
    let is_channel = places.iter().all(
        |place| matches!(place, Place::Id(id) if id.starts_with(['C', 'G', 'D']) && !id.contains(['/', '-'])),
    );
    if is_channel && !reads {
        let strong: Vec<&String> = acts
            .iter()
            .filter(|act| matches!(act.as_str(), "merge" | "commit" | "push" | "mail" | "schedule"))
            .collect();
        if !strong.is_empty() && !is_earlier {
            return strong.into_iter().map(|act| did(act, Vec::new())).collect();
        }
        return vec![did("post", vec![Test::Place { side: Side::To, places, inside: true }])];
    }
    if is_channel && !is_earlier {
        return vec![did("post", vec![Test::Place { side: Side::To, places, inside: true }])];
    }
    let changes = has(tokens, CHANGING);
    let deed_of = match (is_earlier, reads && !changes) {
        (_, true) => Deed::Reads,
        (true, false) => Deed::Writes,
        (false, false) => Deed::Changes,
    };
    vec![deed(deed_of, vec![at(places)])]
}

fn at(places: Vec<Place>) -> Test {
    Test::Place { side: Side::Object, places, inside: true }
}

fn did(action: &str, tests: Vec<Test>) -> Case {
    Case { doings: vec![Doing::Did(action.to_owned())], tests, ..Case::default() }
}

fn deed(deed: Deed, tests: Vec<Test>) -> Case {
    Case { doings: vec![Doing::Deed(deed)], tests, ..Case::default() }
}
