//! What is perceived of a call, brought into the form of the facts that a trace has room for.

use portcullis_lattice::Realm;
use portcullis_perceive::layout::Ground;
use portcullis_perceive::{Act, Perception, Use, riskiest};

use crate::trace::{Facts, Side, word};

/// What is compared, as deviations name it.
pub(crate) const FIELDS: [&str; 5] = ["in", "out", "effects", "sensitive", "payload"];

/// In which fields the two agree, in the order of [`FIELDS`].
pub(crate) fn compared(found: &Facts, wanted: &Facts) -> [bool; 5] {
    [
        found.input == wanted.input,
        found.output == wanted.output,
        found.effects == wanted.effects,
        found.sensitive == wanted.sensitive,
        found.payload == wanted.payload,
    ]
}

/// What is perceived, with room for one flow as in a trace: the riskiest, equals joined. Every act counts for what is
/// sensitive, for a gateway judges them all.
pub(crate) fn facts(perception: &Perception, ground: &Ground) -> Facts {
    let realm_of = |name: &str| {
        let uses = perception.acts.iter().flat_map(|act| act.deed.inputs.iter().chain(&act.deed.outputs));
        let named = uses.filter(|one| one.name == name);
        named.map(|one| ground.resource(one).unwrap().highest_realm()).max().unwrap_or(Realm::External)
    };
    let deed = riskiest(&perception.deeds(), realm_of).unwrap();
    let is_named = |uses: &[Use]| uses.iter().any(|one| *one != Use::context());
    let is_sensitive = |act: &Act| {
        let from_context = act.deed.inputs.contains(&Use::context());
        let carries = from_context && !perception.credentials.is_empty();
        carries || act.deed.inputs.iter().any(|one| ground.places().holds_secrets(one))
    };
    let goes_along = |act: &Act| act.payload && is_named(&act.deed.inputs) && is_named(&act.deed.outputs);
    Facts {
        input: side(&deed.inputs, ground),
        output: side(&deed.outputs, ground),
        effects: deed.effects.iter().map(|effect| effect.name().to_owned()).collect(),
        sensitive: perception.acts.iter().any(is_sensitive),
        payload: perception.acts.iter().any(goes_along),
    }
}

fn side(uses: &[Use], ground: &Ground) -> Side {
    let class = |one: &Use| ground.topology().class(&ground.resource(one).unwrap());
    let highest = uses.iter().map(class).max().unwrap();
    Side { class: word(highest), names: uses.iter().map(|one| one.name.clone()).collect() }
}
