//! Scopes, resources and deeds in plain words, for prompts and explanations.
//!
//! Names come from agents and servers, so nothing in them may move the text around them: characters that hide
//! or reorder are shown as escapes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::flags::{Effect, Effects, Taint};
use crate::flow::Flow;
use crate::pattern::{Depth, Pattern, Segment};
use crate::resource::{Reach, Resource};
use crate::rule::Boundary;
use crate::scope::{Network, Scope};
use crate::text::{Quoting, write_word};
pub use crate::visible::shown;

/// What a scope stands for: "everything under /home/u/p", "people at acme.com".
pub fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Named(names) => pattern(names),
        Scope::Within(names, Network::Internal) => format!("{}, inside your organisation", pattern(names)),
        Scope::Within(names, Network::External) => format!("{}, even where it is public", pattern(names)),
        Scope::Targets => "what your request names".into(),
        Scope::Workspace => "the workspace".into(),
        Scope::Local => "any file of this machine".into(),
        Scope::Net(Network::Internal) => "anything in your organisation and own accounts".into(),
        Scope::Net(Network::External) => "anything on the network".into(),
        Scope::Anywhere => "anywhere".into(),
    }
}

/// Several scopes in a row.
pub fn scopes(scopes: &[Scope]) -> String {
    list(scopes.iter().map(scope).collect())
}

/// A resource as a call uses it: "everything under /home/u/p", "the names in slack:*".
pub fn resource(resource: &Resource) -> String {
    match resource.reach() {
        Reach::One => pattern(resource.extent()),
        Reach::Names => format!("the names in {}", plain(resource.extent())),
        Reach::Subtree => pattern(resource.extent()),
    }
}

/// What a boundary lets be done, beginning with a verb.
pub fn boundary(boundary: &Boundary) -> String {
    let context = [Scope::context()];
    let deed = Deed {
        effects: boundary.effects,
        verbs: any_effect(boundary.effects),
        from: list(boundary.inputs.iter().map(source).collect()),
        to: scopes(&boundary.outputs),
        from_context: boundary.inputs == context,
        to_context: boundary.outputs == context,
        from_anywhere: boundary.inputs == [Scope::Anywhere],
        in_place: boundary.inputs == boundary.outputs,
        goes_out: boundary.outputs.iter().any(goes_out),
    };
    with_taint(deed.told(), boundary.taint)
}

/// What a flow does between one input and one output, beginning with a verb.
pub fn flow(flow: &Flow, input: &Resource, output: &Resource) -> String {
    let deed = Deed {
        effects: flow.effects(),
        verbs: effects(flow.effects()),
        from: resource(input),
        to: resource(output),
        from_context: input.extent().head().is_context(),
        to_context: output.extent().head().is_context(),
        from_anywhere: false,
        in_place: input == output,
        goes_out: output.extent().head().is_network(),
    };
    with_taint(deed.told(), flow.taint())
}

fn with_taint(deed: String, labels: Taint) -> String {
    match labels.is_empty() {
        true => deed,
        false => format!("{deed}, carrying {}", taint(labels)),
    }
}

/// Labels in words.
pub fn taint(taint: Taint) -> String {
    match taint.is_empty() {
        true => "untainted data".into(),
        false => format!("{} data", list(taint.iter().map(|label| label.to_string()).collect())),
    }
}

/// All of these effects, in words.
pub fn effects(effects: Effects) -> String {
    list(effects.iter().map(|effect| verb(effect).to_string()).collect())
}

/// Any of these effects, in words.
pub fn any_effect(effects: Effects) -> String {
    joined(effects.iter().map(|effect| verb(effect).to_string()).collect(), "or")
}

const fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Write => "write",
        Effect::Del => "delete",
        Effect::Exec => "run code",
        Effect::Spawn => "leave something running",
    }
}

/// Something that is done, ready to be told.
struct Deed {
    effects: Effects,
    verbs: String,
    from: String,
    to: String,
    from_context: bool,
    to_context: bool,
    from_anywhere: bool,
    in_place: bool,
    goes_out: bool,
}

impl Deed {
    /// The usual deeds have usual words; the others are spelled out.
    fn told(&self) -> String {
        let Deed { verbs, from, to, .. } = self;
        let moving = Effects::only(Effect::Write).with(Effect::Del);
        let only = |effect| self.effects == Effects::only(effect);
        match () {
            () if self.from_anywhere => format!("{verbs} {to}, wherever it comes from"),
            () if only(Effect::Read) && self.to_context => format!("read {from}"),
            () if only(Effect::Write) && self.from_context && self.goes_out => format!("send to {to}"),
            () if only(Effect::Write) && self.from_context => format!("write {to}"),
            () if only(Effect::Write) && self.goes_out => format!("send {from} to {to}"),
            () if only(Effect::Write) && self.in_place => format!("change {to}"),
            () if only(Effect::Write) => format!("copy {from} to {to}"),
            () if only(Effect::Del) && self.in_place => format!("delete {to}"),
            () if self.effects == moving && !self.in_place => format!("move {from} to {to}"),
            () if only(Effect::Exec) && self.to_context => format!("run code from {from}"),
            () if only(Effect::Spawn) && self.to_context => format!("leave something running from {from}"),
            () => format!("{verbs} from {from} to {to}"),
        }
    }
}

/// A scope as where data comes from.
fn source(input: &Scope) -> String {
    match *input == Scope::context() {
        true => "what the agent writes".into(),
        false => scope(input),
    }
}

fn goes_out(scope: &Scope) -> bool {
    match scope {
        Scope::Named(pattern) => pattern.head().is_network(),
        Scope::Within(..) | Scope::Net(_) | Scope::Anywhere => true,
        Scope::Targets | Scope::Workspace | Scope::Local => false,
    }
}

/// "a", "a and b", "a, b and c".
pub(crate) fn list(words: Vec<String>) -> String {
    joined(words, "and")
}

fn joined(mut words: Vec<String>, conjunction: &str) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} {conjunction} {last}", words.join(", ")),
    }
}

fn pattern(pattern: &Pattern) -> String {
    if pattern.head().is_context() {
        return "the agent's context".into();
    }
    if pattern.head().is_mail() {
        return people(pattern);
    }
    match (pattern.depth(), pattern.segments()) {
        (Depth::Below, []) if pattern.head().is_local() => "any file of this machine".into(),
        (Depth::Below, []) => format!("everything in {}", account(pattern)),
        (Depth::Below, [Segment::Literal(host)]) if pattern.head().has_host() => {
            format!("everything on {}", quoted(host))
        }
        (Depth::Below, [Segment::Glob(host)]) if pattern.head().has_host() => {
            format!("everything on {}", hosts(host))
        }
        (Depth::Below, _) => format!("everything under {}", plain(pattern)),
        (Depth::Here, [before @ .., Segment::Glob(last)]) if before.iter().all(is_literal) => {
            format!("anything {}{}", directly_in(pattern), named_like(last))
        }
        (Depth::Here, _) if pattern.has_globs() => format!("anything that fits {}", plain(pattern)),
        (Depth::Here, _) => plain(pattern),
    }
}

fn is_literal(segment: &Segment) -> bool {
    matches!(segment, Segment::Literal(_))
}

/// The name without what says how far down it goes.
fn plain(pattern: &Pattern) -> String {
    let segments: Vec<&str> = pattern.segments().iter().map(Segment::text).collect();
    let head = if pattern.head().is_mail() { "" } else { pattern.head().as_str() };
    quoted(&format!("{head}{}", segments.join("/")))
}

/// A name as it can stand in a sentence: in quotes if it has spaces or commas, so that it cannot pose as one.
fn quoted(name: &str) -> String {
    let mut quoted = String::new();
    // Writing to a string cannot fail.
    let _ = write_word(&mut quoted, name, Quoting::AsNeeded);
    quoted
}

fn account(pattern: &Pattern) -> String {
    pattern.head().as_str().trim_end_matches(['/', ':']).to_string()
}

fn directly_in(pattern: &Pattern) -> String {
    let before: Vec<&str> = pattern.segments().iter().rev().skip(1).rev().map(Segment::text).collect();
    match before.is_empty() && !pattern.head().is_local() {
        true => format!("in {}", account(pattern)),
        false => {
            format!("directly in {}", quoted(&format!("{}{}", pattern.head().as_str(), before.join("/"))))
        }
    }
}

fn named_like(glob: &str) -> String {
    match glob.split_once('*') {
        Some(("", "")) => String::new(),
        Some(("", end)) if !end.contains('*') => format!(" that ends in {}", quoted(end)),
        Some((start, "")) => format!(" that begins with {}", quoted(start)),
        _ => format!(" named like {}", quoted(glob)),
    }
}

fn hosts(glob: &str) -> String {
    match glob.strip_prefix("*.") {
        Some(domain) if !domain.contains('*') => format!("the subdomains of {}", quoted(domain)),
        None if glob == "*" => "any host".into(),
        _ => format!("hosts like {}", quoted(glob)),
    }
}

fn people(pattern: &Pattern) -> String {
    let address = pattern.segments().first().map_or("*", Segment::text);
    match address.split_once('@') {
        None => "anybody by mail".into(),
        Some(("*", domain)) if !domain.contains('*') => format!("people at {}", quoted(domain)),
        Some(("*", domain)) => format!("people at {}", hosts(domain)),
        _ => quoted(address),
    }
}
