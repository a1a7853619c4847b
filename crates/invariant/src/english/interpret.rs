//! From frames to cases: what a clause forbids, limits or asks about.

mod slots;
mod words;

use super::amount::{Amount, Compare};
use super::clause::{Clause, Part};
use super::frame::{Frame, Framer, Role, Slot};
use super::lexicon::{Lexicon, Marker};
use super::{Reading, Trouble};
use crate::hand::Hand;
use crate::meaning::{Case, Deed, Doing, Meaning, Place, Side, Span, Test, Verdict};

/// Reads clause after clause; later ones may speak of what earlier ones named.
pub(crate) struct Interpreter<'i> {
    pub(crate) lexicon: &'i Lexicon,
    pub(crate) hand: &'i Hand,
    rules: Vec<(Verdict, Case)>,
    unused: Vec<String>,
    troubles: Vec<Trouble>,
    /// "When you crawl a site, …": what the next rule is limited to.
    condition: Option<Frame>,
    /// What the clause before was about.
    last: Option<Frame>,
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
            troubles: Vec::new(),
            last: None,
            condition: None,
            sentence: 0,
            before_colon: 0,
            troubles_before_colon: 0,
        }
    }

    pub(crate) fn clause(&mut self, clause: &Clause) -> Result<(), Trouble> {
        if clause.starts_sentence {
            self.sentence = self.rules.len();
            self.condition = None;
        }
        let framer = Framer { lexicon: self.lexicon, hand: self.hand };
        let mut frame = framer.frame(&clause.pieces);
        match clause.part {
            Part::Condition => {
                self.condition = Some(frame.clone());
                self.last = Some(frame);
                return Ok(());
            }
            Part::Aside => {
                // What an aside names may be what the next clause speaks of, or what it excepts.
                if self.last.is_none() || clause.starts_sentence {
                    self.last = Some(frame);
                }
                self.unused.push(clause.text());
                return Ok(());
            }
            Part::Permission => {
                self.permission(&frame, clause);
                if self.last.is_none() || clause.starts_sentence {
                    self.last = Some(frame);
                }
                return Ok(());
            }
            Part::Rule => {}
        }
        // "DELETE, DROP: ask first"
        if frame.asks
            && frame.is_empty()
            && let Some(last) = &self.last
        {
            frame = Frame { asks: true, ..last.clone() };
            frame.markers.clear();
        }
        self.inherit(&mut frame, clause);
        let before = self.rules.len();
        match self.rule(&frame) {
            Ok(rules) => {
                // What stands behind a colon says more exactly what stands before it.
                if clause.explains && !rules.is_empty() {
                    self.rules.truncate(self.before_colon.min(before));
                    self.troubles.truncate(self.troubles_before_colon);
                }
                self.rules.extend(rules);
                if !clause.explains {
                    self.before_colon = before;
                    self.troubles_before_colon = self.troubles.len();
                }
            }
            Err(trouble) => {
                if !clause.explains {
                    self.before_colon = before;
                    self.troubles_before_colon = self.troubles.len();
                }
                self.unused.push(clause.text());
                if !self.only_says_again(&frame, clause) {
                    self.troubles.push(trouble);
                }
            }
        }
        self.last = Some(frame);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Reading, Trouble> {
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
        Ok(Reading { meanings: meanings.collect(), unused: self.unused })
    }

    /// Takes over what the clause leaves out.
    fn inherit(&self, frame: &mut Frame, clause: &Clause) {
        let Some(last) = &self.last else { return };
        let has_doing = !frame.verbs.is_empty() || !frame.acts.is_empty();
        if !clause.starts_sentence {
            if !has_doing
                && frame.did_words.is_empty()
                && !frame.has(Marker::Avoid)
                && !frame.has(Marker::Protect)
                && !frame.has(Marker::Append)
                && !frame.has(Marker::Forbidden)
            {
                let only_times =
                    frame.slots.is_empty() && (!frame.spans.is_empty() || !frame.amounts.is_empty());
                if only_times || frame.has(Marker::Only) {
                    frame.verbs.clone_from(&last.verbs);
                    frame.verb_words.clone_from(&last.verb_words);
                    frame.did_words.clone_from(&last.did_words);
                    frame.acts.clone_from(&last.acts);
                    frame.act_words.clone_from(&last.act_words);
                    if only_times {
                        frame.slots.extend(last.slots.iter().filter(|slot| !slot.only).cloned());
                    }
                }
            }
            // A leading place or time is meant for the whole sentence.
            if frame.spans.is_empty() && (frame.refers_there || last.leads_with_time) {
                frame.spans.extend(last.spans.iter().cloned());
                frame.leads_with_time = true;
            }
            let is_bare =
                frame.slots.iter().all(|slot| !slot.nouns.iter().any(super::noun::Noun::is_definite));
            let is_parallel = frame.denies_object
                && frame.slots.is_empty()
                && frame.spans.is_empty()
                && frame.amounts.is_empty()
                && (last.denies_object || last.has(Marker::Avoid) || last.has(Marker::Protect));
            if is_bare
                && (frame.slots.is_empty() && frame.refers_there
                    || clause.explains && has_doing
                    || is_parallel)
            {
                frame.slots.extend(last.slots.iter().map(|slot| Slot { only: false, ..slot.clone() }));
            } else if is_bare && (has_doing || frame.refers) && !frame.refers {
                let leading = last.slots.iter().filter(|slot| slot.leads && slot.role != Role::Object);
                frame.slots.extend(leading.cloned());
            }
        }
        if frame.refers {
            let named: Vec<super::noun::Noun> = last
                .slots
                .iter()
                .flat_map(|slot| &slot.nouns)
                .filter(|noun| noun.is_definite() && !noun.is_it)
                .cloned()
                .collect();
            for slot in &mut frame.slots {
                if slot.nouns.iter().any(|noun| noun.is_it) {
                    if slot.role == Role::Object && last.slots.iter().any(|slot| slot.role == Role::From) {
                        slot.role = Role::From;
                    }
                    slot.nouns.retain(|noun| !noun.is_it);
                    slot.nouns.extend(named.iter().cloned());
                }
            }
            frame.slots.retain(|slot| !slot.nouns.is_empty());
        }
    }

    pub(crate) fn last_frame(&self) -> Option<&Frame> {
        self.last.as_ref()
    }

    /// The places that the clause before named.
    pub(crate) fn named_before(&self) -> Vec<Place> {
        let slots = self.last.iter().flat_map(|last| &last.slots);
        slots.flat_map(|slot| &slot.nouns).flat_map(|noun| noun.places.iter().cloned()).collect()
    }

    /// "…, nothing silly" after "only": it says the same once more.
    fn only_says_again(&self, frame: &Frame, clause: &Clause) -> bool {
        let after_only = self.last.as_ref().is_some_and(|last| last.has(Marker::Only));
        let adds = !frame.verbs.is_empty() || !frame.acts.is_empty() || !frame.did_words.is_empty();
        let has_rules = self.rules.len() > self.sentence;
        !clause.starts_sentence
            && ((!adds && after_only && frame.denies_object) || (has_rules && frame.has(Marker::Only)))
    }

    /// What is allowed nevertheless: an exception from the rules before it, where it can be understood as one.
    fn permission(&mut self, frame: &Frame, clause: &Clause) {
        self.unused.push(clause.text());
        if !frame.unknown.is_empty() {
            return;
        }
        let alone = clause
            .pieces
            .iter()
            .any(|piece| matches!(piece.text.to_lowercase().as_str(), "for me" | "me" | "myself" | "alone"));
        if alone && frame.acts.iter().chain(&frame.verbs).any(|number| self.is_named(*number, "schedule")) {
            for (_, case) in self.rules.iter_mut().skip(self.sentence.saturating_sub(4)) {
                case.unless.push(vec![Test::Company(false)]);
            }
        }
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
        }
        let verdict = if frame.asks { Verdict::Ask } else { Verdict::Deny };
        let mut cases = self.cases(frame)?;
        if let Some(condition) = &self.condition {
            self.limit(&mut cases, condition)?;
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
        let draft = self.draft(frame)?;
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
        let is_plain =
            says_anything || (frame.slots.is_empty() && self.rules.is_empty() && frame.denies_object);
        draft.doings.iter().find_map(|doing| match doing {
            Doing::Deed(Deed::Involves) => Some("does anything"),
            Doing::Deed(Deed::Reads) if !is_plain => Some("reads"),
            Doing::Deed(Deed::Writes | Deed::Changes) if !is_plain => Some("changes something"),
            Doing::Deed(Deed::Sends) if !is_plain => Some("sends something"),
            Doing::Deed(Deed::Runs) if !is_plain => Some("runs something"),
            _ => None,
        })
    }

    /// "What is in vault/ stays in vault/": its data arrives nowhere else.
    fn contained(&self, frame: &Frame) -> Result<Vec<Case>, Trouble> {
        let places = |leads: bool| -> Vec<Place> {
            let slots = frame
                .slots
                .iter()
                .filter(|slot| slot.leads == leads && !slot.nouns.iter().any(|noun| noun.is_it));
            slots.flat_map(|slot| &slot.nouns).flat_map(|noun| noun.places.iter().cloned()).collect()
        };
        let (sources, inner) = (places(true), places(false));
        let sources = if sources.is_empty() { inner.clone() } else { sources };
        let inner = if inner.is_empty() { sources.clone() } else { inner };
        if sources.is_empty() {
            return Err(Trouble::Vague("what stays".to_owned()));
        }
        let tests = vec![Test::Carries(sources), place(Side::Object, inner, false)];
        Ok(split(Draft { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Draft::default() }))
    }

    /// "only SELECTs": of all statements these alone.
    fn only_statements(&self, frame: &Frame) -> Option<Vec<Case>> {
        let acts: Vec<&str> = frame
            .acts
            .iter()
            .filter_map(|number| self.lexicon.action(*number))
            .map(|action| action.name.as_str())
            .collect();
        let is_sql = !acts.is_empty() && acts.iter().all(|name| name.starts_with("sql "));
        if !is_sql || !frame.has(Marker::Only) || frame.has(Marker::Deny) {
            return None;
        }
        let allowed = acts.iter().map(|name| (*name).to_owned()).collect();
        let mut tests = vec![Test::Did { actions: allowed, is: false }];
        let spans = merged(&frame.spans);
        if !spans.is_empty() {
            tests.push(Test::Time { spans, is: true, of_event: false });
        }
        Some(split(Draft { doings: vec![Doing::Did("query".to_owned())], tests, ..Draft::default() }))
    }

    /// "Every commit message starts with feat: or fix:".
    fn affixed(&self, frame: &Frame, needed: &Frame, affix: super::frame::Affix) -> Vec<Test> {
        let nouns: Vec<&super::noun::Noun> = needed.slots.iter().flat_map(|slot| &slot.nouns).collect();
        let is_branch = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "branch"));
        let literals = nouns.iter().flat_map(|noun| &noun.literals).filter_map(|literal| match literal {
            super::chunk::Literal::Quoted(text) => Some(text.clone()),
            _ => None,
        });
        let mut texts: Vec<String> =
            literals.chain(nouns.iter().flat_map(|noun| noun.names.iter().cloned())).collect();
        texts.extend(nouns.iter().flat_map(|noun| &noun.places).filter_map(|place| match place {
            Place::Named(name) | Place::Id(name) | Place::Word(name) => {
                Some(name.trim_end_matches('*').to_owned())
            }
            Place::Path(path) => path.rsplit('/').next().map(|name| format!("{name}/")),
            _ => None,
        }));
        if texts.is_empty() {
            return Vec::new();
        }
        if is_branch {
            let glob = |text: &String| match affix {
                super::frame::Affix::Start => format!("{text}*"),
                super::frame::Affix::End => format!("*{text}"),
            };
            return vec![Test::Branch { patterns: texts.iter().map(glob).collect(), is: false }];
        }
        let sign = match affix {
            super::frame::Affix::Start => '^',
            super::frame::Affix::End => '$',
        };
        let what = texts.iter().map(|text| crate::meaning::Saying::Words(format!("{sign}{text}"))).collect();
        let parameter = self.parameter(frame);
        let given = parameter.clone().map(|word| Test::Given { word, is: true });
        let says = Test::Says { what, parameter, is: false };
        match given {
            Some(given) => vec![Test::Any(vec![vec![given, says]])],
            None => vec![says],
        }
    }

    /// "squash merges only", "only read in archive/".
    fn only_verb(&self, frame: &Frame, draft: Draft) -> Result<Vec<Case>, Trouble> {
        let reads = draft.doings.iter().any(|doing| *doing == Doing::Deed(Deed::Reads));
        if reads && !frame.slots.is_empty() {
            return Ok(split(Draft { doings: vec![Doing::Deed(Deed::Changes)], ..draft }));
        }
        Err(Trouble::Vague("what `only` is about".to_owned()))
    }

    /// "Every query on events needs a LIMIT": what is done without it is refused.
    fn needs(&self, frame: &Frame, needed: &Frame) -> Result<Vec<Case>, Trouble> {
        if !needed.unknown.is_empty() {
            return Err(Trouble::Words(needed.unknown.clone()));
        }
        let mut base = self.draft(frame)?;
        // "Whenever …, X must be in cc": what must be there stands before.
        if self.condition.is_some() && !needed.slots.is_empty() && base.doings.is_empty() {
            let tests = std::mem::take(&mut base.tests);
            return Ok(vec![Case {
                tests: tests.into_iter().filter_map(Test::negated).collect(),
                ..Case::default()
            }]);
        }
        if base.doings.is_empty() && base.tests.is_empty() {
            return Err(Trouble::Vague("what needs it".to_owned()));
        }
        if needed.asks {
            return Ok(split(base));
        }
        let mut needed = needed.clone();
        for slot in &mut needed.slots {
            if slot.role == Role::Having {
                slot.role = Role::Object;
            }
        }
        let wanted = match needed.affix {
            Some(affix) => self.affixed(frame, &needed, affix),
            None => self.required(&needed, &base)?,
        };
        if wanted.is_empty() {
            return Err(Trouble::Vague("what is needed".to_owned()));
        }
        // Each thing that is needed and missing is enough.
        Ok(wanted
            .into_iter()
            .flat_map(|test| {
                split(Draft {
                    doings: base.doings.clone(),
                    tests: base.tests.iter().cloned().chain([test]).collect(),
                    unless: base.unless.clone(),
                })
            })
            .collect())
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
        if of_event && frame.has(Marker::Protect) {
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
        if draft.doings.iter().any(schedules) {
            return true;
        }
        let is_open = (draft.doings.is_empty() || frame.has(Marker::Protect) && frame.slots.is_empty())
            && frame.slots.iter().all(|slot| !slot.nouns.iter().any(super::noun::Noun::is_definite));
        is_open && !frame.spans.is_empty() && self.hand.has_calendar()
    }

    fn amount(
        &self,
        amount: &Amount,
        unit: Option<&str>,
        frame: &Frame,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        let per_session = frame.per_session.then(|| counted(draft)).flatten();
        let of = self.parameter(frame).filter(|_| matches!(unit, Some("character" | "line" | "word")));
        let unit = of
            .map(|parameter| format!("{} of {parameter}", unit.unwrap_or_default()))
            .or_else(|| unit.map(str::to_owned));
        let unit = unit.as_deref();
        let unit = match (per_session, unit) {
            (Some(unit), _) => unit,
            (None, Some(unit)) => unit.to_owned(),
            (None, None) => {
                self.guessed_unit(frame).ok_or_else(|| Trouble::Vague("what is counted".to_owned()))?
            }
        };
        let denies = frame.has(Marker::Deny) || frame.has(Marker::Forbidden) || frame.asks;
        let (above, is) = match amount.compare {
            Compare::Above => (amount.number, true),
            Compare::AtLeast => (amount.number - 1, denies),
            Compare::AtMost => (amount.number, true),
            Compare::Below => (amount.number - 1, !denies),
            Compare::Equal if frame.has(Marker::Only) => (amount.number, true),
            Compare::Equal => return Err(Trouble::Vague("how many are too many".to_owned())),
        };
        draft.tests.push(Test::Measure { unit, above, is });
        Ok(())
    }

    fn guessed_unit(&self, frame: &Frame) -> Option<String> {
        let acts = frame.acts.iter().chain(&frame.verbs).filter_map(|number| self.lexicon.action(*number));
        let mut units = acts.map(|action| match action.name.as_str() {
            "schedule" => "minute",
            "buy" => "amount",
            "query" | "sql select" => "row",
            _ => "",
        });
        units.find(|unit| !unit.is_empty()).map(str::to_owned)
    }
}

/// What is counted in a session: calls that do this.
fn counted(draft: &Draft) -> Option<String> {
    let about = draft.tests.iter().find_map(|test| match test {
        Test::About { nouns, is: true } => nouns.first().map(|noun| format!("made about {noun}")),
        Test::Did { actions, is: true } => actions.first().map(|action| format!("made {action}")),
        _ => None,
    });
    about.or_else(|| {
        draft.doings.first().map(|doing| match doing {
            Doing::Did(name) => format!("made {name}"),
            Doing::Deed(deed) => format!("made {}", deed.name()),
        })
    })
}

/// Days and hours that stand beside each other hold together; what "or" joins are alternatives.
fn merged(spans: &[(Span, bool)]) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for (span, is_alternative) in spans {
        let Some(last) = merged.last_mut() else {
            merged.push(span.clone());
            continue;
        };
        let same = (last.days.is_empty() == span.days.is_empty())
            && (last.hours.is_empty() == span.hours.is_empty())
            && last.dates.is_none()
            && span.dates.is_none();
        if last.is_outside != span.is_outside || (*is_alternative && !same) {
            merged.push(span.clone());
        } else {
            last.days.extend(span.days.iter().copied());
            last.hours.extend(span.hours.iter().copied());
            last.months.extend(span.months.iter().copied());
            last.dates = last.dates.or(span.dates);
        }
    }
    merged
}

/// "… except to read it": what is left are changes.
fn except_reading(case: &mut Case) {
    let is_reading = |tests: &Vec<Test>| matches!(tests.as_slice(), [Test::Did { actions, .. }] if *actions == ["reading only"]);
    if case.unless.iter().any(is_reading) {
        case.unless.retain(|tests| !is_reading(tests));
        case.doings = vec![Doing::Deed(Deed::Changes)];
    }
}

fn split(draft: Draft) -> Vec<Case> {
    vec![Case { doings: draft.doings, tests: draft.tests, unless: draft.unless }]
}

/// A test on the place of something.
pub(crate) fn place(side: Side, places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side, places, inside }
}
