//! Files that stay as they are, kinds of pages that are left out, machines that are left alone, and what is found on the
//! web and goes nowhere.

use super::sift::{Sifted, Weight};
use super::{Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::exact::told::turned::word;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

impl Exact<'_> {
    /// "the Dutch texts (*.nl.md) are certified, they must not be edited, here or on GitHub".
    pub(super) fn paths_kept(&self, tokens: &[Token]) -> Option<Rules> {
        let has_bracket = tokens.iter().any(|token| token.shape == Shape::Mark('('));
        let has_path = tokens.iter().any(|token| token.shape == Shape::Path);
        if !has_bracket || !has_path || self.span_in(tokens).is_some() {
            return None;
        }
        let sifted = self.sifted(tokens, "holders", &|_, token| match token.shape {
            Shape::Path => Weight::Anchor,
            Shape::Word if matches!(token.low.as_str(), "locally" | "remotely") => Weight::Light,
            Shape::Word
                if self.hand.has_server(&token.low) || self.hand.server_like(&token.low).is_some() =>
            {
                Weight::Light
            }
            _ => Weight::Strange,
        })?;
        let is_changed = sifted.has(&[
            "touch",
            "touched",
            "change",
            "changes",
            "changed",
            "edit",
            "edited",
            "edits",
            "write",
            "written",
            "modify",
            "modified",
            "alter",
            "altered",
            "overwrite",
            "overwritten",
            "update",
            "updated",
            "updates",
        ]);
        let is_kept = sifted.has(&["alone", "hands", "read-only", "frozen", "untouched", "unchanged"])
            || sifted.says(&["as it is", "as they are"]);
        let is_allowed =
            sifted.says(&["may change", "can change", "may edit", "can edit", "only edit", "only change"]);
        if is_allowed || !(is_kept || (is_changed && sifted.denies())) {
            return None;
        }
        let places: Vec<Place> = sifted
            .anchors
            .iter()
            .flat_map(|(_, token)| crate::english::noun::path_places(&token.text, self.hand))
            .collect();
        let test = Test::Place { side: Side::Object, places: places.clone(), inside: true };
        (!places.is_empty()).then(|| refused(vec![Doing::Deed(Deed::Changes)], vec![test]))
    }

    /// "skip PDFs, only load web pages", "PDFs I read myself".
    pub(super) fn formats_left_out(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_web() || self.hand.has_local_files() {
            return None;
        }
        let kind = |token: &Token| {
            let low = token.low.trim_start_matches(['*', '.']);
            let end = low.strip_suffix('s').filter(|end| crate::english::is_file_end(end)).unwrap_or(low);
            let is_known =
                matches!(end, "pdf" | "docx" | "doc" | "xlsx" | "xls" | "pptx" | "ppt" | "zip" | "csv");
            (is_known && !matches!(token.shape, Shape::Mark(_))).then(|| end.to_owned())
        };
        let sifted = self.sifted(tokens, "formats", &|_, token| match kind(token) {
            Some(_) => Weight::Anchor,
            None => Weight::Strange,
        })?;
        let is_out = sifted.denies()
            || sifted.has(&[
                "skip", "out", "aside", "ignore", "avoid", "myself", "exclude", "away", "taboo", "leave",
            ]);
        let is_wanted =
            sifted.says(&["pdfs only", "only pdfs", "only pdf", "{} only", "only {}", "nothing but"]);
        if !is_out || is_wanted {
            return None;
        }
        let ends = sifted.anchors.iter().filter_map(|(_, token)| kind(token));
        let places = ends.map(|end| Place::Named(format!("*.{end}"))).collect();
        let test = Test::Place { side: Side::Object, places, inside: true };
        Some(refused(vec![Doing::Deed(Deed::Involves)], vec![test]))
    }

    /// "the gpu machines belong to the students from 9 to 17, do not log in there in that time".
    pub(super) fn machines(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        let at = tokens.iter().position(|token| {
            matches!(token.low.as_str(), "machines" | "machine" | "hosts" | "servers" | "boxes" | "nodes")
        })?;
        let name = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(|token| {
            matches!(token.shape, Shape::Word | Shape::Identifier)
                && !is_word_of("anything", &token.low)
                && !is_word_of("machines", &token.low)
        })?;
        let timed = self.span_in(tokens).or_else(|| {
            (0..tokens.len()).find_map(|at| {
                let with: Vec<Token> =
                    std::iter::once(word("from")).chain(tokens.get(at..)?.iter().cloned()).collect();
                let (span, length) =
                    crate::english::when::read(&with, self.year).filter(|(_, length)| *length > 3)?;
                Some((span, at, length - 1))
            })
        });
        let rest: Vec<Token> = match &timed {
            Some((_, at, length)) => {
                tokens.iter().take(*at).chain(tokens.get(at + length..)?).cloned().collect()
            }
            None => tokens.to_vec(),
        };
        let sifted: Sifted<'_> = self.sifted(&rest, "machines", &|_, token| match token.at == name.at {
            true => Weight::Anchor,
            false => Weight::Strange,
        })?;
        let is_off =
            sifted.denies() || sifted.says(&["stay off", "keep off", "hands off", "stay away", "off limits"]);
        if !is_off {
            return None;
        }
        let like = format!("{}*", name.low);
        let mut tests =
            vec![Test::Place { side: Side::Object, places: vec![Place::HostLike(like)], inside: true }];
        tests.extend(timed.map(|(span, ..)| Test::Time { spans: vec![span], is: true, of_event: false }));
        Some(refused(vec![Doing::Deed(Deed::Involves)], tests))
    }

    /// "Things found on the web never go onto the start page (c83e1f5a-…)".
    pub(super) fn web_finds(&self, tokens: &[Token]) -> Option<Rules> {
        const FOUND: &[&str] = &[
            "found on the web",
            "found online",
            "found on the internet",
            "from the web",
            "from the internet",
            "web finds",
            "find on the web",
            "find online",
            "search results",
            "web results",
            "from websites",
            "read on the web",
        ];
        crate::english::exact::words::around(tokens, FOUND)?;
        let at = tokens
            .iter()
            .rposition(|token| matches!(token.low.as_str(), "never" | "not" | "nothing" | "no" | "don't"))?;
        let is_id = |token: &&Token| {
            token.shape == Shape::Identifier
                && token.text.len() > 7
                && token.text.chars().any(|letter| letter.is_ascii_digit())
        };
        let ids: Vec<Place> =
            tokens.iter().skip(at).filter(is_id).map(|token| Place::Id(token.text.clone())).collect();
        let is_other =
            tokens.iter().any(|token| matches!(token.low.as_str(), "unless" | "except" | "ask" | "without"));
        if ids.is_empty() || is_other {
            return None;
        }
        let mut tests = vec![
            Test::Carries(vec![Place::Kind("page".to_owned())]),
            Test::Place { side: Side::To, places: ids, inside: true },
        ];
        // Where they go instead is none of it.
        let others: Vec<Place> =
            tokens.iter().take(at).filter(is_id).map(|token| Place::Id(token.text.clone())).collect();
        if !others.is_empty() {
            tests.push(Test::Place { side: Side::To, places: others, inside: false });
        }
        let doings = vec![Doing::Deed(Deed::Writes)];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }
}
