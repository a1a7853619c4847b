//! What an argument must not be, and what alone it may be.

use super::{Polarity, Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::values::parameter::Parameter;
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{around, bare, items, stems, strip, strip_end, text};
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Form, Presence, Saying, Test};

const DENYING: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you may not",
    "must not",
    "you must never",
    "please never",
    "please don't",
];
const SETTING: &[&str] = &["set", "put", "use", "choose", "pick", "turn", "raise", "heat"];

/// Words that compare, with what they compare.
const COMPARING: &[(&str, &str, bool)] = &[
    ("warmer than", "temperature", true),
    ("hotter than", "temperature", true),
    ("colder than", "temperature", false),
    ("cooler than", "temperature", false),
    ("louder than", "volume", true),
    ("brighter than", "brightness", true),
];

/// "… or leave them unassigned": nobody is no other one.
const NOBODY: &[&str] = &[
    "or leave them unassigned",
    "or leave it unassigned",
    "or leave unassigned",
    "or to nobody",
    "or to no one",
    "or nobody",
    "or no one",
    "or leave the assignee empty",
    "or leave them open",
    "or leave it open",
    ", or leave them unassigned",
    ", or leave it unassigned",
];

impl Exact<'_> {
    /// "never above 23 degrees", "never below 16 and never above 23 degrees": degrees say what is meant.
    pub(super) fn degrees(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = strip(tokens, &["thermostat :", "heating :", "temperature :", "the heating", "heating"])
            .unwrap_or(tokens);
        let rest = strip_end(tokens, &["degrees", "degrees celsius", "degree"])?;
        let names = self
            .ground(&["temperature".to_owned()], &[])
            .or_else(|| self.hand.mentions("temperature").then(|| vec!["temperature".to_owned()]))?;
        let mut rules = Vec::new();
        for part in items(rest) {
            let said = strip(part, &["never", "not", "no", "nothing"])?;
            let said: Vec<Token> = said
                .iter()
                .filter(|token| !matches!(token.low.as_str(), "degrees" | "degree"))
                .cloned()
                .collect();
            let above = strip(&said, &["above", "over", "higher than", "warmer than", "more than"]);
            let below = strip(&said, &["below", "under", "lower than", "colder than", "less than"]);
            let number = |tokens: &[Token]| {
                let (number, length) = crate::english::amount::read_number(tokens)?;
                (length == tokens.len()).then_some(number)
            };
            let check = match (above, below) {
                (Some(rest), _) => Check::Above(number(rest)?),
                (None, Some(rest)) => Check::Below(number(rest)?),
                (None, None) => return None,
            };
            let test = Test::Value { names: names.clone(), check, presence: Presence::One };
            rules.extend(refused(Vec::new(), Vec::new(), vec![test]));
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// "Keep pull request titles under 60 characters."
    pub(super) fn kept(&self, tokens: &[Token]) -> Option<Rules> {
        let rest =
            strip(tokens, &["keep", "limit", "restrict", "hold", "always keep", "leave", "always leave"])?;
        (1..rest.len()).rev().find_map(|at| {
            let parameter = self.parameter(rest.get(..at)?)?;
            let said = rest.get(at..)?;
            let predicate = match strip(said, &["to"]) {
                Some(said) => self.most(said).or_else(|| self.predicate(said, &parameter.names))?,
                None => self.predicate(said, &parameter.names)?,
            };
            self.ruled(&parameter, &predicate, Polarity::Must)
        })
    }

    /// "limit … to 5": at most that.
    fn most(&self, tokens: &[Token]) -> Option<Predicate> {
        let (number, length) = crate::english::amount::read_number(tokens)?;
        let is_all = tokens.get(length..)?.is_empty();
        is_all.then_some(Predicate::So(Check::Below(number.checked_add(1)?)))
    }

    /// "no due dates on a weekend", "never set the priority to urgent", "no issue without a label".
    pub(super) fn banned(&self, tokens: &[Token]) -> Option<Rules> {
        let verb = strip(tokens, DENYING);
        let rest = strip(tokens, &["no", "never any", "use no", "set no", "add no", "put on no"]).or(verb)?;
        if let Some(verb) = verb
            && let Some(rules) = self.compared(verb)
        {
            return Some(rules);
        }
        if let Some(rules) = self.without(rest) {
            return Some(rules);
        }
        if let Some((named, _, values)) =
            around(rest, &["other than", "except", "but", "besides", "apart from"])
            && let Some(named) = if verb.is_some() { strip(named, SETTING) } else { Some(named) }
            && let Some(parameter) = self.parameter(named)
            && let Some(forms) = self.values(values, &parameter.names)
        {
            return self.ruled(&parameter, &Predicate::So(Check::Forms(forms)), Polarity::Must);
        }
        let named = match verb {
            Some(verb) => strip(verb, SETTING)?,
            None => rest,
        };
        (1..named.len()).rev().find_map(|at| {
            let parameter = self.parameter(named.get(..at)?)?;
            let said = named.get(at..)?;
            let said = strip(said, &["to", "to be", "that are", "that is", "which are"]).unwrap_or(said);
            let predicate = self.predicate(said, &parameter.names)?;
            let is_text = matches!(&predicate, Predicate::So(Check::Forms(forms)) if forms.iter().any(|form| matches!(form, Form::Is(_))));
            // "no title Foo" is nothing that anybody says.
            (verb.is_some() || !is_text || said.len() > 1 || !parameter.names.iter().any(|name| name == "title"))
                .then(|| self.ruled(&parameter, &predicate, Polarity::Never))
                .flatten()
        })
    }

    /// "no issue without a label", "never open an issue without a label", "no events with a link in the title".
    fn without(&self, tokens: &[Token]) -> Option<Rules> {
        let (before, word, behind) = around(tokens, &["without", "with", "with no", "lacking"])?;
        let polarity = if word == "with" { Polarity::Never } else { Polarity::Must };
        const MAKING: &[&str] = &[
            "create", "open", "make", "add", "file", "send", "write", "post", "book", "schedule", "submit",
            "raise", "publish", "start", "run",
        ];
        let scope = self.scope(before).or_else(|| self.scope(strip(before, MAKING)?))?;
        // "no commits with the word wip"
        if polarity == Polarity::Never
            && let Some(words) =
                strip(behind, &["the word", "the words"]).and_then(|words| self.quoted_words(words))
        {
            let what = words.into_iter().map(Saying::Words).collect();
            let (doings, tests) = scope.written();
            return Some(refused(doings, tests, vec![Test::Says { what, parameter: None, is: true }]));
        }
        let test = self.had(behind, &scope, polarity)?;
        let (doings, tests) = if polarity == Polarity::Must { scope.made() } else { scope.written() };
        Some(refused(doings, tests, vec![test]))
    }

    /// "never set the shop warmer than 21 degrees".
    fn compared(&self, verb: &[Token]) -> Option<Rules> {
        let rest = strip(verb, SETTING)?;
        let phrases: Vec<&str> = COMPARING.iter().map(|(phrase, ..)| *phrase).collect();
        let (object, phrase, behind) = around(rest, &phrases)?;
        let (_, what, is_above) = COMPARING.iter().find(|(own, ..)| *own == phrase)?;
        // Tools that take anything say in their descriptions what.
        let names = self
            .ground(&stems(&[word(what)]), &[])
            .or_else(|| self.hand.mentions(what).then(|| vec![(*what).to_owned()]))?;
        let (number, length) = crate::english::amount::read_number(behind)?;
        let unit = behind.get(length..)?;
        if !strip(unit, &["degrees", "degree", "percent", "%", "celsius", "degrees celsius"])
            .unwrap_or(unit)
            .is_empty()
        {
            return None;
        }
        let check = if *is_above { Check::Above(number) } else { Check::Below(number) };
        let mut tests = vec![Test::Value { names, check, presence: Presence::One }];
        let object = bare(object);
        let is_open = strip(object, &["anything", "it", "heating", "heat"]).is_some_and(<[Token]>::is_empty);
        if !object.is_empty() && !is_open {
            let each = items(object);
            let what = each.into_iter().map(|item| Saying::Words(text(bare(item)))).collect();
            tests.push(Test::Says { what, parameter: None, is: true });
        }
        Some(refused(Vec::new(), Vec::new(), tests))
    }

    /// "labels: only bug and docs", "only bug and docs as labels", "deploy to europe-* regions only".
    pub(super) fn only_values(&self, tokens: &[Token]) -> Option<Rules> {
        const ALONE: &[&str] = &[
            "and nowhere else",
            "and nothing else",
            "only",
            "alone",
            "and no other",
            "and no others",
            "exclusively",
        ];
        if let Some((before, _, behind)) = around(tokens, &[": only", "only", ": always", ":"])
            && !before.is_empty()
            && let Some(parameter) = self.parameter(before)
            && let Some(forms) = self.values(strip_end(behind, ALONE).unwrap_or(behind), &parameter.names)
        {
            return self.ruled(&parameter, &Predicate::So(Check::Forms(forms)), Polarity::Must);
        }
        if let Some(rest) =
            strip(tokens, &["only", "use only", "only use", "nothing but", "always use", "always"])
            && let Some((values, _, named)) = around(rest, &["as the", "as a", "as", "for the", "for"])
            && let Some(parameter) = self.parameter(named)
            && let Some(forms) = self.values(values, &parameter.names)
        {
            return self.ruled(&parameter, &Predicate::So(Check::Forms(forms)), Polarity::Must);
        }
        if let Some(rest) = strip(tokens, &["only", "use only", "only use", "always use"]) {
            let said = (1..rest.len()).find_map(|at| {
                let parameter = self.parameter(rest.get(..at)?)?;
                let predicate = self.predicate(rest.get(at..)?, &parameter.names)?;
                let is_form = matches!(&predicate, Predicate::So(Check::Forms(forms)) if !forms.iter().any(|form| matches!(form, Form::Is(_))));
                is_form.then(|| self.ruled(&parameter, &predicate, Polarity::Must)).flatten()
            });
            if said.is_some() {
                return said;
            }
            // "only basic search depth"
            let valued = (1..rest.len()).find_map(|at| {
                let names = self.ground(&stems(rest.get(at..)?), &[])?;
                let forms = self.values(rest.get(..at)?, &names)?;
                self.ruled(
                    &Parameter { names, owner: None },
                    &Predicate::So(Check::Forms(forms)),
                    Polarity::Must,
                )
            });
            if valued.is_some() {
                return valued;
            }
        }
        self.attached(tokens).or_else(|| self.valued(tokens, ALONE))
    }

    /// "attach only PDFs", "only PDF attachments", "clients get PDF files, no other kind of attachment".
    fn attached(&self, tokens: &[Token]) -> Option<Rules> {
        const ENDS: &[&str] = &[
            ", no other kind of attachment",
            ", no other kind of attachments",
            ", no other attachments",
            ", no other attachment",
            "as attachments",
            "attachments",
            "as attachment",
            "as an attachment",
            "as attachments only",
            "attachments only",
        ];
        let names = self.ground(&["attachment".to_owned()], &[])?;
        let kinds = match strip(tokens, &["attach only", "only attach", "attach nothing but", "only"]) {
            Some(rest) => strip_end(rest, ENDS)
                .or_else(|| strip(tokens, &["attach only", "only attach", "attach nothing but"]))?,
            None => {
                let front = strip_end(tokens, ENDS)?;
                let (_, _, kinds) = around(front, &["gets", "get", "receive", "receives", "only"])?;
                strip(kinds, &["only"]).unwrap_or(kinds)
            }
        };
        let forms = self.values(kinds, &names)?;
        let test = Test::Value { names, check: Check::Forms(forms), presence: Presence::Other };
        Some(refused(Vec::new(), Vec::new(), vec![test]))
    }

    /// "deploy only to europe-* regions", "never deploy to us-* regions", "issues go to the project web only".
    fn valued(&self, tokens: &[Token], alone: &[&str]) -> Option<Rules> {
        let ended = strip_end(tokens, alone);
        let (rest, polarity) = match (strip(tokens, DENYING), strip(tokens, &["only"]), ended) {
            (Some(rest), _, _) => (rest, Polarity::Never),
            (None, Some(rest), _) => (rest, Polarity::Must),
            (None, None, Some(rest)) => (rest, Polarity::Must),
            (None, None, None) => (tokens, Polarity::Must),
        };
        let is_only = ended.is_some() || strip(tokens, &["only"]).is_some();
        let (before, word, behind) = around(
            rest,
            &[
                "only to",
                "only in",
                "only on",
                "only with",
                "always with",
                "always in",
                "always to",
                "always on",
                "always at",
                "to",
                "in",
                "on",
                "with",
                "at",
                "into",
            ],
        )?;
        if !is_only && polarity == Polarity::Must && !word.starts_with("only") && !word.starts_with("always")
        {
            return None;
        }
        let scope = self
            .scope(strip_end(before, &["go", "goes", "run", "runs"]).unwrap_or(before))
            .or_else(|| self.act(before))?;
        let behind = bare(behind);
        (1..behind.len()).find_map(|at| {
            let (values, named) = (behind.get(..at)?, behind.get(at..)?);
            let joins = |token: &Token| matches!(token.low.as_str(), "or" | "and" | ",");
            if named.first().is_some_and(joins) || values.last().is_some_and(joins) {
                return None;
            }
            let pair = |values: &[Token], named: &[Token]| {
                let names = self.ground(&stems(named), &scope.nouns)?;
                let forms = self.values(values, &names)?;
                let presence = if polarity == Polarity::Must { Presence::Other } else { Presence::One };
                Some(Test::Value { names, check: Check::Forms(forms), presence })
            };
            let test = pair(values, named).or_else(|| pair(named, values))?;
            let makes = |token: &Token| {
                matches!(token.low.as_str(), "new" | "create" | "open" | "make" | "add" | "file")
            };
            let (doings, tests) = match before.iter().any(makes) {
                true => scope.made(),
                false => (scope.doings.clone(), scope.tests.clone()),
            };
            Some(refused(doings, tests, vec![test]))
        })
    }

    /// A verb that is an act by itself: "deploy".
    fn act(&self, tokens: &[Token]) -> Option<crate::english::exact::scope::Scope> {
        let (doings, tests) = self.loosely(tokens)?;
        (!doings.is_empty()).then(|| crate::english::exact::scope::Scope {
            doings,
            tests,
            ..crate::english::exact::scope::Scope::default()
        })
    }

    /// "always set the region to eu-west-1", "set sendUpdates to none".
    pub(super) fn set_so(&self, tokens: &[Token]) -> Option<Rules> {
        let rest =
            strip(tokens, &["always set", "always use", "set", "use", "always choose", "always pick"])?;
        let (named, _, said) = around(rest, &["to", ":", "="])?;
        let parameter = self.parameter(named)?;
        let (said, owner) = match around(
            said,
            &["on every", "for every", "on all", "for all", "in every", "for", "on", "when"],
        ) {
            Some((said, _, owner)) => (said, Some(self.scope(owner)?)),
            None => (said, None),
        };
        let predicate = self.predicate(said, &parameter.names)?;
        let Predicate::So(check) = predicate else { return None };
        match owner.or(parameter.owner.clone()) {
            Some(owner) => {
                let (doings, tests) = owner.made();
                let test = Test::Value { names: parameter.names, check, presence: Presence::Missing };
                Some(refused(doings, tests, vec![test]))
            }
            None => self.ruled(&parameter, &Predicate::So(check), Polarity::Must),
        }
    }

    /// "issues may only be labelled bug or docs", "jobs are assigned to ann".
    fn marked_so(&self, tokens: &[Token]) -> Option<Rules> {
        const MARKED: &[(&str, &str, Polarity)] = &[
            ("may only be labelled", "label", Polarity::Must),
            ("may only be labeled", "label", Polarity::Must),
            ("may be labelled", "label", Polarity::Must),
            ("may be labeled", "label", Polarity::Must),
            ("must be labelled", "label", Polarity::Must),
            ("must never be labelled", "label", Polarity::Never),
            ("must not be labelled", "label", Polarity::Never),
            ("may only be tagged", "label", Polarity::Must),
            ("may only be assigned to", "assignee", Polarity::Must),
            ("must only be assigned to", "assignee", Polarity::Must),
            ("may be assigned to", "assignee", Polarity::Must),
            ("are assigned to", "assignee", Polarity::Must),
            ("are always assigned to", "assignee", Polarity::Must),
            ("must be assigned to", "assignee", Polarity::Must),
            ("have to be assigned to", "assignee", Polarity::Must),
            ("must not be assigned to", "assignee", Polarity::Never),
            ("must never be assigned to", "assignee", Polarity::Never),
        ];
        let phrases: Vec<&str> = MARKED.iter().map(|(phrase, ..)| *phrase).collect();
        let (subject, phrase, values) = around(tokens, &phrases)?;
        let (_, said, polarity) = MARKED.iter().find(|(own, ..)| *own == phrase)?;
        let ended = strip_end(
            values,
            &[", nothing else", "and nothing else", "only", ", nobody else", "and nobody else"],
        );
        // "may be" limits only where it says that nothing else may.
        if phrase.starts_with("may be") && ended.is_none() {
            return None;
        }
        let owner = self.scope(subject)?;
        let names = self.ground(&[(*said).to_owned()], &owner.nouns)?;
        let forms = self.values(ended.unwrap_or(values), &names)?;
        self.ruled(&Parameter { names, owner: Some(owner) }, &Predicate::So(Check::Forms(forms)), *polarity)
    }

    /// "assign to ann or bob", "never assign anything to me (joel)", and behind such a rule "never to me".
    pub(super) fn given_to(&self, tokens: &[Token]) -> Option<Rules> {
        let (rest, polarity) = match strip(tokens, DENYING) {
            Some(rest) => (rest, Polarity::Never),
            None => (strip(tokens, &["only", "always"]).unwrap_or(tokens), Polarity::Must),
        };
        let rest = strip_end(rest, &["only", "and to nobody else", "and nobody else"]).unwrap_or(rest);
        let rest = match strip_end(rest, NOBODY) {
            Some(rest) if polarity == Polarity::Must => rest,
            Some(_) => return None,
            None => rest,
        };
        if let Some(rules) = self.marked_so(tokens) {
            return Some(rules);
        }
        if let Some(values) = strip(rest, &["to"]) {
            let last = self.last.borrow().clone()?;
            let forms = self.values(values, &last.names)?;
            return self.ruled(&last, &Predicate::So(Check::Forms(forms)), polarity);
        }
        if let Some(values) = strip(rest, &["label", "tag", "use the label", "use the labels", "use labels"])
            && (polarity == Polarity::Never || rest.len() < tokens.len())
            && let Some(names) = self.ground(&["label".to_owned()], &[])
            && let Some(forms) = self.values(values, &names)
        {
            return self.ruled(
                &Parameter { names, owner: None },
                &Predicate::So(Check::Forms(forms)),
                polarity,
            );
        }
        if let Some(rules) = self.given_to_others(rest, polarity) {
            return Some(rules);
        }
        let (verb, _, values) = around(rest, &["to", "only to"])?;
        let (first, object) = verb.split_first()?;
        let said = match first.low.as_str() {
            "assign" | "give" | "hand" if self.ground(&["assignee".to_owned()], &[]).is_some() => "assignee",
            _ => return None,
        };
        let is_open = strip(object, &["anything", "everything", "it", "them", "things", "all"])
            .unwrap_or(object)
            .is_empty();
        let owner = if is_open { None } else { Some(self.scope(object)?) };
        let nouns = owner.as_ref().map(|owner| owner.nouns.clone()).unwrap_or_default();
        let names = self.ground(&[said.to_owned()], &nouns)?;
        let forms = match values {
            [me] if matches!(me.low.as_str(), "me" | "myself") => vec![Form::Is("me".to_owned())],
            values => self.values(values, &names)?,
        };
        self.ruled(&Parameter { names, owner }, &Predicate::So(Check::Forms(forms)), polarity)
    }
}

impl Exact<'_> {
    /// "don't assign issues to anyone but me (rowanp)", "assign nobody except bob42".
    fn given_to_others(&self, tokens: &[Token], polarity: Polarity) -> Option<Rules> {
        const OTHERS: &[&str] = &[
            "anyone",
            "anybody",
            "someone",
            "somebody",
            "people",
            "any person",
            "anyone else",
            "others",
            "another person",
        ];
        const NO_ONE: &[&str] = &["nobody", "no one", "none", "no person"];
        const BUT: &[&str] =
            &["but", "except", "other than", "besides", "apart from", "than", "except for", "but to"];
        let (front, _, values) = around(tokens, BUT)?;
        let front = match polarity {
            Polarity::Never => strip_end(front, OTHERS)?,
            Polarity::Must => strip_end(front, NO_ONE)?,
        };
        let front = strip_end(front, &["to"]).unwrap_or(front);
        let (first, object) = front.split_first()?;
        if !matches!(first.low.as_str(), "assign" | "give" | "hand") {
            return None;
        }
        let is_open = strip(object, &["anything", "everything", "it", "them", "things", "issues to", ""])
            .unwrap_or(object)
            .is_empty();
        let owner = if is_open { None } else { Some(self.scope(object)?) };
        let nouns = owner.as_ref().map(|owner| owner.nouns.clone()).unwrap_or_default();
        let names = self.ground(&["assignee".to_owned()], &nouns)?;
        let forms = match values {
            [me] if matches!(me.low.as_str(), "me" | "myself") => vec![Form::Is("me".to_owned())],
            values => self.values(values, &names)?,
        };
        self.ruled(&Parameter { names, owner }, &Predicate::So(Check::Forms(forms)), Polarity::Must)
    }
}

fn word(text: &str) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: 0 }
}
