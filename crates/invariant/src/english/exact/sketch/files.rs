//! Files and folders: of what kind new ones are, where folders go, what stays in a folder, how much of a log is read, and what
//! a new file begins with.

use super::{Rules, Sketch, at, did, refused, value};
use crate::english::exact::Exact;
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Side, Test, Verdict};

const MAKING: &[&str] = &["create", "new", "make", "save", "write", "add", "produce", "created"];

/// What says that there are no others.
const ALONE: &[&str] = &[
    "only|just|solely|exclusively",
    "nothing else|but|with",
    "no other|others|file|new|kind|type|further",
    "other|another kind|type|extension|ending|format|than",
    "anything else|but|other",
    "must|has|have to? be|end|carry",
    "every|each|new .. end|ends in|with",
];

const FOLDERS: &[&str] =
    &["folder", "folders", "directory", "directories", "subfolder", "subfolders", "sub-folder"];

impl Exact<'_> {
    /// What is said of files and folders, one of these.
    pub(super) fn sketched_files(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !self.hand.has_files()
            || sketch.has(&["unless", "ask", "mail", "email", "send", "branch", "upload", "attach"])
        {
            return None;
        }
        self.new_endings(sketch)
            .or_else(|| self.new_folders(sketch))
            .or_else(|| self.kept_in(sketch))
            .or_else(|| self.kept_where_it_is(sketch))
            .or_else(|| self.moved_into(sketch))
            .or_else(|| self.parts_of_files(sketch))
            .or_else(|| self.first_lines(sketch))
            .or_else(|| self.closed_pictures(sketch))
    }

    /// "CSV and TSV only: no file of another type gets created."
    fn new_endings(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let mut ends: Vec<Place> = sketch.tokens.iter().filter_map(end_of).collect();
        if sketch.says(&["plain text"]) {
            ends.push(Place::Ending("txt".to_owned()));
        }
        if sketch.has(&["markdown"]) {
            ends.extend(["md", "markdown"].map(|end| Place::Ending(end.to_owned())));
        }
        ends.sort();
        ends.dedup();
        let is_strange = |token: &Token| {
            matches!(token.shape, Shape::Quoted | Shape::Url | Shape::Address | Shape::Number)
                || (token.shape == Shape::Path && end_of(token).is_none())
        };
        let other = [
            "read", "open", "stage", "move", "delete", "look", "name", "convert", "commit", "download",
            "load", "run",
        ];
        if ends.is_empty()
            || sketch.has(&other)
            || sketch.tokens.iter().any(is_strange)
            || !sketch.says(ALONE)
        {
            return None;
        }
        if !sketch.has(&[
            "file",
            "files",
            "whatever",
            "everything",
            "extension",
            "document",
            "documents",
            "anything",
        ]) {
            return None;
        }
        let makes = sketch.has(MAKING);
        let changes = sketch.has(&["change", "edit", "touch", "modify"]) || sketch.says(&["stay|stays"]);
        // "Never create .exe files" is no rule about the others.
        let is_ban = sketch.denying().any(|part| part.iter().any(|token| end_of(token).is_some()))
            && !sketch.says(&[
                "nothing|anything|no|other|others|files .. but|except|than",
                "only",
                "other|another",
            ]);
        let is_limit = sketch.says(&["only", "nothing but|else", "no other|others", "limited|restricted to"]);
        if is_ban || !(makes || (changes && is_limit)) {
            return None;
        }
        let mut tests = vec![
            at(Side::Object, vec![Place::Kind("file".to_owned())], true),
            at(Side::Object, ends, false),
            not_did("make folder"),
        ];
        if changes {
            return Some(refused(vec![Doing::Deed(Deed::Changes)], tests));
        }
        tests.push(not_did("edit"));
        Some(refused(vec![Doing::Deed(Deed::Writes)], tests))
    }

    /// "No subfolders in outbox/", "new folders belong under attic/, nowhere else".
    fn new_folders(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_flat = sketch.says(&["stay|keep .. flat", "flat"]);
        if !sketch.has(FOLDERS) || sketch.has(&["move", "read", "open", "rename", "delete", "list", "look"]) {
            return None;
        }
        let makes = sketch.has(&["new", "create", "make", "add", "mkdir"]);
        let none =
            sketch.denies(&["subfolder|subfolders|sub-folder|subdirectory|subdirectories", "folder|folders"]);
        let places: Vec<Place> = self.single_folder(sketch)?;
        let elsewhere =
            sketch.says(&["only", "outside", "anywhere|nowhere else", "belong|belongs", "elsewhere"]);
        if makes && elsewhere {
            return Some(refused(did(&["make folder"]), vec![at(Side::Object, places, false)]));
        }
        let is_below = sketch.says(&["subfolder|subfolders|subdirectory|subdirectories"]) || is_flat;
        (none && (is_below || makes) && !elsewhere)
            .then(|| refused(did(&["make folder"]), vec![at(Side::Object, places, true)]))
    }

    /// The one folder that a sentence names, by its path or by its name.
    fn single_folder(&self, sketch: &Sketch<'_>) -> Option<Vec<Place>> {
        let mut paths = sketch.tokens.iter().filter(|token| token.shape == Shape::Path);
        if let Some(path) = paths.next() {
            let is_one = paths.all(|other| other.low == path.low);
            return is_one.then(|| path_places(&path.text, self.hand)).filter(|places| !places.is_empty());
        }
        let flat = sketch.tokens.iter().position(|token| token.low == "flat")?;
        let name = sketch.tokens.get(..flat)?.iter().rev().find(|token| {
            !matches!(
                token.low.as_str(),
                "stays" | "stay" | "is" | "must" | "folder" | "has" | "to" | "be" | "keep" | "the"
            )
        })?;
        matches!(name.shape, Shape::Word | Shape::Identifier).then(|| vec![Place::Folder(name.text.clone())])
    }

    /// "Files may be sorted inside scans/, but none may leave it."
    fn kept_in(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const STAYING: &[&str] = &[
            "none|nothing|they may|can|must leave|leaves|leave",
            "stay|remain in|inside|within|there|here|put",
            "move|moved|moving .. out|outside",
            "move|moved|moving .. only within|inside|in",
            "only move|moved|moving .. within|inside|in",
            "out|outside of? .. forbidden|taboo",
            "not|never|don't leave|move|take .. out|outside|it|that",
        ];
        let handles =
            sketch.has(&["move", "sort", "rename", "moving", "reorganise", "reorganize", "shuffle"]);
        if !handles || !sketch.says(STAYING) || sketch.has(&["except", "copy"]) {
            return None;
        }
        let places = self.single_folder(sketch)?;
        let tests = vec![at(Side::Object, places.clone(), true), at(Side::To, places, false)];
        Some(refused(vec![Doing::Deed(Deed::Moves)], tests))
    }

    /// "Files may only be moved into done/."
    fn moved_into(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const INTO: &[&str] = &[
            "only .. move|moved .. to|into|in @",
            "move|moved .. only to|into|in .. @",
            "move|moved .. to|into @ .. only",
            "move|moved .. to|into .. nothing|anything|nowhere|anywhere but|else .. @",
        ];
        let elsewhere = sketch.says(&["move|moved .. to|into .. @"])
            && sketch.denies(&["other|another|else|elsewhere"])
            && !sketch.denies(&["move|moved|moving"]);
        if !sketch.says(INTO) && !elsewhere || sketch.has(&["from", "out", "rename", "copy"]) {
            return None;
        }
        let places = self.single_folder(sketch)?;
        let tests =
            vec![at(Side::Object, vec![Place::Kind("file".to_owned())], true), at(Side::To, places, false)];
        Some(refused(vec![Doing::Deed(Deed::Moves)], tests))
    }

    /// "Rename what you like, but every file stays in its folder."
    fn kept_where_it_is(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const STAYING: &[&str] = &[
            "stay|stays|remain|remains|keep .. in .. its|their|the|same|own|own folder|directory|place",
            "stay|remain .. in the|its folder",
            "not|never|don't .. move|moved|moving .. other|another|different|between|across|folder|folders",
            "move|moving|moved .. other|another|different|between|across .. not|isn't|taboo|forbidden",
        ];
        let renames = sketch.has(&["rename", "renaming", "renamed", "name", "names"]);
        let is_named = sketch.tokens.iter().any(|token| token.shape == Shape::Path);
        if !renames || is_named || sketch.denies(&["rename|renaming|renamed"]) || !sketch.says(STAYING) {
            return None;
        }
        Some(refused(did(&["change folder"]), Vec::new()))
    }

    /// "Logs only with head or tail, 200 lines at most."
    fn parts_of_files(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let by_ends = sketch.has(&["head"]) && sketch.has(&["tail"]);
        let lines = sketch.tokens.iter().position(|token| matches!(token.low.as_str(), "lines" | "line"));
        let most = lines.and_then(|at| sketch.tokens.get(at.checked_sub(1)?)?.text.parse::<i64>().ok());
        let is_log = |token: &Token| {
            token.shape == Shape::Path || matches!(token.low.as_str(), "log" | "logs" | "logfiles")
        };
        let limits =
            sketch.says(&["at most", "most|max|maximum|more|whole|entire|complete|full|only|exceed|up"]);
        let is_sent = sketch.has(&["write", "post", "commit", "snippet", "reply", "message", "edit"]);
        let reads = sketch
            .has(&["read", "open", "log", "logs", "head", "tail", "load", "look", "view", "fetch", "take"]);
        if !(by_ends || most.is_some()) || !reads || !limits || is_sent || !sketch.tokens.iter().any(is_log) {
            return None;
        }
        if !self.hand.has_parameter("head") && !self.hand.has_parameter("tail") {
            return None;
        }
        let mut places: Vec<Place> = Vec::new();
        for token in sketch.tokens.iter().filter(|token| token.shape == Shape::Path) {
            places.extend(path_places(&token.text, self.hand));
        }
        if places.is_empty() {
            places.push(Place::Ending("log".to_owned()));
        }
        let read = |tests: Vec<Test>| {
            let tests = std::iter::once(at(Side::Object, places.clone(), true)).chain(tests).collect();
            (Verdict::Deny, Case { doings: vec![Doing::Deed(Deed::Reads)], tests, ..Case::default() })
        };
        let mut rules = Vec::new();
        if by_ends {
            let missing = |word: &str| Test::Given { word: word.to_owned(), is: false };
            rules.push(read(vec![missing("head"), missing("tail"), not_did("look at details")]));
        }
        if let Some(above) = most {
            rules.push(read(vec![Test::Measure { unit: "read line".to_owned(), above, is: true }]));
        }
        Some(rules)
    }

    /// "Every file you create begins with the line DRAFT."
    fn first_lines(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_first = sketch.says(&[
            "begin|start|open .. line|word|words",
            "first line",
            "at the top of",
            "as the first",
        ]);
        let is_caps = |token: &Token| {
            token.text.len() > 2 && token.text.chars().all(|letter| letter.is_ascii_uppercase())
        };
        let capital = sketch.tokens.iter().find(|token| is_caps(token) && token.shape == Shape::Word);
        let begins = sketch.says(&["begin|start|open with"]) && capital.is_some();
        let makes = sketch.says(&[
            "new|create|created|make|every|each .. file|files",
            "file|files you create|make|write|add",
        ]);
        if !makes || !(is_first || begins) || sketch.has(&["name", "names", "named", "called"]) {
            return None;
        }
        let quoted =
            sketch.tokens.iter().find(|token| token.shape == Shape::Quoted).map(|token| token.text.clone());
        let text = quoted.or_else(|| spelled(sketch)).or_else(|| capital.map(|token| token.text.clone()))?;
        let tests = vec![
            at(Side::Object, vec![Place::Kind("file".to_owned())], true),
            not_did("edit"),
            not_did("make folder"),
            not_did("rename"),
            Test::Given { word: "content".to_owned(), is: true },
            value(&["content"], Check::Forms(vec![Form::Starts(text)]), Presence::Missing),
        ];
        Some(refused(vec![Doing::Deed(Deed::Writes)], tests))
    }

    /// "Don't open pictures": their names and sizes are no picture.
    fn closed_pictures(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const PICTURES: &[&str] = &["picture", "pictures", "image", "images", "photo", "photos"];
        let looks = sketch.denies(&["load|open|view|read|look|see|display|show|loading|opening"])
            || sketch.says(&["stay|stays|remain closed|unopened"]);
        let is_named = sketch.tokens.iter().any(super::is_literal);
        if !looks
            || is_named
            || !sketch.has(PICTURES)
            || sketch.has(&["docker", "container", "only", "except"])
        {
            return None;
        }
        let word = sketch.tokens.iter().find(|token| super::is_one(token, PICTURES))?;
        let places = self.named_places(std::slice::from_ref(word))?;
        let tests = vec![at(Side::Object, places, true), not_did("look at details")];
        Some(refused(vec![Doing::Deed(Deed::Reads)], tests))
    }
}

fn not_did(act: &str) -> Test {
    Test::Did { actions: vec![act.to_owned()], is: false }
}

/// The end of file names that a word stands for.
fn end_of(token: &Token) -> Option<Place> {
    let dotted = token.low.strip_prefix("*.").or_else(|| token.low.strip_prefix('.'));
    let is_plain = |end: &&str| !end.is_empty() && end.chars().all(|letter| letter.is_ascii_alphanumeric());
    if let Some(end) = dotted.filter(is_plain).filter(|_| token.shape == Shape::Path) {
        return Some(Place::Ending(end.to_owned()));
    }
    let is_capital = token.text.len() > 1 && token.text.chars().all(|letter| letter.is_ascii_uppercase());
    (is_capital && crate::english::is_file_end(&token.low)).then(|| Place::Ending(token.low.clone()))
}

/// What is written out behind a colon or behind "must be", as it stands.
fn spelled(sketch: &Sketch<'_>) -> Option<String> {
    let is_start = |token: &Token| {
        token.text.starts_with("//")
            || token.text.starts_with('#')
            || token.text.starts_with("/*")
            || token.text.starts_with("<!--")
    };
    let from = sketch.tokens.iter().position(is_start)?;
    let mut text = String::new();
    let mut end = None;
    for token in sketch.tokens.get(from..)? {
        if end.is_some_and(|end| token.at > end) {
            text.push(' ');
        }
        text.push_str(&token.text);
        end = Some(token.at + token.text.len());
    }
    Some(text.trim_end_matches(['.', '!']).to_owned())
}
