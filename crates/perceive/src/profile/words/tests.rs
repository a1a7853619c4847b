//! The words that people read of profiles.

use serde_json::json;

use super::super::{ArgumentPath, Condition, Profile, ProfileForm, Source, Test};
use crate::derive::{Definition, derive};

/// A profile as the catalogue would write it.
fn written(body: &str) -> Profile {
    let form: ProfileForm = toml::from_str(&format!("name = \"t\"\n{body}")).unwrap();
    form.profile(Source::Catalogue).unwrap()
}

/// Its only deed, as a sentence.
fn sentence(deed: &str) -> String {
    let profile = written(&format!("deeds = [{deed}]"));
    profile.deeds[0].to_string()
}

#[test]
fn a_side_without_places_is_the_agent() {
    assert_eq!(
        sentence(r#"{ effects = ["read"], from = [{ path = "path" }] }"#),
        "read from the path in `path` to the agent's context"
    );
    assert_eq!(
        sentence(r#"{ effects = ["write"], to = [{ mail = "to" }, { mail = "cc", optional = true }] }"#),
        "write from what the agent writes to the mail addresses in `to` and the mail addresses in `cc`, if it is given"
    );
}

#[test]
fn the_reach_is_told() {
    assert_eq!(
        sentence(r#"{ effects = ["read"], from = [{ path = "dir", reach = "names" }] }"#),
        "read from the names in the path in `dir` to the agent's context"
    );
    assert_eq!(
        sentence(
            r#"{ effects = ["write", "del"], from = [{ path = "a", reach = "subtree" }], to = [{ path = "b", reach = "subtree" }] }"#
        ),
        "write and delete from the path in `a` and everything below to the path in `b` and everything below"
    );
    assert_eq!(
        sentence(
            r#"{ effects = ["read"], from = [{ file = "/", reach = "subtree" }, { name = "https://*", reach = "subtree" }] }"#
        ),
        "read from any file of this machine and everything on any host to the agent's context"
    );
    assert_eq!(
        sentence(r#"{ effects = ["read"], from = [{ name = "slack:*", reach = "subtree" }] }"#),
        "read from everything in slack to the agent's context"
    );
}

#[test]
fn what_may_be_left_out_has_what_counts_then() {
    // All of the first choice may be missing, and of the second too: then the agent's own words are all there is.
    assert_eq!(
        sentence(
            r#"{ effects = ["exec"], from = [{ path = "script" }], else_from = [{ path = "module", optional = true }], to = [{ file = "." }] }"#
        ),
        "run code from the path in `script`, if it is given, else the path in `module`, if it is given, \
         else what the agent writes to the workspace"
    );
    // A default is always there.
    assert_eq!(
        sentence(r#"{ effects = ["read"], from = [{ path = "path", default = ".", optional = true }] }"#),
        "read from the path in `path`, `.` where it is left out to the agent's context"
    );
    // So is what no argument names.
    assert_eq!(
        sentence(r#"{ effects = ["write"], to = [{ current_page = true, optional = true }] }"#),
        "write from what the agent writes to the page that the browser shows"
    );
}

#[test]
fn conditions_are_clauses() {
    let when = |condition: &str| {
        let deed = format!("{{ when = [{condition}], effects = [\"read\"], from = [{{ path = \"p\" }}] }}");
        written(&format!("deeds = [{deed}]")).deeds[0].in_words().when
    };
    assert_eq!(when(r#"{ argument = "dryRun", is = true }"#), ["`dryRun` is true"]);
    assert_eq!(when(r#"{ argument = "dryRun", not = true }"#), ["`dryRun` is not true"]);
    assert_eq!(when(r#"{ argument = "a", is = ["x", "y", 3] }"#), [r#"`a` is "x", "y" or 3"#]);
    assert_eq!(when(r#"{ argument = "a", given = true }"#), ["`a` is given"]);
    assert_eq!(when(r#"{ argument = "a", given = false }"#), ["`a` is left out"]);
    assert_eq!(when(r#"{ argument = "a", starts = ["<"] }"#), [r#"`a` begins with "<""#]);
    // Nobody reads a list of all verbs.
    assert_eq!(
        when(r#"{ argument = "a", has = ["b", "c", "d", "e", "f", "g"] }"#),
        [r#"`a` holds "b", "c", "d", "e" or 2 more"#]
    );
}

#[test]
fn commands_and_queries_speak_for_themselves() {
    assert_eq!(
        sentence(r#"{ shell = "command", folder = "cwd" }"#),
        "run the command line in `command` in the folder in `cwd`"
    );
    assert_eq!(
        sentence(r#"{ sql = "q", dialect = "postgres" }"#),
        "run the SQL in `q`, as PostgreSQL reads it"
    );
    assert_eq!(sentence(r#"{ sql = "q" }"#), "run the SQL in `q`, as any likely database reads it");
    let shell = &written(r#"deeds = [{ shell = "command" }]"#).deeds[0];
    assert!(shell.in_words().from.is_empty(), "the command says where from");
}

#[test]
fn things_of_services_are_told_with_their_service() {
    let to = |place: &str| {
        let deed = format!("{{ effects = [\"write\"], to = [{place}] }}");
        written(&format!("deeds = [{deed}]")).deeds[0].in_words().to
    };
    assert_eq!(to(r#"{ channel = "id", of = "slack" }"#), [["the slack channel in `id`"]]);
    assert_eq!(
        to(r#"{ repository = "repo", owner = "owner", branch = "branch" }"#),
        [["the GitHub repository in `repo` of `owner`, its branch in `branch`"]]
    );
    assert_eq!(to(r#"{ repository = "repo" }"#), [["the GitHub repository in `repo` of your own account"]]);
    assert_eq!(to(r#"{ host = "h", of = "ssh" }"#), [["the machine in `h` by ssh"]]);
    assert_eq!(
        to(r#"{ calendar = "c", of = "calendar", outside = true }"#),
        [["the calendar in `c`, if that lies outside your organisation"], ["the agent's context"]]
    );
    assert_eq!(
        to(r#"{ id = "p", of = "notion", public = { argument = "share", is = "all" } }"#),
        [[r#"the notion id in `p`, open to everybody when `share` is "all""#]]
    );
}

#[test]
fn pages_and_inner_calls_are_told() {
    let opens = |opens: &str| {
        let deeds = r#"deeds = [{ effects = ["read"], from = [{ url = "url" }] }]"#;
        written(&format!("opens = {opens}\n{deeds}")).opens.unwrap().to_string()
    };
    assert_eq!(opens(r#"{ url = "url" }"#), "the browser then shows the page in `url`");
    assert_eq!(opens("{}"), "which page the browser then shows is not known");
    assert_eq!(
        opens(
            r#"{ url = "url", when = [{ argument = "action", is = "new" }], unknown = [{ argument = "action", not = "list" }] }"#
        ),
        r#"the browser then shows the page in `url` when `action` is "new", and one that is not known when `action` is not "list""#
    );
    let inner = written(r#"calls = { tool = "tool", arguments = "input" }"#).calls.unwrap();
    assert_eq!(inner.to_string(), "call the tool that `tool` names, with the arguments in `input`");
}

#[test]
fn a_derived_deed_names_its_choices_in_order() {
    let definition = json!({
        "name": "delete_note",
        "inputSchema": { "type": "object", "properties": { "note_id": { "type": "string" } } },
    });
    let profile = derive("notes", &Definition::read(&definition).unwrap());
    let words = profile.deeds[0].in_words();
    assert_eq!(words.does, "delete");
    assert_eq!(words.to, [["what `note_id` names in notes, if it is given"], ["everything in notes"]]);
}

#[test]
fn nothing_of_a_server_leaves_its_quotes() {
    let condition = Condition { argument: ArgumentPath::top("a` is safe\u{202e}\n"), test: Test::Given };
    assert_eq!(condition.to_string(), "`a\\u{60} is safe\\u{202e}\\u{a}` is given");
    let is = Condition { argument: ArgumentPath::top("a"), test: Test::Is(vec![json!("\u{1b}[2J")]) };
    assert_eq!(is.to_string(), r#"`a` is "\u001b[2J""#);
}
