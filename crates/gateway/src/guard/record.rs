//! What the audit log keeps of calls: what they do and why it was decided so, but not their arguments.

use portcullis_invariant::Breach;
use portcullis_lattice::{Effect, Flow, Label, Realm, Resource, Standing};
use portcullis_monitor::{Finding, Outcome, Verdict};
use portcullis_perceive::profile::Profile;
use portcullis_store::{Digest, EntryError, Key, NewEntry};
use portcullis_taint::Key as FingerprintKey;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Request, server_of};
use crate::settings::Settings;

/// What the hashes of arguments are for: no other hash is equal to one of them.
const PURPOSE: &str = "portcullis argument";
/// The same for calls as a whole.
const CALL: &str = "portcullis call";

/// The kinds of entries of the audit log.
pub mod kind {
    /// A gateway joined a session, which lies so.
    pub const OPENED: &str = "opened";
    /// What was decided about a call.
    pub const VERDICT: &str = "verdict";
    /// How a permitted call ended.
    pub const OUTCOME: &str = "outcome";
    /// What a person answered.
    pub const ANSWER: &str = "answer";
    /// A rule was added by command.
    pub const RULE_ADDED: &str = "rule-added";
    /// A rule was revoked.
    pub const RULE_REVOKED: &str = "rule-revoked";
    /// A sentence was put into force.
    pub const INVARIANT_ADDED: &str = "invariant-added";
    /// A sentence was removed.
    pub const INVARIANT_REMOVED: &str = "invariant-removed";
    /// A server lists other tools than before.
    pub const TOOLS_LISTED: &str = "tools-listed";
    /// A tool was approved, blocked or forgotten by command.
    pub const TOOL_SETTLED: &str = "tool-settled";
    /// A key is trusted to sign definitions.
    pub const KEY_TRUSTED: &str = "key-trusted";
    /// A key was revoked.
    pub const KEY_REVOKED: &str = "key-revoked";
    /// An identity provider is trusted to vouch for definitions.
    pub const ISSUER_TRUSTED: &str = "issuer-trusted";
    /// An identity provider was revoked.
    pub const ISSUER_REVOKED: &str = "issuer-revoked";
    /// The keys of an identity provider are others than before.
    pub const KEYS_FETCHED: &str = "keys-fetched";
    /// A trust bundle was taken, or a newer version of one.
    pub const BUNDLE_TAKEN: &str = "bundle-taken";
    /// A trust bundle counts no more.
    pub const BUNDLE_REMOVED: &str = "bundle-removed";
    /// A person logged in to a server.
    pub const LOGGED_IN: &str = "logged-in";
    /// A login was given back.
    pub const LOGGED_OUT: &str = "logged-out";
    /// A session was ended by command.
    pub const SESSION_ENDED: &str = "session-ended";
}

/// What verdicts call a layout, together with the rules that settings state.
pub(super) fn layout_name(settings: &Settings) -> String {
    let text = json!([settings.layout, sentences(settings)]).to_string();
    let mut name = Digest::of_fields("portcullis layout", &[text.as_bytes()]).to_string();
    name.truncate(16);
    name
}

/// How the session lies that a gateway joins, and what settings state for it.
pub(super) fn opened(settings: &Settings) -> Result<NewEntry, EntryError> {
    let body = json!({
        "layout": layout_name(settings), "session": settings.layout, "stated": sentences(settings),
    });
    NewEntry::new(kind::OPENED, &body.to_string())
}

fn sentences(settings: &Settings) -> Vec<&str> {
    settings.stated.iter().map(|stated| stated.sentence.as_str()).collect()
}

/// What tells the call of a question from others, for those who have the key.
pub(super) fn call_name(key: &Key, verdict: &Verdict) -> String {
    let mut name = key.hash(CALL, verdict.identity().as_bytes()).to_string();
    name.truncate(32);
    name
}

/// Where a call is recorded.
pub(super) struct Place<'p> {
    /// What the layout of the session is called.
    pub(super) layout: &'p str,
    /// The key of hashes.
    pub(super) key: &'p Key,
    /// What the called tool was taken to do.
    pub(super) profile: &'p Profile,
}

/// What was decided about a call, and all that it rests on. It is written for every call while the call waits, so it
/// borrows everything; the members stand in the order of their names.
#[derive(Serialize)]
struct VerdictBody<'v> {
    arguments: Arguments<'v>,
    breaches: Vec<BreachBody<'v>>,
    call: Option<String>,
    code: bool,
    decision: &'static str,
    definition: String,
    delegates: bool,
    findings: Vec<FindingBody<'v>>,
    flows: Vec<FlowBody<'v>>,
    in_part: bool,
    layout: &'v str,
    nested: bool,
    profile: &'static str,
    rules: Vec<u64>,
    server: &'v str,
    standing: &'static str,
    step: u64,
    tool: &'v str,
}

#[derive(Serialize)]
struct FindingBody<'v> {
    decision: &'static str,
    reasons: &'v [String],
    stage: &'static str,
}

#[derive(Serialize)]
struct BreachBody<'v> {
    certain: bool,
    decision: &'static str,
    rule: &'v str,
}

#[derive(Serialize)]
struct FlowBody<'v> {
    carrying: Vec<&'static str>,
    effects: Vec<&'static str>,
    from: Vec<ResourceBody<'v>>,
    to: Vec<ResourceBody<'v>>,
}

/// All that decides, so that the call can be decided again.
#[derive(Serialize)]
struct ResourceBody<'v> {
    name: &'v str,
    reach: &'static str,
    realms: Vec<&'static str>,
}

/// The arguments of a call, as the log keeps them.
pub(super) enum Arguments<'v> {
    /// As they are, because the user wants it so.
    Plain(&'v Value),
    /// With a keyed hash in place of each value: equal values have equal hashes, and nobody without the key can tell which
    /// they are.
    Hashed(&'v Key, &'v Value),
}

/// The entry that tells of a verdict.
pub(super) fn verdict(
    request: &Request<'_>,
    verdict: &Verdict,
    place: &Place<'_>,
    arguments: Arguments<'_>,
) -> Result<NewEntry, EntryError> {
    let uses = verdict.perception.acts.iter().flat_map(|act| act.deed.inputs.iter().chain(&act.deed.outputs));
    let rules = verdict.judgement.pairs.iter().flat_map(|pair| pair.ground.rules());
    let mut rules: Vec<u64> = rules.map(|rule| rule.0).collect();
    rules.sort_unstable();
    rules.dedup();
    let body = VerdictBody {
        arguments,
        breaches: verdict.breaches.iter().map(BreachBody::of).collect(),
        call: (!verdict.identity().is_empty()).then(|| call_name(place.key, verdict)),
        code: place.profile.takes_code(),
        decision: verdict.decision.name(),
        definition: request.tool.hash.to_string(),
        delegates: place.profile.calls.is_some(),
        findings: verdict.findings.iter().map(FindingBody::of).collect(),
        flows: verdict.call.flows.iter().map(FlowBody::of).collect(),
        in_part: uses.into_iter().any(|used| !used.details.is_empty()),
        layout: place.layout,
        nested: is_nested(request.arguments),
        profile: place.profile.source.name(),
        rules,
        server: &server_of(request).name,
        standing: standing(verdict.call.server.standing),
        step: verdict.step(),
        tool: request.name,
    };
    NewEntry::of(kind::VERDICT, &body)
}

impl<'v> FindingBody<'v> {
    fn of(finding: &'v Finding) -> FindingBody<'v> {
        let Finding { stage, decision, reasons } = finding;
        FindingBody { decision: decision.name(), reasons, stage: stage.name() }
    }
}

impl<'v> BreachBody<'v> {
    fn of(breach: &'v Breach) -> BreachBody<'v> {
        BreachBody { certain: breach.certain, decision: breach.verdict.name(), rule: &breach.reason }
    }
}

impl<'v> FlowBody<'v> {
    fn of(flow: &'v Flow) -> FlowBody<'v> {
        FlowBody {
            carrying: flow.taint().iter().map(Label::name).collect(),
            effects: flow.effects().iter().map(Effect::name).collect(),
            from: flow.inputs().iter().map(ResourceBody::of).collect(),
            to: flow.outputs().iter().map(ResourceBody::of).collect(),
        }
    }
}

impl<'v> ResourceBody<'v> {
    fn of(used: &'v Resource) -> ResourceBody<'v> {
        let realms = used.realms().iter().map(Realm::name).collect();
        ResourceBody { name: used.name(), reach: used.reach().name(), realms }
    }
}

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Arguments::Plain(arguments) => arguments.serialize(serializer),
            Arguments::Hashed(key, Value::Object(members)) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, hashed(key, value))))
            }
            Arguments::Hashed(key, arguments) => serializer.serialize_str(&hashed(key, arguments)),
        }
    }
}

fn hashed(key: &Key, value: &Value) -> String {
    format!("hash:{}", key.hash(PURPOSE, value.to_string().as_bytes()))
}

/// Whether arguments have arguments of their own, whose names are not recorded.
fn is_nested(arguments: &Value) -> bool {
    let has_members = |value: &Value| value.is_object() || value.is_array();
    let is_deep = |value: &Value| match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(has_members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    arguments.as_object().is_none_or(|members| members.values().any(is_deep))
}

/// How a permitted call ended.
pub(super) fn outcome(step: u64, outcome: Outcome) -> Result<NewEntry, EntryError> {
    #[derive(Serialize)]
    struct OutcomeBody {
        outcome: &'static str,
        step: u64,
    }
    let outcome = match outcome {
        Outcome::Success => "success",
        Outcome::Uncertain => "uncertain",
    };
    NewEntry::of(kind::OUTCOME, &OutcomeBody { outcome, step })
}

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Known => "known",
        Standing::Derived => "derived",
    }
}

/// The key of content fingerprints, which have one of their own.
pub(super) fn fingerprint_key(key: &Key) -> FingerprintKey {
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(&key.derive("portcullis fingerprints")) {
        *byte = *from;
    }
    FingerprintKey::new(bytes)
}

#[cfg(test)]
mod tests {
    use portcullis_lattice::{Effects, Reach, Realms, Taint};

    use super::*;
    use crate::recorded::RecordedFlow;

    fn read_back(flow: &Flow) -> RecordedFlow {
        serde_json::from_str(&serde_json::to_string(&FlowBody::of(flow)).unwrap()).unwrap()
    }

    #[test]
    fn what_is_recorded_of_a_flow_is_read_back_as_the_same_flow() {
        let one = |name: &str, reach, realms| Resource::new(name, reach, realms).unwrap();
        let internal = Realms::only(Realm::Internal);
        let resources = [
            Resource::context(),
            one("/home/u/p/a b.md", Reach::One, Realms::only(Realm::Local)),
            one("/home/u/p", Reach::Subtree, Realms::only(Realm::Local)),
            one("slack:C04ENG", Reach::One, internal),
            one("slack:*", Reach::Subtree, Realms::NETWORK),
            one("github:acme/web", Reach::One, Realms::only(Realm::External)),
        ];
        let effects = [Effects::only(Effect::Read), Effects::only(Effect::Write).with(Effect::Del)];
        for input in &resources {
            for output in &resources {
                for (effects, taint) in effects.into_iter().zip([Taint::EMPTY, Taint::only(Label::Secret)]) {
                    let flow = Flow::new(vec![input.clone()], vec![output.clone()], taint, effects).unwrap();
                    let read: RecordedFlow = read_back(&flow);
                    assert_eq!(read.flow(), Some(flow));
                }
            }
        }
        let names = one("slack:*", Reach::Names, internal);
        let listing =
            Flow::new(vec![names], vec![Resource::context()], Taint::EMPTY, Effects::only(Effect::Read));
        let listing = listing.unwrap();
        let read: RecordedFlow = read_back(&listing);
        assert_eq!(read.flow(), Some(listing));
    }

    #[test]
    fn arguments_inside_of_arguments_are_noticed() {
        for (text, nested) in [
            (r#"{}"#, false),
            (r#"{"a": 1, "b": ["x", 2], "c": null}"#, false),
            (r#"{"a": {}}"#, true),
            (r#"{"a": [1, {"b": 2}]}"#, true),
            (r#"{"a": [[1]]}"#, true),
            (r#"["a"]"#, true),
        ] {
            assert_eq!(is_nested(&serde_json::from_str(text).unwrap()), nested, "{text}");
        }
    }

    #[test]
    fn what_tells_too_little_is_no_flow() {
        for text in [
            r#"{"from":[],"to":[],"effects":["read"],"carrying":[]}"#,
            r#"{"from":[{"name":"ctxt","reach":"far","realms":[]}],"to":[],"effects":["read"],"carrying":[]}"#,
            r#"{"from":[],"to":[],"effects":["fly"],"carrying":["gold"]}"#,
        ] {
            let read: RecordedFlow = serde_json::from_str(text).unwrap();
            assert_eq!(read.flow(), None, "{text}");
        }
    }
}
