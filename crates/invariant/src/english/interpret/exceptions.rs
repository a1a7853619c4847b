//! What is excepted from a rule, and what a rule requires.

use super::{Draft, Interpreter};
use crate::english::Trouble;
use crate::english::amount::Compare;
use crate::english::frame::{Frame, Role};
use crate::meaning::{Deed, Doing, Place, Saying, Test};

impl Interpreter<'_> {
    /// Exceptions: each alone is enough.
    pub(super) fn exceptions(&self, excepted: &Frame, frame: &Frame) -> Result<Vec<Vec<Test>>, Trouble> {
        if excepted.asks {
            return Ok(Vec::new());
        }
        if !excepted.unknown.is_empty() {
            return Err(Trouble::Words(excepted.unknown.clone()));
        }
        let mut draft = Draft { doings: self.doings(frame), ..Draft::default() };
        let mut inner = excepted.clone();
        // "no file except README.md" excepts what the object is.
        for slot in &mut inner.slots {
            slot.only = false;
            if slot.role == Role::Object
                && let Some(role) = frame
                    .slots
                    .last()
                    .map(|slot| slot.role)
                    .filter(|role| matches!(role, Role::To | Role::From))
            {
                slot.role = role;
            }
        }
        let own = self.doings(&inner);
        // "… except to read it"
        if own == [Doing::Deed(Deed::Reads)]
            && inner.slots.iter().all(|slot| slot.nouns.iter().all(|noun| noun.is_it || !noun.is_definite()))
        {
            return Ok(vec![vec![Test::Did { actions: vec!["reading only".to_owned()], is: true }]]);
        }
        // "unless the tests have passed"
        let is_step = |doing: &Doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "test" | "lint" | "build" | "back up"));
        if !own.is_empty() && own.iter().all(is_step) {
            return Ok(vec![vec![self.earlier(&inner, true)?]]);
        }
        self.slots(&inner, &mut draft)?;
        let of_event = self.is_of_event(&draft, frame);
        let spans = super::merged(&inner.spans);
        if !spans.is_empty() {
            draft.tests.push(Test::Time { spans, is: true, of_event });
        }
        for (amount, unit) in &inner.amounts {
            self.amount(amount, unit.as_deref(), &inner, &mut draft)?;
        }
        for doing in own {
            if let Doing::Did(name) = doing {
                draft.tests.push(Test::Did { actions: vec![name], is: true });
            }
        }
        Ok(if draft.tests.is_empty() { Vec::new() } else { vec![draft.tests] })
    }

    /// What must be there, each as a test that it is not.
    pub(super) fn required(&self, needed: &Frame, base: &Draft) -> Result<Vec<Test>, Trouble> {
        // "needs accounting@acme.com in cc"
        let nouns = || needed.slots.iter().flat_map(|slot| &slot.nouns);
        let addresses: Vec<Saying> = nouns()
            .flat_map(|noun| &noun.places)
            .filter_map(|place| match place {
                Place::Address(address) => Some(Saying::Words(address.clone())),
                _ => None,
            })
            .collect();
        if let (false, Some(parameter)) = (addresses.is_empty(), nouns().find_map(|noun| noun.given.clone()))
        {
            return Ok(addresses
                .into_iter()
                .map(|address| Test::Says {
                    what: vec![address],
                    parameter: Some(parameter.clone()),
                    is: false,
                })
                .collect());
        }
        let mut draft = Draft { doings: base.doings.clone(), ..Draft::default() };
        self.slots(needed, &mut draft)?;
        let mut tests: Vec<Test> = draft.tests.into_iter().filter_map(Test::negated).collect();
        for (amount, unit) in &needed.amounts {
            let unit = unit.clone().or_else(|| self.guessed_unit(needed)).unwrap_or_else(|| "row".to_owned());
            let (above, is) = match amount.compare {
                Compare::AtLeast => (amount.number - 1, false),
                Compare::Above => (amount.number, false),
                Compare::Below => (amount.number - 1, true),
                Compare::AtMost | Compare::Equal => (amount.number, true),
            };
            tests.push(Test::Measure { unit, above, is });
        }
        for number in needed.acts.iter().chain(&needed.verbs) {
            let action = self.lexicon.action(*number);
            if let Some(action) = action.filter(|action| action.deed.is_empty() && action.name != "mention") {
                tests.push(Test::Did { actions: vec![action.name.clone()], is: false });
            }
        }
        let spans = super::merged(&needed.spans);
        if !spans.is_empty() {
            tests.push(Test::Time { spans, is: false, of_event: self.hand.has_calendar() });
        }
        Ok(tests)
    }
}
