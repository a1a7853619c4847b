//! Rules in the plainest words, as the tables of `data/stated` list them: a sentence that fits one of its forms word by word, with what
//! it names in the holes of the form, means what the table says.

mod fitting;
mod form;
mod halves;
mod holes;
mod index;
mod leave;
mod meant;
mod nouns;
mod numbered;
mod offered;
mod peeled;
mod recast;
mod remarks;
mod reworded;
mod sight;
mod singles;
mod spliced;
mod spoken;
mod tables;
mod terms;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Exact, guard, words};
use crate::english::grounds::is_unshown;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Place, Side, Test, Verdict};
use form::{Form, Parts, Phrases, Vocabulary};
use holes::Holes;
use index::{Index, Likely};
use sight::Sight;
pub(super) use sight::Ways;
pub(super) use spoken::Said;
use spoken::Spoken;
use tables::TABLES;
use terms::Terms;

/// How many clauses of a sentence are looked up in the tables.
pub(super) const MOST_CLAUSES: usize = 300;

/// How far a clause may be from a form that it nearly has: two joining words more, or one less.
const FARTHEST: u8 = 2;

type Rules = Vec<(Verdict, Case)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Phrases that forms use by a name.
    #[serde(default)]
    phrases: Phrases,
    /// Words that may stand in a hole, by its name.
    #[serde(default)]
    classes: BTreeMap<String, String>,
    /// Phrases that may stand in a hole, by its name and by what they come to there.
    #[serde(default)]
    terms: BTreeMap<String, BTreeMap<String, String>>,
    /// Regular expressions that lines of `holds` use by a name, which is said back; `{}` is what stands in a hole.
    #[serde(default)]
    patterns: BTreeMap<String, String>,
    rule: Vec<Entry>,
}

/// One rule with the forms that it is told in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    says: Vec<String>,
    /// Sorts of tools, servers or words of tools, one of which must be at hand.
    #[serde(default)]
    tools: String,
    /// Whether somebody is asked instead.
    #[serde(default)]
    asks: bool,
    /// What is done: any of these, or what the hole `{act}` names.
    #[serde(default)]
    does: Vec<String>,
    /// What must hold besides.
    #[serde(default)]
    holds: Vec<String>,
    /// What must not hold: each line is one exception.
    #[serde(default)]
    unless: Vec<String>,
    /// How often that may be, where it is counted.
    #[serde(default)]
    most: String,
    /// Whether it counts only where no other reader knows the build of the sentence.
    #[serde(default)]
    late: bool,
    /// Whether it counts only where no other entry fits.
    #[serde(default)]
    last: bool,
}

struct Stated {
    forms: Vec<Form>,
    entry: Entry,
}

/// All that the tables say.
#[derive(Default)]
struct Tables {
    stated: Vec<Stated>,
    classes: HashMap<String, BTreeSet<String>>,
    patterns: BTreeMap<String, String>,
    terms: HashMap<String, Terms>,
    vocabulary: Vocabulary,
    index: Index,
}

static BUILT_IN: LazyLock<Tables> = LazyLock::new(|| built(TABLES).unwrap_or_default());

fn built(tables: &[(&str, &str)]) -> Result<Tables, String> {
    let read = |(name, text): &(&str, &str)| {
        toml::from_str::<File>(text).map_err(|error| format!("stated/{name}.toml: {error}"))
    };
    let mut files = tables.iter().map(read).collect::<Result<Vec<File>, String>>()?;
    let mut phrases = Phrases::new();
    let mut classes: HashMap<String, BTreeSet<String>> = HashMap::new();
    let mut patterns = BTreeMap::new();
    let mut terms: HashMap<String, Terms> = HashMap::new();
    for file in &mut files {
        patterns.append(&mut file.patterns);
        for (name, known) in std::mem::take(&mut file.terms) {
            let terms = terms.entry(name).or_default();
            known.into_iter().for_each(|(meant, said)| terms.add(meant, &said));
        }
        phrases.append(&mut file.phrases);
        for (name, words) in std::mem::take(&mut file.classes) {
            classes.entry(name).or_default().extend(words.split(' ').map(str::to_lowercase));
        }
    }
    let mut parts = Parts::new(phrases);
    let mut each = |entry: Entry| {
        let forms = entry.says.iter().map(|says| Form::of(says, &mut parts)).collect();
        Stated { forms, entry }
    };
    let stated: Vec<Stated> = files.into_iter().flat_map(|file| file.rule).map(&mut each).collect();
    let (number, vocabulary) = (parts.len(), parts.into_vocabulary());
    let forms = stated.iter().enumerate().map(|(entry, stated)| (entry, stated.forms.as_slice()));
    let index = Index::of(forms, vocabulary.len(), number);
    Ok(Tables { stated, classes, patterns, terms, vocabulary, index })
}

/// The words that may stand in a hole of this name.
fn class(name: &str) -> Option<&'static BTreeSet<String>> {
    BUILT_IN.classes.get(name)
}

/// What phrases of a sort come to, where they stand at the beginning: the longest first. None where there is no such sort.
fn terms(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<(usize, String)>> {
    Some(BUILT_IN.terms.get(sort)?.beginning(tokens, exact))
}

/// Regular expressions by their names, of several that begin alike the longest first.
fn patterns() -> impl Iterator<Item = (&'static String, &'static String)> {
    BUILT_IN.patterns.iter().rev()
}

impl Exact<'_> {
    /// What a clause states that is put in the plainest words, perhaps with a time, a reason or a remark beside it.
    pub(crate) fn stated_plainly(&self, tokens: &[Token]) -> Option<Rules> {
        self.stated_by_table(tokens, false)
    }

    /// The same by forms so general that other readers come first.
    pub(crate) fn stated_late(&self, tokens: &[Token]) -> Option<Rules> {
        self.stated_by_table(tokens, true)
    }

    fn stated_by_table(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let tokens = match tokens.split_last() {
            Some((last, rest)) if matches!(last.shape, Shape::Mark('.' | '!' | ';')) => rest,
            _ => tokens,
        };
        let tokens = words::core(tokens);
        if tokens.len() < 2 || tokens.len() > 40 {
            return None;
        }
        self.stated_whole(tokens, late)
            .or_else(|| self.recast(tokens, late, 2))
            .or_else(|| self.joined(tokens, late))
            .or_else(|| self.peeled(tokens, late, 2))
            .or_else(|| self.spliced(tokens, late))
    }

    /// What a clause states that says several things in one breath.
    fn recast(&self, tokens: &[Token], late: bool, depth: usize) -> Option<Rules> {
        let read = |tokens: &[Token]| {
            let tokens = words::core(tokens);
            self.stated_whole(tokens, late)
                .or_else(|| if depth > 0 { self.recast(tokens, late, depth - 1) } else { None })
                .or_else(|| if depth > 0 { self.several(tokens, late, 3) } else { None })
                .or_else(|| if depth > 0 { self.peeled(tokens, late, 1) } else { None })
        };
        self.listed(tokens, &read)
            .or_else(|| self.and_nothing_else(tokens, &read))
            .or_else(|| self.of_what_was_told(tokens, &read))
            .or_else(|| self.spelled_out(tokens, &read))
            .or_else(|| self.said_closer(tokens, &read))
            .or_else(|| self.turned_round(tokens, &read))
    }

    /// What a clause states that fits forms as it is, or is as near to them as it may be now. Many ways to cut a sentence ask for
    /// the same clause.
    fn stated_whole(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        if tokens.len() > spoken::MOST_WORDS {
            return None;
        }
        let way = (late, self.farthest.get());
        if let Some(known) = self.known_to_state(way, tokens) {
            return known;
        }
        // A sentence can be cut in very many ways; who writes such a one is better off with several.
        self.clauses_left.set(self.clauses_left.get().checked_sub(1)?);
        let rules = self.stated_anew(tokens, way);
        self.stated.borrow_mut().entry(way).or_default().insert(tokens.to_vec(), rules.clone());
        rules
    }

    /// What a clause states, if it was looked up before.
    fn known_to_state(&self, way: (bool, u8), tokens: &[Token]) -> Option<Option<Rules>> {
        self.stated.borrow().get(&way)?.get(tokens).cloned()
    }

    fn stated_anew(&self, tokens: &[Token], (late, farthest): (bool, u8)) -> Option<Rules> {
        let sight = Sight::of(tokens, self, &BUILT_IN.vocabulary);
        let spoken = sight.spoken(&BUILT_IN.index);
        let exactly = match self.known_to_state((late, 0), tokens) {
            Some(known) => known,
            None => self.stated_exactly(&sight, &spoken, late),
        };
        exactly.or_else(|| if farthest > 0 { self.stated_nearly(&sight, &spoken, farthest) } else { None })
    }

    /// What a clause states that fits forms as it is.
    fn stated_exactly(&self, sight: &Sight<'_>, spoken: &Spoken, late: bool) -> Option<Rules> {
        let likely = BUILT_IN.index.likely(spoken);
        let among = |last: bool| {
            let counted = self.counted_among(&likely, |entry| entry.late == late && entry.last == last);
            let forms: Vec<&Form> = counted.iter().map(|(_, form)| *form).collect();
            let found = counted.iter().map(|(likely, _)| *likely).zip(fitting::fits(&forms, sight));
            self.stated_together(found.filter_map(|(likely, holes)| Some((likely, holes?))).collect())
        };
        among(false).or_else(|| among(true))
    }

    /// Of forms that may fit, those of entries that count and that concern what is at hand.
    fn counted_among(
        &self,
        likely: &[Likely],
        counts: impl Fn(&Entry) -> bool,
    ) -> Vec<(Likely, &'static Form)> {
        let counted = |likely: &Likely| {
            let stated = BUILT_IN.stated.get(likely.entry())?;
            let is_counted = counts(&stated.entry) && self.concerns_hand(likely.entry(), &stated.entry.tools);
            is_counted.then_some((*likely, stated.forms.get(likely.form())?))
        };
        likely.iter().filter_map(counted).collect()
    }

    /// What all entries state together that have forms which fit: of several forms of one entry, the first counts.
    fn stated_together(&self, mut fitting: Vec<(Likely, Holes)>) -> Option<Rules> {
        fitting.sort_by_key(|(likely, _)| (likely.entry(), likely.form()));
        fitting.dedup_by_key(|(likely, _)| likely.entry());
        let mut all = Rules::new();
        for (likely, holes) in fitting {
            let stated = BUILT_IN.stated.get(likely.entry());
            if let Some(mut new) = stated.and_then(|stated| self.meant(&stated.entry, &holes)) {
                new.retain(|(_, case)| !is_unshown(case, self.hand));
                all.extend(new.into_iter().filter(|rule| !all.contains(rule)).collect::<Rules>());
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// The ways to fill holes with words, as far as they were looked for.
    fn ways_of(&self, tokens: &[Token]) -> Rc<Ways> {
        if let Some(known) = self.ways.borrow().get(tokens) {
            return Rc::clone(known);
        }
        let ways = Rc::new(Ways::default());
        self.ways.borrow_mut().insert(tokens.to_vec(), Rc::clone(&ways));
        ways
    }

    /// What a sentence states that is nearly put in the plainest words.
    pub(crate) fn nearly(&self, tokens: &[Token]) -> Option<Rules> {
        let found = (1..=FARTHEST).find_map(|farthest| {
            self.farthest.set(farthest);
            self.clauses_left.set(MOST_CLAUSES);
            let rules = self.stated_by_table(tokens, false)?;
            let is_broad = rules.iter().any(|(_, case)| reworded::is_broad(case));
            // "Only create events" is not nearly "creating events is mine only".
            let is_only = tokens.first().is_some_and(|first| matches!(first.low.as_str(), "only" | "just"));
            if is_only && !rules.iter().any(|(_, case)| guard::is_otherwise(case)) {
                return None;
            }
            (!is_broad && !guard::is_turned(tokens, &rules)).then_some(rules)
        });
        self.farthest.set(0);
        found
    }

    /// What a clause states that is as near to forms as it may be now.
    fn stated_nearly(&self, sight: &Sight<'_>, spoken: &Spoken, farthest: u8) -> Option<Rules> {
        (sight.len() > 2).then_some(())?;
        let counted = self.counted_among(&BUILT_IN.index.nearly(spoken, farthest), |_| true);
        let near =
            counted.into_iter().filter_map(|(likely, form)| Some((likely, form.near(sight, farthest)?)));
        self.stated_together(near.collect())
    }

    /// The places that words name, if they name nothing else. Many forms ask for the same words.
    fn places_named(&self, tokens: &[Token]) -> Option<Vec<Place>> {
        if let Some(known) = self.named.borrow().get(tokens) {
            return known.clone();
        }
        let places = self.one_place(tokens);
        self.named.borrow_mut().insert(tokens.to_vec(), places.clone());
        places
    }

    /// The same, if all of it is one condition: "photos in pics/" is neither all photos nor all of the folder.
    fn one_place(&self, tokens: &[Token]) -> Option<Vec<Place>> {
        // "change anything in docs/" and "erasing files in docs/" are no places, whatever they end with.
        let is_told = |pair: &[Token]| match pair {
            [first, next] => {
                let is_all = matches!(
                    next.low.as_str(),
                    "anything" | "nothing" | "something" | "everything" | "things"
                );
                let is_done = first.low.ends_with("ing")
                    && matches!(
                        next.low.as_str(),
                        "in" | "from" | "files" | "file" | "under" | "inside" | "to" | "any"
                    );
                is_done || (is_all && self.lexicon.is_wish(std::slice::from_ref(first)))
            }
            _ => false,
        };
        if tokens.windows(2).take(1).any(is_told) {
            return None;
        }
        let used = super::told::turned::word("use");
        let said: Vec<Token> = std::iter::once(used).chain(words::bare(tokens).iter().cloned()).collect();
        let (_, tests) = self.loosely(&said)?;
        match tests.as_slice() {
            [Test::Place { side: Side::Object, places, inside: true }] => {
                let is_kind = places.iter().any(|place| matches!(place, Place::Kind(_)));
                (!is_kind && !places.is_empty()).then(|| places.clone())
            }
            _ => None,
        }
    }

    /// Whether tools are at hand that an entry is about. Every clause of a sentence asks for it.
    fn concerns_hand(&self, entry: usize, tools: &str) -> bool {
        if tools.is_empty() {
            return true;
        }
        if let Some(Some(known)) = self.at_hand.borrow().get(entry) {
            return *known;
        }
        let has = self.has_tools(tools);
        let mut at_hand = self.at_hand.borrow_mut();
        if at_hand.len() <= entry {
            at_hand.resize(BUILT_IN.stated.len(), None);
        }
        if let Some(known) = at_hand.get_mut(entry) {
            *known = Some(has);
        }
        has
    }

    fn has_tools(&self, tools: &str) -> bool {
        tools.is_empty()
            || (tools == "own" && !self.hand.own_tools().is_empty())
            || tools
                .split(' ')
                .any(|word| self.hand.has_tool_word(word) || self.hand.has_server(word) || self.is_sort(word))
            // Notes in a vault have folders and names as files have.
            || (tools.split(' ').any(|word| word == "filesystem") && self.hand.has_own_paths())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_table_can_be_read() {
        let tables = built(TABLES).unwrap();
        // "@mentions" is a word that people write.
        let is_name = |word: &&String| word.starts_with('@') && word.len() > 1 && !word.contains("mention");
        let unknown: Vec<&String> = tables.vocabulary.words().filter(is_name).collect();
        assert!(unknown.is_empty(), "phrases that nobody wrote down: {unknown:?}");
        for stated in &tables.stated {
            assert!(!stated.forms.is_empty(), "{:?}", stated.entry.says);
            let unless = stated.entry.unless.iter().flat_map(|lines| lines.split(" ; "));
            for held in stated.entry.holds.iter().map(String::as_str).chain(unless) {
                assert!(meant::is_known(held), "{held}");
            }
        }
    }

    #[test]
    fn no_name_means_two_things() {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for (name, text) in TABLES {
            let file: File = toml::from_str(text).unwrap();
            let phrases = file.phrases.into_keys().map(|phrase| format!("@{phrase}"));
            for named in phrases.chain(file.patterns.into_keys()) {
                let before = known.insert(named.clone(), name);
                assert_eq!(before, None, "`{named}` stands in {name}.toml once more");
            }
        }
    }
}
