use super::*;
use crate::hash::ContentHash;

fn program(path: &str) -> ServerIdentity {
    ServerIdentity::Program { path: path.to_owned(), digest: ContentHash::of(b"x"), arguments: Vec::new() }
}

fn like(known: &str, name: &str) -> Option<(Resemblance, Weight)> {
    let mut around = Neighbourhood::default();
    around.add("known", &program("/bin/known"), known);
    let found = around.like("other", &program("/bin/other"), name);
    found.first().map(|neighbour| (neighbour.resemblance, neighbour.weight))
}

#[test]
fn honest_names_are_told_in_passing_or_not_at_all() {
    for name in ["search", "list", "fetch", "create_issue", "read_file"] {
        assert_eq!(like(name, name), Some((Resemblance::Same, Weight::Glance)), "{name}");
    }
    assert_eq!(like("read_file", "readFile"), Some((Resemblance::Written, Weight::Glance)));
    assert_eq!(like("read-file", "read_file"), Some((Resemblance::Written, Weight::Glance)));
    let pairs = [
        ("get_user", "set_user"),
        ("list_user", "list_users"),
        ("call", "cell"),
        ("read", "load"),
        ("list_pods", "list_pools"),
        ("query_v1", "query_v2"),
        ("a", "b"),
        ("send_mail", "read_mail"),
        ("github_get_repo", "github_get_repos"),
    ];
    for (known, name) in pairs {
        assert_eq!(like(known, name), None, "{known} and {name}");
    }
}

#[test]
fn names_that_pass_for_others_are_found() {
    let cases = [
        ("stripe_create_charge", "stripe_create_charge", Resemblance::Same),
        ("stripe_create_charge", "stripeCreateCharge", Resemblance::Written),
        ("read_file", "re\u{430}d_file", Resemblance::Confusable),
        ("list_files", "1ist_files", Resemblance::Confusable),
        ("transfer_coin", "transfer_coln", Resemblance::Confusable),
        ("modern_search", "modem_search", Resemblance::Confusable),
        ("read_file", "raed_file", Resemblance::Misspelt),
        ("send_message", "send_mesage", Resemblance::Misspelt),
        ("stripe_create_charge", "strpe_create_charge", Resemblance::Misspelt),
    ];
    for (known, name, resemblance) in cases {
        assert_eq!(like(known, name), Some((resemblance, Weight::Dangerous)), "{known} and {name}");
    }
}

#[test]
fn a_second_instance_of_a_server_is_no_neighbour() {
    let mut around = Neighbourhood::default();
    let package = |version: &str| ServerIdentity::Package {
        registry: "npm".to_owned(),
        name: "@acme/jira".to_owned(),
        version: version.to_owned(),
        arguments: Vec::new(),
    };
    around.add("jira-work", &package("1.0.0"), "acme_jira_issue");
    assert_eq!(around.like("jira-home", &package("1.1.0"), "acme_jira_issue"), []);
    assert_eq!(around.like("jira-home", &program("/bin/evil"), "acme_jira_issue").len(), 1);
}

#[test]
fn odd_names_are_odd_by_themselves() {
    assert_eq!(oddity("read_file"), None);
    assert_eq!(oddity("re\u{430}d_file"), Some(Oddity::MixedScripts));
    assert_eq!(oddity("read\u{200b}_file"), Some(Oddity::Unseen));
    assert_eq!(oddity("datei_öffnen"), Some(Oddity::Unusual));
    assert_eq!(oddity("read file"), Some(Oddity::Unusual));
}
