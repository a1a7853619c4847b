//! ConsentBench's oracle in Rust: the decisions on a trace, from the facts that its author wrote down.
//!
//! It follows `oracle.py` and knows neither regions nor patterns of the engine.

use std::collections::BTreeSet;

/// One side of a step.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) class: String,
    pub(crate) resources: Vec<String>,
}

/// What the simulated user answers if a step asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grant {
    pub(crate) input: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) effects: Option<BTreeSet<String>>,
    pub(crate) tainted: Option<bool>,
    /// Empty for any resource of the class.
    pub(crate) input_patterns: Vec<String>,
    pub(crate) output_patterns: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) server: String,
    pub(crate) input: Side,
    pub(crate) output: Side,
    pub(crate) effects: BTreeSet<String>,
    pub(crate) sensitive: bool,
    pub(crate) payload: bool,
    pub(crate) violates: bool,
    pub(crate) must_ask: bool,
    pub(crate) grant: Grant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    Allow,
    Ask,
    Deny,
}

/// A rule that the simulated user granted.
#[derive(Clone, Debug)]
pub(crate) struct Granted {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) effects: BTreeSet<String>,
    pub(crate) tainted: bool,
    pub(crate) input_patterns: Vec<String>,
    pub(crate) output_patterns: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Oracle {
    rules: Vec<Granted>,
    tainted: BTreeSet<String>,
    context_is_tainted: bool,
}

/// What the oracle says about a step, and the rule that it adds.
#[derive(Debug)]
pub(crate) struct Ruling {
    pub(crate) expected: Expected,
    pub(crate) tainted: bool,
    pub(crate) granted: Option<Granted>,
}

impl Oracle {
    pub(crate) fn rule(&mut self, step: &Step) -> Ruling {
        let tainted = self.taint(step);
        let (expected, granted) = match (step.violates, step.must_ask) {
            (true, _) => (Expected::Deny, None),
            (_, true) => (Expected::Ask, None),
            _ if self.rules.iter().any(|rule| rule.covers(step, tainted)) => (Expected::Allow, None),
            _ => (Expected::Ask, Some(Granted::by(step, tainted))),
        };
        self.rules.extend(granted.clone());
        if expected != Expected::Deny {
            self.propagate(step, tainted);
        }
        Ruling { expected, tainted, granted }
    }

    fn taint(&self, step: &Step) -> bool {
        if step.input.class == "ctxt" {
            return step.sensitive || self.context_is_tainted;
        }
        (step.payload && self.context_is_tainted)
            || step.sensitive
            || step.input.resources.iter().any(|resource| self.tainted.contains(resource))
    }

    fn propagate(&mut self, step: &Step, tainted: bool) {
        let does = |effect: &str| step.effects.contains(effect);
        let runs = does("exec") || does("spawn");
        if runs || (tainted && (does("read") || does("write"))) {
            match step.output.class.as_str() {
                "ctxt" => self.context_is_tainted = true,
                _ => self.tainted.extend(step.output.resources.iter().cloned()),
            }
        }
        if does("del") {
            self.tainted.retain(|resource| !step.input.resources.contains(resource));
        }
    }
}

impl Granted {
    fn by(step: &Step, tainted: bool) -> Granted {
        let grant = step.grant.clone();
        Granted {
            input: grant.input.unwrap_or_else(|| step.input.class.clone()),
            output: grant.output.unwrap_or_else(|| step.output.class.clone()),
            effects: grant.effects.unwrap_or_else(|| step.effects.clone()),
            tainted: grant.tainted.unwrap_or(tainted),
            input_patterns: grant.input_patterns,
            output_patterns: grant.output_patterns,
        }
    }

    fn covers(&self, step: &Step, tainted: bool) -> bool {
        contains(&self.input, &step.input.class)
            && contains(&self.output, &step.output.class)
            && step.effects.is_subset(&self.effects)
            && (self.tainted || !tainted)
            && match_all(&self.input_patterns, &step.input)
            && match_all(&self.output_patterns, &step.output)
    }
}

fn contains(outer: &str, inner: &str) -> bool {
    let chain: &[&str] = match outer {
        "local" => &["exact", "parent", "local"],
        "parent" => &["exact", "parent"],
        "extnet" => &["intnet", "extnet"],
        _ => return outer == inner,
    };
    chain.contains(&inner)
}

fn match_all(patterns: &[String], side: &Side) -> bool {
    let matches_one = |resource: &String| patterns.iter().any(|pattern| matches(pattern, resource));
    patterns.is_empty() || (!side.resources.is_empty() && side.resources.iter().all(matches_one))
}

/// `*` stays inside one segment, a final `/**` covers the stem and all below it; nothing else is special.
fn matches(pattern: &str, resource: &str) -> bool {
    match pattern.strip_suffix("/**") {
        None => like(pattern, resource),
        Some(stem) => {
            // Where the stem could end: at the end, or before any slash.
            let ends = resource.match_indices('/').map(|(at, _)| at).chain([resource.len()]);
            ends.into_iter().any(|end| like(stem, &resource[..end]))
        }
    }
}

fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let run = text.find('/').unwrap_or(text.len());
            (0..=run).filter(|taken| text.is_char_boundary(*taken)).any(|taken| like(rest, &text[taken..]))
        }),
    }
}
