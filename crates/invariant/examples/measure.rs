//! Reads sentences with calls that must and must not fire, and tells how many do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "a scratch"
)]
use portcullis_invariant::{
    CallFacts, Circumstances, Hand, Rulebook, Stated, Trails, english, meaning::Verdict, write,
};
use portcullis_perceive::{
    Memory, Perceiver,
    catalogue::Catalogue,
    derive::{Definition, derive},
    layout::Layout,
    paths::NoLinks,
    profile::Profile,
    secrets::Formats,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

struct World {
    catalogue: Catalogue,
    formats: Formats,
    defs: BTreeMap<String, Vec<Value>>,
}
struct Run<'w> {
    world: &'w World,
    ground: portcullis_perceive::layout::Ground,
    own: BTreeMap<(String, String), Value>,
    memory: Memory,
    trails: Trails,
    history: BTreeMap<String, u64>,
    step: u64,
}
impl Run<'_> {
    fn call(
        &mut self,
        book: &Rulebook,
        tool: &str,
        args: &Value,
        now: Option<&str>,
        keep: bool,
    ) -> (Vec<portcullis_invariant::Breach>, CallFacts) {
        let (server, name) = tool.split_once('.').unwrap();
        let profile: Profile = match self.own.get(&(server.to_owned(), name.to_owned())) {
            Some(d) => derive(server, &Definition::read(d).unwrap()),
            None => {
                self.world.catalogue.profile(server, name).unwrap_or_else(|| panic!("no tool {tool}")).clone()
            }
        };
        let none = |_: &str| None;
        let perceiver = Perceiver {
            ground: &self.ground,
            formats: &self.world.formats,
            resolver: &NoLinks,
            tools: &none,
        };
        let perception = perceiver.call_with_particulars(&profile, args, &self.memory);
        let known: Vec<&str> = profile.known_arguments().collect();
        let secrets: Vec<bool> = perception
            .acts
            .iter()
            .map(|a| {
                a.deed.inputs.iter().any(|u| self.ground.places().holds_secrets(u))
                    || !perception.credentials.is_empty()
            })
            .collect();
        let carried = self.trails.carried(self.step, &perception.acts, &[]);
        let facts = CallFacts::of(&Circumstances {
            server,
            tool: name,
            arguments: args,
            known: &known,
            perception: &perception,
            secrets: &secrets,
            carried: &carried,
            ground: &self.ground,
            now: now.map(|n| n.parse().unwrap()),
            spelled: book.spelled(),
            history: &self.history,
        });
        let breaches = book.judge(&facts);
        if keep {
            self.trails.observe(self.step, &perception.acts, &[]);
            for d in facts.counted() {
                *self.history.entry(d).or_default() += 1;
            }
            self.memory = std::mem::take(&mut self.memory).after(&perception);
            self.step += 1;
        }
        (breaches, facts)
    }
}
fn layout(s: &Value) -> Layout {
    let list = |k: &str| {
        s.get(k)
            .and_then(Value::as_array)
            .map(|a| a.iter().map(|x| x.as_str().unwrap().to_owned()).collect())
            .unwrap_or_default()
    };
    let mut l = Layout {
        workspace: s["workdir"].as_str().unwrap().into(),
        home: s["home"].as_str().unwrap_or("").into(),
        targets: list("targets"),
        internal: list("internal"),
        external: list("external"),
        sensitive: list("sensitive"),
        ..Layout::default()
    };
    l.accounts.push("memory".into());
    l
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let verbose = args.iter().any(|a| a == "-v");
    let only = args.iter().position(|a| a == "-o").map(|i| args[i + 1].clone());
    let mut defs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for e in std::fs::read_dir("/work/shared/mcp-tools/catalogued").unwrap() {
        let p = e.unwrap().path();
        let v: Value = serde_json::from_str(&std::fs::read_to_string(&p).unwrap()).unwrap();
        let tools = v.get("tools").cloned().unwrap_or(v);
        defs.insert(p.file_stem().unwrap().to_str().unwrap().to_owned(), tools.as_array().unwrap().clone());
    }
    let world =
        World { catalogue: Catalogue::built_in().unwrap(), formats: Formats::built_in().unwrap(), defs };
    let mut totals = [0usize; 8]; // sentences, read, fires ok, fires, quiet ok, quiet, refuse ok, refuse
    for path in args[1..].iter().filter(|a| std::path::Path::new(a).exists()) {
        let mut t = [0usize; 8];
        if path.ends_with(".jsonl") {
            traces(path, &world, &mut t, verbose, only.as_deref());
        } else {
            corpus(path, &world, &mut t, verbose, only.as_deref());
        }
        println!(
            "{path}: read {}/{} fires {}/{} quiet {}/{} refused {}/{}",
            t[1], t[0], t[2], t[3], t[4], t[5], t[6], t[7]
        );
        for i in 0..8 {
            totals[i] += t[i];
        }
    }
    let t = totals;
    println!(
        "ALL: read {}/{} fires {}/{} quiet {}/{} refused {}/{}",
        t[1], t[0], t[2], t[3], t[4], t[5], t[6], t[7]
    );
}
fn hand(
    layout: &Layout,
    servers: &BTreeSet<String>,
    world: &World,
    own: &BTreeMap<(String, String), Value>,
) -> Hand {
    let mut hand = Hand::new(layout);
    for s in servers {
        for d in world.defs.get(s).into_iter().flatten() {
            hand.add(s, d);
        }
    }
    for ((s, _), d) in own {
        hand.add(s, d);
    }
    hand
}
fn book(text: &str, hand: &Hand) -> Result<Rulebook, String> {
    let reading = english::read(text, hand, 2026).map_err(|e| e.to_string())?;
    let written = write(&reading.meanings, text, "r").map_err(|e| e.to_string())?;
    Rulebook::new(vec![Stated { sentence: text.to_owned(), written }]).map_err(|e| format!("DATALOG {e}"))
}
fn show(text: &str, hand: &Hand) {
    for l in english::shown(text, hand, 2026) {
        println!("      # {l}");
    }
    if let Ok(r) = english::read(text, hand, 2026) {
        match write(&r.meanings, "", "r") {
            Ok(w) => println!("      {}", w.text.replace('\n', "\n      ")),
            Err(e) => println!("      {e}"),
        }
    }
}
fn traces(path: &str, world: &World, t: &mut [usize; 8], verbose: bool, only: Option<&str>) {
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let v: Value = serde_json::from_str(line).unwrap();
        let sentences: Vec<String> = v["session"]["invariants"]
            .as_array()
            .map(|a| a.iter().map(|x| x.as_str().unwrap().to_owned()).collect())
            .unwrap_or_default();
        if sentences.is_empty() {
            continue;
        }
        let layout = layout(&v["session"]);
        let mut own = BTreeMap::new();
        let mut servers = BTreeSet::new();
        for s in v["steps"].as_array().unwrap() {
            servers.insert(s["tool"].as_str().unwrap().split_once('.').unwrap().0.to_owned());
        }
        if let Some(tools) = v.get("tools").and_then(Value::as_array) {
            for d in tools {
                let s = servers.iter().next().unwrap().clone();
                own.insert((s, d["name"].as_str().unwrap().to_owned()), d.clone());
            }
        }
        let hand = hand(&layout, &servers, world, &own);
        for text in &sentences {
            if only.is_some_and(|o| !text.contains(o)) {
                continue;
            }
            t[0] += 1;
            let b = match book(text, &hand) {
                Ok(b) => {
                    t[1] += 1;
                    Some(b)
                }
                Err(e) => {
                    println!("  UNREAD {text:?}: {e}");
                    if verbose {
                        show(text, &hand);
                    }
                    None
                }
            };
            let mut bad = false;
            let empty = Rulebook::new(Vec::new()).unwrap();
            let bk = b.as_ref().unwrap_or(&empty);
            let mut run = Run {
                world,
                ground: layout.clone().ground().unwrap(),
                own: own.clone(),
                memory: Memory::default(),
                trails: Trails::default(),
                history: BTreeMap::new(),
                step: 1,
            };
            run.trails.add(bk.sources());
            for s in v["steps"].as_array().unwrap() {
                let deny = s["expect"] == "Deny";
                let mine = s.get("violates").and_then(Value::as_str) == Some(text);
                let (breaches, facts) = run.call(
                    bk,
                    s["tool"].as_str().unwrap(),
                    &s["args"],
                    v["session"].get("now").and_then(Value::as_str),
                    !deny,
                );
                let fired = !breaches.is_empty();
                if mine {
                    t[3] += 1;
                    if fired {
                        t[2] += 1;
                    } else {
                        bad = true;
                        println!("  MISSED {text:?} {} {}", s["tool"], s["args"]);
                        if verbose {
                            println!("      did {:?}", facts.did());
                        }
                    }
                } else {
                    t[5] += 1;
                    if !fired {
                        t[4] += 1;
                    } else if !deny {
                        bad = true;
                        println!(
                            "  WRONG {text:?} {} {} because {:?}",
                            s["tool"], s["args"], breaches[0].because
                        );
                    } else {
                        t[4] += 1;
                    }
                }
            }
            if (bad || only.is_some()) && verbose && b.is_some() {
                show(text, &hand);
            }
        }
    }
}
fn corpus(path: &str, world: &World, t: &mut [usize; 8], verbose: bool, only: Option<&str>) {
    let v: Value =
        serde_json::to_value(toml::from_str::<toml::Value>(&std::fs::read_to_string(path).unwrap()).unwrap())
            .unwrap();
    let default = v["defaults"]["session"].clone();
    let mut own = BTreeMap::new();
    for (s, list) in v.get("tools").and_then(Value::as_object).into_iter().flatten() {
        for d in list.as_array().unwrap() {
            let d: Value = serde_json::from_str(d.as_str().unwrap()).unwrap();
            own.insert((s.clone(), d["name"].as_str().unwrap().to_owned()), d);
        }
    }
    for c in v["sentence"].as_array().unwrap() {
        let text = c["text"].as_str().unwrap();
        if only.is_some_and(|o| !text.contains(o)) {
            continue;
        }
        let layout = layout(c.get("session").unwrap_or(&default));
        let mut servers = BTreeSet::new();
        let calls = |k: &str| c.get(k).and_then(Value::as_array).cloned().unwrap_or_default();
        for call in calls("fires").iter().chain(&calls("quiet")).chain(&calls("before")) {
            servers.insert(call["tool"].as_str().unwrap().split_once('.').unwrap().0.to_owned());
            for b in call.get("before").and_then(Value::as_array).into_iter().flatten() {
                servers.insert(b["tool"].as_str().unwrap().split_once('.').unwrap().0.to_owned());
            }
        }
        let own: BTreeMap<_, _> = own
            .iter()
            .filter(|((s, _), _)| servers.contains(s))
            .map(|(k, d)| (k.clone(), d.clone()))
            .collect();
        let hand = hand(&layout, &servers, world, &own);
        let b = book(text, &hand);
        if c["verdict"] == "refuse" {
            t[7] += 1;
            if b.is_err() {
                t[6] += 1;
            } else {
                println!("  ACCEPTED {text:?}");
                if verbose {
                    show(text, &hand);
                }
            }
            continue;
        }
        t[0] += 1;
        let b = match b {
            Ok(b) => {
                t[1] += 1;
                b
            }
            Err(e) => {
                println!("  UNREAD {text:?}: {e}");
                if verbose {
                    show(text, &hand);
                }
                t[3] += calls("fires").len();
                t[5] += calls("quiet").len();
                t[4] += calls("quiet").len();
                continue;
            }
        };
        let want = if c["verdict"] == "ask" { Verdict::Ask } else { Verdict::Deny };
        let mut bad = false;
        for (key, must) in [("fires", true), ("quiet", false)] {
            for call in calls(key) {
                let mut run = Run {
                    world,
                    ground: layout.clone().ground().unwrap(),
                    own: own.clone(),
                    memory: Memory::default(),
                    trails: Trails::default(),
                    history: BTreeMap::new(),
                    step: 1,
                };
                run.trails.add(b.sources());
                let now = call.get("now").or(c.get("now")).and_then(Value::as_str).map(str::to_owned);
                for before in calls("before")
                    .iter()
                    .chain(call.get("before").and_then(Value::as_array).into_iter().flatten())
                {
                    run.call(&b, before["tool"].as_str().unwrap(), &before["args"], now.as_deref(), true);
                }
                let (breaches, facts) =
                    run.call(&b, call["tool"].as_str().unwrap(), &call["args"], now.as_deref(), true);
                let fired = breaches.iter().any(|x| x.verdict == want);
                if must {
                    t[3] += 1;
                    if fired {
                        t[2] += 1
                    } else {
                        bad = true;
                        println!("  MISSED {text:?} {} {}", call["tool"], call["args"]);
                        if verbose {
                            println!("      did {:?} now {now:?}", facts.did());
                        }
                    }
                } else {
                    t[5] += 1;
                    if breaches.is_empty() {
                        t[4] += 1
                    } else {
                        bad = true;
                        println!(
                            "  WRONG {text:?} {} {} because {:?}",
                            call["tool"], call["args"], breaches[0].because
                        );
                    }
                }
            }
        }
        if (bad || only.is_some()) && verbose {
            show(text, &hand);
        }
    }
}
