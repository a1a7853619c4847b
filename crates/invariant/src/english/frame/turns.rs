//! What verbs, prepositions and markers do to a frame.

use super::{Affix, Frame, Framer, Role, State};
use crate::english::chunk::{Chunk, Piece};
use crate::english::lexicon::{Marker, Preposition};

impl Framer<'_> {
    /// A verb of a relative clause: "channels we share", "anything you write", "nothing you read in …".
    pub(super) fn relative(&self, number: usize, frame: &mut Frame, state: &mut State) {
        let Some(action) = self.lexicon.action(number) else { return };
        match action.name.as_str() {
            "read" | "use" | "search" | "query" => {
                state.role = Role::From;
                state.is_fresh = true;
            }
            "write" | "create" | "change"
                if frame
                    .verbs
                    .iter()
                    .any(|verb| self.lexicon.action(*verb).is_some_and(|verb| verb.name == "mention")) =>
            {
                frame.verbs.push(number);
                frame.verb_words.push(action.name.clone());
            }
            "send" => {
                if let Some(noun) = frame.slots.last_mut().and_then(|slot| slot.nouns.last_mut()) {
                    noun.adjectives.push(crate::meaning::Place::External);
                }
                state.skips = true;
            }
            _ => {}
        }
    }

    pub(super) fn preposition(
        &self,
        preposition: Preposition,
        piece: &Piece,
        frame: &Frame,
        state: &mut State,
    ) {
        let low = piece.text.to_lowercase();
        state.affix = match low.as_str() {
            _ if low.contains("start") || low.contains("begin") => Some(Affix::Start),
            _ if low.contains("end in")
                || low.contains("ends in")
                || low.contains("ending")
                || low.contains("end with") =>
            {
                Some(Affix::End)
            }
            _ => None,
        };
        // "keep phone numbers out of Slack"
        let keeps_out = low == "out of" && frame.keeps && frame.verbs.is_empty();
        let role = if keeps_out { Role::To } else { role(preposition, &piece.text) };
        // "anywhere except on …", "whatever you read in …" keep what they began with.
        let keeps = state.is_fresh && matches!(state.role, Role::Outside | Role::From) && role == Role::In;
        if !keeps {
            state.role = role;
        }
        state.is_fresh = true;
        state.relative = false;
    }

    pub(super) fn marker(
        &self,
        marker: Marker,
        piece: &Piece,
        rest: &[Piece],
        frame: &mut Frame,
        state: &mut State,
    ) {
        // "what is in X stays in X"
        let stays = marker == Marker::Only
            && piece.text.to_lowercase().starts_with("stay")
            && !frame.slots.is_empty();
        let marker = if stays { Marker::Contain } else { marker };
        frame.markers.push(marker);
        if stays {
            state.role = Role::In;
            frame.slots.iter_mut().for_each(|slot| slot.leads = true);
            return;
        }
        match marker {
            // "calls with her only between 8 and 10"
            Marker::Only if followed_by_time(rest) && !frame.is_empty() => frame.only_time = true,
            Marker::Only => {
                let low = piece.text.to_lowercase();
                if frame.verbs.is_empty() && frame.acts.is_empty() && frame.slots.is_empty() {
                    frame.only_leads = true;
                } else if let Some(slot) = frame.slots.last_mut().filter(|_| !leads_on(rest)) {
                    // Behind a place it means that place; before one, that one.
                    slot.only = true;
                }
                state.only = true;
                // "stay in docs/" has the preposition in it.
                if low.ends_with(" in")
                    || low.ends_with(" inside")
                    || low.ends_with(" within")
                    || low.ends_with(" to")
                    || low.ends_with(" on")
                    || low.ends_with("but")
                    || low.ends_with("than")
                {
                    state.role = Role::In;
                }
            }
            // "What you get from the database stays out of Slack"
            Marker::Avoid if frame.slots.iter().any(|slot| slot.role == Role::From) => {
                frame.slots.iter_mut().for_each(|slot| slot.leads = true);
                state.role = Role::To;
            }
            Marker::Deny => {
                let low = piece.text.to_lowercase();
                frame.keeps |= matches!(low.as_str(), "keep" | "leave" | "let");
                frame.denies_object |=
                    matches!(low.as_str(), "no" | "nothing" | "nobody" | "no one" | "none" | "noone");
                state.only = false;
            }
            _ => {}
        }
    }

    pub(super) fn verb(&self, number: usize, rest: &[Piece], frame: &mut Frame, state: &mut State) {
        // "press anything that pays": both, not either. "or" goes on with it.
        let is_itself = std::mem::take(&mut state.by_itself) || (state.joins && !frame.itself.is_empty());
        let shows = self.lexicon.action(number).is_some_and(|action| action.deed.is_empty());
        let word = rest.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
        let is_third = word.split(' ').next().is_some_and(|word| word.ends_with('s') && word != "says");
        if is_itself && is_third {
            state.relative = false;
            state.joins = false;
            match shows {
                true => frame.itself.push(number),
                false => frame.unknown.push(word),
            }
            return;
        }
        let has_noun = !frame.slots.is_empty() || frame.denies_object || !frame.acts.is_empty();
        let writes = self
            .lexicon
            .action(number)
            .is_some_and(|action| matches!(action.name.as_str(), "write" | "post" | "send"));
        let names = frame
            .slots
            .iter()
            .any(|slot| slot.role == Role::Object && slot.nouns.iter().any(|noun| !noun.names.is_empty()));
        let inside = frame.slots.last().is_some_and(|slot| matches!(slot.role, Role::In | Role::To));
        if state.relative && frame.denies_object && frame.verbs.is_empty() && writes && names && inside {
            // "no lorem ipsum in anything you write"
            frame.of_text = true;
        }
        if std::mem::take(&mut state.relative) && has_noun && !frame.only_leads {
            let is_main = frame.verbs.is_empty()
                && !rest.iter().skip(1).any(|piece| {
                    let low = piece.text.to_lowercase();
                    let goes = matches!(piece.chunk, Chunk::Preposition(_))
                        && low.contains(' ')
                        && (low.starts_with("go") || low.starts_with("end up") || low.starts_with("land"));
                    goes || matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_) | Chunk::Marker(_))
                })
                && frame.acts.is_empty();
            if !is_main {
                self.relative(number, frame, state);
                return;
            }
        }
        // "put … into" is no deed of its own beside another.
        let is_light = self
            .lexicon
            .action(number)
            .is_some_and(|action| matches!(action.name.as_str(), "use" | "write" | "run" | "create"));
        let next_is_verb = rest
            .iter()
            .skip(1)
            .find(|piece| piece.chunk != Chunk::Filler)
            .is_some_and(|piece| matches!(piece.chunk, Chunk::Verb(_)));
        if !(is_light && next_is_verb) {
            frame.verbs.push(number);
            frame.verb_words.extend(rest.first().map(|piece| piece.text.to_lowercase()));
        }
        for slot in &mut frame.slots {
            slot.leads = true;
        }
        state.skips = false;
        state.role = Role::Object;
        state.joins = false;
    }
}

pub(super) fn role(preposition: Preposition, text: &str) -> Role {
    match preposition {
        Preposition::From => Role::From,
        Preposition::To => match text.to_lowercase().as_str() {
            "with" => Role::Having,
            _ => Role::To,
        },
        Preposition::In
        | Preposition::Before
        | Preposition::After
        | Preposition::Between
        | Preposition::Until => Role::In,
        Preposition::Outside => Role::Outside,
        Preposition::Without => Role::Without,
        Preposition::Having => Role::Having,
        Preposition::As => Role::As,
    }
}

fn followed_by_time(rest: &[Piece]) -> bool {
    let next = rest.iter().skip(1).find(|piece| piece.chunk != Chunk::Filler);
    next.is_some_and(|piece| matches!(piece.chunk, Chunk::When(_)))
}

/// Whether a place or a time follows, which "only" then is about.
pub(super) fn leads_on(rest: &[Piece]) -> bool {
    let next = rest.iter().skip(1).find(|piece| piece.chunk != Chunk::Filler);
    next.is_some_and(|piece| {
        matches!(
            piece.chunk,
            Chunk::Preposition(_)
                | Chunk::When(_)
                | Chunk::Literal(_)
                | Chunk::Name(_)
                | Chunk::Word(_)
                | Chunk::Thing(_)
                | Chunk::Command(_)
                | Chunk::Setting { .. }
        )
    })
}
