//! Words that change what a sentence means and that the looser reader passes over: with one of them it would read something
//! else than what was written, so it does not read at all.

use super::words::{self, begins, strip};
use crate::english::Reading;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Test, Verdict};

const SLIGHTED: &[&str] = &[
    "each other",
    "one another",
    "rather than",
    "the following",
    "come off",
    "comes off",
    "branched off",
    "managed by",
    "maintained by",
    "handled by",
    "owned by",
    "done by",
    "set by",
    "booked by",
    "always with",
    "only ever with",
    "prefer",
    "unassigned",
    "already in there",
    "already there",
    "combined",
    "joined",
    "exactly one",
    "go through",
    "goes through",
    "keeps running",
    "closer together",
    "closed issues",
    "closed pull requests",
    "closed prs",
    "closed tickets",
    "merged pull requests",
    "merged prs",
    "locked issues",
    "of other users",
    "of other people",
    "of others",
    "by other users",
    "by other people",
    "by others",
    "you did not create",
    "you didn't create",
    "reply all",
    "reply-all",
    "reply to all",
    "replying to all",
    "symbolic links",
];

/// Where something is never done that was said before.
const ELSEWHERE: &[&str] = &[
    ", never to",
    ", never into",
    ", never under",
    ", never inside",
    ", never at",
    ", not to",
    ", not into",
    ", not under",
    ", never in",
];

/// Whose things are meant: no call shows it, except of repositories.
const OTHERS: &[&str] = &["anybody else's", "somebody else's", "anyone else's", "someone else's"];

/// The words that a looser reading would pass over.
pub(in crate::english) fn slighted(tokens: &[Token]) -> Option<String> {
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        // "write to out/, never to the root": what is never done stands before, and the looser reader does not look there.
        let before = tokens.get(..at)?;
        let rules = |token: &Token| {
            matches!(
                token.low.as_str(),
                "never" | "no" | "not" | "nothing" | "only" | "don't" | "nobody" | "must"
            )
        };
        if strip(rest, ELSEWHERE).is_some()
            && !before.iter().any(rules)
            && before.iter().any(|token| token.shape != Shape::Word)
        {
            return Some(words::text(rest.get(1..3)?));
        }
        if let Some(thing) = strip(rest, OTHERS)
            && strip(thing, &["repository", "repositories", "repo", "repos"]).is_none()
        {
            return Some(words::text(rest.get(..2)?));
        }
        SLIGHTED.iter().find(|phrase| begins(rest, phrase).is_some()).map(|phrase| (*phrase).to_owned())
    })
}

/// A word that turns a rule round, such as "outside", where nothing in what was understood is the other way round.
pub(in crate::english) fn turned_round<'c>(
    tokens: &[Token],
    cases: impl Iterator<Item = &'c Case>,
) -> Option<String> {
    const TURNING: &[&str] = &[
        "outside",
        "isn't at",
        "isn't from",
        "isn't in",
        "aren't at",
        "aren't from",
        "aren't in",
        "is not at",
        "is not from",
        "is not in",
        "are not at",
        "are not from",
        "are not in",
        "not at",
    ];
    let word = (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        let phrase = TURNING.iter().find(|phrase| begins(rest, phrase).is_some())?;
        // "anyone outside the company"
        const HOUSES: &[&str] = &[
            "company",
            "firm",
            "house",
            "organisation",
            "organization",
            "office",
            "practice",
            "school",
            "club",
            "department",
            "institute",
            "university",
        ];
        let behind = rest.get(begins(rest, phrase)?..)?;
        let is_house = words::strip(behind, &["the", "our", "my", "this"])
            .and_then(<[Token]>::first)
            .is_some_and(|next| HOUSES.contains(&next.low.as_str()));
        if is_house {
            return Some(phrase);
        }
        // "People outside cannot open them": nothing is named that it would be outside of.
        let named = rest.get(begins(rest, phrase)?..)?.iter().take(4);
        named.into_iter().any(|token| !matches!(token.shape, Shape::Word | Shape::Mark(_))).then_some(phrase)
    })?;
    let mut cases = cases;
    (!cases.any(is_otherwise)).then(|| (*word).to_owned())
}

/// Whether something in a case is the other way round: what is not there, who is not from here.
pub(super) fn is_otherwise(case: &Case) -> bool {
    const OTHERWISE: &[&str] = &[
        "inside: false",
        "is: false",
        "External",
        "Missing",
        "Other",
        "Company",
        "TopLevel",
        "unless: [[",
        "outside",
        "not to",
    ];
    let text = format!("{case:?}");
    OTHERWISE.iter().any(|sign| text.contains(sign))
}

/// Whether rules lack what such a word means.
pub(in crate::english) fn is_turned(tokens: &[Token], rules: &[(Verdict, Case)]) -> bool {
    turned_round(tokens, rules.iter().map(|(_, case)| case)).is_some()
}

/// What is said to stay as it is, where the rule is about everything: the thing itself was passed over.
pub(in crate::english) fn unmeant(tokens: &[Token], reading: &Reading) -> Option<String> {
    const ALL: &[&str] =
        &["this", "it", "everything", "anything", "all", "nothing", "that", "you", "session", "access"];
    let is_all = |case: &Case| {
        case.tests.is_empty() && case.unless.is_empty() && case.doings == [Doing::Deed(Deed::Changes)]
    };
    let mut cases = reading.meanings.iter().flat_map(|meaning| &meaning.cases);
    let at = tokens.iter().position(|token| matches!(token.low.as_str(), "is" | "are"))?;
    match tokens.get(..at)? {
        [thing] if thing.shape == Shape::Word && !ALL.contains(&thing.low.as_str()) && cases.any(is_all) => {
            Some(thing.text.clone())
        }
        _ => None,
    }
}

/// Something that stands for itself, such as a path or an address, and that neither the rules nor the reasons have.
pub(in crate::english) fn uncovered(
    tokens: &[Token],
    reading: &Reading,
    exact: &super::Exact<'_>,
) -> Option<String> {
    let hand = exact.hand;
    let mut meant = format!("{:?}", reading.meanings).to_lowercase();
    meant.extend(reading.unused.iter().chain(&reading.left_out).map(|text| text.to_lowercase()));
    let is_meant = |token: &Token| {
        let low = token.low.trim_matches(|letter: char| !letter.is_alphanumeric());
        let apart = crate::names::words(&token.text).join(" ");
        let mut parts = low.split('/').filter(|part| part.len() > 1);
        low.is_empty()
            || meant.contains(low)
            || meant.contains(&apart)
            || parts.any(|part| meant.contains(part))
    };
    // "… change nothing" about everything, where a place was named before.
    let rules = format!("{:?}", reading.meanings).to_lowercase();
    let is_broad = |case: &Case| {
        case.tests.is_empty() && case.doings.iter().all(|doing| matches!(doing, Doing::Deed(_)))
    };
    let has_broad = reading.meanings.iter().flat_map(|meaning| &meaning.cases).any(is_broad);
    let denied = |at: usize| {
        tokens
            .iter()
            .skip(at)
            .any(|token| matches!(token.low.as_str(), "nothing" | "no") && token.shape == Shape::Word)
    };
    let is_meant = |at: usize, token: &Token| {
        is_meant(token)
            && (!has_broad
                || !denied(at)
                || rules.contains(token.low.trim_matches(|letter: char| !letter.is_alphanumeric())))
    };
    let has_id = |at: usize| tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Mark('('));
    tokens.iter().enumerate().find_map(|(at, token)| {
        let stands = match token.shape {
            Shape::Address | Shape::Host | Shape::Url => true,
            Shape::Path => token.text.contains('/') && token.text.len() > 2,
            Shape::Identifier => hand.tool(&token.text).is_none() && token.text.len() > 3,
            Shape::Channel => !has_id(at),
            _ => false,
        };
        (stands && !exact.has_taken(&token.low, &reading.meanings) && !is_meant(at, token))
            .then(|| token.text.clone())
    })
}

/// Whether no call could ever be in a case, for it wants what it rules out.
pub(in crate::english) fn excludes_itself(case: &Case) -> bool {
    let is_ruled_out = |test: &Test| {
        match test {
        Test::Place { side, places, inside: true } => case.tests.iter().any(|other| {
            matches!(other, Test::Place { side: own, places: out, inside: false }
                if own == side && places.iter().all(|place| out.contains(place)))
        }),
        Test::Did { actions, is: true } => case.tests.iter().any(|other| {
            matches!(other, Test::Did { actions: out, is: false } if actions.iter().all(|action| out.contains(action)))
        }),
        _ => false,
    }
    };
    case.tests.iter().any(is_ruled_out)
}
