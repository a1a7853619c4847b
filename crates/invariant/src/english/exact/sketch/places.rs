//! Paths that must not be changed or not be looked at, whatever else is told of them: whose they are, what they are for, who
//! looks after them.

use super::{Rules, Sketch, at, has, refused, says};
use crate::english::exact::{Exact, words};
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Place, Side, Test};

const CHANGING: &[&str] = &[
    "change",
    "edit",
    "modify",
    "alter",
    "touch",
    "write",
    "update",
    "rewrite",
    "fix",
    "reformat",
    "tweak",
    "adjust",
    "changes",
    "edits",
    "modification",
];

/// What is done besides, where it is also changed.
const HANDLING: &[&str] = &["move", "rename", "delete", "remove", "replace", "compress"];

const LOOKING: &[&str] = &[
    "open", "read", "look", "view", "list", "search", "see", "browse", "peek", "inspect", "enter", "access",
    "eye",
];

/// What says that something stays what it is.
const STAYING: &[&str] = &[
    "stay|stays|remain|remains|keep .. as|unchanged|untouched|intact|frozen|way|is|are",
    "leave .. unchanged|untouched|intact|as|way|alone|be",
    "unchanged|untouched|unaltered|unmodified|intact",
    "frozen|locked",
];

/// What leaves changes to somebody else.
const OTHERS: &[&str] = &[
    "only .. change|edit|touch|modify|maintain|update|write",
    "change|edit|maintain|update|write|look|take|touch .. you don't|dont",
    "changed|edited|maintained|updated|written by",
    "belong|belongs to",
    "take|takes care",
    "responsible for",
    "is|are evidence",
    "maintain|maintains|owns",
    "team|colleague|colleagues|people|department .. change|changes|edit|edits|own|owns|handle|handles",
    "until|till",
];

const PRIVATE: &[&str] = &[
    "private|confidential|secret|personal",
    "not for your eyes",
    "none of your business|concern|affair",
    "you have no business",
    "nobody's|none business|concern",
    "not for you",
    "not your business|concern",
    "out of .. @",
];

/// What is changed by a program and not by hand.
const THROUGH: &[&str] = &["@ .. only .. change|changes|changed|edited|updated|written through|via|by|with"];

/// What stays within a place.
const WITHIN: &[&str] = &[
    "changes|edits|writes|work|everything stay|stays|remain inside|within|in .. @",
    "keep .. changes|edits|work|writes inside|within|in|to .. @",
];

/// What may be read, and nothing else.
const LIMITING: &[&str] = &[
    "only read|open|look|view|list|search|browse .. @",
    "read|look|open|view .. only .. @",
    "reading|looking|access limited|restricted|confined .. @",
    "reading|looking|access .. limited|restricted|confined to .. @",
    "nothing but .. @ .. read|open|look|seen|viewed",
    "@ .. only folder|file|directory|place|one|thing .. read|open|look|see|view",
    "read|open|look|view .. @ .. nothing else|more",
    "read|open|look|view .. nothing|anything outside|beyond|but .. @",
    "nothing|anything outside|beyond .. @ .. read|open|opened|looked",
];

/// Words with which a rule is about something else than the whole of a place.
const OTHERWISE: &[&str] = &[
    "unless",
    "ask",
    "other",
    "line",
    "subfolder",
    "subfolders",
    "stage",
    "commit",
    "push",
    "branch",
    "mail",
    "email",
    "send",
    "share",
    "upload",
    "post",
    "publish",
    "run",
    "execute",
    "install",
    "overwrite",
    "append",
    "add",
    "create",
    "new",
    "name",
    "more",
    "most",
    "least",
    "than",
    "size",
    "longer",
    "contain",
    "mention",
    "word",
    "begin",
    "end",
    "ending",
    "copy",
    "copied",
    "into",
    "from",
    "to",
    "via",
    "with",
    "using",
    "existing",
    "first",
    "contents",
    "download",
    "save",
    "backup",
    "put",
    "place",
    "pull",
    "merge",
    "test",
    "restore",
    "without",
    "column",
    "table",
    "row",
    "section",
    "heading",
    "key",
    "value",
    "field",
    "format",
    "top",
    "everything",
    "anywhere",
    "elsewhere",
    "outside",
    "inside",
    "deeper",
    "directly",
    "recursively",
    "sudo",
    "symlink",
    "link",
    "import",
    "use",
    "refer",
    "reference",
    "quote",
    "cite",
    "large",
    "big",
    "once",
    "twice",
    "time",
    "times",
    "lowercase",
    "generate",
    "print",
    "show",
    "log",
    "logs",
    "note",
    "pictures",
    "permission",
    "owner",
    "executable",
    "tool",
    "whole",
    "entire",
    "unpack",
    "extract",
];

impl Exact<'_> {
    /// A ban on changes to places, or on looking into them.
    pub(super) fn sketched_places(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if is_about_else(sketch) {
            return None;
        }
        let (places, inner) = self.places_told(sketch)?;
        if self.is_only_then(sketch) && sketch.has(CHANGING) && inner.is_empty() {
            let tests = std::iter::once(at(Side::Object, places, true)).chain(self.sketched_time(sketch)?);
            return Some(refused(vec![Doing::Deed(Deed::Changes)], tests.collect()));
        }
        if inner.is_empty() && is_limited_to_changes(sketch) && !sketch.says(THROUGH) {
            let tests = vec![
                at(Side::Object, vec![Place::Kind("file".to_owned())], true),
                at(Side::Object, places, false),
            ];
            return Some(refused(vec![Doing::Deed(Deed::Changes)], tests));
        }
        if sketch.says(LIMITING) {
            let only_looks = sketch.says(&["you only read|look", "only .. by"]);
            return (!sketch.denies(CHANGING) && !only_looks && inner.is_empty()).then(|| limited(places));
        }
        if sketch.has(&["rest"]) {
            return None;
        }
        let deed = if inner.is_empty() { deed(sketch)? } else { excepted_deed(sketch)? };
        let mut tests = vec![at(Side::Object, places, true)];
        tests.extend((!inner.is_empty()).then(|| at(Side::Object, inner, false)));
        let time = self.sketched_time(sketch)?;
        // "prod/ is closed in the morning and staging/ at night": each has its own.
        let has_own = |part: &&[Token]| {
            self.times_in(&super::clocked(part)).0.len() > 1
                && part.iter().filter(|token| token.shape == Shape::Path).count() > 1
        };
        if sketch.parts.iter().any(has_own) {
            return None;
        }
        tests.extend(time);
        let mut rules = refused(vec![Doing::Deed(deed)], tests);
        rules.extend(self.more_bans(sketch));
        Some(rules)
    }

    /// What the parts forbid that are about no place.
    fn more_bans(&self, sketch: &Sketch<'_>) -> Rules {
        const KNOWN: &[&[&str]] =
            &[CHANGING, LOOKING, HANDLING, &["hands", "leave", "alone", "business", "even"]];
        let is_more =
            |part: &&[Token]| !part.iter().any(is_path) && !KNOWN.iter().any(|words| has(part, words));
        let more = sketch.denying().filter(is_more).filter_map(|part| self.clause(words::core(part)));
        more.flatten().collect()
    }

    /// The places that a sentence names, and those among them that are excepted, if everything in it that stands for itself
    /// is one.
    fn places_told(&self, sketch: &Sketch<'_>) -> Option<(Vec<Place>, Vec<Place>)> {
        let is_numbered = sketch.tokens.iter().any(|token| token.shape == Shape::Number)
            && self.sketched_time(sketch).is_none_or(|tests| tests.is_empty());
        let has_ending = sketch.tokens.iter().any(|token| ending(token).is_some());
        let is_otherwise =
            sketch.parts.iter().any(|part| is_ruling(part) && speaks_otherwise(part, has_ending));
        if sketch.tokens.iter().any(is_strange) || is_numbered || is_otherwise {
            return None;
        }
        let paths = paths_told(sketch);
        let is_hidden = sketch.says(&["dotfile|dotfiles", "hidden file|files"]);
        // The names of settings have forms that others know.
        let is_settings = paths.iter().any(|path| path.low == ".env");
        let is_repository = |path: &&Token| {
            !self.hand.has_local_files()
                && path.low.split('/').filter(|part| !part.is_empty() && !part.starts_with('.')).count() == 2
                && !path.low.ends_with('/')
        };
        if paths.iter().any(is_repository)
            || (paths.is_empty() && !is_hidden)
            || paths.len() > 6
            || is_settings
        {
            return None;
        }
        let excepts = sketch.has(EXCEPTING);
        let is_inner = |path: &Token| {
            excepts
                && paths.iter().any(|outer| {
                    outer.low.ends_with('/')
                        && outer.low != path.low
                        && (path.low.starts_with(&outer.low) || !path.low.contains('/'))
                })
        };
        let (mut places, mut inner) = (Vec::new(), Vec::new());
        places.extend(is_hidden.then_some(Place::Hidden));
        for path in &paths {
            let named = match ending(path) {
                Some(end) => vec![end],
                None => path_places(&path.text, self.hand),
            };
            if named.is_empty() {
                return None;
            }
            let list: &mut Vec<Place> = if is_inner(path) { &mut inner } else { &mut places };
            list.extend(named);
        }
        if sketch.has(&["except", "besides", "apart", "exception"]) && inner.is_empty() {
            return None;
        }
        dedup(&mut places);
        dedup(&mut inner);
        (!places.is_empty()).then_some((places, inner))
    }
}

/// Whether a sentence has words of other rules than those about places.
fn is_about_else(sketch: &Sketch<'_>) -> bool {
    const ELSE: &[&str] = &[
        "copy",
        "copied",
        "issue",
        "issues",
        "append",
        "add",
        "go",
        "attachment",
        "attachments",
        "mail",
        "pass",
        "create",
    ];
    let is_marked = |token: &Token| {
        token.text.len() > 2
            && token.shape == Shape::Word
            && token.text.chars().all(|letter| letter.is_ascii_uppercase())
    };
    (sketch.has(ELSE) && !sketch.says(&["only copy", "goes to the|my|our"]))
        || sketch.denying().any(|part| part.iter().any(is_marked))
}

/// Whether something stands for itself and is no place.
fn is_strange(token: &Token) -> bool {
    matches!(
        token.shape,
        Shape::Host | Shape::Url | Shape::Address | Shape::Channel | Shape::Quoted | Shape::Identifier
    ) || (token.shape == Shape::Flag && ending(token).is_none())
}

fn is_path(token: &Token) -> bool {
    token.shape == Shape::Path || ending(token).is_some()
}

/// The paths of a sentence; of those where something is forbidden by name, only these: "Fix src/, not tests/."
fn paths_told<'t>(sketch: &Sketch<'t>) -> Vec<&'t Token> {
    let named = |part: &[Token]| part.iter().any(is_path);
    let is_denied = !sketch.has(EXCEPTING) && sketch.denying().any(named);
    sketch
        .parts
        .iter()
        .filter(|part| !has(part, &["instead"]) || says(part, &["instead of"]))
        .filter(|part| !is_denied || is_ruling(part))
        .flat_map(|part| part.iter())
        .filter(|token| is_path(token))
        .collect()
}

/// Words that take something out of a rule.
const EXCEPTING: &[&str] = &["except", "only", "besides", "apart", "exception", "but"];

fn dedup(places: &mut Vec<Place>) {
    places.sort();
    places.dedup();
}

/// `-draft.md`, which names of files end with.
fn ending(token: &Token) -> Option<Place> {
    let is_end = token.text.starts_with(['-', '_'])
        && !token.text.starts_with("--")
        && token.text.contains('.')
        && matches!(token.shape, Shape::Flag | Shape::Path | Shape::Identifier | Shape::Word);
    is_end.then(|| Place::Named(format!("*{}", token.text)))
}

fn is_ruling(part: &[Token]) -> bool {
    super::denies(part) || has(part, &["stay", "stays", "remain", "remains", "keep", "leave"])
}

/// Whether a part of a sentence has words with which it is about something else than the whole of a place.
fn speaks_otherwise(part: &[Token], has_ending: bool) -> bool {
    part.iter().enumerate().any(|(place, token)| {
        let next = part.get(place + 1).map_or("", |next| next.low.as_str());
        let refers = matches!(token.low.as_str(), "from" | "to" | "into")
            && matches!(next, "it" | "them" | "there" | "be" | "you" | "look" | "me" | "that" | "here");
        let is_end = has_ending && matches!(token.low.as_str(), "ending" | "end" | "ends" | "names" | "name");
        let is_rename = matches!(next, "" | "or" | "and") && token.low == "rename";
        token.shape == Shape::Word && super::is_one(token, OTHERWISE) && !refers && !is_rename && !is_end
    })
}

/// What is denied in a place of which something is excepted.
fn excepted_deed(sketch: &Sketch<'_>) -> Option<Deed> {
    let changes = sketch.has(CHANGING) || sketch.says(&["off limits", "hands off", "belong|belongs to"]);
    changes.then_some(Deed::Changes)
}

fn limited(places: Vec<Place>) -> Rules {
    let tests = vec![
        at(Side::Object, vec![Place::Kind("file".to_owned())], true),
        Test::Place { side: Side::Object, places, inside: false },
    ];
    refused(vec![Doing::Deed(Deed::Reads)], tests)
}

/// "I only want changes in src/", "only .md files may be changed": what alone may be changed.
fn is_limited_to_changes(sketch: &Sketch<'_>) -> bool {
    let stays = |part: &&[Token]| {
        let first = part.first().map_or("", |token| token.low.as_str());
        matches!(first, "stay" | "remain" | "keep" | "work")
            && says(part, &["stay|remain|keep|work inside|within|in|to .. @"])
            || says(part, &["not|never|don't leave @"])
    };
    if sketch.says(WITHIN) || sketch.parts.iter().any(stays) {
        return true;
    }
    sketch.parts.iter().any(|part| {
        let only = part.iter().position(|token| token.low == "only");
        let Some(behind) = only.and_then(|at| part.get(at + 1..)) else { return false };
        let first =
            behind.iter().find(|token| !matches!(token.low.as_str(), "the" | "ever" | "your" | "want"));
        let leads = first.is_some_and(|first| {
            first.shape == Shape::Path
                || super::is_one(first, CHANGING)
                || matches!(first.low.as_str(), "files" | "file" | "in" | "under" | "inside")
        });
        let names = part.iter().any(|token| token.shape == Shape::Path);
        leads && names && has(part, CHANGING)
    })
}

/// "Fix src/, not tests/."
fn says_not_that(sketch: &Sketch<'_>) -> bool {
    let is_named_only = |part: &[Token]| {
        matches!(part, [first, rest @ ..]
            if matches!(first.low.as_str(), "not" | "never") && !rest.is_empty()
                && rest.iter().all(|token| token.shape == Shape::Path || matches!(token.low.as_str(), "the" | "in" | "and" | "or")))
    };
    sketch.denying().any(is_named_only) && sketch.has(CHANGING)
}

/// What must not be done to the places.
fn deed(sketch: &Sketch<'_>) -> Option<Deed> {
    const ONLY_SO: &[&str] =
        &["may|can .. only be? .. change|edit|write", "only .. you may|can", "only change|edit|write|touch"];
    if sketch.says(ONLY_SO) {
        return None;
    }
    let is_only = sketch.denying().count() == 0 && sketch.has(&["only"]);
    let only_looks = sketch.says(&[
        "you|to|for only? look|read|looking|reading only?",
        "read|look|reading|looking only",
        "only look|read|for",
        "for reading",
    ]);
    let is_left = sketch.says(OTHERS)
        && (sketch.says(&["hands|hand off"]) || sketch.has(&["only"]) || sketch.denying().count() > 0);
    let changes = sketch.denying().any(|part| has(part, CHANGING))
        || sketch.says(STAYING)
        || sketch.says(THROUGH)
        || says_not_that(sketch)
        || is_left
        || sketch.says(&["edit|change|fix .. instead", "change|edit|fix the|your code"])
        || (only_looks && (sketch.has(&["only"]) || sketch.denies(&["writing|write|changing"])));
    let may_look = sketch
        .parts
        .iter()
        .any(|part| !super::denies(part) && has(part, LOOKING) && has(part, &["may", "can", "free"]));
    let allowed = ["look|read .. if|but|all|fine|ok", "you may|can", "free"];
    let looks = sketch.denying().any(|part| has(part, LOOKING) && !says(part, &allowed))
        || (sketch.says(PRIVATE) && !changes);
    match (changes, looks) {
        _ if is_only && !changes => None,
        (false, true) if may_look => None,
        (true, false) => Some(Deed::Changes),
        (false, true) if sketch.says(PRIVATE) => Some(Deed::Involves),
        (false, true) => Some(Deed::Reads),
        (true, true) if sketch.denies(HANDLING) => Some(Deed::Changes),
        _ => None,
    }
}
