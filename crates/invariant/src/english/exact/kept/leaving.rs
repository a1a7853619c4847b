//! Data that must not get somewhere: "nothing under patients/ leaves this machine", "no staff data in Slack", "what is on the
//! board page must not be mailed". What is told of it stands in whatever order; where it comes from is followed.

use crate::english::exact::Exact;
use crate::english::exact::told::bag::{Bag, bag, is_word_of};
use crate::english::exact::words::{bracketed, stems, strip};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const DENYING: &[&str] = &["nothing", "never", "not", "no", "none", "nobody", "don't", "dont"];

/// What people call data of a kind, behind the noun or in front of it.
const DATA: &[&str] =
    &["data", "records", "record", "details", "information", "info", "entries", "files", "lists"];

/// Nouns that say how data is, and not what it is about.
const KINDS: &[&str] = &[
    "confidential",
    "sensitive",
    "secret",
    "private",
    "personal",
    "internal",
    "customer",
    "raw",
    "test",
    "real",
    "such",
    "production",
    "live",
    "public",
    "external",
    "company",
    "own",
    "more",
    "other",
    "new",
    "old",
    "log",
];

/// Where data comes from, and how many words say so.
struct Source {
    places: Vec<Place>,
    /// What is left of the clause.
    rest: Vec<Token>,
    /// Whether these are named as data, so that where they must not be is enough.
    is_data: bool,
}

impl Exact<'_> {
    /// A ban on data getting out, or somewhere.
    pub(in crate::english::exact) fn leaving(&self, tokens: &[Token]) -> Option<Rules> {
        // "Keep out of old/: …" is about what the agent does, not about where data goes.
        let is_about_agent =
            strip(tokens, &["keep out", "stay out", "keep away", "stay away", "keep off", "stay off"]);
        let is_several = tokens.iter().any(|token| token.shape == Shape::Mark(':'));
        if tokens.len() < 3 || tokens.len() > 24 || is_about_agent.is_some() || is_several {
            return None;
        }
        let source = self.source(tokens)?;
        let server = |token: &Token| token.shape == Shape::Word && self.named_server(token).is_some();
        let bag = bag(&source.rest, "leaving", &server)?;
        if bag.anchors.len() > 1 || !is_kept_in(&bag, source.is_data) {
            return None;
        }
        let (doings, target) = self.target(&bag)?;
        let mut tests = vec![Test::Carries(source.places)];
        tests.extend(target);
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// Where it must not get: by mail, to a server, or anywhere on the network.
    fn target(&self, bag: &Bag<'_>) -> Option<(Vec<Doing>, Option<Test>)> {
        const MAIL: &[&str] =
            &["mail", "mails", "mailed", "email", "emails", "emailed", "e-mail", "e-mailed", "mailing"];
        let sends = vec![Doing::Deed(Deed::Sends)];
        if let Some(server) = bag.anchors.first().and_then(|token| self.named_server(token)) {
            return Some((sends, Some(Test::Tool { names: vec![server], is: true })));
        }
        if bag.has(MAIL) && !bag.has(&["anywhere", "leave", "leaves"]) {
            return Some((sends, Some(Test::Did { actions: vec!["mail".to_owned()], is: true })));
        }
        if bag.has(&["chat", "channel", "channels", "post", "posted", "message", "messages"])
            && !bag.has(&["sent", "mail"])
        {
            return Some((sends, Some(Test::Did { actions: vec!["post".to_owned()], is: true })));
        }
        let away = Test::Place { side: Side::To, places: vec![Place::Network], inside: true };
        Some((sends, Some(away)))
    }

    /// The server that a word names.
    pub(in crate::english::exact) fn named_server(&self, token: &Token) -> Option<String> {
        if is_word_of("leaving", &token.low) && !token.is_capital() {
            return None;
        }
        self.hand
            .has_server(&token.low)
            .then(|| token.low.clone())
            .or_else(|| self.hand.server_like(&token.low).filter(|_| token.is_capital()))
    }

    /// Where the data comes from that a clause speaks of.
    fn source(&self, tokens: &[Token]) -> Option<Source> {
        self.folder_source(tokens)
            .or_else(|| self.label_source(tokens))
            .or_else(|| self.page_source(tokens))
            .or_else(|| self.data_source(tokens))
    }

    /// "nothing under records/".
    fn folder_source(&self, tokens: &[Token]) -> Option<Source> {
        let mut paths = tokens.iter().filter(|token| token.shape == Shape::Path);
        let path = paths.next().filter(|_| paths.next().is_none())?;
        // `acme/reports` is a repository where there are some.
        let is_repository = self.hand.has_parameter("repo")
            && path.text.split('/').filter(|part| !part.is_empty()).count() == 2
            && !path.text.starts_with('/')
            && !path.text.ends_with('/')
            && !path.text.contains('.');
        let places = match is_repository {
            true => vec![Place::Id(path.text.clone())],
            false => crate::english::noun::path_places(&path.text, self.hand),
        };
        let rest = tokens.iter().filter(|token| token.shape != Shape::Path).cloned().collect();
        (!places.is_empty()).then_some(Source { places, rest, is_data: false })
    }

    /// "What the clinic writes (label:clinic)", "mails labelled lawyer".
    fn label_source(&self, tokens: &[Token]) -> Option<Source> {
        let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
        let at = (0..tokens.len()).find(|at| {
            matches!(low(*at), "label" | "labelled" | "labeled" | "tagged") || low(*at).starts_with("label:")
        })?;
        let (name, end) = match low(at).strip_prefix("label:").filter(|name| !name.is_empty()) {
            Some(name) => (name.to_owned(), at + 1),
            None => {
                let next = at + 1 + usize::from(matches!(low(at + 1), ":" | "as" | "called" | "named"));
                let token = tokens
                    .get(next)
                    .filter(|token| matches!(token.shape, Shape::Word | Shape::Quoted | Shape::Identifier))?;
                (token.low.clone(), next + 1)
            }
        };
        if !self.hand.has_tool_word("email") && !self.hand.has_tool_word("mail") {
            return None;
        }
        // "what the clinic writes": the words in front say the same as the label.
        let is_label = |token: &Token| token.low == name;
        let rest = tokens
            .iter()
            .enumerate()
            .filter(|(place, token)| !(at..end).contains(place) && !is_label(token))
            .map(|(_, token)| token.clone())
            .collect();
        Some(Source { places: vec![Place::Word(name)], rest, is_data: false })
    }

    /// "What is on the board page", with its id or as one of those that are marked sensitive.
    fn page_source(&self, tokens: &[Token]) -> Option<Source> {
        let is_page =
            |token: &Token| matches!(token.low.as_str(), "page" | "pages" | "note" | "document" | "doc");
        let at = tokens.iter().position(is_page)?;
        let behind = tokens.get(at + 1..)?;
        let id = match behind {
            [open, id, close, ..] if open.shape == Shape::Mark('(') && close.shape == Shape::Mark(')') => {
                Some(id)
            }
            _ => None,
        };
        let front = tokens.get(..at)?;
        let is_known =
            |token: &Token| is_word_of("leaving", &token.low) || matches!(token.shape, Shape::Mark(_));
        // The words between "the" and "page" say which.
        let named = front.iter().rev().take_while(|token| !is_known(token)).count();
        if named == 0 || named > 2 {
            return None;
        }
        let marked = self.hand.layout.sensitive.iter().filter_map(|name| name.strip_prefix("notion:"));
        let places: Vec<Place> = match id {
            Some(id) => vec![Place::Id(id.text.clone())],
            None => marked.map(|id| Place::Id(id.to_owned())).collect(),
        };
        let skip = if id.is_some() { 3 } else { 0 };
        let rest = front.iter().take(at - named).chain(behind.iter().skip(skip)).cloned().collect();
        (!places.is_empty()).then_some(Source { places, rest, is_data: false })
    }

    /// "staff data", "data about patients": what is called so.
    fn data_source(&self, tokens: &[Token]) -> Option<Source> {
        let is_noun = |token: &Token| {
            token.shape == Shape::Word
                && !is_word_of("leaving", &token.low)
                && !KINDS.contains(&token.low.as_str())
                && self.named_server(token).is_none()
        };
        let mut nouns = tokens.iter().enumerate().filter(|(_, token)| is_noun(token));
        let (at, noun) = nouns.next()?;
        // "patient records": one of the words says that it is data.
        let next = tokens.get(at + 1);
        let is_data = next.is_some_and(|next| DATA.contains(&next.low.as_str()));
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_about = before
            .is_some_and(|before| matches!(before.low.as_str(), "about" | "on" | "of" | "from"))
            && tokens.iter().any(|token| {
                DATA.contains(&token.low.as_str()) || matches!(token.low.as_str(), "nothing" | "anything")
            });
        let more = nouns.any(|(other, token)| other != at + 1 || !DATA.contains(&token.low.as_str()));
        if !(is_data || is_about) || more || bracketed(tokens).is_some() {
            return None;
        }
        let word = stems(std::slice::from_ref(noun)).join(" ");
        let is_kept = |name: &String| crate::names::words(name).contains(&word);
        let is_known =
            self.has_sql() || self.hand.layout.sensitive.iter().any(is_kept) || self.hand.has_local_files();
        let rest = tokens
            .iter()
            .enumerate()
            .filter(|(place, token)| {
                *place != at && !(*place == at + 1 && DATA.contains(&token.low.as_str()))
            })
            .map(|(_, token)| token.clone())
            .collect();
        is_known.then_some(Source { places: vec![Place::Word(word)], rest, is_data: true })
    }
}

/// Words for what gets out.
const GOING: &[&str] = &[
    "leaves",
    "out",
    "sent",
    "send",
    "sends",
    "mail",
    "mails",
    "mailed",
    "email",
    "emails",
    "emailed",
    "e-mailed",
    "posted",
    "post",
    "upload",
    "uploaded",
    "share",
    "shared",
    "forward",
    "forwarded",
    "pass",
    "passed",
    "publish",
    "published",
    "disclosed",
    "disclose",
    "quoted",
    "quote",
    "attach",
    "attached",
    "give",
    "given",
    "hand",
    "handed",
];

/// Where it stays.
const HERE: &[&str] = &[
    "machine",
    "laptop",
    "computer",
    "pc",
    "mac",
    "box",
    "disk",
    "device",
    "workstation",
    "here",
    "local",
    "locally",
    "us",
    "house",
];

/// Whether a clause says that something must not get out, or somewhere.
fn is_kept_in(bag: &Bag<'_>, is_data: bool) -> bool {
    let denies = bag.has(DENYING);
    let stays = bag.has(&["stay", "stays", "keep", "kept", "remain", "remains", "belongs", "belong"]);
    let is_here = bag.has(HERE);
    let is_out = bag.says("out of") || bag.says("off");
    // "keep it out of Slack"
    if stays && is_out && !bag.anchors.is_empty() {
        return true;
    }
    if stays && is_here && !is_out {
        return true;
    }
    // "never leave files in inbox/" is about something else.
    let leaves = bag.has(&["leave"]) && (is_here || bag.has(&["company", "network", "nothing"]));
    (denies && (bag.has(GOING) || leaves))
        || (denies && is_data && (!bag.anchors.is_empty() || bag.has(&["place", "business"])))
}
