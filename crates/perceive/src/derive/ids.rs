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

/// What makes one of several arguments the one that a call is about, the weightiest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank {
    depth: Depth,
    /// Whether its own name says that it is an id, and not only a name or a number.
    is_id: bool,
    /// Whether the tool's name ends with it: in `delete_user_policy` the policy counts.
    is_last: bool,
    is_required: bool,
    index: usize,
}

/// The arguments that name what the call is about, the innermost first.
pub(super) fn ranked(properties: &[&Property], told: &Told, vocabulary: &Vocabulary) -> Vec<ArgumentPath> {
    let about = About::of(told);
    let rank = |depth, index: usize, property: &Property| Rank {
        depth,
        is_last: !about.creates && about.ends_with(property),
        is_required: property.required,
        is_id: property.words.iter().any(|word| is_id(word)),
        index,
    };
    let mut found: Vec<Rank> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        found.extend(depth(property, &about, vocabulary).map(|depth| rank(depth, index, property)));
    }
    about.leave_out_attached(&mut found, properties);
    leave_out_nodes(&mut found, properties);
    if !found.iter().any(|rank| rank.is_required) {
        // Nothing else is always there, so it is about somebody or something that usually only goes with it.
        for (index, property) in properties.iter().enumerate().filter(|(_, one)| is_companion(one)) {
            found.push(rank(Depth::Part, index, property));
        }
    }
    if found.is_empty() {
        // The only id there is, whatever it is of.
        let ids: Vec<usize> = (0..properties.len())
            .filter(|at| properties.get(*at).is_some_and(|one| is_any_id(one, vocabulary)))
            .collect();
        if let ([index], Some(property)) = (ids.as_slice(), ids.first().and_then(|at| properties.get(*at))) {
            found.push(rank(Depth::Item, *index, property));
        }
    }
    found.sort_by(|one, other| other.cmp(one));
    found.dedup_by_key(|rank| rank.index);
    found.into_iter().filter_map(|rank| properties.get(rank.index)).map(|property| property.path()).collect()
}

/// What lies in a file is named by the file.
fn leave_out_nodes(found: &mut Vec<Rank>, properties: &[&Property]) {
    let says = |rank: &Rank, list: &[&str]| {
        let property = properties.get(rank.index);
        property.is_some_and(|property| property.words.iter().any(|word| list.contains(&singular(word))))
    };
    if found.iter().any(|rank| rank.is_required && says(rank, &["file", "document", "workbook", "design"])) {
        found.retain(|rank| !says(rank, &["node", "layer", "frame", "element"]));
    }
}

/// What a tool is about, as far as it matters for its ids.
struct About<'t> {
    words: Vec<&'t str>,
    creates: bool,
    changes: bool,
    spawns: bool,
    /// Whether several things are shown.
    lists: bool,
}

impl About<'_> {
    fn of(told: &Told) -> About<'_> {
        let changes = told.manners.contains(&Manner::Change);
        let several = told.words.last().is_some_and(|word| singular(word) != word);
        About {
            words: told.words.iter().map(|word| singular(word)).collect(),
            creates: told.creates(),
            changes,
            spawns: told.manners.contains(&Manner::Spawn),
            lists: told.only_looks() && (several || told.manners.contains(&Manner::List)),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word) && !self.creates
    }

    /// What a bare `name` is: that of something that holds others, be it new, or that of what is there already. Other new
    /// things are named by what holds them, and a name that may be left out is one that is given.
    fn named(&self, property: &Property, vocabulary: &Vocabulary) -> Option<Depth> {
        let is_holder = |word: &&str| depth_of(word, vocabulary).is_some_and(|depth| depth < Depth::Name);
        match (self.creates, self.changes && !property.required) {
            (true, _) => self.words.iter().any(is_holder).then_some(Depth::NewName),
            (false, true) => None,
            (false, false) => Some(Depth::Name),
        }
    }

    /// What is attached to something (`attach_user_policy`) is not what the call is about; that is what gets it.
    fn leave_out_attached(&self, found: &mut Vec<Rank>, properties: &[&Property]) {
        let attaches = matches!(self.words.first(), Some(&("attach" | "detach")));
        if !attaches || self.words.iter().any(|word| matches!(*word, "to" | "from")) {
            return;
        }
        let is_attached =
            |rank: &Rank| properties.get(rank.index).is_some_and(|property| self.ends_with(property));
        if !found.iter().all(is_attached) {
            found.retain(|rank| !is_attached(rank));
        }
    }

    fn ends_with(&self, property: &Property) -> bool {
        let last = self.words.last();
        last.is_some_and(|last| property.words.iter().any(|word| singular(word) == *last))
    }
}

fn is_id(word: &str) -> bool {
    matches!(word, "id" | "ids" | "gid" | "iid" | "uid" | "uuid" | "guid" | "arn" | "identifier")
}

/// Whether its name ends as those of ids do.
fn is_any_id(property: &Property, vocabulary: &Vocabulary) -> bool {
    property.is_plain()
        && !property.is_flag()
        && property.values.is_empty()
        && property.words.len() > 1
        && property.words.last().is_some_and(|word| is_id(word))
        && !has_any(&vocabulary.ids.never, &property.words)
}

/// Whether it is an id that has to be given, of something that has things or does them.
fn is_companion(property: &Property) -> bool {
    let is_owner = |word: &String| {
        let owners =
            ["user", "member", "account", "company", "employee", "session", "team", "container", "epic"];
        owners.contains(&singular(word))
    };
    let has_id =
        property.words.iter().any(|word| is_id(word) || matches!(word.as_str(), "name" | "key" | "slug"));
    property.required
        && property.is_plain()
        && !property.is_flag()
        && property.values.is_empty()
        && property.words.len() == 2
        && has_id
        && property.words.first().is_some_and(is_owner)
}

fn depth(property: &Property, about: &About<'_>, vocabulary: &Vocabulary) -> Option<Depth> {
    let ids = &vocabulary.ids;
    let plain = plain_words(property, about.creates, vocabulary);
    if has(&ids.kinds, &property.name.replace(['_', '-'], "").to_lowercase()) && property.is_text() {
        return Some(Depth::Kind);
    }
    // A list of ids names no one thing.
    if !property.is_plain() || property.is_flag() || !property.values.is_empty() {
        return None;
    }
    // A container is made of an image, and is another thing; and an index with a name holds documents.
    match property.words.as_slice() {
        [word] if word == "image" && about.spawns => return None,
        [word] if word == "index" && property.is_text() && !property.kinds.is_empty() => {
            return Some(Depth::Holder);
        }
        _ => {}
    }
    if has_any(&ids.never, &plain) || is_filter(property, &plain, about, vocabulary) {
        return None;
    }
    if plain.iter().any(|word| has(&ids.seldom, word) && !about.has(word)) {
        return None;
    }
    let has_mark = has_any(&ids.marks, &property.words) || has_any(&ids.marks, &plain) || says_id(property);
    let nouns: Vec<&String> = plain.iter().filter(|word| !has(&ids.marks, word) && *word != "or").collect();
    match nouns.as_slice() {
        [] if plain.len() == 1 && plain.first().is_some_and(|word| word == "name") => {
            about.named(property, vocabulary)
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
                .or_else(|| (has_mark && nouns.iter().any(|noun| about.has(noun))).then_some(Depth::Item))
        }
    }
}

/// Whether an argument chooses among what is listed, and names nothing: a name or a number that may be left out.
fn is_filter(property: &Property, plain: &[String], about: &About<'_>, vocabulary: &Vocabulary) -> bool {
    let chooses = |word: &String| matches!(word.as_str(), "name" | "number" | "slug" | "title" | "key");
    let has_id = property.words.iter().any(|word| is_id(word));
    // What holds the listed things is where they are looked for.
    let holds = plain.iter().filter_map(|word| depth_of(word, vocabulary)).any(|depth| depth < Depth::Name);
    about.lists && !property.required && !has_id && !holds && property.words.last().is_some_and(chooses)
}

/// Whether the description says that it is the name or the id of something.
fn says_id(property: &Property) -> bool {
    let text = property.description.trim_start().trim_start_matches("the ");
    let starts =
        ["name of the ", "id of the ", "identifier of the ", "name of an existing ", "id or name of the "];
    property.is_text() && starts.iter().any(|start| text.starts_with(start))
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
    if (creates || property.required) && plain.len() > 2 {
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
