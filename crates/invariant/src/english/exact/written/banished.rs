//! What must not be written somewhere, in any order of words: "the name Kestrel is internal, not a word of it on GitHub",
//! "client names (Halvorsen, Petitjean) don't belong in anything under public/".

mod phrases;

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, bracketed, items, strip, strip_end, text};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Saying, Side, Test, Verdict};
use phrases::{BANISHED, DESCRIBING, FRONT, HEADS, IN, NEVER, NOT_A_WORD, SECRET, STANDING, WRITING};

type Rules = Vec<(Verdict, Case)>;

/// Words that stand for a name before.
const STANDING_FOR: &[&str] = &[
    "it",
    "them",
    "they",
    "the name",
    "that name",
    "this name",
    "the word",
    "that word",
    "this word",
    "the names",
    "these names",
    "those names",
    "the words",
    "that",
    "this",
    "either",
    "both",
];

/// What is written in folders.
const FILES: &[&str] = &[
    "anything",
    "files",
    "file",
    "any file",
    "a file",
    "everything",
    "what is",
    "documents",
    "document",
    "pages",
    "texts",
    "text",
    "whatever is",
    "what lies",
    "content",
    "the files",
    "something",
];

/// What is written on servers.
const WRITTEN: &[&str] = &[
    "issue",
    "issues",
    "comment",
    "comments",
    "pull",
    "request",
    "requests",
    "pr",
    "prs",
    "message",
    "messages",
    "page",
    "pages",
    "post",
    "posts",
    "text",
    "texts",
    "repo",
    "repository",
    "repositories",
    "channel",
    "channels",
    "mail",
    "mails",
    "email",
    "emails",
    "event",
    "events",
    "entry",
    "entries",
    "ticket",
    "tickets",
    "any",
    "a",
    "the",
    "our",
    "or",
    "and",
    "on",
    "in",
    "anything",
    "you",
    "write",
    "there",
    "public",
    "note",
    "notes",
    "card",
    "cards",
    "task",
    "tasks",
    "discussion",
    "discussions",
    "workspace",
];

impl Exact<'_> {
    /// A ban on names and other things in what is written somewhere.
    pub(in crate::english::exact) fn not_a_word(&self, tokens: &[Token]) -> Option<Rules> {
        self.secret_name(tokens)
            .or_else(|| self.banished(tokens))
            .or_else(|| self.kept_out(tokens))
            .or_else(|| self.not_written(tokens))
            .or_else(|| self.in_nothing(tokens))
    }

    /// "The name Kestrel is internal, not a word of it on GitHub."
    pub(in crate::english::exact) fn secret_name(&self, tokens: &[Token]) -> Option<Rules> {
        let (named, _, rest) = around(tokens, SECRET)?;
        self.named_words(named)?;
        let rest = strip(rest, &[", so", ": so", ", and", ".", ",", ":", ";", "and", "so", "-"])?;
        if let Some(place) =
            strip(rest, &["not", "never", "nothing", "not even", "no"]).and_then(|rest| strip(rest, IN))
        {
            return self.words_in(named, place);
        }
        let at = (0..rest.len())
            .find(|at| rest.get(*at..).is_some_and(|rest| strip(rest, STANDING_FOR).is_some()))?;
        let behind = strip(rest.get(at..)?, STANDING_FOR)?;
        let plain = [rest.get(..at)?, named, behind].concat();
        self.banished(&plain).or_else(|| self.kept_out(&plain)).or_else(|| self.not_written(&plain))
    }

    /// "Client names (…) must not appear in public/."
    fn banished(&self, tokens: &[Token]) -> Option<Rules> {
        (1..tokens.len()).find_map(|at| {
            let (named, rest) = (tokens.get(..at)?, tokens.get(at..)?);
            // "appears in no mail", "goes neither into mails nor into Notion"
            if let Some(place) = strip(rest, STANDING).and_then(|rest| {
                strip(rest, &["neither"])
                    .and_then(|rest| strip(rest, IN))
                    .or_else(|| strip(strip(rest, IN)?, &["no", "not a single", "none of"]))
            }) {
                return self.words_in(named, place);
            }
            let rest = match strip(rest, BANISHED) {
                Some(rest) => rest,
                None => {
                    let rest = strip(rest, NEVER)?;
                    let rest = strip(rest, &["ever"]).unwrap_or(rest);
                    strip(rest, STANDING).unwrap_or(rest)
                }
            };
            let place = strip(rest, IN)?;
            let place = strip(place, &["of"]).unwrap_or(place);
            self.words_in(named, place)
        })
    }

    /// "Keep the name Kestrel out of mails."
    fn kept_out(&self, tokens: &[Token]) -> Option<Rules> {
        let rest =
            strip(tokens, &["keep", "leave", "always keep", "hold", "please keep", "make sure to keep"])?;
        let (named, _, place) = around(rest, &["out of", "off", "away from", "from"])?;
        self.words_in(named, place)
    }

    /// "Never mention Kestrel on GitHub", "no mention of Kestrel in mails".
    fn not_written(&self, tokens: &[Token]) -> Option<Rules> {
        let said = strip(tokens, NOT_A_WORD);
        let written = || strip(tokens, FRONT).and_then(|rest| strip(rest, WRITING));
        let rest = said.or_else(written)?;
        let rest = strip(rest, &["about", "of"]).unwrap_or(rest);
        (1..rest.len()).rev().find_map(|at| {
            let (named, behind) = (rest.get(..at)?, rest.get(at..)?);
            let behind =
                strip(behind, &["goes", "is", "gets", "may be", "belongs", "leaks", "ends up", "goes out"])
                    .unwrap_or(behind);
            self.words_in(named, strip(behind, IN)?)
        })
    }

    /// What must not be in what is written at a place.
    fn words_in(&self, named: &[Token], place: &[Token]) -> Option<Rules> {
        let named = strip_end(named, &[","]).unwrap_or(named);
        let sayings = self.named_words(named).or_else(|| self.sayings(owned(named)))?;
        let whole = self.written_at(place).map(|found| vec![found]);
        // "in any mail or Slack message", "neither into mails nor into Notion"
        let each = || -> Option<Vec<(Vec<Doing>, Vec<Test>)>> {
            let one = |item: &[Token]| self.written_at(strip(item, IN).unwrap_or(item));
            items(place).into_iter().map(one).collect()
        };
        let places = whole.or_else(each)?;
        let case = |(doings, mut tests): (Vec<Doing>, Vec<Test>)| {
            tests.push(Test::Says { what: sayings.clone(), parameter: None, is: true });
            (Verdict::Deny, Case { doings, tests, ..Case::default() })
        };
        Some(places.into_iter().map(case).collect())
    }

    /// "The word Kurzarbeit appears in nothing you send."
    fn in_nothing(&self, tokens: &[Token]) -> Option<Rules> {
        let (front, _, behind) =
            around(tokens, &["in nothing", "into nothing", "nowhere in anything", "in none of what"])?;
        strip(
            behind,
            &[
                "you send",
                "you write",
                "you post",
                "you publish",
                "you send or write",
                "you send or schedule",
                "you say",
                "you send out",
                "that you send",
                "that you write",
                "that leaves this machine",
                "you produce",
                "you make",
            ],
        )
        .filter(|rest| rest.is_empty())?;
        let named = strip_end(front, STANDING)?;
        let tests = vec![Test::Says { what: self.named_words(named)?, parameter: None, is: true }];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
        )])
    }

    /// Names that stand for themselves: behind a word for them, in brackets, or in capitals that no word has.
    fn named_words(&self, tokens: &[Token]) -> Option<Vec<Saying>> {
        let tokens = bare(tokens);
        let is_head = |token: &Token| HEADS.contains(&token.low.as_str());
        if let Some((front, inner)) = bracketed(tokens) {
            let is_described = front.iter().all(|token| {
                token.shape == Shape::Word && (is_head(token) || DESCRIBING.contains(&token.low.as_str()))
            });
            return (is_described && front.iter().any(is_head)).then(|| self.plain_names(inner)).flatten();
        }
        let led = tokens.iter().position(|token| {
            !(is_head(token) || DESCRIBING.contains(&token.low.as_str())) || token.shape == Shape::Quoted
        })?;
        let (front, names) = (tokens.get(..led)?, tokens.get(led..)?);
        let is_named = front.iter().any(is_head);
        let is_name = |token: &Token| {
            matches!(token.shape, Shape::Quoted | Shape::Identifier)
                || (token.shape == Shape::Number && is_named)
                || (token.is_capital() && token.shape == Shape::Word && self.named_server(token).is_none())
                || matches!(token.low.as_str(), "and" | "or" | ",")
        };
        if names.is_empty() || crate::english::when::read(names, self.year).is_some() {
            return None;
        }
        let is_unknown =
            |token: &Token| !self.lexicon.knows(token) || token.low == "and" || token.low == "or";
        let all = names.iter().all(is_name) && (is_named || names.iter().all(is_unknown));
        all.then(|| self.plain_names(names)).flatten()
    }

    fn plain_names(&self, tokens: &[Token]) -> Option<Vec<Saying>> {
        let tokens =
            strip(tokens, &["such as", "like", "e.g", "for example", "namely", "i.e"]).unwrap_or(tokens);
        let one = |item: &[Token]| {
            let is_plain = |token: &Token| {
                matches!(
                    token.shape,
                    Shape::Word | Shape::Quoted | Shape::Identifier | Shape::Host | Shape::Number
                )
            };
            let is_name = !item.is_empty() && item.len() < 5 && item.iter().all(is_plain);
            is_name.then(|| Saying::Words(text(item)))
        };
        let names: Option<Vec<Saying>> = items(tokens).into_iter().map(one).collect();
        names.filter(|names| !names.is_empty())
    }

    /// Where something is written: a folder, a server, or what texts are written to.
    pub(in crate::english::exact) fn written_at(&self, tokens: &[Token]) -> Option<(Vec<Doing>, Vec<Test>)> {
        let tokens = bare(tokens);
        // What is typed into a page is read elsewhere.
        if tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "form" | "forms" | "website" | "websites" | "field"))
        {
            return None;
        }
        if let Some((doings, tests, names)) = self.text_place(tokens)
            && names.is_empty()
        {
            // What is looked for nearby is looked for on the web, too.
            let is_search = matches!(doings.as_slice(), [Doing::Did(action)] if action == "web search");
            let has_local = self.hand.has_tool_about(&["local".to_owned(), "search".to_owned()]);
            let local = (is_search && has_local).then(|| Doing::Did("local".to_owned()));
            return Some((doings.into_iter().chain(local).collect(), tests));
        }
        let writes = vec![Doing::Deed(Deed::Writes)];
        let inner = strip(tokens, FILES).map_or(tokens, bare);
        let inner = strip(inner, &["in", "under", "below", "inside", "within", "that is in", "of", "from"])
            .unwrap_or(inner);
        let inner = strip(bare(inner), &["folder", "directory"]).unwrap_or(bare(inner));
        let inner = strip_end(inner, &["folder", "directory"]).unwrap_or(inner);
        let paths: Option<Vec<Vec<Place>>> = items(inner)
            .into_iter()
            .map(|item| match bare(item) {
                [one] if one.shape == Shape::Path => {
                    Some(crate::english::noun::path_places(&one.text, self.hand))
                }
                _ => None,
            })
            .collect();
        if let Some(places) = paths.map(|paths| paths.concat()).filter(|places| !places.is_empty()) {
            return Some((writes, vec![Test::Place { side: Side::Object, places, inside: true }]));
        }
        // "GitHub issues", "a Slack message": whatever is written there.
        let mut servers = tokens.iter().filter_map(|token| self.named_server(token));
        let server = servers.next().filter(|_| servers.next().is_none())?;
        let is_light =
            |token: &Token| WRITTEN.contains(&token.low.as_str()) || self.named_server(token).is_some();
        tokens.iter().all(is_light).then(|| (writes, vec![Test::Tool { names: vec![server], is: true }]))
    }
}

/// "our customers' phone numbers" as "phone numbers": whose they are, no text shows.
fn owned(tokens: &[Token]) -> &[Token] {
    let mut rest = bare(tokens);
    while let Some((first, behind)) = rest.split_first() {
        let is_owner = first.low.ends_with("'s") || first.low.ends_with("s'") || first.low == "'";
        if !is_owner || behind.is_empty() {
            break;
        }
        rest = bare(behind);
    }
    rest
}
