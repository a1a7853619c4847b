//! Repositories of others, branches of others, and what new issues must have.

use super::{Rules, Sketch, at, did, refused, value};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Side, Test, Verdict};

const REPOSITORIES: &[&str] =
    &["repository", "repositories", "repo", "repos", "organisation", "organization", "org", "account"];

const WRITING: &[&str] =
    &["write|written|writing|writes|change|push|comment|comments|issue|issues|review|reviews|post|traces"];

/// Words around the name of an organisation.
const NO_OWNER: &[&str] = &[
    "the",
    "our",
    "own",
    "my",
    "any",
    "other",
    "others",
    "those",
    "these",
    "that",
    "this",
    "people's",
    "no",
    "of",
    "it",
    "us",
    "ours",
    "them",
    "you",
    "all",
    "one",
    "public",
    "private",
    "repositories",
    "repository",
    "repos",
    "only",
    "company",
];

impl Exact<'_> {
    /// What is said of repositories, branches and issues, one of these.
    pub(super) fn sketched_repositories(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if sketch.has(&["unless", "except", "ask"]) {
            return None;
        }
        self.log_entries(sketch)
            .or_else(|| self.all_at_once(sketch))
            .or_else(|| self.new_issues(sketch))
            .or_else(|| self.private_branches(sketch))
            .or_else(|| self.labelled(sketch))
            .or_else(|| self.assigned_to(sketch))
            .or_else(|| self.own_organisation(sketch))
    }

    /// "No more than 50 log entries at once."
    fn log_entries(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let counts = sketch.says(&[
            "log|history .. entry|entries|commits",
            "entry|entries|commits .. log|history",
            "git_log|log",
        ]);
        let is_most = sketch.says(&["at most", "more than", "most|max|maximum|limit|exceed"]);
        if !counts
            || !is_most
            || !self.hand.has_tool_word("log")
            || sketch.has(&["file", "files", "line", "lines", "day", "days"])
        {
            return None;
        }
        let mut numbers = sketch.tokens.iter().filter(|token| token.shape == Shape::Number);
        let above: i64 = numbers.next()?.text.parse().ok()?;
        numbers
            .next()
            .is_none()
            .then(|| refused(did(&["log"]), vec![Test::Measure { unit: "log".to_owned(), above, is: true }]))
    }

    /// "Add files one by one, never git add ."
    fn all_at_once(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const ALL: &[&str] = &[
            "git? add -a|-A|--all|.|everything",
            "stage|add|staging everything|all .. once|go|together",
            "stage|add|staging everything|all",
        ];
        const SINGLY: &[&str] = &[
            "stage|add .. one .. one|time",
            "stage|add .. by name|individually|singly",
            "stage|add .. single|individual files",
        ];
        let is_git = sketch.has(&["git", "stage", "staging", "staged"]) || self.hand.has_tool_word("add");
        let all = sketch.tokens.iter().any(|token| matches!(token.low.as_str(), "." | "-a" | "--all"));
        let whole = sketch.denies(ALL) || (all && sketch.says(&["git add"]) && sketch.denying().count() > 0);
        let singly = sketch.says(SINGLY) && sketch.has(&["file", "files"]);
        if !is_git || !(whole || singly) {
            return None;
        }
        Some(refused(did(&["stage"]), vec![Test::Everything]))
    }

    /// "Don't open new issues", "issues are opened by people only".
    fn new_issues(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const OPENING: &[&str] =
            &["open|opening|create|creating|file|filing|raise .. issue|issues", "new issue|issues"];
        let by_others = sketch
            .says(&["issue|issues .. opened|created|filed|raised by", "new issues .. my|mine|up|for|left"]);
        let narrows = [
            "label",
            "labels",
            "title",
            "titles",
            "in",
            "without",
            "need",
            "get",
            "gets",
            "assign",
            "close",
            "only",
            "every",
            "each",
            "outside",
            "to",
            "repo",
            "repository",
            "keep",
            "stay",
            "leave",
        ];
        if !self.hand.is_about("issue")
            || !(sketch.denies(OPENING) || by_others)
            || (sketch.has(&narrows) && !by_others)
        {
            return None;
        }
        if sketch.tokens.iter().any(super::is_literal) {
            return None;
        }
        let tests = vec![Test::About { nouns: vec!["issue".to_owned()], is: true }];
        Some(refused(did(&["create"]), tests))
    }

    /// "Jana's branches (jana/...) are private, don't look into them."
    fn private_branches(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !sketch.has(&["branch", "branches"]) {
            return None;
        }
        let looks = sketch.says(&["private|secret|confidential"])
            || sketch.denies(&["look|read|open|see|view|inspect|peek|diff|show|touch"]);
        let prefix =
            sketch.tokens.iter().find(|token| token.text.contains('/') && token.shape != Shape::Quoted)?;
        let (stem, rest) = prefix.text.split_once('/')?;
        let is_open =
            rest.trim_matches(['.', '…', '*']).is_empty() || matches!(rest, "something" | "whatever");
        if !looks || !is_open || stem.is_empty() || sketch.denies(&["push|commit|merge|delete|create|change"])
        {
            return None;
        }
        let names = [
            "target",
            "revision",
            "branch_name",
            "branch",
            "ref",
            "base_branch",
            "sha",
            "head",
            "base",
            "start_point",
            "target_branch",
        ];
        let forms = ["", "origin/", "refs/heads/", "remotes/origin/"]
            .iter()
            .map(|lead| Form::Is(format!("{lead}{stem}/*")))
            .chain([Form::Is(format!("*..{stem}/*")), Form::Is(format!("*..origin/{stem}/*"))])
            .collect();
        let mut rules = refused(Vec::new(), vec![value(&names, Check::Forms(forms), Presence::One)]);
        if self.hand.runs_commands() {
            let line = format!(" {stem}/");
            let tests =
                vec![super::line_has(&[line]), Test::Program { names: vec!["git".to_owned()], is: true }];
            rules.extend(refused(Vec::new(), tests));
        }
        Some(rules)
    }

    /// "Each new issue gets the label needs-look."
    fn labelled(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_new = sketch.says(&["new|every|each .. issue|issues", "issue|issues you open|create|file"]);
        let place = sketch
            .tokens
            .iter()
            .position(|token| matches!(token.low.as_str(), "label" | "labels" | "labelled" | "tag"))?;
        if !is_new
            || !self.hand.has_parameter("label")
            || sketch.has(&["remove", "pull", "only", "unlabelled"])
        {
            return None;
        }
        let is_name = |token: &&Token| {
            matches!(token.shape, Shape::Quoted | Shape::Identifier)
                || (token.text.contains('-') && token.shape == Shape::Word)
        };
        let behind = sketch.tokens.get(place..)?;
        let label = behind.iter().take(7).find(is_name)?;
        let tests = vec![
            Test::About { nouns: vec!["issue".to_owned()], is: true },
            value(&["labels", "label"], Check::Forms(vec![Form::Is(label.text.clone())]), Presence::Missing),
        ];
        Some(refused(did(&["create"]), tests))
    }

    /// "Assign issues to me (dami-ok) or to nobody."
    fn assigned_to(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !sketch.has(&["assign", "assigned", "assignee", "assignees"])
            || !self.hand.has_parameter("assignee")
        {
            return None;
        }
        let is_only = sketch.says(&[
            "or to? nobody|none|noone|no",
            "nobody|noone|anybody|anyone|none|no|somebody .. but|else|except",
            "only",
        ]);
        let is_login = |token: &&Token| {
            matches!(token.shape, Shape::Identifier | Shape::Mention | Shape::Quoted)
                || (token.shape == Shape::Word
                    && (token.text.contains('-') || sketch.says(&[&format!("but|only|to {}", token.low)]))
                    && !self.lexicon.knows(token)
                    && !matches!(
                        token.low.as_str(),
                        "to" | "me"
                            | "anybody"
                            | "nobody"
                            | "anyone"
                            | "myself"
                            | "gets"
                            | "issues"
                            | "people"
                            | "is"
                            | "one"
                            | "no"
                            | "the"
                            | "a"
                            | "them"
                            | "no-one"
                            | "else"
                            | "yourself"
                            | "others"
                            | "somebody"
                            | "someone"
                            | "be"
                            | "who"
                    ))
        };
        let names: Vec<Form> = sketch
            .tokens
            .iter()
            .filter(is_login)
            .map(|token| Form::Is(token.text.trim_start_matches('@').to_owned()))
            .collect();
        let limits = is_only && !names.is_empty() && names.len() < 4;
        limits.then(|| {
            refused(Vec::new(), vec![value(&["assignees", "assignee"], Check::Forms(names), Presence::Other)])
        })
    }

    /// "Read any repository, but write only to those of acme."
    fn own_organisation(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !sketch.has(REPOSITORIES) && !sketch.has(&["outside"]) || !self.hand.has_tool_word("repository") {
            return None;
        }
        let owner = self.owner(sketch)?;
        let outside = sketch.has(&["outside", "other", "others", "belong"]) || sketch.says(&["people's"]);
        let is_only =
            sketch.has(&["only", "nothing", "nowhere"]) || sketch.says(&["stay|keep inside|within|in|to"]);
        if !(outside || is_only) {
            return None;
        }
        let looks = ["read|reading|look|search|open|browse|see"];
        let writes = sketch.says(WRITING) && !sketch.denies(&looks);
        let may_read = sketch.says(&[
            "read any|all|everything|as|whatever|what|freely",
            "can|may read",
            "only read|look",
        ]);
        let reads = sketch.denies(&looks)
            || sketch.says(&["only read|look|search|open|browse", "stay|keep inside|within|in"]);
        let deed = match (writes || may_read, reads && !may_read) {
            (_, true) => Deed::Involves,
            (true, false) => Deed::Writes,
            (false, false) => return None,
        };
        let tests = vec![
            at(Side::Object, vec![Place::Kind("repository".to_owned())], true),
            at(Side::Object, vec![Place::Id(owner.clone())], false),
        ];
        let mut case = Case { doings: vec![Doing::Deed(deed)], tests, ..Case::default() };
        if deed == Deed::Involves {
            // A search names its organisation in what is searched for.
            let own = Form::Is(format!("*:{owner}*"));
            case.tests.push(value(&["q", "query"], Check::Forms(vec![own]), Presence::Missing));
        }
        Some(vec![(Verdict::Deny, case)])
    }

    /// The organisation that a sentence names.
    fn owner(&self, sketch: &Sketch<'_>) -> Option<String> {
        let is_name = |token: &Token| {
            matches!(token.shape, Shape::Word | Shape::Identifier)
                && !NO_OWNER.contains(&token.low.as_str())
                && !REPOSITORIES.contains(&token.low.as_str())
                && (token.text.contains('-') || !self.lexicon.knows(token))
        };
        let literal = sketch.tokens.iter().any(|token| {
            matches!(token.shape, Shape::Path | Shape::Host | Shape::Url | Shape::Quoted | Shape::Number)
        });
        if literal {
            return None;
        }
        let follows = sketch.tokens.iter().enumerate().find_map(|(at, token)| {
            let leads = matches!(
                token.low.as_str(),
                "of" | "organisation"
                    | "organization"
                    | "org"
                    | "outside"
                    | "to"
                    | "account"
                    | "inside"
                    | "in"
            ) || token.shape == Shape::Mark('(');
            let next = sketch.tokens.get(at + 1)?;
            (leads && is_name(next)).then(|| next.text.clone())
        });
        let owned = sketch.tokens.iter().find_map(|token| {
            let stem = token.text.strip_suffix("'s").filter(|_| !NO_OWNER.contains(&token.low.as_str()))?;
            (stem != "people").then(|| stem.to_owned())
        });
        follows.or(owned).map(|name| name.trim_end_matches("'s").to_owned())
    }
}
