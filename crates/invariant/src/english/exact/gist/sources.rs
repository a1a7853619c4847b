//! Where on the web one may look: "sources: .gov and .edu only", "nothing from eBay or Amazon, in whatever country",
//! "Wikipedia doesn't count, don't open it in any language".

use super::sift::{Sifted, Weight};
use super::{Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Place, Side, Test};

impl Exact<'_> {
    /// Sites that are not opened, or that alone are.
    pub(super) fn sources_named(&self, tokens: &[Token]) -> Option<Rules> {
        // "Never search for Marit Berg" is about what is asked, and "never use CASCADE" about no site.
        if !self.hand.has_web() || asks_for(tokens) || self.has_name_of_act(tokens) {
            return None;
        }
        let sifted = self.sifted(tokens, "sources", &|at, token| match self.site(at, token) {
            Some(_) => Weight::Anchor,
            None => Weight::Strange,
        });
        let sifted = sifted.or_else(|| self.without_the_rest(tokens))?;
        let places: Vec<Place> =
            sifted.anchors.iter().filter_map(|(at, token)| self.site(*at, token)).collect();
        let test = |places: Vec<Place>, inside: bool| Test::Place { side: Side::Object, places, inside };
        let involves = vec![Doing::Deed(Deed::Involves)];
        match direction(&sifted)? {
            Direction::Only => {
                let is_end = |place: &Place| matches!(place, Place::Domain(_));
                let page = test(vec![Place::Kind("page".to_owned())], true);
                places.iter().all(is_end).then(|| refused(involves, vec![page, test(places, false)]))
            }
            Direction::Never => Some(refused(involves, vec![test(places, true)])),
        }
    }

    /// Whether a name is that of an act.
    fn has_name_of_act(&self, tokens: &[Token]) -> bool {
        let acts = |token: &Token| !self.acts_named(std::slice::from_ref(token)).is_empty();
        tokens.iter().skip(1).any(|token| token.shape == Shape::Word && token.is_capital() && acts(token))
    }

    /// "only .gov.uk, no advice portals": where some alone are allowed, others need not be named.
    fn without_the_rest<'t>(&self, tokens: &'t [Token]) -> Option<Sifted<'t>> {
        let comma = tokens.iter().rposition(|token| matches!(token.shape, Shape::Mark(',' | ';')))?;
        let (front, behind) = (tokens.get(..comma)?, tokens.get(comma + 1..)?);
        let denies = behind.first().is_some_and(|first| matches!(first.low.as_str(), "no" | "not" | "never"));
        let is_plain = behind.iter().all(|token| token.shape == Shape::Word);
        if !denies || !is_plain || behind.len() > 5 {
            return None;
        }
        let sifted = self.sifted(front, "sources", &|at, token| match self.site(at, token) {
            Some(_) => Weight::Anchor,
            None => Weight::Strange,
        })?;
        (direction(&sifted) == Some(Direction::Only)).then_some(sifted)
    }

    /// A site that a word names.
    fn site(&self, at: usize, token: &Token) -> Option<Place> {
        match token.shape {
            Shape::Host => {
                let host = token.low.trim_start_matches("*.").trim_end_matches('/');
                let is_page = host.contains('/');
                Some(match is_page {
                    true => Place::Page(host.to_owned()),
                    false => Place::Domain(host.to_owned()),
                })
            }
            Shape::Path => {
                top_level(&token.low).or_else(|| self.host_like_file(&token.low)).map(Place::Domain)
            }
            Shape::Word | Shape::Identifier if is_word_of("sites", &token.low) => {
                Some(Place::HostLike(token.low.clone()))
            }
            Shape::Word => {
                let low = token.low.as_str();
                let is_name =
                    token.is_capital() && (at > 0 || token.text.chars().skip(1).any(char::is_uppercase));
                let is_known = self.lexicon.knows(token)
                    || self.hand.has_word(low)
                    || self.hand.server_like(low).is_some()
                    || is_word_of("anything", low)
                    || is_word_of("sources", low)
                    || is_file_kind(low);
                (is_name && !is_known).then(|| Place::HostLike(token.low.clone()))
            }
            _ => None,
        }
    }
}

impl Exact<'_> {
    /// `docs.rs` is a site where there are no files.
    fn host_like_file(&self, low: &str) -> Option<String> {
        let (front, end) = low.rsplit_once('.')?;
        let is_host =
            matches!(end, "rs" | "py" | "sh" | "md" | "pl" | "so" | "zip" | "mov" | "cc" | "ps" | "st");
        let is_plain = !front.is_empty()
            && front.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.' || letter == '-');
        (is_host && is_plain && !self.hand.has_local_files()).then(|| low.to_owned())
    }
}

/// Whether somebody or something is searched for, as opposed to where one searches, or hosts only stand for a kind.
fn asks_for(tokens: &[Token]) -> bool {
    let is_shortened =
        |token: &Token| matches!(token.low.as_str(), "shortened" | "shorteners" | "shortener" | "shortlinks");
    tokens.iter().any(is_shortened)
        || tokens.windows(2).any(|pair| match pair {
            [verb, link] => {
                matches!(
                    verb.low.as_str(),
                    "search" | "searches" | "searching" | "query" | "queries" | "look"
                ) && matches!(link.low.as_str(), "for" | "about" | "up")
            }
            _ => false,
        })
}

/// "PDFs" are no site.
fn is_file_kind(low: &str) -> bool {
    crate::english::is_file_end(low.strip_suffix('s').unwrap_or(low))
}

/// `.gov.uk`: the end of a host, as opposed to that of a file.
fn top_level(low: &str) -> Option<String> {
    let end = low.trim_start_matches('*').strip_prefix('.')?;
    let is_host =
        end.split('.').all(|part| part.len() > 1 && part.chars().all(|letter| letter.is_ascii_lowercase()));
    let last = end.rsplit('.').next().unwrap_or(end);
    let is_short = last.len() < 5 || matches!(last, "museum" | "international");
    let is_dotfile =
        matches!(end, "env" | "git" | "ssh" | "github" | "gitignore" | "vscode" | "npmrc" | "aws");
    (is_host && is_short && !is_dotfile && !crate::english::is_file_end(last)).then(|| end.to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Only,
    Never,
}

/// Whether the sites are forbidden, or the only ones.
fn direction(sifted: &Sifted<'_>) -> Option<Direction> {
    let only =
        sifted.has(&[
            "only",
            "exclusively",
            "solely",
            "else",
            "ending",
            "end",
            "ends",
            "stick",
            "trust",
            "restrict",
            "restricted",
            "limit",
            "limited",
            "elsewhere",
            "must",
            "stay",
        ]) && !sifted.says(&[
            "stay away",
            "stay off",
            "stay clear",
            "stay out",
            "must not",
            "must never",
            "must stay",
        ]) || sifted.says(&["nothing but", "have to be", "has to be", "nowhere but", "none but", "no other"])
            || (sifted.denies() && sifted.has(&["outside"]));
    let is_off = sifted.has(&[
        "off",
        "taboo",
        "away",
        "out",
        "skip",
        "banned",
        "forbidden",
        "blocked",
        "clear",
        "excluded",
        "avoid",
        "ignore",
        "exclude",
        "block",
        "untrustworthy",
    ]) || sifted.says(&[
        "doesn't count",
        "don't count",
        "not count",
        "none of your business",
        "leave aside",
    ]);
    match (only, is_off || sifted.denies()) {
        (true, _) if is_off => None,
        (true, _) => Some(Direction::Only),
        (false, true) => Some(Direction::Never),
        (false, false) => None,
    }
}
