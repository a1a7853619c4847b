//! The same rules as policies of Cedar, as far as they can be said there, and a call as requests to it.

use std::str::FromStr;

use cedar_policy::{Authorizer, Context, Decision, Entities, PolicySet, Request, Schema};
use portcullis_invariant::cedar::{self, Policy, SCHEMA};
use portcullis_invariant::{CallFacts, Rulebook};

/// Policies and requests, both made beforehand.
pub(crate) struct Policies {
    policies: PolicySet,
    entities: Entities,
    requests: Vec<Request>,
    authorizer: Authorizer,
    /// How many of the rules it has.
    pub(crate) rules: usize,
}

impl Policies {
    pub(crate) fn of(book: &Rulebook, facts: &CallFacts<'_>) -> Policies {
        let exported: Vec<Vec<Policy>> =
            cedar::export(book).into_iter().filter_map(|rule| rule.policies.ok()).collect();
        let all: Vec<&Policy> = exported.iter().flatten().collect();
        let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
        let text = format!("permit(principal, action, resource);\n{}", texts.join("\n\n"));
        let schema = Schema::from_cedarschema_str(SCHEMA).unwrap().0;
        let told = cedar::requests(facts, all.iter().copied()).unwrap();
        let entities = told.first().unwrap().entities.clone();
        let requests = told.into_iter().map(|request| {
            let context = Context::from_json_value(request.context, None).unwrap();
            let names = [&request.principal, &request.action, &request.resource];
            let [principal, action, resource] = names.map(|name| name.parse().unwrap());
            Request::new(principal, action, resource, context, None).unwrap()
        });
        Policies {
            policies: PolicySet::from_str(&text).unwrap(),
            entities: Entities::from_json_value(entities, Some(&schema)).unwrap(),
            requests: requests.collect(),
            authorizer: Authorizer::new(),
            rules: exported.len(),
        }
    }

    /// Whether Cedar allows the call, which takes a request for each way to look at it.
    pub(crate) fn allow(&self) -> bool {
        self.requests.iter().all(|request| {
            let answer = self.authorizer.is_authorized(request, &self.policies, &self.entities);
            answer.decision() == Decision::Allow
        })
    }
}
