//! The simulated user's answers as rules.

use portcullis_lattice::{
    Boundary, Call, Class, Flow, Label, Network, ParseError, Pattern, Resource, Rule, Scope, Taint, Topology,
};
use portcullis_perceive::layout::canonical_entry;

use crate::trace::{Answer, Step};

/// What the trace says that the user grants: the annotated lattice point, or its patterns.
pub(crate) fn granted(step: &Step) -> Result<Rule, ParseError> {
    let Answer { input, output, effects, tainted, input_patterns, output_patterns } = &step.answer;
    let boundary = Boundary {
        inputs: scopes(input.unwrap_or(step.input.class), input_patterns)?,
        outputs: scopes(output.unwrap_or(step.output.class), output_patterns)?,
        taint: if tainted.unwrap_or(step.tainted) { Label::Secret.into() } else { Taint::EMPTY },
        effects: effects.unwrap_or(step.effects),
    };
    Ok(Rule::allow(boundary))
}

/// The product's own flows of the same call: at their class points, or bound to the trace's patterns where these match, else
/// to the exact resources. So a call that was seen otherwise than its author did is one mistake, not one for each later call.
pub(crate) fn own(step: &Step, call: &Call, topology: &Topology) -> Result<Vec<Rule>, ParseError> {
    call.flows.iter().map(|flow| own_flow(step, flow, topology)).collect()
}

fn own_flow(step: &Step, flow: &Flow, topology: &Topology) -> Result<Rule, ParseError> {
    let answer = &step.answer;
    let is_refined = !answer.input_patterns.is_empty() || !answer.output_patterns.is_empty();
    let side = |resources: &[Resource], patterns: &[String]| -> Result<Vec<Scope>, ParseError> {
        let mut found = Vec::new();
        for resource in resources {
            let class = topology.class(resource);
            let scope = if is_refined { refined(resource, class, patterns)? } else { point(class) };
            if !found.contains(&scope) {
                found.push(scope);
            }
        }
        Ok(found)
    };
    Ok(Rule::allow(Boundary {
        inputs: side(flow.inputs(), &answer.input_patterns)?,
        outputs: side(flow.outputs(), &answer.output_patterns)?,
        taint: flow.taint(),
        effects: flow.effects(),
    }))
}

/// A pattern that holds the resource, else the resource itself.
fn refined(resource: &Resource, class: Class, patterns: &[String]) -> Result<Scope, ParseError> {
    if class == Class::Context {
        return Ok(point(class));
    }
    for text in patterns {
        let pattern = Pattern::parse(&canonical_entry(text))?;
        if pattern.contains(resource.extent()) {
            return Ok(placed(pattern, class));
        }
    }
    Ok(placed(resource.extent().clone(), class))
}

fn scopes(class: Class, patterns: &[String]) -> Result<Vec<Scope>, ParseError> {
    if patterns.is_empty() || class == Class::Context {
        return Ok(vec![point(class)]);
    }
    patterns.iter().map(|text| Ok(placed(Pattern::parse(&canonical_entry(text))?, class))).collect()
}

/// Any resource of a class.
fn point(class: Class) -> Scope {
    match class {
        Class::Targets => Scope::Targets,
        Class::Workspace => Scope::Workspace,
        Class::Local => Scope::Local,
        Class::Context => Scope::Named(Resource::context().extent().clone()),
        Class::Internal => Scope::Net(Network::Internal),
        Class::External => Scope::Net(Network::External),
    }
}

/// The names of a pattern, as far out as the class.
fn placed(pattern: Pattern, class: Class) -> Scope {
    let network = if class == Class::External { Network::External } else { Network::Internal };
    Scope::within(pattern.clone(), network).unwrap_or(Scope::Named(pattern))
}
