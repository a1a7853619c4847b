//! An argument by its own name with what it must be: "tavily_search always with time_range week or month", "sendUpdates
//! none", "max_depth 2 at most".

use crate::english::exact::Exact;
use crate::english::exact::rules::{Polarity, broken, refused};
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{bare, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// What an argument must be that is called by its own name.
    pub(in crate::english::exact) fn pairs(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rules) = self.only_pair(tokens).or_else(|| self.untouched(tokens)) {
            return Some(rules);
        }
        let tokens = strip_end(
            tokens,
            &["only", "always", ", nothing else", "and nothing else", ", always", "and no other"],
        )
        .unwrap_or(tokens);
        let at = tokens.iter().position(|token| self.is_own_name(token))?;
        let name = crate::names::words(&tokens.get(at)?.text).join(" ");
        let (front, said) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let said = strip(
            said,
            &["set to", "=", "is always", "is", "of", ":", "must be", "at", "must always be", "to", "only"],
        )
        .unwrap_or(said);
        if said.is_empty() {
            return None;
        }
        let names = vec![name.clone()];
        let predicate = match self.switched(said) {
            Some(check) => Predicate::So(check),
            None => self.predicate(said, &names)?,
        };
        let denied =
            strip(front, &["never", "no", "never use", "don't use", "do not use", "never set", "don't set"]);
        if denied.is_some_and(<[Token]>::is_empty) {
            let tests = broken(&names, &predicate, Polarity::Never)?;
            return Some(refused(Vec::new(), Vec::new(), tests));
        }
        let (tools, is_always) = self.tools_before(front)?;
        let tests = match (&predicate, tools.is_empty() && !is_always) {
            (Predicate::So(check), false) => {
                let tools = if tools.is_empty() { self.hand.tools_with(&name) } else { tools };
                let value = Test::Value { names, check: check.clone(), presence: Presence::Missing };
                vec![Test::Tool { names: tools, is: true }, value]
            }
            _ => broken(&names, &predicate, Polarity::Must)?,
        };
        Some(refused(Vec::new(), Vec::new(), tests))
    }

    /// "Only the labels bug and docs may be used."
    fn only_pair(&self, tokens: &[Token]) -> Option<Rules> {
        const USED: &[&str] = &[
            "may be used",
            "are allowed",
            "is allowed",
            "can be used",
            "are to be used",
            "is to be used",
            "may be set",
        ];
        let rest = strip_end(strip(tokens, &["only the", "only"])?, USED)?;
        (1..rest.len()).find_map(|at| {
            let parameter = self.parameter(rest.get(..at)?)?;
            let forms = self.values(rest.get(at..)?, &parameter.names)?;
            self.ruled(&parameter, &Predicate::So(Check::Forms(forms)), Polarity::Must)
        })
    }

    /// "Don't change issue titles": an argument of what is there already.
    fn untouched(&self, tokens: &[Token]) -> Option<Rules> {
        const CHANGING: &[&str] = &[
            "never change",
            "don't change",
            "do not change",
            "never edit",
            "don't edit",
            "do not edit",
            "never touch",
            "don't touch",
            "do not touch",
            "never rewrite",
            "don't rewrite",
            "never modify",
            "don't modify",
            "do not modify",
            "no changes to",
        ];
        const TEXTS: &[&str] =
            &["title", "description", "body", "subject", "summary", "label", "assignee", "milestone"];
        let rest = strip(tokens, CHANGING)?;
        let parameter = self.parameter(rest)?;
        let owner = parameter.owner.clone()?;
        if !parameter.names.iter().all(|name| TEXTS.contains(&name.as_str())) {
            return None;
        }
        let (doings, mut tests) = owner.written();
        tests.push(Test::Did { actions: vec!["create".to_owned()], is: false });
        let value = Test::Value { names: parameter.names, check: Check::Anything, presence: Presence::One };
        Some(refused(doings, tests, vec![value]))
    }

    /// A name that only an argument has: `time_range`, `sendUpdates`.
    fn is_own_name(&self, token: &Token) -> bool {
        let is_written = token.text.contains('_')
            || token
                .text
                .chars()
                .zip(token.text.chars().skip(1))
                .any(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase());
        let name = crate::names::words(&token.text).join(" ");
        is_written && token.shape != Shape::Quoted && self.hand.arguments_of(&[]).contains(name.as_str())
    }

    /// "on", "off", "true", "false".
    fn switched(&self, tokens: &[Token]) -> Option<Check> {
        let [one] = tokens else { return None };
        let value = match one.low.as_str() {
            "on" | "true" | "yes" => "true",
            "off" | "false" | "no" => "false",
            _ => return None,
        };
        Some(Check::Forms(vec![crate::meaning::Form::Is(value.to_owned())]))
    }

    /// The tools that words in front name, and whether it must be so each time.
    fn tools_before(&self, tokens: &[Token]) -> Option<(Vec<String>, bool)> {
        const LEADING: &[&str] = &[
            "with",
            "use",
            "uses",
            "set",
            "pass",
            "run with",
            "needs",
            "must have",
            "must use",
            "has",
            "have",
            "only with",
            "call with",
            ":",
            "goes with",
            "only use",
            "only",
            "must come with",
            "comes with",
        ];
        let rest = strip_end(tokens, LEADING).unwrap_or(tokens);
        let shorter = strip_end(rest, &["always", "must always", "only", "should always"]);
        let is_always = shorter.is_some() || tokens.iter().any(|token| token.low == "always");
        let rest = bare(shorter.unwrap_or(rest));
        let rest = strip(rest, &["always", "only", "call", "use"]).unwrap_or(rest);
        match rest {
            [] => Some((Vec::new(), is_always)),
            [one] => Some((vec![self.hand.tool(&one.text)?], true)),
            _ => None,
        }
    }
}
