//! From what a tool does and what its arguments are for to deeds.

use portcullis_lattice::{Effect, Effects, Reach};
use serde_json::Value;

use super::arguments::Roles;
use super::definition::Definition;
use super::manner::{Manner, Told};
use super::vocabulary::{Vocabulary, has, has_any};
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
    deeds: Vec<DeedProfile>,
}

impl<'d> Deeds<'d> {
    pub(super) fn new(scheme: &'d str, roles: &'d Roles, definition: &'d Definition) -> Deeds<'d> {
        Deeds { scheme, roles, definition, lists: false, browses: false, deeds: Vec::new() }
    }

    pub(super) fn finish(self) -> Vec<DeedProfile> {
        self.deeds
    }

    /// Adds everything that was told.
    pub(super) fn tell(&mut self, told: &Told) {
        self.lists = told.words.last().is_some_and(|word| singular(word) != word);
        self.browses = told.browses;
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
        let manner = |value: &String| words(value).first().and_then(|word| vocabulary.manner(word));
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
        if let (Some((text, dialect)), true) = (&roles.sql, manner.only_looks() || manner == Manner::Run) {
            self.deeds.push(DeedProfile {
                when: when.to_vec(),
                what: What::Sql { text: text.clone(), dialect: *dialect },
            });
            return;
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
            Manner::Upload | Manner::Send => (self.all_files(), self.delivered()),
            Manner::Share => (self.shared(), self.recipients_or_item()),
            Manner::Destroy => (self.destroyed(), self.destroyed()),
            Manner::Move | Manner::Copy => (self.taken(), self.put()),
            Manner::Run | Manner::Spawn => (self.all_files(), self.about(&[&roles.urls], false)),
        };
        self.flow(effects, from, to, when);
    }

    fn flow(&mut self, effects: Effects, from: Groups, to: Groups, when: &[Condition]) {
        let what = What::Flow(FlowProfile { effects, from, to });
        self.deeds.push(DeedProfile { when: when.to_vec(), what });
    }

    /// What some arguments do besides: results saved to files, addresses that are notified, code that is run.
    fn add_beside(&mut self, told: &Told) {
        let roles = self.roles;
        let before = self.deeds.len();
        if told.only_looks() {
            let saves = told.manners.contains(&Manner::Download);
            for target in &self.saved_to(told) {
                let to = vec![vec![self.saved(target)]];
                let mut from = whole(self.looked_at(if saves { Manner::Download } else { Manner::Look }));
                if told.converts() && !roles.text.is_empty() {
                    // What it is made of comes with the call.
                    from.retain(|group| !group.iter().any(|place| matches!(place.kind, Kind::Fixed(_))));
                }
                self.flow(Effects::only(Effect::Write), from, to, &[given(target)]);
            }
            for hook in &roles.hooks {
                let to = vec![vec![Place::optional(Kind::Url(hook.clone()))]];
                self.flow(Effects::only(Effect::Write), Vec::new(), to, &[given(hook)]);
            }
        }
        // What is made of code is not run by that, and the code of an article is none.
        for code in roles.code.iter().filter(|_| !told.runs() && !told.creates()) {
            let to = self.about(&[&roles.urls], false);
            self.flow(Effects::only(Effect::Exec), Vec::new(), to, &[given(code)]);
        }
        self.add_queries(told);
        if told.only_looks() {
            self.add_sent();
            self.add_flags();
        }
        for gone in &roles.gone {
            let place = self.destroyed();
            self.flow(Effects::only(Effect::Del), place.clone(), place, std::slice::from_ref(gone));
        }
        let opens =
            told.words.iter().any(|word| matches!(word.as_str(), "navigate" | "visit" | "goto" | "open"))
                || told.browses && told.words.iter().any(|word| word == "new");
        let queries = 3 * roles.queries.len() + roles.open.len();
        let is_explained = self.deeds.len() > before + queries
            || roles.action.is_some()
            || roles.sql.is_some()
            || opens && !roles.urls.is_empty();
        if told.only_looks() && told.claims_change && !is_explained && !self.definition.properties.is_empty()
        {
            // It says itself that it does more than look, and nothing else tells what.
            let to = self.about(&[&roles.urls], false);
            self.flow(Effects::only(Effect::Write), Vec::new(), to, &[]);
        }
    }

    /// What a tool that looks sends besides: to addresses inside its arguments, and as the body of a request.
    fn add_sent(&mut self) {
        let roles = self.roles;
        let write = Effects::only(Effect::Write);
        for open in &roles.open {
            let to = vec![vec![Place::optional(Kind::Destinations(open.clone()))]];
            let when = [Condition { argument: open.clone(), test: Test::Sends }];
            self.flow(write, self.about(&[&roles.urls], false), to, &when);
        }
        for sent in &roles.sent {
            let to = vec![vec![Place::optional(Kind::Anything(sent.clone()))]];
            self.flow(write, self.about(&[&roles.urls], false), to, &[given(sent)]);
        }
        for mail in roles.mails.iter().filter(|path| is_told(path)) {
            let to = vec![vec![Place::optional(Kind::Mail(mail.clone()))]];
            self.flow(write, self.about(&[&roles.urls], false), to, &[given(mail)]);
        }
        if roles.urls.is_empty() {
            return;
        }
        let to = self.about(&[&roles.urls], false);
        for body in &roles.bodies {
            self.flow(write, Vec::new(), to.clone(), &[given(body)]);
        }
        if let Some(method) = &roles.method {
            let looks = ["GET", "get", "Get", "HEAD", "head", "OPTIONS", "options"].map(Value::from);
            let other = Condition { argument: method.clone(), test: Test::Not(looks.into()) };
            self.flow(write, Vec::new(), to, &[given(method), other]);
        }
    }

    /// What flags make of a look: `delete_after: true`.
    fn add_flags(&mut self) {
        for (flag, manner) in &self.roles.flags {
            let when = [Condition { argument: flag.clone(), test: Test::Is(vec![Value::Bool(true)]) }];
            let place = self.about(&[&self.roles.urls], false);
            let from = if *manner == Manner::Destroy { place.clone() } else { Vec::new() };
            self.flow(manner.effects(), from, place, &when);
        }
    }

    /// What a query does that is more than a look.
    fn add_queries(&mut self, told: &Told) {
        let Some(vocabulary) = Vocabulary::get() else { return };
        let queries = &vocabulary.queries;
        let kinds =
            [(&queries.write, Effect::Write), (&queries.del, Effect::Del), (&queries.exec, Effect::Exec)];
        for query in self.roles.queries.iter().filter(|_| told.only_looks()) {
            for (words, effect) in kinds {
                let says = Condition { argument: query.clone(), test: Test::Has(words.clone()) };
                let everything = self.everything();
                let from = if effect == Effect::Del { everything.clone() } else { Vec::new() };
                self.flow(Effects::only(effect), from, everything, &[says]);
            }
        }
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
        Place { files: self.roles.inside.clone(), public: self.public_if(false), ..Place::optional(kind) }
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
            place.public = None;
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
        places.extend(roles.sent.iter().map(|path| Place::optional(Kind::Anything(path.clone()))));
        places.extend(roles.open.iter().map(|path| Place::optional(Kind::Destinations(path.clone()))));
        places
    }

    /// What is shared: files of this machine, else what the ids name.
    fn shared(&self) -> Groups {
        let mut groups = self.all_files();
        groups.extend(self.about(&[], false));
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

/// Whether the name of an argument says that somebody is told, not only looked for.
fn is_told(path: &ArgumentPath) -> bool {
    Vocabulary::get().is_some_and(|vocabulary| has_any(&vocabulary.arguments.told, &path.last_words()))
}

/// What is saved is content: a listing that goes to a file takes all that it lists.
fn whole(groups: Groups) -> Groups {
    let place = |place: Place| match place.reach {
        Reach::Names => Place { reach: Reach::Subtree, ..place },
        Reach::One | Reach::Subtree => place,
    };
    groups.into_iter().map(|group| group.into_iter().map(place).collect()).collect()
}
