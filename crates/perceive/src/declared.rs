//! What a provider declares of its tool under a signature that is trusted, joined with what else is known of it.
//!
//! A declaration says what a tool does at most, and where; it does not speak of arguments. So it takes the place of a guess
//! and of nothing else: what derivation assumed of the server's own things is bounded by it. The catalogue, command lines,
//! SQL, and what an argument names or asks for are never narrowed, and what is declared beyond them is added.

use std::sync::Arc;

use portcullis_lattice::{Effect, Effects, Network, Pattern, Reach, Realms, Resource, Scope};

use crate::derive::scheme;
use crate::profile::{
    ArgumentPath, Condition, DeedProfile, Dimension, FlowProfile, Kind, Place, Profile, Source, Test, What,
};

/// What somebody declares of a tool. Whether the signature is trusted is for the caller to know: one that is not must never
/// get here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// What people call whoever signed it.
    pub signer: Arc<str>,
    /// What the tool does at most.
    pub effects: Effects,
    /// Where data comes from, besides what the arguments name.
    pub inputs: Vec<Scope>,
    /// Where it goes, likewise.
    pub outputs: Vec<Scope>,
}

impl Declaration {
    /// The profile of the tool of a server with what is declared of it.
    pub fn joined(&self, server: &str, known: &Profile) -> Profile {
        let scheme = scheme(server);
        let mut profile = Profile { signer: Some(Arc::clone(&self.signer)), ..known.clone() };
        if known.source == Source::Derived {
            profile.source = Source::Declared;
            profile.deeds = known.deeds.iter().map(|deed| self.narrowed(deed)).collect();
            profile.assumptions.retain(|assumption| assumption.about != Dimension::Effects);
        }
        self.add_effects(&scheme, &mut profile);
        self.add_places(&scheme, &mut profile);
        profile
    }

    /// A deed within what is declared, where it was a guess about the server's own things.
    fn narrowed(&self, deed: &DeedProfile) -> DeedProfile {
        let What::Flow(flow) = &deed.what else { return deed.clone() };
        let is_guess = deed.when.iter().all(|condition| condition.test == Test::Absent)
            && !flow.to.iter().flatten().any(|place| is_elsewhere(&place.kind));
        if !is_guess || flow.effects.is_subset(self.effects) {
            return deed.clone();
        }
        let effects = flow.effects.meet(self.effects);
        let flow = match effects.is_empty() {
            false => FlowProfile { effects, ..flow.clone() },
            true => self.instead_of(flow),
        };
        DeedProfile { when: deed.when.clone(), what: What::Flow(flow) }
    }

    /// What is declared, done to what the guess was about.
    fn instead_of(&self, flow: &FlowProfile) -> FlowProfile {
        let about = if flow.to.is_empty() { &flow.from } else { &flow.to };
        let (from, to) = if self.effects == Effects::only(Effect::Read) {
            (about.clone(), Vec::new())
        } else if self.effects.contains(Effect::Del) {
            (about.clone(), about.clone())
        } else {
            (flow.from.clone(), about.clone())
        };
        FlowProfile { effects: self.effects, from, to }
    }

    /// Adds what is declared and seen nowhere.
    fn add_effects(&self, scheme: &str, profile: &mut Profile) {
        let of = |deed: &DeedProfile| match &deed.what {
            What::Flow(flow) => flow.effects,
            // Their text tells what they do.
            What::Shell { .. } | What::Sql { .. } => Effects::ALL,
        };
        let seen = profile.deeds.iter().map(of).fold(Effects::EMPTY, Effects::join);
        for effect in self.effects.iter().filter(|effect| !seen.contains(*effect)) {
            let own = vec![vec![whole(Kind::Fixed(format!("{scheme}:*")))]];
            let (from, to) = match effect {
                Effect::Read => (own, Vec::new()),
                Effect::Del => (own.clone(), own),
                Effect::Write | Effect::Exec | Effect::Spawn => (Vec::new(), own),
            };
            add(profile, Effects::only(effect), from, to);
        }
    }

    /// Adds the places that are declared.
    fn add_places(&self, scheme: &str, profile: &mut Profile) {
        let side = |scopes: &[Scope]| -> Vec<Vec<Place>> {
            let places: Vec<Place> = scopes.iter().filter_map(|scope| place(scope, scheme)).collect();
            if places.is_empty() { Vec::new() } else { vec![places] }
        };
        let (from, to) = (side(&self.inputs), side(&self.outputs));
        let read = Effects::only(Effect::Read);
        if !from.is_empty() && (to.is_empty() || self.effects.contains(Effect::Read)) {
            add(profile, read, from.clone(), Vec::new());
        }
        if !to.is_empty() {
            let changes: Effects = self.effects.iter().filter(|effect| *effect != Effect::Read).collect();
            let effects = if changes.is_empty() { Effects::only(Effect::Write) } else { changes };
            add(profile, effects, from, to);
        }
    }
}

fn add(profile: &mut Profile, effects: Effects, from: Vec<Vec<Place>>, to: Vec<Vec<Place>>) {
    let what = What::Flow(FlowProfile { effects, from, to });
    profile.deeds.push(DeedProfile { when: Vec::new(), what });
}

/// Whether a place is none of the server's own: an argument names it, and so it counts whatever is declared.
fn is_elsewhere(kind: &Kind) -> bool {
    match kind {
        Kind::Fixed(_) | Kind::PageOf(_) => false,
        Kind::Item { scheme, .. } => scheme == "tel",
        Kind::Path(_)
        | Kind::Url(_)
        | Kind::Host { .. }
        | Kind::Mail(_)
        | Kind::Repository { .. }
        | Kind::MailSearch { .. }
        | Kind::CurrentPage
        | Kind::File(_)
        | Kind::Anything(_)
        | Kind::Destinations(_) => true,
    }
}

fn whole(kind: Kind) -> Place {
    Place { reach: Reach::Subtree, ..Place::required(kind) }
}

/// All that a scope speaks of. The context is nothing that has to be said.
fn place(scope: &Scope, scheme: &str) -> Option<Place> {
    Some(match scope {
        Scope::Named(pattern) if pattern.head().is_context() => return None,
        Scope::Named(pattern) => named(pattern),
        Scope::Within(pattern, Network::Internal) => named(pattern),
        Scope::Within(pattern, Network::External) => Place { public: Some(always()), ..named(pattern) },
        Scope::Targets | Scope::Workspace => whole(Kind::File(".".to_owned())),
        Scope::Local => whole(Kind::Fixed("/".to_owned())),
        Scope::Net(Network::Internal) => whole(Kind::Fixed(format!("{scheme}:*"))),
        Scope::Net(Network::External) | Scope::Anywhere => whole(Kind::Fixed("https://*".to_owned())),
    })
}

/// All names of a pattern; anything with its head where they are no use of one resource.
fn named(pattern: &Pattern) -> Place {
    let text = pattern.to_string();
    let name = text
        .strip_suffix("/**")
        .map(str::to_owned)
        .or_else(|| Some(format!("{}*", text.strip_suffix("**")?)));
    let reach = if name.is_some() { Reach::Subtree } else { Reach::One };
    let name = name.unwrap_or(text);
    let reaches = [reach, Reach::Subtree];
    let fits = reaches.into_iter().find(|reach| Resource::new(&name, *reach, Realms::NETWORK).is_ok());
    match fits {
        Some(reach) => Place { reach, ..Place::required(Kind::Fixed(name)) },
        None if pattern.head().is_local() => whole(Kind::Fixed("/".to_owned())),
        None => whole(Kind::Fixed("https://*".to_owned())),
    }
}

/// What holds of every call.
fn always() -> Condition {
    Condition { argument: ArgumentPath::top(""), test: Test::Not(Vec::new()) }
}
