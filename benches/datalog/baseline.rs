//! The same rules for Cedar: a forbid for each, and a request for each output, for a policy cannot look through a set.

use std::fmt::Write;

use cedar_policy::{Authorizer, Context, Decision, Entities, PolicySet, Request};
use serde_json::json;

use crate::workload::{Failure, INPUT, OUTPUTS, TEXTS, rule};

/// The call, ready to be put to Cedar.
pub(crate) struct Baseline {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    requests: Vec<Request>,
}

impl Baseline {
    /// So many forbids, and one permit for everything.
    pub(crate) fn new(count: usize) -> Result<Baseline, Failure> {
        let mut text = String::from("permit(principal, action, resource);\n");
        for number in 0..count {
            writeln!(text, "{}", rule(number).1)?;
        }
        let request = |output: &&str| -> Result<Request, Failure> {
            let context = json!({
                "programs": ["sendmail"], "server": "mail", "tool": "send", "labels": ["internal"],
                "external": !output.ends_with("@acme.com"), "output": output, "input": INPUT, "amount": 250,
                "effects": ["write"], "text": TEXTS.join("\n"), "recipients": 3,
            });
            let context = Context::from_json_value(context, None)?;
            let (principal, action, resource) = (r#"A::"a""#, r#"Action::"call""#, r#"T::"mail""#);
            Ok(Request::new(principal.parse()?, action.parse()?, resource.parse()?, context, None)?)
        };
        Ok(Baseline {
            authorizer: Authorizer::new(),
            policies: text.parse()?,
            entities: Entities::empty(),
            requests: OUTPUTS.iter().map(request).collect::<Result<_, _>>()?,
        })
    }

    /// Whether every request is allowed, all of them asked, without an error.
    pub(crate) fn allows(&self) -> bool {
        let allows = |request| {
            let response = self.authorizer.is_authorized(request, &self.policies, &self.entities);
            response.decision() == Decision::Allow && response.diagnostics().errors().next().is_none()
        };
        self.requests.iter().filter(|request| allows(request)).count() == self.requests.len()
    }
}
