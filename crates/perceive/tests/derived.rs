//! Profiles derived from definitions alone, compared with what people wrote down about the same tools.
//!
//! The definitions are texts of third parties and stay in `../shared`, beside the repository. Where they are absent the
//! checks say so and pass.

use std::collections::BTreeMap;
use std::path::PathBuf;

use portcullis_lattice::{Class, Effect, Reach, Realms};
use portcullis_perceive::derive::{Definition, derive, scheme};
use portcullis_perceive::layout::{Layout, OWN_ACCOUNTS};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver, Use, riskiest};
use serde_json::Value;

fn shared(file: &str) -> Option<String> {
    let root = std::env::var_os("PORTCULLIS_SHARED").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let text = std::fs::read_to_string(root.join(file)).ok();
    if text.is_none() {
        eprintln!("skipped: `../shared/{file}` is absent, so nothing is compared with it");
    }
    text
}

fn texts(value: &Value) -> Vec<String> {
    let values = value.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn resources(side: &Value) -> Vec<String> {
    let mut names = match &side["resource"] {
        Value::String(name) => vec![name.clone()],
        list => texts(list),
    };
    if names.is_empty() {
        names.push("ctxt".into());
    }
    names.sort();
    names
}

#[test]
fn uncatalogued_traces() {
    compare("uncatalogued", false);
}

#[test]
fn catalogued_traces_as_if_unknown() {
    for file in [
        "calendar-database-browser",
        "filesystem",
        "mail-and-chat",
        "multi-server",
        "research",
        "shell",
        "version-control",
    ] {
        compare(file, true);
    }
}

fn compare(file: &str, catalogued: bool) {
    let Some(text) = shared(&format!("consentbench/traces/{file}.jsonl")) else { return };
    let formats = Formats::built_in().expect("formats");
    let (mut all, mut good) = (0, BTreeMap::<&str, usize>::new());
    for line in text.lines() {
        let trace: Value = serde_json::from_str(line).expect("a trace");
        let session = &trace["session"];
        let mut accounts: Vec<String> = OWN_ACCOUNTS.map(String::from).into();
        accounts.extend(texts(&trace["servers"]).iter().map(|server| scheme(server)));
        let layout = Layout {
            workspace: session["workdir"].as_str().unwrap().into(),
            home: session["home"].as_str().unwrap().into(),
            targets: texts(&session["targets"]),
            internal: texts(&session["internal"]),
            external: texts(&session["external"]),
            sensitive: texts(&session["sensitive"]),
            accounts,
            ..Layout::default()
        };
        let ground = layout.ground().expect("a layout");
        let class = |uses: &[Use]| {
            uses.iter()
                .map(|place| ground.topology().class(&ground.resource(place).expect("a name")))
                .max()
                .map(|class| match class {
                    Class::Targets => "exact",
                    Class::Workspace => "parent",
                    Class::Local => "local",
                    Class::Context => "ctxt",
                    Class::Internal => "intnet",
                    Class::External => "extnet",
                })
        };
        for step in trace["steps"].as_array().unwrap() {
            let (server, tool) = step["tool"].as_str().unwrap().split_once('.').unwrap();
            if catalogued
                && (server == "desktop-commander"
                    || server == "playwright" && !matches!(tool, "browser_navigate"))
            {
                continue;
            }
            let listed = match catalogued {
                true => serde_json::from_str::<Value>(
                    &shared(&format!("mcp-tools/catalogued/{server}.json")).unwrap(),
                )
                .unwrap()["tools"]
                    .clone(),
                false => trace["tools"].clone(),
            };
            let found = listed.as_array().unwrap().iter().find(|one| {
                one["name"] == tool && one.get("server").is_none_or(|one| one == server)
                    || one["name"] == step["tool"]
            });
            let Some(definition) = found.or_else(|| trace["tools"].get(step["tool"].as_str().unwrap()))
            else {
                panic!("{}: no definition of {}: {}", trace["id"], step["tool"], trace["tools"]);
            };
            let definition = Definition::read(definition).expect("a definition");
            let profile = derive(server, &definition);
            let tools = |_: &str| None;
            let perceiver =
                Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &tools };
            let seen = perceiver.call(&profile, &step["args"], &Memory::default());
            let external = |name: &str| {
                ground
                    .topology()
                    .resource(name, Reach::One)
                    .is_ok_and(|one| one.realms().overlaps(Realms::NETWORK))
            };
            let deed = riskiest(&seen.deeds(), external).expect("a deed");
            let names = |uses: &[Use]| {
                let mut names: Vec<String> = uses.iter().map(|place| place.name.clone()).collect();
                names.sort();
                names
            };
            let mut effects = texts(&step["effects"]);
            effects.sort_by_key(|word| Effect::ALL.iter().position(|effect| effect.name() == word));
            let found: Vec<String> = deed.effects.iter().map(|effect| effect.name().to_owned()).collect();
            let checks = [
                ("in.class", class(&deed.inputs) == step["in"]["class"].as_str()),
                ("in", catalogued || names(&deed.inputs) == resources(&step["in"])),
                ("out.class", class(&deed.outputs) == step["out"]["class"].as_str()),
                ("out", catalogued || names(&deed.outputs) == resources(&step["out"])),
                ("effects", found == effects),
                ("one act", seen.acts.len() == 1),
            ];
            all += 1;
            for (field, agrees) in checks {
                *good.entry(field).or_default() += usize::from(agrees);
                if !agrees {
                    let acts: Vec<String> = seen.acts.iter().map(ToString::to_string).collect();
                    eprintln!(
                        "{} {field} {} {}\n   {} -> {} {}\n   {acts:?}",
                        trace["id"], step["tool"], step["args"], step["in"], step["out"], step["effects"]
                    );
                }
            }
        }
    }
    eprintln!("{all} steps: {good:?}");
}

#[test]
fn live_tools() {
    use portcullis_perceive::profile::What;
    let Some(text) = shared("mcp-tools/live.jsonl") else { return };
    let mut servers: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut all, mut good) = (0, 0);
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).expect("an entry");
        let package = entry["package"].as_str().unwrap();
        let definition = Definition::read(&entry["tool"]).expect("a definition");
        let profile = derive(package, &definition);
        let effects: Vec<String> = profile
            .deeds
            .iter()
            .map(|deed| match &deed.what {
                What::Flow(flow) => {
                    let words: Vec<&str> = flow.effects.iter().map(Effect::name).collect();
                    format!("{}{}", words.join("+"), if deed.when.is_empty() { "" } else { "?" })
                }
                What::Shell { .. } => "shell".into(),
                What::Sql { .. } => "sql".into(),
            })
            .collect();
        let reads = effects.iter().all(|word| word.starts_with("read") && !word.contains('+'));
        let first: String = definition.description.chars().take(100).collect::<String>().replace('\n', " ");
        let hint =
            definition.hints.read_only.or(definition.hints.destructive.filter(|it| *it).map(|_| false));
        if let Some(hint) = hint {
            let entry = servers.entry(package.to_owned()).or_default();
            entry.1 += 1;
            all += 1;
            if hint == reads {
                entry.0 += 1;
                good += 1;
            } else {
                println!("DIS {package} {} hint={hint} {effects:?} | {first}", definition.name);
            }
        }
        let sides: Vec<String> = profile.deeds.iter().filter_map(|deed| match &deed.what {
            What::Flow(flow) => {
                let side = |groups: &Vec<Vec<portcullis_perceive::profile::Place>>| groups.iter().map(|group| group.iter().map(|place| match &place.kind {
                    portcullis_perceive::profile::Kind::Fixed(_) => if place.reach == Reach::Names { "names".to_string() } else { "*".to_string() },
                    kind => format!("{}:{}", kind.noun().chars().take(4).collect::<String>(), kind.arguments()[0]),
                } + if place.public.is_some() { "!" } else { "" }).collect::<Vec<_>>().join("+")).collect::<Vec<_>>().join("|");
                Some(format!("{} > {}", side(&flow.from), side(&flow.to)))
            }
            _ => None,
        }).collect();
        println!("SIDES {package} {} {effects:?} {sides:?}", definition.name);
        println!(
            "ALL {package} {} {} {effects:?} {:?} | {first}",
            definition.name,
            definition.hints.read_only.map_or("?", |it| if it { "+" } else { "-" }),
            profile.assumptions.iter().map(|one| one.about.name()).collect::<Vec<_>>()
        );
    }
    println!("{good} of {all}: {servers:?}");
}
