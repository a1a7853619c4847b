//! Generated sessions, rules and calls over a small universe, so that things meet often.

use jiff::{Timestamp, ToSpan};
use portcullis_lattice::{
    Action, Binding, Boundary, Call, Effect, Effects, Flow, Label, Lifetime, Network, Pattern, Reach, Realm,
    Realms, Resource, Rule, Scope, Server, Standing, Taint, Topology,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;

/// The session that policies are compiled for.
pub(crate) const SESSION: &str = "s1";

/// The time at which calls are decided.
pub(crate) fn now() -> Timestamp {
    "2026-03-06T18:40:00Z".parse().unwrap()
}

/// Property tests with this many cases, or with more if `PROPTEST_CASES` says so. Seeds of failures are not
/// kept: a failure found becomes a test.
pub(crate) fn config(cases: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    Config { cases: wanted.unwrap_or(0).max(cases), failure_persistence: None, ..Config::default() }
}

/// Says what was measured, to be seen with `--show-output`.
#[expect(clippy::print_stdout, reason = "the test harness captures what is printed, and nothing else")]
pub(crate) fn report(found: &str) {
    println!("{found}");
}

/// A topology as it was put together, which the engine's own type does not tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) workspace: Option<&'static str>,
    pub(crate) targets: Vec<&'static str>,
    pub(crate) internal: Vec<&'static str>,
    pub(crate) external: Vec<&'static str>,
}

impl Layout {
    pub(crate) fn topology(&self) -> Topology {
        let mut topology = Topology::new();
        if let Some(path) = self.workspace {
            topology.set_workspace(path).unwrap();
        }
        for path in &self.targets {
            topology.add_target(path).unwrap();
        }
        for entry in &self.internal {
            topology.add_internal(entry).unwrap();
        }
        for entry in &self.external {
            topology.add_external(entry).unwrap();
        }
        topology
    }
}

pub(crate) fn layout() -> impl Strategy<Value = Layout> {
    let office = Layout {
        workspace: Some("/a"),
        targets: vec!["/a/a.pdf", "/x/b"],
        internal: vec!["acme.com", "slack:**", "github:a/**"],
        external: vec!["slack:x", "github:a/b/**"],
    };
    prop_oneof![2 => Just(office), 1 => Just(Layout::default()), 4 => generated_layout()]
}

fn generated_layout() -> impl Strategy<Value = Layout> {
    let workspace = option::weighted(0.9, select(vec!["/", "/a", "/a/b", "/a/*", "/b"]));
    let targets = vec!["/a/a.pdf", "/a/b", "/a/b/*.pdf", "/x/b", "/b/**", "/b", "/a/*"];
    let internal = vec![
        "acme.com",
        "mail.acme.com",
        "slack:**",
        "slack:a*",
        "github:a/**",
        "github:*/b",
        "https://vendor.net/a/**",
        "mailto:z@vendor.net",
    ];
    let external = vec![
        "slack:x",
        "slack:*b",
        "github:a/b/**",
        "mailto:x@acme.com",
        "docs.acme.com",
        "https://acme.com/x/**",
    ];
    (workspace, vec(select(targets), 0..3), vec(select(internal), 0..4), vec(select(external), 0..3))
        .prop_map(|(workspace, targets, internal, external)| Layout {
            workspace,
            targets,
            internal,
            external,
        })
}

const LITERALS: [&str; 6] = ["a", "b", "ab", "a.pdf", "b.pdf", "x"];
const GLOBS: [&str; 5] = ["*", "a*", "*b", "*.pdf", "*a*"];

fn literal() -> impl Strategy<Value = String> {
    // The first names come up most often, so that paths share their beginnings.
    prop_oneof![3 => select(&LITERALS[..2]), 1 => select(&LITERALS[..])].prop_map(String::from)
}

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![3 => literal(), 1 => select(&GLOBS[..]).prop_map(String::from)]
}

fn path(segments: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    prop_oneof![1 => Just(0..1), 4 => Just(1..3), 2 => Just(3..4)]
        .prop_flat_map(move |depth| vec(segments.clone(), depth))
        .prop_map(|segments| format!("/{}", segments.join("/")))
}

/// Names beyond this machine, made of these segments.
fn network_name(segments: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    let hosts = vec!["acme.com", "docs.acme.com", "vendor.net", "localhost", "docs.acme.com:8443"];
    let addresses = vec!["x@acme.com", "y@mail.acme.com", "z@vendor.net"];
    let web = (select(hosts), vec(segments.clone(), 0..3));
    let github = vec(segments.clone(), 1..3);
    prop_oneof![
        3 => select(addresses).prop_map(|address| format!("mailto:{address}")),
        2 => segments.prop_map(|channel| format!("slack:{channel}")),
        2 => github.prop_map(|parts| format!("github:{}", parts.join("/"))),
        2 => web.prop_map(|(host, below)| {
            below.iter().fold(format!("https://{host}"), |name, segment| format!("{name}/{segment}"))
        }),
    ]
}

/// The text of a pattern, wild or not.
pub(crate) fn pattern_text() -> impl Strategy<Value = String> {
    let rare = vec![
        "mailto:*@acme.com",
        "mailto:*@*.acme.com",
        "mailto:x@*",
        "mailto:*@*",
        "mailto:*",
        "mailto:**",
        "slack:**",
        "github:**",
        "https://**",
        "https://*.acme.com/**",
        "https://*.com/**",
        "https://*/a",
        "https://acme.com:*/**",
        "=/a/*",
        "=/a/a*",
    ];
    prop_oneof![
        6 => path(literal().boxed()),
        4 => path(segment().boxed()),
        6 => path(segment().boxed()).prop_map(below),
        2 => Just(String::from("ctxt")),
        2 => network_name(literal().boxed()),
        1 => network_name(segment().boxed()),
        1 => network_name(segment().boxed()).prop_filter_map("an address has nothing below", |name| {
            (!name.starts_with("mailto:")).then(|| below(name))
        }),
        2 => select(rare).prop_map(String::from),
    ]
}

fn below(name: String) -> String {
    match name.as_str() {
        "/" => "/**".into(),
        _ => format!("{name}/**"),
    }
}

pub(crate) fn pattern() -> impl Strategy<Value = Pattern> {
    pattern_text().prop_map(|text| Pattern::parse(&text).unwrap())
}

pub(crate) fn network() -> impl Strategy<Value = Network> {
    select(vec![Network::Internal, Network::External])
}

/// A few patterns around `/a/b` and `slack:a`, most of them neither inside nor outside of each other.
const CROSSING: [&str; 14] = [
    "/a/**", "/*/b", "/a/*", "/*/b/**", "/a*/*", "/*/*", "/a/b/**", "/*a*/*b", "/a/b", "/*/**", "slack:a*",
    "slack:*b", "slack:**", "slack:ab",
];

/// Scopes that an allow may have.
pub(crate) fn scope() -> impl Strategy<Value = Scope> {
    let crossing = select(&CROSSING[..]).prop_map(|text| Scope::Named(Pattern::parse(text).unwrap()));
    let named = (pattern(), option::weighted(0.4, network())).prop_map(|(pattern, network)| {
        let within = network.and_then(|network| Scope::within(pattern.clone(), network));
        within.unwrap_or(Scope::Named(pattern))
    });
    prop_oneof![
        9 => crossing,
        9 => named,
        3 => Just(Scope::context()),
        1 => Just(Scope::Targets),
        1 => Just(Scope::Workspace),
        1 => Just(Scope::Local),
        2 => network().prop_map(Scope::Net),
    ]
}

/// Scopes of every kind.
pub(crate) fn any_scope() -> impl Strategy<Value = Scope> {
    prop_oneof![10 => scope(), 1 => Just(Scope::Anywhere)]
}

/// A resource before it is known in which session it is used.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) reach: Reach,
    /// Realms that disagree with the topology: something made public, or not placed at all.
    pub(crate) realms: Option<Realms>,
}

impl Use {
    fn reach_beyond_names(&self) -> Reach {
        if self.reach == Reach::Names { Reach::Subtree } else { self.reach }
    }

    pub(crate) fn resource(&self, topology: &Topology) -> Resource {
        match self.realms {
            Some(realms) => Resource::new(&self.name, self.reach, realms).unwrap(),
            None => topology.resource(&self.name, self.reach).unwrap(),
        }
    }
}

pub(crate) fn usage() -> impl Strategy<Value = Use> {
    let realms =
        option::weighted(0.15, select(vec![Realm::Internal.into(), Realm::External.into(), Realms::NETWORK]));
    let starred = select(vec!["/a/*", "/a/a*", "/*b", "/a/b/*.pdf"]).prop_map(String::from);
    let crossed =
        select(vec!["/a/b", "/a/ab", "/ab/b", "/a/b/x", "slack:ab", "slack:a"]).prop_map(String::from);
    let one = prop_oneof![
        16 => crossed,
        8 => path(literal().boxed()),
        4 => Just(String::from("ctxt")),
        4 => network_name(literal().boxed()),
        1 => starred,
    ];
    let wild = prop_oneof![
        4 => path(literal().boxed()),
        2 => path(segment().boxed()),
        2 => select(vec!["/a", "/a/*", "/a/b"]).prop_map(String::from),
        1 => network_name(segment().boxed()),
        1 => select(vec!["slack:*", "github:*", "mailto:*", "mailto:*@acme.com", "https://*.acme.com"])
            .prop_map(String::from),
    ];
    let reached = prop_oneof![
        6 => one.prop_map(|name| (name, Reach::One)),
        2 => (wild, select(vec![Reach::Names, Reach::Subtree, Reach::Subtree])),
    ];
    (reached, realms).prop_map(|((name, reach), realms)| Use { name, reach, realms })
}

pub(crate) fn effects() -> impl Strategy<Value = Effects> {
    // Reading and writing are what most calls and rules are about.
    let one =
        select(vec![Effect::Read, Effect::Read, Effect::Write, Effect::Write, Effect::Del, Effect::Exec]);
    prop_oneof![
        4 => one.prop_map(Effects::only),
        1 => (1_usize..32).prop_map(|bits| flags(bits, Effect::ALL)),
    ]
}

/// The members of `all` whose bit is set.
pub(crate) fn flags<T: Copy, S: FromIterator<T>>(bits: usize, all: &[T]) -> S {
    all.iter()
        .enumerate()
        .filter(|(position, _)| bits & (1 << position) != 0)
        .map(|(_, flag)| *flag)
        .collect()
}

pub(crate) fn taint() -> impl Strategy<Value = Taint> {
    prop_oneof![3 => Just(Taint::EMPTY), 1 => (0_usize..4).prop_map(|bits| flags(bits, Label::ALL))]
}

pub(crate) fn server() -> impl Strategy<Value = Server> {
    let standing = select(vec![Standing::Known, Standing::Known, Standing::Derived]);
    (select(vec!["files", "mail", "odd"]), standing)
        .prop_map(|(name, standing)| Server { name: name.into(), standing })
}

fn binding() -> impl Strategy<Value = Binding> {
    let granted = server().prop_map(|server| Binding::granted_through(&server));
    prop_oneof![3 => Just(Binding::Unbound), 2 => granted]
}

fn lifetime() -> impl Strategy<Value = Lifetime> {
    let until = select(vec![-1_i64, 0, 1]).prop_map(|seconds| Lifetime::Until(now() + seconds.seconds()));
    prop_oneof![
        6 => Just(Lifetime::Always),
        1 => select(vec![SESSION, "s2"]).prop_map(|session| Lifetime::Session(session.into())),
        1 => until,
    ]
}

pub(crate) fn allow() -> impl Strategy<Value = Rule> {
    let effects = prop_oneof![1 => effects(), 1 => Just(Effects::ALL)];
    let taint = prop_oneof![2 => taint(), 1 => Just(Taint::ALL)];
    let lifetime = prop_oneof![3 => lifetime(), 1 => Just(Lifetime::Once)];
    (vec(scope(), 1..3), vec(scope(), 1..3), taint, effects, lifetime, binding()).prop_map(
        |(inputs, outputs, taint, effects, lifetime, binding)| {
            let boundary = Boundary { inputs, outputs, taint, effects };
            Rule { lifetime, binding, ..Rule::allow(boundary) }
        },
    )
}

pub(crate) fn deny() -> impl Strategy<Value = Rule> {
    let side = || prop_oneof![3 => vec(any_scope(), 1..3), 1 => Just(vec![Scope::Anywhere])];
    (side(), side(), taint(), effects(), lifetime()).prop_map(
        |(inputs, outputs, taint, effects, lifetime)| Rule {
            lifetime,
            ..Rule::deny(Boundary { inputs, outputs, taint, effects })
        },
    )
}

pub(crate) fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![3 => allow(), 2 => deny()]
}

/// Rules whose places cross, about everything else: so that allows and denies often contradict each other.
pub(crate) fn crossing_rule() -> impl Strategy<Value = Rule> {
    let side = || vec(select(&CROSSING[..10]), 1..3);
    let binding = prop_oneof![3 => Just(Binding::Unbound), 1 => binding()];
    let lifetime = prop_oneof![5 => lifetime(), 1 => Just(Lifetime::Once)];
    let action = select(vec![Action::Allow, Action::Allow, Action::Deny]);
    (side(), side(), lifetime, binding, action).prop_map(|(inputs, outputs, lifetime, binding, action)| {
        let scopes = |texts: Vec<&str>| texts.iter().map(|text| text.parse().unwrap()).collect();
        let (inputs, outputs) = (scopes(inputs), scopes(outputs));
        match action {
            Action::Allow => {
                let boundary = Boundary { inputs, outputs, taint: Taint::ALL, effects: Effects::ALL };
                Rule { lifetime, binding, ..Rule::allow(boundary) }
            }
            Action::Deny => {
                let lifetime = if lifetime == Lifetime::Once { Lifetime::Always } else { lifetime };
                let boundary = Boundary { inputs, outputs, taint: Taint::EMPTY, effects: Effects::ALL };
                Rule { lifetime, ..Rule::deny(boundary) }
            }
        }
    })
}

/// Calls at the places where those rules cross.
pub(crate) fn crossing_plan() -> impl Strategy<Value = Plan> {
    let usage = (
        select(vec!["/a/b", "/a/ab", "/ab/b", "/a/b/x", "/a/a", "/a"]),
        select(vec![Reach::One, Reach::One, Reach::One, Reach::Names, Reach::Subtree]),
    );
    let usage = usage.prop_map(|(name, reach)| Use { name: name.into(), reach, realms: None }).boxed();
    let side = move || prop_oneof![4 => vec(usage.clone(), 1), 1 => vec(usage.clone(), 2)];
    (server(), side(), side(), taint(), effects()).prop_map(|(server, inputs, outputs, taint, effects)| {
        Plan { server, flows: vec![(inputs, outputs, taint, effects)] }
    })
}

/// A call before it is known in which session it is made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) server: Server,
    pub(crate) flows: Vec<(Vec<Use>, Vec<Use>, Taint, Effects)>,
}

impl Plan {
    pub(crate) fn call(&self, topology: &Topology) -> Call {
        // Only what is read can be a mere listing of names.
        let place = |uses: &[Use], listing: bool| {
            let reach = |each: &Use| if listing { each.reach } else { each.reach_beyond_names() };
            uses.iter().map(|each| Use { reach: reach(each), ..each.clone() }.resource(topology)).collect()
        };
        let flow = |(inputs, outputs, taint, effects): &(Vec<Use>, Vec<Use>, Taint, Effects)| {
            let reads = *effects == Effects::only(Effect::Read);
            Flow::new(place(inputs, reads), place(outputs, false), *taint, *effects).unwrap()
        };
        Call { server: self.server.clone(), flows: self.flows.iter().map(flow).collect() }
    }
}

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
    let side = || prop_oneof![4 => vec(usage(), 1), 1 => vec(usage(), 2)];
    let flow = (side(), side(), taint(), effects()).boxed();
    let flows = prop_oneof![5 => vec(flow.clone(), 1), 1 => vec(flow, 2)];
    (server(), flows).prop_map(|(server, flows)| Plan { server, flows })
}
