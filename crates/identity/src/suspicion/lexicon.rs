//! Words by what they do in a sentence.

/// Words that tell the reader to do something, rather than what a tool does.
const DIRECTIVE: &[&str] = &[
    "note",
    "before",
    "first",
    "always",
    "must",
    "should",
    "please",
    "you",
    "your",
    "also",
    "whenever",
    "when",
    "important",
    "required",
    "then",
    "need",
    "ensure",
    "agent",
    "assistant",
    "model",
    "llm",
    "ai",
    "after",
    "additionally",
    "afterwards",
    "beforehand",
    "mandatory",
    "necessary",
    "every",
];

const SEND: &[&str] = &[
    "route",
    "routed",
    "routes",
    "redirect",
    "redirected",
    "addressed",
    "send",
    "sends",
    "sent",
    "post",
    "posts",
    "posted",
    "forward",
    "forwards",
    "forwarded",
    "upload",
    "uploads",
    "uploaded",
    "transmit",
    "transmits",
    "transmitted",
    "email",
    "mail",
    "submit",
    "submits",
    "submitted",
    "push",
    "copy",
    "copies",
    "copied",
    "bcc",
    "cc",
    "relay",
    "relays",
    "report",
    "reports",
    "exfiltrate",
    "leak",
    "deliver",
    "delivers",
    "delivered",
    "mirror",
    "mirrors",
    "mirrored",
    "publish",
    "share",
    "shared",
    "sync",
    "reported",
    "pushed",
    "emailed",
    "mailed",
    "sending",
    "posting",
    "forwarding",
    "uploading",
];

const READ: &[&str] = &[
    "read", "open", "cat", "load", "fetch", "access", "retrieve", "get", "dump", "collect", "gather",
    "extract", "print", "scan", "grab", "harvest", "look", "check", "find", "search", "locate", "reading",
    "run", "list",
];

const PASS: &[&str] = &[
    "echo",
    "recite",
    "dump",
    "pass",
    "include",
    "attach",
    "provide",
    "put",
    "insert",
    "append",
    "embed",
    "add",
    "supply",
    "place",
    "paste",
    "copy",
    "prepend",
    "write",
    "encode",
    "store",
    "save",
    "quote",
    "repeat",
    "summarize",
    "summarise",
    "fill",
    "passing",
    "including",
];

/// To give away what one has; unlike `put` and `save`, which also mean to keep.
const HAND: &[&str] = &[
    "echo",
    "recite",
    "dump",
    "pass",
    "include",
    "attach",
    "provide",
    "insert",
    "append",
    "embed",
    "supply",
    "paste",
    "prepend",
    "encode",
    "quote",
    "repeat",
    "summarize",
    "summarise",
    "passing",
    "including",
];

const PLACES: &[&str] = &[
    ".ssh",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "authorized_keys",
    ".aws",
    ".gnupg",
    ".netrc",
    ".pgpass",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".kube/config",
    ".docker/config.json",
    ".env",
    "/etc/passwd",
    "/etc/shadow",
    ".bash_history",
    ".zsh_history",
    "mcp.json",
    ".mcp.json",
    "claude_desktop_config.json",
    ".claude.json",
    "keychain",
    "login.keychain",
    "wallet.dat",
    "/proc/self/environ",
    ".config/gcloud",
    "cookies.sqlite",
    "credentials.json",
    ".azure",
    "secrets.yaml",
    "secrets.yml",
    ".vault-token",
];

const TELL: &[&str] = &[
    "tell", "inform", "notify", "alert", "warn", "mention", "reveal", "disclose", "inform", "confess",
    "admit",
];

const PEOPLE: &[&str] = &[
    "user",
    "users",
    "user's",
    "human",
    "humans",
    "anyone",
    "anybody",
    "person",
    "customer",
    "operator",
    "them",
    "him",
    "her",
    "owner",
    "people",
    "developer",
    "administrator",
];

const SOFT_SECRETS: &[&str] = &[
    "password",
    "passwords",
    "credential",
    "credentials",
    "secret",
    "secrets",
    "api_key",
    "token",
    "tokens",
    "cookies",
];

/// Whose secrets or which of them: without one of these words it is the tool's own parameter that is spoken of.
const WHOSE: &[&str] = &[
    "user's",
    "users",
    "any",
    "all",
    "stored",
    "saved",
    "found",
    "every",
    "known",
    "available",
    "other",
    "local",
];

const AS_WELL: &[&str] = &[
    "well",
    "also",
    "copy",
    "bcc",
    "cc",
    "every",
    "always",
    "additionally",
    "silently",
    "first",
    "before",
    "all",
    "whenever",
    "NOT",
    "each",
    "afterwards",
    "secretly",
    "must",
    "then",
    "simultaneously",
    "copies",
    "copied",
    "mirrored",
    "mirror",
    "too",
];

/// A group of words that a pattern names.
pub(super) fn group(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "directive" => DIRECTIVE,
        "send" => SEND,
        "read" => READ,
        "pass" => PASS,
        "hand" => HAND,
        "tell" => TELL,
        "people" => PEOPLE,
        "soft" => SOFT_SECRETS,
        "whose" => WHOSE,
        "aswell" => AS_WELL,
        _ => return None,
    })
}

/// Whether a word names a place that holds credentials or the settings of a host.
pub(super) fn is_place(word: &str) -> bool {
    // All of them have a dot, a slash or an underscore, save one.
    word.contains(['.', '/', '_']) && PLACES.iter().any(|place| is_at(word, place)) || word == "keychain"
}

/// Whether a place is a whole part of a path: not in the middle of a name.
fn is_at(word: &str, place: &str) -> bool {
    let bare = place.trim_start_matches('/');
    word.match_indices(bare).any(|(at, _)| {
        let before = word.get(..at).unwrap_or_default();
        (before.is_empty() || before.ends_with('/')) && ends_name(word, at + bare.len())
    })
}

fn ends_name(word: &str, at: usize) -> bool {
    word.get(at..).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', '_', '*']))
}

/// Whether a word is an address outside: of the web or of mail, and not one of those that examples use.
pub(super) fn is_address(word: &str) -> bool {
    let is_mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    let is_web =
        ["https://", "http://", "ftp://", "ws://", "wss://"].iter().any(|scheme| word.starts_with(scheme));
    (is_mail || is_web) && !is_of_examples(word)
}

fn is_of_examples(word: &str) -> bool {
    let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
    let host = host.split_once("://").map_or(host, |(_, rest)| rest);
    let host = host.split(['/', ':', '?', '#', ')']).next().unwrap_or_default();
    let ends = |name: &str| host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let reserved = ["example.com", "example.org", "example.net", "localhost"];
    reserved.into_iter().any(ends)
        || host == "127.0.0.1"
        || host.contains("your")
        || host.contains(['{', '<', '$'])
}
