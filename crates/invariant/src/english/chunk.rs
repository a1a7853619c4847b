//! From words to chunks: every stretch of a sentence with what it may mean by itself.

use super::amount::{self, Amount};
use super::lexicon::{Entry, Lexicon, Marker, Phrase, Preposition};
use super::token::{Shape, Token};
use super::when;
use crate::hand::Hand;
use crate::meaning::Span;

/// Something that stands for itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Literal {
    Path(String),
    Host(String),
    Url(String),
    Address(String),
    Channel(String),
    Mention(String),
    Emoji(String),
    Flag(String),
    Quoted(String),
    Identifier(String),
    /// A tool that is at hand, by its name.
    Tool(String),
    Number(i64),
}

/// A stretch of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Chunk {
    Marker(Marker),
    /// "ask me before", "without my approval".
    Ask,
    /// An action, by its number in the lexicon.
    Verb(usize),
    /// An action that is said with a noun.
    Act(usize),
    Thing(usize),
    Preposition(Preposition),
    Literal(Literal),
    When(Span),
    Amount(Amount),
    It,
    Or,
    And,
    Comma,
    Colon,
    Open,
    Close,
    Filler,
    /// A word that begins with a capital letter and is not in the lexicon.
    Name(String),
    /// Another word that is not in the lexicon.
    Word(String),
    /// Something that a tool at hand or a program does, by the word of its name.
    Deed(String),
    /// A program and the words behind it.
    Command(Vec<String>),
}

/// A chunk and the words that it was made of.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Piece {
    pub(crate) chunk: Chunk,
    /// As written.
    pub(crate) text: String,
}

/// Cuts words into chunks.
pub(crate) struct Chunker<'c> {
    pub(crate) lexicon: &'c Lexicon,
    pub(crate) hand: &'c Hand,
    /// The year that dates without one belong to.
    pub(crate) year: i16,
}

/// What stood before, as far as it decides between a verb and a noun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Verb,
    Noun,
    Determiner,
    Wish,
    Preposition,
    Other,
}

impl Chunker<'_> {
    pub(crate) fn chunks(&self, tokens: &[Token]) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut before = Before::Start;
        let mut last_list = Before::Other;
        let mut at = 0;
        while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
            let (chunk, length) = self.next(rest, before, last_list, at == 0);
            let text: Vec<&str> = rest.iter().take(length).map(|token| token.text.as_str()).collect();
            let text = text.join(" ");
            let now = role(&chunk, &text, before);
            if matches!(now, Before::Verb | Before::Noun) {
                last_list = now;
            }
            before = now;
            pieces.push(Piece { chunk, text });
            at += length.max(1);
        }
        pieces
    }

    fn next(&self, tokens: &[Token], before: Before, list: Before, first: bool) -> (Chunk, usize) {
        let Some(token) = tokens.first() else { return (Chunk::Filler, 1) };
        if let Some(chunk) = mark(token) {
            return (chunk, 1);
        }
        if let Some(length) = ask(tokens) {
            return (Chunk::Ask, length);
        }
        if let Some((when, length)) = when::read(tokens, self.year) {
            return (Chunk::When(when), length);
        }
        if let Some((amount, length)) = amount::read(tokens) {
            return (Chunk::Amount(amount), length);
        }
        if let Some((_, length)) = amount::trailing(tokens, 0) {
            return (Chunk::Filler, length);
        }
        if let Some(tool) = self.hand.tool(&token.text) {
            return (Chunk::Literal(Literal::Tool(tool)), 1);
        }
        if let Some(literal) = literal(token) {
            return (Chunk::Literal(literal), 1);
        }
        if matches!(token.text.as_str(), "WHERE" | "LIMIT") {
            return (Chunk::Name(token.text.clone()), 1);
        }
        if let Some(marker) = parted(tokens) {
            return (Chunk::Marker(marker), 1);
        }
        match token.low.as_str() {
            "or" => return (Chunk::Or, 1),
            "and" | "plus" | "&" => {
                let longer = self
                    .lexicon
                    .phrases(tokens)
                    .into_iter()
                    .find(|phrase| phrase.length > 1 && matches!(phrase.entry, Entry::Filler));
                return longer.map_or((Chunk::And, 1), |phrase| (Chunk::Filler, phrase.length));
            }
            _ => {}
        }
        if let Some(words) = self.command(tokens) {
            let length = words.len();
            return (Chunk::Command(words), length);
        }
        let wants_verb = match before {
            // "Changes under docs/ …": no wish has an s.
            Before::Start
                if first && token.low.ends_with('s') && token.low.len() > 4 && token.is_capital() =>
            {
                false
            }
            Before::Start | Before::Wish => true,
            Before::Other => list == Before::Verb,
            Before::Verb | Before::Noun | Before::Determiner | Before::Preposition => false,
        };
        let phrases = self.lexicon.phrases(tokens);
        let capitals = token.text.strip_suffix('s').unwrap_or(&token.text);
        if capitals.len() > 2
            && capitals.chars().all(|letter| letter.is_ascii_uppercase())
            && let Some(phrase) = self.lexicon.statement(capitals)
        {
            return (entry(&phrase), 1);
        }
        // A name in the middle of a sentence is a name, even if there is such a word.
        let is_word = phrases
            .iter()
            .any(|phrase| matches!(phrase.entry, Entry::Thing(_) | Entry::Act(_) | Entry::Marker(_)));
        if !first
            && token.is_capital()
            && token.shape == Shape::Word
            && !is_word
            && token.low != "i"
            && !token.low.starts_with("i'")
        {
            return (Chunk::Name(name(tokens, self.lexicon)), name_length(tokens, self.lexicon));
        }
        // "the shared channel": which one, not what is done.
        let ends = token.low.ends_with("ed") || token.low.ends_with("ing");
        let is_participle = ends
            && token.low != "need"
            && (before == Before::Determiner || before == Before::Preposition && token.low.ends_with("ed"));
        if let Some(phrase) = choose(&phrases, wants_verb) {
            if is_participle && matches!(phrase.entry, Entry::Verb(_)) && phrase.length == 1 && !wants_verb {
                let names = self.lexicon.phrases(tokens.get(1..).unwrap_or_default()).iter().any(|next| {
                    match next.entry {
                        Entry::Thing(number) => {
                            self.lexicon.thing(number).is_some_and(|thing| thing.takes_name)
                        }
                        _ => false,
                    }
                });
                return (if names { Chunk::Word(token.low.clone()) } else { Chunk::Filler }, 1);
            }
            return (entry(&phrase.entry), phrase.length);
        }
        if let Some(word) = self.at_hand(token) {
            return (if wants_verb { Chunk::Deed(word) } else { Chunk::Word(word) }, 1);
        }
        if let Some(phrase) = self.mistyped(token, wants_verb) {
            return (entry(&phrase.entry), 1);
        }
        match token.is_capital() {
            true => (Chunk::Name(name(tokens, self.lexicon)), name_length(tokens, self.lexicon)),
            false => (Chunk::Word(token.low.clone()), 1),
        }
    }

    /// A program by its name, with its subcommand and options: "terraform apply", "rm -rf".
    fn command(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let first = tokens.first()?;
        let is_program =
            matches!(first.shape, Shape::Word | Shape::Identifier) && self.hand.has_program(&first.low);
        let next = tokens.get(1);
        let takes_flag = next.is_some_and(|next| matches!(next.shape, Shape::Flag | Shape::Number));
        if !is_program || (self.lexicon.knows(first) && !takes_flag && first.low != "git") {
            return None;
        }
        let mut words = vec![first.low.clone()];
        for token in tokens.iter().skip(1).take(3) {
            let is_word = token.shape == Shape::Word
                && token.text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            let is_told = token.shape == Shape::Flag
                || token.shape == Shape::Number
                || (is_word && words.len() < 2 && is_subcommand(&token.low));
            if !is_told {
                break;
            }
            words.push(token.low.clone());
        }
        Some(words)
    }

    /// A word of a tool at hand or the name of a program, in the form that it has there.
    fn at_hand(&self, token: &Token) -> Option<String> {
        if token.shape != Shape::Word {
            return None;
        }
        let bases = super::lexicon::word_bases(&token.low);
        let by_tool =
            bases.iter().find(|base| self.hand.has_tool_word(base)).map(|base| crate::names::stem(base));
by_tool
            .or_else(|| bases.iter().find(|base| self.hand.has_program(base)).cloned())
            .or_else(|| bases.into_iter().find(|base| self.hand.mentions(base)))
    }

    /// A word with one slip of the finger, if it is long enough to be sure and is not a word at hand.
    fn mistyped(&self, token: &Token, wants_verb: bool) -> Option<Phrase> {
        if token.shape != Shape::Word || token.low.chars().count() < 6 || self.hand.has_word(&token.low) {
            return None;
        }
        let fixed = self.lexicon.nearest(&token.low)?;
        let token = Token { text: fixed.clone(), low: fixed, shape: Shape::Word, at: token.at };
        choose(&self.lexicon.phrases(&[token]), wants_verb).cloned()
    }
}

/// "leave … alone", "keep … as it is": what is left alone stands between.
fn parted(tokens: &[Token]) -> Option<Marker> {
    if !matches!(tokens.first()?.low.as_str(), "leave" | "keep" | "let") {
        return None;
    }
    let text: Vec<&str> = tokens.iter().skip(1).take(12).map(|token| token.low.as_str()).collect();
    let text = format!(" {} ", text.join(" "));
    let has = |phrase: &str| text.contains(&format!(" {phrase} "));
    // "keep phone numbers out of Slack"
    if tokens.first().is_some_and(|token| token.low == "keep")
        && has("out of")
        && !text.starts_with(" out of")
    {
        return Some(Marker::Deny);
    }
    if has("alone") || has("out of it") {
        return Some(Marker::Avoid);
    }
    let protects = [
        "as it is",
        "as they are",
        "as is",
        "untouched",
        "unchanged",
        "in peace",
        "intact",
        "the way it is",
        "the way they are",
        "where it is",
        "where they are",
    ];
    protects.iter().any(|phrase| has(phrase)).then_some(Marker::Protect)
}

fn role(chunk: &Chunk, text: &str, before: Before) -> Before {
    let low = text.to_lowercase();
    match chunk {
        Chunk::Marker(Marker::Deny) => match low.as_str() {
            "no" | "nothing" | "nobody" | "no one" | "none" | "noone" | "neither" | "nor"
            | "not a single" => Before::Determiner,
            _ => Before::Wish,
        },
        Chunk::Marker(Marker::Only | Marker::May | Marker::Needs) | Chunk::Ask => Before::Wish,
        Chunk::Marker(_) | Chunk::Colon => Before::Start,
        Chunk::Verb(_) | Chunk::Deed(_) => Before::Verb,
        Chunk::Command(_) => Before::Noun,
        Chunk::Act(_) | Chunk::Thing(_) | Chunk::Literal(_) | Chunk::Name(_) | Chunk::Word(_) | Chunk::It => {
            Before::Noun
        }
        Chunk::Preposition(_) => match low.as_str() {
            "to" => Before::Wish,
            _ => Before::Preposition,
        },
        Chunk::Or | Chunk::And | Chunk::Comma => Before::Other,
        Chunk::Filler => match low.as_str() {
            "the" | "a" | "an" | "any" | "all" | "my" | "our" | "your" | "new" | "every" | "each"
            | "this" | "that" | "some" | "existing" => Before::Determiner,
            "you" | "i" | "we" | "may" | "can" | "must" | "should" | "will" | "be" | "get" | "gets"
            | "always" | "please" | "ever" | "just" => {
                if before == Before::Determiner && !matches!(low.as_str(), "ever" | "please") {
                    Before::Wish
                } else {
                    before_wish(before)
                }
            }
            _ => before,
        },
        Chunk::When(_) | Chunk::Amount(_) | Chunk::Open | Chunk::Close => Before::Determiner,
    }
}

/// Words that follow a program and are no English: what it is told to do.
fn is_subcommand(word: &str) -> bool {
    const STOPS: &[&str] = &[
        "and",
        "or",
        "is",
        "are",
        "to",
        "in",
        "on",
        "at",
        "with",
        "without",
        "only",
        "unless",
        "except",
        "for",
        "from",
        "the",
        "a",
        "an",
        "please",
        "pls",
        "ever",
        "anywhere",
        "directly",
        "without",
        "before",
        "after",
        "outside",
        "inside",
        "must",
        "may",
        "can",
        "not",
        "needs",
        "need",
        "anything",
        "whatever",
        "as",
        "so",
        "but",
        "if",
        "when",
        "here",
        "containers",
        "volumes",
        "images",
        "tags",
        "commands",
        "command",
        "packages",
        "instead",
        "rights",
        "access",
        "stays",
        "stay",
    ];
    !STOPS.contains(&word)
}

fn before_wish(before: Before) -> Before {
    match before {
        Before::Start | Before::Wish => before,
        _ => Before::Wish,
    }
}

fn mark(token: &Token) -> Option<Chunk> {
    match token.shape {
        Shape::Mark(',' | ';') => Some(Chunk::Comma),
        Shape::Mark(':') => Some(Chunk::Colon),
        Shape::Mark('(') => Some(Chunk::Open),
        Shape::Mark(')') => Some(Chunk::Close),
        Shape::Mark('&') => Some(Chunk::And),
        Shape::Mark(_) => Some(Chunk::Filler),
        _ => None,
    }
}

fn literal(token: &Token) -> Option<Literal> {
    let text = token.text.clone();
    Some(match token.shape {
        Shape::Path => Literal::Path(text),
        Shape::Host => Literal::Host(token.low.trim_start_matches('@').to_owned()),
        Shape::Url => Literal::Url(text),
        Shape::Address => Literal::Address(token.low.clone()),
        Shape::Channel => Literal::Channel(text),
        Shape::Mention => Literal::Mention(text),
        Shape::Emoji => Literal::Emoji(text.trim_matches(':').to_owned()),
        Shape::Quoted => Literal::Quoted(text),
        Shape::Flag => Literal::Flag(text),
        Shape::Identifier => Literal::Identifier(text),
        Shape::Number => Literal::Number(token.low.parse().ok()?),
        Shape::Word | Shape::Mark(_) => return None,
    })
}

fn entry(entry: &Entry) -> Chunk {
    match entry {
        Entry::Marker(marker) => Chunk::Marker(*marker),
        Entry::Preposition(preposition) => Chunk::Preposition(*preposition),
        Entry::Verb(number) => Chunk::Verb(*number),
        Entry::Act(number) => Chunk::Act(*number),
        Entry::Thing(number) => Chunk::Thing(*number),
        Entry::It => Chunk::It,
        Entry::Filler => Chunk::Filler,
    }
}

/// Of several phrases the longest, and among those what fits the place.
fn choose(phrases: &[Phrase], wants_verb: bool) -> Option<&Phrase> {
    let longest = phrases.first()?.length;
    let rank = |phrase: &Phrase| match (&phrase.entry, wants_verb) {
        (Entry::Marker(_), _) => 0,
        (Entry::Verb(_), true) => 1,
        (Entry::Act(_), false) => 1,
        (Entry::Thing(_), false) => 2,
        (Entry::It, false) => 3,
        (Entry::Preposition(_), _) => 4,
        (Entry::Verb(_), false) => 6,
        (Entry::Act(_) | Entry::Thing(_) | Entry::It, true) => 5,
        (Entry::Filler, _) => {
            if wants_verb {
                6
            } else {
                5
            }
        }
    };
    phrases.iter().filter(|phrase| phrase.length == longest).min_by_key(|phrase| rank(phrase))
}

/// Names of several words, as far as they begin with capitals: "Grandma Rosa's".
fn name_length(tokens: &[Token], lexicon: &Lexicon) -> usize {
    let is_part = |token: &&Token| {
        let known = lexicon
            .phrases(std::slice::from_ref(token))
            .iter()
            .any(|phrase| matches!(phrase.entry, Entry::Thing(_) | Entry::Act(_) | Entry::Marker(_)));
        token.shape == Shape::Word && token.is_capital() && !known
    };
    tokens.iter().take_while(is_part).count().max(1)
}

fn name(tokens: &[Token], lexicon: &Lexicon) -> String {
    let parts = tokens.iter().take(name_length(tokens, lexicon));
    let text: Vec<&str> = parts.map(|token| token.text.as_str()).collect();
    let text = text.join(" ");
    text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(&text).to_owned()
}

const APPROVALS: &[&str] = &[
    "ok",
    "okay",
    "approval",
    "permission",
    "consent",
    "say-so",
    "confirmation",
    "go-ahead",
    "sign-off",
    "signoff",
    "yes",
    "blessing",
    "nod",
    "agreement",
    "authorisation",
    "authorization",
    "thumbs-up",
    "word",
    "green-light",
    "go",
];
const ASKING: &[&str] = &[
    "ask",
    "asking",
    "asked",
    "check",
    "checking",
    "confirm",
    "confirming",
    "consult",
    "consulting",
    "prompt",
    "prompting",
    "tell",
    "telling",
    "approve",
    "approving",
    "approved",
    "agree",
    "agreed",
    "say",
    "said",
    "verify",
    "inform",
    "informing",
    "warn",
    "warning",
    "double-check",
    "double-checking",
    "notify",
    "run",
    "running",
    "show",
    "showing",
    "confirmed",
    "ping",
    "see",
    "decide",
    "okay",
    "ok",
    "know",
];

/// How many words ask for the user's approval: "ask me before", "without my explicit ok", "unless I say so".
fn ask(tokens: &[Token]) -> Option<usize> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let is_me = |at: usize| matches!(low(at), "me" | "i" | "my" | "us" | "mine");
    let mut at = 0;
    match low(0) {
        "without" | "unless" | "until" => at += 1,
        "only" if matches!(low(1), "with" | "after" | "if" | "when" | "once") => at += 2,
        "needs" | "need" | "requires" | "require" | "get" | "gets" | "await" => at += 1,
        "wait" if low(1) == "for" => at += 2,
        "i" if matches!(low(1), "want" | "need" | "have" | "would" | "must" | "wish" | "like") => at += 2,
        "i'd" | "let" | "have" => at += 1,
        "always" | "please" if ASKING.contains(&low(1)) => at += 1,
        "has" | "must" if matches!(low(1), "be" | "to") => at += 2,
        "ask" | "check" | "confirm" | "consult" | "prompt" | "run" | "show" | "double-check" | "ping"
        | "warn" | "tell" => {}
        _ => return None,
    }
    let starts = at;
    let limit = at + 5;
    while at < limit {
        let word = low(at);
        if word.is_empty() || word == "," || word == "." {
            return None;
        }
        if APPROVALS.contains(&word)
            && (is_me(at.wrapping_sub(1))
                || tokens.iter().take(at).any(|token| {
                    matches!(
                        token.low.as_str(),
                        "my" | "me" | "explicit" | "without" | "needs" | "need" | "requires" | "require"
                    )
                }))
        {
            at += 1;
            if matches!(low(at), "from") && is_me(at + 1) {
                at += 2;
            }
            if matches!(low(at), "first") {
                at += 1;
            }
            if low(at) == "before" {
                at += 1;
            }
            return Some(at);
        }
        if ASKING.contains(&word) {
            return asked(tokens, at, starts);
        }
        if !matches!(
            word,
            "me" | "i"
                | "my"
                | "to"
                | "be"
                | "a"
                | "an"
                | "the"
                | "explicit"
                | "explicitly"
                | "you"
                | "have"
                | "clear"
                | "prior"
                | "our"
                | "like"
                | "would"
                | "always"
                | "had"
                | "it"
                | "been"
                | "has"
                | "express"
                | "first"
                | "i've"
                | "personal"
        ) {
            return None;
        }
        at += 1;
    }
    None
}

/// What follows a word that asks: "me", "with me first", "it by me", "before".
fn asked(tokens: &[Token], verb: usize, starts: usize) -> Option<usize> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let mut at = verb + 1;
    let mut is_me = tokens
        .iter()
        .take(verb)
        .skip(starts.saturating_sub(2))
        .any(|token| matches!(token.low.as_str(), "me" | "i" | "i'd" | "i've"));
    while matches!(
        low(at),
        "me" | "with"
            | "by"
            | "past"
            | "it"
            | "first"
            | "so"
            | "yes"
            | "that"
            | "to"
            | "every"
            | "each"
            | "time"
            | "about"
            | "them"
            | "us"
            | "again"
            | "go"
            | "ok"
            | "okay"
            | "explicitly"
            | "beforehand"
    ) {
        // "check with the team" is no question to the user; "to" must lead to me.
        if low(at) == "to" && low(at + 1) != "me" {
            break;
        }
        if matches!(low(at), "me" | "us") {
            is_me = true;
        }
        at += 1;
    }
    if matches!(low(at), "before") {
        at += 1;
        let is_plain_ask =
            matches!(low(verb), "ask" | "asking" | "check" | "checking" | "confirm" | "double-check");
        return (is_me || is_plain_ask).then_some(at);
    }
    let is_bare = matches!(low(0), "without" | "unless")
        && matches!(low(verb), "ask" | "asking" | "checking" | "confirming");
    let is_first = tokens.get(at.wrapping_sub(1)).is_some_and(|token| token.low == "first")
        && matches!(low(verb), "ask" | "check");
    (is_me || is_bare || is_first).then_some(at)
}
