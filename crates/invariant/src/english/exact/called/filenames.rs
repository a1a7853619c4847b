//! What files may be called: "file names in lower case without spaces", "every file you create ends in .md", "files in
//! adr/ start with a four-digit number".

use crate::english::exact::Exact;
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Names of files, by themselves.
const NAMES: &[&str] = &[
    "file names",
    "filenames",
    "file name",
    "filename",
    "names of files",
    "names of new files",
    "names of files and folders",
    "names of files or folders",
    "file and folder names",
    "folder names",
    "names of the files",
    "new file names",
    "names of folders",
    "names for files",
    "names for new files",
    "names of your files",
];
/// Files that are made.
const MADE: &[&str] = &[
    "new files",
    "new file",
    "files you create",
    "file you create",
    "files you write",
    "file you write",
    "files you save",
    "file you save",
    "files you make",
    "file you make",
    "files you add",
    "file you add",
    "new files you create",
    "new file you create",
    "new documents",
    "new notes",
    "new note",
    "new document",
    "files",
    "file",
    "new folders",
    "folders you create",
];
/// Words between a file and what is said of its name.
const BETWEEN: &[&str] = &[
    "must always",
    "must",
    "should always",
    "should",
    "have to",
    "has to",
    "always",
    "need to",
    "needs to",
    "are to",
    "is to",
];
const LINKS: &[&str] = &[
    "be",
    "are",
    "is",
    "stay",
    "are always",
    "is always",
    "have",
    "has",
    "get",
    "gets",
    "carry",
    "be called",
    "are called",
    "be named",
    "are named",
    "is called",
    "is named",
    "be written",
];

/// What a name must not have, and how it must be.
#[derive(Default)]
struct Said {
    faults: Vec<Form>,
    wanted: Vec<Form>,
}

impl Exact<'_> {
    /// What files may be called.
    pub(in crate::english::exact) fn file_names(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_files() {
            return None;
        }
        // "no blanks in names of files and folders"
        if let Some(rest) =
            strip(tokens, &["no", "never use", "don't use", "do not use", "avoid", "never put", "don't put"])
            && let Some((signs, _, place)) = around(rest, &["in", "into", "inside"])
            && let Some((names, folder)) = self.files_meant(place)
            && names
        {
            let faults = self.having(signs)?;
            return Some(self.called(Said { faults, wanted: Vec::new() }, folder));
        }
        (1..tokens.len()).find_map(|at| {
            let (names, folder) = self.files_meant(tokens.get(..at)?)?;
            let said = self.name_said(tokens.get(at..)?, names)?;
            Some(self.called(said, folder))
        })
    }

    /// Whether words mean files, or their very names, and in which folder.
    fn files_meant(&self, tokens: &[Token]) -> Option<(bool, Option<Place>)> {
        let tokens = strip(tokens, &["every", "each", "all", "any", "the", "all the"]).unwrap_or(tokens);
        let (thing, folder) = match around(tokens, &["in", "under", "inside", "below"]) {
            Some((front, _, [path])) if path.shape == Shape::Path => {
                (front, Some(crate::english::noun::path_place(&path.text, self.hand)?))
            }
            _ => (tokens, None),
        };
        let whole = |phrases: &[&str]| strip(thing, phrases).is_some_and(<[Token]>::is_empty);
        if whole(NAMES) {
            return Some((true, folder));
        }
        whole(MADE).then_some((false, folder))
    }

    fn name_said(&self, tokens: &[Token], of_names: bool) -> Option<Said> {
        let tokens = strip(tokens, BETWEEN).unwrap_or(tokens);
        let denied = strip(tokens, &["not", "never", "must not", "may not", "must never"]);
        if let Some(rest) = denied {
            let signs = strip(rest, &["contain", "have", "include", "use", "has"])?;
            return of_names.then_some(Said { faults: self.having(signs)?, wanted: Vec::new() });
        }
        let linked = strip(tokens, LINKS);
        let rest = linked.unwrap_or(tokens);
        // "get names in lower case", "have lower-case names"
        let (rest, of_names) =
            match strip(rest, &["a name", "names", "a name that is", "names that are", "a name which"]) {
                Some(rest) => (rest, true),
                None => match strip_end(rest, &["names", "name"]) {
                    Some(front) => (bare(front), true),
                    None => (rest, of_names),
                },
            };
        let mut said = Said::default();
        for item in parts(rest) {
            self.one_said(item, of_names, &mut said)?;
        }
        (!said.faults.is_empty() || !said.wanted.is_empty()).then_some(said)
    }

    fn one_said(&self, item: &[Token], of_names: bool, said: &mut Said) -> Option<()> {
        let item = strip_end(item, &["only"]).unwrap_or(item);
        const STARTS: &[&str] = &[
            "start with",
            "starts with",
            "begin with",
            "begins with",
            "starting with",
            "beginning with",
            "start in",
            "that start with",
            "that begin with",
        ];
        const ENDS: &[&str] = &[
            "end in",
            "ends in",
            "end with",
            "ends with",
            "ending in",
            "ending with",
            "that end in",
            "that end with",
        ];
        if let Some(rest) = strip(item, STARTS) {
            said.wanted.extend(self.beginnings(rest)?);
            return Some(());
        }
        if let Some(rest) = strip(item, ENDS) {
            said.wanted.extend(self.affixes(bare(rest), true)?);
            return Some(());
        }
        if !of_names {
            return None;
        }
        if let Some(rest) =
            strip(item, &["no", "contain no", "contains no", "have no", "without", "without any", "with no"])
        {
            said.faults.extend(self.having(rest)?);
            return Some(());
        }
        match self.predicate(strip(item, &["all"]).unwrap_or(item), &["path".to_owned()])? {
            Predicate::Lacks(forms) => said.faults.extend(forms),
            Predicate::So(
                Check::Forms(_) | Check::During(_) | Check::Anything | Check::Above(_) | Check::Below(_),
            )
            | Predicate::Long { .. }
            | Predicate::Present
            | Predicate::Empty => return None,
        }
        Some(())
    }

    /// What a name begins with: a text, a date or a number of so many digits.
    fn beginnings(&self, tokens: &[Token]) -> Option<Vec<Form>> {
        let plain = bare(tokens);
        let said = plain.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        let sample = match said.as_str() {
            "date"
            | "iso date"
            | "date ( yyyy-mm-dd )"
            | "yyyy-mm-dd"
            | "date in iso format"
            | "date as yyyy-mm-dd" => "0000-00-00",
            "two-digit number" | "2-digit number" | "two digits" | "number of two digits" => "00",
            "three-digit number" | "3-digit number" | "three digits" | "number of three digits" => "000",
            "four-digit number" | "4-digit number" | "four digits" | "number of four digits" | "year" => {
                "0000"
            }
            "number" | "digit" | "digits" => "1",
            _ => return self.affixes(tokens, false),
        };
        Some(vec![Form::StartsLike(sample.to_owned())])
    }

    /// Nothing new must be called otherwise.
    fn called(&self, said: Said, folder: Option<Place>) -> Rules {
        let object = |places: Vec<Place>, inside: bool| Test::Place { side: Side::Object, places, inside };
        let mut shared = vec![object(vec![Place::Kind("file".to_owned())], true)];
        shared.extend(folder.map(|folder| object(vec![folder], true)));
        // What is edited has its name already.
        if self.hand.has_tool_word("edit") {
            shared.push(Test::Did { actions: vec!["edit".to_owned()], is: false });
        }
        let formed = |forms: Vec<Form>| forms.into_iter().map(Place::Formed).collect::<Vec<_>>();
        let mut rules = Vec::new();
        let mut add = |test: Test| {
            let mut tests = shared.clone();
            tests.push(test);
            let doings = vec![Doing::Deed(Deed::Writes)];
            rules.push((Verdict::Deny, Case { doings, tests, ..Case::default() }));
        };
        if !said.faults.is_empty() {
            add(object(formed(said.faults), true));
        }
        if !said.wanted.is_empty() {
            // A folder on the way has its own name.
            add(object(formed(said.wanted), false));
        }
        rules
    }
}

/// What is said one after the other: "in lower case without spaces", "short and without blanks".
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    for item in items(tokens) {
        let mut rest = item;
        while let Some(at) = rest.iter().skip(1).position(|token| matches!(token.low.as_str(), "without")) {
            let (front, behind) = rest.split_at(at + 1);
            parts.push(front);
            rest = behind;
        }
        parts.push(rest);
    }
    parts
}
