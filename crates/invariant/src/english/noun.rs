//! Nouns: what a rule is about, with the names and adjectives around it.

mod kinds;
mod literals;

pub(crate) use literals::{branch, path_place, path_places};

use super::chunk::{Chunk, Literal, Piece};
use super::lexicon::{Lexicon, Thing};
use crate::hand::Hand;
use crate::meaning::Place;
use crate::names;

/// A noun with everything that belongs to it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Noun {
    /// What kind of thing it is, where the words say it.
    pub(crate) kind: String,
    /// The places that it names.
    pub(crate) places: Vec<Place>,
    /// What it may be: external, public.
    pub(crate) adjectives: Vec<Place>,
    /// Names that may mean a place, a text or a value.
    pub(crate) names: Vec<String>,
    /// What text can hold.
    pub(crate) content: Option<String>,
    /// An argument that is given.
    pub(crate) given: Option<String>,
    /// An argument that is meant.
    pub(crate) parameter: Option<String>,
    /// Tools by their full names.
    pub(crate) tools: Vec<String>,
    /// Literals that are no places: flags, emoji, mentions, quoted text, numbers.
    pub(crate) literals: Vec<Literal>,
    /// What tools call it.
    pub(crate) tool: Option<String>,
    /// A program and the words behind it.
    pub(crate) command: Vec<String>,
    /// Paths as they are written: in rules about pushes they are branches.
    pub(crate) paths: Vec<String>,
    pub(crate) branches: Vec<String>,
    /// An action that is said with a noun, by its number.
    pub(crate) act: Option<usize>,
    pub(crate) act_words: Vec<String>,
    /// The words of the noun, for tools that have them in their names.
    pub(crate) words: Vec<String>,
    /// An action that must not show.
    pub(crate) not_did: Option<String>,
    pub(crate) unit: String,
    /// Values that an argument may have: `public-read`, `public-read-write`.
    pub(crate) values: Vec<String>,
    /// An argument and the value that it has.
    pub(crate) setting: Option<(String, String)>,
    pub(crate) unknown: Vec<String>,
    /// An id stands behind it in brackets.
    pub(crate) has_ids: bool,
    /// It lies outside of what it names.
    pub(crate) is_outside: bool,
    /// "it", "them": what was named before.
    pub(crate) is_it: bool,
    /// "other channels": not the one that was named before.
    pub(crate) is_other: bool,
    /// "anything", "everything".
    pub(crate) is_anything: bool,
    pub(crate) is_everything: bool,
}

/// Reads a noun at the beginning of these pieces, and says how many it takes.
pub(crate) fn read(pieces: &[Piece], lexicon: &Lexicon, hand: &Hand) -> (Noun, usize) {
    let mut noun = Noun::default();
    let mut named: Vec<Name> = Vec::new();
    let mut at = 0;
    let mut head: Option<Thing> = None;
    while let Some(piece) = pieces.get(at) {
        let next = next_thing(pieces.get(at + 1..), lexicon);
        match &piece.chunk {
            Chunk::Literal(literal) => named.push(Name::Literal(literal.clone())),
            Chunk::Name(name) => named.push(Name::Word(name.clone())),
            Chunk::Word(word) => named.push(Name::Word(word.clone())),
            // "the events table": the word in front of a thing that takes a name is its name.
            Chunk::Act(_) | Chunk::Verb(_) | Chunk::Thing(_)
                if next.is_some_and(|next| {
                    next.takes_name
                        && !is_adjective(piece, lexicon)
                        && !pieces.get(at + 1).is_some_and(is_anything)
                        && can_name(piece, next, lexicon)
                }) =>
            {
                named.push(Name::Word(piece.text.to_lowercase()));
            }
            Chunk::Act(number) => {
                if noun.act.is_some() {
                    break;
                }
                noun.act = Some(*number);
                noun.act_words = names::words(&piece.text);
                at += 1;
                break;
            }
            Chunk::Thing(number) => {
                let Some(thing) = lexicon.thing(*number) else { break };
                if thing.adjective {
                    adjective(thing, &piece.text.to_lowercase(), hand, &mut noun);
                } else {
                    noun.words = names::words(&piece.text);
                    head = Some(thing.clone());
                    noun.is_anything = thing.kind == "anything";
                    noun.is_everything =
                        matches!(piece.text.to_lowercase().as_str(), "everything" | "all of it" | "all");
                    at += 1;
                    break;
                }
            }
            _ => break,
        }
        at += 1;
        if next.is_none() && ends_name(pieces.get(at)) {
            break;
        }
    }
    at += behind(pieces.get(at..).unwrap_or_default(), head.as_ref(), &mut named);
    at += brackets(pieces.get(at..).unwrap_or_default(), &mut named, &mut noun);
    settle(&mut noun, head, named, hand);
    (noun, at.max(1))
}

/// Words in a row belong together only where a thing follows that takes them as its name, or a sample of it.
fn ends_name(piece: Option<&Piece>) -> bool {
    !matches!(
        piece.map(|piece| &piece.chunk),
        Some(
            Chunk::Word(_)
                | Chunk::Name(_)
                | Chunk::Thing(_)
                | Chunk::Act(_)
                | Chunk::Literal(Literal::Like(_))
        )
    )
}

/// What a thing is called.
#[derive(Clone, PartialEq, Debug)]
enum Name {
    Literal(Literal),
    Word(String),
}

fn next_thing<'l>(pieces: Option<&[Piece]>, lexicon: &'l Lexicon) -> Option<&'l Thing> {
    let mut after = pieces.unwrap_or_default().iter();
    loop {
        match &after.next()?.chunk {
            Chunk::Thing(number) => {
                let thing = lexicon.thing(*number)?;
                if !thing.adjective {
                    return Some(thing);
                }
            }
            Chunk::Word(_) | Chunk::Name(_) => {}
            _ => return None,
        }
    }
}

/// "deletes something" names nothing.
fn is_anything(piece: &Piece) -> bool {
    matches!(piece.text.to_lowercase().as_str(), "anything" | "something" | "everything" | "things" | "stuff")
}

fn is_adjective(piece: &Piece, lexicon: &Lexicon) -> bool {
    match piece.chunk {
        Chunk::Thing(number) => lexicon.thing(number).is_some_and(|thing| thing.adjective),
        _ => false,
    }
}

/// "image files" are images, and "the project folder" is the project.
fn can_name(piece: &Piece, next: &Thing, lexicon: &Lexicon) -> bool {
    match piece.chunk {
        Chunk::Act(_) => piece.text.to_lowercase() != "new",
        Chunk::Thing(number) => lexicon.thing(number).is_some_and(|thing| {
            thing.place.is_empty()
                && thing.ends.is_empty()
                && thing.names.is_empty()
                && thing.kind != "anything"
                && !(thing.kind == "person"
                    && next.kind != "anything"
                    && next.kind != "file"
                    && next.kind != "table")
        }),
        _ => true,
    }
}

fn adjective(thing: &Thing, word: &str, hand: &Hand, noun: &mut Noun) {
    // "internal comments", where a tool has an argument of that name; "public objects", where `public-read` is a value.
    if hand.has_parameter(word) {
        noun.given = Some(word.to_owned());
        return;
    }
    noun.values = hand.own_choices(word);
    if !noun.values.is_empty() {
        return;
    }
    if let Some(place) = session_place(&thing.place, hand) {
        noun.adjectives.push(place);
    }
}

fn session_place(place: &str, hand: &Hand) -> Option<Place> {
    Some(match place {
        "workspace" => workspace(hand),
        "home" => Place::Path(hand.layout.home.clone()),
        "machine" => Place::Local,
        "internal" => Place::Internal,
        "external" => Place::External,
        "public" => Place::Public,
        "top level" => Place::TopLevel,
        "hidden" => Place::Hidden,
        "plain http" => Place::PlainHttp,
        "loopback" => Place::Domain("localhost".to_owned()),
        _ => return None,
    })
}

pub(crate) fn workspace(hand: &Hand) -> Place {
    Place::Path(if hand.layout.workspace.is_empty() { "/".to_owned() } else { hand.layout.workspace.clone() })
}

/// A name behind a thing: "branch main", "the code name Nightjar".
fn behind(pieces: &[Piece], head: Option<&Thing>, named: &mut Vec<Name>) -> usize {
    let takes = head.is_some_and(|head| head.takes_name) && named.is_empty();
    let is_free = head.is_none_or(|head| head.kind == "anything");
    match pieces.first().map(|piece| &piece.chunk) {
        Some(Chunk::Literal(literal)) if takes && !is_free => {
            named.push(Name::Literal(literal.clone()));
            1
        }
        Some(Chunk::Name(name)) if takes && !is_free => {
            named.push(Name::Word(name.clone()));
            1
        }
        // "the branch release", "the table orders"
        Some(Chunk::Act(_) | Chunk::Word(_) | Chunk::Verb(_) | Chunk::Thing(_))
            if takes
                && !pieces.first().is_some_and(is_head)
                && head.is_some_and(|head| matches!(head.kind.as_str(), "branch" | "table" | "database")) =>
        {
            let text = pieces.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
            named.push(Name::Word(text));
            1
        }
        _ => 0,
    }
}

/// Words that make another noun of the one before: "the database container".
fn is_head(piece: &Piece) -> bool {
    const HEADS: &[&str] = &[
        "container",
        "containers",
        "server",
        "servers",
        "connection",
        "connections",
        "password",
        "passwords",
        "backup",
        "backups",
        "dump",
        "dumps",
        "schema",
        "host",
        "user",
        "admin",
        "migration",
        "migrations",
        "rows",
        "row",
        "records",
    ];
    HEADS.contains(&piece.text.to_lowercase().as_str())
}

/// What stands in brackets behind a noun: an id or a list of names. Anything else there changes nothing.
fn brackets(pieces: &[Piece], named: &mut Vec<Name>, noun: &mut Noun) -> usize {
    if pieces.first().map(|piece| &piece.chunk) != Some(&Chunk::Open) {
        return 0;
    }
    let end = pieces.iter().position(|piece| piece.chunk == Chunk::Close).unwrap_or(pieces.len());
    let inner = pieces.get(1..end).unwrap_or_default();
    // "(Lindenweg 4)" is one text.
    if let [name, number] = inner
        && let (Chunk::Name(name), Chunk::Literal(Literal::Number(number))) = (&name.chunk, &number.chunk)
    {
        *named = vec![Name::Literal(Literal::Quoted(format!("{name} {number}")))];
        noun.has_ids = true;
        return end + 1;
    }
    let ids: Vec<Name> = inner
        .iter()
        .filter_map(|piece| match &piece.chunk {
            Chunk::Literal(literal) => Some(Name::Literal(literal.clone())),
            Chunk::Name(name) => Some(Name::Word(name.clone())),
            // "Marta (mk-ferry)"
            Chunk::Word(word) if word.contains('-') => Some(Name::Word(word.clone())),
            _ => None,
        })
        .collect();
    if let [Piece { chunk: Chunk::Setting { parameter, value }, .. }] = inner {
        named.clear();
        noun.has_ids = true;
        noun.setting = Some((parameter.clone(), value.clone()));
        return end + 1;
    }
    let has_literal = ids.iter().any(|id| matches!(id, Name::Literal(_)));
    let is_list = inner.iter().all(|piece| match piece.chunk {
        Chunk::Literal(_) | Chunk::Name(_) | Chunk::Comma | Chunk::And | Chunk::Or | Chunk::Filler => true,
        // "(anyone at acme.com)"
        Chunk::Thing(_) | Chunk::Preposition(_) => has_literal,
        Chunk::Word(ref word) => word.contains('-'),
        _ => false,
    });
    if is_list && !ids.is_empty() {
        noun.has_ids = true;
        // The id is what a call shows; what people call it is not.
        if named.iter().any(|name| matches!(name, Name::Literal(Literal::Channel(_)))) {
            "channel".clone_into(&mut noun.kind);
        }
        *named = ids;
        noun.unknown.clear();
    }
    end + 1
}

/// Puts the parts together.
fn settle(noun: &mut Noun, head: Option<Thing>, named: Vec<Name>, hand: &Hand) {
    let mut head = head.unwrap_or_default();
    if noun.has_ids {
        head.place.clear();
        head.ends.clear();
        head.names.clear();
        if !matches!(head.kind.as_str(), "branch" | "table" | "database" | "channel") {
            head.kind.clear();
        }
    }
    take_head(noun, &head, hand);
    let mut words: Vec<String> = Vec::new();
    let mut has_literal = false;
    for name in named {
        match name {
            Name::Word(word) => words.push(word),
            Name::Literal(literal) => {
                has_literal = true;
                // What is known by its address is a page, whatever people call it.
                if matches!(literal, Literal::Host(_) | Literal::Url(_)) && noun.kind == "note" {
                    "page".clone_into(&mut noun.kind);
                }
                literals::literal(&literal, &head.kind, hand, noun);
            }
        }
    }
    // Where the name itself is there, words around it only describe.
    let is_sample = noun.literals.iter().any(|literal| matches!(literal, Literal::Like(_)));
    let is_ending = noun.places.iter().any(|place| matches!(place, Place::Ending(_)));
    let is_described = is_sample || has_literal && !noun.places.is_empty() && (head.takes_name || is_ending);
    if !words.is_empty() && !is_described {
        take_words(noun, &head, words);
    }
}

/// What the thing itself says.
fn take_head(noun: &mut Noun, head: &Thing, hand: &Hand) {
    let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    if noun.kind.is_empty() {
        noun.kind.clone_from(&head.kind);
    }
    // Pages are those of the web where no others are at hand.
    if noun.kind == "note" && !hand.has_tool_word("page") {
        "page".clone_into(&mut noun.kind);
    }
    if noun.is_anything {
        noun.kind.clear();
    }
    noun.unit.clone_from(&head.unit);
    noun.content = said(&head.content);
    noun.given = said(&head.given).or(noun.given.take());
    // Tools call one thing by different names; the first that is at hand is meant.
    let parameters: Vec<&str> = head.parameter.split(' ').filter(|word| !word.is_empty()).collect();
    let parameter = parameters.iter().find(|word| hand.has_parameter(word)).or(parameters.first());
    noun.parameter = parameter.map(|word| (*word).to_owned());
    noun.tool = said(&head.tool).filter(|_| head.kind.is_empty());
    noun.not_did = said(&head.not_did);
    noun.literals.extend(said(&head.says).map(Literal::Quoted));
    noun.places.extend(session_place(&head.place, hand));
    noun.places.extend(head.ends.iter().map(|end| Place::Ending(end.clone())));
    noun.places.extend(head.names.iter().map(|name| Place::Named(name.clone())));
}

/// What a thing is called. Several words in front of one thing are one name: "the salary bands page".
fn take_words(noun: &mut Noun, head: &Thing, words: Vec<String>) {
    let joined = words.join(" ");
    match head.kind.as_str() {
        "branch" => noun.branches.extend(words),
        // "MX records"
        "table"
            if head.unit == "row"
                && words.iter().all(|word| word.chars().all(|letter| letter.is_ascii_uppercase())) =>
        {
            noun.names.extend(words)
        }
        "table" => noun.places.extend(words.into_iter().map(Place::Table)),
        "database" => noun.places.push(Place::Database(joined)),
        "host" => noun.places.extend(words.into_iter().map(Place::HostLike)),
        "page" => noun.places.extend(words.iter().map(|word| Place::HostLike(site(word)))),
        "file" if head.holds => noun.places.push(Place::Folder(joined)),
        "file" | "anything" | "note" | "channel" | "calendar" | "repository" => {
            noun.places.push(Place::Word(joined))
        }
        _ if !head.content.is_empty() => {}
        _ => noun.names.extend(words),
    }
}

/// The part of a host that people call a site by.
pub(crate) fn site(name: &str) -> String {
    name.to_lowercase().replace([' ', '\'', '’'], "")
}
