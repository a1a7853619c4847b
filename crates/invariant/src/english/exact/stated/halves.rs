//! Sentences of two halves of which one is a rule of the tables and the other says nothing that a call could show: what it is
//! good for, or the same in general words. "Spend nothing: no orders, no bookings", "evenings are mine: no mails after 18:00".

use super::peeled::is_closed;
use super::remarks::is_verb_of_telling;
use super::reworded::{self, is_broad, refers};
use super::{Rules, form};
use crate::english::exact::{Exact, guard, words};
use crate::english::token::{Shape, Token};
use crate::english::when;

/// Words that rule or except, or that point to what stands beside them.
const RULING: &[&str] = &[
    "allow",
    "allowed",
    "also",
    "always",
    "any",
    "anything",
    "anywhere",
    "apart",
    "ask",
    "besides",
    "but",
    "can",
    "cannot",
    "can't",
    "don't",
    "dont",
    "do",
    "else",
    "elsewhere",
    "every",
    "everything",
    "except",
    "exception",
    "fine",
    "forbidden",
    "if",
    "included",
    "including",
    "likewise",
    "plus",
    "instead",
    "isn't",
    "keep",
    "least",
    "leave",
    "less",
    "may",
    "more",
    "most",
    "must",
    "mustn't",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "nowhere",
    "ok",
    "okay",
    "only",
    "or",
    "other",
    "others",
    "otherwise",
    "outside",
    "should",
    "shouldn't",
    "stay",
    "than",
    "unless",
    "until",
    "use",
    "when",
    "whenever",
    "without",
    "you",
    "your",
    "same",
    "too",
    "neither",
    "and",
    "first",
    "before",
    "after",
    "once",
    "soon",
    "where",
    "wherever",
    "in",
    "on",
    "at",
    "from",
    "into",
    "within",
    "inside",
    "with",
    "as",
];

/// Words that say where or what in front of a colon: what follows holds there only.
const LEADING: &[&str] = &[
    "in", "on", "at", "from", "to", "into", "outside", "within", "inside", "with", "for", "of", "by",
    "leave", "leaves",
];

/// How a half begins that says what the one before it means.
const OPENING: &[&str] =
    &["no", "never", "don't", "dont", "do", "not", "nothing", "nobody", "only", "neither", "always", "ask"];

/// Whatever reads a rule.
type Read<'r> = &'r dyn Fn(&[Token]) -> Option<Rules>;

impl Exact<'_> {
    /// What the half states that is a rule, if the other one is none, and that other one.
    pub(crate) fn halves(&self, tokens: &[Token], read: Read<'_>) -> Option<(Rules, String)> {
        let tokens = words::core(tokens);
        (1..tokens.len()).find_map(|at| {
            let mark = match tokens.get(at)?.shape {
                Shape::Mark(mark @ (',' | ';' | ':' | '.' | '!' | '–' | '—')) => mark,
                _ => return None,
            };
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            if !is_closed(front) || front.len() < 2 || behind.len() < 2 {
                return None;
            }
            let opens = behind.first().is_some_and(|token| OPENING.contains(&token.low.as_str()));
            let leads = front.iter().any(|token| LEADING.contains(&token.low.as_str()));
            let is_spelled_out = matches!(mark, ':' | '–' | '—') && opens && !leads && !self.names(front);
            if is_spelled_out || self.says_nothing(front) {
                return Some((self.of_half(behind, None)?, words::text(front)));
            }
            (self.says_nothing(behind) || self.tells_why(behind)).then_some(())?;
            Some((self.of_half(front, Some(read))?, words::text(behind)))
        })
    }

    /// What a half states by the tables, or by whatever reads it where the other half only tells why.
    fn of_half(&self, tokens: &[Token], read: Option<Read<'_>>) -> Option<Rules> {
        if refers(tokens) || form::head(tokens).is_some_and(|head| head == tokens.len()) {
            return None;
        }
        let stated = self.stated_by_table(tokens, false).or_else(|| self.reworded(tokens));
        let rules = stated.or_else(|| read.and_then(|read| read(tokens)))?;
        let is_broad = rules.iter().any(|(_, case)| is_broad(case));
        (!is_broad && !guard::is_turned(tokens, &rules)).then_some(rules)
    }

    /// Whether something is named by which a call could be told, or a time.
    fn names(&self, tokens: &[Token]) -> bool {
        let is_time = |at: usize| tokens.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some());
        tokens.iter().any(reworded::names) || (0..tokens.len()).any(is_time)
    }

    /// "they asked us not to scrape it", "I don't want leftovers": what somebody wants or does, whoever is told to do something.
    fn tells_why(&self, tokens: &[Token]) -> bool {
        let [first, next, ..] = tokens else { return false };
        let tells = match first.low.as_str() {
            "i" | "we" | "they" | "he" | "she" | "i'm" | "we're" | "they're" | "he's" | "she's"
            | "that's" | "it's" => !matches!(
                next.low.as_str(),
                "must" | "may" | "should" | "only" | "never" | "can" | "get" | "go" | "stay" | "are" | "do"
            ),
            "nobody" | "somebody" | "someone" | "everybody" | "everyone" | "people" => {
                matches!(
                    next.low.as_str(),
                    "is" | "was" | "wants" | "needs" | "knows" | "reads" | "will" | "would" | "else"
                )
            }
            _ => false,
        };
        let rules = |token: &Token| {
            matches!(
                token.low.as_str(),
                "you"
                    | "your"
                    | "must"
                    | "may"
                    | "only"
                    | "except"
                    | "unless"
                    | "fine"
                    | "okay"
                    | "ok"
                    | "allowed"
            )
        };
        tells && !tokens.iter().any(rules) && !self.names(tokens)
    }

    /// Whether a half tells something that is no rule and names nothing.
    fn says_nothing(&self, tokens: &[Token]) -> bool {
        let rules = |token: &Token| RULING.contains(&token.low.as_str()) || token.low.ends_with("n't");
        tells(tokens) && !tokens.iter().any(rules) && !self.names(tokens)
    }
}

/// Whether words tell something, as a clause does: a list of names that goes on tells nothing and must not be passed over.
fn tells(tokens: &[Token]) -> bool {
    let is_name = |token: &Token| token.is_capital() && token.low != "i" && !token.low.starts_with("i'");
    let joins =
        |token: &Token| matches!(token.low.as_str(), "of" | "in" | "from" | "for" | "to" | "with" | "and");
    // "the fan wakes the baby"
    let acts = |pair: &[Token]| match pair {
        [verb, next] => verb.low.ends_with('s') && !verb.low.ends_with("ss") && !joins(next),
        _ => false,
    };
    let rest = tokens.get(1..).unwrap_or_default();
    !rest.iter().any(is_name) && (tokens.iter().any(is_verb_of_telling) || rest.windows(2).any(acts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    #[test]
    fn what_goes_on_with_names_or_things_tells_nothing() {
        for listed in ["Bob Stone", "old drawings", "old drawings of mine", "the tax papers", "and Bob"] {
            assert!(!tells(&tokens(listed)), "{listed}");
        }
        for told in ["the fan wakes the baby", "evenings belong to my family", "that box is full"] {
            assert!(tells(&tokens(told)), "{told}");
        }
    }
}
