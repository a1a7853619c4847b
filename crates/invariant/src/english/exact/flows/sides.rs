//! Where data comes from and where it must not go.

use super::data::{ALONE, Cue, Read, is_channel};
use super::mention::{Use, What};
use super::stretch::{DENYING, KEEPING, Stretch, has};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::Place;

/// Where data goes.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Sink {
    Never(What),
    Alone(What),
    /// Anywhere but where it is.
    Out,
    /// Off this machine.
    Network,
}

/// Both sides of a flow.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) sources: Vec<Place>,
    pub(super) sinks: Vec<Sink>,
    /// Whether mail is how it gets there.
    pub(super) is_mailed: bool,
    /// Whether "only" says that nothing else is meant.
    pub(super) is_only: bool,
    /// Whether it is about channels.
    pub(super) is_posted: bool,
    /// Whether other places of the same service are meant.
    pub(super) is_other: bool,
    /// Whether a host is one that people have addresses at.
    pub(super) has_people: bool,
    /// Whether things stay at a place of their own.
    is_still: bool,
    /// What data stays in, where nothing else says where it comes from.
    homes: Vec<Place>,
    /// What is only named by what is done.
    verbs: Vec<Sink>,
}

const PEOPLE: &[&str] = &[
    "people",
    "addresses",
    "address",
    "anyone",
    "anybody",
    "persons",
    "recipients",
    "outside",
    "beyond",
    "colleagues",
    "within",
    "inside",
    "someone",
    "somebody",
    "nobody",
    "one",
];

impl Exact<'_> {
    /// Where the data comes from, and where it must not go.
    pub(super) fn sides(
        &self,
        tokens: &[Token],
        read: &[Read<'_>],
        stretches: &[Stretch<'_>],
    ) -> Option<Sides> {
        let is_alone = has(tokens, ALONE) || is_nobody_else(tokens);
        let mut sides = Sides { has_people: has(tokens, PEOPLE), ..Sides::default() };
        sides.is_only = has(tokens, &["only", "else"]);
        sides.is_other =
            tokens.iter().any(|token| matches!(token.low.as_str(), "other" | "elsewhere" | "another"));
        let has_thing =
            read.iter().any(|own| matches!(own.mention.what, What::Thing(_)) && own.cue != Cue::To);
        for own in read {
            let is_denied =
                stretches.iter().rev().find(|stretch| stretch.from <= own.mention.at).is_some_and(
                    |stretch| {
                        let before = own.mention.at.saturating_sub(stretch.from);
                        denies(stretch.tokens.get(..before).unwrap_or_default())
                    },
                );
            self.place_side(own, is_alone, is_denied, has_thing, &mut sides);
        }
        let is_explicit = read.iter().any(|own| own.cue == Cue::From);
        if sides.sinks.is_empty() && is_explicit {
            sides.sinks = std::mem::take(&mut sides.verbs);
        }
        if sides.sources.is_empty() {
            sides.sources = std::mem::take(&mut sides.homes);
        }
        if sides.sources.is_empty() {
            self.subject_source(tokens, read, &mut sides)?;
        }
        settle(tokens, read, &mut sides);
        // "from nowhere else", "only what lies there": where it comes from is limited, not where it goes.
        let is_only = has(tokens, &["only", "nowhere", "exclusively", "solely"])
            && !sides.sinks.iter().any(|sink| matches!(sink, Sink::Alone(_)));
        // "the channel we share with them" is one of several.
        let is_shared = tokens
            .windows(2)
            .any(|pair| matches!(pair, [we, share] if we.low == "we" && share.low == "share"))
            && !sides.sinks.iter().any(|sink| matches!(sink, Sink::Never(What::Thing(_))));
        let is_explicit = read.iter().any(|own| own.cue == Cue::From);
        if has(tokens, PICTURES) || has(tokens, &["myself"]) {
            return None;
        }
        (!is_only && !is_shared && is_flow(&sides, is_explicit)).then_some(sides)
    }

    /// What one mention is.
    fn place_side(
        &self,
        own: &Read<'_>,
        is_alone: bool,
        is_denied: bool,
        has_thing: bool,
        sides: &mut Sides,
    ) {
        let what = &own.mention.what;
        match (what, own.cue) {
            (What::Machine, _) => sides.sinks.push(Sink::Network),
            (What::Service(_, Use::Verb), _) => sides.verbs.push(Sink::Never(what.clone())),
            (What::Thing(places), Cue::From | Cue::Unclear) => sides.sources.extend(places.iter().cloned()),
            (What::Thing(_) | What::Party(_), Cue::Alone) => sides.sinks.push(Sink::Alone(what.clone())),
            (What::Thing(_) | What::Party(_), Cue::To) => match (is_alone, is_denied) {
                (true, _) => sides.sinks.push(Sink::Alone(what.clone())),
                (false, true) => sides.sinks.push(Sink::Never(what.clone())),
                // "finds go to the inbox page": where else they go is not said.
                (false, false) => {}
            },
            (What::Party(place @ Place::Domain(_)), Cue::From) if !has_thing => {
                sides.sources.push(place.clone())
            }
            (What::Party(_), Cue::Unclear) if is_alone => sides.sinks.push(Sink::Alone(what.clone())),
            // A word for what is only read, where something goes, tells nothing.
            (What::Service(service, Use::From), Cue::To | Cue::Unclear) if service.name != "mail" => {}
            (What::Service(service, Use::From), _) | (What::Service(service, Use::Both), Cue::From) => {
                // "the names in my calendar from the plan page": the thing says it more exactly.
                let is_known = !has_thing && !service.kind.is_empty();
                sides.sources.extend(is_known.then(|| Place::Kind(service.kind.clone())));
            }
            (What::Server(server), Cue::From) => {
                sides.sources.extend((!has_thing).then(|| Place::Word(server.clone())));
            }
            (What::Service(..), Cue::From) => {}
            (What::Service(service, _), Cue::Unclear) if service.place == "file" && !is_denied => {}
            // "nothing in scans/ stays in scans/" is about where files lie.
            (What::Thing(_), Cue::Home) => sides.is_still = true,
            (What::Service(service, _), Cue::Home) => {
                sides.homes.extend((!service.kind.is_empty()).then(|| Place::Kind(service.kind.clone())));
                sides.sinks.push(Sink::Out);
            }
            (_, Cue::Home) => sides.sinks.push(Sink::Out),
            (What::Party(_), _) if !is_denied => {}
            _ => sides.sinks.push(Sink::Never(what.clone())),
        }
    }

    /// The service that data comes from where it stands in front of what is denied.
    fn subject_source(&self, tokens: &[Token], read: &[Read<'_>], sides: &mut Sides) -> Option<()> {
        let first = read.first()?;
        let What::Service(service, Use::Both) = &first.mention.what else { return None };
        let before = first.mention.at.checked_sub(1).and_then(|at| tokens.get(at));
        if before.is_some_and(|before| matches!(before.low.as_str(), "on" | "in")) {
            return None;
        }
        let denied = tokens.iter().position(|token| DENYING.contains(&token.low.as_str()))?;
        let is_source = !service.kind.is_empty()
            && first.mention.at < denied
            && read.iter().any(|own| own.mention.at > denied && own.mention.what != first.mention.what)
            && !matches!(self.subject(tokens, first.mention), Cue::To);
        if !is_source {
            return None;
        }
        sides.sinks.retain(|sink| *sink != Sink::Never(first.mention.what.clone()));
        sides.sources.push(Place::Kind(service.kind.clone()));
        Some(())
    }
}

/// Sinks that say the same as others, or only how something gets there.
fn settle(tokens: &[Token], read: &[Read<'_>], sides: &mut Sides) {
    let is_service = |sink: &Sink, name: &str| matches!(sink, Sink::Never(What::Service(service, _)) if service.name == name);
    let all = || sides.sinks.iter().chain(&sides.verbs);
    let (is_mailed, is_posted) =
        (all().any(|sink| is_service(sink, "mail")), all().any(|sink| is_service(sink, "chat")));
    (sides.is_mailed, sides.is_posted) = (is_mailed, is_posted);
    // What stays where it is must not get anywhere that is named.
    if sides.sinks.iter().any(|sink| matches!(sink, Sink::Never(_) | Sink::Alone(_) | Sink::Network)) {
        sides.sinks.retain(|sink| *sink != Sink::Out);
    }
    if sides.sinks.contains(&Sink::Network) {
        sides.sinks.retain(|sink| !is_service(sink, "files"));
    }
    // A channel named as one that alone counts, or that data comes from, is no other.
    let named = sides.sources.clone();
    sides.sinks.retain(|sink| !matches!(sink, Sink::Never(What::Thing(places)) if *places == named));
    // "the channel we share (C012AB3CD)": that one alone.
    if sides.sinks.iter().any(|sink| matches!(sink, Sink::Never(What::Thing(places)) if is_channel(places))) {
        sides.sinks.retain(|sink| !is_service(sink, "chat"));
    }
    // "mailed to ana@acme.com only": the mail is how it gets there.
    let alone = read.iter().filter(|own| sides.sinks.contains(&Sink::Alone(own.mention.what.clone())));
    let alone: Vec<usize> = alone.map(|own| own.mention.at).collect();
    if !alone.is_empty() {
        let is_apart = |what: &What| {
            read.iter().any(|own| {
                own.mention.what == *what
                    && is_denied_near(tokens, own.mention.at)
                    && alone.iter().all(|at| is_parted(tokens, *at, own.mention.at))
            })
        };
        sides.sinks.retain(|sink| !matches!(sink, Sink::Never(what) if !is_apart(what)));
    }
    let has_other = sides.sinks.iter().any(|sink| is_service(sink, "chat"));
    sides.is_other &= has_other && is_channel(&sides.sources);
}

/// Whether both sides are such that data can go from one to the other.
fn is_flow(sides: &Sides, is_explicit: bool) -> bool {
    let is_place = |place: &Place| {
        matches!(
            place,
            Place::Path(_)
                | Place::Within(_)
                | Place::Id(_)
                | Place::Table(_)
                | Place::Kind(_)
                | Place::Word(_)
                | Place::Domain(_)
        )
    };
    let is_web =
        |place: &Place| matches!(place, Place::Domain(_)) || *place == Place::Kind("page".to_owned());
    let is_own = |sink: &Sink| match sink {
        Sink::Never(What::Service(service, _)) => {
            let repository =
                matches!(service.about.as_str(), "issue" | "request") || service.kind == "repository";
            sides.sources.iter().all(|place| {
                (*place == Place::Kind(service.kind.clone()) && !service.kind.is_empty())
                    || (is_web(place) && (service.place == "page" || service.did == "web search"))
                    || (!is_explicit && service.kind == "channel" && is_channel(std::slice::from_ref(place)))
                    || (!is_explicit && repository && matches!(place, Place::Id(id) if id.contains('/')))
                    || (matches!(place, Place::Table(_)) && service.place == "table")
                    || (matches!(place, Place::Path(_)) && service.place == "file")
            })
        }
        Sink::Never(What::Thing(places)) | Sink::Alone(What::Thing(places)) => {
            let is_local = |place: &Place| matches!(place, Place::Path(_) | Place::Within(_));
            places.iter().all(is_local) && sides.sources.iter().any(is_local)
        }
        Sink::Network => sides.sources.iter().any(is_web),
        Sink::Alone(_) => sides.sources.iter().any(|place| matches!(place, Place::Domain(_))),
        Sink::Out | Sink::Never(_) => false,
    };
    !sides.sources.is_empty()
        && !sides.is_still
        && !sides.sinks.is_empty()
        && sides.sources.iter().all(is_place)
        && !sides.sinks.iter().any(is_own)
}

/// What is meant as files, with the ends that they have, and not as what is in them.
const PICTURES: &[&str] =
    &["picture", "pictures", "photo", "photos", "image", "images", "video", "videos", "pdf", "pdfs"];

/// Whether a stretch denies something, or keeps it away.
fn denies(tokens: &[Token]) -> bool {
    has(tokens, DENYING) || has(tokens, KEEPING)
}

/// "nobody else", "no other channel", "everyone else can't".
fn is_nobody_else(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        matches!(
            (first.low.as_str(), second.low.as_str()),
            ("no" | "not", "other" | "others")
                | ("nobody" | "one" | "anyone" | "everyone" | "everybody" | "nowhere", "else")
        )
    })
}

/// Whether something is denied in the words right before a place, and not for the others of its kind.
fn is_denied_near(tokens: &[Token], at: usize) -> bool {
    let near = tokens.get(at.saturating_sub(5)..at).unwrap_or_default();
    let last = near.last();
    if last.is_some_and(|last| matches!(last.low.as_str(), "other" | "another")) {
        return false;
    }
    let from = near.iter().rposition(|token| matches!(token.shape, Shape::Mark(_))).map_or(0, |at| at + 1);
    has(near.get(from..).unwrap_or_default(), DENYING)
}

/// Whether a mark stands between two places.
fn is_parted(tokens: &[Token], one: usize, other: usize) -> bool {
    let between = tokens.get(one.min(other)..one.max(other)).unwrap_or_default();
    let is_mark = |token: &Token| matches!(token.shape, Shape::Mark(',' | ';' | '.' | ':' | '!'));
    between.iter().any(|token| is_mark(token) || token.low == "and")
}
