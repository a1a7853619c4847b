//! From what a tool does and what its arguments are for to deeds.

mod beside;

use portcullis_lattice::{Effects, Reach};
use serde_json::Value;

use super::arguments::Roles;
use super::definition::Definition;
use super::manner::{Manner, Told};
use super::vocabulary::{Vocabulary, has};
use super::words::{singular, words};
use crate::profile::{ArgumentPath, Condition, DeedProfile, FlowProfile, Kind, Place, Test, What};

/// Groups of places, of which the first that names something counts.
type Groups = Vec<Vec<Place>>;

/// Collects the deeds of one tool.
pub(super) struct Deeds<'d> {
    scheme: &'d str,
    roles: &'d Roles,
    definition: &'d Definition,
    /// Whether several things are shown (`get_users`): a listing, whatever the verb.
    lists: bool,
    /// Whether the tool is one of a browser.
    browses: bool,
    /// Whether the web is searched, which is nobody's own.
    asks_web: bool,
    /// Whether what is looked at is a secret.
    is_secret: bool,
    deeds: Vec<DeedProfile>,
}

impl<'d> Deeds<'d> {
    pub(super) fn new(scheme: &'d str, roles: &'d Roles, definition: &'d Definition) -> Deeds<'d> {
        let (asks_web, is_secret) = (false, false);
        Deeds {
            scheme,
            roles,
            definition,
            lists: false,
            browses: false,
            asks_web,
            is_secret,
            deeds: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Vec<DeedProfile> {
        self.deeds
    }

    /// Adds everything that was told.
    pub(super) fn tell(&mut self, told: &Told) {
        self.lists = told.words.last().is_some_and(|word| singular(word) != word || is_measure(word));
        self.browses = told.browses;
        (self.asks_web, self.is_secret) = (told.asks_web, told.is_secret);
        match self.by_action() {
            Some(cases) => {
                let known: Vec<Value> = cases.iter().map(|(value, _)| Value::from(value.as_str())).collect();
                for (value, manner) in &cases {
                    let manners = manner.map_or_else(|| told.manners.clone(), |manner| vec![manner]);
                    let when = [self.action_is(Test::Is(vec![Value::from(value.as_str())]))];
                    manners.iter().for_each(|manner| self.add(*manner, &when));
                }
                let mut others = told.manners.clone();
                others.extend(cases.iter().filter_map(|(_, manner)| *manner));
                others.sort();
                others.dedup();
                let when = [self.action_is(Test::Not(known))];
                others.iter().for_each(|manner| self.add(*manner, &when));
            }
            None if self.roles.gone.is_empty() => {
                let unsaved: Vec<Condition> = self.saved_to(told).iter().map(absent).collect();
                told.manners.iter().for_each(|manner| self.add(*manner, &unsaved));
            }
            None => self.tell_unless_gone(told),
        }
        self.add_beside(told);
    }

    /// A change that puts something into the bin is a deletion, and a change only if it says what else to change.
    fn tell_unless_gone(&mut self, told: &Told) {
        let stays: Vec<Condition> = self.roles.gone.iter().map(negated).collect();
        let said: Vec<ArgumentPath> = self.roles.text.iter().chain(&self.roles.open).cloned().collect();
        for manner in &told.manners {
            self.add(*manner, &stays);
            for argument in &said {
                self.add(*manner, &[given(argument)]);
            }
        }
    }

    /// What each value of an argument such as `action` does, if at least one of them is a verb.
    fn by_action(&self) -> Option<Vec<(String, Option<Manner>)>> {
        let (_, values) = self.roles.action.as_ref()?;
        let vocabulary = Vocabulary::get()?;
        let manner = |value: &String| {
            let words = words(value);
            let state = words.last().filter(|word| has(&vocabulary.names.states, word)).map(|_| Manner::Look);
            words.first().and_then(|word| vocabulary.manner(word)).or(state)
        };
        let cases: Vec<_> = values.iter().map(|value| (value.clone(), manner(value))).collect();
        let is_plain = |value: &String| {
            words(value).first().is_some_and(|word| {
                has(&vocabulary.names.plain, word) || has(&vocabulary.names.methods, word)
            })
        };
        values.iter().any(is_plain).then_some(cases)
    }

    fn action_is(&self, test: Test) -> Condition {
        let argument = self.roles.action.as_ref().map(|(path, _)| path.clone());
        Condition { argument: argument.unwrap_or_else(|| ArgumentPath::top("action")), test }
    }

    fn add(&mut self, manner: Manner, when: &[Condition]) {
        let roles = self.roles;
        if let Some((text, dialect)) = &roles.sql {
            let what = What::Sql { text: text.clone(), dialect: *dialect };
            let sql = DeedProfile { when: when.to_vec(), what };
            if manner.only_looks() || manner == Manner::Run {
                self.deeds.push(sql);
                return;
            }
            // `prepare_migration`: the SQL may do more than the name says.
            let is_sql = |word: &String| matches!(word.as_str(), "sql" | "query" | "queries");
            if manner == Manner::Change && text.last_words().iter().any(is_sql) {
                self.deeds.push(DeedProfile { when: vec![given(text)], ..sql });
            }
        }
        if let (Some(command), Manner::Run) = (&roles.command, manner) {
            let what = What::Shell { command: command.clone(), folder: roles.folder.clone() };
            self.deeds.push(DeedProfile { when: when.to_vec(), what });
            return;
        }
        let effects = manner.effects();
        let (from, to) = match manner {
            Manner::List | Manner::Look | Manner::Download => (self.looked_at(manner), Vec::new()),
            Manner::Change | Manner::Start | Manner::Rename => (self.given_files(), self.changed()),
            Manner::Upload if self.fetches() => (vec![self.fetched()], self.kept()),
            Manner::Upload | Manner::Send => (self.all_files(), self.delivered()),
            Manner::Share => (self.shared(), self.recipients_or_item()),
            Manner::Destroy => (self.destroyed(), self.destroyed()),
            Manner::Move | Manner::Copy => (self.taken(), self.put()),
            Manner::Run | Manner::SetGoing | Manner::Spawn => {
                (self.all_files(), self.about(&[&roles.urls], false))
            }
        };
        self.flow(effects, from, to, when);
    }

    fn flow(&mut self, effects: Effects, from: Groups, to: Groups, when: &[Condition]) {
        let what = What::Flow(FlowProfile { effects, from, to });
        self.deeds.push(DeedProfile { when: when.to_vec(), what });
    }

    /// All of the service: a query may name anything in it.
    fn everything(&self) -> Groups {
        let all = Kind::Fixed(format!("{}:*", self.scheme));
        vec![vec![Place { reach: Reach::Subtree, ..Place::required(all) }]]
    }

    /// The files that what is looked at is saved to, where the call names one; it is not shown then.
    fn saved_to(&self, told: &Told) -> Vec<ArgumentPath> {
        let roles = self.roles;
        match told.only_looks() {
            true if told.manners.contains(&Manner::Download) => roles
                .targets
                .iter()
                .chain(roles.files.iter().filter(|path| is_place(path)))
                .cloned()
                .collect(),
            true => roles.targets.clone(),
            false => Vec::new(),
        }
    }

    /// A file that is written: where the call gives its name beside the folder, the file in the folder.
    fn saved(&self, target: &ArgumentPath) -> Place {
        match &self.roles.file_name {
            Some(name) => Place { inside: Some(target.clone()), ..Place::optional(Kind::Path(name.clone())) },
            None => Place::optional(Kind::Path(target.clone())),
        }
    }

    /// What the call is about: the first of these that is given, then ids from the inside out, then all of the service.
    fn about(&self, first: &[&[ArgumentPath]], names_only: bool) -> Groups {
        let mut groups: Groups = Vec::new();
        for paths in first {
            groups.push(paths.iter().map(|path| Place::optional(Kind::Url(path.clone()))).collect());
        }
        groups.extend(self.roles.ids.iter().map(|path| vec![self.item(path)]));
        if self.browses {
            groups.push(vec![Place::required(Kind::PageOf(self.scheme.to_owned()))]);
        }
        let reach = if names_only { Reach::Names } else { Reach::Subtree };
        let all = Place { reach, ..Place::required(Kind::Fixed(format!("{}:*", self.scheme))) };
        groups.push(vec![Place { public: self.public_if(names_only), ..all }]);
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn item(&self, path: &ArgumentPath) -> Place {
        let kind =
            Kind::Item { argument: path.clone(), scheme: self.scheme.to_owned(), noun: path.to_string() };
        let (files, secret) = (self.roles.inside.clone(), self.roles.secret.clone());
        Place { files, secret, public: self.public_if(false), ..Place::optional(kind) }
    }

    /// What makes the place open to everybody; a listing is where it is kept.
    fn public_if(&self, names_only: bool) -> Option<Condition> {
        self.roles.public.clone().filter(|_| !names_only)
    }

    fn looked_at(&self, manner: Manner) -> Groups {
        let roles = self.roles;
        let mut named: Vec<Place> =
            roles.urls.iter().map(|path| Place::optional(Kind::Url(path.clone()))).collect();
        named.extend(paths(&roles.sources));
        named.extend(
            paths(&roles.files).into_iter().filter(|place| manner != Manner::Download || !is_saved(place)),
        );
        let mut groups = vec![named];
        let mut about = self.about(&[], manner == Manner::List || self.lists);
        for place in about.iter_mut().flatten() {
            // Looking for what is public makes nothing public; and a browser that has opened nothing shows its own.
            place.public = Some(Condition::always()).filter(|_| self.asks_web);
            place.secret = Some(Condition::always()).filter(|_| self.is_secret).or(place.secret.take());
            place.optional |= matches!(place.kind, Kind::PageOf(_));
        }
        groups.extend(about);
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Where a change goes: to people and webhooks, else to a page, else to a file, else to what the ids name.
    fn changed(&self) -> Groups {
        let roles = self.roles;
        let mut files: Vec<Place> = roles.targets.iter().map(|path| self.saved(path)).collect();
        files.extend(paths(&roles.files));
        let mut groups = vec![self.recipients(), files];
        groups.extend(self.about(&[&roles.urls], false));
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Where something of this machine goes: likewise, and to a file only where its name says so.
    fn delivered(&self) -> Groups {
        let roles = self.roles;
        let mut groups = vec![self.recipients()];
        groups.push(roles.targets.iter().map(|path| self.saved(path)).collect());
        groups.extend(self.about(&[&roles.urls], false));
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Whether what is brought to the service is fetched from an address: nothing else tells what is brought.
    fn fetches(&self) -> bool {
        let roles = self.roles;
        let brings = [&roles.sources, &roles.files, &roles.targets, &roles.text, &roles.bodies, &roles.mails];
        !roles.urls.is_empty() && !roles.ids.is_empty() && brings.iter().all(|paths| paths.is_empty())
    }

    fn fetched(&self) -> Vec<Place> {
        self.roles.urls.iter().map(|path| Place::optional(Kind::Url(path.clone()))).collect()
    }

    /// Where the service puts what it fetched.
    fn kept(&self) -> Groups {
        let mut groups = vec![self.recipients()];
        groups.extend(self.about(&[], false));
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn recipients(&self) -> Vec<Place> {
        let roles = self.roles;
        let mut places: Vec<Place> =
            roles.mails.iter().map(|path| Place::optional(Kind::Mail(path.clone()))).collect();
        let phone = |path: &ArgumentPath| Kind::Item {
            argument: path.clone(),
            scheme: "tel".into(),
            noun: "number".into(),
        };
        places.extend(roles.phones.iter().map(|path| Place::optional(phone(path))));
        places.extend(roles.hooks.iter().map(|path| Place::optional(Kind::Url(path.clone()))));
        let looked = roles.sent.iter().chain(&roles.receivers);
        places.extend(looked.map(|path| Place::optional(Kind::Anything(path.clone()))));
        places.extend(roles.open.iter().map(|path| Place::optional(Kind::Destinations(path.clone()))));
        places
    }

    /// What is shared: files of this machine, else what the ids name.
    fn shared(&self) -> Groups {
        let mut groups = self.all_files();
        let mut about = self.about(&[], false);
        // It is opened to others by this, and was not before.
        about.iter_mut().flatten().for_each(|place| place.public = None);
        groups.extend(about);
        groups
    }

    fn recipients_or_item(&self) -> Groups {
        let mut groups = vec![self.recipients()];
        groups.extend(self.about(&[], false));
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn destroyed(&self) -> Groups {
        let roles = self.roles;
        let mut files = paths(&roles.files);
        files.extend(paths(&roles.targets));
        files.extend(paths(&roles.sources));
        let mut groups = vec![files];
        groups.extend(self.about(&[&roles.urls], false));
        if self.browses {
            // A browser destroys what it keeps itself: its logs, its cookies. No page is destroyed by that.
            groups.iter_mut().for_each(|group| group.retain(|place| !matches!(place.kind, Kind::PageOf(_))));
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Files that go along with what is written or run.
    fn given_files(&self) -> Groups {
        let files = paths(&self.roles.sources);
        if files.is_empty() { Vec::new() } else { vec![files] }
    }

    fn all_files(&self) -> Groups {
        let roles = self.roles;
        let mut files = paths(&roles.sources);
        files.extend(paths(&roles.files));
        if files.is_empty() { Vec::new() } else { vec![files] }
    }

    /// What is moved or copied.
    fn taken(&self) -> Groups {
        let roles = self.roles;
        let mut files = paths(&roles.sources);
        files.extend(paths(&roles.files));
        let mut groups = vec![files];
        groups.extend(self.about(&[&roles.urls], false));
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Where it is put.
    fn put(&self) -> Groups {
        let roles = self.roles;
        // Without another file, what is copied stays in the same: a sheet of a workbook.
        let inside = roles.whole_file().filter(|_| roles.targets.is_empty());
        let mut groups = vec![paths(&roles.targets), paths(inside.map_or(&[], std::slice::from_ref))];
        groups.push(roles.destinations.iter().map(|path| self.item(path)).collect());
        groups.extend(self.about(&[], false));
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// Whether it is said of something how it does, and not what is in it: `get_pod_status`.
fn is_measure(word: &str) -> bool {
    matches!(word, "top" | "status" | "health" | "usage" | "count" | "size")
}

/// Whether the name says no more than that it is a file or folder, so that something can be saved there. What belongs to
/// some other thing (`app_path`) is what something is taken from.
fn is_place(path: &ArgumentPath) -> bool {
    let is_plain = |vocabulary: &Vocabulary, word: &String| {
        has(&vocabulary.arguments.path, word) || matches!(word.as_str(), "local" | "name")
    };
    Vocabulary::get()
        .is_some_and(|vocabulary| path.last_words().iter().all(|word| is_plain(vocabulary, word)))
}

fn is_saved(place: &Place) -> bool {
    matches!(&place.kind, Kind::Path(path) if is_place(path))
}

fn paths(arguments: &[ArgumentPath]) -> Vec<Place> {
    arguments.iter().map(|path| Place::optional(Kind::Path(path.clone()))).collect()
}

fn absent(argument: &ArgumentPath) -> Condition {
    Condition { argument: argument.clone(), test: Test::Absent }
}

fn given(argument: &ArgumentPath) -> Condition {
    Condition { argument: argument.clone(), test: Test::Given }
}

/// The opposite of a test for a value.
fn negated(condition: &Condition) -> Condition {
    let test = match &condition.test {
        Test::Is(values) => Test::Not(values.clone()),
        Test::Not(values) => Test::Is(values.clone()),
        Test::Given => Test::Absent,
        Test::Absent => Test::Given,
        // What a text does not hold, a server may still read into it: this always holds.
        Test::Has(_) | Test::Starts(_) | Test::Sends => Test::Not(Vec::new()),
    };
    Condition { argument: condition.argument.clone(), test }
}
