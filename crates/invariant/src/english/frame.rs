//! A clause as a frame: what is done, to what, from and to where, when, and how much.

mod amounts;
mod turns;
mod words;

use super::amount::Amount;
use super::chunk::{Chunk, Piece};
use super::lexicon::{Lexicon, Marker, Preposition};
use super::noun::{self, Noun};
use crate::hand::Hand;
use crate::meaning::Span;
use turns::leads_on;
use words::{data_only, described, forbids, is_then};

/// What part a noun plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Object,
    From,
    To,
    In,
    Outside,
    Without,
    Having,
    As,
}

/// A noun, or several joined, and the part they play.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Slot {
    pub(crate) role: Role,
    pub(crate) nouns: Vec<Noun>,
    /// Whether "only" stands beside it.
    pub(crate) only: bool,
    /// Whether it stands before the verb.
    pub(crate) leads: bool,
}

/// A clause as a frame.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) markers: Vec<Marker>,
    pub(crate) asks: bool,
    /// Actions said with verbs, by their numbers.
    pub(crate) verbs: Vec<usize>,
    /// Actions said with nouns.
    pub(crate) acts: Vec<usize>,
    /// What tools at hand do, by the words of their names.
    pub(crate) did_words: Vec<String>,
    /// The verbs as they are written.
    pub(crate) verb_words: Vec<String>,
    /// Whether all calls of a session are counted.
    pub(crate) per_session: bool,
    /// The nouns as they are written, for tools that have them in their names.
    pub(crate) act_words: Vec<String>,
    pub(crate) slots: Vec<Slot>,
    /// Times, and whether "or" stands before them.
    pub(crate) spans: Vec<(Span, bool)>,
    /// Whether "only" stands beside the time.
    pub(crate) only_time: bool,
    /// Whether what is named is text that is written.
    pub(crate) of_text: bool,
    /// Whether a time stands first.
    pub(crate) leads_with_time: bool,
    pub(crate) amounts: Vec<(Amount, Option<String>)>,
    /// What is excepted.
    pub(crate) excepted: Option<Box<Frame>>,
    /// How what is needed begins or ends the text.
    pub(crate) affix: Option<Affix>,
    /// What is needed.
    pub(crate) needed: Option<Box<Frame>>,
    /// Words that mean nothing here.
    pub(crate) unknown: Vec<String>,
    /// Whether it speaks of something said before.
    pub(crate) refers: bool,
    /// Whether "then" or "there" does.
    pub(crate) refers_there: bool,
    /// Whether "only" stands before the verb.
    pub(crate) only_leads: bool,
    /// Whether the verbs are all that may be done: "only read".
    pub(crate) only_verb: bool,
    /// "no", "nothing" and the like stand for the object.
    pub(crate) denies_object: bool,
    /// Everything at once.
    pub(crate) everything: bool,
    /// "the whole cache", "the entire list".
    pub(crate) whole: bool,
    /// The time is when something is due.
    pub(crate) of_due: bool,
    /// It tells something: "August is holiday".
    pub(crate) is_told: bool,
    /// "keep … out of …".
    pub(crate) keeps: bool,
    /// "all others", "the rest": what is said of them must be understood by itself.
    pub(crate) says_rest: bool,
    /// What the thing does itself to which something is done: "press anything that pays".
    pub(crate) itself: Vec<usize>,
    /// Of something that is new: "new notes go into inbox/".
    pub(crate) of_new: bool,
    /// What is counted is counted for each one: "two mails per person".
    pub(crate) per_each: bool,
}

impl Frame {
    pub(crate) fn has(&self, marker: Marker) -> bool {
        self.markers.contains(&marker)
    }

    /// Whether it only says what is excepted: "other than README.md, …".
    pub(crate) fn is_exception(&self) -> bool {
        self.excepted.is_some() && self.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.verbs.is_empty()
            && self.did_words.is_empty()
            && self.acts.is_empty()
            && self.slots.is_empty()
            && self.spans.is_empty()
            && self.amounts.is_empty()
    }
}

/// Fills frames.
pub(crate) struct Framer<'f> {
    pub(crate) lexicon: &'f Lexicon,
    pub(crate) hand: &'f Hand,
}

struct State {
    role: Role,
    only: bool,
    joins: bool,
    other: bool,
    /// Nouns that only say with whom: "channels we share with partners".
    skips: bool,
    /// A time stands right before.
    after_time: bool,
    /// A preposition stands before, and no noun yet.
    is_fresh: bool,
    /// How the next name is cut: "ending in", "starting with".
    affix: Option<Affix>,
    /// "you", "we" stand behind a noun: what follows says more of it.
    relative: bool,
    /// "that", "which" stand behind a noun: what it does itself follows.
    by_itself: bool,
}

/// How a name is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Affix {
    Start,
    End,
}

impl Framer<'_> {
    pub(crate) fn frame(&self, pieces: &[Piece]) -> Frame {
        let mut frame = Frame::default();
        let mut state = State {
            role: Role::Object,
            only: false,
            joins: false,
            other: false,
            skips: false,
            after_time: false,
            is_fresh: false,
            affix: None,
            relative: false,
            by_itself: false,
        };
        frame.per_session = pieces
            .iter()
            .any(|piece| piece.chunk == Chunk::Filler && piece.text.to_lowercase().contains("session"));
        let said = pieces.iter().map(|piece| piece.text.to_lowercase()).collect::<Vec<_>>().join(" ");
        frame.per_each = said.contains("per person") || said.contains("the same person");
        frame.is_told = pieces.iter().any(|piece| {
            matches!(piece.text.to_lowercase().as_str(), "is" | "are" | "was" | "were")
                || piece.chunk == Chunk::Marker(Marker::Protect)
        });
        frame.says_rest = pieces.iter().any(|piece| {
            piece.chunk == Chunk::Marker(Marker::Else)
                && matches!(
                    piece.text.to_lowercase().as_str(),
                    "all other"
                        | "all others"
                        | "every other"
                        | "the rest"
                        | "everything else"
                        | "anything else"
                )
        });
        frame.of_new = said.starts_with("new ");
        frame.of_due = said.split(' ').any(|word| matches!(word, "due" | "deadline" | "deadlines"));
        frame.whole = said.ends_with("everything") || said.contains("whole ") || said.contains("entire ");
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let rest = pieces.get(at..).unwrap_or_default();
            at += self.piece(piece, rest, &mut frame, &mut state).max(1);
        }
        // "only fetch each page once": nobody remembers which.
        if said.ends_with(" once") && frame.has(Marker::Only) {
            frame.unknown.push("once".to_owned());
        }
        // "never write to the same person twice"
        let words = format!(" {said} ");
        if [" twice ", " more than once ", " a second time "].iter().any(|often| words.contains(often))
            && frame.amounts.is_empty()
        {
            // "never send the same mail twice": nobody remembers what was in it.
            if words.contains(" same ") && !frame.per_each {
                frame.unknown.push("same".to_owned());
            }
            frame.per_session |= !frame.per_each;
            let once = Amount { compare: super::amount::Compare::AtMost, number: 1, unit: None };
            frame.amounts.push((once, None));
        }
        self.settle_only(&mut frame, pieces);
        frame
    }

    /// Takes one piece, or several that belong together, and says how many.
    fn piece(&self, piece: &Piece, rest: &[Piece], frame: &mut Frame, state: &mut State) -> usize {
        let after_time = std::mem::replace(&mut state.after_time, false);
        if after_time && piece.chunk == Chunk::Marker(Marker::Only) && !leads_on(rest) {
            frame.markers.push(Marker::Only);
            frame.only_time = true;
            return 1;
        }
        match &piece.chunk {
            Chunk::Marker(Marker::Except | Marker::Unless) => {
                self.except(piece, rest, frame);
                return rest.len();
            }
            // "must never" forbids.
            Chunk::Marker(Marker::Needs) if forbids(rest) => {}
            Chunk::Marker(Marker::Needs) if !frame.is_empty() && !frame.has(Marker::Deny) => {
                self.need(piece, rest, frame);
                return rest.len();
            }
            Chunk::Marker(Marker::Needs) => {}
            Chunk::Marker(marker) => self.marker(*marker, piece, rest, frame, state),
            Chunk::Ask => frame.asks = true,
            Chunk::Verb(number) => self.verb(*number, rest, frame, state),
            Chunk::Deed(word) => {
                frame.did_words.push(word.clone());
                frame.slots.iter_mut().for_each(|slot| slot.leads = true);
                state.role = Role::Object;
                state.joins = false;
            }
            Chunk::Preposition(Preposition::Before) if frame.is_empty() => {}
            Chunk::Preposition(preposition) => self.preposition(*preposition, piece, frame, state),
            Chunk::Command(words) => self.command(words, frame, state),
            Chunk::Setting { parameter, value } => self.noun(Noun::setting(parameter, value), frame, state),
            Chunk::When(span) => {
                frame.leads_with_time |= frame.is_empty();
                frame.spans.push((span.clone(), std::mem::take(&mut state.joins)));
                state.after_time = true;
                return 1;
            }
            Chunk::Amount(amount) => return self.amount(amount, rest, frame, state),
            Chunk::Or | Chunk::And | Chunk::Comma => state.joins = true,
            Chunk::Filler => {
                self.filler(piece, frame, state);
                frame.unknown.extend(described(rest));
            }
            Chunk::It => self.it(piece, frame, state),
            Chunk::Strange(_) => frame.unknown.push(piece.text.to_lowercase()),
            Chunk::Open | Chunk::Close | Chunk::Colon => {}
            Chunk::Act(_) | Chunk::Thing(_) | Chunk::Literal(_) | Chunk::Name(_) | Chunk::Word(_) => {
                let (mut noun, length) = noun::read(rest, self.lexicon, self.hand);
                noun.is_other = std::mem::take(&mut state.other);
                state.is_fresh = false;
                state.relative = false;
                if let Some(affix) = state.affix {
                    noun.cut(affix);
                }
                self.noun(noun, frame, state);
                return length;
            }
        }
        1
    }

    /// A word that adds nothing by itself, but says where or whose.
    fn filler(&self, piece: &Piece, frame: &mut Frame, state: &mut State) {
        match piece.text.to_lowercase().as_str() {
            "here" => self.here(frame),
            "other" | "another" | "else" => state.other = true,
            "you" | "we" | "i" | "they" => state.relative = true,
            "that" | "which" | "who" => {
                state.relative = true;
                state.by_itself = !frame.verbs.is_empty() && !frame.slots.is_empty();
            }
            "at once" | "in one go" => {
                frame.everything |= frame.slots.iter().any(|slot| slot.nouns.iter().any(Noun::is_all));
            }
            _ => {}
        }
    }

    /// "it", "them", "there": what was named before.
    fn it(&self, piece: &Piece, frame: &mut Frame, state: &State) {
        let low = piece.text.to_lowercase();
        frame.refers = true;
        frame.refers_there |= matches!(low.as_str(), "there" | "in there" | "in it") || is_then(&low);
        if is_then(&low) {
            return;
        }
        let role = if low.ends_with("there") || low == "in it" { Role::In } else { state.role };
        let nouns = vec![Noun { is_it: true, ..Noun::default() }];
        frame.slots.push(Slot { role, nouns, only: state.only && !frame.only_leads, leads: false });
    }

    /// "except in docs/": what follows is a frame of its own.
    fn except(&self, piece: &Piece, rest: &[Piece], frame: &mut Frame) {
        let mut inner = self.frame(rest.get(1..).unwrap_or_default());
        // The preposition may be a part of the marker.
        if let Some(slot) = inner.slots.first_mut().filter(|slot| slot.role == Role::Object) {
            slot.role = match piece.text.to_lowercase().rsplit(' ').next() {
                Some("to" | "with") => Role::To,
                Some("from") => Role::From,
                Some("in" | "inside" | "under" | "on" | "at") => Role::In,
                _ => Role::Object,
            };
        }
        frame.asks |= inner.asks;
        frame.excepted = Some(Box::new(inner));
    }

    /// "… needs a LIMIT", "… must start with feat/".
    fn need(&self, piece: &Piece, rest: &[Piece], frame: &mut Frame) {
        let mut inner = self.frame(rest.get(1..).unwrap_or_default());
        let low = piece.text.to_lowercase();
        if low.contains("start") || low.contains("begin") {
            inner.affix = Some(Affix::Start);
        } else if low.contains("end ") || low.contains("ends") {
            inner.affix = Some(Affix::End);
        }
        frame.markers.push(Marker::Needs);
        frame.needed = Some(Box::new(inner));
    }

    /// "any file here" is in the workspace.
    fn here(&self, frame: &mut Frame) {
        frame.slots.push(Slot { role: Role::In, nouns: vec![Noun::workspace()], only: false, leads: false });
    }

    /// A program, perhaps with what it is told: "terraform apply", "rm -rf".
    fn command(&self, words: &[String], frame: &mut Frame, state: &mut State) {
        let noun = Noun { command: words.to_vec(), ..Noun::default() };
        self.noun(noun, frame, state);
    }

    fn noun(&self, noun: Noun, frame: &mut Frame, state: &mut State) {
        if state.skips && !noun.has_ids {
            return;
        }
        frame.everything |= noun.is_all()
            && frame
                .verbs
                .iter()
                .any(|verb| self.lexicon.action(*verb).is_some_and(|action| action.name == "stage"));
        let is_manner = matches!(state.role, Role::In | Role::Without | Role::Having | Role::As)
            && !(frame.is_empty() || data_only(frame))
            || (state.role == Role::From && (!frame.verbs.is_empty() || frame.denies_object));
        // "UPDATE on orders": what SQL is about are tables, whatever else the word means.
        let is_sql = |number: &usize| {
            self.lexicon.action(*number).is_some_and(|action| action.name.starts_with("sql "))
        };
        let noun = match noun.act.filter(|act| is_manner && !is_sql(act) && frame.acts.iter().any(is_sql)) {
            Some(_) => Noun { names: noun.act_words.clone(), ..Noun::default() },
            None => noun,
        };
        if let Some(act) = noun.act.filter(|_| !is_manner) {
            frame.acts.push(act);
            frame.act_words.extend(noun.act_words.clone());
            if noun.is_only_act() {
                if state.role == Role::As || state.joins || state.only {
                    state.joins = false;
                }
                if state.only && frame.only_leads {
                    // "only squash merges"
                }
                return;
            }
        }
        frame.unknown.extend(noun.unknown.clone());
        let joined = state.joins;
        state.joins = false;
        if joined && let Some(slot) = frame.slots.last_mut().filter(|slot| slot.role == state.role) {
            // ".gov and .edu sites"
            if noun.kind == "page" {
                slot.nouns.iter_mut().for_each(Noun::take_domains);
            }
            slot.nouns.push(noun);
            return;
        }
        // "the backup disk /mnt/vault": words in front of a place only describe it.
        let is_place = noun
            .places
            .iter()
            .any(|place| matches!(place, crate::meaning::Place::Path(_) | crate::meaning::Place::Domain(_)));
        if is_place
            && let Some(before) = frame.slots.last_mut().filter(|slot| slot.role == state.role && !slot.leads)
            && before.nouns.iter().all(|noun| noun.is_word())
        {
            before.nouns = vec![noun];
            return;
        }
        frame.slots.push(Slot {
            role: state.role,
            nouns: vec![noun],
            only: state.only && !frame.only_leads,
            leads: false,
        });
    }

    /// Finds out what "only" is about.
    fn settle_only(&self, frame: &mut Frame, pieces: &[Piece]) {
        if !frame.has(Marker::Only) && !frame.has(Marker::Else) {
            return;
        }
        if frame.only_time || frame.slots.iter().any(|slot| slot.only) {
            return;
        }
        // "In #ops you only react": the verb is what alone may be done.
        let at = pieces.iter().position(|piece| piece.chunk == Chunk::Marker(Marker::Only));
        let behind = at.and_then(|at| pieces.get(at + 1..)).unwrap_or_default();
        let next = behind.iter().find(|piece| piece.chunk != Chunk::Filler);
        let is_verb = next.is_some_and(|piece| matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_)));
        let all_lead =
            !frame.slots.is_empty() && frame.slots.iter().all(|slot| slot.leads && slot.role != Role::Object);
        if is_verb && all_lead && !frame.only_leads {
            frame.only_verb = true;
            return;
        }
        let is_place = |slot: &Slot| slot.nouns.iter().any(Noun::is_definite);
        let receives = frame.verb_words.iter().any(|word| word.starts_with("receive"));
        // "only csv files may be written to out/"
        let is_bare = frame.verbs.is_empty() && frame.acts.is_empty() && frame.did_words.is_empty();
        let ends = |slot: &Slot| {
            slot.nouns
                .iter()
                .all(|noun| noun.places.iter().all(|place| matches!(place, crate::meaning::Place::Ending(_))))
        };
        let leads = frame.only_leads
            && frame.slots.first().is_some_and(|slot| {
                slot.role == Role::Object && is_place(slot) && (slot.leads || is_bare && ends(slot))
            });
        let chosen = if receives || leads { frame.slots.iter().position(is_place) } else { None };
        let chosen = chosen
            .or_else(|| frame.slots.iter().rposition(|slot| is_place(slot) && slot.role != Role::Object));
        let chosen = chosen.or_else(|| frame.slots.iter().rposition(is_place));
        // "In the crm database you may look, nothing else"
        let looks = frame.verbs.len() == 1
            && frame
                .verbs
                .iter()
                .all(|verb| self.lexicon.action(*verb).is_some_and(|verb| verb.name == "read"));
        let leads = chosen.and_then(|at| frame.slots.get(at)).is_some_and(|slot| slot.leads);
        if looks && leads && !frame.only_leads {
            frame.only_verb = true;
            return;
        }
        match chosen.and_then(|at| frame.slots.get_mut(at)) {
            Some(slot) => slot.only = true,
            // "only book Tuesdays"
            None if !frame.spans.is_empty() => frame.only_time = true,
            None => frame.only_verb = frame.amounts.is_empty(),
        }
    }
}
