//! Whether what a command shows or takes in is sensitive, where its name stands for more than that.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_lattice::Effect;
use portcullis_perceive::paths::{Found, NoLinks};
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::shell::{Finding, Setting, analyse};

fn setting() -> Setting {
    Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }
}

fn holds_secrets(places: &Places, finding: &Finding) -> bool {
    finding.deeds.iter().flat_map(|deed| &deed.inputs).any(|used| places.holds_secrets(used))
}

/// Each brings the content of a file to light, or into a repository, whose name says what it holds.
const SENSITIVE: &[&str] = &[
    "git show HEAD:.env",
    "git show HEAD~2:deploy/.env.production",
    "git show :.env",
    "git show :2:.env",
    "git show HEAD -- .env",
    "git cat-file -p HEAD:.env",
    "git cat-file blob main:certs/server.pem",
    "git archive HEAD .env | tar x",
    "git archive HEAD:secrets .env",
    "git add .env",
    "git add -f -- .env",
    "git add src/main.rs .env",
    "git add ':(top).env'",
    "git add '*.pem'",
    "git add *.pem",
    "git stage id_rsa",
    "git commit -m x .env",
    "git diff .env",
    "git diff HEAD~1 -- .env",
    "git diff HEAD~1 HEAD -- config/credentials.yml",
    "git log -p -- .env",
    "git log --patch .env",
    "git log -L 1,20:.env",
    "git blame .env",
    "git grep KEY -- .env",
    "git checkout -- .env",
    "git checkout HEAD~3 .env",
    "git checkout .env",
    "git restore .env",
    "git restore --source HEAD~3 -- id_rsa",
    "git stash push -- .env",
    "git -C /srv/app show HEAD:.env",
    "sudo git show HEAD:.env",
    "git show HEAD:.env > copy.txt",
    "git show HEAD:.env | base64",
    "find . -name '*.pem' -exec cat {} +",
    "find . -name '*.pem' -exec cat {} \\;",
    "find / -iname 'ID_RSA' -exec cat {} +",
    "find . -type f \\( -name '*.md' -o -name '.env' \\) -exec cat {} +",
    "find . -path './deploy/.env' -exec cat {} +",
    "find . -regex '.*\\.pem' -exec cat {} +",
    "find . -name '*.pem' | xargs cat",
    "find . -name '*.pem' -print0 | xargs -0 -n 1 base64",
    "find . -name '.env*' | xargs -I{} cp {} /srv/share/",
    "find . -name '*.pem' -delete",
    "find ~/.ssh -not -name '*.pub' -exec cat {} +",
    "find ~/.ssh -type f -exec cat {} +",
    "find .env -name '*' -exec cat {} +",
    "fd -e pem . -x cat",
    "fd '\\.env$' -x cat",
    "grep -r KEY --include='*.pem' .",
    "grep -rh --include=.env KEY .",
    "grep -rl BEGIN --include='*.pem' . | xargs cat",
    "rg KEY -g '*.pem'",
    "rg KEY --glob .env /srv/app",
];

/// Each tells about such files without showing them, or is about others.
const PLAIN: &[&str] = &[
    "git add .",
    "git add -A",
    "git add src/token_parser.py",
    "git show HEAD",
    "git show --stat HEAD -- .env",
    "git show HEAD:README.md",
    "git diff --stat -- .env",
    "git diff --name-only HEAD~1 -- .env",
    "git diff HEAD~1",
    "git log -- .env",
    "git log --oneline -n 5",
    "git log -p -- src/main.rs",
    "git ls-files '*.pem'",
    "git status",
    "git checkout -b feature/token",
    "git checkout secrets",
    "find . -name '*.pem'",
    "find . -name '*.pem' -print | wc -l",
    "find . -name '*.rs' -exec cat {} +",
    "find . -not -name '*.pem' -name '*.rs' -exec cat {} +",
    "find . -name '*.pub' | xargs cat",
    "grep -r KEY --include='*.rs' .",
    "grep -rl KEY --include='*.pem' .",
    "rg KEY -g '!*.pem'",
];

#[test]
fn what_is_shown_or_taken_in_decides_whether_a_use_is_sensitive() {
    let places = Places::built_in().unwrap();
    for command in SENSITIVE {
        let finding = analyse(command, &setting(), &NoLinks);
        assert!(holds_secrets(&places, &finding), "`{command}` is sensitive: {finding:?}");
    }
    for command in PLAIN {
        let finding = analyse(command, &setting(), &NoLinks);
        assert!(!holds_secrets(&places, &finding), "`{command}` is not sensitive: {finding:?}");
    }
}

#[test]
fn the_details_are_files_of_the_repository() {
    let details = |command: &str| {
        let finding = analyse(command, &setting(), &NoLinks);
        let uses = finding.deeds.into_iter().flat_map(|deed| deed.inputs);
        let repository = uses.filter(|used| used.name == "/home/u/p").flat_map(|used| used.details);
        repository.collect::<Vec<String>>()
    };
    assert_eq!(details("git show HEAD:.env"), ["/home/u/p/.env"]);
    assert_eq!(details("git add a.txt deploy/.env"), ["/home/u/p/a.txt", "/home/u/p/deploy/.env"]);
    assert_eq!(details("git diff -- ../p/.env"), ["/home/u/p/.env"]);
    assert!(details("git add .").is_empty());
    assert!(details("git add -A").is_empty());
}

#[test]
fn what_a_user_marked_is_seen_inside_a_repository() {
    let places = Places::built_in().unwrap().with_marked(&["/home/u/p/hr/**".to_owned()]).unwrap();
    let finding = analyse("git show HEAD:hr/pay.csv", &setting(), &NoLinks);
    assert!(holds_secrets(&places, &finding), "{finding:?}");
    assert!(!holds_secrets(&places, &analyse("git show HEAD:src/pay.csv", &setting(), &NoLinks)));
}

/// A machine on which `/home/u/p/notes` leads to the keys, and `/home/u/p/up` to another folder.
fn look(place: &str) -> Found {
    match place {
        "/home/u/p/notes" => Found::Link("../.ssh/id_rsa".to_owned()),
        "/home/u/p/up" => Found::Link("/srv/other/deep".to_owned()),
        "/home/u/p/loop" => Found::Link("loop".to_owned()),
        _ => Found::Plain,
    }
}

#[test]
fn links_are_followed_where_the_resolver_sees_them() {
    let names = |command: &str| {
        let finding = analyse(command, &setting(), &look);
        let mut names: Vec<String> =
            finding.deeds.into_iter().flat_map(|deed| deed.inputs).map(|used| used.name).collect();
        names.sort();
        names
    };
    assert_eq!(names("cat notes"), ["/home/u/.ssh/id_rsa", "/home/u/p/notes"]);
    // The system takes `..` from where the link leads, some programs from the text.
    assert_eq!(names("cat up/../x"), ["/home/u/p/x", "/srv/other/x"]);
    assert_eq!(names("cd up && cat x"), ["/srv/other/deep/x"]);
    // The shell goes back to where it came from, the system to what lies above.
    assert_eq!(names("cd up && cd .. && cat a.txt"), ["/home/u/p/a.txt"]);
    assert_eq!(names("cd -P up && cd .. && cat a.txt"), ["/srv/other/a.txt"]);
    assert_eq!(names("git -C up status"), ["/srv/other/deep"]);
    assert_eq!(names("curl file:///home/u/p/notes"), ["/home/u/.ssh/id_rsa"]);
    // A circle leads nowhere, so it could be any file.
    assert_eq!(names("cat loop"), ["/"]);
}

#[test]
fn removing_a_link_removes_the_link() {
    let finding = analyse("rm notes", &setting(), &look);
    let deleted = finding.deeds.iter().filter(|deed| deed.effects.contains(Effect::Del));
    let names: Vec<&str> = deleted.flat_map(|deed| &deed.outputs).map(|used| used.name.as_str()).collect();
    assert!(names.contains(&"/home/u/p/notes"), "{names:?}");
}

#[test]
fn a_deletion_that_chooses_says_that_something_may_remain() {
    let details = |command: &str| -> Vec<String> {
        let finding = analyse(command, &setting(), &NoLinks);
        let deleted = finding.deeds.iter().filter(|deed| deed.effects.contains(Effect::Del));
        deleted.flat_map(|deed| deed.inputs.iter().flat_map(|used| used.details.clone())).collect()
    };
    assert!(details("find logs -mtime +7 -delete").contains(&"/home/u/p/logs/*".to_owned()));
    assert!(details("find logs -name '*.log' -delete").contains(&"/home/u/p/logs/*.log".to_owned()));
    assert_eq!(details("find logs -delete"), Vec::<String>::new());
}
