//! Whom nobody writes to, and when nobody is written to: "on Sundays nobody outside acme.com hears from us", "no contact with
//! anyone at rival.example, neither by mail nor by invitation", "no mails, Slack posts or merges at weekends".

use super::mention::{Mention, What};
use super::stretch::{DENYING, Kind, has, stretches};
use crate::english::exact::{Exact, Part, words};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Deed, Doing, Place, Side, Span, Test, Verdict};

/// What says that nothing at all gets to somebody.
const CONTACT: &[&str] = &["contact", "contacts", "contacted", "hears", "hear", "disturbed", "bothered"];

/// What would be passed over here.
const OTHERWISE: &[&str] = &[
    "only", "except", "unless", "before", "after", "until", "about", "of", "learn", "word", "ask", "first",
    "once", "what", "from", "weekdays", "outside", "than",
];

impl Exact<'_> {
    /// A ban on writing to somebody, or to anybody at a time.
    pub(super) fn contacts(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let stretches = stretches(tokens);
        let rule: Vec<Token> = stretches
            .iter()
            .filter(|own| own.kind == Kind::Rule)
            .flat_map(|own| {
                let comma =
                    Token { text: ",".to_owned(), low: ",".to_owned(), shape: Shape::Mark(','), at: 0 };
                own.tokens.iter().cloned().chain([comma])
            })
            .collect();
        let (time, rest) = self.without_time(&rule);
        if !has(&rest, DENYING) {
            return None;
        }
        let cases = self.unwritten(&rest).or_else(|| self.quiet(&rest, time.is_some()))?;
        let rules = cases.into_iter().map(|case| {
            // A meeting is meant when it takes place.
            let of_event = case.doings == [Doing::Did("schedule".to_owned())];
            let timed = time
                .iter()
                .cloned()
                .fold(case, |case, span| case.and(Test::Time { spans: vec![span], is: true, of_event }));
            (Verdict::Deny, timed)
        });
        let mut parts = vec![Part::Rules(rules.collect())];
        let told = stretches.iter().filter(|own| own.kind != Kind::Rule);
        parts.extend(told.map(|own| Part::Aside(words::text(own.tokens))));
        Some(parts)
    }

    /// The time that a text names, and the text without it.
    fn without_time(&self, tokens: &[Token]) -> (Option<Span>, Vec<Token>) {
        let found = (0..tokens.len()).find_map(|at| {
            let (span, length) =
                when::read(tokens.get(at..)?, self.year).filter(|(_, length)| *length > 0)?;
            Some((span, at, length))
        });
        match found {
            Some((span, at, length)) => {
                let before = tokens.iter().take(at);
                (Some(span), before.chain(tokens.iter().skip(at + length)).cloned().collect())
            }
            None => (None, tokens.to_vec()),
        }
    }

    /// Somebody who gets nothing.
    fn unwritten(&self, tokens: &[Token]) -> Option<Vec<Case>> {
        let mentions = self.mentions(tokens);
        let hears = has(tokens, CONTACT) && !has(tokens, &["about", "of", "learn", "what"]);
        let several = ["mail", "chat", "calendar", "invitations"].iter().filter(|name| {
            mentions
                .iter()
                .any(|own| matches!(&own.what, What::Service(service, _) if service.name == **name))
        });
        let is_all = hears || several.count() > 1;
        let parties = mentions.iter().filter(|own| matches!(own.what, What::Party(_))).count();
        let is_other =
            has(tokens, &["only", "except", "unless", "without", "cc", "bcc", "all", "has", "have"]);
        if !is_all || parties == 0 || is_other || tokens.iter().any(|token| token.shape == Shape::Path) {
            return None;
        }
        let to = |places: Vec<Place>, inside: bool| Test::Place { side: Side::To, places, inside };
        let mut cases = Vec::new();
        for own in &mentions {
            let (deed, tests) = match &own.what {
                What::Party(place) if is_outside(tokens, own) => {
                    let people = vec![Place::Kind("person".to_owned()), Place::External];
                    (Deed::Sends, vec![to(people, true), to(vec![place.clone()], false)])
                }
                What::Party(place) => (Deed::Sends, vec![to(vec![place.clone()], true)]),
                What::Thing(places) => (Deed::Writes, vec![to(places.clone(), true)]),
                _ => continue,
            };
            cases.push(Case { doings: vec![Doing::Deed(deed)], tests, ..Case::default() });
        }
        Some(cases)
    }

    /// Several kinds of calls that rest for a time.
    fn quiet(&self, tokens: &[Token], is_timed: bool) -> Option<Vec<Case>> {
        let is_named = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Mark(_));
        if !is_timed || has(tokens, OTHERWISE) || tokens.iter().any(is_named) || self.has_time(tokens) {
            return None;
        }
        let mut cases = self.calls_told(tokens, false);
        cases.extend(self.mentions(tokens).iter().filter_map(|own| {
            let (doings, tests) = self.reached_by(&own.what)?;
            Some(Case { doings, tests, ..Case::default() })
        }));
        let mut kept: Vec<Case> = Vec::new();
        for case in cases {
            // Messages are posts.
            let is_known = kept.contains(&case);
            if !is_known {
                kept.push(case);
            }
        }
        let writes = |name: &str| kept.iter().any(|case| case.doings == [Doing::Did(name.to_owned())]);
        let is_several = kept.len() > 1 && (writes("mail") || writes("post"));
        is_several.then_some(kept)
    }

    fn has_time(&self, tokens: &[Token]) -> bool {
        (0..tokens.len()).any(|at| tokens.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some()))
    }
}

/// "anyone outside acme.com", "people who are not at acme.com".
fn is_outside(tokens: &[Token], own: &Mention) -> bool {
    let near = tokens.get(own.at.saturating_sub(3)..own.at).unwrap_or_default();
    has(near, &["outside", "beyond", "isn't", "aren't", "not"])
}
