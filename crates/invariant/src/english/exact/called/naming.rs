//! What names look like that are given to new files, and samples of what a text begins with: "files in adr/ start with a
//! four-digit number", "the ticket, `OPS-<number>`", "a date".

use crate::english::amount;
use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Form, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Ways to say how names begin or end, each with whether it is their end and whether they must not.
const BONDS: &[(&str, bool, bool)] = &[
    ("start with", false, false),
    ("starts with", false, false),
    ("begin with", false, false),
    ("begins with", false, false),
    ("must start with", false, false),
    ("must begin with", false, false),
    ("have to start with", false, false),
    ("have to begin with", false, false),
    ("should start with", false, false),
    ("should begin with", false, false),
    ("always start with", false, false),
    ("always begin with", false, false),
    ("need to start with", false, false),
    ("get names that start with", false, false),
    ("have names that start with", false, false),
    ("have names starting with", false, false),
    ("get names starting with", false, false),
    ("have names beginning with", false, false),
    ("have a name starting with", false, false),
    ("are prefixed with", false, false),
    ("must be prefixed with", false, false),
    ("carry the prefix", false, false),
    ("get the prefix", false, false),
    ("have the prefix", false, false),
    ("are named with", false, false),
    ("must have names starting with", false, false),
    ("never start with", false, true),
    ("must not start with", false, true),
    ("must never start with", false, true),
    ("don't start with", false, true),
    ("do not start with", false, true),
    ("end in", true, false),
    ("end with", true, false),
    ("ends with", true, false),
    ("ends in", true, false),
    ("must end in", true, false),
    ("must end with", true, false),
    ("have to end in", true, false),
    ("should end in", true, false),
    ("always end in", true, false),
    ("never end in", true, true),
    ("must not end in", true, true),
];

/// What has names.
const NAMED: &[&str] = &[
    "files",
    "file names",
    "filenames",
    "names of files",
    "names of new files",
    "new file names",
    "documents",
    "notes",
    "everything",
    "anything new",
    "whatever you create",
    "whatever you write",
    "names",
    "file",
    "file name",
    "filename",
    "folders",
    "folder names",
    "the name of every file",
    "the name of each file",
    "all files",
    "records",
    "entries",
    "posts",
    "migrations",
    "scripts",
    "reports",
    "logs",
];

impl Exact<'_> {
    /// "Files in adr/ start with a four-digit number": what is new there is called so.
    pub(in crate::english::exact) fn named_anew(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_files() {
            return None;
        }
        let phrases: Vec<&str> = BONDS.iter().map(|(phrase, ..)| *phrase).collect();
        let (subject, phrase, said) = around(tokens, &phrases)?;
        let subject = strip(subject, &["every", "each", "all", "any"]).unwrap_or(subject);
        let (_, is_end, is_denied) = BONDS.iter().find(|(own, ..)| *own == phrase)?;
        let subject = strip_end(subject, &["you create", "you write", "you add", "you make"])
            .filter(|rest| !rest.is_empty())
            .unwrap_or(subject);
        let (named, folder) = match around(subject, &["in", "under", "inside", "below", "within"]) {
            Some((named, _, [path])) if path.shape == Shape::Path => {
                (named, Some(crate::english::noun::path_place(&path.text, self.hand)?))
            }
            Some(_) => return None,
            None => (subject, None),
        };
        let named = bare(named);
        let is_files = strip(named, NAMED).is_some_and(<[Token]>::is_empty)
            || (folder.is_some()
                && matches!(named, [one] if one.shape == Shape::Word && one.low.ends_with('s')));
        // "everything starts with …" says nothing of names, unless it says where.
        let says_name = tokens.iter().any(|token| token.low.contains("name")) || folder.is_some();
        let is_file = named.iter().any(|token| matches!(token.low.as_str(), "file" | "files" | "filenames"));
        if !is_files || !(says_name || is_file) {
            return None;
        }
        let forms = self.affixes(said, *is_end)?;
        // Ends of names stand before the ending of the file, or are it.
        let forms = if *is_end { forms.into_iter().flat_map(ended).collect() } else { forms };
        let places: Vec<Place> = forms.into_iter().map(Place::Formed).collect();
        let at = |places: Vec<Place>, inside: bool| Test::Place { side: Side::Object, places, inside };
        let mut tests = vec![at(vec![Place::Kind("file".to_owned())], true)];
        tests.extend(folder.map(|folder| at(vec![folder], true)));
        tests.push(at(places, *is_denied));
        // What is edited has its name already.
        if self.hand.has_tool_word("edit") {
            tests.push(Test::Did { actions: vec!["edit".to_owned()], is: false });
        }
        tests.push(Test::Did { actions: vec!["make folder".to_owned()], is: false });
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }
}

fn ended(form: Form) -> Vec<Form> {
    match form {
        Form::Ends(text) if !text.starts_with('.') => vec![Form::Is(format!("*{text}.*")), Form::Ends(text)],
        form => vec![form],
    }
}

/// What people call a date.
const DATES: &[&str] = &[
    "date",
    "iso date",
    "today's date",
    "current date",
    "day's date",
    "date ( yyyy-mm-dd )",
    "date in iso format",
    "date in the form yyyy-mm-dd",
    "date like 2026-03-06",
    "yyyy-mm-dd",
    "date as yyyy-mm-dd",
    "date of the day",
];

/// A sample of what words describe, in which zeros stand for so many digits and other digits for any number of them.
pub(in crate::english::exact) fn sample(tokens: &[Token]) -> Option<String> {
    // "the ticket, OPS-<number>"
    let described = |token: &Token| {
        token.shape == Shape::Mark(',')
            || matches!(
                token.low.as_str(),
                "the"
                    | "a"
                    | "an"
                    | "its"
                    | "our"
                    | "ticket"
                    | "issue"
                    | "number"
                    | "key"
                    | "id"
                    | "code"
                    | "jira"
                    | "case"
                    | "task"
                    | "story"
                    | "of"
                    | "form"
                    | "format"
                    | "in"
                    | "like"
                    | "as"
                    | ":"
                    | "prefix"
            )
    };
    let (last, front) = tokens.split_last()?;
    if !last.text.is_empty()
        && front.iter().all(described)
        && let Some(sample) = placeholder(&last.text)
    {
        return Some(sample);
    }
    let plain = bare(tokens);
    let whole = |phrases: &[&str]| strip(plain, phrases).is_some_and(<[Token]>::is_empty);
    if whole(DATES) {
        return Some("0000-00-00".to_owned());
    }
    if whole(&["year", "four-digit year", "year of issue"]) {
        return Some("0000".to_owned());
    }
    if whole(&[
        "number",
        "digit",
        "digits",
        "running number",
        "sequence number",
        "serial number",
        "numbers",
        "numeral",
    ]) {
        return Some("1".to_owned());
    }
    digits(plain)
}

/// "four-digit number", "two digits", "3-digit number".
fn digits(tokens: &[Token]) -> Option<String> {
    let (first, rest) = tokens.split_first()?;
    let (count, is_joined) = match first.low.strip_suffix("-digit") {
        Some(count) => (count, true),
        None => (first.low.as_str(), false),
    };
    let counted = Token { text: count.to_owned(), low: count.to_owned(), ..first.clone() };
    let shape = if count.chars().all(|letter| letter.is_ascii_digit()) { Shape::Number } else { Shape::Word };
    let (number, _) = amount::read_number(&[Token { shape, ..counted }])?;
    let rest = match is_joined {
        true => strip(rest, &["number", "code", "sequence", "prefix", "running number", "serial number"])?,
        false => strip(rest, &["digits", "digit number", "figures", "digit code"])?,
    };
    let length = usize::try_from(number).ok().filter(|length| (1..=12).contains(length))?;
    rest.is_empty().then(|| "0".repeat(length))
}

/// `OPS-<number>`, `OPS-NNN`, `OPS-###`, `OPS-xxx`.
fn placeholder(text: &str) -> Option<String> {
    let (prefix, hole) = match text.split_once(['<', '{', '[']) {
        Some((prefix, hole)) => (prefix, hole.trim_end_matches(['>', '}', ']', ':', '.'])),
        None => {
            let at = text.rfind(['-', '_', '/']).map(|at| at + 1)?;
            text.split_at_checked(at)?
        }
    };
    let low = hole.to_lowercase();
    let is_hole = matches!(
        low.as_str(),
        "number" | "n" | "nr" | "num" | "id" | "digits" | "ticket" | "no" | "issue" | "…" | "..."
    ) || (low.len() > 1 && low.chars().all(|letter| letter == 'n'))
        || (low.len() > 1 && low.chars().all(|letter| letter == 'x'))
        || (!low.is_empty() && low.chars().all(|letter| letter == '#'));
    let is_prefix = prefix.chars().any(char::is_alphanumeric) && prefix.ends_with(['-', '_', '/', '#', ' ']);
    (is_hole && is_prefix).then(|| format!("{prefix}1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    #[test]
    fn what_is_described_has_a_sample() {
        let cases = [
            ("a four-digit number", Some("0000")),
            ("two digits", Some("00")),
            ("a 3-digit number", Some("000")),
            ("the ticket, OPS-<number>", Some("OPS-1")),
            ("a ticket number like OPS-NNN", Some("OPS-1")),
            ("the date", Some("0000-00-00")),
            ("YYYY-MM-DD", Some("0000-00-00")),
            ("the customer", None),
            ("a banana", None),
        ];
        for (text, expected) in cases {
            assert_eq!(sample(&tokens(text)).as_deref(), expected, "{text}");
        }
    }
}
