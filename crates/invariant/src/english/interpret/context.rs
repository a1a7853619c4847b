//! What a clause takes over from those before it.

use super::Interpreter;
use crate::english::clause::Clause;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::lexicon::Marker;
use crate::english::noun::Noun;
use crate::meaning::{Place, Test};

impl Interpreter<'_> {
    /// Takes over what the clause leaves out.
    pub(super) fn inherit(&self, frame: &mut Frame, clause: &Clause) {
        let Some(last) = &self.last else { return };
        if !clause.starts_sentence {
            take_doing(frame, last);
            // A leading time is meant for the whole sentence.
            if frame.spans.is_empty() && (frame.refers_there || last.leads_with_time) {
                frame.spans.extend(last.spans.iter().cloned());
                frame.leads_with_time = true;
            }
            take_places(frame, last, clause);
            // What stands before a colon counts for all that stands behind it.
            let does = !frame.verbs.is_empty() || !frame.acts.is_empty();
            let is_open = frame.slots.iter().all(|slot| !slot.nouns.iter().any(Noun::is_definite));
            if let Some(topic) = self.topic.as_ref().filter(|_| does && is_open) {
                let places = |slot: &&Slot| slot.nouns.iter().any(|noun| !noun.places.is_empty());
                frame.slots.extend(topic.slots.iter().filter(places).cloned());
            }
        }
        if clause.starts_sentence && frame.refers_there && frame.spans.is_empty() {
            // "Lunch is from 11:30 to 14:30": what it is counts, not when others have it.
            let from = if last.is_told { last.spans.len().saturating_sub(1) } else { 0 };
            frame.spans.extend(last.spans.iter().skip(from).cloned());
        }
        if frame.refers {
            take_names(frame, last);
        }
    }

    pub(super) fn last_frame(&self) -> Option<&Frame> {
        self.last.as_ref()
    }

    /// The places that the clause before named.
    pub(super) fn named_before(&self) -> Vec<Place> {
        let slots = self.last.iter().flat_map(|last| &last.slots);
        slots.flat_map(|slot| &slot.nouns).flat_map(|noun| noun.places.iter().cloned()).collect()
    }

    /// "…, nothing silly" after "only": it says the same once more.
    pub(super) fn only_says_again(&self, frame: &Frame, clause: &Clause) -> bool {
        let after_only = self.last.as_ref().is_some_and(|last| last.has(Marker::Only));
        let adds = !frame.verbs.is_empty() || !frame.acts.is_empty() || !frame.did_words.is_empty();
        let has_rules = self.rules.len() > self.sentence;
        !clause.starts_sentence
            && ((!adds && after_only && frame.denies_object) || (has_rules && frame.has(Marker::Only)))
    }

    /// What is allowed nevertheless: an exception from the rules before it, where it can be understood as one.
    pub(super) fn permission(&mut self, frame: &Frame, clause: &Clause) {
        if !frame.unknown.is_empty() {
            return;
        }
        let alone = clause
            .pieces
            .iter()
            .any(|piece| matches!(piece.text.to_lowercase().as_str(), "for me" | "me" | "myself" | "alone"));
        if alone && frame.acts.iter().chain(&frame.verbs).any(|number| self.is_named(*number, "schedule")) {
            for (_, case) in self.rules.iter_mut().skip(self.sentence.saturating_sub(4)) {
                case.unless.push(vec![Test::Company(false)]);
            }
        }
    }
}

/// "…, and never on a Wednesday": the same is done.
fn take_doing(frame: &mut Frame, last: &Frame) {
    let says = [Marker::Avoid, Marker::Protect, Marker::Append, Marker::Forbidden];
    let does = !frame.verbs.is_empty() || !frame.acts.is_empty() || !frame.did_words.is_empty();
    if does || says.iter().any(|marker| frame.has(*marker)) {
        return;
    }
    let only_times = frame.slots.is_empty() && (!frame.spans.is_empty() || !frame.amounts.is_empty());
    if only_times || frame.has(Marker::Only) {
        frame.verbs.clone_from(&last.verbs);
        frame.verb_words.clone_from(&last.verb_words);
        frame.did_words.clone_from(&last.did_words);
        frame.acts.clone_from(&last.acts);
        frame.act_words.clone_from(&last.act_words);
    }
    if only_times {
        frame.slots.extend(last.slots.iter().filter(|slot| !slot.only).cloned());
    }
}

/// "Keep out of /etc: no reading, no writing", "in #ops no posts, no replies": the same places are meant.
fn take_places(frame: &mut Frame, last: &Frame, clause: &Clause) {
    if frame.slots.iter().any(|slot| slot.nouns.iter().any(Noun::is_definite)) {
        return;
    }
    let has_doing = !frame.verbs.is_empty() || !frame.acts.is_empty();
    let is_open = frame.slots.is_empty() && frame.spans.is_empty() && frame.amounts.is_empty();
    let is_parallel = is_open
        && frame.denies_object
        && (last.denies_object || last.has(Marker::Avoid) || last.has(Marker::Protect));
    let refers = frame.slots.is_empty() && frame.refers_there;
    if refers || (clause.explains && has_doing) || is_parallel {
        // "August is holiday: …" tells why; its words are no places.
        let told = last.is_told && last.verbs.is_empty() && last.acts.is_empty();
        let is_sure = |slot: &&Slot| !told || slot.nouns.iter().any(Noun::is_sure);
        let slots = last.slots.iter().filter(is_sure);
        let has_sure = last.slots.iter().any(|slot| slot.nouns.iter().any(Noun::is_sure));
        frame.slots.extend(slots.map(|slot| Slot { only: false, ..slot.clone() }));
        if clause.explains && has_sure {
            frame.slots.iter_mut().for_each(|slot| slot.nouns.retain(|noun| !noun.is_word()));
            frame.slots.retain(|slot| !slot.nouns.is_empty());
        }
    } else if has_doing && !frame.refers {
        let leading = last.slots.iter().filter(|slot| slot.leads && slot.role != Role::Object);
        frame.slots.extend(leading.cloned());
    }
}

/// "it", "them" and "there" are what was named before.
pub(super) fn take_names(frame: &mut Frame, last: &Frame) {
    let nouns = last.slots.iter().flat_map(|slot| &slot.nouns);
    let mut named: Vec<Noun> = nouns.filter(|noun| noun.is_definite() && !noun.is_it).cloned().collect();
    // "src/generated is built by a script, do not edit it"
    if named.iter().any(Noun::is_sure) {
        named.retain(|noun| !noun.is_word());
    }
    let is_data = last.slots.iter().any(|slot| slot.role == Role::From);
    for slot in &mut frame.slots {
        if slot.nouns.iter().any(|noun| noun.is_it) {
            if slot.role == Role::Object && is_data {
                slot.role = Role::From;
            }
            slot.nouns.retain(|noun| !noun.is_it);
            slot.nouns.extend(named.iter().cloned());
        }
    }
    frame.slots.retain(|slot| !slot.nouns.is_empty());
}
