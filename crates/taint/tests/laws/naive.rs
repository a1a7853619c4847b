//! Γ written down from its definition: a list, looked through from end to end. No lifting, no wildcards.

use portcullis_lattice::{Effect, Effects, Label, Reach, Taint};
use portcullis_perceive::Use;

use crate::world::{Event, PLACES};

/// A name as head and segments; `db:*` has no segments.
#[derive(Clone, PartialEq, Debug)]
struct Place {
    head: String,
    segments: Vec<String>,
}

impl Place {
    fn of(name: &str) -> Place {
        let end = match (name.starts_with('/'), name.find("://"), name.find(':')) {
            (true, _, _) => 1,
            (_, Some(at), _) => at + 3,
            (_, None, Some(at)) => at + 1,
            _ => panic!("{name} is no name"),
        };
        let rest = &name[end..];
        let segments = rest.split('/').filter(|segment| !segment.is_empty() && rest != "*");
        Place { head: name[..end].into(), segments: segments.map(String::from).collect() }
    }

    fn contains(&self, other: &Place) -> bool {
        self.head == other.head && other.segments.starts_with(&self.segments)
    }

    fn name(&self) -> String {
        match (self.segments.is_empty(), self.head.as_str()) {
            (true, "/") => "/".into(),
            (true, head) => format!("{head}*"),
            (false, head) => format!("{head}{}", self.segments.join("/")),
        }
    }

    fn is_sensitive(&self) -> bool {
        [Reach::One, Reach::Subtree].iter().any(|reach| PLACES.holds_secrets(&Use::new(self.name(), *reach)))
    }
}

#[derive(Default)]
pub(crate) struct Naive {
    context: Taint,
    labels: Vec<(Place, bool, Label)>,
}

impl Naive {
    /// What the event carries, and then what it changes.
    pub(crate) fn happen(&mut self, event: &Event) -> Taint {
        let carried = self.carried(event);
        if event.permitted {
            self.permit(event, carried);
            if event.succeeded && event.act.deed.effects.contains(Effect::Del) {
                self.delete(event);
            }
        }
        carried
    }

    fn carried(&self, event: &Event) -> Taint {
        let deed = &event.act.deed;
        let from_context = deed.inputs.iter().any(|input| input.name == "ctxt");
        let beside = event.act.payload && deed.outputs.iter().any(|output| output.name != "ctxt");
        let mut taint = event.found;
        if from_context || beside {
            taint = taint.join(self.context);
            if event.credential {
                taint = taint.with(Label::Secret);
            }
        }
        deed.inputs
            .iter()
            .filter(|input| input.name != "ctxt")
            .fold(taint, |taint, input| taint.join(self.named(input)))
    }

    pub(crate) fn named(&self, input: &Use) -> Taint {
        let place = Place::of(&input.name);
        let by_name = if PLACES.holds_secrets(input) { Taint::only(Label::Secret) } else { Taint::EMPTY };
        self.labels.iter().fold(by_name, |taint, (labelled, with_all_below, label)| {
            let exactly = *labelled == place;
            let from_above = *with_all_below && labelled.contains(&place);
            let from_below = input.reach == Reach::Subtree && place.contains(labelled);
            if exactly || from_above || from_below { taint.with(*label) } else { taint }
        })
    }

    fn permit(&mut self, event: &Event, carried: Taint) {
        let effects = event.act.deed.effects;
        let has = |wanted: &[Effect]| effects.overlaps(wanted.iter().copied().collect::<Effects>());
        for output in &event.act.deed.outputs {
            if has(&[Effect::Read, Effect::Write, Effect::Exec, Effect::Spawn]) {
                carried.iter().for_each(|label| self.add(output, output.reach == Reach::Subtree, label));
            }
            if has(&[Effect::Exec, Effect::Spawn]) {
                self.add(output, false, Label::Secret);
            }
        }
    }

    fn add(&mut self, output: &Use, with_all_below: bool, label: Label) {
        match output.name.as_str() {
            "ctxt" => self.context = self.context.with(label),
            name => self.labels.push((Place::of(name), with_all_below, label)),
        }
    }

    fn delete(&mut self, event: &Event) {
        let deed = &event.act.deed;
        for input in deed.inputs.iter().filter(|input| input.name != "ctxt") {
            let place = Place::of(&input.name);
            let written = deed.effects.contains(Effect::Write)
                && deed.outputs.iter().any(|output| output.name == input.name);
            if written || place.segments.is_empty() || PLACES.holds_secrets(input) {
                continue;
            }
            self.labels.retain(|(labelled, with_all_below, _)| {
                let alone = *labelled == place && !with_all_below;
                let below = input.reach == Reach::Subtree && place.contains(labelled);
                !(alone || below) || labelled.is_sensitive()
            });
        }
    }
}
