//! Regular expressions, in Cedar's words: letters in a row with anything between them, looked for in a view of the text.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use super::condition::{Condition, like, literal};
use super::marks::{MARK, is_told, marked};

/// More alternatives than these are no policy that anybody can read.
const MOST_ALTERNATIVES: usize = 32;

/// What an alternative consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// This letter.
    Letter(char),
    /// This letter in any case.
    Folded(char),
    /// `\s+`
    Blanks,
    /// `[0-9]+`
    Digits,
    /// Any text.
    Anything,
    /// Where the text begins or ends, or something else than these letters is.
    Edge(Letters),
    /// Where the text begins.
    Start,
    /// Where it ends.
    End,
}

/// Letters that words consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letters {
    /// Those of all languages, and digits.
    Words,
    /// Those of code.
    Names,
    /// Capital and small ones, and digits.
    Codes,
}

/// A text as it is told for regular expressions.
struct View {
    attribute: &'static str,
    /// Without its capital letters.
    folds: bool,
    /// With one blank for blanks in a row.
    squeezes: bool,
    /// With one zero for digits in a row.
    counts: bool,
    /// With marks around runs of these.
    letters: Option<Letters>,
}

const VALUE: View = View { attribute: "value", folds: false, squeezes: false, counts: false, letters: None };
const FORM: View = View { attribute: "form", folds: true, squeezes: true, ..VALUE };
const VIEWS: &[View] = &[
    FORM,
    View { attribute: "form_words", letters: Some(Letters::Words), ..FORM },
    View { attribute: "form_names", letters: Some(Letters::Names), ..FORM },
    View { attribute: "form_codes", squeezes: true, counts: true, letters: Some(Letters::Codes), ..VALUE },
];

/// A text in all views but that of the text itself.
pub(super) fn views(text: &str) -> impl Iterator<Item = (&'static str, String)> {
    VIEWS.iter().map(move |view| (view.attribute, view.of(text)))
}

/// Whether a regular expression matches in a text, if that can be said.
pub(super) fn matches(path: &str, pattern: &str) -> Option<Condition> {
    let expression = regex_syntax::parse(pattern).ok()?;
    let written = |expression: &Hir| {
        let ways = alternatives(expression)?;
        let conditions = ways.iter().map(|way| condition(path, way)).collect::<Option<Vec<_>>>()?;
        Some(Condition::any(conditions))
    };
    // Of what may go on for ever at the end, one is enough.
    written(&expression).or_else(|| written(&shortened(&expression)?))
}

fn condition(path: &str, way: &[Piece]) -> Option<Condition> {
    let all = std::iter::once(&VALUE).chain(VIEWS);
    let mut patterns = all.filter_map(|view| Some((view, view.pattern(way)?)));
    let (view, pattern) = patterns.next()?;
    Some(like(&format!("{path}.{}", view.attribute), &pattern))
}

impl View {
    fn of(&self, text: &str) -> String {
        let mut seen = String::with_capacity(text.len());
        for letter in text.chars() {
            let (is_blank, is_digit) = (letter.is_whitespace(), letter.is_ascii_digit());
            let letter = match letter {
                _ if self.squeezes && is_blank => ' ',
                _ if self.counts && is_digit => '0',
                letter if self.folds => folded(letter),
                letter => letter,
            };
            let is_run = (self.squeezes && is_blank) || (self.counts && is_digit);
            if !is_run || !seen.ends_with(letter) {
                seen.push(letter);
            }
        }
        match self.letters {
            Some(letters) => marked(&seen, |letter| letters.has(letter)),
            None => seen,
        }
    }

    /// Pieces in a row as a pattern, if this view tells all of them.
    fn pattern(&self, way: &[Piece]) -> Option<String> {
        let mut writer = Writer { view: self, pattern: String::new(), before: None };
        let rest = match way {
            [Piece::Start, rest @ ..] => {
                writer.before = Some(' ');
                rest
            }
            [Piece::Edge(letters), rest @ ..] => {
                self.tells(*letters, rest.first())?;
                writer.pattern.push('*');
                writer.before = Some(' ');
                rest
            }
            rest => {
                writer.pattern.push('*');
                rest
            }
        };
        match rest {
            [inner @ .., Piece::End] => {
                writer.put_all(inner)?;
                writer.mark(' ');
            }
            [inner @ .., Piece::Edge(letters)] => {
                self.tells(*letters, inner.last())?;
                writer.put_all(inner)?;
                writer.mark(' ');
                writer.pattern.push('*');
            }
            inner => {
                writer.put_all(inner)?;
                writer.pattern.push('*');
            }
        }
        Some(writer.pattern)
    }

    /// Whether it has a mark where these letters begin or end, and one of them is there.
    fn tells(&self, letters: Letters, beside: Option<&Piece>) -> Option<()> {
        let is_letter = letters.has(beside?.letter()?);
        (self.letters == Some(letters) && is_letter).then_some(())
    }
}

/// Writes a pattern, with marks where the letters of a view begin and end.
struct Writer<'v> {
    view: &'v View,
    pattern: String,
    /// The letter before, if it is known; a blank where the text begins.
    before: Option<char>,
}

impl Writer<'_> {
    fn put_all(&mut self, pieces: &[Piece]) -> Option<()> {
        pieces.iter().try_for_each(|piece| self.put(*piece))
    }

    fn put(&mut self, piece: Piece) -> Option<()> {
        let View { folds, squeezes, counts, letters, .. } = *self.view;
        let letter = match piece {
            Piece::Anything => {
                self.pattern.push('*');
                self.before = None;
                return Some(());
            }
            Piece::Letter(letter) if !folds || !has_cases(letter) => letter,
            Piece::Folded(letter) if folds => letter,
            Piece::Blanks if squeezes && self.is_new(' ') => ' ',
            Piece::Digits if counts && self.is_new('0') => '0',
            Piece::Letter(_) | Piece::Folded(_) | Piece::Blanks | Piece::Digits => return None,
            Piece::Edge(_) | Piece::Start | Piece::End => return None,
        };
        let is_run = matches!(piece, Piece::Blanks | Piece::Digits);
        let is_told = (letters.is_none() || is_told(letter))
            && (is_run || !(squeezes && letter.is_whitespace() || counts && letter.is_ascii_digit()));
        if !is_told {
            return None;
        }
        self.mark(letter);
        self.pattern.push_str(&literal(letter.encode_utf8(&mut [0; 4])));
        self.before = Some(letter);
        Some(())
    }

    /// Whether a run of blanks or digits does not follow another.
    fn is_new(&self, letter: char) -> bool {
        self.before != Some(letter) || self.pattern.is_empty()
    }

    fn mark(&mut self, next: char) {
        if let (Some(letters), Some(before)) = (self.view.letters, self.before)
            && letters.has(before) != letters.has(next)
        {
            self.pattern.push(MARK);
        }
    }
}

impl Piece {
    fn letter(self) -> Option<char> {
        match self {
            Piece::Letter(letter) | Piece::Folded(letter) => Some(letter),
            Piece::Blanks => Some(' '),
            Piece::Digits => Some('0'),
            Piece::Anything | Piece::Edge(_) | Piece::Start | Piece::End => None,
        }
    }
}

impl Letters {
    const ALL: [Letters; 3] = [Letters::Words, Letters::Names, Letters::Codes];

    /// Whatever is none of them.
    fn others(self) -> &'static ClassUnicode {
        static OTHERS: LazyLock<[ClassUnicode; 3]> =
            LazyLock::new(|| [r"(?i)[^\p{L}0-9]", "(?i)[^A-Za-z0-9_]", "[^A-Za-z0-9]"].map(parsed_class));
        let [words, names, codes] = &*OTHERS;
        match self {
            Letters::Words => words,
            Letters::Names => names,
            Letters::Codes => codes,
        }
    }

    fn has(self, letter: char) -> bool {
        let ranges = self.others().ranges();
        let behind = ranges.partition_point(|range| range.end() < letter);
        ranges.get(behind).is_none_or(|range| letter < range.start())
    }
}

/// The letters of a class that is written out; none where it cannot be read.
fn parsed_class(pattern: &str) -> ClassUnicode {
    match regex_syntax::parse(pattern).map(Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => ClassUnicode::empty(),
    }
}

/// A letter and those that differ from it in their case only.
fn cases(letter: char) -> ClassUnicode {
    let mut class = ClassUnicode::new([ClassUnicodeRange::new(letter, letter)]);
    // Without the tables of Unicode it stands for itself.
    let _ = class.try_case_fold_simple();
    class
}

fn has_cases(letter: char) -> bool {
    letter.is_ascii_alphabetic() || (!letter.is_ascii() && letters_of(&cases(letter)).nth(1).is_some())
}

/// The one of several cases that stands for all.
fn folded(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let class = cases(letter);
    let small = letters_of(&class).find(|letter| letter.is_lowercase());
    small.or_else(|| letters_of(&class).next()).unwrap_or(letter)
}

fn letters_of(class: &ClassUnicode) -> impl Iterator<Item = char> {
    class.iter().flat_map(|range| range.start()..=range.end())
}

/// The alternatives of an expression, each as pieces in a row.
fn alternatives(expression: &Hir) -> Option<Vec<Vec<Piece>>> {
    let ways = match expression.kind() {
        HirKind::Empty => vec![Vec::new()],
        HirKind::Literal(letters) => {
            vec![std::str::from_utf8(&letters.0).ok()?.chars().map(Piece::Letter).collect()]
        }
        HirKind::Class(Class::Unicode(class)) => one_of(class)?,
        HirKind::Look(Look::Start) => vec![vec![Piece::Start]],
        HirKind::Look(Look::End) => vec![vec![Piece::End]],
        HirKind::Repetition(repeated) => repetitions(repeated)?,
        HirKind::Capture(group) => alternatives(&group.sub)?,
        HirKind::Concat(parts) => {
            let mut ways = vec![Vec::new()];
            for part in parts {
                let next = alternatives(part)?;
                let product =
                    ways.iter().flat_map(|way| next.iter().map(|more| [way.as_slice(), more].concat()));
                ways = product.collect();
                if ways.len() > MOST_ALTERNATIVES {
                    return None;
                }
            }
            ways
        }
        HirKind::Alternation(parts) => match edge(parts) {
            Some(letters) => vec![vec![Piece::Edge(letters)]],
            None => parts.iter().map(alternatives).collect::<Option<Vec<_>>>()?.concat(),
        },
        HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => return None,
    };
    (ways.len() <= MOST_ALTERNATIVES).then_some(ways)
}

/// `(^|[^a-z])` and `([^a-z]|$)`, for letters that a view tells.
fn edge(parts: &[Hir]) -> Option<Letters> {
    let [first, second] = parts else { return None };
    let class = match (first.kind(), second.kind()) {
        (HirKind::Look(Look::Start), HirKind::Class(Class::Unicode(class)))
        | (HirKind::Class(Class::Unicode(class)), HirKind::Look(Look::End)) => class,
        _ => return None,
    };
    Letters::ALL.into_iter().find(|letters| letters.others() == class)
}

/// A letter among several, those that differ in their case only as one.
fn one_of(class: &ClassUnicode) -> Option<Vec<Vec<Piece>>> {
    let mut ways: Vec<Vec<Piece>> = Vec::new();
    for letter in letters_of(class).take(2 * MOST_ALTERNATIVES) {
        let cases = cases(letter);
        let has_all = letters_of(&cases).all(|case| letters_of(class).any(|own| own == case));
        let piece = match has_all && has_cases(letter) {
            true => Piece::Folded(folded(letter)),
            false => Piece::Letter(letter),
        };
        if !ways.iter().any(|way| way.contains(&piece)) {
            ways.push(vec![piece]);
        }
    }
    (letters_of(class).nth(2 * MOST_ALTERNATIVES).is_none()).then_some(ways)
}

fn repetitions(repeated: &Repetition) -> Option<Vec<Vec<Piece>>> {
    let is_class =
        |pattern: &str| *repeated.sub.kind() == HirKind::Class(Class::Unicode(parsed_class(pattern)));
    match (repeated.min, repeated.max) {
        (0, None) if is_class("(?s:.)") => Some(vec![vec![Piece::Anything]]),
        (0, None) if is_class(r"\s") => Some(vec![Vec::new(), vec![Piece::Blanks]]),
        (1, None) if is_class(r"\s") => Some(vec![vec![Piece::Blanks]]),
        (1, None) if is_class("[0-9]") => Some(vec![vec![Piece::Digits]]),
        (0, Some(1)) => Some(std::iter::once(Vec::new()).chain(alternatives(&repeated.sub)?).collect()),
        _ => None,
    }
}

/// An expression that matches in the same texts, and asks for no more than it has to at its end.
fn shortened(expression: &Hir) -> Option<Hir> {
    let HirKind::Concat(parts) = expression.kind() else { return None };
    let (last, front) = parts.split_last()?;
    let HirKind::Repetition(Repetition { min: 1, max: None, sub, .. }) = last.kind() else { return None };
    Some(Hir::concat(front.iter().cloned().chain([(**sub).clone()]).collect()))
}
