//! What is done, as the verbs and nouns of a clause say it.

use super::{Draft, Interpreter, place};
use crate::action::Action;
use crate::english::frame::{Frame, Role};
use crate::english::lexicon::Marker;
use crate::meaning::{Deed, Doing, Place, Side, Test};
use crate::names;

impl Interpreter<'_> {
    /// What is done, as verbs and nouns say it.
    pub(super) fn doings(&self, frame: &Frame) -> Vec<Doing> {
        if let Some(doings) = marked(frame) {
            return doings;
        }
        let acts: Vec<_> = frame.acts.iter().filter_map(|number| self.lexicon.action(*number)).collect();
        let has_text_act =
            acts.iter().any(|act| matches!(act.name.as_str(), "web search" | "search" | "query"));
        let shown = frame
            .did_words
            .iter()
            .filter(|word| self.hand.has_tool_word(word) || self.hand.has_program(word));
        let mut doings: Vec<Doing> = shown.map(|word| Doing::Did(word.clone())).collect();
        for (at, number) in frame.verbs.iter().enumerate() {
            let Some(verb) = self.lexicon.action(*number) else { continue };
            let word = frame.verb_words.get(at).map(String::as_str).unwrap_or_default();
            let saves = matches!(word, "save" | "store" | "saving" | "saved");
            let is_light =
                matches!(verb.name.as_str(), "send" | "create" | "write" | "run" | "use" | "change" | "post")
                    && !saves;
            // "send emails" is what "emails" says, "delete events" is what "delete" says.
            if (is_light && !acts.is_empty())
                || (verb.name == "type" && has_text_act)
                || verb.name == "mention"
            {
                // "Nothing from #legal may show up elsewhere": its data goes there.
                let follows =
                    verb.name == "mention" && frame.slots.iter().any(|slot| slot.role == Role::From);
                if follows {
                    doings.push(Doing::Deed(Deed::Sends));
                }
                continue;
            }
            if goes_on(frame, at, &verb.name) {
                doings.push(Doing::Deed(Deed::Sends));
                continue;
            }
            // "leave a TODO in" writes it.
            if verb.name == "send"
                && frame.verb_words.get(at).is_some_and(|word| word.starts_with("leave"))
                && leaves_text(frame)
            {
                continue;
            }
            // "never replace a whole page", where a tool takes the value `replace_content`.
            if verb.deed == "changes" && !self.chosen(word).is_empty() {
                continue;
            }
            // "book it into ledger", where there is no calendar.
            if verb.name == "schedule" && word.starts_with("book") && !self.hand.has_calendar() {
                doings.push(Doing::Deed(Deed::Writes));
                continue;
            }
            doings.extend(doing(&verb.name, &verb.deed));
        }
        if let (true, Some(deed)) = (doings.is_empty(), flowing(frame, &acts)) {
            return vec![Doing::Deed(deed)];
        }
        if doings.is_empty() {
            let is_new = |name: &str| name == "create" && acts.iter().any(|act| act.name != "create");
            for act in acts.iter().filter(|act| act.name != "mention" && !is_new(&act.name)) {
                doings.extend(doing(&act.name, &act.deed));
            }
        }
        doings.sort();
        doings.dedup();
        doings
    }

    /// The values of arguments at hand that a verb stands for.
    pub(super) fn chosen(&self, word: &str) -> Vec<String> {
        match word.contains(' ') || self.hand.has_tool_word(word) {
            true => Vec::new(),
            false => self.hand.choices_with(word),
        }
    }

    /// A verb of looking or deleting with the noun of an act: "never delete events", "no new events".
    pub(super) fn acts_of_others(&self, frame: &Frame, draft: &mut Draft) {
        let has_own = draft.doings.iter().any(|doing| {
            matches!(
                doing,
                Doing::Deed(Deed::Reads | Deed::Deletes | Deed::Moves | Deed::Changes | Deed::Writes)
            )
        });
        let by_verb = frame
            .verbs
            .iter()
            .any(|number| self.lexicon.action(*number).is_some_and(|verb| verb.name != "mention"));
        if !has_own || frame.acts.is_empty() || !by_verb {
            return;
        }
        let mailbox = frame.acts.iter().all(|number| self.is_named(*number, "mail"));
        if mailbox && !self.hand.has_tool_word("email") {
            draft.tests.push(place(Side::Object, vec![Place::Kind("mailbox".to_owned())], true));
            return;
        }
        let mut nouns: Vec<String> = frame.act_words.iter().map(|word| names::stem(word)).collect();
        if frame.acts.iter().all(|number| self.is_named(*number, "create")) {
            return;
        }
        for action in frame.acts.iter().filter_map(|number| self.lexicon.action(*number)) {
            nouns.extend(action.tools.iter().filter(|set| !set.contains(' ')).cloned());
            if action.name == "mail" {
                nouns.extend(["email", "mail", "message"].map(str::to_owned));
            }
        }
        nouns.sort();
        nouns.dedup();
        // Tools that do everything to everything say what in an argument.
        let chosen = Test::Choice { values: nouns.clone(), parameter: None, is: true };
        let did = Test::Did { actions: nouns, is: true };
        draft.tests.push(match self.hand.own_parameter("type") {
            Some(_) => Test::Any(vec![vec![did], vec![chosen]]),
            None => did,
        });
    }
}

/// What markers say is done, whatever the verbs are.
fn marked(frame: &Frame) -> Option<Vec<Doing>> {
    if frame.has(Marker::Append) {
        let did =
            ["update", "edit", "replace", "sql update", "rewrite"].map(|word| Doing::Did(word.to_owned()));
        return Some([Doing::Deed(Deed::Deletes), Doing::Deed(Deed::Moves)].into_iter().chain(did).collect());
    }
    if frame.has(Marker::Protect) {
        // What runs in a place may change anything there.
        let is_held = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.setting.is_some()));
        let runs = is_held.then_some(Doing::Deed(Deed::Runs));
        return Some(std::iter::once(Doing::Deed(Deed::Changes)).chain(runs).collect());
    }
    if frame.has(Marker::Avoid) {
        // "What you get from the database stays out of Slack"
        let follows = frame.slots.iter().any(|slot| slot.role == Role::From);
        return Some(vec![Doing::Deed(if follows { Deed::Sends } else { Deed::Involves })]);
    }
    None
}

/// Where data goes that no verb speaks of: "keep the contents of keys/ out of Notion", "no text from the web in chapters/".
fn flowing(frame: &Frame, acts: &[&Action]) -> Option<Deed> {
    let is_flow = |role: Role| frame.slots.iter().any(|slot| slot.role == role);
    if acts.is_empty() && frame.keeps && is_flow(Role::To) {
        return Some(Deed::Sends);
    }
    let says_where = is_flow(Role::In) || is_flow(Role::To);
    let only_source = acts.iter().all(|act| act.name == "browse");
    (frame.denies_object && is_flow(Role::From) && says_where && only_source).then_some(Deed::Writes)
}

/// "what comes from the database never goes to …"
fn goes_on(frame: &Frame, at: usize, verb: &str) -> bool {
    let goes = frame.verb_words.get(at).is_some_and(|word| word.starts_with("go"));
    verb == "use" && goes && frame.slots.iter().any(|slot| slot.role == Role::From && slot.leads)
}

pub(crate) fn doing(name: &str, deed: &str) -> Option<Doing> {
    Some(match deed {
        "reads" => Doing::Deed(Deed::Reads),
        "writes" => Doing::Deed(Deed::Writes),
        "changes" => Doing::Deed(Deed::Changes),
        "deletes" => Doing::Deed(Deed::Deletes),
        "moves" => Doing::Deed(Deed::Moves),
        "copies" => Doing::Deed(Deed::Copies),
        "runs" => Doing::Deed(Deed::Runs),
        "sends" => Doing::Deed(Deed::Sends),
        "involves" => Doing::Deed(Deed::Involves),
        _ => Doing::Did(name.to_owned()),
    })
}

/// Deeds by which data goes somewhere.
pub(super) fn carries(doings: &[Doing]) -> bool {
    doings.iter().any(|doing| match doing {
        Doing::Deed(deed) => matches!(deed, Deed::Sends | Deed::Copies),
        Doing::Did(name) => matches!(
            name.as_str(),
            "mail" | "post" | "publish" | "upload" | "attach" | "web search" | "forward"
        ),
    })
}

/// Something is posted or mailed, so that the object may be whom it goes to.
pub(super) fn posts(doings: &[Doing]) -> bool {
    doings
        .iter()
        .any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "post" | "direct message")))
}

/// "leave a TODO": a text, not a place.
pub(super) fn leaves_text(frame: &Frame) -> bool {
    frame
        .slots
        .iter()
        .filter(|slot| slot.role == Role::Object && !slot.leads)
        .any(|slot| slot.nouns.iter().any(|noun| !noun.names.is_empty() || !noun.literals.is_empty()))
}

pub(super) fn carries_data(draft: &Draft) -> bool {
    draft.tests.iter().any(|test| matches!(test, Test::Carries(_)))
}
