//! Which of several deeds counts where only one can be told.

use portcullis_lattice::{Effect, Effects, Realm};

use crate::{Deed, Use};

use super::place::{CONTEXT, is_network};
use super::stream::merge;

/// The riskiest of several deeds; equals are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Where data comes from.
    pub inputs: Vec<Use>,
    /// Where it goes.
    pub outputs: Vec<Use>,
    /// What is done.
    pub effects: Effects,
}

/// The riskiest deed: spawn, exec, del, sending to a network, local write, read, in that order; external before
/// internal before local. Deeds of equal rank are joined. `realm` says where a name lies.
pub fn riskiest(deeds: &[Deed], realm: &dyn Fn(&str) -> Realm) -> Option<Summary> {
    let rank = |deed: &Deed| (kind(deed), distance(deed, realm));
    let highest = deeds.iter().map(rank).max()?;
    let mut summary = Summary { inputs: Vec::new(), outputs: Vec::new(), effects: Effects::EMPTY };
    for deed in deeds.iter().filter(|deed| rank(deed) == highest) {
        merge(&mut summary.inputs, deed.inputs.clone());
        merge(&mut summary.outputs, deed.outputs.clone());
        summary.effects = summary.effects.join(deed.effects);
    }
    // Beside a named place the context says nothing of its own.
    for side in [&mut summary.inputs, &mut summary.outputs] {
        if side.iter().any(|used| used.name != CONTEXT) {
            side.retain(|used| used.name != CONTEXT);
        }
    }
    Some(summary)
}

/// What kind of deed it is, the riskiest highest. What a program printed into a file or a request is a write.
fn kind(deed: &Deed) -> u8 {
    let has = |effect| deed.effects.contains(effect);
    if has(Effect::Spawn) && !has(Effect::Write) {
        6
    } else if has(Effect::Exec) && !has(Effect::Write) {
        5
    } else if has(Effect::Del) {
        4
    } else if has(Effect::Write) && deed.outputs.iter().any(is_network) {
        3
    } else if has(Effect::Write) {
        2
    } else {
        1
    }
}

fn distance(deed: &Deed, realm: &dyn Fn(&str) -> Realm) -> u8 {
    let far = |used: &Use| match realm(&used.name) {
        Realm::External => 2,
        Realm::Internal => 1,
        Realm::Local | Realm::Context => 0,
    };
    deed.inputs.iter().chain(&deed.outputs).map(far).max().unwrap_or(0)
}
