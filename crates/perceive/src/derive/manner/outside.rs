//! What a name and a description say beyond the deed: that the whole web is asked, that everybody gets to see it, or that
//! a secret comes out.

use super::super::definition::Definition;
use super::super::words::{singular, words};
use super::{Manner, Told};

/// Servers that keep secrets and little else.
const KEEPERS: &[&str] = &[
    "vault",
    "secrets",
    "secretsmanager",
    "keychain",
    "onepassword",
    "1password",
    "bitwarden",
    "keepass",
    "lastpass",
    "doppler",
    "infisical",
];
/// Servers that search the web and little else.
const ENGINES: &[&str] = &[
    "duckduckgo",
    "brave",
    "bing",
    "kagi",
    "serper",
    "serpapi",
    "tavily",
    "exa",
    "searxng",
    "perplexity",
    "baidu",
];
/// Servers on which what is posted is seen by everybody.
const SOCIAL: &[&str] = &[
    "twitter",
    "mastodon",
    "bluesky",
    "reddit",
    "linkedin",
    "facebook",
    "instagram",
    "tiktok",
    "threads",
    "pinterest",
    "medium",
    "hackernews",
];
/// What is posted there.
const POSTS: &[&str] =
    &["post", "tweet", "retweet", "repost", "status", "toot", "comment", "reply", "thread", "video"];
/// What is published and not made public by that: it goes to those who are subscribed, or who look at the same thing.
const NOT_PUBLIC: &[&str] = &["note", "message", "event", "comment", "review", "result"];
/// What a tool tells about secrets that is no secret.
const ABOUT_SECRETS: &[&str] = &[
    "schema",
    "type",
    "policy",
    "metadata",
    "version",
    "name",
    "status",
    "count",
    "rotation",
    "strength",
    "scan",
    "template",
    "field",
    "usage",
    "audit",
    "list",
    "health",
    "permission",
    "access",
    "log",
    "event",
];

impl Told {
    fn says(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(&word.as_str()) || list.contains(&singular(word)))
    }

    /// Whether the web is searched, which is nobody's own.
    pub(super) fn searches_web(&self, definition: &Definition, server: &str) -> bool {
        let start = first_words(&definition.description, 12);
        let of_engines = [
            "search the web",
            "search the internet",
            "web search",
            "search engine",
            "search google",
            "google search",
        ];
        let is_web = self.says(&["web", "internet", "engine", "google", "bing", "serp"])
            || of_engines.iter().any(|words| start.contains(words))
            || is_one_of(server, ENGINES);
        // What an account holds is searched with its own words: sites, mailboxes, drives.
        let is_own = self.says(&[
            "page", "place", "file", "mail", "drive", "sheet", "doc", "event", "calendar", "contact",
        ]);
        self.only_looks() && self.says(&["search"]) && is_web && !is_own
    }

    /// Whether everybody gets to see what is changed: it is published, posted, goes live, or is made public.
    pub(super) fn makes_public(&self, definition: &Definition, server: &str) -> bool {
        let changes = self.manners.iter().any(|manner| {
            matches!(manner, Manner::Change | Manner::Upload | Manner::Share | Manner::Copy | Manner::Move)
        });
        if !changes || self.says(&["draft", "unpublish"]) {
            return false;
        }
        // What is published on a channel goes to those who listen.
        let to_listeners = definition.properties.iter().any(|property| {
            let listens = |word: &String| matches!(word.as_str(), "channel" | "topic" | "queue" | "message");
            property.words.iter().any(listens)
        });
        let publishes = self.says(&["publish", "republish"]) && !self.says(NOT_PUBLIC) && !to_listeners;
        let is_posted =
            is_one_of(server, SOCIAL) && self.says(POSTS) && !self.says(&["message", "dm", "direct"]);
        let goes_live = self.words.last().is_some_and(|word| word == "live");
        let is_opened = self.says(&["public"]) && self.says(&["make", "set", "mark"]);
        let start = first_words(&definition.description, 20);
        let to_everybody =
            ["to the live site", "publicly available", "publicly accessible", "visible to everyone"];
        let is_said = to_everybody.iter().any(|words| start.contains(words));
        publishes || is_posted || goes_live || is_opened || is_said || self.gives_link()
    }

    /// Whether a link is made that opens something to whoever has it.
    pub(super) fn gives_link(&self) -> bool {
        let opens = ["public", "share", "shared", "shareable", "sharing", "presigned"];
        self.says(&["link", "url"]) && self.says(&opens) && !self.only_looks()
    }

    /// Whether what is looked at is a secret by what the tool or its server is for, and not only something about one.
    pub(super) fn reveals_secret(&self, server: &str) -> bool {
        let pairs = [
            ("api", "key"),
            ("private", "key"),
            ("connection", "string"),
            ("environment", "variable"),
            ("env", "var"),
            ("config", "var"),
        ];
        let is_pair = |two: &[String]| match two {
            [first, second] => pairs.contains(&(first.as_str(), singular(second))),
            _ => false,
        };
        let is_secret =
            self.says(&["secret", "credential", "password", "passphrase", "env", "apikey", "kubeconfig"])
                || self.words.windows(2).any(is_pair);
        let is_kept = is_one_of(server, KEEPERS) && !is_one_of(server, &["obsidian"]);
        self.manners.iter().all(|manner| matches!(manner, Manner::Look | Manner::Download))
            && (is_secret || is_kept)
            && !self.says(ABOUT_SECRETS)
    }
}

/// Whether the name of a server has one of the words.
fn is_one_of(server: &str, list: &[&str]) -> bool {
    words(server).iter().any(|word| list.contains(&word.as_str()))
}

/// The beginning of a text in lower case, so many words long.
fn first_words(text: &str, most: usize) -> String {
    let words: Vec<String> = text.split_whitespace().take(most).map(str::to_lowercase).collect();
    words.join(" ")
}
