//! Which argument a call is about: the innermost thing that it names.

use super::definition::Property;
use super::manner::{Manner, Told};
use super::vocabulary::{Vocabulary, has, has_any};
use super::words::singular;
use crate::profile::ArgumentPath;

/// How far inside a thing lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Depth {
    NewName,
    Organisation,
    Project,
    Holder,
    Name,
    Item,
    Part,
    /// Objects of one kind are named by their kind.
    Kind,
}

/// The arguments that name what the call is about, the innermost first.
pub(super) fn ranked(properties: &[&Property], told: &Told, vocabulary: &Vocabulary) -> Vec<ArgumentPath> {
    let mut found: Vec<(Depth, bool, usize)> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        if let Some(depth) = depth(property, told, vocabulary) {
            found.push((depth, !property.is_plain_list, index));
        }
    }
    found.sort_by(|one, other| other.cmp(one));
    found
        .into_iter()
        .filter_map(|(_, _, index)| properties.get(index))
        .map(|property| property.path())
        .collect()
}

fn depth(property: &Property, told: &Told, vocabulary: &Vocabulary) -> Option<Depth> {
    let ids = &vocabulary.ids;
    let creates = told.manners.contains(&Manner::Change) && told.words.iter().any(|word| word == "create");
    let changes = told.manners.contains(&Manner::Change);
    let plain = plain_words(property, creates, vocabulary);
    if has(&ids.kinds, &property.name.replace(['_', '-'], "").to_lowercase()) && property.is_text() {
        return Some(Depth::Kind);
    }
    let is_list_of_ids =
        property.is_plain_list && property.words.last().is_some_and(|word| word.ends_with("ids"));
    if !(property.is_plain() && !property.is_flag() || is_list_of_ids) || !property.values.is_empty() {
        return None;
    }
    if has_any(&ids.never, &plain) {
        return None;
    }
    let about: Vec<&str> = told.words.iter().map(|word| singular(word)).collect();
    let is_about = |word: &String| about.contains(&word.as_str()) && !creates;
    if plain
        .iter()
        .any(|word| has(&ids.seldom, word) && plain.len() > usize::from(word == "key") && !is_about(word))
    {
        return None;
    }
    let has_mark = has_any(&ids.marks, &property.words) || has_any(&ids.marks, &plain);
    let nouns: Vec<&String> = plain.iter().filter(|word| !has(&ids.marks, word) && *word != "or").collect();
    match nouns.as_slice() {
        [] if plain.len() == 1 && plain.first().is_some_and(|word| word == "name") => {
            Some(if changes { Depth::NewName } else { Depth::Name })
        }
        [] if has_mark => Some(Depth::Item),
        [] => None,
        nouns => {
            let depth = nouns.iter().filter_map(|noun| depth_of(noun, vocabulary)).max();
            // A message is what is said, a message's id is what it is said about.
            let is_text = has_any(&vocabulary.arguments.text, &property.words);
            let is_number_of = property.words.last().is_some_and(|word| word == "number");
            depth
                .or_else(|| nouns.iter().any(|noun| has(&ids.seldom, noun)).then_some(Depth::Item))
                .filter(|depth| {
                    let is_thing = *depth < Depth::Item || *depth == Depth::Item && property.required;
                    has_mark
                        || nouns.len() == 1 && property.is_text() && is_thing && !is_number_of && !is_text
                })
                .or_else(|| (has_mark && nouns.iter().any(|noun| is_about(noun))).then_some(Depth::Item))
        }
    }
}

/// The words of an argument's name: each for one thing, `hostname` taken apart. What something new is put under is what
/// holds it.
fn plain_words(property: &Property, creates: bool, vocabulary: &Vocabulary) -> Vec<String> {
    let mut plain = Vec::new();
    for word in &property.words {
        let word = singular(word);
        let parts = ["name", "id"].iter().find_map(|mark| Some((word.strip_suffix(mark)?, *mark)));
        match parts.filter(|(noun, _)| depth_of(noun, vocabulary).is_some()) {
            Some((noun, mark)) => plain.extend([noun.to_owned(), mark.to_owned()]),
            None => plain.push(word.to_owned()),
        }
    }
    // A merge request is a thing of its own.
    if plain.iter().any(|word| matches!(word.as_str(), "merge" | "pull" | "change")) {
        plain.retain(|word| word != "request");
    }
    if creates && plain.len() > 2 {
        plain.retain(|word| word != "parent");
    }
    plain
}

fn depth_of(noun: &str, vocabulary: &Vocabulary) -> Option<Depth> {
    let ids = &vocabulary.ids;
    let lists = [
        (&ids.part, Depth::Part),
        (&ids.item, Depth::Item),
        (&ids.holder, Depth::Holder),
        (&ids.project, Depth::Project),
        (&ids.organisation, Depth::Organisation),
    ];
    lists.iter().find(|(words, _)| has(words, noun)).map(|(_, depth)| *depth)
}
