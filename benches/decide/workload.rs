//! Rules as an office and its projects would have them, and calls that are decided by them.
//!
//! Rules come in blocks of twenty, one for each project, so that more rules are more projects. All calls are
//! about the first project, whose rules are there at every size; the first ten have one more deny than is
//! usual for that.

use std::error::Error;
use std::fmt::Write;

use jiff::Timestamp;
use portcullis_lattice::{
    Call, Decision, Effect, Effects, Flow, Policy, Reach, Resource, Ruleset, Server, Standing, Taint,
    Topology,
};

/// What can go wrong in setting up; a benchmark then ends with the message.
pub(crate) type Failure = Box<dyn Error>;

/// The session that everything happens in.
pub(crate) const SESSION: &str = "monday";

/// The numbers of rules that are compared.
pub(crate) const SIZES: [usize; 3] = [10, 1_000, 100_000];

/// How many rules a project has.
const BLOCK: usize = 20;

/// The kinds of decision that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    /// A mail with an attachment that the rules let pass.
    Permit,
    /// The same to somebody whom no rule knows; the nearest rule is looked for.
    Ask,
    /// The same with an attachment that an allow covers and a narrower deny catches.
    Deny,
    /// A permitted mail where nearly all rules are globs of the same folder and the same scheme.
    Globs,
    /// `rm -r` of a project in which a deny protects one file.
    Subtree,
}

impl Case {
    pub(crate) const ALL: [Case; 5] = [Case::Permit, Case::Ask, Case::Deny, Case::Globs, Case::Subtree];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Case::Permit => "permit",
            Case::Ask => "ask",
            Case::Deny => "deny",
            Case::Globs => "permit, globs",
            Case::Subtree => "rm -r",
        }
    }

    /// What the rules have to say, at every size.
    pub(crate) fn expected(self) -> Decision {
        match self {
            Case::Permit | Case::Globs => Decision::Permit,
            Case::Ask => Decision::Ask,
            Case::Deny | Case::Subtree => Decision::Deny,
        }
    }

    /// The rules that the case is decided by, one a line.
    pub(crate) fn rules(self, count: usize) -> Result<Ruleset, Failure> {
        let rule = if self == Case::Globs { glob_rule } else { office_rule };
        let mut text = String::new();
        for number in 0..count {
            writeln!(text, "{}", rule(number))?;
        }
        Ok(Ruleset::parse(&text)?)
    }

    /// The call to decide: two flows.
    pub(crate) fn call(self, topology: &Topology) -> Result<Call, Failure> {
        let project = project(0);
        let one = |name: &str| topology.resource(name, Reach::One);
        let mail = |file: &str, recipient: &str| -> Result<Vec<Flow>, Failure> {
            Ok(vec![
                flow(one(file)?, one(recipient)?, Effect::Write)?,
                flow(one(file)?, Resource::context(), Effect::Read)?,
            ])
        };
        let flows = match self {
            Case::Permit => mail(&format!("{project}/reports/q3/summary.pdf"), "mailto:bob@customer0.com")?,
            Case::Ask => mail(&format!("{project}/reports/q3/summary.pdf"), "mailto:eve@elsewhere.io")?,
            Case::Deny => mail(&format!("{project}/secrets/keys.pdf"), "mailto:bob@customer0.com")?,
            Case::Globs => mail("/srv/x/summary.ext0", "mailto:bob@customer0.com")?,
            Case::Subtree => vec![
                flow(Resource::context(), topology.resource(&project, Reach::Subtree)?, Effect::Del)?,
                flow(topology.resource(&project, Reach::Names)?, Resource::context(), Effect::Read)?,
            ],
        };
        Ok(Call { server: Server { name: "workbench".into(), standing: Standing::Known }, flows })
    }
}

/// A call with the rules it is put to.
pub(crate) struct Scene {
    pub(crate) policy: Policy,
    pub(crate) call: Call,
    pub(crate) now: Timestamp,
}

impl Scene {
    /// Sets a case up, and checks that it is decided as it should.
    pub(crate) fn new(case: Case, count: usize) -> Result<Scene, Failure> {
        let topology = topology()?;
        let policy = Policy::compile(&case.rules(count)?, &topology, SESSION);
        let scene = Scene { policy, call: case.call(&topology)?, now: now() };
        match scene.decide() {
            decision if decision == case.expected() => Ok(scene),
            decision => Err(format!("`{}` with {count} rules: {}", case.name(), decision.name()).into()),
        }
    }

    pub(crate) fn decide(&self) -> Decision {
        self.policy.decide(&self.call, self.now).decision
    }
}

/// The session's layout.
pub(crate) fn topology() -> Result<Topology, Failure> {
    let mut topology = Topology::new();
    topology.set_workspace(&project(0))?;
    topology.add_internal("acme.com")?;
    topology.add_internal("github:acme/**")?;
    Ok(topology)
}

/// When everything happens.
pub(crate) fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

fn flow(input: Resource, output: Resource, effect: Effect) -> Result<Flow, Failure> {
    Ok(Flow::new(vec![input], vec![output], Taint::EMPTY, Effects::only(effect))?)
}

/// Where a project lies: deeper or less deep, among few neighbours or many.
fn project(number: usize) -> String {
    let (team, year) = (number % 37, 2019 + number % 7);
    match number % 4 {
        0 => format!("/home/ann/projects/atlas{number}"),
        1 => format!("/srv/teams/team{team}/atlas{number}"),
        2 => format!("/home/ann/archive/{year}/q{}/atlas{number}", 1 + number % 3),
        _ => format!("/home/ann/clients/client{team}/{year}/contracts/atlas{number}"),
    }
}

fn office_rule(number: usize) -> String {
    let project_number = number / BLOCK;
    let project = project(project_number);
    // Spreads people and channels over the projects without a pattern that follows their order.
    let shuffled = number.wrapping_mul(2_654_435_761) % 1_000_003;
    let (person, channel, partner) = (shuffled % 400, shuffled % 5_000, shuffled % 900);
    match number % BLOCK {
        0 => format!("allow read from {project}/** to ctxt"),
        1 => format!("allow write from {project}/** to mailto:*@customer{project_number}.com"),
        2 => match project_number % 3 {
            0 => format!("deny write from {project}/secrets/** to anywhere"),
            1 => format!("deny write from anywhere to mailto:*@rival{project_number}.com"),
            _ => format!("deny read, write from {project}/.env to anywhere"),
        },
        3 => format!("allow del from ctxt to {project}/**"),
        4 if project_number == 0 => format!("deny write, del from anywhere to {project}/data/journal.md"),
        4 => format!("allow read from {project}/data/journal.md to ctxt carrying secret"),
        5 => format!("allow write from ctxt to {project}/src/**, {project}/tests/**"),
        6 => format!("allow read from github:acme/atlas{project_number}/** to ctxt carrying untrusted"),
        7 => format!("allow write from ctxt to slack:C{channel:05}"),
        8 => format!("allow write from {project}/out/*.csv to mailto:person{person}@partner{partner}.com"),
        9 => format!("allow write from ctxt to mailto:person{person}@acme.com"),
        10 => format!("allow read from {project}/docs/report-{shuffled}.pdf to ctxt carrying untrusted"),
        11 => format!("allow write from {project}/** to github:acme/atlas{project_number}/** via known git"),
        12 => format!("allow read from slack:C{channel:05} to ctxt carrying untrusted for session {SESSION}"),
        13 => format!("allow exec from {project}/scripts/*.sh to ctxt"),
        14 => format!("allow read from https://docs.vendor{partner}.com/** to ctxt carrying untrusted"),
        15 => {
            format!("allow write from {project}/reports/** to slack:C{channel:05} until 2030-01-01T00:00:00Z")
        }
        16 => format!("allow read from /srv/data/{}/part-{shuffled}-*.parquet to ctxt", 2019 + person % 7),
        17 => format!("allow read, write from calendar:person{person}@acme.com to ctxt"),
        18 => format!("allow write from {project}/reports/** to mailto:person{person}@partner{partner}.com"),
        _ => format!("allow write from {project}/reports/*.pdf to mailto:*@partner{partner}.com"),
    }
}

fn glob_rule(number: usize) -> String {
    let customer = number / 5;
    match (number % 5, number % 4) {
        (0, _) => format!("allow write from /srv/x/*.ext{customer} to mailto:*@customer{customer}.com"),
        (1, _) => format!("allow read from /srv/x/*.ext{customer} to ctxt"),
        (2, _) => format!("allow write from ctxt to mailto:*@customer{customer}.com"),
        (3, 3) => format!("deny write from anywhere to mailto:*@rival{customer}.com"),
        (3, _) => format!("allow read from /srv/x/draft{customer}-* to ctxt"),
        _ => {
            format!("allow write from /srv/x/*-final.ext{customer} to mailto:*.sales@customer{customer}.com")
        }
    }
}
