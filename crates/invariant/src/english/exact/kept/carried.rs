//! Data that must not get somewhere: "what's on the reorg page stays off Slack", "keep the figures from finance/ out of
//! mails", "nothing from my inbox goes into a file".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::exact::written::unsaid::{Ban, Spot, bans};
use crate::english::token::Token;
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// What data is called, in front of where it is.
const DATA: &[&str] = &[
    "what's",
    "what is",
    "whatever is",
    "whatever's",
    "anything",
    "everything",
    "all",
    "all that is",
    "all that's",
    "things",
    "stuff",
    "content",
    "contents",
    "the content",
    "the contents",
    "data",
    "the data",
    "figures",
    "the figures",
    "numbers",
    "the numbers",
    "information",
    "info",
    "the information",
    "details",
    "the details",
    "text",
    "facts",
    "what stands",
    "what's written",
    "what is written",
    "what you read",
    "what you see",
    "what you find",
    "whatever you read",
    "whatever you find",
    "anything you read",
    "anything you find",
    "anything written",
    "anything that is",
    "anything that's",
    "material",
    "extracts",
    "excerpts",
    "quotes",
    "passages",
    "results",
    "rows",
    "anything that stands",
    "what was said",
    "what is said",
    "whatever is said",
    "anything said",
    "names",
    "the names",
    "what you learn",
    "anything you learn",
    "the plans",
    "the text",
    "a word",
    "any data",
    "any figures",
    "any numbers",
];

const BETWEEN: &[&str] = &["on", "in", "from", "at", "under", "inside", "of", "below", "within"];

/// Pages that calls show by ids alone.
const PAGES: &[&str] =
    &["page", "pages", "doc", "docs", "document", "note", "notes", "wiki page", "database", "wiki"];

/// How data gets somewhere.
const GETTING: &[&str] = &[
    "goes",
    "gets",
    "may go",
    "may get",
    "must go",
    "ends up",
    "may end up",
    "is posted",
    "gets posted",
    "may be posted",
    "may be put",
    "is put",
    "may appear",
    "appears",
    "lands",
    "may land",
    "shows up",
    "may show up",
    "may be copied",
    "is copied",
    "gets copied",
    "may be written",
    "is written",
    "gets written",
    "may be pasted",
    "is shared",
    "may be shared",
    "gets shared",
    "leaks",
    "may leak",
    "should go",
    "should end up",
    "is to go",
    "is ever posted",
    "ever goes",
    "ever gets",
    "makes it",
    "is sent",
    "may be sent",
    "gets sent",
];

impl Exact<'_> {
    /// A ban on carrying data from one place to another.
    pub(in crate::english::exact) fn carried(&self, tokens: &[Token]) -> Option<Rules> {
        let plain = bans(tokens).into_iter().find_map(|ban| self.carried_to(&ban));
        plain.or_else(|| self.nothing_carried(tokens)).or_else(|| self.kept_there(tokens))
    }

    /// "never quote anything from #board (C0BOARD123) elsewhere".
    fn kept_there(&self, tokens: &[Token]) -> Option<Rules> {
        const REPEATING: &[&str] = &[
            "quote", "repeat", "share", "copy", "post", "forward", "paste", "use", "mention", "put", "send",
            "spread", "carry", "pass on", "tell", "write",
        ];
        const ELSEWHERE: &[&str] = &[
            "elsewhere",
            "anywhere else",
            "in other channels",
            "to other channels",
            "in any other channel",
            "to any other channel",
            "in another channel",
            "to another channel",
            "outside of it",
            "outside it",
            "anywhere outside",
            "to anywhere else",
            "somewhere else",
            "into other channels",
        ];
        let denied = strip(
            tokens,
            &["never", "don't", "do not", "dont", "you must not", "please don't", "please never"],
        )?;
        let places = self.sources(strip_end(strip(denied, REPEATING)?, ELSEWHERE)?)?;
        let elsewhere = Test::Place { side: Side::Object, places: places.clone(), inside: false };
        let doings = vec![Doing::Deed(Deed::Writes)];
        Some(vec![(
            Verdict::Deny,
            Case { doings, tests: vec![elsewhere, Test::Carries(places)], ..Case::default() },
        )])
    }

    fn carried_to(&self, ban: &Ban<'_>) -> Option<Rules> {
        let sources = self.sources(ban.what)?;
        let Spot::Named(place) = ban.place else { return None };
        self.brought(&sources, place)
    }

    /// "Nothing from the payroll page goes to Slack."
    fn nothing_carried(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(
            tokens,
            &[
                "nothing",
                "no data",
                "no information",
                "no content",
                "none of what is",
                "nothing that is",
                "nothing that's",
                "nothing you read",
                "nothing you find",
                "nothing written",
            ],
        )?;
        let (source, _, place) = around(rest, GETTING)?;
        let source = strip(source, BETWEEN)?;
        let sources = self.located(source)?;
        self.brought(
            &sources,
            strip(place, &["into", "to", "in", "on", "onto", "via", "by", "through", "with"])?,
        )
    }

    fn brought(&self, sources: &[Place], place: &[Token]) -> Option<Rules> {
        let mut rules = Rules::new();
        for item in items(place) {
            let item = strip(item, &["into", "to", "in", "on", "onto", "via", "by"]).unwrap_or(item);
            let (doings, mut tests, names) = self.text_place(item)?;
            if !names.is_empty() {
                return None;
            }
            tests.push(Test::Carries(sources.to_vec()));
            rules.push((Verdict::Deny, Case { doings, tests, ..Case::default() }));
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// Where data comes from that words speak of.
    fn sources(&self, tokens: &[Token]) -> Option<Vec<Place>> {
        let rest = strip(tokens, DATA)?;
        self.located(strip(rest, BETWEEN)?)
    }

    /// The places that words name; any page where a page is meant that is named by its title alone.
    fn located(&self, tokens: &[Token]) -> Option<Vec<Place>> {
        let has_id = tokens.iter().any(|token| token.text.chars().any(|letter| letter.is_ascii_digit()));
        let is_page = strip_end(bare(tokens), PAGES).is_some_and(|front| front.len() < 4) && !has_id;
        if is_page && self.hand.has_tool_word("page") {
            return Some(vec![Place::Kind("note".to_owned())]);
        }
        let places = self.named_places(tokens)?;
        let is_certain =
            |place: &Place| !matches!(place, Place::Word(_) | Place::HostLike(_) | Place::Kind(_));
        places.iter().all(is_certain).then_some(places)
    }
}
