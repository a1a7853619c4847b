//! What nobody may be given, by the name that calls show: "nobody gets AdministratorAccess", "never grant owner rights",
//! "no policy with Action \"*\"".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Saying, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const FRONT: &[&str] = &[
    "nobody gets",
    "no one gets",
    "nobody receives",
    "no one receives",
    "nobody is given",
    "no one is given",
    "nobody is granted",
    "no one is granted",
    "nobody may get",
    "no one may get",
    "nobody has",
    "never grant",
    "never give",
    "never attach",
    "never assign",
    "never hand out",
    "don't grant",
    "don't give",
    "don't attach",
    "don't assign",
    "do not grant",
    "do not give",
    "do not attach",
    "do not assign",
    "never add",
    "never use",
    "don't use",
    "do not use",
    "no user gets",
    "no role gets",
    "no account gets",
    "never get",
    "never have",
];

const BEHIND: &[&str] = &[
    "is never granted",
    "is never given",
    "is never attached",
    "is never assigned",
    "must not be granted",
    "must never be granted",
    "must not be given",
    "must not be attached",
    "must never be attached",
    "must not be assigned",
    "is for nobody",
    "is not granted",
    "is not given to anybody",
    "is given to nobody",
    "is never handed out",
    "is never used",
    "must not be used",
    "must never be used",
    "is forbidden",
    "is taboo",
    "is not allowed",
    "is off limits",
];

impl Exact<'_> {
    /// A rule about something that is written as no word is.
    pub(in crate::english::exact) fn grants(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rules) = self.with_value(tokens) {
            return Some(rules);
        }
        let named = strip(tokens, FRONT).or_else(|| strip_end(tokens, BEHIND))?;
        let named = around(named, &["to", "for"]).map_or(named, |(front, _, behind)| {
            let is_anybody =
                strip(behind, &["anybody", "anyone", "any user", "any role", "users", "people", "anything"])
                    .is_some_and(<[Token]>::is_empty);
            if is_anybody { front } else { named }
        });
        let mut what = Vec::new();
        for item in items(bare(named)) {
            let item = bare(item);
            let item = strip_end(item, &["policy", "role", "permission", "permissions", "rights", "access"])
                .unwrap_or(item);
            let item = strip(item, &["policy", "role", "permission"]).unwrap_or(item);
            let [one] = item else { return None };
            what.push(Saying::Words(literal(one)?));
        }
        let known = |saying: &Saying| matches!(saying, Saying::Words(words) if self.hand.choice(words).is_some() || self.hand.tool(words).is_some() || self.hand.has_program(&words.to_lowercase()));
        if what.is_empty() || what.iter().any(known) {
            return None;
        }
        let tests = vec![Test::Says { what, parameter: None, is: true }];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }

    /// "no policy with Action \"*\"": an entry by its name and its value, somewhere in what is written.
    fn with_value(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(
            tokens,
            &[
                "no",
                "never create",
                "never write",
                "never put",
                "don't create",
                "do not create",
                "never make",
            ],
        )?;
        let (owner, _, said) = around(rest, &["with", "that has", "that have", "whose"])?;
        let said = bare(said);
        let (name, value) = match said {
            [name, value] => (name, value),
            [name, between, value] if matches!(between.low.as_str(), "is" | "=" | ":" | "of" | "set") => {
                (name, value)
            }
            _ => return None,
        };
        let is_name = matches!(name.shape, Shape::Word | Shape::Quoted | Shape::Identifier)
            && (name.is_capital() || name.shape != Shape::Word);
        if owner.is_empty() || !is_name || value.shape != Shape::Quoted {
            return None;
        }
        let names = vec![crate::names::words(&name.text).join(" ")];
        let check = Check::Forms(vec![Form::Is(value.text.clone())]);
        let tests = vec![Test::Value { names, check, presence: Presence::One }];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }
}

/// What is written as no word of the language is: `AdministratorAccess`, `"owner"`, `roles/owner`.
fn literal(token: &Token) -> Option<String> {
    let humps =
        token.text.chars().skip(1).any(char::is_uppercase) && token.text.chars().any(char::is_lowercase);
    let is_literal = match token.shape {
        Shape::Quoted | Shape::Identifier => true,
        Shape::Word => humps,
        Shape::Path => {
            token.text.contains('/')
                && !token.text.starts_with(['/', '.', '~'])
                && !token.text.ends_with('/')
                && token.text.starts_with("roles/")
        }
        _ => false,
    };
    is_literal.then(|| token.text.clone())
}
