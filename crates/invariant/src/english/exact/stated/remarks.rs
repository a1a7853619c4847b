//! Reasons and remarks beside a rule: words that only tell why, what is done instead, or who does it.

mod kinds;

use crate::english::exact::words;
use crate::english::token::{Shape, Token};
use kinds::{is_done_otherwise, is_help, is_wanted, only_tells, tells_of_all, tells_of_one};

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

pub(super) fn is_verb_of_telling(token: &Token) -> bool {
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

/// Whether words name nothing by itself that a rule would be about.
pub(super) fn is_plain(token: &Token) -> bool {
    matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark(_))
}

/// Whether words say that something is fine.
pub(super) fn is_leave(tokens: &[Token]) -> bool {
    words::strip_end(words::core(tokens), crate::english::exact::aside::FINE).is_some()
        && tokens.iter().all(is_plain)
}

/// Whether words behind a rule that was understood only tell why, or what to do instead.
pub(super) fn is_remark(tokens: &[Token]) -> bool {
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
    if goes_on(tokens) {
        return false;
    }
    if is_help(tokens)
        || tells_of_one(tokens)
        || is_wanted(tokens)
        || only_tells(tokens)
        || is_else
        || is_example
        || is_end
        || is_done_otherwise(tokens)
        || tells_of_all(tokens)
    {
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

/// "…, updates, deletes and no DDL" goes on with what is forbidden.
fn goes_on(tokens: &[Token]) -> bool {
    tokens.windows(3).any(|trio| match trio {
        [joint, denied, next] => {
            matches!(joint.low.as_str(), "and" | "or" | "nor" | ",")
                && matches!(denied.low.as_str(), "no" | "never" | "don't")
                && next.low != "one"
        }
        _ => false,
    })
}

/// Whether somebody tells something: no word of it rules or goes on with what was before.
pub(super) fn tells(tokens: &[Token]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::is_remark;
    use crate::english::token::tokens;

    #[test]
    fn what_only_tells_why_or_how_is_a_remark() {
        for said in [
            "every run costs real credits",
            "other people use this working copy",
            "we only do that on the phone",
            "only Karin does that",
            "people should call us",
            "prices are only given by phone",
            "it only confuses you",
            "If you need a value from there, ask me",
            "those files are our only copy",
            "I only want to compare prices",
            "I do not want to be located",
        ] {
            assert!(is_remark(&tokens(said)), "{said}");
        }
    }

    #[test]
    fn what_rules_is_no_remark() {
        for said in [
            "every commit has a ticket number",
            "each branch is made from develop only",
            "mails are only sent in the morning",
            "it only goes to colleagues",
            "they only receive drafts",
            "guests must be in bcc",
            "customers may be in cc",
            "if you need to delete something, ask me",
            "if you want to delete something, ask me",
            "those are the only channels",
            "I am only interested in drafts",
            "updates, deletes and no DDL",
        ] {
            assert!(!is_remark(&tokens(said)), "{said}");
        }
    }
}
