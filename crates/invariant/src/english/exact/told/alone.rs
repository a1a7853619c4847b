//! What alone may be: "exports/ takes .csv and .parquet, no other type", "curl: releases.acme.com only".

use crate::english::exact::Exact;
use crate::english::exact::rules::Polarity;
use crate::english::exact::told::turned::word;
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::interpret::merged;
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Check, Deed, Doing, Place, Side, Span, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Words that say what sort of thing follows and nothing else.
const SORTS: &[&str] =
    &["files", "file", "documents", "formats", "types", "file types", "attachments", "pictures", "images"];

/// Words for data that comes from somewhere.
const DATA: &[&str] = &[
    "figures from",
    "data from",
    "numbers from",
    "results from",
    "content from",
    "contents of",
    "anything from",
    "everything from",
    "information from",
    "entries from",
    "rows from",
    "what you read in",
    "what you find in",
    "what is in",
    "what's in",
    "whatever you read in",
    "whatever is in",
    "material from",
    "text from",
    "details from",
    "findings from",
    "facts from",
    "names from",
    "extracts from",
    "excerpts from",
    "quotes from",
    "lines from",
    "data in",
    "information in",
    "figures in",
    "numbers in",
    "all data from",
    "the data from",
    "the figures from",
    "the numbers from",
    "any data from",
    "any figures from",
    "what you see in",
    "what you learn from",
    "records from",
    "addresses from",
];

impl Exact<'_> {
    /// Of one thing these alone: whatever else there is breaks the rule.
    pub(in crate::english::exact) fn alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let list = strip(list, &["only", "just"]).unwrap_or(list);
        self.programs_alone(thing, list)
            .or_else(|| self.attached_alone(thing, list))
            .or_else(|| self.statements_alone(thing, list))
            .or_else(|| self.held_alone(thing, list))
            .or_else(|| self.values_alone(thing, list))
            .or_else(|| self.acts_alone(thing, list))
    }

    /// "curl/wget: releases.acme.com": programs, and where they go.
    fn programs_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let tests = self.programs(thing)?;
        let list = strip(list, &["to", "from", "on", "against", "at", "with"]).unwrap_or(list);
        let places = self.named_places(list)?;
        let is_remote = |place: &Place| {
            matches!(place, Place::Domain(_) | Place::Page(_) | Place::HostLike(_) | Place::Address(_))
        };
        if !places.iter().all(is_remote) {
            return None;
        }
        let elsewhere = [at(Side::Object, vec![Place::Network], true), at(Side::Object, places, false)];
        Some(refused(Vec::new(), tests.into_iter().chain(elsewhere).collect()))
    }

    /// Tests that say that one of these programs runs.
    pub(in crate::english::exact) fn programs(&self, thing: &[Token]) -> Option<Vec<Test>> {
        if !self.hand.runs_commands() {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        for item in items(bare(thing)) {
            match item {
                [one] => names.extend(one.low.split('/').map(str::to_owned)),
                _ => return self.command(thing),
            }
        }
        let is_program = |name: &String| !name.is_empty() && self.hand.has_program(name);
        (!names.is_empty() && names.iter().all(is_program)).then(|| vec![Test::Program { names, is: true }])
    }

    /// "git clone": a program with a word behind it.
    fn command(&self, thing: &[Token]) -> Option<Vec<Test>> {
        let first = thing.first().filter(|first| self.hand.has_program(&first.low))?;
        if thing.len() > 3 || first.shape != Shape::Word {
            return None;
        }
        let run: Vec<Token> = std::iter::once(word("run")).chain(thing.iter().cloned()).collect();
        let (doings, tests) = self.loosely(&run)?;
        let actions: Vec<String> = doings
            .iter()
            .filter_map(|doing| match doing {
                Doing::Did(name) => Some(name.clone()),
                Doing::Deed(_) => None,
            })
            .collect();
        (actions.len() == doings.len()).then(|| {
            let did = (!actions.is_empty()).then_some(Test::Did { actions, is: true });
            did.into_iter().chain(tests).collect()
        })
    }

    /// "Attachments go out as PDF or not at all."
    fn attached_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        strip(
            bare(thing),
            &["attachments", "attachment", "attached files", "mail attachments", "what you attach"],
        )
        .filter(|rest| rest.is_empty())?;
        self.endings(list)?;
        self.arguments(&[&[word("attach"), word("only")], list].concat())
    }

    /// "nothing but SELECT on orders": of all statements on a table these alone.
    fn statements_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let mut allowed = Vec::new();
        for item in items(strip_end(list, &["statements", "queries", "commands"]).unwrap_or(list)) {
            let [one] = item else { return None };
            if !one.text.starts_with(|letter: char| letter.is_ascii_uppercase())
                || one.text.chars().filter(char::is_ascii_uppercase).count() < 4
            {
                return None;
            }
            let name = one.text.strip_suffix('s').unwrap_or(&one.text);
            let entry = self.lexicon.statement(name)?;
            let crate::english::lexicon::Entry::Act(number) = entry else { return None };
            allowed.push(self.lexicon.action(number)?.name.clone());
        }
        let tables = self.named_places(strip(thing, &["on", "in"]).unwrap_or(thing))?;
        if allowed.is_empty() {
            return None;
        }
        if allowed.iter().any(|name| name == "sql select") {
            allowed.push("sql explain".to_owned());
        }
        let tests = vec![at(Side::Object, tables, true), Test::Did { actions: allowed, is: false }];
        Some(refused(vec![Doing::Did("query".to_owned())], tests))
    }

    /// What a place takes: files of some endings, events on some days, pages below a path.
    fn held_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let thing = strip(thing, &["in", "into", "on"]).unwrap_or(thing);
        // "the shop (shop.acme.com)": what stands in brackets is what calls show.
        let thing = match crate::english::exact::words::bracketed(thing) {
            Some((_, inner)) if matches!(inner, [one] if one.shape == Shape::Host) => inner,
            _ => thing,
        };
        let within = self.named_places(thing)?;
        let is_calendar = thing.iter().any(|token| matches!(token.low.as_str(), "calendar" | "calendars"));
        if (is_calendar || self.hand.has_calendar())
            && let Some(spans) = self.spans(list)
        {
            let tests = vec![at(Side::Object, within, true), Test::Time { spans, is: false, of_event: true }];
            return Some(refused(vec![Doing::Did("schedule".to_owned())], tests));
        }
        if let Some(ends) = self.endings(list) {
            let ends = ends.into_iter().map(Place::Ending).collect();
            let tests = vec![
                at(Side::Object, within, true),
                at(Side::Object, vec![Place::Kind("file".to_owned())], true),
                at(Side::Object, ends, false),
            ];
            return Some(refused(vec![Doing::Deed(Deed::Writes)], tests));
        }
        self.below(&within, list)
    }

    /// "In the ERP (erp.acme.com) pages under /reports".
    fn below(&self, within: &[Place], list: &[Token]) -> Option<Rules> {
        let [Place::Domain(host)] = within else { return None };
        let list = strip(
            list,
            &[
                "pages under",
                "pages below",
                "pages in",
                "pages inside",
                "what is under",
                "under",
                "below",
                "inside",
                "the pages under",
                "the pages below",
                "paths under",
                "urls under",
                "anything under",
                "addresses under",
            ],
        )
        .unwrap_or(list);
        let mut pages = Vec::new();
        for item in items(list) {
            let [one] = item else { return None };
            let path = one.text.strip_prefix('/')?;
            pages.push(Place::Page(format!("https://{host}/{}", path.trim_end_matches('/'))));
        }
        let tests = vec![at(Side::Object, within.to_vec(), true), at(Side::Object, pages, false)];
        Some(refused(vec![Doing::Deed(Deed::Involves)], tests))
    }

    /// What values an argument may have.
    pub(in crate::english::exact) fn values_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let parameter = self.parameter(thing)?;
        let list = strip(list, &["to", "as", "with"]).unwrap_or(list);
        let predicate = match self.values(list, &parameter.names) {
            Some(forms) => Predicate::So(Check::Forms(forms)),
            None => self.predicate(list, &parameter.names)?,
        };
        self.ruled(&parameter, &predicate, Polarity::Must)
    }

    /// "Screenshots: only into shots/", as the looser reader has it.
    fn acts_alone(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let only = [word("only")];
        let led = list.first().is_some_and(|token| {
            matches!(
                token.low.as_str(),
                "to" | "into" | "in" | "on" | "at" | "from" | "under" | "inside" | "for" | "as"
            )
        });
        if led {
            return self.freely(&[thing, &only, list].concat());
        }
        self.named_places(list)?;
        self.scope(thing)?;
        self.freely(&[&only, thing, &[word("to")], list].concat())
            .or_else(|| self.freely(&[&only, thing, &[word("in")], list].concat()))
    }

    /// What goes there alone: data from a place to somebody, files of a folder into another.
    pub(in crate::english::exact) fn alone_to(&self, thing: &[Token], list: &[Token]) -> Option<Rules> {
        let targets = self.named_places(list)?;
        if let Some(source) = strip(thing, DATA) {
            let sources = self.named_places(source)?;
            let is_person =
                |place: &Place| matches!(place, Place::Address(_) | Place::Domain(_) | Place::Mailbox(_));
            let beyond = if targets.iter().all(is_person) {
                Place::Network
            } else {
                Place::Kind("anything".to_owned())
            };
            let mut tests = vec![Test::Carries(sources)];
            if beyond == Place::Network {
                tests.push(at(Side::To, vec![Place::Network], true));
            }
            tests.push(at(Side::To, targets, false));
            return Some(refused(vec![Doing::Deed(Deed::Sends)], tests));
        }
        let Some((front, _, source)) = around(thing, &["in", "from", "of", "under", "inside"]) else {
            if self.names_act(thing) {
                return None;
            }
            let only = ["only", "write"].map(word);
            return self.freely(&[&only, &self.inner(thing)[..], &[word("into")], list].concat());
        };
        if strip(
            bare(front),
            &["files", "everything", "anything", "documents", "what is", "scans", "photos", "things"],
        )
        .is_none_or(|rest| !rest.is_empty())
        {
            return None;
        }
        let sources = self.named_places(source)?;
        let tests = vec![at(Side::Object, sources, true), at(Side::To, targets, false)];
        Some(refused(vec![Doing::Deed(Deed::Moves), Doing::Deed(Deed::Copies)], tests))
    }

    /// The places that words name, if they name nothing else.
    pub(in crate::english::exact) fn named_places(&self, list: &[Token]) -> Option<Vec<Place>> {
        let list = bare(list);
        if list.is_empty() {
            return None;
        }
        let used: Vec<Token> = std::iter::once(word("use")).chain(list.iter().cloned()).collect();
        let (_, tests) = self.loosely(&used)?;
        let mut places = Vec::new();
        for test in tests {
            match test {
                Test::Place { side: Side::Object, places: named, inside: true } => {
                    places.extend(named.into_iter().filter(|place| !matches!(place, Place::Kind(_))));
                }
                _ => return None,
            }
        }
        (!places.is_empty()).then_some(places)
    }

    /// Ends of file names: ".csv and .parquet", "PDF files".
    fn endings(&self, list: &[Token]) -> Option<Vec<String>> {
        let list = strip_end(list, SORTS).unwrap_or(list);
        let one = |item: &[Token]| -> Option<String> {
            let item = strip_end(bare(item), SORTS).unwrap_or(bare(item));
            let [one] = item else { return None };
            let end = one.low.trim_start_matches(['*', '.']);
            let is_dotted = one.text.starts_with(['*', '.']);
            let short =
                end.strip_suffix('s').filter(|short| crate::english::is_file_end(short)).unwrap_or(end);
            let is_end = crate::english::is_file_end(short) || (is_dotted && short.len() < 8);
            is_end.then(|| short.to_owned())
        };
        let ends: Option<Vec<String>> = items(list).into_iter().map(one).collect();
        ends.filter(|ends| !ends.is_empty())
    }

    /// Times in a row, if there is nothing else.
    pub(in crate::english::exact) fn spans(&self, list: &[Token]) -> Option<Vec<Span>> {
        let mut spans = Vec::new();
        let mut rest = list;
        let mut is_alternative = false;
        while !rest.is_empty() {
            let (span, length) = when::read(rest, self.year).filter(|(_, length)| *length > 0)?;
            // "on Fridays after 16:00": what nothing joins holds together.
            spans.push((span, is_alternative));
            rest = rest.get(length..)?;
            let joined = strip(rest, &["or", "and", ",", ", or", ", and"]);
            is_alternative = joined.is_some();
            rest = joined.unwrap_or(rest);
        }
        (!spans.is_empty()).then(|| merged(&spans))
    }
}

fn at(side: Side, places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side, places, inside }
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
