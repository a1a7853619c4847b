//! Names, numbers and other things that are spelled out and must stay out of what is written: "my daughter's name (Elowen)
//! stays out of any search", "the code name Halcyon must not show up in mails", "never type my phone number (0171 555012)".

mod phrases;

use crate::english::exact::Exact;
use crate::english::exact::scope::MAKING;
use crate::english::exact::words::{bare, bracketed, items, strip, strip_end, text};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Saying, Test, Verdict};
use phrases::{
    ANYWHERE, ENDS, HEADS, LOOKING, MODALS, PREPOSITIONS, STAYING, TOPICS, VERBS, VERBS_DONE, WRITING,
};

type Rules = Vec<(Verdict, Case)>;

/// What must not be said, and where; anywhere where nothing says where.
pub(in crate::english::exact) struct Ban<'t> {
    pub(in crate::english::exact) what: &'t [Token],
    pub(in crate::english::exact) place: Spot<'t>,
}

/// Where it must not be.
pub(in crate::english::exact) enum Spot<'t> {
    /// These words name it, as a thing that texts go to.
    Named(&'t [Token]),
    /// In whatever is looked for.
    Searches,
    /// In whatever is typed into a page.
    Forms,
    Anywhere,
}

impl Exact<'_> {
    /// A ban on something that is spelled out, wherever texts go.
    pub(in crate::english::exact) fn unsaid(&self, tokens: &[Token]) -> Option<Rules> {
        let plain = bans(tokens).into_iter().find_map(|ban| {
            let what = self.spelled(ban.what)?;
            self.unsaid_in(what, &ban.place)
        });
        plain.or_else(|| {
            // "no customer names on Slack (Meier, Schulz)"
            let (front, inner) = bracketed(tokens)?;
            bans(front).into_iter().find_map(|ban| {
                let is_named = ban.what.last().is_some_and(|last| is_head(&last.low));
                let what: Option<Vec<Saying>> =
                    items(inner).into_iter().map(|item| literal(item, false)).collect();
                self.unsaid_in(what.filter(|what| is_named && !what.is_empty())?, &ban.place)
            })
        })
    }

    /// "nothing about the merger on Slack", "don't write anything about Katrin in your notes": by the words themselves.
    pub(in crate::english::exact) fn untold(&self, tokens: &[Token]) -> Option<Rules> {
        let told = strip(tokens, TOPICS).or_else(|| {
            let denied =
                strip(tokens, &["never", "don't", "do not", "dont", "you must not", "please don't"])?;
            strip(
                strip(denied, VERBS)?,
                &["anything about", "something about", "a word about", "things about", "about"],
            )
        })?;
        let placed = parted(told, PREPOSITIONS);
        let whole = Ban { what: told, place: Spot::Anywhere };
        placed.into_iter().chain([whole]).find_map(|ban| {
            const GOING: &[&str] = &[
                "goes",
                "gets",
                "may go",
                "is posted",
                "gets posted",
                "may be posted",
                "is stored",
                "is saved",
                "ends up",
                "may end up",
                "is written",
                "may be written",
                "appears",
                "may appear",
                "belongs",
                "is to go",
            ];
            let what = bare(strip_end(ban.what, GOING).unwrap_or(ban.what));
            let is_topic = |token: &Token| {
                matches!(token.shape, Shape::Word | Shape::Quoted)
                    && !PREPOSITIONS.contains(&token.low.as_str())
            };
            let named: Option<Vec<Saying>> = items(what)
                .into_iter()
                .map(|item| {
                    (item.len() < 4 && item.iter().all(is_topic)).then(|| Saying::Words(text(bare(item))))
                })
                .collect();
            self.unsaid_in(named.filter(|named| !named.is_empty())?, &ban.place)
        })
    }

    /// The same for what texts hold of a sort: "don't store anybody's phone number in the graph".
    pub(in crate::english::exact) fn unsaid_sorts(&self, tokens: &[Token]) -> Option<Rules> {
        bans(tokens).into_iter().find_map(|ban| {
            let what = self.sayings(ban.what)?;
            self.unsaid_in(what, &ban.place)
        })
    }

    fn unsaid_in(&self, what: Vec<Saying>, place: &Spot<'_>) -> Option<Rules> {
        let place = match place {
            Spot::Searches => return Some(said(vec![did("search")], Vec::new(), what)),
            Spot::Forms => return Some(said(vec![did("type")], Vec::new(), what)),
            Spot::Anywhere => return Some(said(self.everywhere(), Vec::new(), what)),
            Spot::Named(place) => place,
        };
        let place = strip_end(place, MAKING).unwrap_or(place);
        if strip(place, ANYWHERE).is_some_and(<[Token]>::is_empty) {
            return Some(said(self.everywhere(), Vec::new(), what));
        }
        let mut rules = Rules::new();
        for item in items(place) {
            let (doings, tests, names) = self.text_place(strip(item, PREPOSITIONS).unwrap_or(item))?;
            let mut rule = said(doings, tests, what.clone());
            if let (Some((_, case)), Some(name)) = (rule.first_mut(), names.first())
                && let Some(Test::Says { parameter, .. }) = case.tests.last_mut()
            {
                *parameter = Some(name.clone());
            }
            rules.extend(rule);
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// Whatever the agent says to anybody or writes anywhere.
    fn everywhere(&self) -> Vec<Doing> {
        let mut doings = vec![Doing::Deed(Deed::Writes)];
        doings.extend(WRITING.iter().filter(|name| self.hand.has_tool_word(name)).map(|name| did(name)));
        doings
    }

    /// What is spelled out: in brackets behind what it is, behind a word such as "name", or as a name that is no word.
    fn spelled(&self, tokens: &[Token]) -> Option<Vec<Saying>> {
        if tokens.is_empty() || tokens.first().is_some_and(|first| PREPOSITIONS.contains(&first.low.as_str()))
        {
            return None;
        }
        if let Some((front, inner)) = bracketed(tokens) {
            let is_rule =
                |token: &Token| matches!(token.low.as_str(), "like" | "such" | "e.g" | "e.g." | "not" | "no");
            let is_head = front.iter().any(|token| is_head(&token.low));
            let inner =
                strip(inner, &["it's", "it is", "that's", "which is", "i.e.", "namely"]).unwrap_or(inner);
            if inner.iter().any(is_rule)
                || front.iter().any(|token| matches!(token.shape, Shape::Channel | Shape::Path))
            {
                return None;
            }
            return items(inner).into_iter().map(|item| literal(item, is_head)).collect();
        }
        // "the code name Halcyon", "the words cheap and free"
        let at = tokens.iter().enumerate().rposition(|(at, token)| {
            // "Project Heron" is a name as a whole.
            is_head(&token.low) && token.shape == Shape::Word && (at == 0 || !token.is_capital())
        });
        if let Some(at) = at {
            let (front, named) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            let head = tokens.get(at)?.low.as_str();
            let is_plain = front.iter().all(|token| token.shape == Shape::Word);
            let is_word = matches!(head, "word" | "words" | "term" | "terms" | "phrase" | "expression");
            let is_name = |item: &[Token]| {
                is_word || item.iter().all(|token| is_proper(token) || token.shape == Shape::Quoted)
            };
            let list = items(named);
            if is_plain && !list.is_empty() && list.iter().all(|item| item.len() < 4 && is_name(item)) {
                return list.into_iter().map(|item| literal(item, true)).collect();
            }
            return None;
        }
        let list = items(tokens);
        let proper = |item: &[Token]| {
            item.iter()
                .all(|token| token.shape == Shape::Quoted || (is_proper(token) && !self.lexicon.knows(token)))
        };
        match list.iter().all(|item| proper(item)) {
            true => list.into_iter().map(|item| literal(item, true)).collect(),
            false => None,
        }
    }
}

/// Each way to part a clause into what must not be said and where.
pub(in crate::english::exact) fn bans(tokens: &[Token]) -> Vec<Ban<'_>> {
    let mut found = Vec::new();
    found.extend(led(tokens));
    // "keep my number out of mails"
    if let Some(rest) = strip(tokens, &["keep", "always keep", "leave", "please keep"]) {
        found.extend(parted(rest, &["out of", "off", "away from", "from"]));
    }
    // "… stays out of mails", "… must not be typed into any form", "… is not to be mentioned"
    for at in 1..tokens.len() {
        let (Some(what), Some(rest)) = (tokens.get(..at), tokens.get(at..)) else { continue };
        if let Some(place) = strip(rest, STAYING) {
            found.extend((!place.is_empty()).then_some(Ban { what, place: Spot::Named(place) }));
            continue;
        }
        let Some(rest) = strip(rest, MODALS) else { continue };
        let Some(behind) = strip(rest, VERBS_DONE) else { continue };
        let verb = rest.get(..rest.len() - behind.len()).unwrap_or_default();
        let is_looked = strip_end(verb, LOOKING).is_some();
        let is_typed = strip_end(verb, &["typed", "entered", "filled in", "keyed in", "typed in"]).is_some();
        let place = match strip(behind, PREPOSITIONS) {
            Some(place) if !place.is_empty() => Spot::Named(place),
            _ if is_looked && strip(behind, ENDS).unwrap_or(behind).is_empty() => Spot::Searches,
            _ if is_typed && strip(behind, ENDS).unwrap_or(behind).is_empty() => Spot::Forms,
            _ if strip(behind, ENDS).unwrap_or(behind).is_empty() => Spot::Anywhere,
            _ => continue,
        };
        found.push(Ban { what, place });
    }
    found
}

/// Verbs of which the object is said.
const SAYING: &[&str] = &[
    "mention",
    "name",
    "say",
    "write",
    "quote",
    "state",
    "reveal",
    "disclose",
    "spell out",
    "spell",
    "leak",
    "tell",
    "refer to",
    "talk about",
    "write about",
    "bring up",
    "type",
    "enter",
    "fill in",
];

/// "never mention Halcyon in mails", "no client names (Meier, Schulz) on Slack".
fn led(tokens: &[Token]) -> Vec<Ban<'_>> {
    let denied = strip(
        tokens,
        &[
            "never",
            "don't",
            "do not",
            "dont",
            "you must not",
            "you must never",
            "you may not",
            "please don't",
            "please never",
            "you should not",
            "you should never",
            "must not",
            "never ever",
        ],
    );
    let looked = denied
        .and_then(|rest| strip(rest, &["search for", "google", "look up", "search", "search the web for"]));
    if let Some(rest) = looked {
        let what = strip_end(rest, ENDS).unwrap_or(rest);
        return vec![Ban { what, place: Spot::Searches }];
    }
    let typed =
        denied.and_then(|rest| strip(rest, &["type", "enter", "fill in", "key in", "type in", "fill"]));
    let rest = denied.and_then(|rest| strip(rest, VERBS)).or(typed);
    let rest = rest.or_else(|| strip(tokens, &["no", "no mention of", "without"]));
    let Some(rest) = rest else { return Vec::new() };
    let mut found = parted(rest, PREPOSITIONS);
    let what = strip_end(rest, ENDS).unwrap_or(rest);
    // "don't use Brave" speaks of a tool: only what is said to be a name or a number is meant then.
    let is_told = what
        .iter()
        .any(|token| token.shape == Shape::Quoted || token.shape == Shape::Mark('(') || is_head(&token.low));
    let is_said = denied.is_some_and(|rest| strip(rest, SAYING).is_some());
    let is_verb = (denied.is_some() && (is_told || is_said)) || strip(tokens, &["no mention of"]).is_some();
    if is_verb {
        let place = if typed.is_some() { Spot::Forms } else { Spot::Anywhere };
        found.push(Ban { what, place });
    }
    found
}

/// What stands before and behind a word that says where, the last such word first.
fn parted<'t>(tokens: &'t [Token], between: &[&str]) -> Vec<Ban<'t>> {
    let is_open = |at: usize| {
        let before = tokens.get(..at).unwrap_or_default();
        let count = |mark: char| before.iter().filter(|token| token.shape == Shape::Mark(mark)).count();
        count('(') == count(')')
    };
    (1..tokens.len())
        .rev()
        .filter(|at| is_open(*at))
        .filter_map(|at| {
            let place = strip(tokens.get(at..)?, between).filter(|place| !place.is_empty())?;
            let what = tokens.get(..at)?;
            Some(Ban { what: strip_end(what, ENDS).unwrap_or(what), place: Spot::Named(place) })
        })
        .collect()
}

/// A thing that stands for itself in texts: a name, a number, an address.
fn literal(item: &[Token], is_named: bool) -> Option<Saying> {
    let first = item.first()?;
    let is_id = |token: &Token| {
        token.shape == Shape::Identifier
            && (token.text.len() > 24
                || (token.text.len() > 7
                    && token.text.starts_with('C')
                    && token
                        .text
                        .chars()
                        .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())))
    };
    let fits = |token: &Token| match token.shape {
        Shape::Word | Shape::Number | Shape::Quoted => true,
        Shape::Identifier => !is_id(token),
        Shape::Address | Shape::Host | Shape::Url => is_named,
        Shape::Mark(mark) => matches!(mark, '-' | '/' | '+'),
        _ => false,
    };
    let is_meant = is_named
        || is_proper(first)
        || first.shape == Shape::Quoted
        || first.text.chars().any(|letter| letter.is_ascii_digit());
    (is_meant && item.len() < 9 && item.iter().all(fits)).then(|| Saying::Words(text(item)))
}

/// Whether a word is written like a name, or like nothing that is a word.
fn is_proper(token: &Token) -> bool {
    (token.shape == Shape::Word && (token.is_capital() || token.text.chars().skip(1).any(char::is_uppercase)))
        || token.shape == Shape::Identifier
}

fn is_head(word: &str) -> bool {
    let single = word.strip_suffix("'s").unwrap_or(word);
    HEADS.contains(&single) || single.strip_suffix('s').is_some_and(|single| HEADS.contains(&single))
}

fn did(name: &str) -> Doing {
    Doing::Did(name.to_owned())
}

fn said(doings: Vec<Doing>, mut tests: Vec<Test>, what: Vec<Saying>) -> Rules {
    tests.push(Test::Says { what, parameter: None, is: true });
    vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]
}
