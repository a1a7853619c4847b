//! The decision written straight from its definition, slowly and without the engine's matching code.

use portcullis_lattice::{
    Action, Binding, Departure, Entry, Lifetime, Network, Outside, Pattern, Reach, Realm, Realms, Resource,
    Rule, RuleId, Scope, Server, Standing,
};
use portcullis_lattice::{Effects, Taint};

use crate::generators::{Layout, SESSION, now};
use crate::language::{Language, LanguageId, Languages};

/// A piece of a scope: names, or any name beyond this machine, and the realms in which they count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Piece {
    names: Option<LanguageId>,
    realms: Realms,
}

/// What a scope means in a session.
#[derive(Clone, Debug)]
pub(crate) struct Meaning {
    pieces: Vec<Piece>,
    everything: bool,
    /// Whether a deny on it also looks at the realm of what is used.
    by_realm: bool,
}

/// Scopes, and how they lie to each other and to resources, in one session.
pub(crate) struct Places<'n> {
    pub(crate) languages: &'n mut Languages,
    layout: &'n Layout,
}

impl Meaning {
    /// Whether it is names that count only as far out as is said.
    pub(crate) fn is_within(&self) -> bool {
        self.by_realm && self.pieces.iter().any(|piece| piece.names.is_some())
    }
}

impl<'n> Places<'n> {
    pub(crate) fn new(languages: &'n mut Languages, layout: &'n Layout) -> Places<'n> {
        Places { languages, layout }
    }

    fn pattern(&mut self, pattern: &Pattern) -> LanguageId {
        self.languages.number(Language::Pattern(pattern.to_string()))
    }

    /// What the request names: patterns as they are, anything else with all that is in it.
    fn targets(&self) -> Vec<String> {
        let whole =
            |target: &&str| if target.contains('*') { target.to_string() } else { format!("{target}/**") };
        self.layout.targets.iter().map(whole).collect()
    }

    fn text(&mut self, text: impl Into<String>) -> LanguageId {
        self.languages.number(Language::Pattern(text.into()))
    }

    pub(crate) fn meaning(&mut self, scope: &Scope) -> Meaning {
        let local = |names| Piece { names: Some(names), realms: Realm::Local.into() };
        let everything = *scope == Scope::Anywhere;
        let by_realm = matches!(scope, Scope::Within(..) | Scope::Net(_));
        let pieces = match scope {
            Scope::Named(pattern) => {
                vec![Piece { names: Some(self.pattern(pattern)), realms: self.realms(pattern) }]
            }
            Scope::Within(pattern, network) => {
                vec![Piece { names: Some(self.pattern(pattern)), realms: reach_of(*network) }]
            }
            Scope::Net(network) => vec![Piece { names: None, realms: reach_of(*network) }],
            Scope::Local => vec![local(self.text("/**"))],
            Scope::Targets => self.targets().into_iter().map(|target| local(self.text(target))).collect(),
            Scope::Workspace => {
                let folder = self.layout.workspace.map(|path| match path {
                    "/" => "/**".to_string(),
                    _ => format!("{path}/**"),
                });
                folder.into_iter().chain(self.targets()).map(|text| local(self.text(text))).collect()
            }
            Scope::Anywhere => Vec::new(),
        };
        Meaning { pieces, everything, by_realm }
    }

    /// How far out the names of a pattern may lie; who goes out to everybody may go to the organisation.
    fn realms(&mut self, pattern: &Pattern) -> Realms {
        if pattern.head().is_context() {
            return Realm::Context.into();
        }
        if pattern.head().is_local() {
            return Realm::Local.into();
        }
        let names = self.pattern(pattern);
        let internal: Vec<String> =
            self.layout.internal.iter().flat_map(|entry| spelled(entry, pattern)).collect();
        let external: Vec<String> =
            self.layout.external.iter().flat_map(|entry| spelled(entry, pattern)).collect();
        let own = spelled("localhost", pattern).into_iter().filter(|_| pattern.head().has_host());
        let mut is_inside = false;
        for entry in internal.into_iter().chain(own) {
            let entry = self.text(entry);
            is_inside |= self.languages.contains(entry, names);
        }
        let mut is_excepted = false;
        for entry in external {
            let entry = self.text(entry);
            is_excepted |= self.languages.overlaps(entry, names);
        }
        if is_inside && !is_excepted { Realm::Internal.into() } else { Realms::NETWORK }
    }

    /// Everything that a use reaches.
    fn extent(&mut self, resource: &Resource) -> LanguageId {
        let name = resource.name().to_string();
        self.languages.number(match resource.reach() {
            Reach::One => Language::Exactly(name),
            Reach::Names => Language::Like(name),
            Reach::Subtree => Language::Under(name),
        })
    }

    pub(crate) fn covers(&mut self, scope: &Meaning, resource: &Resource) -> bool {
        let extent = self.extent(resource);
        scope.pieces.iter().any(|piece| {
            resource.realms().is_subset(piece.realms)
                && piece.names.is_none_or(|names| self.languages.contains(names, extent))
        })
    }

    pub(crate) fn catches(&mut self, scope: &Meaning, resource: &Resource) -> bool {
        let extent = self.extent(resource);
        let exactly = self.languages.number(Language::Exactly(resource.name().to_string()));
        scope.everything
            || scope.pieces.iter().any(|piece| {
                let by_name = piece.names.is_none_or(|names| match resource.reach() {
                    Reach::One | Reach::Names => {
                        self.languages.contains(names, exactly) || self.languages.contains(names, extent)
                    }
                    Reach::Subtree => self.languages.overlaps(names, extent),
                });
                by_name && (!scope.by_realm || resource.realms().overlaps(piece.realms))
            })
    }

    /// Piece by piece, as `region.rs` documents it.
    pub(crate) fn contains(&mut self, outer: &Meaning, inner: &Meaning) -> bool {
        outer.everything
            || (!inner.everything
                && inner.pieces.iter().all(|inner| {
                    outer.pieces.iter().any(|outer| {
                        let names = match (outer.names, inner.names) {
                            (None, _) => true,
                            (Some(_), None) => false,
                            (Some(outer), Some(inner)) => self.languages.contains(outer, inner),
                        };
                        names && inner.realms.is_subset(outer.realms)
                    })
                }))
    }
}

fn reach_of(network: Network) -> Realms {
    match network {
        Network::Internal => Realm::Internal.into(),
        Network::External => Realms::NETWORK,
    }
}

/// An entry of the topology as patterns with the head of `like`: a domain stands for all its hosts and
/// addresses.
fn spelled(entry: &str, like: &Pattern) -> Vec<String> {
    if entry.contains([':', '/']) {
        return vec![entry.into()];
    }
    let head = like.head().as_str();
    let names = [format!("{head}{entry}"), format!("{head}*.{entry}")];
    let addresses = [format!("{head}*@{entry}"), format!("{head}*@*.{entry}")];
    if like.head().has_host() {
        return names.iter().flat_map(|name| [format!("{name}/**"), format!("{name}:*/**")]).collect();
    }
    // Mail and calendars are named by addresses; elsewhere an `@` says nothing.
    match head {
        "mailto:" => addresses.into(),
        "calendar:" => addresses.iter().map(|name| format!("{name}/**")).collect(),
        _ => Vec::new(),
    }
}

/// One rule at one pair of its scopes.
pub(crate) struct Tagged {
    pub(crate) rule: RuleId,
    pub(crate) action: Action,
    pub(crate) once: bool,
    pub(crate) input: Meaning,
    pub(crate) output: Meaning,
    taint: Taint,
    effects: Effects,
    binding: Binding,
}

/// One pair of a call.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'c> {
    pub(crate) input: &'c Resource,
    pub(crate) output: &'c Resource,
    pub(crate) taint: Taint,
    pub(crate) effects: Effects,
    pub(crate) server: &'c Server,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Verdict {
    Permit,
    Deny,
    Conflict,
    Uncovered,
}

/// Whether a deny is at or inside an allow, and at or around it.
struct Lies {
    inside: bool,
    around: bool,
}

/// The rules of a session, one by one.
pub(crate) struct Naive<'n> {
    pub(crate) places: Places<'n>,
    pub(crate) rules: Vec<Tagged>,
}

impl<'n> Naive<'n> {
    pub(crate) fn new(entries: &[Entry], mut places: Places<'n>) -> Naive<'n> {
        let mut rules = Vec::new();
        for Entry { id, rule } in entries.iter().filter(|entry| holds(&entry.rule)) {
            for input in &rule.boundary.inputs {
                for output in &rule.boundary.outputs {
                    rules.push(Tagged {
                        rule: *id,
                        action: rule.action,
                        once: rule.lifetime == Lifetime::Once,
                        input: places.meaning(input),
                        output: places.meaning(output),
                        taint: rule.boundary.taint,
                        effects: rule.boundary.effects,
                        binding: rule.binding.clone(),
                    });
                }
            }
        }
        Naive { places, rules }
    }

    /// The positions of the rules that cover or catch a pair.
    pub(crate) fn about(&mut self, pair: &Pair<'_>) -> Vec<usize> {
        let (places, rules) = (&mut self.places, &self.rules);
        let is_about = |rule: &Tagged| match rule.action {
            Action::Allow => departure(places, rule, pair) == Departure::default(),
            Action::Deny => {
                pair.effects.overlaps(rule.effects)
                    && (rule.taint.is_empty() || rule.taint.overlaps(pair.taint))
                    && places.catches(&rule.input, pair.input)
                    && places.catches(&rule.output, pair.output)
            }
        };
        let about = rules.iter().map(is_about).enumerate().filter(|(_, is_about)| *is_about);
        about.map(|(position, _)| position).collect()
    }

    /// In what a pair leaves each allow, with the allow's name.
    pub(crate) fn departures(&mut self, pair: &Pair<'_>) -> Vec<(RuleId, Departure)> {
        let (places, rules) = (&mut self.places, &self.rules);
        let allows = rules.iter().filter(|rule| rule.action == Action::Allow);
        allows.map(|rule| (rule.rule, departure(places, rule, pair))).collect()
    }

    /// The rules about a pair with the most specific locations. Where no deny leaves a side open, these are the minimal
    /// elements, except that at equal locations the deny alone counts.
    pub(crate) fn frontier(&mut self, about: &[usize]) -> Vec<usize> {
        let (allows, denies) = self.speaking(about);
        let mut frontier = self.minimal(&allows);
        frontier.extend(self.minimal(&denies));
        frontier
    }

    /// The allows that no deny leaves nothing to say, and the denies that yield to none of those.
    pub(crate) fn speaking(&mut self, about: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let (mut allows, mut denies): (Vec<usize>, Vec<usize>) =
            about.iter().partition(|position| self.rules[**position].action == Action::Allow);
        allows.retain(|allow| !denies.iter().any(|deny| self.lies(*deny, *allow).inside));
        denies.retain(|deny| {
            !allows.iter().any(|allow| {
                let lies = self.lies(*deny, *allow);
                lies.around && !lies.inside
            })
        });
        (allows, denies)
    }

    fn minimal(&mut self, rules: &[usize]) -> Vec<usize> {
        let is_minimal = |rule: &usize| !rules.iter().any(|other| self.is_narrower(*other, *rule));
        rules.iter().copied().filter(is_minimal).collect()
    }

    /// How a deny lies to an allow on the sides it cares about: all of them, or the one it does not leave open.
    fn lies(&mut self, deny: usize, allow: usize) -> Lies {
        let (places, deny, allow) = (&mut self.places, &self.rules[deny], &self.rules[allow]);
        let sides = [(&deny.input, &allow.input), (&deny.output, &allow.output)];
        let stated: Vec<_> = sides.into_iter().filter(|(deny, _)| !deny.everything).collect();
        Lies {
            inside: !stated.is_empty() && stated.iter().all(|(deny, allow)| places.contains(allow, deny)),
            around: stated.iter().all(|(deny, allow)| places.contains(deny, allow)),
        }
    }

    fn is_narrower(&mut self, inner: usize, outer: usize) -> bool {
        let (places, inner, outer) = (&mut self.places, &self.rules[inner], &self.rules[outer]);
        let mut holds = |outer: &Tagged, inner: &Tagged| {
            places.contains(&outer.input, &inner.input) && places.contains(&outer.output, &inner.output)
        };
        holds(outer, inner) && !holds(inner, outer)
    }

    /// The rule of consensus over the frontier.
    pub(crate) fn verdict(&mut self, about: &[usize]) -> Verdict {
        let frontier = self.frontier(about);
        let any = |action| frontier.iter().any(|position| self.rules[*position].action == action);
        match (any(Action::Allow), any(Action::Deny)) {
            (true, false) => Verdict::Permit,
            (false, true) => Verdict::Deny,
            (true, true) => Verdict::Conflict,
            (false, false) => Verdict::Uncovered,
        }
    }
}

fn departure(places: &mut Places<'_>, rule: &Tagged, pair: &Pair<'_>) -> Departure {
    let outside = |inside| if inside { Outside::No } else { Outside::Yes };
    Departure {
        input: outside(places.covers(&rule.input, pair.input)),
        output: outside(places.covers(&rule.output, pair.output)),
        effects: pair.effects.iter().filter(|effect| !rule.effects.contains(*effect)).collect(),
        taint: pair.taint.iter().filter(|label| !rule.taint.contains(*label)).collect(),
        server: outside(match &rule.binding {
            Binding::Unbound => true,
            Binding::Own(name) => *name == pair.server.name,
            Binding::Known(_) => pair.server.standing == Standing::Known,
        }),
    }
}

fn holds(rule: &Rule) -> bool {
    match &rule.lifetime {
        Lifetime::Once | Lifetime::Always => true,
        Lifetime::Session(name) => &**name == SESSION,
        Lifetime::Until(end) => now() < *end,
    }
}
