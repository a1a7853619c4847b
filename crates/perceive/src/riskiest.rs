//! One deed for several: what the traces of ConsentBench write down where a call does more than one thing.

use portcullis_lattice::{Effect, Effects};

use crate::deed::{Deed, Use};

/// The riskiest of the deeds; equals are joined. `None` if there are none.
///
/// A gateway judges every deed. This is for comparing with facts that know only one per call, and for a headline.
/// `is_external` says of a name whether it lies outside the user's organisation.
pub fn riskiest(deeds: &[Deed], is_external: impl Fn(&str) -> bool) -> Option<Deed> {
    let highest = deeds.iter().map(|deed| rank(deed, &is_external)).max()?;
    let mut joined = Deed { inputs: Vec::new(), outputs: Vec::new(), effects: Effects::EMPTY };
    for deed in deeds.iter().filter(|deed| rank(deed, &is_external) == highest) {
        add(&mut joined.inputs, &deed.inputs);
        add(&mut joined.outputs, &deed.outputs);
        joined.effects = joined.effects.join(deed.effects);
    }
    Some(joined)
}

fn add(into: &mut Vec<Use>, uses: &[Use]) {
    for one in uses {
        if !into.contains(one) {
            into.push(one.clone());
        }
    }
}

/// The kind of deed first, then how far away it happens.
fn rank(deed: &Deed, is_external: &impl Fn(&str) -> bool) -> (u8, u8) {
    let distance = |uses: &[Use]| uses.iter().map(|one| distance(&one.name, is_external)).max().unwrap_or(0);
    let out = distance(&deed.outputs);
    let kind = match deed.effects {
        effects if effects.contains(Effect::Spawn) => 5,
        effects if effects.contains(Effect::Exec) => 4,
        effects if effects.contains(Effect::Del) => 3,
        effects if effects.contains(Effect::Write) && out >= INTERNAL => 2,
        effects if effects.contains(Effect::Write) => 1,
        _ => 0,
    };
    (kind, out.max(distance(&deed.inputs)))
}

const INTERNAL: u8 = 2;

fn distance(name: &str, is_external: &impl Fn(&str) -> bool) -> u8 {
    match name {
        "ctxt" => 0,
        path if path.starts_with('/') => 1,
        name if is_external(name) => 3,
        _ => INTERNAL,
    }
}
