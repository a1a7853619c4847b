//! What "it", "them" and "there" stand for, where a statement before the rule names one thing: "legacy/ still runs in
//! production. Do not touch it."

use crate::english::exact::Exact;
use crate::english::exact::told::turned::word;
use crate::english::exact::words::{begins, strip};
use crate::english::token::{Shape, Token};

/// Verbs that say something of what stands before them.
const TELLING: &[&str] = &[
    "is", "are", "was", "were", "belongs", "belong", "comes", "come", "runs", "run", "lives", "live",
    "still", "has", "have", "holds", "hold", "contains", "contain", "gets", "get", "feeds", "feed", "drives",
    "drive", "goes", "go", "takes", "take", "needs", "used", "became", "shows", "show", "drives", "costs",
    "closes", "close", "opens", "open", "ends", "end", "starts", "start", "shuts", "stops",
];

/// Words with which no statement about a thing begins.
const OTHERWISE: &[&str] = &[
    "never", "no", "don't", "dont", "do", "only", "nothing", "nobody", "please", "always", "if", "when",
    "whenever", "once", "after", "before", "keep", "leave", "stay", "i", "we", "you", "it", "they", "this",
    "that", "there", "he", "she", "ask", "check", "every", "each", "in", "on", "from", "until", "at", "what",
    "what's", "whatever", "today", "i'm", "we're", "during", "while",
];

/// Words that make a rule of what is told.
const RULING: &[&str] = &[
    "never",
    "not",
    "no",
    "only",
    "must",
    "don't",
    "always",
    "nothing",
    "may",
    "can",
    "cannot",
    "ask",
    "except",
    "unless",
    "isn't",
    "aren't",
    "fine",
    "ok",
    "okay",
    "allowed",
    "welcome",
    "stay",
    "stays",
    "keep",
    "keeps",
    "if",
    "you",
    "remain",
    "remains",
    "off",
    "closed",
    "frozen",
    "mine",
    "read-only",
    "sacred",
];

/// Words that lead from a statement to a rule.
const LEADING: &[&str] =
    &["so", "therefore", "and", "hence", "so please", "please", "thus", "that's why", "then"];

impl Exact<'_> {
    /// A rule about "that time", with the time that the statement before names.
    fn timed(&self, told: &[Token], rule: &[Token]) -> Option<Vec<Token>> {
        const THEN: &[&str] = &[
            "in that time",
            "during that time",
            "at that time",
            "then",
            "in those days",
            "on those days",
            "those days",
            "that week",
            "on that day",
            "that day",
            "while i am away",
            "while i'm away",
            "in that week",
            "in this time",
            "during this time",
        ];
        let (before, _, behind) = crate::english::exact::words::around(rule, THEN)?;
        let refers = |token: &Token| matches!(token.low.as_str(), "there" | "it" | "them" | "they");
        if before.iter().chain(behind).any(refers) {
            return None;
        }
        let time = (0..told.len()).find_map(|at| {
            let rest = told.get(at..)?;
            let (_, length) = crate::english::when::read(rest, self.year)?;
            rest.get(..length)
        })?;
        let told_more = |tokens: &[Token]| tokens.iter().any(|token| RULING.contains(&token.low.as_str()));
        (!told_more(told)).then(|| [before, time, behind].concat())
    }

    /// The rule behind a statement, with what was named there in the places of the words that stand for it.
    pub(in crate::english::exact) fn referred(&self, told: &[Token], rule: &[Token]) -> Option<Vec<Token>> {
        if self.lexicon.is_wish(told) {
            return None;
        }
        if let Some(plain) = self.timed(told, rule) {
            return Some(plain);
        }
        if let Some(later) = self.later(told, rule) {
            // "… there after that": the place is told as well.
            let place = self.subject_in(told);
            return place.and_then(|subject| replaced(&later, &subject)).or(Some(later));
        }
        let subject = match conditional(told) {
            Some(subject) => subject,
            None => self.inner(subject(told)?),
        };
        replaced(strip(rule, LEADING).unwrap_or(rule), &subject)
    }

    fn subject_in(&self, told: &[Token]) -> Option<Vec<Token>> {
        subject(told).map(|subject| self.inner(subject))
    }

    /// A rule about what comes after "that", with the time that the statement before names.
    fn later(&self, told: &[Token], rule: &[Token]) -> Option<Vec<Token>> {
        const AFTER: &[&str] = &[
            "after that",
            "afterwards",
            "from then on",
            "past that",
            "later than that",
            "any later",
            "after then",
        ];
        const BEFORE: &[&str] =
            &["before that", "until then", "before then", "till then", "earlier than that", "any earlier"];
        let (found, word_of) = match crate::english::exact::words::around(rule, AFTER) {
            Some(found) => (found, "after"),
            None => (crate::english::exact::words::around(rule, BEFORE)?, "before"),
        };
        let (before, _, behind) = found;
        let opening = |token: &Token| {
            matches!(
                token.low.as_str(),
                "at" | "until" | "till" | "by" | "after" | "before" | "on" | "from" | "since"
            )
        };
        let at = told.iter().rposition(opening)?;
        let time = told.get(at + 1..)?;
        let plain: Vec<Token> = std::iter::once(word(word_of)).chain(time.iter().cloned()).collect();
        let (_, length) = crate::english::when::read(&plain, self.year)?;
        let told_more =
            |token: &Token| matches!(token.low.as_str(), "never" | "no" | "not" | "only" | "don't");
        (length == plain.len() && !told.iter().any(told_more)).then(|| [before, &plain, behind].concat())
    }
}

/// The rule, with a thing in the places of the words that stand for it.
pub(in crate::english::exact) fn replaced(rule: &[Token], subject: &[Token]) -> Option<Vec<Token>> {
    let mut plain: Vec<Token> = Vec::new();
    let mut has_referred = false;
    let mut rest = rule;
    while let Some((first, after)) = rest.split_first() {
        let there = begins(rest, "in there").or(begins(rest, "in it")).or(begins(rest, "in them"));
        let ends = ends_there(after);
        if let Some(after) =
            strip(rest, &["that word", "this word", "that name", "this name", "the word", "the name"])
            && subject.len() == 1
            && after.first().is_none_or(|next| next.shape != Shape::Quoted)
        {
            plain.extend(["the", "word"].map(word));
            plain.extend(subject.iter().map(|token| Token { shape: Shape::Quoted, ..token.clone() }));
            has_referred = true;
            rest = after;
            continue;
        }
        if let Some(length) = there {
            plain.push(word("in"));
            plain.extend(subject.iter().cloned());
            has_referred = true;
            rest = rest.get(length..)?;
            continue;
        }
        match first.low.as_str() {
            "it" | "them" | "one" | "they" | "those" | "these" if ends && first.shape == Shape::Word => {
                plain.extend(subject.iter().cloned());
                has_referred = true;
            }
            "any" | "none" if after.is_empty() => {
                plain.push(word("any"));
                plain.extend(subject.iter().cloned());
                has_referred = true;
            }
            "there" if ends && first.shape == Shape::Word && !plain.is_empty() => {
                plain.push(word("in"));
                plain.extend(subject.iter().cloned());
                has_referred = true;
            }
            _ => plain.push(first.clone()),
        }
        rest = after;
    }
    // "… , hands off": of what was named.
    if !has_referred && keeps_off(rule) {
        plain = ["never", "touch"].map(word).into();
        plain.extend(subject.iter().cloned());
        has_referred = true;
    }
    has_referred.then_some(plain)
}

/// Whether a word that stands for something ends what is said of it.
fn ends_there(after: &[Token]) -> bool {
    after.first().is_none_or(|next| {
        matches!(next.shape, Shape::Mark(_))
            || matches!(
                next.low.as_str(),
                "by" | "in"
                    | "at"
                    | "on"
                    | "to"
                    | "without"
                    | "for"
                    | "as"
                    | "alone"
                    | "from"
                    | "with"
                    | "and"
                    | "or"
                    | "yourself"
                    | "directly"
                    | "either"
                    | "out"
                    | "into"
                    | "before"
                    | "after"
                    | "during"
                    | "unless"
                    | "except"
                    | "is"
                    | "are"
                    | "must"
                    | "may"
                    | "ever"
                    | "between"
            )
    })
}

/// "hands off", with nothing behind it.
fn keeps_off(rule: &[Token]) -> bool {
    strip(
        rule,
        &[
            "hands off",
            "keep your hands off",
            "keep off",
            "stay off",
            "stay out",
            "don't touch",
            "do not touch",
            "never touch",
            "look but don't touch",
        ],
    )
    .is_some_and(<[Token]>::is_empty)
}

/// "if a file lives under vendor/": files under vendor/.
fn conditional(told: &[Token]) -> Option<Vec<Token>> {
    const BEING: &[&str] =
        &["is", "are", "lives", "live", "lies", "lie", "sits", "sit", "stands", "comes", "come"];
    let rest = strip(
        told,
        &["if a", "if an", "when a", "when an", "whenever a", "whenever an", "if any", "when any", "if"],
    )?;
    let (first, rest) = rest.split_first()?;
    if first.shape != Shape::Word {
        return None;
    }
    let noun = std::iter::once(first.clone());
    for (phrase, plain) in [
        ("ends in", "ending in"),
        ("ends with", "ending in"),
        ("starts with", "starting with"),
        ("begins with", "starting with"),
    ] {
        if let Some(rest) = strip(rest, &[phrase]).filter(|rest| rest.len() == 1) {
            return Some(noun.chain(plain.split(' ').map(word)).chain(rest.iter().cloned()).collect());
        }
    }
    let rest = strip(rest, BEING)?;
    strip(rest, &["in", "under", "inside", "below", "on", "at", "from"]).filter(|rest| rest.len() == 1)?;
    Some(noun.chain(rest.iter().cloned()).collect())
}

/// What a statement is about.
fn subject(told: &[Token]) -> Option<&[Token]> {
    let first = told.first()?;
    let rules = |token: &Token| token.shape == Shape::Word && RULING.contains(&token.low.as_str());
    if OTHERWISE.contains(&first.low.as_str()) || told.iter().any(rules) {
        return None;
    }
    let at = told
        .iter()
        .position(|token| token.shape == Shape::Word && TELLING.contains(&token.low.as_str()))
        .filter(|at| (1..6).contains(at))?;
    let subject = told.get(..at)?;
    let is_plain = subject
        .iter()
        .all(|token| !matches!(token.shape, Shape::Mark(mark) if !matches!(mark, '(' | ')' | ',')));
    is_plain.then_some(subject)
}
