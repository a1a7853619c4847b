//! Where things may be put: "reports go into out/2026 and nowhere else", "whatever you write goes to tmp/, the rest stays
//! as it is", "nothing from scratch/ gets committed".

mod phrases;

use crate::english::exact::words::{around, bare, strip, strip_end};
use crate::english::exact::{Exact, Part};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};
use phrases::{
    COMMITTED, COMMITTING, DONE, ELSE, GOING, MAKING, NEVER, OUTSIDE, PREPOSITIONS, REST, UNDONE, VERSIONS,
    WRITINGS,
};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// A rule about where things may be put.
    pub(in crate::english::exact) fn put_into(&self, tokens: &[Token]) -> Option<Rules> {
        self.written_only(tokens).or_else(|| self.committed(tokens))
    }

    /// "Leave the scans as they are. Only write in work/": where alone something is written, nothing else changes.
    pub(in crate::english::exact) fn left_and_put(
        &self,
        first: &[Token],
        second: &[Token],
    ) -> Option<Vec<Part>> {
        let is_left = |tokens: &[Token]| {
            const LEFT: &[&str] =
                &["as they are", "as it is", "alone", "untouched", "be", "in peace", "as is", "unchanged"];
            let named = strip(tokens, &["leave", "please leave", "keep"])
                .and_then(|rest| strip_end(rest, LEFT))
                .or_else(|| {
                    let front = strip_end(tokens, LEFT)?;
                    strip_end(
                        front,
                        &["stay", "stays", "remain", "remains", "must stay", "must remain", "are to stay"],
                    )
                });
            named.is_some_and(|named| {
                !named.is_empty() && named.len() < 5 && named.iter().all(|token| token.shape == Shape::Word)
            })
        };
        let (rule, left) = if is_left(first) { (second, first) } else { (first, second) };
        let rules = self.written_only(crate::english::exact::words::core(rule)).filter(|_| is_left(left))?;
        Some(vec![Part::Rules(rules), Part::Aside(crate::english::exact::words::text(left))])
    }

    /// What is written goes to some folders, and nothing to others.
    fn written_only(&self, tokens: &[Token]) -> Option<Rules> {
        let (said, has_rest) = match REST.iter().find_map(|rest| around(tokens, &[rest])) {
            Some((front, _, _)) => (front, true),
            None => (tokens, false),
        };
        let plain = strip_end(said, ELSE).unwrap_or(said);
        let is_strict = has_rest || plain.len() < said.len();
        let (list, is_only) = self.put_where(plain)?;
        let places = self.named_places(strip_end(list, ELSE).unwrap_or(list))?;
        let is_local = |place: &Place| matches!(place, Place::Path(_) | Place::Folder(_));
        if !(is_strict || is_only) || !places.iter().all(is_local) || !self.hand.has_local_files() {
            return None;
        }
        let file = vec![Place::Kind("file".to_owned())];
        let tests = vec![
            Test::Place { side: Side::Object, places: file, inside: true },
            Test::Place { side: Side::Object, places, inside: false },
        ];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }

    /// The words that say where, and whether those before them say that nothing goes elsewhere.
    fn put_where<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], bool)> {
        let (rest, is_only) = match strip(
            tokens,
            &["only", "you may only", "you can only", "you must only", "you should only"],
        ) {
            Some(rest) => (rest, true),
            None => (strip(tokens, &["please", "always"]).unwrap_or(tokens), false),
        };
        // "only write in work/", "write only into out/", "save everything you make under out/"
        if let Some((first, behind)) = rest.split_first()
            && MAKING.split(' ').any(|verb| verb == first.low)
        {
            let object = strip(
                behind,
                &[
                    "files",
                    "things",
                    "new files",
                    "anything",
                    "everything",
                    "your files",
                    "stuff",
                    "whatever",
                    "all",
                ],
            );
            let is_all = object.is_some();
            let behind = object.unwrap_or(behind);
            let behind = made(behind).unwrap_or(behind);
            let only = strip(behind, &["only"]);
            let behind = only.unwrap_or(behind);
            let list = strip(behind, PREPOSITIONS)?;
            return Some((list, is_only || only.is_some() || is_all));
        }
        // "whatever you write goes to tmp/"
        if let Some(behind) = strip(
            rest,
            &[
                "whatever",
                "everything",
                "anything",
                "all",
                "what",
                "everything that",
                "all that",
                "all the files",
                "any file",
                "every file",
                "all files",
            ],
        ) && let Some(behind) = made(behind)
        {
            let behind = strip(behind, GOING)?;
            let only = strip(behind, &["only"]).unwrap_or(behind);
            return Some((strip(only, PREPOSITIONS)?, true));
        }
        // "only PDFs go into out/" says something else.
        if is_only { None } else { self.belonging(rest) }
    }

    /// "reports go into out/2026".
    fn belonging<'t>(&self, rest: &'t [Token]) -> Option<(&'t [Token], bool)> {
        let (thing, _, list) = (1..rest.len()).find_map(|at| {
            let behind = strip(rest.get(at..)?, GOING)?;
            let only = strip(behind, &["only"]);
            let list = strip(only.unwrap_or(behind), PREPOSITIONS)?;
            Some((rest.get(..at)?, only.is_some(), list))
        })?;
        let thing = strip_end(thing, &["only", "may only", "must only", "can only"]).unwrap_or(thing);
        let thing = strip_end(bare(thing), &["you write", "you make", "you create", "you produce"])
            .unwrap_or(bare(thing));
        let last = thing.last()?;
        let is_writing = WRITINGS.contains(&last.low.as_str()) && thing.len() < 4 && !self.is_sent(&last.low);
        is_writing.then(|| (list, rest.iter().any(|token| token.low == "only")))
    }

    /// Whether tools at hand do more with such a thing than write a file.
    fn is_sent(&self, noun: &str) -> bool {
        let stem = crate::names::stem(noun);
        !matches!(
            stem.as_str(),
            "file" | "document" | "text" | "everything" | "anything" | "change" | "edit" | "write"
        ) && self.hand.has_tool_word(&stem)
    }

    /// What must not get under version control: it must not be staged, for commits do not say what is in them.
    fn committed(&self, tokens: &[Token]) -> Option<Rules> {
        let list = self.uncommitted(tokens)?;
        let list = strip(
            list,
            &[
                "anything from",
                "anything in",
                "anything under",
                "anything inside",
                "files from",
                "files in",
                "files under",
                "stuff from",
                "things from",
                "anything below",
                "any file in",
                "any files in",
                "any file under",
                "from",
                "what is in",
                "what's in",
                "the contents of",
                "everything in",
                "everything under",
            ],
        )
        .unwrap_or(list);
        let places = self.named_places(list)?;
        let is_file = |place: &Place| {
            matches!(
                place,
                Place::Path(_) | Place::Folder(_) | Place::Named(_) | Place::Ending(_) | Place::Within(_)
            )
        };
        let on_host = self.hand.has_tool_about(&["push".to_owned(), "file".to_owned()]);
        if !places.iter().all(is_file) || !(self.stages() || on_host) {
            return None;
        }
        let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
        let acts = [("stage", self.stages()), ("commit", on_host)];
        let acts = acts.into_iter().filter(|(_, can)| *can);
        let doings = acts.map(|(act, _)| Doing::Did(act.to_owned())).collect();
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// Whether files can be staged.
    fn stages(&self) -> bool {
        self.hand.runs_commands() || self.hand.has_tool_about(&["git".to_owned(), "add".to_owned()])
    }

    fn uncommitted<'t>(&self, tokens: &'t [Token]) -> Option<&'t [Token]> {
        if let Some(rest) = strip(tokens, NEVER) {
            return match strip(rest, COMMITTING) {
                Some(list) => Some(list),
                None => {
                    let (list, _, place) = strip(rest, &["add", "put"])
                        .and_then(|rest| around(rest, &["to", "into", "in", "under"]))?;
                    strip(place, VERSIONS).filter(|rest| rest.is_empty()).map(|_| list)
                }
            };
        }
        if let Some(rest) = strip(tokens, &["keep", "leave", "always keep"])
            && let Some((list, _, place)) = around(rest, &["out of", "off"])
        {
            return strip(place, VERSIONS).filter(|rest| rest.is_empty()).map(|_| list);
        }
        let (list, _, place) = match strip_end(tokens, COMMITTED) {
            Some(front) => {
                let nothing = strip(front, &["nothing", "no file", "no files"]);
                let modal = if nothing.is_some() { DONE } else { UNDONE };
                let list = strip_end(nothing.unwrap_or(front), modal)?;
                (list, "", &[][..])
            }
            None => around(tokens, OUTSIDE)?,
        };
        let is_it = place.is_empty() || strip(place, VERSIONS).is_some_and(<[Token]>::is_empty);
        let list = strip(list, &["in", "under", "inside", "below"]).unwrap_or(list);
        (is_it && !list.is_empty()).then_some(list)
    }
}

/// What stands behind "you write": "whatever you write goes …".
fn made(tokens: &[Token]) -> Option<&[Token]> {
    let rest = strip(tokens, &["you", "that you", "you want to", "you have to"])?;
    let (first, behind) = rest.split_first()?;
    MAKING.split(' ').any(|verb| verb == first.low).then_some(behind)
}
