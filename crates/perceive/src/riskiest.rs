//! One deed for several: what the traces of ConsentBench write down where a call does more than one thing.

use portcullis_lattice::{Effect, Effects, Realm};

use crate::deed::{Deed, Use};

/// The riskiest of the deeds: spawn, exec, del, sending to a network, local write, read, in that order; external before
/// internal before local. Deeds of equal rank are joined. `None` if there are none.
///
/// A gateway judges every deed. This is for comparing with facts that know only one per call, and for a headline.
/// `realm_of` says in which realm a name lies.
pub fn riskiest(deeds: &[Deed], realm_of: impl Fn(&str) -> Realm) -> Option<Deed> {
    let highest = deeds.iter().map(|deed| rank(deed, &realm_of)).max()?;
    let mut joined = Deed { inputs: Vec::new(), outputs: Vec::new(), effects: Effects::EMPTY };
    for deed in deeds.iter().filter(|deed| rank(deed, &realm_of) == highest) {
        add(&mut joined.inputs, &deed.inputs);
        add(&mut joined.outputs, &deed.outputs);
        joined.effects = joined.effects.join(deed.effects);
    }
    // Beside a named place the context says nothing of its own.
    let context = Use::context();
    for side in [&mut joined.inputs, &mut joined.outputs] {
        if side.iter().any(|used| used.name != context.name) {
            side.retain(|used| used.name != context.name);
        }
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
fn rank(deed: &Deed, realm_of: &impl Fn(&str) -> Realm) -> (u8, u8) {
    let distance = |uses: &[Use]| uses.iter().map(|used| distance(realm_of(&used.name))).max().unwrap_or(0);
    let out = distance(&deed.outputs);
    let has = |effect| deed.effects.contains(effect);
    let kind = match () {
        // Code that is run, before what such code has written: the second follows from the first.
        () if has(Effect::Spawn) && !has(Effect::Write) => 7,
        () if has(Effect::Spawn) => 6,
        () if has(Effect::Exec) && !has(Effect::Write) => 5,
        () if has(Effect::Exec) => 4,
        () if has(Effect::Del) => 3,
        () if has(Effect::Write) && out > 0 => 2,
        () if has(Effect::Write) => 1,
        () => 0,
    };
    (kind, out.max(distance(&deed.inputs)))
}

fn distance(realm: Realm) -> u8 {
    match realm {
        Realm::Context | Realm::Local => 0,
        Realm::Internal => 1,
        Realm::External => 2,
    }
}
