//! Forms of names: "new files get lower-case names", "no blanks in file names", "folders ending in -closed are frozen".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Form, Place, Side, Test, Verdict};

/// What has names that can have a form.
const FILES: &[&str] = &[
    "files",
    "file",
    "folders",
    "folder",
    "documents",
    "notes",
    "files and folders",
    "anything",
    "everything",
    "pages",
    "matters",
    "matter",
    "projects",
    "directories",
    "directory",
    "file names",
    "filenames",
    "file name",
    "names",
    "folder names",
    "names of files",
    "names of new files",
    "new file names",
    "photos",
    "pictures",
    "images",
];

/// How a name is told of a thing.
const NAMED: &[&str] = &[
    "whose name ends in",
    "whose name ends with",
    "whose names end in",
    "whose names end with",
    "ending in",
    "ending with",
    "that end in",
    "that ends in",
    "that end with",
    "whose folder name ends in",
    "whose file name ends in",
    "with a name ending in",
    "whose name starts with",
    "whose names start with",
    "whose name begins with",
    "whose names begin with",
    "starting with",
    "beginning with",
    "that start with",
    "that starts with",
    "that begin with",
    "whose folder name starts with",
    "with a name starting with",
];

/// Ways to say that something stays what it is.
const KEPT: &[&str] = &[
    "is for reading",
    "are for reading",
    "is for reading only",
    "are for reading only",
    "is read-only",
    "are read-only",
    "is frozen",
    "are frozen",
    "is closed",
    "are closed",
    "must not be changed",
    "must not be touched",
    "must not be edited",
    "must not be modified",
    "are not to be changed",
    "is not to be changed",
    "are not to be touched",
    "is not to be touched",
    "may not be changed",
    "must never be changed",
    "must stay as they are",
    "must stay as it is",
    "stay as they are",
    "stays as it is",
    "are finished",
    "is finished",
    "are off limits for changes",
    "never change",
    "are done",
];

/// Ways to forbid changes, in front of what is meant.
const UNCHANGED: &[&str] = &[
    "never change",
    "never edit",
    "never touch",
    "never modify",
    "don't change",
    "don't edit",
    "don't touch",
    "don't modify",
    "do not change",
    "do not edit",
    "do not touch",
    "do not modify",
    "hands off",
    "no changes to",
    "no edits to",
    "leave alone",
];

/// In front of signs that names must not have.
const USING: &[&str] = &[
    "no",
    "never use",
    "don't use",
    "do not use",
    "avoid",
    "never put",
    "don't put",
    "do not put",
    "without",
    "there must be no",
    "please no",
    "don't have",
    "never have",
    "i don't want",
    "i want no",
];

/// Between names and the signs that they must not have.
const LACKING: &[&str] = &[
    "must not contain",
    "must not have",
    "must not include",
    "must never contain",
    "must never have",
    "may not contain",
    "may not have",
    "should not contain",
    "should not have",
    "should never contain",
    "never contain",
    "never contains",
    "never have",
    "never has",
    "have no",
    "has no",
    "contain no",
    "contains no",
    "don't contain",
    "do not contain",
    "don't have",
    "do not have",
    "doesn't have",
    "does not contain",
    "must have no",
    "must contain no",
    "without",
    "are free of",
    "must be free of",
    "get no",
    "gets no",
    "must be without",
    "come without",
    "should have no",
    "cannot contain",
    "can't contain",
    "cannot have",
    "use no",
    "must not use",
    ": no",
    "are without",
    "with no",
    "may never contain",
];

/// Behind the signs: where they must not be.
const THEIR: &[&str] = &[
    "in their names",
    "in their name",
    "in its name",
    "in the name",
    "in the names",
    "in names",
    "in it",
    "in them",
    "in the file name",
];

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// A rule about forms of names.
    pub(in crate::english::exact) fn name_forms(&self, tokens: &[Token]) -> Option<Rules> {
        self.named_so(tokens).or_else(|| self.names_must(tokens))
    }

    /// "Folders ending in -closed are frozen."
    fn named_so(&self, tokens: &[Token]) -> Option<Rules> {
        let (subject, rest) = match strip(tokens, UNCHANGED) {
            Some(rest) => (rest, None),
            None => {
                let (subject, _, rest) = around(tokens, KEPT)?;
                (subject, Some(rest))
            }
        };
        if rest.is_some_and(|rest| !rest.is_empty()) {
            return None;
        }
        let (_, place) = affixed(subject)?;
        Some(changed(vec![place]))
    }

    /// "no spaces in file or folder names", "names of files have no umlauts", "files must not have blanks in their names".
    fn signs_in_names(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rest) = strip(tokens, USING)
            && let Some((signs, _, place)) = around(rest, &["in", "inside", "into", "for"])
            && let Some(forms) = self.having(bare(signs))
        {
            return is_names(place).then(|| formed(self, &forms));
        }
        let (subject, _, signs) = around(tokens, LACKING)?;
        let shorter = strip_end(signs, THEIR);
        let is_file = strip(bare(subject), FILES).is_some_and(<[Token]>::is_empty);
        let says_name = signs.iter().any(|token| token.low.contains("name"));
        let forms = self.having(bare(shorter.unwrap_or(signs)))?;
        (is_names(subject) || (is_file && shorter.is_some() && says_name)).then(|| formed(self, &forms))
    }

    /// "New files get lower-case names", "file names must not contain blanks", "no spaces in file names".
    fn names_must(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rules) = self.signs_in_names(tokens) {
            return Some(rules);
        }
        let (subject, _, said) = around(
            tokens,
            &[
                "get",
                "gets",
                "have",
                "are",
                "must be",
                "have to be",
                "must have",
                "must get",
                "should be",
                "should have",
                "are always",
                "must always be",
                "must not contain",
                "may not contain",
                "must not have",
                "never contain",
                "have no",
                "contain no",
                "must be called",
                "have to have",
                "don't contain",
                "always",
                "are written",
                "in",
                "stay",
            ],
        )?;
        let subject = bare(subject);
        if !strip(subject, FILES).is_some_and(<[Token]>::is_empty) && !is_names(subject) {
            return None;
        }
        let says_name = subject.iter().any(|token| token.low.contains("name"));
        let denies = |word: &str| tokens.iter().any(|token| token.low == word);
        if says_name
            && (denies("not") || denies("never") || denies("no") || denies("don't"))
            && let Some(forms) = self.having(said)
        {
            return Some(formed(self, &forms));
        }
        let (said, more) = match around(said, &["names", "name"]) {
            Some((front, _, more)) if !front.is_empty() => (front, more),
            _ if says_name => (said, said.get(said.len()..)?),
            _ => return None,
        };
        Some(formed(self, &self.name_faults(said, more)?))
    }

    /// What names must not have: said of them, and once more behind a colon.
    fn name_faults(&self, said: &[Token], more: &[Token]) -> Option<Vec<Form>> {
        let mut forms = Vec::new();
        for item in items(bare(said)) {
            let item = strip_end(item, &["only"]).unwrap_or(item);
            if let Some(signs) = strip(item, &["no", "without", "never"]) {
                forms.extend(self.having(signs)?);
                continue;
            }
            forms.extend(match self.predicate(item, &["path".to_owned()])? {
                crate::english::exact::values::predicate::Predicate::Lacks(forms) => forms,
                _ => return None,
            });
        }
        // "with hyphens: no blanks, no capitals" says the same in other words.
        let more = strip(
            more,
            &["with hyphens", "with dashes", "with underscores", "with hyphens instead of blanks"],
        )
        .unwrap_or(more);
        for item in
            items(more).into_iter().flat_map(|item| item.split(|token| token.shape == Shape::Mark(':')))
        {
            if !item.is_empty() {
                forms.extend(self.having(strip(item, &["no", "without", "and no"])?)?);
            }
        }
        Some(forms)
    }
}

/// What is told of by how its name begins or ends: "folders ending in -closed". Says whether they are folders.
pub(in crate::english::exact) fn affixed(subject: &[Token]) -> Option<(bool, Place)> {
    let (thing, phrase, affix) = around(subject, NAMED)?;
    let thing = bare(thing);
    let is_thing = strip(thing, FILES).is_some_and(<[Token]>::is_empty);
    let [affix] = affix else { return None };
    if !is_thing || matches!(affix.shape, Shape::Mark(_)) {
        return None;
    }
    let is_start = phrase.contains("start") || phrase.contains("begin");
    let glob = if is_start { format!("{}*", affix.text) } else { format!("*{}", affix.text) };
    let is_folder = phrase.contains("folder")
        || thing
            .iter()
            .any(|token| matches!(token.low.as_str(), "folder" | "folders" | "directory" | "directories"));
    let place = if is_folder { Place::Folder(glob) } else { Place::Named(glob) };
    Some((is_folder, place))
}

/// Whether words are about names of files and folders, and nothing else.
fn is_names(tokens: &[Token]) -> bool {
    const NAMED: &[&str] = &[
        "file",
        "files",
        "folder",
        "folders",
        "directory",
        "directories",
        "document",
        "documents",
        "name",
        "names",
        "filename",
        "filenames",
        "file-names",
        "image",
        "images",
        "photo",
        "photos",
        "picture",
        "pictures",
        "and",
        "or",
        "of",
        "the",
        "a",
        "an",
        "any",
        "new",
        "all",
        "your",
        "path",
        "paths",
        "in",
        "for",
        "every",
        "note",
        "notes",
        "subfolder",
        "subfolders",
        "attachment",
        "attachments",
        "scans",
        "exports",
        "export",
        "foldernames",
        ",",
    ];
    tokens.iter().all(|token| NAMED.contains(&token.low.as_str()))
        && tokens.iter().any(|token| token.low.contains("name"))
}

/// What is called so must not be changed.
fn changed(places: Vec<Place>) -> Rules {
    let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
    vec![(Verdict::Deny, Case { doings: vec![Doing::Deed(Deed::Changes)], tests, ..Case::default() })]
}

/// Nothing new must be called so.
fn formed(exact: &Exact<'_>, forms: &[Form]) -> Rules {
    let places = forms.iter().cloned().map(Place::Formed).collect();
    let mut tests = vec![
        Test::Place { side: Side::Object, places: vec![Place::Kind("file".to_owned())], inside: true },
        Test::Place { side: Side::Object, places, inside: true },
    ];
    // What is edited has its name already.
    if exact.hand.has_tool_word("edit") {
        tests.push(Test::Did { actions: vec!["edit".to_owned()], is: false });
    }
    vec![(Verdict::Deny, Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() })]
}
