//! Families of processes, as data: who is trusted, and who is not, and why.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// From this process up to the first.
    family: Vec<Member>,
    /// Hosts of open sessions.
    #[serde(default)]
    hosts: Vec<String>,
    /// A part of the refusal, or nothing.
    refused: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    id: u32,
    name: String,
    #[serde(default)]
    program: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    variables: Vec<String>,
    #[serde(default)]
    hidden: bool,
}

struct Family(BTreeMap<u32, Process>);

impl Processes for Family {
    fn process(&self, id: u32) -> Result<Process, Unseen> {
        self.0.get(&id).cloned().ok_or(Unseen::Hidden(id))
    }
}

fn family(members: &[Member]) -> Family {
    let parents = members.iter().skip(1).map(|member| member.id).chain([0]);
    let process = |(member, parent): (&Member, u32)| {
        let process = Process {
            id: member.id,
            parent,
            key: format!("pid:{}@{}", member.id, member.id * 10),
            name: member.name.clone(),
            program: member.program.clone(),
            arguments: member.arguments.clone(),
            variables: member.variables.clone(),
        };
        (!member.hidden).then_some((member.id, process))
    };
    Family(members.iter().zip(parents).filter_map(process).collect())
}

#[test]
fn only_families_without_agents_are_trusted() {
    let cases: Cases = toml::from_str(include_str!("cases.toml")).unwrap();
    for case in &cases.case {
        let hosts: Vec<_> = case.hosts.iter().map(|host| (host.clone(), "5e55".to_owned())).collect();
        let examined = examine(&family(&case.family), case.family[0].id, &hosts);
        match (&case.refused, examined) {
            (None, Ok(())) => {}
            (Some(part), Err(distrust)) => {
                let text = distrust.to_string();
                assert!(text.contains(part.as_str()), "{}: {text}", case.name);
            }
            (expected, found) => panic!("{}: expected {expected:?}, found {found:?}", case.name),
        }
    }
}

#[test]
fn a_family_without_end_is_not_trusted() {
    struct Endless;
    impl Processes for Endless {
        fn process(&self, id: u32) -> Result<Process, Unseen> {
            Ok(Process { id, parent: id + 1, name: "sh".into(), ..Process::default() })
        }
    }
    assert_eq!(examine(&Endless, 2, &[]), Err(Unseen::TooMany.into()));
}

#[test]
#[cfg(target_os = "linux")]
fn this_process_is_seen_as_it_is() {
    let own = System.process(std::process::id()).unwrap();
    assert_eq!(own.parent, std::os::unix::process::parent_id());
    assert_eq!(own.key, whose::process_key(own.id));
    assert!(own.key.contains('@'), "{}", own.key);
    assert_eq!(own.program, std::env::current_exe().unwrap().to_str().map(str::to_owned));
    assert!(own.variables.iter().any(|name| name == "PATH"));
    assert_eq!(System.process(u32::MAX), Err(Unseen::Hidden(u32::MAX)));
}
