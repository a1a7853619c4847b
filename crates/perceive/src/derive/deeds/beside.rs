//! What some arguments do besides what the tool does: results that are saved, addresses that are told, code that is run.

use portcullis_lattice::{Effect, Effects, Reach};
use serde_json::Value;

use super::super::manner::{Manner, Told};
use super::super::vocabulary::{Vocabulary, has_any};
use super::{Deeds, Groups, given};
use crate::profile::{ArgumentPath, Condition, Kind, Place, Test};

impl Deeds<'_> {
    /// What some arguments do besides: results saved to files, addresses that are notified, code that is run.
    pub(super) fn add_beside(&mut self, told: &Told) {
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
        for code in
            roles.code.iter().filter(|code| !told.runs() && !told.creates() && !is_merely_said(code, told))
        {
            let to = self.about(&[&roles.urls], false);
            self.flow(Effects::only(Effect::Exec), Vec::new(), to, &[given(code)]);
        }
        if !told.only_looks() {
            self.add_free_action();
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

    /// What is done where nobody tells what the argument that says it may be: it is taken at its word.
    fn add_free_action(&mut self) {
        let (Some(action), None) = (&self.roles.free_action, &self.roles.action) else { return };
        let destroys =
            ["delete", "remove", "destroy", "purge", "drop", "clear", "truncate", "archive", "revoke"];
        let test = Test::Is(destroys.map(Value::from).into());
        let place = self.destroyed();
        let when = [Condition { argument: action.clone(), test }];
        self.flow(Effects::only(Effect::Del), place.clone(), place, &when);
    }

    /// What a query does that is more than a look.
    fn add_queries(&mut self, told: &Told) {
        let Some(vocabulary) = Vocabulary::get() else { return };
        let queries = &vocabulary.queries;
        let kinds =
            [(&queries.write, Effect::Write), (&queries.del, Effect::Del), (&queries.exec, Effect::Exec)];
        let changes = told.manners.iter().any(|manner| matches!(manner, Manner::Change | Manner::Upload));
        let looked = self.roles.queries.iter().filter(|_| told.only_looks());
        // A program that changes things may destroy some, too; what is merely data says nothing of that.
        let changed = self.roles.programs.iter().filter(|_| changes);
        for query in looked.chain(changed) {
            for (words, effect) in kinds {
                let says = Condition { argument: query.clone(), test: Test::Has(words.clone()) };
                let everything = self.everything();
                let from = if effect == Effect::Del { everything.clone() } else { Vec::new() };
                self.flow(Effects::only(effect), from, everything, &[says]);
            }
        }
    }
}

/// Whether what may be code is none that is run: the code of an article, or of a function, that is changed.
fn is_merely_said(code: &ArgumentPath, told: &Told) -> bool {
    told.manners == [Manner::Change] && code.last_words().iter().all(|word| word == "code")
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
