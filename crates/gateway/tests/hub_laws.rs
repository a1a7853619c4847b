//! What holds for every hub, whatever its servers list and in whatever order everybody speaks.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/ground.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{Hub, HubAct};
use proptest::prelude::*;
use serde_json::{Value, json};

use support::Ground;

thread_local! {
    /// Nothing is decided in these tests but by asking, so that all cases of one can share a session.
    static GROUND: Ground = Ground::new();
}

fn hub(names: &[String]) -> Hub {
    GROUND.with(|ground| ground.hub(names).unwrap())
}

fn now() -> Timestamp {
    "2026-11-15T10:00:00Z".parse().unwrap()
}

/// What the host gets, and what servers get, of one step.
#[derive(Default)]
struct Heard {
    host: Vec<String>,
    servers: Vec<(usize, Value)>,
}

fn heard(acts: Vec<HubAct>) -> Heard {
    let mut heard = Heard::default();
    for act in acts {
        match act {
            HubAct::ToHost(bytes) => heard.host.push(String::from_utf8(bytes).unwrap()),
            HubAct::ToServer(server, bytes) | HubAct::Call(server, _, bytes) => {
                heard.servers.push((server, serde_json::from_slice(&bytes).unwrap()));
            }
            HubAct::Note(_) => {}
        }
    }
    heard
}

/// Asks all servers for something and lets each answer with these results, as JSON. The host's answer.
fn gathered(hub: &mut Hub, method: &str, params: &Value, results: &[String]) -> String {
    let ask = json!({"jsonrpc": "2.0", "id": "gather", "method": method, "params": params});
    let asked = heard(hub.from_host(ask.to_string().into_bytes(), now())).servers;
    assert_eq!(asked.len(), results.len());
    let mut answers = Vec::new();
    for ((server, request), result) in asked.into_iter().zip(results) {
        let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}", request["id"]);
        answers.extend(heard(hub.from_server(server, answer.into_bytes(), now())).host);
    }
    assert_eq!(answers.len(), 1);
    answers.pop().unwrap()
}

/// A hub whose servers have everything.
fn met(names: &[String]) -> Hub {
    let mut hub = hub(names);
    let capabilities =
        json!({"tools": {}, "prompts": {}, "resources": {}, "completions": {}, "logging": {}, "tasks": {}});
    let result = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
        "serverInfo": {"name": "s", "version": "1"}});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "1"}});
    gathered(&mut hub, "initialize", &hello, &vec![result.to_string(); names.len()]);
    hub
}

/// The names that a host sees of these, in the order of servers.
fn shown(hub: &mut Hub, method: &str, member: &str, key: &str, listed: &[Vec<String>]) -> Vec<String> {
    let result = |names: &Vec<String>| {
        let items: Vec<Value> =
            names.iter().map(|name| json!({key: name, "inputSchema": {"type": "object"}})).collect();
        json!({member: items}).to_string()
    };
    let results: Vec<String> = listed.iter().map(result).collect();
    let answer: Value = serde_json::from_str(&gathered(hub, method, &json!({}), &results)).unwrap();
    let items = answer["result"][member].as_array().unwrap();
    items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

fn shown_prompts(hub: &mut Hub, listed: &[Vec<String>]) -> Vec<String> {
    shown(hub, "prompts/list", "prompts", "name", listed)
}

/// Names of servers that a hub takes: each ends in a number of its own.
fn servers() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-zA-Z_ .ä-]{0,20}", 1..4)
        .prop_map(|names| names.iter().enumerate().map(|(place, name)| format!("{name}{place}")).collect())
}

/// Names of tools as friends and foes have them.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,8}(_[a-z]{1,8}){0,2}",
        3 => "[ab_.]{0,4}",
        2 => ".{0,12}",
        2 => "[a-z_]{55,70}",
        1 => "[a-c]{0,2}_x[0-9a-f]{12}",
        1 => "[0-2]__[ab]{0,2}",
        1 => "a{40,50}[äö]{0,3}_x[0-9a-f]{11,13}",
    ]
}

/// What each of some servers lists: nothing twice, as a relay sees to.
fn listed() -> impl Strategy<Value = (Vec<String>, Vec<Vec<String>>)> {
    servers().prop_flat_map(|servers| {
        let count = servers.len();
        let names = prop::collection::btree_set(name(), 0..8).prop_map(|names| names.into_iter().collect());
        (Just(servers), prop::collection::vec(names, count))
    })
}

/// Every name, as it is and as it was shown: what a server lists that has seen all.
fn echoed(listed: &[Vec<String>], shown: &[String]) -> Vec<Vec<String>> {
    let behind = |name: &String| name.split_once("__").map(|(_, rest)| rest.to_owned());
    let seen: BTreeSet<String> = shown.iter().cloned().chain(shown.iter().filter_map(behind)).collect();
    let all = |names: &Vec<String>| names.iter().cloned().chain(seen.clone()).collect::<BTreeSet<_>>();
    listed.iter().map(|names| all(names).into_iter().collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_are_injective_whatever_servers_list((servers, listed) in listed()) {
        let mut hub = met(&servers);
        let names = shown_prompts(&mut hub, &listed);
        let echoed = echoed(&listed, &names);
        for listed in [listed, echoed] {
            let names = shown_prompts(&mut hub, &listed);
            prop_assert_eq!(names.len(), listed.iter().map(Vec::len).sum::<usize>());
            prop_assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        }
    }

    #[test]
    fn every_shown_name_maps_back_to_its_server_and_name((servers, listed) in listed()) {
        let mut hub = met(&servers);
        let names = shown_prompts(&mut hub, &listed);
        let listed = echoed(&listed, &names);
        let names = shown_prompts(&mut hub, &listed);
        let meant = listed.iter().enumerate().flat_map(|(server, names)| names.iter().map(move |name| (server, name)));
        for (place, (shown, (server, name))) in names.iter().zip(meant).enumerate() {
            let ask = json!({"jsonrpc": "2.0", "id": place, "method": "completion/complete", "params":
                {"ref": {"type": "ref/prompt", "name": shown}, "argument": {"name": "a", "value": ""}}});
            let heard = heard(hub.from_host(ask.to_string().into_bytes(), now()));
            prop_assert_eq!(heard.servers.len(), 1, "{} {:?}", shown, heard.host);
            prop_assert_eq!(heard.servers[0].0, server);
            prop_assert_eq!(heard.servers[0].1["params"]["ref"]["name"].as_str(), Some(name.as_str()));
        }
    }

    #[test]
    fn a_name_depends_on_nothing_but_its_server_and_itself((servers, listed) in listed()) {
        let together = shown_prompts(&mut met(&servers), &listed);
        let (mut reversed, mut listed_reversed) = (servers.clone(), listed.clone());
        reversed.reverse();
        listed_reversed.reverse();
        let backwards = shown_prompts(&mut met(&reversed), &listed_reversed);
        let (one, other): (BTreeSet<_>, BTreeSet<_>) = (together.iter().collect(), backwards.iter().collect());
        prop_assert_eq!(one, other);
        let mut alone = Vec::new();
        for (server, names) in servers.iter().zip(&listed) {
            for name in names {
                let mut hub = met(std::slice::from_ref(server));
                alone.extend(shown_prompts(&mut hub, &[vec![name.clone()]]));
            }
        }
        prop_assert_eq!(together, alone);
    }

    #[test]
    fn names_are_valid_and_at_most_64((servers, listed) in listed()) {
        let mut hub = met(&servers);
        for name in shown(&mut hub, "tools/list", "tools", "name", &listed) {
            prop_assert!(name.len() <= 64, "{}", name);
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{}", name);
        }
    }

    #[test]
    fn a_definition_changes_only_in_its_name(
        name in name(), before in members(), after in members(), space in "[ \t]{0,2}", server in "s[0-9]{17}"
    ) {
        let definition = |name: &str| {
            let before: String = before.iter().map(|member| format!("{member}{space},")).collect();
            let after: String = after.iter().map(|member| format!(",{space}{}", member.replacen('"', "\"z", 1))).collect();
            format!("{{{space}{before}\"name\"{space}:{}{space}{after}}}", Value::from(name))
        };
        // A server of its own, whose tools nobody has seen.
        let servers = [server];
        let shown = shown_prompts(&mut met(&servers), &[vec![name.clone()]]).pop().unwrap();
        for (method, member) in [("tools/list", "tools"), ("prompts/list", "prompts")] {
            let mut hub = met(&servers);
            let result = format!("{{\"{member}\":[{}]}}", definition(&name));
            let answer = gathered(&mut hub, method, &json!({}), &[result]);
            let expected = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"gather\",\"result\":{{\"{member}\":[{}]}}}}", definition(&shown));
            // What nobody can read, or what has a name of odd letters, is held back by the relay: see the scenarios of tools.
            let is_held_back = answer.contains("Portcullis holds this tool back") || answer.contains("\"tools\":[]");
            if !is_held_back {
                prop_assert_eq!(answer, expected);
            }
            let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase()) && !name.is_empty();
            prop_assert!(!is_held_back || !is_plain || definition(&name).contains("1234567890"));
        }
    }

    #[test]
    fn every_shown_address_leads_back_to_its_server_and_address(
        (servers, listed) in (2_usize..4).prop_flat_map(|count| {
            let uris = prop::collection::btree_set(uri(), 0..6).prop_map(|uris| uris.into_iter().collect());
            let servers = (0..count).map(|place| format!("s{place}")).collect::<Vec<_>>();
            (Just(servers), prop::collection::vec(uris, count))
        })
    ) {
        let mut hub = met(&servers);
        let listed: Vec<Vec<String>> = listed;
        let uris = shown(&mut hub, "resources/list", "resources", "uri", &listed);
        prop_assert_eq!(uris.iter().collect::<BTreeSet<_>>().len(), uris.len());
        let meant = listed.iter().enumerate().flat_map(|(server, uris)| uris.iter().map(move |uri| (server, uri)));
        for (place, (shown, (server, uri))) in uris.iter().zip(meant).enumerate() {
            let ask = json!({"jsonrpc": "2.0", "id": place, "method": "resources/unsubscribe", "params": {"uri": shown}});
            let heard = heard(hub.from_host(ask.to_string().into_bytes(), now()));
            prop_assert_eq!(heard.servers.len(), 1, "{}", shown);
            prop_assert_eq!(heard.servers[0].0, server);
            prop_assert_eq!(heard.servers[0].1["params"]["uri"].as_str(), Some(uri.as_str()));
        }
    }

    #[test]
    fn every_request_is_answered_exactly_once_and_a_cancelled_one_never(steps in prop::collection::vec(step(), 0..60)) {
        let mut talk = Talk::new();
        for step in &steps {
            talk.step(step);
        }
        talk.end();
        for (id, answers) in &talk.answers {
            let expected = usize::from(!talk.cancelled.contains(id));
            prop_assert_eq!(*answers, expected, "request {} after {:?}", id, steps);
        }
        prop_assert!(talk.hub.flush(talk.now).is_empty());
        prop_assert!(!talk.hub.is_waiting());
    }

    #[test]
    fn whatever_is_said_everybody_hears_messages_of_one_line(said in prop::collection::vec((0_usize..5, said()), 0..40)) {
        let mut hub = hub(&["a", "b"].map(str::to_owned));
        let mut shown_ids = BTreeSet::new();
        for (who, bytes) in said {
            let acts = match who {
                0..=2 => hub.from_host(bytes.into_bytes(), now()),
                _ => hub.from_server(who - 3, bytes.into_bytes(), now()),
            };
            for act in acts {
                let (bytes, is_for_host) = match act {
                    HubAct::ToHost(bytes) => (bytes, true),
                    HubAct::ToServer(_, bytes) | HubAct::Call(_, _, bytes) => (bytes, false),
                    HubAct::Note(_) => continue,
                };
                let text = String::from_utf8(bytes).unwrap();
                prop_assert!(!text.contains(['\n', '\r']), "{}", text);
                let message: Value = serde_json::from_str(&text).unwrap();
                prop_assert!(message.is_array() || message["jsonrpc"] == "2.0", "{}", text);
                // No two requests that the host gets have the same id.
                if let (true, Some(_), Some(id)) = (is_for_host, message.get("method"), message.get("id")) {
                    prop_assert!(shown_ids.insert(id.to_string()), "{}", text);
                }
            }
        }
    }
}

/// Something that may be a message.
fn said() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        Just("1".to_owned()),
        Just("1.0".to_owned()),
        Just("\"x\"".to_owned()),
        Just("null".to_owned()),
        (1_u8..12).prop_map(|number| format!("\"hub-0000000000000009-{number}\"")),
        (1_u8..4).prop_map(|number| format!("\"portcullis-0000000000000007-{number}\"")),
    ];
    let method = prop::sample::select(portcullis_wire::mcp::Method::KNOWN);
    let value = prop::sample::select(vec![
        "{}",
        "[]",
        "null",
        "{\n}",
        "{\"name\":\"a__x\"}",
        "{\"uri\":\"x://y\"}",
        "{\"uri\":\"portcullis+a:x\"}",
        "{\"tools\":[{\"name\":\"x\",\"inputSchema\":{}}],\"nextCursor\":\"c\"}",
        "{\"taskId\":\"t\"}",
        "{\"task\":{\"taskId\":\"t\"}}",
        "{\"resources\":[{\"uri\":\"x://y\"},{\"uri\":1}]}",
        "{\"requestId\":1,\"progressToken\":1,\"logger\":\"l\",\"uri\":\"x\"}",
        "{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"portcullis+b:x\"]}}",
        "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"hub-0000000000000009-1\",\"progressToken\":1}}",
        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\"},\"serverInfo\":{\"name\":\"s\"}}",
        "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"b__x\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
    ]);
    let message = (id, method, value, 0_u8..6).prop_map(|(id, method, value, form)| {
        let method = method.name().unwrap_or_default();
        match form {
            0 | 1 => {
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{value}}}")
            }
            2 => format!("{{\"jsonrpc\":\"2.0\",\r\n\"method\":\"{method}\",\"params\":{value}}}"),
            3 | 4 => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{value}}}"),
            _ => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-1,\"message\":\"no\"}}}}"),
        }
    });
    let batch =
        prop::collection::vec(message.clone(), 0..3).prop_map(|messages| format!("[{}]", messages.join(",")));
    prop_oneof![12 => message, 2 => batch, 1 => ".{0,20}"]
}

#[test]
fn no_server_asks_without_end_and_none_keeps_another_from_asking() {
    let mut hub = met(&["a", "b"].map(str::to_owned));
    let ask = |hub: &mut Hub, server: usize, id: usize| {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"});
        heard(hub.from_server(server, message.to_string().into_bytes(), now()))
    };
    for id in 0..256 {
        assert_eq!(ask(&mut hub, 0, id).host.len(), 1);
    }
    let refused = ask(&mut hub, 0, 256);
    assert!(refused.host.is_empty());
    assert_eq!(refused.servers[0].1["error"]["message"], "too many requests of this server are open");
    assert_eq!(ask(&mut hub, 1, 0).host.len(), 1);
}

#[test]
fn a_host_has_to_wait_for_answers_at_some_time() {
    let mut hub = met(&["a", "b"].map(str::to_owned));
    let ask = |hub: &mut Hub, id: usize, method: &str| {
        let params = json!({"uri": "portcullis+a:x://y"});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        heard(hub.from_host(message.to_string().into_bytes(), now()))
    };
    for id in 0..64 {
        assert!(ask(&mut hub, id, "tools/list").host.is_empty());
    }
    assert!(ask(&mut hub, 64, "tools/list").host[0].contains("too many requests to all servers are open"));
    for id in 64..1024 {
        assert!(ask(&mut hub, id, "resources/unsubscribe").host.is_empty());
    }
    assert!(ask(&mut hub, 1024, "resources/unsubscribe").host[0].contains("too many requests are open"));
}

fn uri() -> impl Strategy<Value = String> {
    prop_oneof![
        "x://[ab]{0,2}",
        "(portcullis\\+|PortCullis\\+)[sS]?[0-3]?:?[ab]{0,1}",
        "x:\\{[ab]\\}",
        ".{0,8}"
    ]
}

/// Members of a definition, each with a key of its own, written in odd ways.
fn members() -> impl Strategy<Value = Vec<String>> {
    let values = prop_oneof![
        Just("1.0"),
        Just("-0"),
        Just("1e2"),
        Just("\"\\u0041\""),
        Just("{ \"name\":\"inner\" }"),
        Just("[ ]"),
        Just("null"),
        Just("123456789012345678901234567890")
    ];
    prop::collection::vec(values, 0..4).prop_map(|values| {
        values.iter().enumerate().map(|(place, value)| format!("\"k{place}\": {value}")).collect()
    })
}

/// Something that happens. Numbers choose among what is there.
#[derive(Clone, Debug)]
enum Happens {
    /// The host asks for one of these.
    Asks(usize),
    /// A server answers one of the requests that it has.
    Answers(usize, usize, usize),
    /// A server answers a request that another one has, or nobody.
    Forges(usize, usize),
    /// A server asks the host something.
    Wants(usize),
    /// The host answers one of the requests that it has.
    Replies(usize),
    /// So many seconds pass.
    Waits(i64),
    /// A server ends.
    Ends(usize),
    /// It is started again.
    Restarts(usize),
    /// The host does not want an answer any more.
    Cancels(usize),
}

fn step() -> impl Strategy<Value = Happens> {
    let some = 0_usize..64;
    prop_oneof![
        8 => some.clone().prop_map(Happens::Asks),
        12 => (0..3_usize, some.clone(), 0..6_usize).prop_map(|(server, which, how)| Happens::Answers(server, which, how)),
        2 => (0..3_usize, some.clone()).prop_map(|(server, which)| Happens::Forges(server, which)),
        2 => (0..3_usize).prop_map(Happens::Wants),
        3 => some.prop_map(Happens::Replies),
        2 => (0_i64..15).prop_map(Happens::Waits),
        1 => (0..3_usize).prop_map(Happens::Ends),
        1 => (0..3_usize).prop_map(Happens::Restarts),
        1 => (0..60_usize).prop_map(Happens::Cancels),
    ]
}

/// A host and three servers that say all sorts of things.
struct Talk {
    hub: Hub,
    now: Timestamp,
    /// How often each request of the host was answered.
    answers: BTreeMap<i64, usize>,
    /// Those that the host took back before they were answered.
    cancelled: BTreeSet<i64>,
    /// Ids of requests that servers have.
    with_servers: Vec<Vec<Value>>,
    /// Ids of requests that the host has.
    with_host: Vec<Value>,
}

impl Talk {
    fn new() -> Talk {
        let names = ["a", "b", "c"].map(str::to_owned);
        Talk {
            hub: met(&names),
            now: now(),
            answers: BTreeMap::new(),
            cancelled: BTreeSet::new(),
            with_servers: vec![Vec::new(); 3],
            with_host: Vec::new(),
        }
    }

    fn take(&mut self, acts: Vec<HubAct>) {
        let heard = heard(acts);
        for (server, message) in heard.servers {
            if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
                self.with_servers[server].push(id.clone());
            }
        }
        for message in heard.host {
            let message: Value = serde_json::from_str(&message).unwrap();
            match (message.get("method"), message.get("id")) {
                (Some(_), Some(id)) => self.with_host.push(id.clone()),
                (None, Some(id)) => *self.answers.get_mut(&id.as_i64().unwrap()).unwrap() += 1,
                (_, None) => {}
            }
        }
    }

    fn step(&mut self, step: &Happens) {
        let acts = match step {
            Happens::Asks(which) => {
                let id = i64::try_from(self.answers.len()).unwrap();
                self.answers.insert(id, 0);
                let message = asked(id, *which).to_string();
                self.hub.from_host(message.into_bytes(), self.now)
            }
            Happens::Answers(server, which, how) => {
                let waiting = self.with_servers[*server].len();
                if waiting == 0 {
                    return;
                }
                let id = self.with_servers[*server][which % waiting].clone();
                self.hub.from_server(*server, answered(&id, *how).to_string().into_bytes(), self.now)
            }
            Happens::Forges(server, which) => {
                let all: Vec<Value> =
                    self.with_servers.iter().flatten().cloned().chain([json!(which)]).collect();
                let answer = answered(&all[which % all.len()], which % 6);
                self.hub.from_server(*server, answer.to_string().into_bytes(), self.now)
            }
            Happens::Wants(server) => {
                let message = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
                self.hub.from_server(*server, message.to_string().into_bytes(), self.now)
            }
            Happens::Replies(which) => {
                if self.with_host.is_empty() {
                    return;
                }
                let id = self.with_host[which % self.with_host.len()].clone();
                let choice = ["once", "refuse", "nonsense"][which % 3];
                let message = json!({"jsonrpc": "2.0", "id": id,
                    "result": {"action": "accept", "content": {"answer": choice}}});
                self.hub.from_host(message.to_string().into_bytes(), self.now)
            }
            Happens::Waits(seconds) => {
                self.now = self.now.checked_add(SignedDuration::from_secs(*seconds)).unwrap();
                self.hub.tick(self.now)
            }
            Happens::Ends(server) => self.hub.server_ended(*server, self.now),
            Happens::Restarts(server) => self.hub.server_restarted(*server, self.now),
            Happens::Cancels(which) => {
                let id = i64::try_from(*which).unwrap();
                if self.answers.get(&id) == Some(&0) {
                    self.cancelled.insert(id);
                }
                let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
                self.hub.from_host(message.to_string().into_bytes(), self.now)
            }
        };
        self.take(acts);
    }

    /// All servers end, so that nobody has anything to wait for.
    fn end(&mut self) {
        for server in 0..3 {
            self.step(&Happens::Ends(server));
        }
    }
}

fn asked(id: i64, which: usize) -> Value {
    let server = ["a", "b", "c", "nobody"][which % 4];
    let name = format!("{server}__read_text_file");
    let (method, params) = match which / 4 {
        0 | 1 => ("tools/list", json!({})),
        2 | 3 => ("tools/call", json!({"name": name, "arguments": {"path": "a.txt"}})),
        4 => ("tools/call", json!({"name": name, "arguments": {"path": "a.txt"}, "task": {}})),
        5 => ("resources/list", json!({})),
        6 => ("resources/read", json!({"uri": format!("portcullis+{server}:x://y")})),
        7 => ("resources/unsubscribe", json!({"uri": "x://y"})),
        8 => ("prompts/get", json!({"name": name})),
        9 => ("tasks/get", json!({"taskId": "t"})),
        10 => ("tasks/list", json!({})),
        11 => ("logging/setLevel", json!({"level": "info"})),
        12 => (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": name},
            "argument": {"name": "a", "value": ""}}),
        ),
        13 => ("ping", json!({})),
        14 => ("vendor/x", json!({})),
        15 if which.is_multiple_of(2) => {
            ("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
        }
        _ => ("prompts/list", json!({})),
    };
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn answered(id: &Value, how: usize) -> Value {
    let tool = json!({"name": "read_text_file", "inputSchema": {"type": "object",
        "properties": {"path": {"type": "string"}}}});
    let result = match how {
        0 => return json!({"jsonrpc": "2.0", "id": id, "error": {"code": -1, "message": "no"}}),
        1 => {
            json!({"tools": [tool], "prompts": [], "resources": [{"uri": "x://y", "name": "y"}], "tasks": []})
        }
        2 => {
            json!({"tools": [], "prompts": [], "resources": [], "tasks": [{"taskId": "t"}], "nextCursor": "more"})
        }
        3 => json!({"content": [{"type": "resource_link", "uri": "x://y"}], "contents": [], "messages": []}),
        4 => json!({"task": {"taskId": "t", "status": "working"}}),
        _ => json!({}),
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}
