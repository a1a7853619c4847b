//! What the targets are given: a session, rules and a call, written as lines of text.
//!
//! ```text
//! workspace /home/u/p
//! internal acme.com
//! allow read from @workspace to ctxt
//! server known filesystem
//! flow read carrying secret
//! in one /home/u/p/a.py
//! out one ctxt
//! ```
//!
//! Text, so that the corpus can be read and written by people; a line that makes no sense is passed over, so
//! that a mutation spoils one line and not the whole.

pub mod calls;

use jiff::Timestamp;
use portcullis_lattice::{
    Call, Effect, Effects, Flow, Label, Policy, Reach, Resource, Ruleset, Server, Standing, Taint, Topology,
};

/// The session in which every call is judged.
pub const SESSION: &str = "s1";

/// When every call is judged.
pub fn now() -> Timestamp {
    // 2026-06-01T00:00:00Z
    Timestamp::from_second(1_780_272_000).expect("a time of this century")
}

/// What the lines say.
pub struct Scene {
    /// How the session is laid out.
    pub topology: Topology,
    /// The rules, numbered in their order.
    pub rules: Ruleset,
    server: Server,
    drafts: Vec<Draft>,
}

/// A flow whose resources are still being collected.
struct Draft {
    effects: Effects,
    taint: Taint,
    inputs: Vec<Resource>,
    outputs: Vec<Resource>,
}

impl Scene {
    /// Reads a scene from any bytes.
    pub fn read(bytes: &[u8]) -> Scene {
        let text = &*String::from_utf8_lossy(bytes);
        let server = Server { name: "filesystem".into(), standing: Standing::Known };
        let mut scene =
            Scene { topology: Topology::new(), rules: Ruleset::new(), server, drafts: Vec::new() };
        // Resources get their realm from the whole session, wherever in the text it is described.
        for (keyword, rest) in lines(text) {
            // A refused entry leaves the session as it was.
            let _ = match keyword {
                "workspace" => scene.topology.set_workspace(rest),
                "target" => scene.topology.add_target(rest),
                "internal" => scene.topology.add_internal(rest),
                "external" => scene.topology.add_external(rest),
                _ => Ok(()),
            };
        }
        for (keyword, rest) in lines(text) {
            scene.take(keyword, rest);
        }
        scene
    }

    fn take(&mut self, keyword: &str, rest: &str) {
        match keyword {
            "allow" | "deny" => {
                if let Ok(rule) = format!("{keyword} {rest}").parse() {
                    self.rules.add(rule);
                }
            }
            "server" => {
                let (standing, name) = match rest.strip_prefix("known ") {
                    Some(name) => (Standing::Known, name),
                    None => (Standing::Derived, rest),
                };
                self.server = Server { name: name.into(), standing };
            }
            "flow" => {
                let words = || rest.split([' ', ',']);
                let effects = words().filter_map(Effect::from_name).collect();
                let taint = words().filter_map(Label::from_name).collect();
                self.drafts.push(Draft { effects, taint, inputs: Vec::new(), outputs: Vec::new() });
            }
            "in" | "out" => {
                let Some(draft) = self.drafts.last_mut() else { return };
                let Some((reach, name)) = rest.split_once(' ') else { return };
                let Some(reach) = Reach::from_name(reach) else { return };
                let Ok(resource) = self.topology.resource(name, reach) else { return };
                let side = if keyword == "in" { &mut draft.inputs } else { &mut draft.outputs };
                side.push(resource);
            }
            _ => {}
        }
    }

    /// Rules made ready for this session.
    pub fn policy(&self, rules: &Ruleset) -> Policy {
        Policy::compile(rules, &self.topology, SESSION)
    }

    /// The call that the flows make.
    pub fn call(&self) -> Call {
        let flow = |draft: &Draft| {
            Flow::new(draft.inputs.clone(), draft.outputs.clone(), draft.taint, draft.effects).ok()
        };
        Call { server: self.server.clone(), flows: self.drafts.iter().filter_map(flow).collect() }
    }
}

fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once(' '))
}
