//! How far back a search may look: "searches never go back further than one month", "only results of the last week".

use crate::english::exact::Exact;
use crate::english::exact::words::{bare, bracketed, stems, strip, strip_end};
use crate::english::token::Token;
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Stretches of time, as tools spell them.
const UNITS: &[(&str, &[&str])] = &[
    ("day", &["day", "d", "pd", "24h", "1d"]),
    ("week", &["week", "w", "pw", "7d", "1w"]),
    ("month", &["month", "m", "pm", "30d", "1m"]),
    ("year", &["year", "y", "py", "365d", "1y"]),
];

/// In front of the stretch.
const FRONT: &[&str] = &[
    "searches never go back further than",
    "searches never go further back than",
    "searches go back at most",
    "searches must not go back further than",
    "searches must not go back more than",
    "searches go back no further than",
    "search no further back than",
    "search not further back than",
    "never search further back than",
    "never search back further than",
    "never search for anything older than",
    "never look for anything older than",
    "no results older than",
    "no search results older than",
    "no hits older than",
    "nothing older than",
    "no news older than",
    "no articles older than",
    "no pages older than",
    "results must not be older than",
    "search results must not be older than",
    "results are never older than",
    "results may not be older than",
    "results must be no older than",
    "only results of",
    "only results from",
    "only results of the last",
    "only search results from",
    "only news from",
    "only news of",
    "only search",
    "search only",
    "only look at",
    "searches cover only",
    "searches cover",
    "searches only cover",
    "searches are limited to",
    "searches only for",
    "searches must be limited to",
    "limit searches to",
    "limit the search to",
    "restrict searches to",
    "keep searches to",
    "searches : only",
    "searches :",
    "searches stay within",
    "no search beyond",
    "searches never cover more than",
    "searches reach back at most",
    "searches must stay within",
    "searches only over",
];

impl Exact<'_> {
    /// A rule about the age of what is found.
    pub(in crate::english::exact) fn recency(&self, tokens: &[Token]) -> Option<Rules> {
        let (tokens, named) = match bracketed(tokens) {
            Some((front, inner)) => (front, Some(self.ground(&stems(inner), &[])?)),
            None => (tokens, None),
        };
        let names = named.or_else(|| self.ground(&["time".to_owned(), "range".to_owned()], &[]))?;
        let rest = strip(tokens, &["tavily", "brave", "web", "internet"]).unwrap_or(tokens);
        let said = strip(rest, FRONT)?;
        let said = strip_end(
            said,
            &["at most", "or less", "or newer", "at the most", "only", "ago", "old", "back", "max"],
        )
        .unwrap_or(said);
        let said = bare(said);
        let said = strip(said, &["last", "past", "latest", "one", "1", "previous", "last one", "current"])
            .unwrap_or(said);
        let [unit] = said else { return None };
        let low = unit.low.strip_suffix('s').unwrap_or(&unit.low);
        let at = UNITS.iter().position(|(name, _)| *name == low)?;
        let forms = UNITS.iter().take(at + 1).flat_map(|(_, own)| own.iter());
        let forms = forms.map(|value| Form::Is((*value).to_owned())).collect();
        let test = Test::Value { names, check: Check::Forms(forms), presence: Presence::Other };
        Some(vec![(Verdict::Deny, Case { tests: vec![test], ..Case::default() })])
    }

    /// "web search only": of the tools that search, those that are called so.
    pub(in crate::english::exact) fn sort_only(&self, tokens: &[Token]) -> Option<Rules> {
        let named = strip_end(tokens, &["only", "alone", "and nothing else"]).or_else(|| {
            strip(tokens, &["only use", "use only", "only", "use nothing but", "nothing but", "always use"])
        })?;
        let nouns = stems(bare(named));
        let [sort, act] = nouns.as_slice() else { return None };
        let is_search = matches!(act.as_str(), "search" | "query" | "lookup");
        let both = nouns.clone();
        if !is_search || !self.hand.has_tool_about(&both) {
            return None;
        }
        let tests = vec![Test::Did { actions: vec![sort.clone()], is: false }];
        let doings = vec![crate::meaning::Doing::Did(act.clone())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }
}
