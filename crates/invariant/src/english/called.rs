//! What the user calls things that have ids: from the settings of the session, or from the request that an agent works on
//! ("our inbox page is 2ac95e70-…"). A rule that speaks of "the inbox page" means that one.

use std::collections::BTreeMap;

use super::token::{Shape, Token, tokens};

/// What things are. A name does not need it: "the roadmap page" is the roadmap.
const SORTS: &[&str] = &[
    "page", "pages", "database", "channel", "calendar", "doc", "document", "file", "board", "list", "sheet",
    "project", "folder", "label", "id",
];

/// Words between a name and its id.
const LINKS: &[&str] = &[
    "is", "are", "was", "has", "have", "at", "under", "in", "on", "lives", "live", "sits", "sit", "stands",
    "stand", "lies", "lie", "belongs", "belong", "goes", "go", "to", "with", "the", "id", "ids", "page",
    "called", "named", "being", "address", "found",
];

/// Words in front of which no name goes on.
const STOPS: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "his", "her", "their", "this", "that", "these", "those", "and",
    "or", "of", "in", "on", "to", "from", "with", "for", "at", "into", "against", "about", "under", "below",
    "by", "is", "are", "if", "it", "them", "they", "there", "here", "we", "you", "i", "he", "she", "please",
    "then", "me", "us", "both", "all", "use", "see", "check", "read", "update", "ask", "mail", "tell",
    "write", "post", "invite", "send", "fill", "move", "copy", "put", "add",
];

/// The longest name, in words.
const LONGEST: usize = 4;

/// What a request calls things, with their ids: "Roadmap is 41c5ea90-…, wishes are f08d3b6a-…".
pub fn named_in(request: &str) -> BTreeMap<String, String> {
    named_among([request])
}

/// The same in several texts, such as the rules of a session: what one of them explains, the others may use.
pub fn named_among<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for text in texts {
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            let before = tokens.get(..at).unwrap_or_default();
            let Some(name) = is_known_by(token).then(|| name_before(before)).flatten() else { continue };
            // What has two ids is no name for either.
            let is_other = |known: &String| *known != token.text;
            match names.get(&name).is_some_and(is_other) {
                true => drop(names.insert(name, String::new())),
                false => drop(names.insert(name, token.text.clone())),
            }
        }
    }
    names.retain(|_, id| !id.is_empty());
    names
}

/// Whether something is known by this: an id or somebody's address.
fn is_known_by(token: &Token) -> bool {
    let has_digit = token.text.chars().any(|letter| letter.is_ascii_digit());
    match token.shape {
        Shape::Address => true,
        Shape::Identifier | Shape::Word => has_digit && token.text.len() > 7,
        _ => false,
    }
}

/// The name that stands in front of an id.
fn name_before(before: &[Token]) -> Option<String> {
    let is_link =
        |token: &Token| matches!(token.shape, Shape::Mark('(' | ':')) || LINKS.contains(&token.low.as_str());
    let links = before.iter().rev().take_while(|token| is_link(token)).count();
    let said = before.get(..before.len() - links).filter(|_| links > 0)?;
    let is_part = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Channel) && !STOPS.contains(&token.low.as_str())
    };
    let length = said.iter().rev().take(LONGEST).take_while(is_part).count();
    let words: Vec<&str> = said.get(said.len() - length..)?.iter().map(|token| token.low.as_str()).collect();
    plain(&words)
}

/// A name as rules may say it: "The Roadmap page" is the roadmap. None where nothing is left.
pub fn plain_name(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split_whitespace().filter(|word| !STOPS.contains(word)).collect();
    plain(&words)
}

/// Words without what they say the thing is.
fn plain(words: &[&str]) -> Option<String> {
    let words = match words {
        [rest @ .., last] if SORTS.contains(last) => rest,
        words => words,
    };
    (!words.is_empty()).then(|| words.join(" "))
}

/// The words with the id behind each thing that is called by its name.
pub(super) fn told(tokens: Vec<Token>, names: &BTreeMap<String, String>) -> Vec<Token> {
    // Who says the id means that by the name.
    let is_said = |id: &String| tokens.iter().any(|token| token.text == *id);
    let mut known: Vec<(Vec<String>, &String)> = names
        .iter()
        .filter(|(_, id)| !is_said(id))
        .filter_map(|(name, id)| Some((plain_name(name)?.split(' ').map(str::to_owned).collect(), id)))
        .collect();
    known.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    if known.is_empty() {
        return tokens;
    }
    let mut told = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        let before = tokens.get(..at).unwrap_or_default();
        let found = known.iter().find_map(|(words, id)| Some((mention(words, before, rest)?, *id)));
        let Some((length, id)) = found else {
            told.extend(rest.first().cloned());
            at += 1;
            continue;
        };
        told.extend(rest.iter().take(length).cloned());
        let place = told.last().map_or(0, |token: &Token| token.at + token.text.len());
        let mark = |text: &str, shape: Shape| Token {
            text: text.to_owned(),
            low: text.to_lowercase(),
            shape,
            at: place,
        };
        told.push(mark("(", Shape::Mark('(')));
        told.extend(super::token::tokens(id).into_iter().map(|token| Token { at: place, ..token }));
        told.push(mark(")", Shape::Mark(')')));
        at += length;
    }
    told
}

/// How many tokens mention the thing of a name here. A name of one word is only meant where it is one: "the archive",
/// "archive page"; "archive nothing" is something to do.
fn mention(words: &[String], before: &[Token], rest: &[Token]) -> Option<usize> {
    let named = rest.get(..words.len())?;
    let is_it = |(token, word): (&Token, &String)| {
        matches!(token.shape, Shape::Word | Shape::Channel) && token.low == *word
    };
    if !named.iter().zip(words).all(is_it) {
        return None;
    }
    let is_sort = |token: &&Token| SORTS.contains(&token.low.as_str());
    let length = words.len() + usize::from(rest.get(words.len()).filter(is_sort).is_some());
    // Its id is said.
    if rest.get(length).is_some_and(|next| next.shape == Shape::Mark('(')) {
        return None;
    }
    let is_article = |token: &Token| matches!(token.low.as_str(), "the" | "our" | "my" | "this" | "that");
    let is_name = |token: &Token| token.is_capital() && !before.is_empty();
    let is_meant = length > 1
        || before.last().is_some_and(is_article)
        || named.iter().any(|token| token.shape == Shape::Channel || is_name(token));
    is_meant.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(request: &str, rule: &str) -> String {
        let told = told(tokens(rule), &named_in(request));
        told.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_request_says_what_is_what() {
        let request = "Feed the wishes into our planning. Roadmap is 41c5ea90-7d2f-4e63-b5f8-3a0c6d9e2b17, meeting notes live under \
                       e2a9470b-1c5d-4f68-93be-70d1c8a6f254. Ask Lenz (lenz@saw.example) and use the archive page (C0ARCH1234).";
        let names = named_in(request);
        let names: Vec<(&str, &str)> = names.iter().map(|(name, id)| (name.as_str(), id.as_str())).collect();
        assert_eq!(
            names,
            [
                ("archive", "C0ARCH1234"),
                ("lenz", "lenz@saw.example"),
                ("meeting notes", "e2a9470b-1c5d-4f68-93be-70d1c8a6f254"),
                ("roadmap", "41c5ea90-7d2f-4e63-b5f8-3a0c6d9e2b17"),
            ]
        );
    }

    #[test]
    fn what_one_rule_explains_others_may_use() {
        let names =
            named_among(["Post in #deliveries (C0DELIV22) only", "Ask before you write in #deliveries"]);
        let told = told(tokens("Ask before you write in #deliveries"), &names);
        let words: Vec<&str> = told.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(words.join(" "), "Ask before you write in #deliveries ( C0DELIV22 )");
        let two = ["the log (C0AAAAAA11) stays", "the log (C0BBBBBB22) stays"];
        assert!(named_among(two).is_empty(), "two things of one name");
    }

    #[test]
    fn a_rule_means_what_was_named() {
        let request = "The archive is C0ARCH1234, tell Lenz (lenz@saw.example)";
        for (rule, told) in [
            ("Never write in the archive", "Never write in the archive ( C0ARCH1234 )"),
            ("archive pages stay", "archive pages ( C0ARCH1234 ) stay"),
            ("archive nothing", "archive nothing"),
            ("the archive, C0ARCH1234, stays", "the archive , C0ARCH1234 , stays"),
            ("the archive (C0OTHER567) stays", "the archive ( C0OTHER567 ) stays"),
            ("no prices to Lenz", "no prices to Lenz ( lenz@saw.example )"),
        ] {
            assert_eq!(words(request, rule), told);
        }
    }

    #[test]
    fn what_has_two_ids_is_no_name() {
        assert!(named_in("The page is 2ac95e70-d81b, the page is e47f10a3-6b92").is_empty());
        assert!(named_in("The log is 2ac95e70-d81b, the log is e47f10a3-6b92").is_empty());
    }
}
