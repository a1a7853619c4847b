//! The rules in the Datalog of `biscuit-auth`.

use std::hint::black_box;
use std::time::Duration;

use biscuit_auth::{AuthorizerBuilder, AuthorizerLimits};

const RULES: &str = include_str!("rules.datalog");

/// The rules, read beforehand.
pub(crate) struct Biscuit {
    rules: AuthorizerBuilder,
}

impl Biscuit {
    /// With the rules so many times.
    pub(crate) fn new(times: usize) -> Biscuit {
        // Its limit is one of time, which must not end a measurement.
        let limits = AuthorizerLimits { max_time: Duration::from_secs(10), ..AuthorizerLimits::default() };
        let code = format!("{}allow if true;\n", RULES.repeat(times));
        Biscuit { rules: AuthorizerBuilder::new().code(code).unwrap().set_limits(limits) }
    }

    /// Whether no rule denies a call.
    pub(crate) fn allows(&self, call: &str) -> bool {
        let facts = AuthorizerBuilder::new().code(call).unwrap();
        // A policy that denies is an error there.
        self.rules.clone().merge(facts).build_unauthenticated().unwrap().authorize().is_ok()
    }

    /// Judges a call, rules and facts read beforehand.
    pub(crate) fn judging(&self, call: &str) -> Box<dyn Fn()> {
        let facts = AuthorizerBuilder::new().code(call).unwrap();
        let all = self.rules.clone().merge(facts);
        Box::new(move || {
            let mut authorizer = all.clone().build_unauthenticated().unwrap();
            _ = black_box(authorizer.authorize());
        })
    }
}
