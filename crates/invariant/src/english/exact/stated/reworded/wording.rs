//! Wordings with holes, and what says the same more plainly.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::phrases::{Phrases, Said};
use crate::english::exact::stated::form::Vocabulary;
use crate::english::exact::stated::numbered::NumberSet;
use crate::english::exact::told::turned::word;
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};
use crate::english::when;

/// Most words that a hole takes.
const MOST_WORDS: usize = 16;

/// How much a wording covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    Clause,
    Sentence,
    Words,
}

/// What is known of words.
pub(super) struct Ear<'e> {
    /// Whether a word in its base form is a verb.
    pub(super) is_verb: &'e dyn Fn(&str) -> bool,
    /// The year that dates without one belong to.
    pub(super) year: i16,
    /// How often more may be tried, so that long sentences end.
    pub(super) fuel: &'e Cell<usize>,
}

/// A wording, and what says the same.
#[derive(Debug)]
pub(super) struct Wording {
    pub(super) reach: Reach,
    from: Vec<Item>,
    /// The words that it needs, by their numbers: of each of these, one must be there.
    needs: Vec<Vec<u32>>,
    /// The words that it begins with, where it must begin with one of some.
    first: Option<Vec<u32>>,
    to: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Item {
    /// One of these phrases.
    Phrase { any: Phrases, may_miss: bool },
    /// Words that are kept.
    Hole { name: String, may_miss: bool, may_part: bool },
    /// A verb in this form, which is kept in its base form.
    Verb { name: String, form: Form },
    /// One of these phrases, which is kept.
    Kept { name: String, any: Phrases, may_miss: bool },
    /// Words of this sort, which are kept.
    Sort { name: String, sort: Sort },
}

/// What words name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// A number.
    Number,
    /// A time.
    Time,
    /// What stands for itself: a path, a host, an id.
    Named,
    /// One word of the language.
    Word,
}

/// The form of a verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// `deleted`
    Done,
    /// `deleting`
    Doing,
    /// `delete`
    Plain,
}

#[derive(Clone, Debug)]
enum Piece {
    Word(String),
    Hole(String),
}

/// What the holes of a wording caught.
type Caught = Vec<(String, Vec<Token>)>;

/// The wordings of a family, which all say the same, with phrases that they use by a name.
pub(super) fn family(
    reach: Reach,
    family: &[String],
    to: &str,
    phrases: &BTreeMap<String, String>,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<Wording>, String> {
    let pieces: Vec<Piece> = to.split_whitespace().map(piece).collect();
    // A wording may lack a hole that others of its family have, but one of them has it.
    let is_taken = |name: &str| {
        let takes = |item: &str| item.trim_start_matches('$').split([':', '+', '?']).next() == Some(name);
        let mut items = family.iter().flat_map(|from| from.split_whitespace());
        items.any(|item| item.starts_with('$') && takes(item))
    };
    let lost = pieces.iter().find_map(|piece| match piece {
        Piece::Hole(name) if !is_taken(name) => Some(name),
        Piece::Hole(_) | Piece::Word(_) => None,
    });
    if let Some(name) = lost {
        return Err(format!("nothing takes `${name}` of `{to}`"));
    }
    let mut one = |from: &String| {
        let items = from.split_whitespace().map(|text| item(text, phrases, vocabulary));
        let from = items.collect::<Result<Vec<Item>, String>>()?;
        let needs = from.iter().filter_map(Item::needed).collect();
        let first = from.first().and_then(Item::needed);
        Ok(Wording { reach, from, needs, first, to: pieces.clone() })
    };
    family.iter().map(&mut one).collect()
}

fn piece(text: &str) -> Piece {
    match text.strip_prefix('$') {
        Some(name) => Piece::Hole(name.trim_start_matches('$').to_owned()),
        None => Piece::Word(text.to_owned()),
    }
}

fn item(text: &str, phrases: &BTreeMap<String, String>, vocabulary: &mut Vocabulary) -> Result<Item, String> {
    let (text, may_miss) = match text.strip_suffix('?') {
        Some(text) => (text, true),
        None => (text, false),
    };
    if let Some(name) = text.strip_prefix('$') {
        if let Some((name, spec)) = name.split_once(':') {
            let name = name.to_owned();
            let sort = match spec {
                "number" => Sort::Number,
                "time" => Sort::Time,
                "named" => Sort::Named,
                "word" => Sort::Word,
                _ => return Ok(Item::Kept { name, any: alternatives(spec, phrases, vocabulary)?, may_miss }),
            };
            return if may_miss {
                Err(format!("`{text}` cannot be missing"))
            } else {
                Ok(Item::Sort { name, sort })
            };
        }
        if let Some((name, form)) = name.split_once('+') {
            let form = match form {
                "ed" => Form::Done,
                "ing" => Form::Doing,
                "" => Form::Plain,
                _ => return Err(format!("`{text}` has no form of a verb")),
            };
            return Ok(Item::Verb { name: name.to_owned(), form });
        }
        let (name, may_part) = match name.strip_prefix('$') {
            Some(name) => (name, true),
            None => (name, false),
        };
        return Ok(Item::Hole { name: name.to_owned(), may_miss, may_part });
    }
    Ok(Item::Phrase { any: alternatives(text, phrases, vocabulary)?, may_miss })
}

fn alternatives(
    text: &str,
    phrases: &BTreeMap<String, String>,
    vocabulary: &mut Vocabulary,
) -> Result<Phrases, String> {
    let mut any = Vec::new();
    for alternative in text.split('|') {
        match alternative.strip_prefix('@').filter(|name| !name.is_empty()) {
            Some(name) => {
                let list = phrases.get(name).ok_or_else(|| format!("no phrases are called `{name}`"))?;
                any.extend(list.split('|').map(|phrase| phrase.trim().to_owned()));
            }
            None => any.push(alternative.replace('_', " ")),
        }
    }
    Ok(Phrases::of(any, vocabulary))
}

impl Item {
    /// The words of which one must be there, in order.
    fn needed(&self) -> Option<Vec<u32>> {
        match self {
            Item::Phrase { any, may_miss: false } | Item::Kept { any, may_miss: false, .. } => {
                Some(any.firsts.iter().map(|(word, _)| *word).collect())
            }
            Item::Phrase { .. }
            | Item::Kept { .. }
            | Item::Hole { .. }
            | Item::Verb { .. }
            | Item::Sort { .. } => None,
        }
    }

    /// Whether it may begin with a word.
    fn may_begin(&self, number: Option<&u32>) -> bool {
        match self {
            Item::Phrase { any, may_miss: false } | Item::Kept { any, may_miss: false, .. } => number
                .is_some_and(|number| any.firsts.binary_search_by_key(number, |(word, _)| *word).is_ok()),
            Item::Phrase { .. }
            | Item::Kept { .. }
            | Item::Hole { .. }
            | Item::Verb { .. }
            | Item::Sort { .. } => true,
        }
    }
}

impl Wording {
    /// The words that it needs, by their numbers: of each of these, one must be there.
    pub(super) fn needs(&self) -> &[Vec<u32>] {
        &self.needs
    }

    /// Whether the words that are needed are among these.
    pub(super) fn may_fit(&self, words: &NumberSet) -> bool {
        self.needs.iter().all(|need| need.iter().any(|word| words.has(*word)))
    }

    /// Whether it may begin with a word that has this number.
    fn may_begin(&self, number: u32) -> bool {
        self.first.as_ref().is_none_or(|first| first.binary_search(&number).is_ok())
    }

    /// What says the same as these words, whose numbers are given, if all of them fit.
    pub(super) fn put(&self, tokens: &[Token], numbers: &[u32], ear: &Ear<'_>) -> Option<Vec<Token>> {
        if !self.may_begin(*numbers.first()?) {
            return None;
        }
        let mut caught = Caught::new();
        let length = fit(&self.from, Said { tokens, numbers }, true, ear, &mut caught)?;
        (length == tokens.len() && !self.loses_rule(&caught)).then(|| self.written(&caught))
    }

    /// Whether something that forbids is caught and not said again: what is passed over must rule nothing.
    fn loses_rule(&self, caught: &Caught) -> bool {
        const FORBIDDING: &[&str] = &["never", "don't", "dont", "no", "nothing", "nobody", "mustn't", "only"];
        let is_said =
            |name: &String| self.to.iter().any(|piece| matches!(piece, Piece::Hole(own) if own == name));
        let forbids = |token: &Token| token.shape == Shape::Word && FORBIDDING.contains(&token.low.as_str());
        caught.iter().any(|(name, catch)| !is_said(name) && catch.iter().any(forbids))
    }

    /// The same for words that only begin so, and how many of them fit.
    pub(super) fn put_first(
        &self,
        tokens: &[Token],
        numbers: &[u32],
        ear: &Ear<'_>,
    ) -> Option<(Vec<Token>, usize)> {
        if !self.may_begin(*numbers.first()?) {
            return None;
        }
        let mut caught = Caught::new();
        let length = fit(&self.from, Said { tokens, numbers }, false, ear, &mut caught)?;
        (!self.loses_rule(&caught)).then(|| (self.written(&caught), length))
    }

    fn written(&self, caught: &Caught) -> Vec<Token> {
        let mut written = Vec::new();
        for piece in &self.to {
            match piece {
                Piece::Word(text) => written.push(marked(text)),
                Piece::Hole(name) => {
                    let catch = caught.iter().find(|(known, _)| known == name);
                    written.extend(catch.into_iter().flat_map(|(_, catch)| catch).cloned());
                }
            }
        }
        written
    }
}

fn marked(text: &str) -> Token {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(mark), None) if !mark.is_alphanumeric() => Token { shape: Shape::Mark(mark), ..word(text) },
        _ => word(text),
    }
}

/// How many words fit, with what the holes take.
fn fit(items: &[Item], said: Said<'_>, to_end: bool, ear: &Ear<'_>, caught: &mut Caught) -> Option<usize> {
    let tokens = said.tokens;
    let Some((first, rest)) = items.split_first() else {
        return (!to_end || tokens.is_empty()).then_some(0);
    };
    ear.fuel.set(ear.fuel.get().checked_sub(1)?);
    let after = |length: usize, caught: &mut Caught| {
        fit(rest, said.from(length)?, to_end, ear, caught).map(|more| more + length)
    };
    // What a hole takes is kept if all that follows fits, and forgotten if not.
    let holding = |length: usize, name: &str, catch: &[Token], caught: &mut Caught| {
        let before = caught.len();
        let found = after(length, caught).filter(|_| keep(caught, name, catch));
        if found.is_none() {
            caught.truncate(before);
        }
        found
    };
    match first {
        Item::Phrase { any, may_miss } => {
            let found = any.lengths(said).into_iter().find_map(|length| after(length, caught));
            found.or_else(|| if *may_miss { after(0, caught) } else { None })
        }
        Item::Verb { name, form } => {
            let base = base(tokens.first()?, *form, ear.is_verb)?;
            holding(1, name, &[word(&base)], caught)
        }
        Item::Kept { name, any, may_miss } => {
            let found = any
                .lengths(said)
                .into_iter()
                .find_map(|length| holding(length, name, tokens.get(..length)?, caught));
            found.or_else(|| if *may_miss { after(0, caught) } else { None })
        }
        Item::Sort { name, sort } => {
            let length = sort.begins(tokens, ear)?;
            holding(length, name, tokens.get(..length)?, caught)
        }
        Item::Hole { name, may_miss, may_part } => {
            let least = usize::from(!may_miss);
            let most = tokens.len().min(MOST_WORDS);
            let is_last = to_end && rest.is_empty();
            // Behind the last hole of words that stand anywhere, a mark ends it.
            let is_open = !to_end && rest.is_empty();
            let from = if is_last { tokens.len().min(most).max(least) } else { least };
            // Where it can end is told by what must follow.
            let may_end =
                |length: &usize| rest.first().is_none_or(|next| next.may_begin(said.numbers.get(*length)));
            (from..=most).filter(may_end).find_map(|length| {
                let catch = tokens.get(..length)?;
                let goes_on =
                    is_open && tokens.get(length).is_some_and(|next| !matches!(next.shape, Shape::Mark(_)));
                let is_whole = *may_part || is_whole(catch);
                if goes_on || !is_whole { None } else { holding(length, name, catch, caught) }
            })
        }
    }
}

/// Keeps what a hole takes. Holes of one name take the same words.
fn keep(caught: &mut Caught, name: &str, catch: &[Token]) -> bool {
    let low = |tokens: &[Token]| tokens.iter().map(|token| token.low.clone()).collect::<Vec<_>>();
    let is_same = caught.iter().filter(|(known, _)| known == name).all(|(_, known)| low(known) == low(catch));
    if is_same {
        caught.push((name.to_owned(), catch.to_vec()));
    }
    is_same
}

impl Sort {
    /// How many words are of this sort at the beginning.
    fn begins(self, tokens: &[Token], ear: &Ear<'_>) -> Option<usize> {
        let first = tokens.first()?;
        match self {
            Sort::Time => when::read(tokens, ear.year).map(|(_, length)| length),
            Sort::Number => {
                (first.shape == Shape::Number || NUMBERS.contains(&first.low.as_str())).then_some(1)
            }
            Sort::Word => (first.shape == Shape::Word).then_some(1),
            Sort::Named => {
                (!matches!(first.shape, Shape::Word | Shape::Number | Shape::Mark(_) | Shape::Quoted))
                    .then_some(1)
            }
        }
    }
}

/// Numbers that are written out.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "fifteen", "twenty", "thirty", "forty", "fifty", "hundred",
];

/// Whether nothing parts these words.
fn is_whole(tokens: &[Token]) -> bool {
    let joins = |token: &Token| {
        token.shape == Shape::Word && matches!(token.low.as_str(), "or" | "and" | "nor" | "but")
    };
    if tokens.first().is_some_and(joins) || tokens.last().is_some_and(joins) {
        return false;
    }
    let mut depth = 0usize;
    for token in tokens {
        match token.shape {
            Shape::Mark('(') => depth += 1,
            Shape::Mark(')') if depth == 0 => return false,
            Shape::Mark(')') => depth -= 1,
            Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—') if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}

/// Whether a word says that something is done.
pub(super) fn is_done(token: &Token, is_verb: &dyn Fn(&str) -> bool) -> bool {
    base(token, Form::Done, is_verb).is_some()
}

/// The base form of a verb in this form.
fn base(token: &Token, form: Form, is_verb: &dyn Fn(&str) -> bool) -> Option<String> {
    /// Verbs that are the same when it is done.
    const SAME: &[&str] = &["put", "read", "set", "cut", "run", "shut", "reset", "overrun", "hit"];
    if token.shape != Shape::Word {
        return None;
    }
    let low = token.low.as_str();
    let known = || word_bases(low).into_iter().skip(1).filter(|base| is_verb(base)).max_by_key(String::len);
    match form {
        Form::Plain => is_verb(low).then(|| low.to_owned()),
        Form::Doing => low.ends_with("ing").then(known).flatten(),
        Form::Done if SAME.contains(&low) => Some(low.to_owned()),
        Form::Done if low.ends_with("ing") || low.ends_with('s') => None,
        Form::Done => known(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(from: &str, to: &str, said: &str) -> Option<String> {
        let (named, mut vocabulary) = (BTreeMap::new(), Vocabulary::default());
        let wordings = family(Reach::Clause, &[from.to_owned()], to, &named, &mut vocabulary).unwrap();
        let is_verb = |base: &str| ["delete", "send", "copy", "put"].contains(&base);
        let ear = Ear { is_verb: &is_verb, year: 2026, fuel: &Cell::new(1000) };
        let tokens = crate::english::token::tokens(said);
        let numbers = super::super::phrases::numbers(&vocabulary, &tokens);
        let anew = wordings.first().unwrap().put(&tokens, &numbers, &ear)?;
        Some(crate::english::exact::words::text(&anew))
    }

    #[test]
    fn a_passive_is_put_as_an_order() {
        let from = "nothing $w? is|gets $v+ed $r?";
        let to = "never $v anything $w $r";
        assert_eq!(put(from, to, "nothing in docs/ gets deleted").unwrap(), "never delete anything in docs/");
        assert_eq!(
            put(from, to, "nothing from docs/ is sent to Ada").unwrap(),
            "never send anything from docs/ to Ada"
        );
        assert_eq!(put(from, to, "nothing in docs/ gets green"), None);
        // What a hole takes is no end of a list.
        assert_eq!(put(from, to, "nothing in docs/ is sent or copied"), None);
    }

    #[test]
    fn holes_of_one_name_take_the_same_words() {
        let put = |said: &str| put("$x stays|stay in $x", "nothing leaves $x", said);
        assert_eq!(put("docs/ stays in docs/").unwrap(), "nothing leaves docs/");
        assert_eq!(put("docs/ stays in src/"), None);
    }

    #[test]
    fn what_may_miss_may_be_there() {
        let put = |said: &str| put("$v+ $p:in|on? $x only", "never $v $p other than $x", said);
        assert_eq!(put("put in docs/ only").unwrap(), "never put in other than docs/");
        assert_eq!(put("copy docs/ only").unwrap(), "never copy other than docs/");
    }
}
