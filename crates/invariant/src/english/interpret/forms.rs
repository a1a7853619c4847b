//! Forms of rules that are more than "never do this": what stays, what alone may be done, what is needed.

use super::{Draft, Interpreter, merged, place, split};
use crate::english::Trouble;
use crate::english::chunk::Literal;
use crate::english::frame::{Affix, Frame, Role};
use crate::english::lexicon::Marker;
use crate::english::noun::Noun;
use crate::meaning::{Case, Deed, Doing, Place, Saying, Side, Test};

impl Interpreter<'_> {
    /// "What is in vault/ stays in vault/": its data arrives nowhere else.
    pub(super) fn contained(&self, frame: &Frame) -> Result<Vec<Case>, Trouble> {
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
    pub(super) fn only_statements(&self, frame: &Frame) -> Option<Vec<Case>> {
        let acts: Vec<&str> = frame
            .acts
            .iter()
            .filter_map(|number| self.lexicon.action(*number))
            .map(|action| action.name.as_str())
            .collect();
        let is_sql = !acts.is_empty() && acts.iter().all(|name| name.starts_with("sql "));
        // "UPDATE only on orders": it is the place that alone is allowed.
        let is_placed = frame.slots.iter().any(|slot| slot.only && slot.nouns.iter().any(Noun::is_definite));
        if is_placed
            || !is_sql
            || !(frame.has(Marker::Only) || frame.has(Marker::Else))
            || frame.has(Marker::Deny)
        {
            return None;
        }
        let mut allowed: Vec<String> = acts.iter().map(|name| (*name).to_owned()).collect();
        if allowed.iter().any(|name| name == "sql select") {
            allowed.push("sql explain".to_owned());
        }
        let mut tests = vec![Test::Did { actions: allowed, is: false }];
        let spans = merged(&frame.spans);
        if !spans.is_empty() {
            tests.push(Test::Time { spans, is: true, of_event: false });
        }
        let times: Vec<Test> = tests.iter().skip(1).cloned().collect();
        let mut cases =
            split(Draft { doings: vec![Doing::Did("query".to_owned())], tests, ..Draft::default() });
        // A query may change something inside.
        if acts.iter().all(|name| *name == "sql select") {
            let table = place(Side::Object, vec![Place::Kind("table".to_owned())], true);
            let changes = vec![Doing::Deed(Deed::Changes)];
            let tests = std::iter::once(table).chain(times).collect();
            cases.extend(split(Draft { doings: changes, tests, ..Draft::default() }));
        }
        Some(cases)
    }

    /// "Every commit message starts with feat: or fix:".
    pub(super) fn affixed(&self, frame: &Frame, needed: &Frame, affix: Affix) -> Vec<Test> {
        let nouns: Vec<&Noun> = needed.slots.iter().flat_map(|slot| &slot.nouns).collect();
        let is_branch = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "branch"));
        let literals = nouns.iter().flat_map(|noun| &noun.literals).filter_map(|literal| match literal {
            Literal::Quoted(text) => Some(text.clone()),
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
                Affix::Start => format!("{text}*"),
                Affix::End => format!("*{text}"),
            };
            return vec![Test::Branch { patterns: texts.iter().map(glob).collect(), is: false }];
        }
        let sign = match affix {
            Affix::Start => '^',
            Affix::End => '$',
        };
        let what = texts.iter().map(|text| Saying::Words(format!("{sign}{text}"))).collect();
        let parameter = self.parameter(frame);
        let given = parameter.clone().map(|word| Test::Given { word, is: true });
        let says = Test::Says { what, parameter, is: false };
        match given {
            Some(given) => vec![Test::Any(vec![vec![given, says]])],
            None => vec![says],
        }
    }

    /// "squash merges only", "only read in archive/".
    pub(super) fn only_verb(&self, frame: &Frame, draft: Draft) -> Result<Vec<Case>, Trouble> {
        let reads = draft.doings.contains(&Doing::Deed(Deed::Reads));
        if reads && !frame.slots.is_empty() {
            return Ok(split(Draft { doings: vec![Doing::Deed(Deed::Changes)], ..draft }));
        }
        // "Only drafts": no mail is sent.
        let drafts = !frame.acts.is_empty()
            && frame.acts.iter().chain(&frame.verbs).all(|number| self.is_named(*number, "draft"));
        if drafts && frame.slots.is_empty() {
            let did = Doing::Did("mail".to_owned());
            return Ok(split(Draft { doings: vec![did], tests: draft.tests, ..Draft::default() }));
        }
        Err(Trouble::Vague("what `only` is about".to_owned()))
    }

    /// "Every query on events needs a LIMIT": what is done without it is refused.
    pub(super) fn needs(&self, frame: &Frame, needed: &Frame) -> Result<Vec<Case>, Trouble> {
        if !needed.unknown.is_empty() {
            return Err(Trouble::Words(needed.unknown.clone()));
        }
        let mut base = self.draft(frame)?;
        let mut of_argument = false;
        // "Whenever …, X must be in cc": what must be there stands before.
        if self.condition.is_some() && !needed.slots.is_empty() && base.doings.is_empty() {
            let tests = std::mem::take(&mut base.tests);
            return Ok(vec![Case {
                tests: tests.into_iter().filter_map(Test::negated).collect(),
                ..Case::default()
            }]);
        }
        if base.doings.is_empty()
            && base.tests.is_empty()
            && let Some(word) = self.parameter(frame)
        {
            base.tests.push(Test::Given { word, is: true });
            of_argument = true;
        }
        if base.doings.is_empty() && base.tests.is_empty() {
            return Err(Trouble::Vague("what needs it".to_owned()));
        }
        if needed.asks {
            return Ok(split(base));
        }
        // "Pull requests must be drafts": those that are made, not those that are looked at.
        let is_noun = |test: &Test| matches!(test, Test::Did { .. } | Test::About { .. });
        if base.doings.is_empty() && base.tests.iter().all(is_noun) {
            base.doings.push(Doing::Deed(Deed::Writes));
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
        // An argument alone needs a text or a value.
        let is_place =
            |test: &Test| matches!(test, Test::Place { .. } | Test::Did { .. } | Test::About { .. });
        if wanted.is_empty() || (of_argument && wanted.iter().any(is_place)) {
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
}
