//! All wordings, and which of them may fit.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::phrases;
use super::wording::{Reach, Wording, family};
use crate::english::exact::stated::form::Vocabulary;
use crate::english::exact::stated::numbered::{NumberSet, at, change};
use crate::english::token::Token;

/// The files of wordings, each about one way to put rules.
const WORDINGS: &[&str] = &[
    include_str!("../../../../../data/reworded/builds.toml"),
    include_str!("../../../../../data/reworded/limits.toml"),
    include_str!("../../../../../data/reworded/headings.toml"),
    include_str!("../../../../../data/reworded/refusals.toml"),
    include_str!("../../../../../data/reworded/places.toml"),
];

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Lists of phrases that wordings use by a name.
    #[serde(default)]
    phrases: BTreeMap<String, String>,
    /// Wordings of a whole clause.
    #[serde(default)]
    clause: Vec<Lines>,
    /// Wordings of a whole sentence.
    #[serde(default)]
    sentence: Vec<Lines>,
    /// Words that may stand anywhere in a clause.
    #[serde(default)]
    words: Vec<Lines>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    from: Vec<String>,
    to: String,
}

static BUILT_IN: LazyLock<Wordings> = LazyLock::new(|| read(WORDINGS).unwrap_or_default());

/// All wordings, and the words that their phrases begin with.
#[derive(Default)]
struct Wordings {
    wordings: Vec<Wording>,
    vocabulary: Vocabulary,
    /// Which wordings words are needed by, by the numbers of these words: each is looked up by the rarest that it needs.
    of_word: Vec<Vec<usize>>,
    /// Those that need none.
    always: Vec<usize>,
}

impl Wordings {
    fn new(wordings: Vec<Wording>, vocabulary: Vocabulary) -> Wordings {
        let mut often = vec![0usize; vocabulary.len()];
        for word in wordings.iter().flat_map(|wording| wording.needs()).flatten() {
            change(&mut often, *word, |often| *often += 1);
        }
        let count = |word: &u32| at(&often, *word).copied();
        let (mut of_word, mut always) = (vec![Vec::new(); vocabulary.len()], Vec::new());
        for (number, wording) in wordings.iter().enumerate() {
            let sum = |need: &&Vec<u32>| need.iter().filter_map(count).sum::<usize>();
            match wording.needs().iter().min_by_key(sum) {
                Some(rarest) => {
                    rarest.iter().for_each(|word| change(&mut of_word, *word, |list| list.push(number)));
                }
                None => always.push(number),
            }
        }
        Wordings { wordings, vocabulary, of_word, always }
    }

    /// The wordings that may fit words with these numbers, in their own order.
    fn likely(&self, numbers: &[u32]) -> Vec<&Wording> {
        let known = numbers.iter().filter(|number| **number != phrases::UNKNOWN);
        let lists = known.clone().filter_map(|number| at(&self.of_word, *number));
        let mut asked: Vec<usize> = lists.flatten().chain(&self.always).copied().collect();
        asked.sort_unstable();
        asked.dedup();
        let words: NumberSet = known.copied().collect();
        let wordings = asked.into_iter().filter_map(|at| self.wordings.get(at));
        wordings.filter(|wording| wording.may_fit(&words)).collect()
    }
}

/// The numbers of words.
pub(super) fn numbers(tokens: &[Token]) -> Vec<u32> {
    phrases::numbers(&BUILT_IN.vocabulary, tokens)
}

/// The wordings that may fit words with these numbers, in their own order.
pub(super) fn likely(numbers: &[u32]) -> Vec<&'static Wording> {
    BUILT_IN.likely(numbers)
}

fn read(texts: &[&str]) -> Result<Wordings, String> {
    let mut file = File::default();
    for text in texts {
        let mut more: File = toml::from_str(text).map_err(|error| error.to_string())?;
        file.phrases.append(&mut more.phrases);
        file.sentence.append(&mut more.sentence);
        file.clause.append(&mut more.clause);
        file.words.append(&mut more.words);
    }
    let (mut wordings, mut vocabulary) = (Vec::new(), Vocabulary::default());
    let kinds =
        [(Reach::Sentence, &file.sentence), (Reach::Clause, &file.clause), (Reach::Words, &file.words)];
    for (reach, lines) in kinds {
        for line in lines {
            wordings.extend(family(reach, &line.from, &line.to, &file.phrases, &mut vocabulary)?);
        }
    }
    Ok(Wordings::new(wordings, vocabulary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wording_that_nobody_can_read_is_told() {
        for from in ["$v+s $x", "@nobody $x", "$w:word? $x", "none of them"] {
            let text = format!("[[clause]]\nfrom = [{from:?}]\nto = \"no $x\"\n");
            assert!(read(&[&text]).is_err(), "{from}");
        }
    }

    #[test]
    fn every_wording_can_be_read() {
        let wordings = read(WORDINGS).unwrap().wordings;
        assert!(wordings.len() > 50, "{}", wordings.len());
    }
}
