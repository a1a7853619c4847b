//! The same rules and calls for Cedar: a permit or forbid for each rule, a request for each flow.
//!
//! Cedar's `*` does not stop at a `/` and its forbids win whatever is narrower, so the two would not always
//! agree. For the calls measured they have to. What a recursive call reaches cannot be said with `like`,
//! which wants the pattern in the policy and the text in the request, so `rm -r` has no baseline.

use std::fmt::Write;

use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request};
use portcullis_lattice::{
    Action, Binding, Call, Depth, Flow, Lifetime, Network, Pattern, Realm, Resource, Rule, Scope, Standing,
};

use crate::workload::{Case, Failure, SESSION, now, topology};

/// How many rules Cedar is compared at.
pub(crate) const BASELINE_SIZE: usize = 1_000;

/// A case, ready to be put to Cedar.
pub(crate) struct Baseline {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    requests: Vec<Request>,
}

impl Baseline {
    /// Sets a case up, and checks that Cedar allows exactly what Portcullis permits.
    pub(crate) fn new(case: Case) -> Result<Option<Baseline>, Failure> {
        if case == Case::Subtree {
            return Ok(None);
        }
        let rules = case.rules(BASELINE_SIZE)?;
        let mut text = String::new();
        for entry in rules.entries() {
            writeln!(text, "{}", policy(&entry.rule))?;
        }
        let call = case.call(&topology()?)?;
        let baseline = Baseline {
            authorizer: Authorizer::new(),
            policies: text.parse()?,
            entities: Entities::from_json_value(entities(&call), None)?,
            requests: call.flows.iter().map(|flow| request(&call, flow)).collect::<Result<_, _>>()?,
        };
        let expected = case.expected() == portcullis_lattice::Decision::Permit;
        match baseline.allows() == expected {
            true => Ok(Some(baseline)),
            false => Err(format!("Cedar decides `{}` differently", case.name()).into()),
        }
    }

    /// Whether every flow is allowed, all of them asked about as Portcullis does.
    pub(crate) fn allows(&self) -> bool {
        let allows = |request| {
            let response = self.authorizer.is_authorized(request, &self.policies, &self.entities);
            response.decision() == Decision::Allow && response.diagnostics().errors().next().is_none()
        };
        self.requests.iter().filter(|request| allows(request)).count() == self.requests.len()
    }
}

fn policy(rule: &Rule) -> String {
    let boundary = &rule.boundary;
    let (effects, taint) = (set(boundary.effects.iter()), set(boundary.taint.iter()));
    let mut conditions = vec![side("input", &boundary.inputs), side("output", &boundary.outputs)];
    let action = match rule.action {
        Action::Allow => {
            conditions.push(format!("{effects}.containsAll(context.effects)"));
            conditions.push(format!("{taint}.containsAll(context.taint)"));
            "permit"
        }
        Action::Deny => {
            conditions.push(format!("{effects}.containsAny(context.effects)"));
            if !boundary.taint.is_empty() {
                conditions.push(format!("{taint}.containsAny(context.taint)"));
            }
            "forbid"
        }
    };
    if let Lifetime::Until(end) = rule.lifetime {
        conditions.push(format!("context.now < {}", end.as_second()));
    }
    let principal = match &rule.lifetime {
        Lifetime::Session(session) => format!(r#"principal == Session::"{session}""#),
        Lifetime::Once | Lifetime::Until(_) | Lifetime::Always => "principal".into(),
    };
    let resource = match &rule.binding {
        Binding::Unbound => "resource".into(),
        Binding::Known(_) => r#"resource in Standing::"known""#.into(),
        Binding::Own(name) => format!(r#"resource == Server::"{name}""#),
    };
    format!(
        r#"{action}({principal}, action == Action::"flow", {resource}) when {{ {} }};"#,
        conditions.join(" && ")
    )
}

fn set(names: impl Iterator<Item = impl ToString>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("{:?}", name.to_string())).collect();
    format!("[{}]", quoted.join(", "))
}

fn side(side: &str, scopes: &[Scope]) -> String {
    let alternatives: Vec<String> = scopes.iter().map(|scope| condition(side, scope)).collect();
    format!("({})", alternatives.join(" || "))
}

fn condition(side: &str, scope: &Scope) -> String {
    let realms = |network: &Network| match network {
        Network::Internal => r#"["internal"]"#,
        Network::External => r#"["internal", "external"]"#,
    };
    match scope {
        Scope::Anywhere => "true".into(),
        Scope::Local => format!(r#"context.{side} like "/*""#),
        Scope::Net(network) => format!("{}.contains(context.{side}_realm)", realms(network)),
        Scope::Within(pattern, network) => {
            format!("({} && {}.contains(context.{side}_realm))", names(side, pattern), realms(network))
        }
        Scope::Named(pattern) => names(side, pattern),
        // The workload has none; a policy that nothing matches would be found out by the comparison.
        Scope::Targets | Scope::Workspace => "false".into(),
    }
}

fn names(side: &str, pattern: &Pattern) -> String {
    let text = pattern.to_string();
    let is = if pattern.has_globs() { "like" } else { "==" };
    match (pattern.depth(), text.strip_suffix("/**")) {
        (Depth::Below, Some(stem)) => {
            format!(r#"(context.{side} {is} "{stem}" || context.{side} like "{stem}/*")"#)
        }
        (Depth::Below, None) => {
            format!(r#"context.{side} like "{}""#, text.trim_end_matches('*').to_owned() + "*")
        }
        (Depth::Here, _) => format!("context.{side} {is} {text:?}"),
    }
}

fn request(call: &Call, flow: &Flow) -> Result<Request, Failure> {
    let name = |resources: &[Resource]| resources.first().map(|resource| resource.name().to_owned());
    let realm =
        |resources: &[Resource]| resources.first().map_or(Realm::External, Resource::highest_realm).name();
    let context = serde_json::json!({
        "input": name(flow.inputs()),
        "input_realm": realm(flow.inputs()),
        "output": name(flow.outputs()),
        "output_realm": realm(flow.outputs()),
        "effects": flow.effects().iter().map(|effect| effect.name()).collect::<Vec<_>>(),
        "taint": flow.taint().iter().map(|label| label.name()).collect::<Vec<_>>(),
        "now": now().as_second(),
    });
    let principal: EntityUid = format!(r#"Session::"{SESSION}""#).parse()?;
    let action: EntityUid = r#"Action::"flow""#.parse()?;
    let resource: EntityUid = format!(r#"Server::"{}""#, call.server.name).parse()?;
    Ok(Request::new(principal, action, resource, Context::from_json_value(context, None)?, None)?)
}

fn entities(call: &Call) -> serde_json::Value {
    let standings = match call.server.standing {
        Standing::Known => vec![serde_json::json!({ "type": "Standing", "id": "known" })],
        Standing::Derived => Vec::new(),
    };
    serde_json::json!([
        { "uid": { "type": "Standing", "id": "known" }, "attrs": {}, "parents": [] },
        { "uid": { "type": "Server", "id": call.server.name }, "attrs": {}, "parents": standings },
    ])
}
