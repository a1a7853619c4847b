//! From frames to cases: what a clause forbids, limits or asks about.

mod bare;
mod context;
pub(crate) mod doings;
mod exceptions;
mod forms;
mod kinds;
pub(crate) mod loosen;
mod measures;
mod ordered;
mod slots;
mod split;
mod unite;
mod unsaid;
mod words;

use std::cell::RefCell;

use super::amount::Compare;
use super::clause::{Clause, Part};
use super::frame::{Frame, Framer};
use super::lexicon::{Lexicon, Marker};
use super::{Reading, Trouble};
use crate::hand::Hand;
use crate::meaning::{Case, Deed, Doing, Meaning, Place, Side, Test, Verdict};
pub(crate) use doings::doing;
pub(crate) use measures::merged;
use split::split;
use unsaid::unsaid;

/// Reads clause after clause; later ones may speak of what earlier ones named.
pub(crate) struct Interpreter<'i> {
    pub(crate) lexicon: &'i Lexicon,
    pub(crate) hand: &'i Hand,
    rules: Vec<(Verdict, Case)>,
    unused: Vec<String>,
    /// Words that nobody knows beside words that are known.
    dropped: RefCell<Vec<String>>,
    troubles: Vec<Trouble>,
    /// "When you crawl a site, …": what the next rule is limited to.
    condition: Option<Frame>,
    /// "Once you have read a mail, …": what must have happened.
    earlier: Option<Frame>,
    /// What the clause before was about.
    last: Option<Frame>,
    /// What stands before a colon: "config.toml: …".
    topic: Option<Frame>,
    /// Where the rules of the present sentence begin.
    sentence: usize,
    /// Where the rules and the troubles of the clause before a colon begin.
    before_colon: usize,
    troubles_before_colon: usize,
}

/// What a clause turns into.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) doings: Vec<Doing>,
    pub(crate) tests: Vec<Test>,
    pub(crate) unless: Vec<Vec<Test>>,
}

impl<'i> Interpreter<'i> {
    pub(crate) fn new(lexicon: &'i Lexicon, hand: &'i Hand) -> Interpreter<'i> {
        Interpreter {
            lexicon,
            hand,
            rules: Vec::new(),
            unused: Vec::new(),
            dropped: RefCell::new(Vec::new()),
            troubles: Vec::new(),
            last: None,
            condition: None,
            earlier: None,
            topic: None,
            sentence: 0,
            before_colon: 0,
            troubles_before_colon: 0,
        }
    }

    pub(crate) fn clause(&mut self, clause: &Clause) {
        if clause.starts_sentence {
            self.sentence = self.rules.len();
            self.condition = None;
            self.earlier = None;
            self.topic = None;
        }
        if clause.explains {
            self.topic = self
                .last
                .clone()
                .filter(|last| last.markers.is_empty() && last.verbs.is_empty() && last.acts.is_empty());
        }
        let framer = Framer { lexicon: self.lexicon, hand: self.hand };
        let frame = framer.frame(&clause.pieces);
        match clause.part {
            Part::Condition if is_earlier(clause) => {
                self.earlier = Some(frame.clone());
                self.last = Some(frame);
            }
            Part::Condition => {
                self.condition = Some(frame.clone());
                self.last = Some(frame);
            }
            Part::Aside | Part::Permission => {
                if clause.part == Part::Permission {
                    self.permission(&frame, clause);
                }
                self.unused.push(clause.text());
                // What cannot be understood in it may be a rule.
                self.troubles
                    .extend(super::clause::strange(&clause.pieces).map(|words| Trouble::Words(vec![words])));
                // What an aside names may be what the next clause speaks of, or what it excepts.
                if self.last.is_none() || clause.starts_sentence {
                    self.last = Some(frame);
                }
            }
            Part::Rule => match super::order::cut(&clause.pieces) {
                Some((at, order)) => self.ordered_clause(clause, at, order),
                None => self.rule_clause(frame, clause),
            },
        }
    }

    fn rule_clause(&mut self, mut frame: Frame, clause: &Clause) {
        // "DELETE, DROP: ask first"
        if frame.asks
            && frame.is_empty()
            && let Some(last) = &self.last
        {
            frame = Frame { asks: true, markers: Vec::new(), ..last.clone() };
        }
        // "you neither", "never ever": nothing that was not said before.
        let says_nothing =
            frame.is_empty() && frame.unknown.is_empty() && frame.excepted.is_none() && !frame.asks;
        if says_nothing && !frame.refers && !clause.starts_sentence && self.rules.len() > self.sentence {
            self.unused.push(clause.text());
            return;
        }
        self.inherit(&mut frame, clause);
        let before = self.rules.len();
        if !clause.explains {
            self.before_colon = before;
            self.troubles_before_colon = self.troubles.len();
        }
        match self.rule(&frame) {
            Ok(rules) => {
                // What stands behind a colon says more exactly what stands before it.
                if clause.explains && !rules.is_empty() {
                    self.rules.truncate(self.before_colon.min(before));
                    self.troubles.truncate(self.troubles_before_colon);
                }
                self.rules.extend(rules);
            }
            Err(trouble) => {
                self.unused.push(clause.text());
                if !self.only_says_again(&frame, clause) {
                    self.troubles.push(trouble);
                }
            }
        }
        self.last = Some(frame);
    }

    /// A part that changes nothing.
    pub(crate) fn aside(&mut self, text: String) {
        self.unused.push(text);
    }

    /// A sentence that is not understood.
    pub(crate) fn trouble(&mut self, trouble: Trouble) {
        self.troubles.push(trouble);
    }

    /// Whether any rule was understood so far.
    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Whether words were left out beside others that are known.
    pub(crate) fn has_left_out(&self) -> bool {
        !self.dropped.borrow().is_empty()
    }

    /// Takes over what a sentence of a known build says.
    pub(crate) fn exact(
        &mut self,
        parts: Vec<super::exact::Part>,
        tokens: &[super::token::Token],
        chunker: &super::chunk::Chunker<'_>,
    ) {
        use super::exact::Part;
        let before = self.rules.len();
        for part in parts {
            match part {
                Part::Rules(rules) => self.rules.extend(rules),
                Part::Aside(text) => self.unused.push(text),
                Part::Permission(exceptions) => {
                    // What is allowed is so in the sentence before, where this one states nothing.
                    let from = if self.rules.len() > before { before } else { self.sentence };
                    for (_, case) in self.rules.iter_mut().skip(from) {
                        if let [exception] = exceptions.as_slice()
                            && let [Test::Sign(allowed)] = exception.as_slice()
                        {
                            case.tests.iter_mut().for_each(|test| test.allow_signs(allowed));
                            continue;
                        }
                        // One line may download and upload: what is named by its act is not lifted by another.
                        let is_named = case.doings.iter().any(|doing| matches!(doing, Doing::Did(_)));
                        let lifts =
                            |act: &&Vec<Test>| !is_named || !super::exact::granted::is_of_commands(act);
                        case.unless.extend(exceptions.iter().filter(lifts).cloned());
                        // What does not count is not counted.
                        for test in &mut case.tests {
                            if let Test::Often { what, .. } = test {
                                what.unless.extend(exceptions.iter().cloned());
                            }
                        }
                        except_reading(case);
                    }
                }
            }
        }
        if self.rules.len() > before {
            self.sentence = before;
        }
        let framer = Framer { lexicon: self.lexicon, hand: self.hand };
        self.last = Some(framer.frame(&chunker.chunks(tokens)));
    }

    pub(crate) fn finish(self) -> Result<Reading, Trouble> {
        let mut dropped = self.dropped.take();
        dropped.dedup();

        // A part that forbids something and was not understood must not get lost.
        let has_rules = !self.rules.is_empty();
        if let Some(trouble) =
            self.troubles.into_iter().find(|trouble| !has_rules || !trouble.is_mere_advice())
        {
            return Err(trouble);
        }
        if self.rules.is_empty() {
            return Err(Trouble::NoRule);
        }
        let meanings = [Verdict::Deny, Verdict::Ask].into_iter().filter_map(|verdict| {
            let cases: Vec<Case> =
                self.rules.iter().filter(|(own, _)| *own == verdict).map(|(_, case)| case.clone()).collect();
            (!cases.is_empty()).then_some(Meaning { verdict, cases })
        });
        Ok(Reading {
            meanings: meanings.collect(),
            unused: self.unused,
            left_out: dropped,
            others: Vec::new(),
        })
    }

    pub(crate) fn is_named(&self, number: usize, name: &str) -> bool {
        self.lexicon.action(number).is_some_and(|action| action.name == name)
    }

    fn rule(&self, frame: &Frame) -> Result<Vec<(Verdict, Case)>, Trouble> {
        // "None.", "Not one.", "Ever." only strengthen.
        let is_echo = frame.is_empty()
            && frame.unknown.is_empty()
            && frame.excepted.is_none()
            && !frame.asks
            && !self.rules.is_empty();
        if is_echo {
            return Ok(Vec::new());
        }
        if !frame.unknown.is_empty() {
            return Err(Trouble::Words(frame.unknown.clone()));
        }
        if frame.has(Marker::Else) && !frame.has(Marker::Only) {
            // "no other website at all" only says again what "only" said.
            if self.last.as_ref().is_some_and(|last| last.has(Marker::Only)) {
                return Ok(Vec::new());
            }
            let others = frame.markers.iter().any(|marker| *marker != Marker::Else);
            if frame.says_rest && !others && !frame.asks {
                return Err(Trouble::Vague("what the others are".to_owned()));
            }
        }
        let verdict = if frame.asks { Verdict::Ask } else { Verdict::Deny };
        let mut cases = self.cases(frame)?;
        if let Some(condition) = &self.condition {
            self.limit(&mut cases, condition)?;
        }
        if let Some(what) = &self.earlier {
            let test = self.earlier(what, true)?;
            cases.iter_mut().for_each(|case| case.tests.push(test.clone()));
        }
        let leading =
            self.last.as_ref().filter(|last| last.is_exception()).and_then(|last| last.excepted.as_ref());
        if let Some(excepted) = frame.excepted.as_ref().or(leading) {
            let exceptions = self.exceptions(excepted, frame)?;
            if exceptions.is_empty() && !excepted.asks {
                return Err(Trouble::Vague("the exception".to_owned()));
            }
            for case in &mut cases {
                case.unless.extend(exceptions.iter().cloned());
                except_reading(case);
            }
        }
        Ok(cases.into_iter().map(|case| (verdict, case)).collect())
    }

    /// Limits cases to what a condition says.
    fn limit(&self, cases: &mut [Case], condition: &Frame) -> Result<(), Trouble> {
        let draft = self.draft(condition)?;
        if draft.doings.is_empty() && draft.tests.is_empty() {
            return Err(Trouble::Vague("the condition".to_owned()));
        }
        for case in cases {
            case.tests.extend(draft.tests.iter().cloned());
            let actions: Vec<String> = draft
                .doings
                .iter()
                .filter_map(|doing| match doing {
                    Doing::Did(name) => Some(name.clone()),
                    Doing::Deed(_) => None,
                })
                .collect();
            if case.doings.is_empty() {
                case.doings.clone_from(&draft.doings);
            } else if !actions.is_empty() {
                case.tests.push(Test::Did { actions, is: true });
            }
        }
        Ok(())
    }

    fn cases(&self, frame: &Frame) -> Result<Vec<Case>, Trouble> {
        if let Some(needed) = &frame.needed {
            return self.needs(frame, needed);
        }
        if frame.has(Marker::Contain) {
            return self.contained(frame);
        }
        // "the office is closed" is a reason: nobody protects everything that is inside.
        let mut named =
            frame.slots.iter().flat_map(|slot| &slot.nouns).flat_map(|noun| &noun.places).peekable();
        if frame.has(Marker::Protect)
            && named.peek().is_some()
            && named.all(|place| matches!(place, Place::Internal | Place::External))
        {
            return Err(Trouble::NoRule);
        }
        let mut draft = self.draft(frame)?;
        // "Only .md files in notes/": what is written there.
        let is_ending = |test: &Test| match test {
            Test::Place { places, inside: false, .. } => {
                places.iter().all(|place| matches!(place, Place::Ending(_)))
            }
            _ => false,
        };
        if draft.doings.is_empty() && draft.tests.iter().any(is_ending) {
            draft.doings.push(Doing::Deed(Deed::Writes));
        }
        if let Some(cases) = self.only_statements(frame) {
            return Ok(cases);
        }
        let only = frame.slots.iter().any(|slot| slot.only) || frame.only_verb;
        if frame.only_verb && !frame.has(Marker::Deny) {
            return self.only_verb(frame, draft);
        }
        if draft.doings.is_empty() && draft.tests.is_empty() {
            return Err(Trouble::Vague(
                "nothing in it names an action, a place, a time or an amount".to_owned(),
            ));
        }
        if let Some(word) = unsaid(frame, &draft) {
            return Err(Trouble::Vague(format!("what is said of `{word}`")));
        }
        if let Some(what) = self.breadth(&draft, frame) {
            return Err(Trouble::Broad(what));
        }
        let is_rule = frame.asks
            || only
            || frame
                .markers
                .iter()
                .any(|marker| !matches!(marker, Marker::May | Marker::Instead | Marker::Needs));
        let is_limit = frame
            .amounts
            .iter()
            .any(|(amount, _)| matches!(amount.compare, Compare::AtMost | Compare::Below));
        if !is_rule && !is_limit {
            return Err(Trouble::NoRule);
        }
        Ok(split(draft))
    }

    /// What a rule would concern that says nothing but that, unless the words are plain: "never write anything".
    fn breadth(&self, draft: &Draft, frame: &Frame) -> Option<&'static str> {
        let has_positive = draft.tests.iter().any(|test| match test {
            Test::Choice { is, .. }
            | Test::Says { is, .. }
            | Test::Given { is, .. }
            | Test::Did { is, .. } => *is,
            _ => true,
        });
        if draft.doings.is_empty() && !has_positive {
            return Some("does anything");
        }
        if !draft.tests.is_empty() || frame.excepted.is_some() {
            return None;
        }
        let says_anything = frame.slots.iter().flat_map(|slot| &slot.nouns).any(|noun| noun.is_anything);
        let is_whole = frame.has(Marker::Protect)
            && frame.slots.is_empty()
            && frame.acts.is_empty()
            && self.rules.is_empty();
        let is_plain = says_anything
            || is_whole
            || (frame.asks && frame.verbs.is_empty() && !frame.acts.is_empty())
            || (frame.slots.is_empty() && self.rules.is_empty() && frame.denies_object);
        draft.doings.iter().find_map(|doing| match doing {
            Doing::Deed(Deed::Involves) => Some("does anything"),
            Doing::Deed(Deed::Reads) if !is_plain => Some("reads"),
            Doing::Deed(Deed::Writes | Deed::Changes) if !is_plain => Some("changes something"),
            Doing::Deed(Deed::Sends) if !is_plain => Some("sends something"),
            Doing::Deed(Deed::Runs) if !is_plain => Some("runs something"),
            _ => None,
        })
    }

    /// The clause as doings and tests.
    pub(crate) fn draft(&self, frame: &Frame) -> Result<Draft, Trouble> {
        let mut draft = Draft { doings: self.doings(frame), ..Draft::default() };
        self.slots(frame, &mut draft)?;
        self.settle(frame, &mut draft);
        let of_event = self.is_of_event(&draft, frame);
        let spans = merged(&frame.spans);
        if !spans.is_empty() {
            draft.tests.push(Test::Time { spans, is: !frame.only_time, of_event });
        }
        for (amount, unit) in &frame.amounts {
            self.amount(amount, unit.as_deref(), frame, &mut draft)?;
        }
        if frame.everything {
            draft.tests.push(Test::Everything);
        }
        let itself: Vec<String> = frame
            .itself
            .iter()
            .filter_map(|number| self.lexicon.action(*number))
            .map(|action| action.name.clone())
            .collect();
        if !itself.is_empty() {
            draft.tests.push(Test::Did { actions: itself, is: true });
        }
        // "never the whole cache", where an argument says so.
        let all = ["everything", "all"].into_iter().find(|word| self.hand.own_parameter(word).is_some());
        if let Some(word) = all.filter(|_| frame.whole) {
            draft.tests.push(Test::Given { word: word.to_owned(), is: true });
        }
        // What is only looked for does not appear anywhere.
        let mentions = frame.verbs.iter().chain(&frame.acts).any(|number| self.is_named(*number, "mention"));
        let says = draft.tests.iter().any(|test| matches!(test, Test::Says { is: true, .. }));
        if mentions && says && draft.doings.is_empty() {
            draft.doings.push(Doing::Deed(Deed::Writes));
        }
        // "nothing in #general": what is written there, not what is read.
        let is_channel = |test: &Test| {
            match test {
            Test::Place { places, inside: true, .. } => places.iter().any(|place| {
                matches!(place, Place::Channel(_))
                    || matches!(place, Place::Id(id) if id.starts_with('C') && id.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()))
            }),
            _ => false,
        }
        };
        if frame.denies_object
            && draft.doings.is_empty()
            && frame.verbs.is_empty()
            && frame.did_words.is_empty()
            && draft.tests.iter().any(is_channel)
        {
            draft.doings.push(Doing::Deed(Deed::Writes));
        }
        if of_event && frame.has(Marker::Protect) {
            draft.doings.clear();
        }
        if of_event && draft.doings == [Doing::Deed(Deed::Writes)] {
            draft.doings.clear();
        }
        if of_event && draft.doings.is_empty() {
            draft.doings.push(Doing::Did("schedule".to_owned()));
        }
        Ok(draft)
    }

    /// What the words leave to the reader.
    fn settle(&self, frame: &Frame, draft: &mut Draft) {
        let has_object =
            draft.tests.iter().any(|test| matches!(test, Test::Place { side: Side::Object, .. }));
        let kinds = frame.verbs.iter().chain(&frame.acts).filter_map(|number| self.lexicon.action(*number));
        let kinds: Vec<Place> = kinds
            .filter(|action| !action.deed.is_empty() && !action.kind.is_empty())
            .map(|action| Place::Kind(action.kind.clone()))
            .collect();
        if !has_object && !kinds.is_empty() {
            draft.tests.push(place(Side::Object, kinds, true));
        }
        // "open an issue" makes one.
        let opens = frame
            .verb_words
            .iter()
            .any(|word| matches!(word.as_str(), "open" | "opening" | "opened" | "raise" | "file" | "start"));
        let about = draft.tests.iter().any(|test| matches!(test, Test::About { is: true, .. }));
        if opens && about && draft.doings.contains(&Doing::Deed(Deed::Reads)) {
            draft.doings = vec![Doing::Did("create".to_owned())];
        }
        // New rows are no updates.
        let updates = frame.verb_words.iter().chain(&frame.act_words).any(|word| word.starts_with("update"));
        if updates && draft.doings.contains(&Doing::Deed(Deed::Changes)) {
            draft
                .tests
                .push(Test::Did { actions: vec!["insert".to_owned(), "sql insert".to_owned()], is: false });
        }
        // What is new was not there to be edited.
        let creates = frame.verbs.iter().chain(&frame.acts).any(|number| self.is_named(*number, "create"));
        let of_files = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "file"));
        if frame.of_new
            && !of_files
            && !creates
            && draft.doings == [Doing::Deed(Deed::Writes)]
            && self.hand.has_tool_word("create")
        {
            draft.tests.push(Test::Did { actions: vec!["create".to_owned()], is: true });
        }
        let is_file = |test: &Test| match test {
            Test::Place { places, .. } => places.iter().any(|place| {
                matches!(place, Place::Kind(kind) if kind == "file") || matches!(place, Place::Path(_))
            }),
            _ => false,
        };
        let of_files = of_files || draft.tests.iter().any(is_file);
        if (creates || frame.of_new)
            && of_files
            && draft.doings == [Doing::Deed(Deed::Writes)]
            && self.hand.has_tool_word("edit")
        {
            draft.tests.push(Test::Did { actions: vec!["edit".to_owned()], is: false });
        }
        // Deleting by SQL may be a part of moving.
        if draft.doings.contains(&Doing::Deed(Deed::Deletes))
            && self.hand.has_tool_word("query")
            && !frame.has(Marker::Append)
        {
            draft.doings.push(Doing::Did("sql delete".to_owned()));
        }
    }

    /// Whether the time of a meeting is meant, not that of the call.
    fn is_of_event(&self, draft: &Draft, frame: &Frame) -> bool {
        let schedules = |doing: &Doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "schedule" | "invite"));
        if draft.doings.iter().any(schedules) || (frame.of_due && !frame.spans.is_empty()) {
            return true;
        }
        let is_open = (draft.doings.is_empty() || frame.has(Marker::Protect) && frame.slots.is_empty())
            && frame.slots.iter().all(|slot| !slot.nouns.iter().any(super::noun::Noun::is_definite));
        // "Thursday afternoons are for the clinic, put nothing there": into the calendar.
        let puts = draft.doings == [Doing::Deed(Deed::Writes)]
            && frame.verb_words.iter().all(|word| matches!(word.as_str(), "put" | "place" | "add"))
            && !frame.verb_words.is_empty()
            && self.hand.is_calendar_only()
            && frame.slots.iter().all(|slot| !slot.nouns.iter().any(super::noun::Noun::is_definite));
        (is_open || puts) && !frame.spans.is_empty() && self.hand.has_calendar()
    }
}

/// "Once you have …", "after you've …": what was done before.
fn is_earlier(clause: &Clause) -> bool {
    let first = clause.pieces.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    matches!(first.as_str(), "once" | "after" | "as soon as")
}

/// "… except to read it": what is left are changes.
fn except_reading(case: &mut Case) {
    let is_reading = |tests: &Vec<Test>| matches!(tests.as_slice(), [Test::Did { actions, .. }] if *actions == ["reading only"]);
    if case.unless.iter().any(is_reading) {
        case.unless.retain(|tests| !is_reading(tests));
        let is_named = |doing: &Doing| matches!(doing, Doing::Did(_));
        if case.doings.is_empty() || !case.doings.iter().all(is_named) {
            case.doings = vec![Doing::Deed(Deed::Changes)];
        }
    }
}

/// A test on the place of something.
pub(crate) fn place(side: Side, places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side, places, inside }
}
