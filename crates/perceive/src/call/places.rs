//! From places in a profile and values in arguments to names.

use std::borrow::Cow;
use std::collections::BTreeSet;

use portcullis_lattice::{Effect, Effects, Reach, Realm, Realms, Resource};
use serde_json::Value;

use super::items;
use super::scan::{self, Looks};
use super::{Doubt, Memory, Note, Perceiver};
use crate::deed::Use;
use crate::json;
use crate::network::{self, Locator};
use crate::paths::{self, Base};
use crate::profile::{ArgumentPath, Kind, Place};

/// Every file of this machine.
const ANY_FILE: &str = "/";
/// Every address on the web.
pub(super) const ANY_HOST: &str = "https://*";
/// Why the worst is assumed where there is too much.
const TOO_MANY: &str = "more places than are told apart";
/// Everybody's mail.
const ANYBODY: &str = "mailto:*";

/// So many texts and places of one call are looked at; where there are more, nobody can tell what it is about.
const MOST_PLACES: usize = 8 * 1024;
/// So many files inside so many places are told apart.
const MOST_DETAILS: usize = 16 * 1024;

/// Reads places out of one call's arguments.
pub(super) struct Reader<'r, 'p> {
    pub(super) perceiver: &'r Perceiver<'p>,
    pub(super) arguments: &'r Value,
    pub(super) memory: &'r Memory,
    pub(super) doubts: Vec<Doubt>,
    pub(super) notes: Vec<Note>,
    /// The command lines and the SQL whose particulars are told already.
    pub(super) told: BTreeSet<(&'static str, String)>,
    /// How many texts were looked at and places found.
    spent: usize,
}

impl<'r, 'p> Reader<'r, 'p> {
    pub(super) fn new(
        perceiver: &'r Perceiver<'p>,
        arguments: &'r Value,
        memory: &'r Memory,
    ) -> Reader<'r, 'p> {
        let (doubts, notes, told) = Default::default();
        Reader { perceiver, arguments, memory, doubts, notes, told, spent: 0 }
    }

    /// The places of one side: those of the first group in which the call names something, else the context.
    pub(super) fn side(&mut self, groups: &[Vec<Place>], effects: Effects) -> Vec<Use> {
        for group in groups {
            let mut uses = Vec::new();
            for place in group {
                uses.append(&mut self.place(place, effects));
            }
            if !uses.is_empty() {
                return distinct(uses);
            }
        }
        vec![Use::context()]
    }

    /// What a place means in this call; nothing if it may be left out and is.
    fn place(&mut self, place: &Place, effects: Effects) -> Vec<Use> {
        if !place.when.iter().all(|condition| condition.may_hold(self.arguments)) {
            return Vec::new();
        }
        let mut uses = self.named(place, effects);
        if uses.is_empty() && !place.optional {
            let argument = place.kind.arguments().first().map(ToString::to_string);
            self.doubts.extend(argument.map(Doubt::Missing));
            uses.push(worst(&place.kind));
        }
        let is_public = place.public.as_ref().is_some_and(|condition| condition.may_hold(self.arguments));
        let is_secret = place.secret.as_ref().is_some_and(|condition| condition.may_hold(self.arguments));
        let files = self.details(place);
        if uses.len().saturating_mul(files.len()) > MOST_DETAILS {
            let argument = place.files.as_ref().or(place.revision.as_ref());
            argument.into_iter().for_each(|argument| self.unreadable(argument, TOO_MANY));
            uses.truncate(1);
            uses.push(worst(&place.kind));
        }
        for one in &mut uses {
            if one.reach == Reach::One && one.name != Use::context().name {
                one.reach = place.reach;
            }
            if is_public {
                one.realms = Some(Realms::only(Realm::External));
            }
            if is_secret {
                one.details.push(format!("{}/secret", one.name));
            }
            if !files.is_empty() {
                let folder = items::repository_of(&one.name).to_owned();
                one.details.extend(files.iter().filter_map(|file| self.inside(&folder, file)));
            }
        }
        if place.outside {
            uses.retain(|one| self.is_outside(one));
        }
        uses
    }

    /// Whether a place lies outside the user's organisation, in part at least. What cannot be placed does.
    fn is_outside(&self, place: &Use) -> bool {
        match self.perceiver.ground.resource(place) {
            Ok(resource) => resource.realms().contains(Realm::External),
            Err(_) => true,
        }
    }

    fn named(&mut self, place: &Place, effects: Effects) -> Vec<Use> {
        match &place.kind {
            Kind::Fixed(name) => vec![Use::new(name.as_str(), place.reach)],
            Kind::File(text) => self.path(&ArgumentPath::top(text), text, effects),
            Kind::CurrentPage => vec![self.current_page()],
            Kind::PageOf(browser) => self.page_of(browser, place.optional),
            Kind::Mail(argument) => self.mail(argument),
            Kind::Repository { owner, repository, branch } => {
                self.repository(owner.as_ref(), repository, branch.as_ref(), place.own)
            }
            Kind::MailSearch { argument, scheme } => self.mail_search(argument, scheme),
            Kind::Anything(argument) => {
                let values = argument.values(self.arguments);
                values.iter().flat_map(|value| self.anything(&argument.to_string(), value)).collect()
            }
            Kind::Path(argument) if place.inside.is_some() => self.path_inside(place, argument, effects),
            Kind::Destinations(argument) => {
                let values = argument.values(self.arguments);
                let texts: Vec<String> = values.iter().flat_map(|value| scan::destinations(value)).collect();
                self.all_looked(argument, &texts)
            }
            Kind::Path(argument) => {
                self.each(place, argument, |reader, text| reader.path(argument, text, effects))
            }
            Kind::Url(argument) => self.each(place, argument, |reader, text| reader.url(argument, text)),
            Kind::Host { argument, scheme } => {
                self.each(place, argument, |reader, text| vec![reader.host(argument, text, scheme)])
            }
            Kind::Item { argument, scheme, .. } => self
                .each(place, argument, |reader, text| vec![reader.item(argument, text, scheme, place.form)]),
        }
    }

    /// Reads every text of an argument, lists included; what is neither text nor number is taken at its worst.
    fn each(
        &mut self,
        place: &Place,
        argument: &ArgumentPath,
        mut read: impl FnMut(&mut Self, &str) -> Vec<Use>,
    ) -> Vec<Use> {
        let mut uses = Vec::new();
        let mut waiting: Vec<Cow<'_, Value>> = argument.values(self.arguments);
        waiting.reverse();
        while let Some(value) = waiting.pop() {
            if !self.goes_on(argument) {
                uses.push(worst(&place.kind));
                break;
            }
            // Lists are taken apart and never copied, for they may be deep.
            let value = match value {
                Cow::Borrowed(Value::Array(values)) => {
                    waiting.extend(values.iter().rev().map(Cow::Borrowed));
                    continue;
                }
                Cow::Owned(Value::Array(values)) => {
                    waiting.extend(values.into_iter().rev().map(Cow::Owned));
                    continue;
                }
                single @ (Cow::Borrowed(_) | Cow::Owned(_)) => single,
            };
            match &*value {
                Value::String(text) if text.is_empty() => {}
                Value::String(text) => match list_in(text) {
                    Some(values) => waiting.extend(values.into_iter().rev().map(Cow::Owned)),
                    None => uses.append(&mut read(self, text)),
                },
                Value::Number(number) => uses.append(&mut read(self, &number.to_string())),
                Value::Null | Value::Array(_) => {}
                Value::Bool(_) | Value::Object(_) => {
                    self.unreadable(argument, "a text was expected");
                    uses.push(worst(&place.kind));
                }
            }
        }
        match &place.default {
            Some(default) if uses.is_empty() => read(self, default),
            _ => distinct(uses),
        }
    }

    /// Counts a text. Where there were too many, nothing more is read and the worst is assumed.
    pub(super) fn goes_on(&mut self, argument: &ArgumentPath) -> bool {
        self.spent += 1;
        if self.spent <= MOST_PLACES {
            return true;
        }
        self.unreadable(argument, TOO_MANY);
        false
    }

    /// The texts of an argument that is a command line or SQL; a doubt if there are none.
    pub(super) fn texts(&mut self, argument: &ArgumentPath) -> Vec<String> {
        let values = argument.values(self.arguments);
        let mut texts = Vec::new();
        for value in &values {
            match &**value {
                Value::String(text) => texts.push(text.clone()),
                // A command given as a list of words is run without a shell.
                Value::Array(words) => match words.iter().map(word).collect::<Option<Vec<String>>>() {
                    Some(words) => texts.push(words.join(" ")),
                    None => self.unreadable(argument, "a list of words was expected"),
                },
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                    self.unreadable(argument, "a text was expected");
                }
            }
        }
        if texts.is_empty() {
            self.doubts.push(Doubt::Missing(argument.to_string()));
        }
        texts
    }

    /// The texts of an argument that is SQL: one, or a list of statements that are run one after the other.
    pub(super) fn statements(&mut self, argument: &ArgumentPath) -> Vec<String> {
        let values = argument.values(self.arguments);
        let mut texts = Vec::new();
        for value in &values {
            match &**value {
                Value::Array(statements) => {
                    let read: Option<Vec<String>> =
                        statements.iter().map(|one| one.as_str().map(str::to_owned)).collect();
                    match read.filter(|read| read.len() <= MOST_PLACES) {
                        Some(read) => texts.extend(read),
                        None => return self.texts(argument),
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                    return self.texts(argument);
                }
            }
        }
        if texts.is_empty() { self.texts(argument) } else { texts }
    }

    /// The folder that an argument names, where it is one that can be read.
    pub(super) fn folder(&mut self, argument: &ArgumentPath) -> Option<String> {
        let values = argument.values(self.arguments);
        let text = values.first()?.as_str()?.to_owned();
        let named = self.path(argument, &text, Effects::EMPTY);
        named.into_iter().next().map(|place| place.name).filter(|name| name.starts_with('/'))
    }

    /// The page that a browser shows when it has opened what the argument says, if that is one page of one place.
    pub(super) fn page(&mut self, argument: &ArgumentPath) -> Option<String> {
        let values = argument.values(self.arguments);
        let text = values.first()?.as_str()?.to_owned();
        let place = self.url(argument, &text).into_iter().next()?;
        (place.reach == Reach::One && place != Use::context()).then_some(place.name)
    }

    fn base(&self) -> Base<'p> {
        self.perceiver.ground.layout().base()
    }

    fn path(&mut self, argument: &ArgumentPath, text: &str, effects: Effects) -> Vec<Use> {
        self.path_from(&self.base(), argument, text, effects)
    }

    /// A file by its name and the folder that another argument names. Without a name it is somewhere in the folder. Where
    /// the name is a path of its own, servers disagree whether the folder counts, so both readings do.
    fn path_inside(&mut self, place: &Place, argument: &ArgumentPath, effects: Effects) -> Vec<Use> {
        let folders = match &place.inside {
            Some(folder) => {
                self.each(place, folder, |reader, text| reader.path(folder, text, Effects::EMPTY))
            }
            None => Vec::new(),
        };
        let folder = folders.into_iter().next().unwrap_or_else(|| Use::new(self.base().folder, Reach::One));
        if folder.reach != Reach::One || !folder.name.starts_with('/') {
            return vec![folder];
        }
        let files = self.each(place, argument, |reader, text| {
            let base = Base { folder: &folder.name, ..reader.base() };
            let mut uses = reader.path_from(&base, argument, text, effects);
            if text.starts_with(['/', '~', '\\']) {
                let below = text.trim_start_matches(['/', '~', '\\']);
                uses.append(&mut reader.path_from(&base, argument, below, effects));
            }
            uses
        });
        if files.is_empty() { vec![Use::new(folder.name, Reach::Subtree)] } else { files }
    }

    fn path_from(
        &mut self,
        base: &Base<'_>,
        argument: &ArgumentPath,
        text: &str,
        effects: Effects,
    ) -> Vec<Use> {
        let resolver = self.perceiver.resolver;
        let named = match paths::name(text, base, &|place: &str| resolver.look(place)) {
            Ok(named) => named,
            Err(error) => {
                self.unreadable(argument, &error.to_string());
                return vec![Use::new(ANY_FILE, Reach::Subtree)];
            }
        };
        let mut uses = vec![Use::new(named.name, Reach::One)];
        for note in named.notes {
            // Two readings of one text: both count.
            if let paths::Note::OtherReading { name } | paths::Note::Decomposed { composed: name } = &note {
                uses.push(Use::new(name.as_str(), Reach::One));
            }
            // Deleting a link deletes the link.
            if let (paths::Note::Link { at }, true) = (&note, effects.contains(Effect::Del)) {
                uses.push(Use::new(at.as_str(), Reach::One));
            }
            self.note(argument, note.to_string(), note.is_suspicious());
        }
        uses.into_iter().map(|place| self.checked(argument, place, ANY_FILE)).collect()
    }

    pub(super) fn url(&mut self, argument: &ArgumentPath, text: &str) -> Vec<Use> {
        let located = match network::locate(text) {
            // Many tools take `acme.com/page` for an address.
            Err(network::UrlError::NoScheme) => network::locate(&format!("https://{text}")),
            other => other,
        };
        match located {
            Ok(Locator::Place(named)) => {
                named
                    .notes
                    .iter()
                    .for_each(|note| self.note(argument, note.to_string(), note.is_suspicious()));
                vec![self.checked(argument, Use::new(named.name, Reach::One), ANY_HOST)]
            }
            Ok(Locator::Context) => vec![Use::context()],
            Ok(Locator::File) => self.path(argument, text, Effects::EMPTY),
            Ok(Locator::Mail(_)) => self.addresses(argument, &[text.to_owned()]),
            Ok(Locator::Opaque { .. }) => {
                self.unreadable(argument, "an address without a host");
                vec![Use::new(ANY_HOST, Reach::Subtree)]
            }
            Err(error) => {
                self.unreadable(argument, &error.to_string());
                vec![Use::new(ANY_HOST, Reach::Subtree)]
            }
        }
    }

    fn mail(&mut self, argument: &ArgumentPath) -> Vec<Use> {
        let mut texts = Vec::new();
        for value in argument.values(self.arguments) {
            scan::addresses(&value, &mut texts);
        }
        texts.retain(|text| !text.trim().is_empty());
        if texts.is_empty() { Vec::new() } else { self.addresses(argument, &texts) }
    }

    fn addresses(&mut self, argument: &ArgumentPath, texts: &[String]) -> Vec<Use> {
        match network::recipients(texts.iter().map(String::as_str)) {
            Ok(found) => {
                found
                    .notes
                    .iter()
                    .for_each(|note| self.note(argument, note.to_string(), note.is_suspicious()));
                self.spent += found.names.len();
                found.names.into_iter().map(|name| Use::new(name, Reach::One)).collect()
            }
            Err(error) => {
                self.unreadable(argument, &error.to_string());
                vec![Use::new(ANYBODY, Reach::Subtree)]
            }
        }
    }

    /// Everything in a value that looks like a place by itself.
    pub(super) fn anything(&mut self, name: &str, value: &Value) -> Vec<Use> {
        let mut texts = Vec::new();
        // One more than are looked at, so that it is seen that there are more.
        json::each_text(value, &mut |text| {
            if texts.len() <= MOST_PLACES {
                texts.push(text.to_owned());
            }
        });
        self.all_looked(&ArgumentPath::top(name), &texts)
    }

    /// The places that texts look like; anything at all where there are too many of them.
    fn all_looked(&mut self, argument: &ArgumentPath, texts: &[String]) -> Vec<Use> {
        let mut uses = Vec::new();
        for text in texts {
            if !self.goes_on(argument) {
                uses.extend(any_place());
                break;
            }
            uses.append(&mut self.looked(argument, text));
        }
        distinct(uses)
    }

    /// The place that a text looks like.
    fn looked(&mut self, argument: &ArgumentPath, text: &str) -> Vec<Use> {
        match scan::looks(text) {
            Looks::Url => self.url(argument, text),
            Looks::Mail => self.addresses(argument, &[text.to_owned()]),
            Looks::Path => self.path(argument, text, Effects::only(Effect::Write)),
            Looks::Plain => Vec::new(),
        }
    }

    /// The files inside a place that the call names.
    fn details(&self, place: &Place) -> Vec<String> {
        let mut files = Vec::new();
        for value in place.files.iter().flat_map(|path| path.values(self.arguments)) {
            json::each_text(&value, &mut |text| {
                files.push(text.to_owned());
                // Searches take several patterns in one text.
                files.extend(text.split('|').filter(|part| *part != text).map(str::to_owned));
            });
        }
        for value in place.revision.iter().flat_map(|path| path.values(self.arguments)) {
            let file = value.as_str().and_then(|text| text.split_once(':')).map(|(_, file)| file.to_owned());
            files.extend(file.filter(|file| !file.is_empty()));
        }
        files
    }

    /// The name of a file inside a folder or repository.
    fn inside(&self, folder: &str, file: &str) -> Option<String> {
        if folder.starts_with('/') {
            let base = Base { folder, ..self.base() };
            return paths::name(file, &base, &paths::NoLinks).ok().map(|named| named.name);
        }
        let file = plain_file(file);
        (!file.is_empty()).then(|| format!("{folder}/{file}"))
    }

    pub(super) fn checked(&mut self, argument: &ArgumentPath, place: Use, worst: &str) -> Use {
        if is_canonical(&place.name, place.reach) {
            return place;
        }
        self.unreadable(argument, "no name can be made of it");
        Use::new(worst, Reach::Subtree)
    }

    pub(super) fn unreadable(&mut self, argument: &ArgumentPath, why: &str) {
        self.doubts.push(Doubt::Unreadable { argument: argument.to_string(), why: why.to_owned() });
    }

    fn note(&mut self, argument: &ArgumentPath, words: String, is_suspicious: bool) {
        let note = Note { argument: argument.to_string(), words, is_suspicious };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The worst that a place of a kind can be.
fn worst(kind: &Kind) -> Use {
    match kind {
        Kind::Path(_) | Kind::File(_) | Kind::Anything(_) | Kind::Destinations(_) => {
            Use::new(ANY_FILE, Reach::Subtree)
        }
        Kind::Url(_) | Kind::Host { .. } | Kind::CurrentPage | Kind::PageOf(_) => {
            Use::new(ANY_HOST, Reach::Subtree)
        }
        Kind::Mail(_) => Use::new(ANYBODY, Reach::Subtree),
        Kind::Item { scheme, .. } | Kind::MailSearch { scheme, .. } => {
            Use::new(format!("{scheme}:*"), Reach::Subtree)
        }
        Kind::Repository { .. } => Use::new("github:*", Reach::Subtree),
        Kind::Fixed(name) => Use::new(name.as_str(), Reach::One),
    }
}

pub(super) fn is_canonical(name: &str, reach: Reach) -> bool {
    Resource::new(name, reach, Realms::NETWORK).is_ok()
}

/// A text that is a list written as JSON, as agents often give it.
fn list_in(text: &str) -> Option<Vec<Value>> {
    if !text.trim_start().starts_with('[') {
        return None;
    }
    match crate::json::strict(text) {
        Ok(Value::Array(values)) => Some(values),
        _ => None,
    }
}

/// A word of a command that is given as a list, as a shell reads it back.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(quoted(text)),
        Value::Number(number) => Some(quoted(&number.to_string())),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:@%+,".contains(&byte));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A file's name without steps that lead nowhere.
fn plain_file(file: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in file.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

/// Anything that a text can name.
pub(super) fn any_place() -> [Use; 3] {
    [ANY_FILE, ANY_HOST, ANYBODY].map(|name| Use::new(name, Reach::Subtree))
}

/// The same uses in their order, each once.
fn distinct(mut uses: Vec<Use>) -> Vec<Use> {
    if uses.len() < 2 {
        return uses;
    }
    let mut order: Vec<usize> = (0..uses.len()).collect();
    order.sort_by(|one, other| uses.get(*one).cmp(&uses.get(*other)).then(one.cmp(other)));
    let is_again = |pair: &&[usize]| match pair {
        [before, at] => uses.get(*before) == uses.get(*at),
        _ => false,
    };
    let mut again: Vec<usize> =
        order.windows(2).filter(is_again).filter_map(|pair| pair.last().copied()).collect();
    again.sort_unstable();
    let (mut at, mut again) = (0, again.into_iter().peekable());
    uses.retain(|_| {
        let is_kept = again.next_if_eq(&at).is_none();
        at += 1;
        is_kept
    });
    uses
}
