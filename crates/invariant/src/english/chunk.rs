//! From words to chunks: every stretch of a sentence with what it may mean by itself.

mod commands;
mod pieces;
mod settings;

use super::amount::{self, Amount};
use super::ask;
use super::lexicon::{Entry, Lexicon, Marker, Phrase, Preposition};
use super::token::{Shape, Token};
use super::when;
use crate::hand::Hand;
use crate::meaning::Span;
use pieces::{choose, entry, is_person, literal, mark, name, name_length, parted};

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
    /// A sample: "a ticket like OPS-123".
    Like(String),
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
    /// A word that cannot be understood where it stands: a verb that is not known, or something nobody can check.
    Strange(String),
    /// A program and the words behind it.
    Command(Vec<String>),
    /// An argument and the value that it has.
    Setting {
        parameter: String,
        value: String,
    },
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
    /// Right behind "never" and the like, where a verb must stand.
    Ban,
    /// Behind "to": a verb, or where something goes.
    Toward,
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
            let low = text.to_lowercase();
            let after_noun = before == Before::Noun
                || pieces.last().is_some_and(|last| last.text.eq_ignore_ascii_case("nothing"));
            let is_relative = matches!(low.as_str(), "that" | "which" | "who") && after_noun;
            let now = if is_relative { Before::Wish } else { role(&chunk, &text, before) };
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
        if let Some(found) = self.fixed(tokens, token) {
            return found;
        }
        let wants_verb = match before {
            // "Changes under docs/ …": no wish has an s.
            Before::Start if first && is_plural(token) => false,
            Before::Start | Before::Wish | Before::Ban | Before::Toward => true,
            Before::Other => list == Before::Verb,
            Before::Verb | Before::Noun | Before::Determiner | Before::Preposition => false,
        };
        let phrases = self.lexicon.phrases(tokens);
        let is_thing = |phrase: &Phrase| {
            matches!(phrase.entry, Entry::Thing(_) | Entry::Act(_) | Entry::Marker(_) | Entry::Vague)
        };
        // A name in the middle of a sentence is a name, even if there is such a word.
        let is_i = token.low == "i" || token.low.starts_with("i'");
        // "Project Falcon": a name, though its first word is one.
        let is_name = |token: &Token| token.is_capital() && token.shape == Shape::Word;
        if !first
            && is_name(token)
            && phrases.iter().any(|phrase| matches!(phrase.entry, Entry::Thing(_)))
            && let Some(next) = tokens.get(1).filter(|next| is_name(next) && !self.lexicon.knows(next))
        {
            return (Chunk::Name(format!("{} {}", token.text, next.text)), 2);
        }
        if !first
            && token.is_capital()
            && token.shape == Shape::Word
            && !phrases.iter().any(is_thing)
            && !is_i
        {
            return (Chunk::Name(name(tokens, self.lexicon)), name_length(tokens, self.lexicon));
        }
        // "use grep": a program, though it is a verb as well.
        let only_verbs = phrases.iter().all(|phrase| matches!(phrase.entry, Entry::Verb(_)));
        if before == Before::Verb && only_verbs && !phrases.is_empty() && self.hand.has_program(&token.text) {
            return (Chunk::Command(vec![token.low.clone()]), 1);
        }
        // "don't delete blocks", where tools have blocks: no verb, though it could be one.
        let stem = crate::names::stem(&token.low);
        let is_object = matches!(before, Before::Verb | Before::Determiner | Before::Preposition);
        if is_object
            && only_verbs
            && !phrases.is_empty()
            && token.low.ends_with('s')
            && self.hand.has_tool_word(&stem)
        {
            return (Chunk::Word(stem), 1);
        }
        if let Some(phrase) = choose(&phrases, wants_verb) {
            let is_verb = matches!(phrase.entry, Entry::Verb(_)) && phrase.length == 1;
            if is_verb && !wants_verb && is_participle(token, before) {
                return (self.described(token, tokens.get(1..).unwrap_or_default()), 1);
            }
            return (entry(&phrase.entry), phrase.length);
        }
        self.unlisted(tokens, token, before, wants_verb)
    }

    /// A word that no phrase of the lexicon explains.
    fn unlisted(&self, tokens: &[Token], token: &Token, before: Before, wants_verb: bool) -> (Chunk, usize) {
        // "never resolve an issue", where a state is `resolved`.
        if before == Before::Ban
            && token.shape == Shape::Word
            && self.hand.has_value_like(&token.low)
            && self.at_hand(token).is_none()
        {
            return (Chunk::Deed(token.low.clone()), 1);
        }
        if before == Before::Ban
            && !token.is_capital()
            && self.at_hand(token).is_none()
            && self.mistyped(token, true).is_none()
        {
            return (Chunk::Strange(token.low.clone()), 1);
        }
        // "set the priority to urgent": what only a description has is a value there.
        let is_value = before == Before::Toward
            && !self.at_hand(token).is_some_and(|word| self.hand.has_tool_word(&word));
        self.unknown(tokens, token, wants_verb && !is_value)
    }

    /// What is what it is wherever it stands: marks, times, amounts, literals, commands.
    fn fixed(&self, tokens: &[Token], token: &Token) -> Option<(Chunk, usize)> {
        if let Some(chunk) = mark(token) {
            return Some((chunk, 1));
        }
        if let Some(length) = ask::ask(tokens) {
            return Some((Chunk::Ask, length));
        }
        if let Some((when, length)) = when::read(tokens, self.year) {
            return Some((Chunk::When(when), length));
        }
        if let Some((amount, length)) = amount::read(tokens) {
            return Some((Chunk::Amount(amount), length));
        }
        if let Some((_, length)) = amount::trailing(tokens, 0) {
            return Some((Chunk::Filler, length));
        }
        if let Some(found) = self.sample(tokens).or_else(|| self.setting(tokens)) {
            return Some(found);
        }
        let literal = self.hand.tool(&token.text).map(Literal::Tool).or_else(|| literal(token));
        if let Some(literal) = literal {
            return Some((Chunk::Literal(literal), 1));
        }
        let next = tokens.get(1).map_or("", |next| next.low.as_str());
        let is_clause = matches!(token.low.as_str(), "where" | "limit")
            && matches!(next, "clause" | "clauses" | "condition");
        if matches!(token.text.as_str(), "WHERE" | "LIMIT") || is_clause {
            return Some((Chunk::Name(token.text.to_uppercase()), 1));
        }
        if let Some(marker) = parted(tokens) {
            return Some((Chunk::Marker(marker), 1));
        }
        self.joined(tokens, token).or_else(|| self.told(tokens, token))
    }

    /// Words that join, numbers that are words, and people that were named before.
    fn joined(&self, tokens: &[Token], token: &Token) -> Option<(Chunk, usize)> {
        match token.low.as_str() {
            "or" => return Some((Chunk::Or, 1)),
            "and" | "plus" | "&" => {
                let phrases = self.lexicon.phrases(tokens).into_iter();
                let longer = phrases
                    .filter(|phrase| matches!(phrase.entry, Entry::Filler))
                    .find(|phrase| phrase.length > 1);
                return Some(longer.map_or((Chunk::And, 1), |phrase| (Chunk::Filler, phrase.length)));
            }
            _ => {}
        }
        if token.low == "zero" {
            return Some((Chunk::Literal(Literal::Number(0)), 1));
        }
        is_person(tokens).then_some((Chunk::It, 1))
    }

    /// Commands, and statements of SQL.
    fn told(&self, tokens: &[Token], token: &Token) -> Option<(Chunk, usize)> {
        // What the lexicon has as a whole is no command: "reset --hard".
        let is_phrase = self
            .lexicon
            .phrases(tokens)
            .iter()
            .any(|phrase| phrase.length > 1 && matches!(phrase.entry, Entry::Act(_) | Entry::Verb(_)));
        if let Some(words) = self.with_flag(tokens) {
            return Some((Chunk::Command(words), 3));
        }
        if let Some(words) = self.command(tokens).filter(|_| !is_phrase) {
            let length = words.len();
            return Some((Chunk::Command(words), length));
        }
        let capitals = token.text.strip_suffix('s').unwrap_or(&token.text);
        let is_capitals = capitals.len() > 2 && capitals.chars().all(|letter| letter.is_ascii_uppercase());
        self.lexicon.statement(capitals).filter(|_| is_capitals).map(|found| (entry(&found), 1))
    }

    /// "the shared channel": which one, not what is done.
    fn described(&self, token: &Token, rest: &[Token]) -> Chunk {
        let takes_name = |phrase: &Phrase| match phrase.entry {
            Entry::Thing(number) => self.lexicon.thing(number).is_some_and(|thing| thing.takes_name),
            _ => false,
        };
        match self.lexicon.phrases(rest).iter().any(takes_name) {
            true => Chunk::Word(token.low.clone()),
            false => Chunk::Filler,
        }
    }

    /// A word that the lexicon does not have.
    fn unknown(&self, tokens: &[Token], token: &Token, wants_verb: bool) -> (Chunk, usize) {
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
        if token.shape != Shape::Word || token.low.chars().count() < 5 || self.hand.has_word(&token.low) {
            return None;
        }
        let fixed = self.lexicon.nearest(&token.low)?;
        let token = Token { text: fixed.clone(), low: fixed, shape: Shape::Word, at: token.at };
        choose(&self.lexicon.phrases(&[token]), wants_verb).cloned()
    }
}

fn role(chunk: &Chunk, text: &str, before: Before) -> Before {
    let low = text.to_lowercase();
    match chunk {
        Chunk::Marker(Marker::Deny) => match low.as_str() {
            "nobody" | "no one" | "noone" => Before::Wish,
            "no" | "nothing" | "none" | "neither" | "nor" | "not a single" => Before::Determiner,
            _ => Before::Ban,
        },
        Chunk::Marker(Marker::Only | Marker::May | Marker::Needs) | Chunk::Ask => Before::Wish,
        Chunk::Marker(_) | Chunk::Colon => Before::Start,
        Chunk::Verb(_) | Chunk::Deed(_) => Before::Verb,
        Chunk::Command(_) | Chunk::Strange(_) => Before::Noun,
        Chunk::Act(_)
        | Chunk::Thing(_)
        | Chunk::Literal(_)
        | Chunk::Name(_)
        | Chunk::Word(_)
        | Chunk::Setting { .. }
        | Chunk::It => Before::Noun,
        Chunk::Preposition(_) => match low.as_str() {
            "to" => Before::Toward,
            _ => Before::Preposition,
        },
        Chunk::Or | Chunk::And | Chunk::Comma => Before::Other,
        Chunk::Filler => match low.as_str() {
            "the" | "a" | "an" | "any" | "all" | "my" | "our" | "your" | "new" | "every" | "each"
            | "this" | "that" | "some" | "existing" => Before::Determiner,
            "you" | "you've" | "you have" | "i" | "we" | "may" | "can" | "must" | "should" | "will"
            | "be" | "get" | "gets" | "always" | "please" | "ever" | "just" => {
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

fn before_wish(before: Before) -> Before {
    match before {
        Before::Start | Before::Wish | Before::Ban | Before::Toward => before,
        _ => Before::Wish,
    }
}

fn is_plural(token: &Token) -> bool {
    token.low.ends_with('s') && token.low.len() > 4 && token.is_capital()
}

/// A form of a verb that describes a noun behind it.
fn is_participle(token: &Token, before: Before) -> bool {
    let ends = |end: &str| token.low.ends_with(end) && token.low != "need";
    match before {
        Before::Determiner => ends("ed") || ends("ing"),
        Before::Preposition => ends("ed"),
        _ => false,
    }
}
