//! Worries that many people have and each puts in words of his own: that lunch stays free, that nothing is paid for, that a
//! page gets comments and no changes. A sentence that has all that belongs to such a worry, in whatever order and among
//! whatever words, is read as the plain sentence that states it. The worries stand in `worries.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::english::exact::{Exact, Part, words};
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token, tokens};
use crate::english::when;

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
}

/// One worry.
struct Worry {
    plain: String,
    /// Of each of these, one must be there.
    needs: Vec<Vec<String>>,
    /// None of these may be there.
    not: Vec<String>,
    /// A word of one of the tools at hand, or the name of a server.
    tools: Vec<String>,
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
    let each = |entry: &Entry| Worry {
        plain: entry.plain.clone(),
        needs: entry.needs.iter().map(|need| list(need)).collect(),
        not: list(&entry.not),
        tools: list(&entry.tools),
    };
    Ok(file.worry.iter().map(each).collect())
}

/// Words that make another rule of any worry: what is excepted, asked about or told to be so already.
const OTHERWISE: &[&str] = &["except", "unless", "ask", "besides", "apart", "whether", "asking", "permission"];

impl Exact<'_> {
    /// The worry that a sentence tells, read as its plain sentence.
    pub(in crate::english) fn worried(&self, sentence: &[Token]) -> Option<Vec<Part>> {
        if sentence.len() < 2 || has_any(sentence, &list(OTHERWISE)) {
            return None;
        }
        let fits = BUILT_IN.iter().filter(|worry| self.fits(worry, sentence));
        fits.filter_map(|worry| self.told_plainly(worry, sentence)).next()
    }

    fn fits(&self, worry: &Worry, sentence: &[Token]) -> bool {
        let at_hand =
            |word: &String| self.hand.has_tool_word(word) || self.hand.has_server(word) || self.is_sort(word);
        (worry.tools.is_empty() || worry.tools.iter().any(at_hand))
            && worry.needs.iter().all(|need| has_any(sentence, need))
            && !has_any(sentence, &worry.not)
    }

    /// Whether tools of a sort are at hand.
    fn is_sort(&self, sort: &str) -> bool {
        match sort {
            "calendars" => self.hand.has_calendar(),
            "commands" => self.hand.runs_commands(),
            "web" => self.hand.has_web(),
            "files" => self.hand.has_files(),
            _ => false,
        }
    }

    fn told_plainly(&self, worry: &Worry, sentence: &[Token]) -> Option<Vec<Part>> {
        let time = self.time_in(sentence);
        let named: Vec<&Token> = sentence.iter().filter(|token| stands_for_itself(token)).collect();
        let number = || {
            let is_number = |token: &&Token| token.shape == Shape::Number && token.text.parse::<u32>().is_ok();
            sentence.iter().find(is_number).map(|token| token.text.clone()).or_else(|| spelled(sentence))
        };
        let mut plain = worry.plain.clone();
        if plain.contains("{when}") {
            plain = plain.replace("{when}", &time.clone()?);
        } else if let Some(time) = &time {
            // A time that the worry does not ask for limits it.
            let timed: Vec<String> = plain.split(" ; ").map(|one| format!("{one} {time}")).collect();
            plain = timed.join(" ; ");
        }
        if plain.contains("{n}") {
            plain = plain.replace("{n}", &number()?);
        }
        let texts: Vec<String> = named.iter().map(|token| written(token)).collect();
        for (hole, at) in [("{first}", 0), ("{second}", 1)] {
            if plain.contains(hole) {
                plain = plain.replace(hole, texts.get(at)?);
            }
        }
        if plain.contains("{places}") {
            if texts.is_empty() {
                return None;
            }
            plain = plain.replace("{places}", &texts.join(" and "));
        }
        if plain.contains("{names}") {
            plain = plain.replace("{names}", &names(sentence)?.join(" and "));
        }
        // What stands for itself must not get lost.
        if texts.iter().any(|text| !plain.contains(text.as_str())) {
            return None;
        }
        let mut all = Vec::new();
        for one in plain.split(" ; ") {
            let parts = self.sentence(&tokens(one), false);
            self.half();
            all.extend(parts.filter(|parts| parts.iter().any(|part| matches!(part, Part::Rules(_))))?);
        }
        all.push(Part::Aside(words::text(sentence)));
        Some(all)
    }

    /// The first time that a sentence tells.
    fn time_in(&self, sentence: &[Token]) -> Option<String> {
        (0..sentence.len()).find_map(|at| {
            let rest = sentence.get(at..)?;
            let (_, length) = when::read(rest, self.year)?;
            Some(words::text(rest.get(..length)?))
        })
    }
}

fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Whether a sentence has one of these words, in whatever form, or one of these phrases.
fn has_any(sentence: &[Token], wanted: &[String]) -> bool {
    wanted.iter().any(|wanted| match wanted.contains(' ') {
        true => (0..sentence.len())
            .any(|at| sentence.get(at..).is_some_and(|rest| words::begins(rest, wanted).is_some())),
        false => sentence.iter().any(|token| {
            matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Flag)
                && (token.low == *wanted || word_bases(&token.low).contains(wanted))
        }),
    })
}

fn stands_for_itself(token: &Token) -> bool {
    match token.shape {
        Shape::Path | Shape::Host | Shape::Url | Shape::Address => true,
        Shape::Identifier => token.text.chars().any(|letter| letter.is_ascii_digit()) && token.text.len() > 5,
        _ => false,
    }
}

fn written(token: &Token) -> String {
    token.text.clone()
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
            && !sentence.get(at - 1).is_some_and(|before| matches!(before.shape, Shape::Mark('.' | ':' | '!')))
    };
    let names: Vec<String> =
        sentence.iter().enumerate().filter(is_name).map(|(_, token)| token.text.clone()).collect();
    (!names.is_empty()).then_some(names)
}

/// A number that is written as a word.
fn spelled(sentence: &[Token]) -> Option<String> {
    const NUMBERS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let number = |token: &Token| NUMBERS.iter().position(|number| token.low == *number);
    sentence.iter().find_map(number).map(|at| (at + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worries_can_be_read() {
        let worries = worries(WORRIES).unwrap();
        assert!(worries.iter().all(|worry| !worry.needs.is_empty() && worry.needs.iter().all(|need| !need.is_empty())));
    }
}
