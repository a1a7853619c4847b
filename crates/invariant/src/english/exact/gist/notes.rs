//! Notes and folders of services: what is private, and what is only added to.

use super::sift::{Sifted, Weight};
use super::{Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Place, Side, Test, Verdict};

/// What adds to something.
const APPENDING: &[&str] = &[
    "append",
    "appended",
    "appending",
    "appends",
    "append-only",
    "add",
    "added",
    "grow",
    "grows",
    "patch",
    "patched",
    "patching",
    "extend",
    "extended",
];

impl Exact<'_> {
    /// What is said of notes that tools of a service keep.
    pub(super) fn notes(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.is_own() || !self.hand.has_own_paths() || self.hand.runs_commands() {
            return None;
        }
        self.notes_appended(tokens)
            .or_else(|| self.notes_placed(tokens))
            .or_else(|| self.folders_closed(tokens))
    }

    /// "My Journal folder is private, keep your eyes off it."
    fn folders_closed(&self, tokens: &[Token]) -> Option<Rules> {
        let sifted = self.named_folders(tokens, "closed")?;
        let is_closed = sifted.has(&[
            "private",
            "closed",
            "taboo",
            "limits",
            "business",
            "secret",
            "eyes",
            "shut",
            "confidential",
            "personal",
            "between",
        ]) || sifted.says(&[
            "stay out",
            "keep out",
            "stay away",
            "keep away",
            "stay off",
            "keep off",
            "hands off",
        ]);
        let looks = sifted.has(&[
            "read", "reads", "open", "opened", "look", "looks", "looked", "peek", "see", "view", "list",
            "listed", "search", "searched", "enter", "go",
        ]);
        let changes = sifted.has(&[
            "change",
            "changed",
            "edit",
            "write",
            "delete",
            "touch",
            "overwrite",
            "modify",
            "move",
        ]);
        if changes && !looks || !(is_closed || (sifted.denies() && looks)) {
            return None;
        }
        let places = places(&sifted);
        let test = Test::Place { side: Side::Object, places, inside: true };
        let doings = vec![crate::meaning::Doing::Deed(crate::meaning::Deed::Involves)];
        Some(refused(doings, vec![test]))
    }

    /// "Never overwrite a note, only append or patch."
    fn notes_appended(&self, tokens: &[Token]) -> Option<Rules> {
        const ADDING: &[&str] = &["append", "add", "insert", "patch", "prepend"];
        const PUTTING: &[&str] = &["put", "write", "overwrite", "replace", "update", "save", "set"];
        const REMOVING: &[&str] = &["delete", "remove", "trash"];
        if !self.hand.has_own_word("append") {
            return None;
        }
        let appends = |token: &Token| APPENDING.contains(&token.low.as_str());
        let sifted = self.sifted(tokens, "appended", &|at, token| match appends(token) {
            true => Weight::Anchor,
            false if is_folder(tokens, at) => Weight::Anchor,
            false if is_again(tokens, token) => Weight::Light,
            false => Weight::Strange,
        })?;
        let mut anchors = sifted.anchors.iter();
        if !anchors.any(|(_, token)| appends(token))
            || !(sifted.denies()
                || sifted.has(&["only", "just"])
                || sifted.anchors.iter().any(|(_, token)| token.low == "append-only"))
        {
            return None;
        }
        let named = |words: &[&str]| -> Vec<String> {
            words.iter().flat_map(|word| self.tools_doing(word)).collect()
        };
        let adding = named(ADDING);
        let removes = sifted.has(&["delete", "deleted", "remove", "removed", "deletes"])
            || sifted
                .anchors
                .iter()
                .any(|(_, token)| matches!(token.low.as_str(), "append-only" | "grow" | "grows"));
        let mut tools: Vec<String> =
            named(PUTTING).into_iter().filter(|tool| !adding.contains(tool)).collect();
        if removes {
            tools.extend(named(REMOVING));
        }
        let mut tests = vec![Test::Tool { names: tools.clone(), is: true }];
        let folders: Vec<Place> = sifted
            .anchors
            .iter()
            .filter(|(_, token)| !appends(token))
            .map(|(_, token)| Place::Folder(token.text.trim_end_matches('/').to_owned()))
            .collect();
        if !folders.is_empty() {
            tests.push(Test::Place { side: Side::Object, places: folders, inside: true });
        }
        (!tools.is_empty()).then(|| vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "New notes go to Inbox, nowhere else."
    fn notes_placed(&self, tokens: &[Token]) -> Option<Rules> {
        let sifted = self.named_folders(tokens, "placed")?;
        let is_only =
            sifted.has(&["only", "nowhere", "everything", "else", "always", "must", "belong", "belongs"])
                || sifted.says(&["go to", "goes to", "go into", "goes into", "go in", "goes in"]);
        let writes = sifted.has(&[
            "write", "put", "save", "create", "store", "go", "goes", "new", "notes", "note", "belong",
            "belongs", "file",
        ]);
        let denies = sifted.has(&["never", "don't", "no", "not", "nothing"]);
        if !is_only || !writes || denies {
            return None;
        }
        let elsewhere = Test::Place { side: Side::Object, places: places(&sifted), inside: false };
        let doings = vec![crate::meaning::Doing::Deed(crate::meaning::Deed::Writes)];
        Some(refused(doings, vec![elsewhere]))
    }

    fn named_folders<'t>(&self, tokens: &'t [Token], kind: &str) -> Option<Sifted<'t>> {
        self.sifted(tokens, kind, &|at, token| match is_folder(tokens, at) {
            true => Weight::Anchor,
            false if is_again(tokens, token) => Weight::Light,
            false => Weight::Strange,
        })
    }
}

/// "my journal (folder Journal)": the same word, once as a name.
fn is_again(tokens: &[Token], token: &Token) -> bool {
    tokens.iter().any(|other| other.at != token.at && other.low == token.low && other.is_capital())
}

/// Whether a word is the name of a folder: with a slash, or with a capital letter that no beginning explains.
fn is_folder(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let low = |place: Option<usize>| {
        place.and_then(|place| tokens.get(place)).map_or("", |token| token.low.as_str())
    };
    let beside = |word: &str| matches!(word, "folder" | "directory" | "vault" | "folders");
    match token.shape {
        Shape::Path => !token.text.contains('*') && !token.text.starts_with('/'),
        Shape::Quoted => beside(low(at.checked_sub(1))) || beside(low(Some(at + 1))),
        Shape::Word => {
            let is_light = ["anything", "closed", "appended"].iter().any(|kind| is_word_of(kind, &token.low));
            let begins =
                at == 0 || tokens.get(at - 1).is_some_and(|before| matches!(before.low.as_str(), "." | ":"));
            token.is_capital() && (!is_light || (!begins && !is_word_of("anything", &token.low)))
        }
        _ => false,
    }
}

fn places(sifted: &Sifted<'_>) -> Vec<Place> {
    let name = |token: &Token| token.text.trim_end_matches('/').to_owned();
    let mut names: Vec<String> = sifted.anchors.iter().map(|(_, token)| name(token)).collect();
    names.sort();
    names.dedup();
    names.into_iter().map(Place::Folder).collect()
}
