//! How old what is found may be: "search with a time range of a month or shorter", "nothing older than a week".

use super::sift::Weight;
use super::{Rules, refused};
use crate::english::amount;
use crate::english::exact::Exact;
use crate::english::exact::words::stems;
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Doing, Form, Presence, Test};

/// Stretches of time from the shortest to the longest, as tools spell them.
const UNITS: &[(&str, &[&str])] = &[
    ("day", &["day", "d", "pd", "24h", "1d"]),
    ("week", &["week", "w", "pw", "7d", "1w"]),
    ("month", &["month", "m", "pm", "30d", "1m"]),
    ("year", &["year", "y", "py", "365d", "1y"]),
];

impl Exact<'_> {
    /// A rule about the age of what is found.
    pub(super) fn time_ranges(&self, tokens: &[Token]) -> Option<Rules> {
        let names = self.ground(&["time".to_owned(), "range".to_owned()], &[])?;
        let tokens = self.arguments_joined(tokens);
        let is_range = |token: &Token| {
            matches!(token.shape, Shape::Identifier | Shape::Quoted)
                && names.contains(&stems(std::slice::from_ref(token)).join(" "))
        };
        let sifted = self.sifted(&tokens, "recency", &|at, token| match is_range(token)
            || self.stretch_of_time(&tokens, at).is_some()
        {
            true => Weight::Anchor,
            false if amount::read_number(std::slice::from_ref(token)).is_some() => Weight::Light,
            false => Weight::Strange,
        })?;
        let spans: Option<Vec<usize>> = sifted
            .anchors
            .iter()
            .filter(|(_, token)| !is_range(token))
            .map(|(at, _)| self.stretch_of_time(&tokens, *at).flatten())
            .collect();
        let longest = spans?.into_iter().max()?;
        let is_named = sifted.anchors.iter().any(|(_, token)| is_range(token))
            || sifted.says(&["time frame", "time window"]);
        let is_search = sifted.has(&[
            "search",
            "searches",
            "searching",
            "news",
            "results",
            "result",
            "hits",
            "articles",
            "sources",
            "pages",
            "stories",
            "look",
            "reports",
            "posts",
            "material",
            "information",
        ]);
        let is_bound = sifted.has(&[
            "older", "newer", "last", "past", "recent", "back", "within", "further", "beyond", "younger",
            "latest", "previous", "fresh", "fresher",
        ]);
        if !(is_named || (is_search && is_bound) || sifted.says(&["nothing older", "not older", "no older"]))
        {
            return None;
        }
        let forms = UNITS.iter().take(longest + 1).flat_map(|(_, own)| own.iter());
        let forms = forms.map(|value| Form::Is((*value).to_owned())).collect();
        let is_needed = sifted.says(&["every search", "each search", "all searches", "any search"])
            || (is_named
                && sifted
                    .has(&["always", "every", "each", "without", "set", "needs", "need", "give", "must"]));
        let presence = if is_needed { Presence::Missing } else { Presence::Other };
        let test = Test::Value { names, check: Check::Forms(forms), presence };
        Some(refused(vec![Doing::Did("search".to_owned())], vec![test]))
    }

    /// Which stretch of time a word is, with the number before it; nothing where no tool has such a one.
    fn stretch_of_time(&self, tokens: &[Token], at: usize) -> Option<Option<usize>> {
        let token = tokens.get(at)?;
        let low = token.low.as_str();
        let unit = low.strip_suffix('s').unwrap_or(low);
        let number = at.checked_sub(1).and_then(|before| tokens.get(before));
        let number = number
            .filter(|before| !matches!(before.low.as_str(), "a" | "an"))
            .and_then(|before| amount::read_number(std::slice::from_ref(before)))
            .map_or(1, |(number, _)| number);
        let named = |name: &str| UNITS.iter().position(|(own, _)| *own == name);
        match (unit, number) {
            ("hour", 24) => Some(named("day")),
            ("day", 7) => Some(named("week")),
            ("week", 4) | ("day", 30 | 31) => Some(named("month")),
            ("month", 12) | ("day", 365) => Some(named("year")),
            ("day" | "week" | "month" | "year", 1) => Some(named(unit)),
            ("day" | "week" | "month" | "year" | "hour", _) => Some(None),
            _ => None,
        }
    }
}
