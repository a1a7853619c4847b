//! Things that tools know by a name: "never mute a host whose name starts with db-", "no scaling of services ending in -prod".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, stems, strip, strip_end};
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Doing, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Ways to say how something is called, with the form that its name then has.
type Naming = (&'static [&'static str], fn(String) -> Form);

const STARTING: &[&str] = &[
    "whose name starts with",
    "whose names start with",
    "whose name begins with",
    "whose names begin with",
    "starting with",
    "beginning with",
    "that start with",
    "that starts with",
    "that begin with",
    "that begins with",
    "with a name starting with",
    "with names starting with",
    "which start with",
    "which begin with",
    "prefixed with",
    "with the prefix",
    "whose id starts with",
    "with names that start with",
    "named starting with",
];
const ENDING: &[&str] = &[
    "whose name ends in",
    "whose name ends with",
    "whose names end in",
    "whose names end with",
    "ending in",
    "ending with",
    "that end in",
    "that end with",
    "that ends in",
    "that ends with",
    "with a name ending in",
    "with names ending in",
    "which end in",
    "which end with",
    "with the suffix",
    "with names that end in",
];
const HAVING: &[&str] = &[
    "whose name contains",
    "whose names contain",
    "with a name containing",
    "that contain",
    "whose name has",
    "whose names have",
    "containing",
    "that have",
    "whose name includes",
];
const CALLED: &[&str] = &[
    "called",
    "named",
    "whose name is",
    "with the name",
    "of the name",
    "by the name of",
    "that is called",
    "that are called",
];

const FRONT: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you must never",
    "you may not",
    "please never",
    "please don't",
    "no",
    "must not",
    "you should never",
    "you are not to",
    "don't ever",
    "do not ever",
];
const PASSIVE: &[&str] = &[
    "must not be",
    "must never be",
    "may not be",
    "may never be",
    "are never",
    "is never",
    "are not to be",
    "is not to be",
    "should not be",
    "should never be",
    "cannot be",
    "can't be",
    "never get",
    "never gets",
    "must never get",
    "are not",
    "is not",
    "may never get",
];

/// What is done with what must be there.
const GIVING: &[&str] = &[
    "giving",
    "setting",
    "stating",
    "adding",
    "specifying",
    "providing",
    "naming",
    "entering",
    "passing",
    "including",
    "writing",
    "having",
    "filling in",
    "supplying",
    "choosing",
];

/// The same, as it is asked for.
const SET: &[&str] = &[
    "always set",
    "always give",
    "always add",
    "always state",
    "always specify",
    "set",
    "give",
    "add",
    "state",
    "specify",
    "always provide",
    "provide",
    "you must set",
    "you must give",
    "you must add",
    "you have to set",
    "you have to give",
    "include",
    "always include",
    "always fill in",
    "fill in",
    "you must state",
    "it needs",
    "there must be",
    "you need",
    "always enter",
    "then set",
    "also set",
];

/// What is done to something that has a name of its own.
const CHANGING: &[&str] = &[
    "touch",
    "change",
    "edit",
    "modify",
    "rename",
    "update",
    "alter",
    "delete",
    "remove",
    "rename or delete",
    "delete or rename",
    "change or delete",
    "edit or delete",
    "touch or delete",
    "delete or change",
    "drop",
    "rename , change or delete",
    "update or delete",
    "modify or delete",
];

/// Ways to say that it stays what it is.
const KEPT: &[&str] = &[
    "stays as it is",
    "is read-only",
    "must not be changed",
    "must not be touched",
    "stays",
    "is off limits",
    "must stay as it is",
    "is frozen",
    "must not be deleted",
    "must never be deleted",
    "is never deleted",
    "must stay",
    "is not to be changed",
    "is not to be touched",
    "may not be changed",
    "stays unchanged",
    "must never be changed",
    "remains as it is",
    "must not be renamed",
    "must not be renamed or deleted",
    "is not to be deleted",
    "must not be changed or deleted",
    "is sacred",
    "is untouchable",
];

impl Exact<'_> {
    /// A ban on doing something to what is called so.
    pub(in crate::english::exact) fn whose(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rules) = self.done_with(tokens).or_else(|| self.identified(tokens)) {
            return Some(rules);
        }
        if let Some(rest) = strip(tokens, FRONT) {
            let (verb, object) = rest.split_first()?;
            let object = strip(object, &["of"]).unwrap_or(object);
            return self.done_to_called(verb, object);
        }
        let (object, _, verb) = around(tokens, PASSIVE)?;
        match verb {
            [verb] => self.done_to_called(verb, object),
            _ => None,
        }
    }

    /// "Never restart a service without giving a reason", "when you mute a host, always set an end".
    pub(in crate::english::exact) fn done_with(&self, tokens: &[Token]) -> Option<Rules> {
        let (deed, needed) = match strip(tokens, FRONT) {
            Some(rest) => {
                let (deed, _, needed) = around(rest, &["without", "with no"])?;
                (deed, strip(needed, GIVING).unwrap_or(needed))
            }
            None => {
                let rest = strip(
                    tokens,
                    &[
                        "when you",
                        "whenever you",
                        "if you",
                        "every time you",
                        "each time you",
                        "when",
                        "whenever",
                    ],
                )?;
                let (deed, _, needed) = around(rest, &[","])?;
                (deed, strip(needed, SET)?)
            }
        };
        let (verb, noun) = deed.split_first()?;
        let verb = word_bases(&verb.low).into_iter().find(|base| self.hand.is_first_word(base))?;
        let nouns: Vec<String> = std::iter::once(verb.clone()).chain(stems(bare(noun))).collect();
        let is_known = noun.is_empty()
            || strip(bare(noun), &["anything", "something", "it"]).is_some_and(<[Token]>::is_empty)
            || self.hand.has_tool_about(&nouns);
        if !is_known || noun.len() > 4 {
            return None;
        }
        let scope =
            crate::english::exact::scope::Scope { nouns, ..crate::english::exact::scope::Scope::default() };
        let test = self.had(bare(needed), &scope, crate::english::exact::rules::Polarity::Must)?;
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Did(verb)], tests: vec![test], ..Case::default() },
        )])
    }

    /// "The label Label_taxes stays as it is", "never delete the label Label_taxes": what an argument says it is.
    pub(in crate::english::exact) fn identified(&self, tokens: &[Token]) -> Option<Rules> {
        let (object, deeds) = match strip(tokens, FRONT).and_then(|rest| Some((rest, strip(rest, CHANGING)?)))
        {
            Some((rest, object)) => (object, rest.get(..rest.len() - object.len())?),
            None => {
                let left = strip(tokens, &["leave", "keep"])
                    .and_then(|rest| strip_end(rest, &["alone", "as it is", "untouched", "unchanged"]));
                let object = left.or_else(|| strip_end(tokens, KEPT))?;
                (object, tokens.get(tokens.len() - (tokens.len() - object.len())..)?)
            }
        };
        let (id, noun) = bare(object).split_last()?;
        let noun = stems(noun);
        let is_id = matches!(id.shape, Shape::Identifier | Shape::Quoted);
        let last = noun.last().filter(|_| is_id && noun.len() < 3)?;
        if !self.hand.is_about(last) || self.hand.layout.workspace.is_empty() && noun.is_empty() {
            return None;
        }
        let arguments = self.hand.arguments_of(&noun);
        let wanted =
            ["id".to_owned(), format!("{last} id"), "name".to_owned(), format!("{last} name"), last.clone()];
        let names: Vec<String> =
            wanted.into_iter().filter(|name| arguments.contains(name.as_str())).collect();
        let only_deletes = deeds.iter().all(|token| {
            !matches!(
                token.low.as_str(),
                "touch" | "change" | "edit" | "modify" | "rename" | "update" | "alter"
            )
        }) && deeds
            .iter()
            .any(|token| matches!(token.low.as_str(), "delete" | "remove" | "deleted" | "drop"));
        let doing = match only_deletes {
            true => Doing::Did("delete".to_owned()),
            false => Doing::Deed(crate::meaning::Deed::Changes),
        };
        let form = Form::Is(id.text.clone());
        let tests = vec![
            Test::About { nouns: vec![last.clone()], is: true },
            Test::Value {
                names: (!names.is_empty()).then_some(names)?,
                check: Check::Forms(vec![form]),
                presence: Presence::One,
            },
        ];
        Some(vec![(Verdict::Deny, Case { doings: vec![doing], tests, ..Case::default() })])
    }

    fn done_to_called(&self, verb: &Token, object: &[Token]) -> Option<Rules> {
        let verb = word_bases(&verb.low).into_iter().find(|base| self.hand.has_tool_word(base))?;
        let (noun, form) = self.called_so(bare(object))?;
        let names = self.names_of(&verb, &noun)?;
        let tests = vec![Test::Value { names, check: Check::Forms(vec![form]), presence: Presence::One }];
        Some(vec![(Verdict::Deny, Case { doings: vec![Doing::Did(verb)], tests, ..Case::default() })])
    }

    /// A noun with what it is called: "hosts starting with db-", "any db-* host".
    fn called_so(&self, tokens: &[Token]) -> Option<(String, Form)> {
        let make: [Naming; 4] = [
            (STARTING, Form::Starts),
            (ENDING, Form::Ends),
            (HAVING, |text| Form::Is(format!("*{text}*"))),
            (CALLED, |text| Form::Is(globbed(&text))),
        ];
        for (phrases, form) in make {
            if let Some((noun, _, affix)) = around(tokens, phrases)
                && let [affix] = strip_end(affix, &["something", "anything"]).unwrap_or(affix)
                && !matches!(affix.shape, Shape::Mark(_))
            {
                let noun = stems(bare(noun)).join(" ");
                return (!noun.is_empty()).then(|| (noun, form(affix.text.clone())));
            }
        }
        let is_glob = |token: &&Token| token.text.contains('*') && token.text.len() > 1;
        let mut globs = tokens.iter().filter(is_glob);
        let glob = globs.next().filter(|_| globs.next().is_none())?;
        let noun: Vec<Token> = tokens.iter().filter(|token| !is_glob(token)).cloned().collect();
        let noun = stems(bare(&noun));
        (noun.len() == 1).then(|| (noun.join(" "), Form::Is(glob.text.clone())))
    }

    /// What tools that do this call the name of such a thing.
    fn names_of(&self, verb: &str, noun: &str) -> Option<Vec<String>> {
        let arguments = self.hand.arguments_of(&[verb.to_owned()]);
        let last = noun.rsplit(' ').next().unwrap_or(noun);
        let wanted = [
            noun.to_owned(),
            format!("{noun} name"),
            format!("{last}name"),
            format!("{last} name"),
            format!("{last} id"),
            last.to_owned(),
            "name".to_owned(),
        ];
        let mut names: Vec<String> =
            wanted.into_iter().filter(|name| arguments.contains(name.as_str())).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }
}

/// "db-something" stands for whatever begins so.
fn globbed(text: &str) -> String {
    let open = ["something", "xyz", "whatever", "…", "..."].iter().find_map(|end| text.strip_suffix(end));
    open.map_or_else(|| text.to_owned(), |front| format!("{front}*"))
}
