//! What must be said with something: "tavily_search always with time_range week", "branches come off develop".

mod phrases;

use crate::english::exact::Exact;
use crate::english::exact::scope::Scope;
use crate::english::exact::words::{around, bare, begins, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Doing, Form, Presence, Test, Verdict};
use phrases::{COMING, GOING, JOIN, JOINED, TOGETHER};

type Rules = Vec<(Verdict, Case)>;

/// What a branch begins with, as tools call it.
const BASES: &[&str] =
    &["base branch", "from branch", "ref", "start point", "base", "source branch", "from", "source ref"];
const TARGETS: &[&str] = &["base", "target branch", "base branch", "target"];

impl Exact<'_> {
    /// What something needs beside it, and where it comes from.
    pub(in crate::english::exact) fn duties(&self, tokens: &[Token]) -> Option<Rules> {
        self.used_with(tokens)
            .or_else(|| self.coming_from(tokens))
            .or_else(|| self.going_to(tokens))
            .or_else(|| self.kept_apart(tokens))
            .or_else(|| self.programs_banned(tokens))
            .or_else(|| self.one_value(tokens))
            .or_else(|| self.html_banned(tokens))
            .or_else(|| self.branches_called(tokens))
            .or_else(|| self.read_with(tokens))
            .or_else(|| self.copied_to(tokens))
    }

    /// "no HTML mail", however a mail says that it is one.
    fn html_banned(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(tokens, &["no html", "never send html", "don't send html", "do not send html"])?;
        strip(rest, &["mail", "mails", "email", "emails", "e-mails", "messages", "in mails", "in mail"])
            .filter(|rest| rest.is_empty())?;
        let body = self.some_arguments(&["html body", "html"]);
        let kind = self.some_arguments(&["mime type", "content type", "format"]);
        let given =
            body.map(|names| vec![Test::Value { names, check: Check::Anything, presence: Presence::One }]);
        let html =
            Check::Forms(vec![Form::Has("html".to_owned()), Form::Is("multipart/alternative".to_owned())]);
        let named = kind.map(|names| vec![Test::Value { names, check: html, presence: Presence::One }]);
        let ways: Vec<Vec<Test>> = given.into_iter().chain(named).collect();
        let tests = (!ways.is_empty()).then(|| vec![Test::Any(ways)])?;
        let doings = vec![Doing::Did("mail".to_owned()), Doing::Did("draft".to_owned())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "New branches are called feature/… or chore/…".
    fn branches_called(&self, tokens: &[Token]) -> Option<Rules> {
        const CALLED: &[&str] = &[
            "are called",
            "must be called",
            "are named",
            "must be named",
            "is called",
            "must have names like",
            "should be called",
            "have to be called",
            "have names like",
            "should be named",
            "have to be named",
            "are always called",
            "get names like",
            "are named like",
            "must be named like",
            "look like",
        ];
        let (named, _, values) = around(tokens, CALLED)?;
        strip(
            bare(named),
            &["branches", "branch", "feature branches", "topic branches", "your branches", "branch names"],
        )
        .filter(|rest| rest.is_empty())?;
        let one = |item: &[Token]| -> Option<Form> {
            let (first, rest) = item.split_first()?;
            let is_open = rest.iter().all(|token| {
                matches!(
                    token.low.as_str(),
                    "something" | "…" | "." | "and" | "whatever" | "xyz" | "name" | "<name>" | "plus" | "..."
                )
            });
            let prefix = first.text.split(['…', '*', '<', '{']).next().unwrap_or_default();
            let prefix = prefix.trim_end_matches("something").trim_end_matches("...").trim_end_matches("xyz");
            (is_open && prefix.contains(['/', '-'])).then(|| Form::Starts(prefix.to_owned()))
        };
        let forms: Option<Vec<Form>> = items(values).into_iter().map(one).collect();
        let names = self.some_arguments(&["branch name", "branch", "new branch", "name"])?;
        let tests = vec![
            Test::About { nouns: vec!["branch".to_owned()], is: true },
            Test::Value {
                names,
                check: Check::Forms(forms.filter(|forms| !forms.is_empty())?),
                presence: Presence::Other,
            },
        ];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Did("create".to_owned())], tests, ..Case::default() },
        )])
    }

    /// ".log files only with head or tail": what is read without any of these arguments.
    fn read_with(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = strip(tokens, &["read", "open", "load", "only read"]).unwrap_or(tokens);
        let (thing, _, list) = around(
            tokens,
            &[
                "only with",
                "always with",
                "only using",
                "never without",
                "are read only with",
                "are only read with",
            ],
        )?;
        let places = self.named_places(thing)?;
        let mut tests = vec![Test::Place { side: crate::meaning::Side::Object, places, inside: true }];
        for item in items(list) {
            let [one] = bare(item) else { return None };
            let names = self.ground(&crate::english::exact::words::stems(std::slice::from_ref(one)), &[])?;
            tests.push(Test::Value { names, check: Check::Anything, presence: Presence::Missing });
        }
        // What is listed is not read.
        tests.push(Test::Did { actions: vec!["list".to_owned()], is: false });
        (tests.len() > 2).then(|| {
            vec![(
                Verdict::Deny,
                Case { doings: vec![Doing::Deed(crate::meaning::Deed::Reads)], tests, ..Case::default() },
            )]
        })
    }

    /// "If a mail goes to anybody outside acme.com, put ann@acme.com in cc".
    fn copied_to(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(tokens, &["if", "when", "whenever", "every time", "each time"])?;
        let (condition, _, duty) = around(rest, &[",", "then"])?;
        let (front, _, target) = around(
            condition,
            &[
                "goes to",
                "is sent to",
                "goes out to",
                "is going to",
                "you write to",
                "you mail",
                "you send to",
            ],
        )?;
        let mut mail: Vec<Token> = ["a", "mail", "to"].map(crate::english::exact::told::turned::word).into();
        strip(bare(front), &["mail", "email", "e-mail", "message", "something", "anything", ""])
            .map_or(front.is_empty().then_some(()), |rest| rest.is_empty().then_some(()))?;
        mail.extend(target.iter().cloned());
        let (doings, tests) = self.scope(&mail).map(|scope| (scope.doings, scope.tests))?;
        let (named, place) = match strip(duty, &["put", "add", "include", "set", "always put", "copy"]) {
            Some(duty) => {
                around(duty, &["in", "into", "on", "to", "as"]).map(|(named, _, place)| (named, place))?
            }
            None => around(
                duty,
                &[
                    "must be in",
                    "must be on",
                    "has to be in",
                    "has to be on",
                    "goes in",
                    "gets a",
                    "must be",
                    "goes on",
                    "is in",
                    "should be in",
                ],
            )
            .map(|(named, _, place)| (named, place))?,
        };
        let [place] = bare(place) else { return None };
        let forms: Option<Vec<Form>> = items(named)
            .into_iter()
            .map(|item| match item {
                [one] if one.shape == Shape::Address => Some(Form::Has(one.text.clone())),
                _ => None,
            })
            .collect();
        let argument = match place.low.as_str() {
            "cc" | "copy" | "cc'd" => "cc",
            "bcc" => "bcc",
            _ => return None,
        };
        let names = self.some_arguments(&[argument])?;
        let check = Check::Forms(forms.filter(|forms| !forms.is_empty())?);
        let missing = Test::Value { names, check, presence: Presence::Missing };
        Some(vec![(
            Verdict::Deny,
            Case { doings, tests: tests.into_iter().chain([missing]).collect(), ..Case::default() },
        )])
    }

    /// "no make, no cargo, no npm", perhaps at some time.
    fn programs_banned(&self, tokens: &[Token]) -> Option<Rules> {
        let said = strip(
            tokens,
            &["no", "never run", "never use", "don't run", "do not run", "don't use", "do not use"],
        )?;
        let timed = (1..said.len()).find_map(|at| Some((said.get(..at)?, self.spans(said.get(at..)?)?)));
        let (list, time) = timed.unwrap_or((said, Vec::new()));
        let plain: Vec<Token> = list.iter().filter(|token| token.low != "no").cloned().collect();
        if items(&plain).len() < 2 && time.is_empty() {
            return None;
        }
        let mut tests = self.programs(&plain)?;
        if !matches!(tests.as_slice(), [Test::Program { .. }]) {
            return None;
        }
        if !time.is_empty() {
            tests.push(Test::Time { spans: time, is: true, of_event: false });
        }
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "basic depth only": a value in front of its argument.
    fn one_value(&self, tokens: &[Token]) -> Option<Rules> {
        let said = strip_end(tokens, &["only"]).or_else(|| strip(tokens, &["only"]))?;
        (1..said.len()).find_map(|at| {
            let (values, named) = (said.get(..at)?, said.get(at..)?);
            let said = crate::english::exact::words::stems(named).join(" ");
            let list = items(values);
            let mut names: Option<Vec<String>> = None;
            for item in &list {
                let own = self.hand.choice(&crate::english::exact::words::text(item).to_lowercase())?;
                let own = own.iter().map(|name| crate::names::words(name).join(" "));
                let own: Vec<String> =
                    own.filter(|name| *name == said || name.ends_with(&format!(" {said}"))).collect();
                names = (!own.is_empty()).then_some(own);
                names.as_ref()?;
            }
            let names = names?;
            let forms = list.iter().map(|item| Form::Is(crate::english::exact::words::text(item))).collect();
            let test = Test::Value { names, check: Check::Forms(forms), presence: Presence::Other };
            Some(vec![(Verdict::Deny, Case { tests: vec![test], ..Case::default() })])
        })
    }

    /// "tavily_search always with time_range week or month", "searches only with country SE".
    fn used_with(&self, tokens: &[Token]) -> Option<Rules> {
        const WITH: &[&str] = &[
            "always with",
            "only with",
            "only ever with",
            "must always have",
            "never without",
            "must come with",
            "must be called with",
            "must be used with",
            "is always called with",
            "is only used with",
            "is only called with",
            "only together with",
            "needs",
            "always needs",
            "requires",
            "with",
            ": always with",
            ": only with",
            ": with",
            ":",
            "always has",
            "always gets",
            "must have",
            "has to have",
            "should have",
            "is to be used with",
            "is used with",
        ];
        let tokens =
            strip(tokens, &["use", "only use", "call", "always use", "always call", "only call", "run"])
                .unwrap_or(tokens);
        let (thing, phrase, rest) = around(tokens, WITH)?;
        let [tool] = bare(thing) else { return None };
        let tool = self.hand.tool(&tool.text)?;
        let rest = strip(rest, &["a", "an", "the", "its"]).unwrap_or(rest);
        let rest =
            strip_end(rest, &[", nothing else", "only", "and nothing else", ", no other"]).unwrap_or(rest);
        let scope = Scope { nouns: Vec::new(), ..Scope::default() };
        let mut test = self.had(rest, &scope, crate::english::exact::rules::Polarity::Must)?;
        // "use it with depth basic": what is not said may be so.
        if phrase == "with"
            && let Test::Value { presence, check: Check::Forms(_), .. } = &mut test
        {
            *presence = Presence::Other;
        }
        let named = Test::Tool { names: vec![tool], is: true };
        Some(vec![(Verdict::Deny, Case { tests: vec![named, test], ..Case::default() })])
    }

    /// "new branches come off develop", "never branch off main".
    fn coming_from(&self, tokens: &[Token]) -> Option<Rules> {
        // "new branches only from develop", "every branch always starts at develop"
        let light =
            |token: &Token| matches!(token.low.as_str(), "only" | "always" | "just" | "ever" | "must");
        let plain: Vec<Token> = tokens.iter().filter(|token| !light(token)).cloned().collect();
        let tokens = &plain[..];
        let (front, is_denied) = match strip(tokens, &["never", "don't", "do not", "no", "not"]) {
            Some(rest) => (rest, true),
            None => (tokens, false),
        };
        // "never off main": behind a rule about where branches come from.
        let again = strip(front, &["off", "from"]).filter(|_| is_denied && self.branches.get());
        let (named, values) = match again {
            Some(values) => (front.get(..0)?, values),
            None if begins(front, "branch off").or(begins(front, "branch from")).is_some() => {
                (front.get(..1)?, front.get(2..)?)
            }
            None => {
                let front = strip(
                    front,
                    &["create", "make", "start", "open", "cut", "always create", "always start"],
                )
                .unwrap_or(front);
                let (named, _, values) = around(front, COMING)?;
                (named, values)
            }
        };
        let is_branch = strip(
            bare(named),
            &[
                "branches",
                "branch",
                "feature branches",
                "topic branches",
                "a branch",
                "new branches",
                "work branches",
            ],
        )
        .is_some_and(<[Token]>::is_empty);
        if again.is_none() && !is_branch {
            return None;
        }
        let values = strip_end(values, &["only", "alone", "and nothing else", "always"]).unwrap_or(values);
        let names = self.some_arguments(BASES)?;
        self.branches.set(true);
        self.branch_rule(names, values, is_denied, "branch")
    }

    /// "Pull requests target develop, not main."
    fn going_to(&self, tokens: &[Token]) -> Option<Rules> {
        let (named, _, values) = around(tokens, GOING)?;
        let named = strip_end(named, &["always", "only"]).unwrap_or(named);
        let is_request = strip(
            bare(named),
            &[
                "pull requests",
                "pull request",
                "prs",
                "pr",
                "merge requests",
                "merge request",
                "mrs",
                "your pull requests",
            ],
        )
        .is_some_and(<[Token]>::is_empty);
        if !is_request {
            return None;
        }
        let (values, others) =
            match around(values, &[", not", ", never", "and not", "and never", ", never to", ", not to"]) {
                Some((values, _, others)) => (values, Some(others)),
                None => (values, None),
            };
        let values = strip_end(values, &["only", "alone"]).unwrap_or(values);
        let names = self.some_arguments(TARGETS)?;
        if let Some(others) = others {
            self.branch_forms(others)?;
        }
        self.branch_rule(names, values, false, "request")
    }

    fn branch_rule(
        &self,
        names: Vec<String>,
        values: &[Token],
        is_denied: bool,
        noun: &str,
    ) -> Option<Rules> {
        let check = Check::Forms(self.branch_forms(values)?);
        let presence = if is_denied { Presence::One } else { Presence::Other };
        let tests = vec![
            Test::About { nouns: vec![noun.to_owned()], is: true },
            Test::Value { names, check, presence },
        ];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Did("create".to_owned())], tests, ..Case::default() },
        )])
    }

    /// Branches in a row: "main or a release branch".
    fn branch_forms(&self, values: &[Token]) -> Option<Vec<Form>> {
        let one = |item: &[Token]| -> Option<Form> {
            let led = item
                .first()
                .is_some_and(|first| matches!(first.low.as_str(), "a" | "any" | "an" | "another" | "other"));
            let kind = strip_end(item, &["branch", "branches"]);
            let item = bare(kind.unwrap_or(item));
            let item = strip(item, &["another", "other"]).unwrap_or(item);
            let [one] = item else { return None };
            if matches!(one.shape, Shape::Mark(_) | Shape::Address | Shape::Url) {
                return None;
            }
            let is_some = (led || one.low.ends_with('s')) && kind.is_some();
            let name = one.text.trim_end_matches('/');
            Some(Form::Is(if is_some { format!("{name}*") } else { one.text.clone() }))
        };
        let forms: Option<Vec<Form>> = items(values).into_iter().map(one).collect();
        forms.filter(|forms| !forms.is_empty())
    }

    /// Those of these arguments that a tool at hand has.
    fn some_arguments(&self, names: &[&str]) -> Option<Vec<String>> {
        let arguments = self.hand.arguments_of(&[]);
        let own: Vec<String> =
            names.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        (!own.is_empty()).then_some(own)
    }

    /// "Never join customers with payments", "hr and finance data must not be combined in one query".
    fn kept_apart(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = match strip(tokens, JOIN) {
            Some(rest) => strip_end(rest, TOGETHER).unwrap_or(rest),
            None => {
                let (front, phrase, rest) = around(tokens, JOINED)?;
                let is_together = rest.is_empty() || strip(rest, TOGETHER).is_some_and(<[Token]>::is_empty);
                let says = rest.is_empty() && (phrase.contains("appear") || phrase.ends_with("go"));
                if !is_together || says {
                    return None;
                }
                front
            }
        };
        let rest: Vec<Token> = rest
            .iter()
            .filter(|token| {
                !matches!(
                    token.low.as_str(),
                    "tables" | "table" | "data" | "the" | "schema" | "schemas" | "anything" | "rows" | "from"
                )
            })
            .map(|token| {
                if matches!(token.low.as_str(), "with" | "to") {
                    crate::english::exact::told::turned::word("and")
                } else {
                    token.clone()
                }
            })
            .collect();
        let list = items(&rest);
        let [[one], [other]] = list.as_slice() else { return None };
        let table = |token: &Token, side: crate::meaning::Side| Test::Place {
            side,
            places: vec![
                crate::meaning::Place::Table(token.text.clone()),
                crate::meaning::Place::Database(token.text.clone()),
            ],
            inside: true,
        };
        let tests = vec![table(one, crate::meaning::Side::Object), table(other, crate::meaning::Side::From)];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Did("query".to_owned())], tests, ..Case::default() },
        )])
    }
}
