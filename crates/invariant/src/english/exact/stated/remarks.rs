//! Reasons and remarks beside a rule: words that only tell why, what is done instead, or who does it.

use crate::english::exact::words;
use crate::english::token::{Shape, Token};

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
    // "…, updates, deletes and no DDL" goes on with what is forbidden.
    let goes_on = |trio: &[Token]| match trio {
        [joint, denied, next] => {
            matches!(joint.low.as_str(), "and" | "or" | "nor" | ",")
                && matches!(denied.low.as_str(), "no" | "never" | "don't")
                && next.low != "one"
        }
        _ => false,
    };
    if tokens.windows(3).any(goes_on) {
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

/// "If you need a value from there, ask me": what to do where the rule is in the way. "If you need to delete something, ask me" is
/// a rule of its own.
fn is_help(tokens: &[Token]) -> bool {
    const NEEDED: &[&str] = &[
        "if you need",
        "if in doubt",
        "when in doubt",
        "if unsure",
        "if you are unsure",
        "if you're unsure",
    ];
    const TOLD: &[&str] = &["ask", "tell", "say", "call", "ping", "come", "stop", "wait"];
    let says = |any: &[&str]| tokens.iter().any(|token| any.contains(&token.low.as_str()));
    words::strip(tokens, NEEDED).is_some_and(|rest| rest.first().is_none_or(|next| next.low != "to"))
        && says(TOLD)
        && tokens.iter().all(is_plain)
        && !says(&["never", "no", "not", "don't", "only", "unless", "except", "before"])
}

/// "It only confuses you": what something does to somebody. "It only goes to colleagues" is a rule.
fn only_tells(tokens: &[Token]) -> bool {
    const EFFECTS: &[&str] = &[
        "confuses",
        "confuse",
        "costs",
        "cost",
        "slows",
        "slow",
        "breaks",
        "break",
        "annoys",
        "annoy",
        "distracts",
        "distract",
        "wastes",
        "waste",
        "disturbs",
        "disturb",
        "bothers",
        "bother",
        "clutters",
        "clutter",
        "hurts",
    ];
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    matches!(low(0), "it" | "they" | "that" | "this" | "those")
        && matches!(low(1), "only" | "just")
        && EFFECTS.contains(&low(2))
        && tokens.iter().all(is_plain)
}

/// "Those are our only copies": one of its kind.
fn tells_of_one(tokens: &[Token]) -> bool {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let only = tokens.iter().position(|token| token.low == "only");
    matches!(low(0), "it" | "they" | "that" | "this" | "those" | "these" | "it's" | "that's")
        && only.is_some_and(|at| at > 0 && matches!(low(at - 1), "our" | "my" | "the" | "their"))
        && tokens.len() <= 8
        && tokens.iter().all(is_plain)
        && !tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "you" | "may" | "can" | "must" | "not" | "never"))
}

/// "I only want to know how far it is": what somebody wants besides. "I only want mails from Ada" is a rule.
fn is_wanted(tokens: &[Token]) -> bool {
    const WANTING: &[&str] = &[
        "i only want to",
        "i just want to",
        "i only need to",
        "i just need to",
        "i only wanted to",
        "we only want to",
        "we just want to",
        "i'm only",
        "i am only",
        "i'm just",
        "i am just",
        "we are only",
        "we're only",
        "this is only about",
        "this is just about",
        "it is only about",
        "it's only about",
        "all i want is",
        "all i need is",
        "i do not want to be",
        "i don't want to be",
        "i do not like to be",
        "i don't like to be",
        "i do not like being",
        "i don't like being",
        "i do not need",
        "i don't need",
        "we do not need",
        "we don't need",
        "i do not use",
        "i don't use",
    ];
    words::strip(tokens, WANTING).is_some_and(|rest| !rest.is_empty())
        && tokens.iter().all(is_plain)
        && !tokens.iter().skip(3).any(|token| {
            matches!(
                token.low.as_str(),
                "you" | "never" | "no" | "not" | "don't" | "nothing" | "unless" | "except"
            )
        })
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
    // "people should call us", not "guests must be in bcc".
    let tells_whom = is_third
        && says(&["should", "can"])
        && says(&["call", "phone", "ring", "visit", "contact"])
        && !says(&["only"]);
    // "prices are only given by phone", not "mails are only sent in the morning".
    let is_given =
        tokens.windows(2).skip(1).any(|pair| words::strip(pair, &["are only", "is only"]).is_some())
            && says(&["phone", "telephone", "person", "paper"]);
    is_plain && ((says(&["only"]) && does_that) || tells_whom || is_given)
}

/// "Every run costs real money", "other people use this folder": what holds of all of them. "Every commit has a ticket number" is a
/// rule.
fn tells_of_all(tokens: &[Token]) -> bool {
    const EFFECTS: &[&str] = &[
        "costs", "triggers", "burns", "wakes", "pays", "deploys", "restarts", "notifies", "pings", "breaks",
    ];
    const USING: &[&str] = &[
        "use", "rely", "share", "work", "watch", "listen", "depend", "edit", "read", "live", "need", "have",
        "are",
    ];
    let of_each = words::strip(tokens, &["every", "each"]).map(|rest| (rest, EFFECTS));
    let of_others =
        || words::strip(tokens, &["other people", "other teams", "others"]).map(|rest| (rest, USING));
    let Some((rest, verbs)) = of_each.or_else(of_others) else { return false };
    let rules = |token: &Token| {
        RULING.contains(&token.low.as_str()) || matches!(token.low.as_str(), "no" | "not" | "don't")
    };
    rest.iter().take(3).any(|token| verbs.contains(&token.low.as_str()))
        && rest.iter().all(is_plain)
        && !rest.iter().any(rules)
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
        ] {
            assert!(!is_remark(&tokens(said)), "{said}");
        }
    }
}
