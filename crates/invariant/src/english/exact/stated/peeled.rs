//! What may stand around a plain rule: a time, a reason behind it, a remark before it.

use super::Rules;
use super::leave::beside_leave;
use crate::english::exact::compose::schedules;
use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::Test;

/// Words with which a rule goes on, so that no remark begins with them.
const GOING_ON: &[&str] = &[
    "and",
    "or",
    "nor",
    "but",
    "except",
    "unless",
    "until",
    "only",
    "in",
    "on",
    "at",
    "to",
    "from",
    "for",
    "with",
    "by",
    "into",
    "under",
    "inside",
    "outside",
    "of",
    "as",
    "if",
    "when",
    "whenever",
    "while",
    "during",
    "once",
    "other",
    "others",
    "also",
    "including",
    "especially",
    "neither",
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "nothing",
    "nobody",
    "none",
    "nowhere",
    "always",
    "every",
    "each",
    "all",
    "any",
    "before",
    "after",
    "above",
    "below",
    "per",
    "max",
    "more",
    "less",
    "which",
    "who",
    "whose",
    "where",
    "than",
    "then",
    "must",
    "may",
    "can",
    "leave",
    "keep",
    "stay",
    "everything",
    "anything",
    "everyone",
    "everybody",
    "anyone",
    "anybody",
    "same",
    "likewise",
    "neither",
    "without",
    "via",
    "through",
    "about",
    "over",
    "between",
    "within",
    "either",
];

/// Words that rule, wherever they stand.
const RULING: &[&str] = &[
    "you",
    "your",
    "never",
    "only",
    "must",
    "may",
    "should",
    "shall",
    "unless",
    "except",
    "always",
    "allowed",
    "forbidden",
    "ask",
    "nothing",
    "most",
    "least",
    "mustn't",
    "everything",
    "anything",
    "else",
    "fine",
    "ok",
    "okay",
    "allow",
    "please",
    "instead",
];

/// Words after which only a reason comes, whatever it says.
const REASONS: &[&str] = &[
    "because",
    "since",
    "otherwise",
    "so that",
    "or else",
    "as i",
    "as we",
    "as they",
    "as it",
    "as the",
    "as my",
    "as our",
    "for the",
    "in case",
    "even if",
    "even when",
    "even though",
    "although",
    "no matter",
    "whatever",
    "however",
    "regardless",
    "not even",
    "that's",
    "that is",
    "it's",
    "it is",
    "they are",
    "they're",
    "this is",
    "those are",
    "these are",
    "there is",
    "there are",
    "i'm",
    "i am",
    "we're",
    "we are",
];

/// What people speak of who tell why.
const TELLING: &[&str] = &[
    "i", "we", "he", "she", "they", "it", "that", "this", "there", "those", "these", "my", "our", "his",
    "her", "their", "its", "people", "someone", "somebody",
];

/// Verbs in the forms in which people tell something.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "goes", "go", "comes", "come", "does", "do", "did",
    "will", "would", "can", "could", "needs", "need", "knows", "know", "reads", "read", "takes", "take",
    "handles", "handle", "wants", "want", "uses", "use", "lives", "live", "costs", "cost", "belongs",
    "belong", "gets", "get", "makes", "make", "looks", "look", "depends", "depend", "runs", "run", "works",
    "work", "counts", "count", "happens", "happen", "breaks", "break", "means", "mean", "says", "say",
];

/// What somebody does instead, as a colleague would say it.
const ADVICE: &[&str] = &[
    "put",
    "use",
    "give",
    "take",
    "write",
    "save",
    "send",
    "add",
    "make",
    "mark",
    "note",
    "tell",
    "list",
    "name",
    "set",
    "just",
    "do",
    "go",
    "try",
    "pick",
    "choose",
    "work",
    "stick",
    "ask",
    "show",
    "report",
    "move",
    "create",
    "open",
    "start",
    "let",
    "run",
    "call",
    "leave",
    "mention",
    "draft",
    "say",
    "spell",
    "stop",
    "decline",
    "answer",
    "reply",
    "fix",
    "correct",
    "prepare",
    "shorten",
    "rename",
    "copy",
    "append",
    "explain",
    "suggest",
    "propose",
    "comment",
    "report",
    "describe",
    "summarise",
    "summarize",
    "link",
    "collect",
    "click",
    "check",
    "look",
    "pass",
    "hand",
    "forward",
    "file",
    "close",
    "branch",
    "merge",
];

impl Exact<'_> {
    /// What is stated without what stands around it.
    pub(super) fn peeled(&self, tokens: &[Token], late: bool, depth: usize) -> Option<Rules> {
        let again = |tokens: &[Token]| {
            let tokens = words::core(tokens);
            if tokens.len() < 2 {
                return None;
            }
            self.stated_whole(tokens, late)
                .or_else(|| if depth > 1 { self.several(tokens, late, 4) } else { None })
                .or_else(|| if depth > 1 { self.peeled(tokens, late, depth - 1) } else { None })
                .or_else(|| self.spliced(tokens, late))
        };
        self.beside_remark(tokens, &again)
            .or_else(|| beside_leave(tokens).and_then(|tokens| again(&tokens)))
            .or_else(|| self.under_heading(tokens).and_then(again))
            .or_else(|| self.beside_time(tokens, &again))
    }

    /// Several rules in one sentence, each of which is stated by itself. A time at its beginning or at its end counts for all
    /// of them.
    pub(super) fn joined(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let together =
            |tokens: &[Token]| self.several(tokens, late, 4).or_else(|| self.under_one_head(tokens, late));
        let timed = |at: usize| {
            let (span, length) = when::read(tokens.get(at..)?, self.year)?;
            let is_outer = at == 0 || at + length == tokens.len();
            is_outer.then_some((span, at, length))
        };
        let outer = || {
            let (span, at, length) = (0..tokens.len()).find_map(timed)?;
            let rest = if at == 0 { tokens.get(length..)? } else { tokens.get(..at)? };
            let mut rules = together(words::core(words::strip(rest, &[",", ":"]).unwrap_or(rest)))?;
            let is_timed = |test: &Test| matches!(test, Test::Time { .. });
            for (_, case) in &mut rules {
                if !case.tests.iter().any(is_timed) {
                    let of_event = schedules(&case.doings);
                    case.tests.push(Test::Time { spans: vec![span.clone()], is: true, of_event });
                }
            }
            Some(rules)
        };
        outer().or_else(|| together(tokens))
    }

    /// "Ask me before you answer an invitation or write to my sister": what forbids or asks counts for both.
    fn under_one_head(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let head = super::form::head(tokens)?;
        (head + 1..tokens.len().saturating_sub(1)).find_map(|at| {
            let joint = tokens.get(at)?.low.as_str();
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            // "Do not delete events, move them" is no list: what is forbidden besides has an "or" before the last of it.
            let goes_on = |token: &Token| matches!(token.low.as_str(), "or" | "and" | "nor");
            let is_joint =
                matches!(joint, "or" | "and" | "nor") || (joint == "," && behind.iter().any(goes_on));
            if !is_joint || !is_closed(front) || super::form::head(behind).is_some() {
                return None;
            }
            let behind = words::strip(behind, &["or", "and", "nor"]).unwrap_or(behind);
            let other: Vec<Token> = tokens.get(..head)?.iter().chain(behind).cloned().collect();
            let mut rules = self.stated_whole(words::core(front), late)?;
            let more = self.stated_whole(&other, late).or_else(|| self.under_one_head(&other, late));
            rules.extend(more?);
            Some(rules)
        })
    }

    pub(super) fn several(&self, tokens: &[Token], late: bool, parts: usize) -> Option<Rules> {
        let alone = |tokens: &[Token]| {
            let tokens = words::core(tokens);
            (tokens.len() > 1)
                .then(|| self.stated_whole(tokens, late).or_else(|| self.peeled(tokens, late, 1)))?
        };
        (2..tokens.len().saturating_sub(2)).find_map(|at| {
            let token = tokens.get(at)?;
            let cuts = matches!(token.shape, Shape::Mark(',' | ';' | '.' | '!'))
                || matches!(token.low.as_str(), "and" | "but");
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            if !cuts || !is_closed(front) {
                return None;
            }
            let behind = words::strip(behind, &["and", "but"]).unwrap_or(behind);
            let mut rules = alone(front)?;
            let more = alone(behind)
                .or_else(|| if parts > 2 { self.several(behind, late, parts - 1) } else { None })?;
            rules.extend(more);
            Some(rules)
        })
    }

    /// The rule under a heading: "Exam week: …", "No newspapers with a paywall: …". What names a service, a place or a time says
    /// what the rule is about.
    fn under_heading<'t>(&self, tokens: &'t [Token]) -> Option<&'t [Token]> {
        let at = tokens.iter().position(|token| token.shape == Shape::Mark(':'))?;
        let (heading, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let is_scope = |token: &Token| {
            self.hand.has_server(&token.low)
                || self.hand.has_tool_word(&token.low)
                || self.hand.has_argument_word(&token.low)
                || matches!(
                    token.low.as_str(),
                    "only" | "may" | "can" | "unless" | "except" | "must" | "always"
                )
                || matches!(
                    token.low.as_str(),
                    "no" | "nothing" | "never" | "not" | "don't" | "nobody" | "keep" | "leave"
                )
        };
        let has_time =
            || (0..at).any(|at| tokens.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some()));
        let is_heading = (2..=8).contains(&at)
            && heading.iter().all(|token| token.shape == Shape::Word)
            && !heading.iter().any(is_scope)
            && !has_time();
        is_heading.then_some(rule)
    }

    /// A time at the end, at the beginning, or between.
    fn beside_time(&self, tokens: &[Token], again: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        (0..tokens.len()).find_map(|at| {
            let (span, length) = when::read(tokens.get(at..)?, self.year)?;
            let mut behind = tokens.get(at + length..)?;
            if at == 0 && behind.first().is_some_and(|token| matches!(token.shape, Shape::Mark(',' | ':'))) {
                behind = behind.get(1..)?;
            }
            let rest: Vec<Token> = tokens.get(..at)?.iter().chain(behind).cloned().collect();
            let has_only = rest.iter().any(|token| matches!(token.low.as_str(), "only" | "just"));
            // "only at weekends" is not "only, at weekends".
            if has_only {
                return None;
            }
            let mut rules = again(&rest)?;
            // "On Sundays nobody gets an invitation": when it is sent.
            let is_sent = rest.iter().any(|token| {
                matches!(
                    token.low.as_str(),
                    "get" | "gets" | "send" | "sent" | "goes" | "receives" | "receive"
                )
            });
            for (_, case) in &mut rules {
                let of_event = schedules(&case.doings) && !is_sent;
                case.tests.push(Test::Time { spans: vec![span.clone()], is: true, of_event });
            }
            Some(rules)
        })
    }

    /// A remark behind the rule, in brackets at its end, or before it.
    fn beside_remark(&self, tokens: &[Token], again: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        if let Some((rule, inner)) = words::bracketed(tokens)
            && (is_remark(inner) || is_leave(inner))
            && let Some(rules) = again(rule)
        {
            return Some(rules);
        }
        let cuts = (2..tokens.len()).filter(|at| {
            let parts = tokens.get(*at).is_some_and(|token| {
                matches!(token.shape, Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—' | '-'))
                    || matches!(token.low.as_str(), "because" | "since" | "otherwise" | "-" | "–" | "—")
            });
            parts && is_closed(tokens.get(..*at).unwrap_or_default())
        });
        let cuts: Vec<usize> = cuts.collect();
        // The longest rule counts: what stands behind a later mark is less.
        let behind = cuts.iter().rev().find_map(|at| {
            let is_word =
                tokens.get(*at).is_some_and(|token| token.shape == Shape::Word && token.low.len() > 1);
            let remark = tokens.get(*at + usize::from(!is_word)..)?;
            // What stands behind a full stop and denies something is a rule of its own.
            let is_apart =
                tokens.get(*at).is_some_and(|token| matches!(token.shape, Shape::Mark('.' | '!' | ';')));
            let denies = |token: &Token| {
                matches!(
                    token.low.as_str(),
                    "don't" | "not" | "no" | "nobody" | "nothing" | "never" | "only" | "none" | "dont"
                )
            };
            if is_apart && remark.iter().any(denies) {
                return None;
            }
            is_remark(remark).then(|| again(tokens.get(..*at)?)).flatten()
        });
        behind.or_else(|| {
            cuts.iter().find_map(|at| {
                let (told, rule) = (tokens.get(..*at)?, tokens.get(*at + 1..)?);
                let follows =
                    words::strip(rule, &["so", "therefore", "hence", "thus", "that's why", "so please"]);
                let denies = |token: &Token| {
                    matches!(token.low.as_str(), "no" | "not" | "don't" | "nothing" | "never" | "nobody")
                };
                let is_told =
                    (told.iter().any(is_verb_of_telling) || follows.is_some()) && !told.iter().any(denies);
                (is_told && tells(told)).then(|| again(follows.unwrap_or(rule))).flatten()
            })
        })
    }
}

fn is_verb_of_telling(token: &Token) -> bool {
    matches!(
        token.low.as_str(),
        "is" | "are"
            | "was"
            | "has"
            | "have"
            | "costs"
            | "belongs"
            | "belong"
            | "i"
            | "we"
            | "they"
            | "it's"
            | "i'm"
            | "we're"
    )
}

/// Whether no bracket is open.
pub(super) fn is_closed(tokens: &[Token]) -> bool {
    let count = |mark: char| tokens.iter().filter(|token| token.shape == Shape::Mark(mark)).count();
    count('(') == count(')')
}

/// Whether words name nothing by itself that a rule would be about.
pub(super) fn is_plain(token: &Token) -> bool {
    matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark(_))
}

/// Whether words say that something is fine.
fn is_leave(tokens: &[Token]) -> bool {
    words::strip_end(words::core(tokens), crate::english::exact::aside::FINE).is_some()
        && tokens.iter().all(is_plain)
}

/// Whether words behind a rule that was understood only tell why, or what to do instead.
fn is_remark(tokens: &[Token]) -> bool {
    let tokens = words::core(tokens);
    let Some(first) = tokens.first() else { return true };
    let rules = |token: &Token| RULING.contains(&token.low.as_str());
    // "…, or I never find it again"
    let is_else = words::strip(tokens, &["or", "else"]).is_some_and(|rest| {
        rest.first().is_some_and(|token| {
            TELLING.contains(&token.low.as_str())
                || matches!(token.low.as_str(), "nobody" | "everybody" | "else")
        })
    });
    let is_example =
        words::strip(tokens, &["e.g.", "e.g", "eg", "for example", "for instance", "such as"]).is_some();
    let is_end = words::strip(tokens, &["after that", "then"]).is_some_and(|rest| {
        rest.first()
            .is_some_and(|token| matches!(token.low.as_str(), "i" | "we" | "stop" | "it's" | "that's"))
    });
    if is_else || is_example || is_end || is_done_otherwise(tokens) || tells_of_all(tokens) {
        return true;
    }
    if words::strip(tokens, REASONS).is_some() {
        return !tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "unless" | "except" | "only" | "must"));
    }
    let denies = |token: &Token| {
        matches!(
            token.low.as_str(),
            "never"
                | "no"
                | "not"
                | "don't"
                | "nothing"
                | "only"
                | "must"
                | "most"
                | "unless"
                | "except"
                | "without"
        )
    };
    if ADVICE.contains(&first.low.as_str()) {
        return !tokens.iter().any(denies);
    }
    tells(tokens) && tokens.len() > 1 && !tokens.iter().any(rules)
}

/// "We only do that on the phone", "only Karin does that", "people should call us": who does it, or how.
fn is_done_otherwise(tokens: &[Token]) -> bool {
    let says = |any: &[&str]| tokens.iter().any(|token| any.contains(&token.low.as_str()));
    let is_third = tokens.first().is_some_and(|first| {
        matches!(
            first.low.as_str(),
            "people" | "they" | "he" | "she" | "customers" | "guests" | "clients" | "we"
        )
    });
    let does_that = tokens.windows(2).any(|pair| {
        words::strip(
            pair,
            &["do that", "does that", "do this", "does this", "do it", "does it", "do those", "does those"],
        )
        .is_some()
    });
    let denies =
        says(&["never", "no", "not", "don't", "nothing", "nobody", "unless", "except", "you", "your"]);
    let is_plain = tokens.iter().all(is_plain) && !denies;
    let tells_whom = is_third && says(&["should", "can", "may", "must"]) && !says(&["only"]);
    // "prices are only given by phone"
    let is_given =
        tokens.windows(2).skip(1).any(|pair| words::strip(pair, &["are only", "is only"]).is_some())
            && says(&["by", "on", "in", "at"]);
    is_plain && ((says(&["only"]) && does_that) || tells_whom || is_given)
}

/// "Every run costs real money", "other people use this folder": what holds of all of them.
fn tells_of_all(tokens: &[Token]) -> bool {
    let rest = words::strip(
        tokens,
        &["every", "each", "other people", "others", "other teams", "others here", "all of them", "both"],
    );
    let Some(rest) = rest else { return false };
    let rules = |token: &Token| {
        RULING.contains(&token.low.as_str())
            || matches!(
                token.low.as_str(),
                "no" | "not" | "don't" | "needs" | "need" | "gets" | "ends" | "starts" | "begins"
            )
    };
    let is_verb = |token: &Token| {
        VERBS.contains(&token.low.as_str())
            || matches!(
                token.low.as_str(),
                "triggers"
                    | "burns"
                    | "sends"
                    | "rely"
                    | "relies"
                    | "share"
                    | "shares"
                    | "wakes"
                    | "starts"
                    | "pays"
                    | "watch"
                    | "watches"
                    | "listen"
                    | "depend"
                    | "edit"
                    | "deploys"
                    | "restarts"
                    | "notifies"
                    | "pings"
            )
    };
    rest.iter().take(3).any(is_verb) && rest.iter().all(is_plain) && !rest.iter().any(rules)
}

/// Whether somebody tells something: no word of it rules or goes on with what was before.
fn tells(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return false };
    // "nobody is there to switch it back on"
    let is_none = matches!(first.low.as_str(), "nobody" | "nothing" | "none")
        && tokens.get(1).is_some_and(|next| {
            matches!(
                next.low.as_str(),
                "is" | "was"
                    | "has"
                    | "can"
                    | "will"
                    | "knows"
                    | "looks"
                    | "works"
                    | "reads"
                    | "likes"
                    | "wants"
                    | "there"
                    | "there's"
            )
        });
    let is_telling = TELLING.contains(&first.low.as_str()) || is_none;
    // "mail or Notion" goes on with a list: whoever tells something has a verb.
    let has_verb = || tokens.iter().skip(1).any(|token| VERBS.contains(&token.low.as_str()));
    let joins = |token: &Token| matches!(token.low.as_str(), "or" | "nor");
    (is_telling || !GOING_ON.contains(&first.low.as_str()))
        && (is_telling || has_verb() || !tokens.iter().any(joins))
        && tokens.iter().all(is_plain)
        && !tokens.iter().any(|token| {
            matches!(
                token.low.as_str(),
                "you"
                    | "your"
                    | "never"
                    | "only"
                    | "must"
                    | "unless"
                    | "except"
                    | "always"
                    | "may"
                    | "should"
            )
        })
        && (is_telling || tokens.len() > 2)
}
