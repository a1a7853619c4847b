//! What changes nothing: reasons, and remarks about the world.

mod rest;
mod why;

use super::Exact;
use super::words::{around, bare, core, stems, strip, strip_end};
use crate::english::chunk::{Chunk, Piece};
use crate::english::lexicon::Entry;
use crate::english::lexicon::Marker;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Test};
pub(super) use rest::{adds_nothing, is_rest};
use rest::{is_said_again, says_why};
pub(super) use why::costs;
use why::{is_enough, is_need, is_way_out};

/// Words after which nothing but a reason comes.
pub(super) const REASONS: &[&str] = &["because", "otherwise", "cause", "cuz", "lest"];

/// Phrases after which nothing but a reason comes.
const OPENINGS: &[&str] = &[
    "because",
    "otherwise",
    "cause",
    "cuz",
    "lest",
    "so that",
    "or else",
    "since i",
    "since we",
    "since they",
    "since it",
    "since the",
    "since my",
    "since our",
    "as i",
    "as we",
    "as they",
    "as it",
    "so i",
    "so we",
    "so they",
    "to avoid",
    "in order to",
    "to save",
    "to keep",
    "in case",
    "even if",
    "even when",
    "even though",
    "also if",
    "also when",
    "although",
    "no matter",
    "regardless of",
    "regardless",
    "whether or not",
    "not even if",
    "not even when",
    "so please",
    "for example",
    "for instance",
];

/// Words that a remark does not have: with one of them it may be a rule.
const RULING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "only",
    "must",
    "mustn't",
    "can't",
    "cannot",
    "always",
    "ask",
    "nothing",
    "nobody",
    "none",
    "nowhere",
    "every",
    "each",
    "without",
    "unless",
    "except",
    "keep",
    "stay",
    "stays",
    "should",
    "shall",
    "may",
    "leave",
    "alone",
    "else",
    "other",
    "others",
    "forbidden",
    "allowed",
    "out",
    "needs",
    "need",
    "most",
    "least",
    "max",
    "first",
    "before",
    "after",
    "until",
    "avoid",
    "stop",
    "isn't",
    "aren't",
    "won't",
];

/// Words with which something goes on, and no remark begins.
const PLACING: &[&str] = &[
    "in", "on", "at", "to", "from", "for", "with", "and", "or", "by", "into", "under", "inside", "outside",
    "of", "as", "if", "when", "whenever", "while", "once", "use", "put", "set", "do", "be", "let", "make",
    "take", "write", "send",
];

/// What people and things do in reasons.
const DOING: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "get", "gets", "got", "go",
    "goes", "went", "make", "take", "choke", "choked", "break", "broke", "cut", "cost", "cause", "confuse",
    "annoy", "complain", "hate", "love", "like", "want", "wants", "know", "think", "sleep", "work", "works",
    "live", "run", "read", "look", "miss", "pay", "own", "handle", "decide", "review", "check", "publish",
    "flip", "mark", "sign", "approve", "care", "mind", "use", "come", "came", "end", "fill", "die", "crash",
    "fail", "hang", "slow", "bounce", "reject", "block", "filter", "notice", "watch", "count", "charge",
    "bill", "expire", "leave", "moved", "move", "happen", "happened", "learned", "learnt", "burned", "burnt",
    "bit", "bite", "hurt", "land", "lead", "mean", "need", "rely", "depend", "belong", "pick", "sort",
    "clean", "deal", "arrive", "start", "close", "open", "sits", "sit", "lies", "lie", "send", "do", "add",
    "delete", "clutter", "spam", "wake", "wakes", "panic", "trust", "share", "agreed", "promised", "promise",
    "give", "wait", "follow", "suffice", "render", "produce", "annoy", "distract", "lose", "matter", "help",
    "exist", "describe", "explain", "grow", "double", "triple", "belongs", "return", "deliver", "interest",
    "exceed", "finds", "find", "reads", "can't", "cannot", "won't", "isn't", "aren't", "doesn't", "don't",
    "will", "would", "gets", "ends",
];

/// Words with which a remark begins.
const REMARKING: &[&str] = &[
    "i",
    "i'm",
    "we",
    "we're",
    "they",
    "they're",
    "he",
    "she",
    "it",
    "it's",
    "that",
    "that's",
    "this",
    "there",
    "my",
    "our",
    "people",
    "everybody",
    "everyone",
];

/// Words that make a remark of a noun.
const STATING: &[&str] =
    &["is", "are", "was", "were", "has", "have", "had", "hate", "hates", "costs", "cost", "reads"];

/// Words that allow something: no reason has them.
const ALLOWING: &[&str] = &[
    "fine",
    "ok",
    "okay",
    "allowed",
    "welcome",
    "count",
    "counts",
    "rest",
    "good",
    "alright",
    "exception",
    "exceptions",
    "if",
    "excepted",
    "exempt",
];

impl Exact<'_> {
    /// Whether words are a reason or a remark, and state no rule.
    pub(super) fn is_aside(&self, tokens: &[Token], has_rules: bool) -> bool {
        let tokens = core_of(tokens);
        // "…, use hyphens": what to do instead.
        let is_use = has_rules
            && (tokens.len() < 4
                || strip_end(tokens, &["one by one", "individually", "explicitly", "separately", "by name"])
                    .is_some())
            && strip(tokens, &["use", "take", "write", "list", "name", "give", "spell", "state"])
                .is_some_and(|rest| {
                    !rest.is_empty()
                        && rest
                            .iter()
                            .all(|token| token.shape == Shape::Word && !RULING.contains(&token.low.as_str()))
                });
        let is_advice = (strip_end(tokens, &["instead"]).is_some() || is_use)
            && !tokens
                .iter()
                .any(|token| matches!(token.low.as_str(), "never" | "no" | "not" | "don't" | "only"));
        // "…, set timeout_ms": where to say it.
        let hints = |rest: &[Token]| {
            let rest = strip_end(rest, &["yourself", "accordingly", "for that", "for it"]).unwrap_or(rest);
            matches!(bare(rest), [one] if one.shape == Shape::Identifier && self.ground(&stems(bare(rest)), &[]).is_some())
        };
        if has_rules && strip(tokens, &["set", "use", "so set", "so use", "please set"]).is_some_and(hints) {
            return true;
        }
        if strip(tokens, OPENINGS).is_some() || strip_end(tokens, &["otherwise"]).is_some() || is_advice {
            return has_rules;
        }
        let rules = |piece: &Piece| match &piece.chunk {
            Chunk::Marker(Marker::May | Marker::Instead | Marker::Else) => false,
            Chunk::Marker(_) | Chunk::Ask | Chunk::Strange(_) | Chunk::Amount(_) => true,
            _ => false,
        };
        (is_remark(tokens) && !self.chunker().chunks(tokens).iter().any(rules))
            || (has_rules && self.tells(tokens))
            || (has_rules && (is_said_again(tokens) || is_looking(tokens)))
            || is_enough(tokens)
    }

    /// Whether words behind a rule only tell why: somebody or something does something, and nothing in it rules.
    pub(super) fn tells(&self, tokens: &[Token]) -> bool {
        if is_way_out(tokens) || is_need(tokens) || costs(tokens) {
            return true;
        }
        let rules = |token: &Token| {
            token.shape == Shape::Word
                && RULING.contains(&token.low.as_str())
                && !matches!(token.low.as_str(), "out" | "first" | "stay" | "stays" | "after" | "before")
        };
        let is_plain = |token: &Token| matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark('\''));
        if says_why(tokens) && tokens.iter().all(is_plain) {
            return true;
        }
        if tokens.iter().any(|token| ALLOWING.contains(&token.low.as_str())) {
            return false;
        }
        let is_literal = |token: &Token| {
            !matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark('\'' | '(' | ')'))
        };
        let denies_only =
            tokens.first().is_some_and(|first| matches!(first.low.as_str(), "nobody" | "no" | "nothing"))
                && tokens.get(1).is_some_and(|next| {
                    matches!(
                        next.low.as_str(),
                        "is" | "one" | "reads" | "likes" | "wants" | "knows" | "needs" | "works"
                    )
                })
                && tokens.len() > 3
                && !tokens
                    .iter()
                    .any(|token| matches!(token.low.as_str(), "may" | "must" | "can" | "to" | "allowed"));
        // "it only floods the chat"
        let is_pronoun =
            tokens.first().is_some_and(|first| matches!(first.low.as_str(), "it" | "they" | "that" | "this"));
        // "I look at each", "we need them for the audit": who speaks of himself rules nobody.
        let is_own = is_own_affair(tokens);
        let rules = |token: &Token| rules(token) && !is_own && !(is_pronoun && token.low == "only");
        if tokens.len() < 3 || tokens.iter().any(is_literal) || (tokens.iter().any(rules) && !denies_only) {
            return false;
        }
        let says_you = tokens.iter().any(|token| matches!(token.low.as_str(), "you" | "your"));
        let begins_noun = !self.lexicon.is_wish(tokens)
            && tokens.first().is_some_and(|first| !PLACING.contains(&first.low.as_str()));
        let does = |token: &Token| {
            STATING.contains(&token.low.as_str())
                || DOING.contains(&token.low.as_str())
                || (token.low.ends_with('s')
                    && token.low.strip_suffix('s').is_some_and(|base| DOING.contains(&base)))
        };
        begins_noun && !says_you && (is_pronoun || tokens.iter().skip(1).any(does))
    }
}

/// Whether somebody tells what he or others do, and wants nothing.
fn is_own_affair(tokens: &[Token]) -> bool {
    const WANTING: &[&str] = &[
        "want",
        "wants",
        "ask",
        "asked",
        "decide",
        "decides",
        "approve",
        "approves",
        "sign",
        "ok",
        "okay",
        "confirm",
        "permission",
        "must",
        "should",
        "may",
        "never",
        "no",
        "not",
        "don't",
        "only",
        "nothing",
        "nobody",
        "without",
        "unless",
        "except",
        "won't",
        "can't",
        "cannot",
        "allow",
        "say",
        "agree",
    ];
    let first = tokens.first().map_or("", |token| token.low.as_str());
    matches!(
        first,
        "i" | "we" | "he" | "she" | "they" | "i'm" | "we're" | "they're" | "i'll" | "we'll" | "i've"
    ) && !tokens.iter().any(|token| WANTING.contains(&token.low.as_str()))
}

/// "Just look" behind a rule: what is left to do.
fn is_looking(tokens: &[Token]) -> bool {
    const LOOKING: &[&str] = &[
        "just look",
        "just looking",
        "only look",
        "look only",
        "only looking",
        "just read",
        "just watch",
        "just observe",
        "only observe",
        "just have a look",
        "looking only",
        "just reading",
        "reading only",
        "only reading",
        "look around only",
        "just look at them",
        "just look at it",
        "just look around",
        "just read them",
        "just read it",
        "just report",
        "only report",
        "just tell me",
        "just list them",
        "just listing",
        "just watching",
        "watch only",
        "just check",
        "just inspect",
        "only inspect",
    ];
    strip(tokens, LOOKING).is_some_and(<[Token]>::is_empty)
}

/// Whether words only tell something.
fn is_remark(tokens: &[Token]) -> bool {
    // "No copy, no change", "nothing in there changes any more": the rule before, once more.
    const AGAIN: &[&str] = &[
        "nothing in there changes",
        "nothing in it changes",
        "nothing there changes",
        "nothing else",
        "no others",
    ];
    if strip(tokens, AGAIN).is_some_and(|rest| rest.len() < 3) {
        return true;
    }
    let rules = |token: &Token| token.shape == Shape::Word && RULING.contains(&token.low.as_str());
    let is_polite = tokens.iter().all(|token| {
        matches!(
            token.low.as_str(),
            "please"
                | "thanks"
                | "thank"
                | "thx"
                | "ta"
                | "cheers"
                | "you"
                | "ok"
                | "hello"
                | "hi"
                | "hey"
                | "dear"
        )
    });
    if is_polite {
        return true;
    }
    if tokens.iter().any(rules) {
        return false;
    }
    let first = tokens.first().map_or("", |token| token.low.as_str());
    let states = tokens.iter().skip(1).any(|token| STATING.contains(&token.low.as_str()));
    REMARKING.contains(&first) || states
}

fn core_of(tokens: &[Token]) -> &[Token] {
    strip(tokens, &["and", "but"]).unwrap_or(tokens)
}

/// What says that something may be done.
pub(super) const FINE: &[&str] = &[
    "is fine",
    "are fine",
    "is ok",
    "are ok",
    "is okay",
    "are okay",
    "is allowed",
    "are allowed",
    "is all right",
    "are all right",
    "is no problem",
    "are no problem",
    "are welcome",
    "is welcome",
    "do not count",
    "don't count",
    "does not count",
    "doesn't count",
    "are excepted",
    "is excepted",
    "are exempt",
    "is alright",
    "are alright",
    "i don't mind",
    "is good",
    "are good",
];

impl Exact<'_> {
    /// What is allowed nevertheless, as exceptions; none of them where it only says what is not forbidden.
    pub(super) fn permission(&self, tokens: &[Token]) -> Option<Vec<Vec<Test>>> {
        let allowed = strip_end(tokens, FINE)
            .or_else(|| strip(tokens, &["you may", "you can", "feel free to", "you are welcome to"]))?;
        // "You may set the status to Draft": what stands behind may speak of the same argument.
        if let Some((named, _, values)) =
            strip(allowed, &["set", "put", "change"]).and_then(|rest| around(rest, &["to"]))
            && let Some(parameter) = self.parameter(named)
            && self.values(values, &parameter.names).is_some()
        {
            *self.last.borrow_mut() = Some(parameter);
            return Some(Vec::new());
        }
        let allowed =
            strip_end(core(allowed), &["them", "it", "those", "there", "in there"]).unwrap_or(allowed);
        let allowed = bare(allowed);
        let whole = |phrase: &crate::english::lexicon::Phrase| phrase.length == allowed.len();
        for phrase in self.lexicon.phrases(allowed).into_iter().filter(whole) {
            let (Entry::Verb(number) | Entry::Act(number)) = phrase.entry else { continue };
            let action = self.lexicon.action(number)?;
            return Some(match action.deed.as_str() {
                "reads" => vec![vec![Test::Did { actions: vec!["reading only".to_owned()], is: true }]],
                "copies" => vec![vec![Test::Does(Deed::Copies)]],
                "" => vec![vec![Test::Did { actions: vec![action.name.clone()], is: true }]],
                _ => return None,
            });
        }
        if let Some(signs) = self.signs_named(allowed) {
            return Some(vec![vec![Test::Sign(signs)]]);
        }
        // "thread replies": by the words of the tools that do it.
        let nouns = stems(allowed);
        let parts: Option<Vec<Test>> = nouns
            .iter()
            .map(|noun| {
                let named =
                    self.lexicon.phrases(&[token(noun)]).into_iter().find_map(|phrase| match phrase.entry {
                        Entry::Act(number) | Entry::Verb(number) => self.lexicon.action(number),
                        _ => None,
                    });
                let action = named.filter(|action| action.deed.is_empty())?;
                Some(Test::Did { actions: vec![action.name.clone()], is: true })
            })
            .collect();
        parts.filter(|parts| !parts.is_empty()).map(|parts| vec![parts])
    }
}

fn token(word: &str) -> Token {
    Token { text: word.to_owned(), low: word.to_owned(), shape: Shape::Word, at: 0 }
}
