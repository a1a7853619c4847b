//! The phrases that name acts, and whether the tools at hand can do them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{alike, joined};
use crate::action::{Action, Actions};
use crate::english::lexicon::{bases, word_bases};
use crate::english::token::{Shape, Token};
use crate::hand::Hand;
use crate::names;

/// Words inside of a phrase that change nothing.
const LIGHT: &[&str] = &["a", "an", "the", "any", "my", "our", "your", "all", "some", "these", "those", "us"];

/// Words of a phrase in all their forms, and the number of its act.
type Alike = (Vec<Vec<String>>, usize);

/// Phrases by their first word, each with the number of its act.
pub(in crate::english::exact) struct Table {
    named: BTreeMap<String, Vec<Alike>>,
    /// The same by words that others may stand for.
    alike: BTreeMap<String, Vec<Alike>>,
    /// Clauses that state a ban by themselves.
    kept: BTreeMap<String, Vec<usize>>,
    /// What is said of things that must not be so.
    predicates: Vec<(String, usize)>,
    actions: &'static Actions,
}

static BUILT_IN: LazyLock<Option<Table>> = LazyLock::new(|| {
    let actions = Actions::built_in().ok()?;
    let mut table = Table {
        named: BTreeMap::new(),
        alike: BTreeMap::new(),
        kept: BTreeMap::new(),
        predicates: Vec::new(),
        actions,
    };
    for (number, action) in actions.iter().enumerate().filter(|(_, action)| action.is_exact) {
        for phrase in action.verbs.iter().chain(&action.nouns) {
            let words: Vec<String> =
                phrase.split(' ').filter(|word| !LIGHT.contains(word)).map(str::to_owned).collect();
            let Some(first) = words.first().cloned() else { continue };
            let forms: Vec<Vec<String>> = words.iter().map(|word| word_bases(word)).collect();
            let key = alike::key(&forms);
            for form in key.first().into_iter().flatten() {
                table.alike.entry(form.clone()).or_default().push((key.clone(), number));
            }
            table.named.entry(first).or_default().push((own_forms(words, forms), number));
        }
        table.predicates.extend(action.predicates.iter().map(|phrase| (phrase.clone(), number)));
        for clause in &action.keeps {
            let clause = clause.to_lowercase().replace(',', " ,");
            table.kept.entry(clause).or_default().push(number);
        }
    }
    Some(table)
});

impl Table {
    pub(in crate::english::exact) fn built_in() -> Option<&'static Table> {
        BUILT_IN.as_ref()
    }

    /// The acts that these words name, if all of them do; perhaps with a verb that says the same.
    pub(in crate::english::exact) fn named(&self, tokens: &[Token], hand: &Hand) -> Vec<String> {
        let found = self.named_so(&heavy(tokens), hand);
        if !found.is_empty() || tokens.len() < 2 {
            return found;
        }
        if is_open(tokens.iter().map(|token| token.low.as_str())) {
            return found;
        }
        let others = super::verbs::others(tokens);
        let with = |(verb, rest): &(&str, &[Token])| {
            let front = verb.split(' ').map(word_bases);
            self.named_so(&front.chain(heavy(rest)).collect::<Vec<_>>(), hand)
        };
        others.iter().map(with).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The acts that words name which are given in all their forms.
    fn named_so(&self, heavy: &[Vec<String>], hand: &Hand) -> Vec<String> {
        let Some(first) = heavy.first() else { return Vec::new() };
        let fits = |words: &[Vec<String>]| {
            words.len() == heavy.len()
                && words.iter().zip(heavy).all(|(own, forms)| own.iter().any(|own| forms.contains(own)))
        };
        let candidates = first.iter().filter_map(|form| self.named.get(form)).flatten();
        let plural = first.iter().flat_map(|form| self.plural(form));
        let found = candidates.chain(plural).filter(|(words, _)| fits(words)).map(|(_, number)| *number);
        let acts = self.grounded(found, hand);
        if acts.is_empty() { self.named_alike(heavy, hand) } else { acts }
    }

    /// The acts that other words for the same name.
    fn named_alike(&self, said: &[Vec<String>], hand: &Hand) -> Vec<String> {
        if is_open(said.iter().flatten().map(String::as_str)) {
            return Vec::new();
        }
        let key = alike::key(said);
        // A single word stands for itself alone.
        let first = key.first().filter(|_| key.len() > 1).into_iter().flatten();
        let known = first.filter_map(|form| self.alike.get(form)).flatten();
        let found = known.filter(|(own, _)| alike::are_alike(own, &key));
        self.grounded(found.map(|(_, number)| *number), hand)
    }

    /// Phrases whose first word is the plural of this one.
    fn plural(&self, form: &str) -> impl Iterator<Item = &Alike> {
        self.named.get(&format!("{form}s")).into_iter().flatten()
    }

    /// The acts that a verb in the passive names with what it is done to: "issues … assigned to anybody".
    pub(super) fn done(&self, verb: &[Token], object: &[Token], hand: &Hand) -> Vec<String> {
        let (front, rest) = verb.split_at(verb.len().min(1));
        let orders = [joined(&[verb, object]), joined(&[front, object, rest])];
        let found = orders.iter().map(|words| self.named(words, hand)).find(|found| !found.is_empty());
        found.unwrap_or_default()
    }

    /// What is said of a thing at the end of these words, with the words before it.
    pub(super) fn predicated<'t>(
        &self,
        tokens: &'t [Token],
        hand: &Hand,
    ) -> Option<(&'t [Token], Vec<String>)> {
        let ends = |phrase: &str| {
            crate::english::exact::words::strip_end(tokens, &[phrase]).filter(|front| !front.is_empty())
        };
        let found = self.predicates.iter().filter_map(|(phrase, number)| Some((ends(phrase)?, *number)));
        let (subject, number) = found.min_by_key(|(subject, _)| subject.len())?;
        let acts = self.grounded(std::iter::once(number), hand);
        (!acts.is_empty()).then_some((subject, acts))
    }

    /// The acts that a clause bans by itself.
    pub(super) fn kept(&self, tokens: &[Token], hand: &Hand) -> Option<Vec<String>> {
        let said = tokens.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        let acts = self.grounded(self.kept.get(&said)?.iter().copied(), hand);
        (!acts.is_empty()).then_some(acts)
    }

    /// Whether the tools at hand can do what is called so.
    pub(in crate::english::exact) fn can_do(&self, name: &str, hand: &Hand) -> bool {
        self.actions.iter().any(|action| action.name == name && (!action.is_exact || can(action, hand)))
    }

    /// Those that the tools at hand can do.
    fn grounded(&self, numbers: impl Iterator<Item = usize>, hand: &Hand) -> Vec<String> {
        let mut acts: Vec<String> = numbers
            .filter_map(|number| self.actions.get(number))
            .filter(|action| can(action, hand))
            .map(|action| action.name.clone())
            .collect();
        acts.sort();
        acts.dedup();
        acts
    }
}

/// The words that count, each in all its forms.
fn heavy(tokens: &[Token]) -> Vec<Vec<String>> {
    let is_light = |token: &&Token| token.shape == Shape::Word && LIGHT.contains(&token.low.as_str());
    tokens.iter().filter(|token| !is_light(token)).map(forms).collect()
}

/// A word as it stands and in its other forms.
fn forms(token: &Token) -> Vec<String> {
    let mut forms = bases(token);
    if !forms.contains(&token.text) {
        forms.push(token.text.clone());
    }
    forms
}

/// The forms in which words of a phrase are said. Words in capitals stand for themselves.
fn own_forms(words: Vec<String>, forms: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let own = |(word, forms): (String, Vec<String>)| match word.chars().any(char::is_uppercase) {
        true => vec![word],
        false => forms,
    };
    words.into_iter().zip(forms).map(own).collect()
}

/// Whether a tool at hand can do this: otherwise the rule would never be broken.
fn can(action: &Action, hand: &Hand) -> bool {
    let sql =
        || ["sql", "statement"].iter().any(|word| hand.has_parameter(word)) || hand.has_tool_word("query");
    if action.needs == "sql" {
        return sql();
    }
    let has_tool = |set: &String| {
        let words: Vec<String> = set.split(' ').map(str::to_owned).collect();
        hand.has_tool_about(&words)
    };
    let has_argument = |name: &str| names::words(name).iter().all(|word| hand.has_parameter(word));
    let is_among = || action.among.is_empty() || action.among.iter().any(has_tool);
    let commands = !action.commands.is_empty()
        || !action.lines.is_empty()
        || !action.methods.is_empty()
        || action.renames
        || action.relocates;
    (commands && hand.runs_commands())
        || action.tools.iter().any(has_tool)
        || (!action.methods.is_empty() && hand.has_parameter("method"))
        || (action.given.iter().any(|word| hand.has_parameter(word)) && is_among())
        || (action.settings.iter().any(|setting| setting.split('=').next().is_some_and(has_argument))
            && is_among())
        || (!action.elements.is_empty() && (hand.has_tool_word("click") || hand.has_tool_word("fill")))
        || ((action.renames || action.relocates) && hand.has_tool_word("move"))
        || (!action.urls.is_empty() && hand.has_web())
        || (!action.texts.is_empty()
            && ["text", "body", "message", "to"].iter().any(|word| hand.has_parameter(word)))
}

/// Whether words name no thing of their own: "deleting anything" is more than to drop a table, though both are said with
/// verbs of the same meaning.
fn is_open<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.any(|word| {
        matches!(
            word,
            "anything" | "something" | "everything" | "nothing" | "things" | "stuff" | "it" | "them" | "data"
        )
    })
}
