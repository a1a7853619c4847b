//! Worries that many people have and each puts in words of his own: that lunch stays free, that nothing is paid for, that a
//! page gets comments and no changes. A sentence that has all that belongs to such a worry, in whatever order and among
//! whatever words, is read as the plain sentence that states it. The worries stand in `worries.toml`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::english::exact::{Exact, Part, words};
use crate::english::lexicon::{base_marks, word_bases};
use crate::english::token::{Shape, Token, tokens};
use crate::english::when;
use crate::names::marks;

const WORRIES: &str = include_str!("../../../../data/worries.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Groups of words by a name, for use in worries.
    groups: std::collections::BTreeMap<String, String>,
    worry: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    plain: String,
    needs: Vec<String>,
    #[serde(default)]
    not: String,
    #[serde(default)]
    tools: String,
    /// Whether it is common enough to be told in a build that other readers know better.
    #[serde(default)]
    late: bool,
}

/// One worry.
struct Worry {
    plain: String,
    /// Of each of these, one must be there.
    needs: Vec<Vec<String>>,
    /// The bits of the words that each of these may begin with.
    marks: Vec<u64>,
    /// None of these may be there.
    not: Vec<String>,
    /// A word of one of the tools at hand, or the name of a server.
    tools: Vec<String>,
    late: bool,
}

static BUILT_IN: LazyLock<Vec<Worry>> = LazyLock::new(|| worries(WORRIES).unwrap_or_default());

fn worries(text: &str) -> Result<Vec<Worry>, toml::de::Error> {
    let file: File = toml::from_str(text)?;
    let list = |text: &str| -> Vec<String> {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(group) => file.groups.get(group).cloned().unwrap_or_default(),
            None => word.to_owned(),
        };
        let whole: Vec<String> = text.split_whitespace().map(word).collect();
        whole.join(" ").split_whitespace().map(|word| word.replace('_', " ")).collect()
    };
    let each = |entry: &Entry| {
        let needs: Vec<Vec<String>> = entry.needs.iter().map(|need| list(need)).collect();
        let bits = |need: &Vec<String>| marks(need.iter().filter_map(|phrase| phrase.split(' ').next()));
        Worry {
            plain: entry.plain.clone(),
            marks: needs.iter().map(bits).collect(),
            needs,
            not: list(&entry.not),
            tools: list(&entry.tools),
            late: entry.late,
        }
    };
    Ok(file.worry.iter().map(each).collect())
}

/// Words that make another rule of any worry: what is excepted, asked about or told to be so already.
const OTHERWISE: &[&str] = &[
    "except",
    "unless",
    "ask",
    "besides",
    "apart",
    "whether",
    "asking",
    "permission",
    "checking",
    "check with",
    "want to see",
    "my ok",
    "my okay",
    "approval",
    "once",
];

/// Words that make a limit of what a ban would be.
const LIMITING: &[&str] = &["nothing else", "nobody else", "nowhere else", "nothing but", "exclusively"];

impl Exact<'_> {
    /// The worry that a sentence tells, read as its plain sentence.
    pub(in crate::english) fn worried(&self, sentence: &[Token], late: bool) -> Option<Vec<Part>> {
        let said = Said::of(sentence);
        if sentence.len() < 2 || OTHERWISE.iter().any(|word| said.has(word)) {
            return None;
        }
        // Of several bans in a row a common worry would tell only one.
        let bans =
            sentence.iter().filter(|token| matches!(token.low.as_str(), "no" | "neither" | "nor")).count();
        if late && bans > 1 {
            return None;
        }
        let fits = BUILT_IN.iter().filter(|worry| worry.late == late && self.fits(worry, &said));
        fits.filter_map(|worry| self.told_plainly(worry, sentence)).next()
    }

    fn fits(&self, worry: &Worry, said: &Said<'_>) -> bool {
        let at_hand =
            |word: &String| self.hand.has_tool_word(word) || self.hand.has_server(word) || self.is_sort(word);
        // "Query the replica tables, nothing else" is no ban of them.
        let limits = |word: &&str| said.has(word) && !worry.needs.iter().flatten().any(|need| need == *word);
        let turns = worry.plain.starts_with("never ") && !worry.plain.contains(" other than ");
        worry.marks.iter().all(|need| need & said.marks != 0)
            && !(turns && LIMITING.iter().any(limits))
            && worry.needs.iter().all(|need| said.has_any(need))
            && !said.has_any(&worry.not)
            && (worry.tools.is_empty() || worry.tools.iter().any(at_hand))
    }

    /// Whether tools of a sort are at hand.
    pub(in crate::english::exact) fn is_sort(&self, sort: &str) -> bool {
        match sort {
            "calendars" => self.hand.has_calendar(),
            "commands" => self.hand.runs_commands(),
            "web" => self.hand.has_web(),
            "files" => self.hand.has_files(),
            _ => false,
        }
    }

    fn told_plainly(&self, worry: &Worry, sentence: &[Token]) -> Option<Vec<Part>> {
        let plain = self.filled(&worry.plain, sentence)?;
        let mut all = Vec::new();
        for one in plain.split(" ; ") {
            let told = tokens(one);
            let parts = self.sentence(&told, false);
            self.half();
            let parts = parts.filter(|parts| parts.iter().any(|part| matches!(part, Part::Rules(_))));
            all.extend(parts.or_else(|| Some(vec![Part::Rules(self.freely(&told)?)]))?);
        }
        Some(all)
    }

    /// The plain sentence of a worry with what this one names, unless something of it would get lost.
    fn filled(&self, plain: &str, sentence: &[Token]) -> Option<String> {
        let mut plain = plain.to_owned();
        let plain_asks_when = plain.contains("{when}");
        // Days and hours that are told apart belong together, which a worry cannot say.
        if self.times(sentence) > 1 {
            return None;
        }
        let time = self.time_told(sentence, !plain_asks_when);
        match (&time, plain_asks_when) {
            (Some((time, _)), true) => plain = plain.replace("{when}", time),
            (None, true) => return None,
            // A time that the worry does not ask for limits it.
            (Some((time, _)), false) => {
                let timed: Vec<String> = plain.split(" ; ").map(|one| format!("{one} {time}")).collect();
                plain = timed.join(" ; ");
            }
            (None, false) => {}
        }
        let is_time = |at: usize| time.as_ref().is_some_and(|(_, span)| span.contains(&at));
        let named = named(sentence);
        // The hours of a time may be told apart from its name: "lunch from 12 to 1".
        let hours = time.is_some() && plain_asks_when;
        let numbers = if hours { Vec::new() } else { numbers(sentence, &is_time) };
        let quoted: Vec<String> = sentence
            .iter()
            .filter(|token| token.shape == Shape::Quoted)
            .map(|token| format!("\"{}\"", token.text))
            .collect();
        let fill = |plain: String, hole: &str, with: Option<String>| match plain.contains(hole) {
            true => with.map(|with| plain.replace(hole, &with)),
            false => Some(plain),
        };
        let joined = |texts: &[String], joint: &str| (!texts.is_empty()).then(|| texts.join(joint));
        plain = fill(plain, "{n}", numbers.first().cloned())?;
        plain = fill(plain, "{first}", named.first().cloned())?;
        // As a text, the end of a host is looked for without its dot.
        let as_text = named.first().map(|name| format!("\"{}\"", name.trim_start_matches(['*', '.'])));
        plain = fill(plain, "{quoted_first}", as_text)?;
        plain = fill(plain, "{second}", named.get(1).cloned())?;
        plain = fill(plain, "{places}", joined(&named, " and "))?;
        plain = fill(plain, "{either}", joined(&named, " or "))?;
        let hosts: Vec<String> = sentence
            .iter()
            .filter(|token| matches!(token.shape, Shape::Host | Shape::Url))
            .map(|token| token.text.clone())
            .collect();
        plain = fill(plain, "{hosts}", joined(&hosts, " and "))?;
        plain = fill(plain, "{quoted}", joined(&quoted, " or "))?;
        plain = fill(plain, "{names}", names(sentence).and_then(|names| joined(&names, " and ")))?;
        plain = fill(plain, "{dashed}", dashed(sentence))?;
        plain = fill(plain, "{term}", term(sentence))?;
        plain = fill(plain, "{flag}", first(sentence, &|token| token.shape == Shape::Flag))?;
        plain = fill(plain, "{ending}", first(sentence, &|token| is_ending(token)))?;
        plain = fill(plain, "{mark}", first(sentence, &|token| is_mark(token)))?;
        while let Some((before, rest)) = plain.split_once("{beside ") {
            let (keys, after) = rest.split_once('}')?;
            plain = format!("{before}{}{after}", beside(sentence, keys)?);
        }
        // What stands for itself must not get lost, nor a number.
        let is_kept = |text: &String| plain.contains(text.trim_start_matches(['*', '.']));
        (named.iter().all(is_kept) && quoted.iter().all(is_kept) && numbers.iter().all(is_kept))
            .then_some(plain)
    }

    /// How many times are told apart from each other.
    fn times(&self, sentence: &[Token]) -> usize {
        let (mut at, mut times) = (0, 0);
        while let Some(rest) = sentence.get(at..).filter(|rest| !rest.is_empty()) {
            match when::read(rest, self.year) {
                Some((_, length)) => {
                    times += 1;
                    at += length.max(1);
                }
                None => at += 1,
            }
        }
        times
    }

    /// The first time that a sentence tells, perhaps only one of its rule: a reason behind it may have one, too.
    fn time_told(&self, sentence: &[Token], of_rule: bool) -> Option<(String, std::ops::Range<usize>)> {
        (0..sentence.len()).find_map(|at| {
            let rest = sentence.get(at..)?;
            let (_, length) = when::read(rest, self.year)?;
            let told = (words::text(rest.get(..length)?), at..at + length);
            // "Tuesday mornings" is more than either of them says.
            let goes_on = rest.get(length..).is_some_and(|rest| when::read(rest, self.year).is_some());
            (!goes_on && (!of_rule || is_of_rule(sentence, at))).then_some(told)
        })
    }
}

/// Whether a place lies in the first part of a sentence, or in one that rules something.
fn is_of_rule(sentence: &[Token], at: usize) -> bool {
    const RULING: &[&str] = &[
        "never",
        "no",
        "not",
        "don't",
        "dont",
        "only",
        "nothing",
        "nobody",
        "must",
        "may",
        "off",
        "stay",
        "stays",
        "keep",
        "forbidden",
        "taboo",
        "leave",
    ];
    let parts = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '-' | '–'));
    let from = sentence.get(..at).and_then(|before| before.iter().rposition(parts));
    let Some(from) = from else { return true };
    let part = sentence.iter().skip(from + 1).take_while(|token| !parts(token));
    part.into_iter().any(|token| RULING.contains(&token.low.as_str()))
}

/// The words of a sentence, in whatever form they may be looked for: found out once for all worries.
struct Said<'s> {
    sentence: &'s [Token],
    words: BTreeSet<String>,
    /// The bits of all of them, and of what is no word.
    marks: u64,
}

impl<'s> Said<'s> {
    fn of(sentence: &'s [Token]) -> Said<'s> {
        let is_word = |token: &&Token| matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Flag);
        let words: BTreeSet<String> =
            sentence.iter().filter(is_word).flat_map(|token| word_bases(&token.low)).collect();
        Said { sentence, marks: base_marks(sentence), words }
    }

    fn has(&self, wanted: &str) -> bool {
        let Some((first, _)) = wanted.split_once(' ') else { return self.words.contains(wanted) };
        let begins = |at: usize| {
            let rest = self.sentence.get(at..)?;
            rest.first().filter(|token| token.low == first)?;
            words::begins(rest, wanted)
        };
        (0..self.sentence.len()).any(|at| begins(at).is_some())
    }

    fn has_any(&self, wanted: &[String]) -> bool {
        wanted.iter().any(|wanted| self.has(wanted))
    }
}

fn stands_for_itself(token: &Token) -> bool {
    match token.shape {
        Shape::Path | Shape::Host | Shape::Url | Shape::Address | Shape::Mention => true,
        Shape::Identifier => token.text.chars().any(|letter| letter.is_ascii_digit()) && token.text.len() > 5,
        _ => false,
    }
}

/// What stands for itself, a channel with its id.
fn named(sentence: &[Token]) -> Vec<String> {
    let each = |(at, token): (usize, &Token)| {
        let before = |steps: usize| at.checked_sub(steps).and_then(|at| sentence.get(at));
        match (before(2), before(1)) {
            (Some(channel), Some(open))
                if channel.shape == Shape::Channel && open.shape == Shape::Mark('(') =>
            {
                format!("{} ({})", channel.text, token.text)
            }
            _ => token.text.clone(),
        }
    };
    sentence.iter().enumerate().filter(|(_, token)| stands_for_itself(token)).map(each).collect()
}

/// The numbers that are no part of a time, written in digits.
fn numbers(sentence: &[Token], is_time: &dyn Fn(usize) -> bool) -> Vec<String> {
    let is_number = |(at, token): &(usize, &Token)| token.shape == Shape::Number && !is_time(*at);
    let digits: Vec<String> =
        sentence.iter().enumerate().filter(is_number).map(|(_, token)| token.text.replace(',', "")).collect();
    match digits.is_empty() {
        true => spelled(sentence).into_iter().collect(),
        false => digits,
    }
}

/// The first word that is so, as it is written.
fn first(sentence: &[Token], is_it: &dyn Fn(&Token) -> bool) -> Option<String> {
    sentence.iter().find(|token| is_it(token)).map(|token| token.text.clone())
}

/// `.csv`, `*.csv`
fn is_ending(token: &Token) -> bool {
    let end = token.low.trim_start_matches('*');
    let is_end = |end: &str| crate::english::is_file_end(end) && end != "env";
    token.shape == Shape::Path && end.strip_prefix('.').is_some_and(is_end)
}

/// `TODO`
fn is_mark(token: &Token) -> bool {
    token.shape == Shape::Word && token.text.len() > 2 && token.text.chars().all(char::is_uppercase)
}

/// A name with a hyphen, such as that of an organisation.
fn dashed(sentence: &[Token]) -> Option<String> {
    const WORDS: &[&str] = &[
        "read-only",
        "append-only",
        "e-mail",
        "e-mails",
        "look-only",
        "to-do",
        "so-called",
        "one-off",
        "sign-off",
        "go-ahead",
        "up-to-date",
        "add-only",
        "off-limits",
        "world-writable",
        "third-party",
        "lower-case",
    ];
    let is_name = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier)
            && token.text.contains('-')
            && !WORDS.contains(&token.low.as_str())
    };
    sentence.iter().find(is_name).map(|token| token.text.clone())
}

/// A term of a search, such as `org:acme`, in quotation marks.
fn term(sentence: &[Token]) -> Option<String> {
    let is_term = |token: &&Token| {
        let sides = token.text.split_once(':');
        sides.is_some_and(|(key, value)| {
            !value.is_empty()
                && !value.starts_with('/')
                && !key.is_empty()
                && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        })
    };
    sentence.iter().find(is_term).map(|token| format!("\"{}\"", token.text))
}

/// What stands right behind one of these words, or else right before it.
fn beside(sentence: &[Token], keys: &str) -> Option<String> {
    const LIGHT: &[&str] = &[
        "the", "a", "an", "any", "every", "each", "all", "new", "is", "are", "must", "be", "of", "to", "in",
        "on", "for", "and", "or", "not", "no", "only", "with", "from", "as", "it", "its", "you", "your",
        "my", "our", "this", "that", "please", "has", "have", "get", "gets", "when", "if", "so", "than",
        "other", "branch", "label", "branches", "always", "never", "at", "column", "table", "schema", "name",
        "called", "named", "even", "anything", "anywhere", "but", "nothing", "anyone",
    ];
    let is_key = |token: &Token| keys.split('|').any(|key| token.low == key);
    let can_be = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Quoted | Shape::Path)
            && !LIGHT.contains(&token.low.as_str())
    };
    let is_light = |token: &&Token| LIGHT.contains(&token.low.as_str());
    let found = sentence.iter().enumerate().filter(|(_, token)| is_key(token)).find_map(|(at, _)| {
        let behind = sentence.get(at + 1..)?.iter().find(|token| !is_light(token)).filter(can_be);
        let near = behind.filter(|token| sentence.iter().skip(at + 1).take(3).any(|other| other == *token));
        near.or_else(|| sentence.get(..at)?.last().filter(can_be))
    })?;
    Some(found.text.clone())
}

/// Names: in quotation marks, or with a capital letter inside of the sentence.
fn names(sentence: &[Token]) -> Option<Vec<String>> {
    let quoted = sentence.iter().filter(|token| token.shape == Shape::Quoted);
    let quoted: Vec<String> = quoted.map(|token| format!("\"{}\"", token.text)).collect();
    if !quoted.is_empty() {
        return Some(quoted);
    }
    let is_name = |(at, token): &(usize, &Token)| {
        *at > 0
            && token.shape == Shape::Word
            && token.is_capital()
            && token.text.chars().any(char::is_lowercase)
            && !sentence
                .get(at - 1)
                .is_some_and(|before| matches!(before.shape, Shape::Mark('.' | ':' | '!')))
    };
    let names: Vec<String> =
        sentence.iter().enumerate().filter(is_name).map(|(_, token)| token.text.clone()).collect();
    (!names.is_empty()).then_some(names)
}

/// A number that is written as a word.
fn spelled(sentence: &[Token]) -> Option<String> {
    const NUMBERS: &[&str] =
        &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let number = |token: &Token| NUMBERS.iter().position(|number| token.low == *number);
    sentence.iter().find_map(number).map(|at| (at + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worries_can_be_read() {
        let worries = worries(WORRIES).unwrap();
        assert!(
            worries
                .iter()
                .all(|worry| !worry.needs.is_empty() && worry.needs.iter().all(|need| !need.is_empty()))
        );
    }
}
