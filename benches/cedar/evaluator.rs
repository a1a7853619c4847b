//! Cedar, set up for exported rules.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::LazyLock;

use cedar_policy::{
    Authorizer, Context, Decision, Entities, PolicyId, PolicySet, Request, Schema, ValidationMode, Validator,
};
use portcullis_invariant::cedar::{self, Policy, SCHEMA};
use portcullis_invariant::meaning::Verdict;
use portcullis_invariant::trial::Judged;

static SCHEMA_READ: LazyLock<Schema> = LazyLock::new(|| Schema::from_cedarschema_str(SCHEMA).unwrap().0);

/// A rule that is broken, counted from 1, and what follows.
pub(crate) type Said = (usize, Verdict);

/// The policies of one or several rules.
pub(crate) struct Evaluator {
    policies: PolicySet,
    /// As they were exported.
    exported: Vec<Policy>,
}

impl Evaluator {
    /// Reads policies, which have to be valid by the schema.
    pub(crate) fn new(policies: &[Policy]) -> Evaluator {
        let texts: Vec<String> = policies.iter().map(ToString::to_string).collect();
        let text = format!("permit(principal, action, resource);\n{}", texts.join("\n\n"));
        let read = PolicySet::from_str(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let result = Validator::new(SCHEMA_READ.clone()).validate(&read, ValidationMode::Strict);
        let errors: Vec<String> = result.validation_errors().map(ToString::to_string).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{text}");
        Evaluator { policies: read, exported: policies.to_vec() }
    }

    /// What Cedar says of a call: the rules whose policies forbid one of its requests.
    pub(crate) fn verdicts(&self, judged: &Judged<'_>) -> BTreeSet<Said> {
        let requests = cedar::requests(judged.facts, &self.exported).unwrap();
        let told = requests.first().unwrap().entities.clone();
        let entities = Entities::from_json_value(told, Some(&SCHEMA_READ)).unwrap();
        let mut verdicts = BTreeSet::new();
        for (number, request) in requests.into_iter().enumerate() {
            // Checking a request by the schema takes longer than deciding it, and those of a call are much alike.
            let schema = (number == 0).then_some(&*SCHEMA_READ);
            let action = request.action.parse().unwrap();
            let context =
                Context::from_json_value(request.context, schema.map(|schema| (schema, &action))).unwrap();
            let (principal, resource) =
                (request.principal.parse().unwrap(), request.resource.parse().unwrap());
            let asked = Request::new(principal, action, resource, context, schema).unwrap();
            let answer = Authorizer::new().is_authorized(&asked, &self.policies, &entities);
            let errors: Vec<String> = answer.diagnostics().errors().map(ToString::to_string).collect();
            assert!(errors.is_empty(), "{errors:?}");
            if answer.decision() == Decision::Deny {
                verdicts.extend(answer.diagnostics().reason().map(|id| self.said(id)));
            }
        }
        verdicts
    }

    fn said(&self, id: &PolicyId) -> Said {
        let asks = self.policies.annotation(id, "verdict") == Some("ask");
        let name = self.policies.annotation(id, "id").unwrap();
        let rule = name.strip_prefix("rule-").and_then(|rest| rest.split('.').next()).unwrap();
        (rule.parse().unwrap(), if asks { Verdict::Ask } else { Verdict::Deny })
    }
}

/// What the engine says of a call.
pub(crate) fn engine(judged: &Judged<'_>) -> BTreeSet<Said> {
    judged.breaches.iter().map(|breach| (breach.rule.unwrap() + 1, breach.verdict)).collect()
}
