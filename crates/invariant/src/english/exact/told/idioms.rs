//! Rules that are put in many ways and always with the same few words: which scripts may be run, what is only added to, which
//! of two programs it is, that a database is only asked.

use crate::english::exact::Exact;
use crate::english::exact::told::bag::{Bag, bag, is_word_of};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const DENYING: &[&str] = &[
    "never", "no", "not", "don't", "dont", "nothing", "mustn't", "can't", "cannot", "none", "nobody",
    "neither", "nor",
];

/// How files that are run are called.
const RUN_ENDS: &[&str] = &[
    "sh", "bash", "zsh", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "ps1", "lua", "r", "bat", "fish",
];

impl Exact<'_> {
    /// A rule that is told by the words it has.
    pub(in crate::english::exact) fn idioms(&self, tokens: &[Token]) -> Option<Rules> {
        self.scripts_from(tokens)
            .or_else(|| self.added_to(tokens))
            .or_else(|| self.asked_only(tokens))
            .or_else(|| self.starred(tokens))
            .or_else(|| self.shut(tokens))
            .or_else(|| self.program_chosen(tokens))
            .or_else(|| self.remarked_on(tokens))
            .or_else(|| self.pages_below(tokens))
            .or_else(|| self.form_unsent(tokens))
    }

    /// "Fill in the form but do not submit it", "prepare the form, I submit it myself".
    fn form_unsent(&self, tokens: &[Token]) -> Option<Rules> {
        let can = self.hand.has_tool_word("click") || self.hand.has_tool_word("fill");
        let bag = bag(tokens, "forms", &|_| false).filter(|_| can)?;
        let submits =
            bag.has(&["submit", "submits", "submitted", "submitting", "send", "sends", "sent", "sending"]);
        let is_mine = bag.has(&["i", "i'll", "me", "myself"]);
        let is_denied = bag.has(&["never", "not", "don't", "dont", "no", "stop", "before"]);
        let fills = bag.says_any(&["not fill", "don't fill", "never fill", "dont fill"]);
        if !bag.has(&["form", "forms"]) || !submits || fills || !(is_mine || is_denied) {
            return None;
        }
        Some(refused(vec![Doing::Did("submit".to_owned())], Vec::new()))
    }

    /// "On the spec page (40b9…) leave comments only, don't edit it."
    fn remarked_on(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = &with_ids(tokens, "remarks")?;
        let bag = bag(tokens, "remarks", &is_id)?;
        let remarks = bag.has(&["comment", "comments", "commented", "commenting", "remarks", "remark"]);
        let changes = bag.has(&[
            "edit", "edits", "edited", "editing", "change", "changes", "changed", "touch", "modify",
            "rewrite",
        ]);
        let is_denied = bag.says_any(&[
            "no comments",
            "don't comment",
            "never comment",
            "not comment",
            "comments no",
            "no commenting",
            "no comment",
        ]);
        let limits = bag.has(&["only", "just"]) || (changes && bag.has(DENYING));
        if bag.anchors.is_empty() || !remarks || !limits || is_denied {
            return None;
        }
        let ids = bag.anchors.iter().map(|token| Place::Id(token.text.clone())).collect();
        let tests = vec![at(ids, true), Test::Did { actions: vec!["comment".to_owned()], is: false }];
        Some(refused(vec![Doing::Deed(Deed::Changes)], tests))
    }

    /// "New pages only below the onboarding page (b81d…)."
    fn pages_below(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = &with_ids(tokens, "pages")?;
        let bag = bag(tokens, "pages", &is_id).filter(|_| self.hand.has_tool_word("page"))?;
        let makes = bag.has(&[
            "new",
            "create",
            "created",
            "creating",
            "put",
            "add",
            "added",
            "make",
            "subpages",
            "sub-pages",
        ]);
        let is_below = bag.has(&[
            "below", "under", "beneath", "inside", "in", "children", "child", "into", "parent", "outside",
        ]);
        let limits = bag.has(&[
            "only",
            "nowhere",
            "but",
            "except",
            "outside",
            "every",
            "each",
            "always",
            "all",
            "elsewhere",
        ]) || bag.says("other than");
        if bag.anchors.is_empty()
            || !bag.has(&["page", "pages", "subpages", "sub-pages", "subpage"])
            || !makes
            || !is_below
            || !limits
        {
            return None;
        }
        let ids = bag.anchors.iter().map(|token| Place::Id(token.text.clone())).collect();
        let tests = vec![Test::About { nouns: vec!["page".to_owned()], is: true }, at(ids, false)];
        Some(refused(vec![Doing::Did("create".to_owned())], tests))
    }

    /// "Of the scripts here run only the ones in tools/."
    fn scripts_from(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        let bag = bag(tokens, "scripts", &|token| token.shape == Shape::Path)?;
        let places = self.folders(&bag)?;
        let runs = bag.has(&[
            "run",
            "runs",
            "running",
            "execute",
            "executed",
            "executing",
            "start",
            "launch",
            "call",
        ]);
        let is_script = bag.has(&["script", "scripts"]);
        if !is_script || !(runs || bag.has(&["only"])) {
            return None;
        }
        let is_only =
            bag.has(&["only", "just", "outside", "except", "exception", "besides", "unless", "elsewhere"])
                || bag.says_any(&[
                    "other than",
                    "not in",
                    "not from",
                    "not under",
                    "not inside",
                    "but those",
                    "but the",
                    "but in",
                    "nothing but",
                ]);
        if !is_only && !bag.has(DENYING) {
            return None;
        }
        let ends = RUN_ENDS.iter().map(|end| Place::Ending((*end).to_owned())).collect();
        let tests = vec![at(ends, true), at(places, !is_only)];
        Some(refused(vec![Doing::Deed(Deed::Runs)], tests))
    }

    /// "In Daily/ you only append, never overwrite a note there."
    fn added_to(&self, tokens: &[Token]) -> Option<Rules> {
        let bag = bag(tokens, "adding", &|token| token.shape == Shape::Path)?;
        let places = self.folders(&bag)?;
        let adds = bag.has(&["append", "appended", "appending", "appends", "append-only", "add-only"])
            || (bag.has(&["add", "added", "adding", "adds"])
                && bag.has(&["only", "just", "overwrite", "overwritten"]));
        let denies = bag.has(&["only", "just", "append-only", "add-only", "instead"]) || bag.has(DENYING);
        // "never append to it" is another rule.
        let is_denied = bag.says_any(&[
            "never append",
            "don't append",
            "not append",
            "never add",
            "don't add",
            "not add",
            "nothing is added",
            "nothing gets added",
            "no adding",
            "no appending",
        ]);
        if !adds || !denies || is_denied {
            return None;
        }
        let actions = ["append", "insert"].map(str::to_owned).to_vec();
        let tests = vec![at(places, true), Test::Did { actions, is: false }];
        Some(refused(vec![Doing::Deed(Deed::Changes)], tests))
    }

    /// "You only get to read: SELECT, nothing else."
    fn asked_only(&self, tokens: &[Token]) -> Option<Rules> {
        let bag = bag(tokens, "asking", &|_| false).filter(|_| self.has_sql())?;
        let limits = bag.has(&["only", "just", "nothing", "strictly", "purely"]) || bag.says("no other");
        let forbids = bag.has(&["not", "never", "don't"]) || bag.says("no select");
        if !bag.has(&["select", "selects"]) || !limits || forbids {
            return None;
        }
        let actions = ["sql select", "sql explain"].map(str::to_owned).to_vec();
        let mut rules = refused(vec![Doing::Did("query".to_owned())], vec![Test::Did { actions, is: false }]);
        // What a SELECT changes on the way is changed.
        let tables = vec![at(vec![Place::Kind("table".to_owned())], true)];
        rules.extend(refused(vec![Doing::Deed(Deed::Changes)], tables));
        Some(rules)
    }

    /// "Never SELECT * from users, name the columns."
    fn starred(&self, tokens: &[Token]) -> Option<Rules> {
        let is_name = |token: &Token| self.is_table_name(token, "stars");
        let bag = bag(tokens, "stars", &is_name).filter(|_| self.has_sql())?;
        let says_star = bag.has(&["*", "star", "stars", "select-star"]);
        if !says_star || bag.anchors.len() > 3 || !(bag.has(DENYING) || bag.has(&["always", "instead"])) {
            return None;
        }
        let tables: Vec<Place> = bag.anchors.iter().map(|token| Place::Table(token.text.clone())).collect();
        let tests = if tables.is_empty() { Vec::new() } else { vec![at(tables, true)] };
        Some(refused(vec![Doing::Did("sql every column".to_owned())], tests))
    }

    /// "payroll is off limits, not even a SELECT".
    fn shut(&self, tokens: &[Token]) -> Option<Rules> {
        // "The iban column is off limits" is about no table, and "any table but stations" about others.
        let is_other = |token: &Token| {
            matches!(
                token.low.as_str(),
                "column" | "columns" | "field" | "fields" | "but" | "except" | "besides" | "only"
            )
        };
        if tokens.iter().any(is_other) {
            return None;
        }
        let is_name = |token: &Token| self.is_table_name(token, "shut");
        let bag = bag(tokens, "shut", &is_name).filter(|_| self.has_sql())?;
        if bag.anchors.is_empty() || bag.anchors.len() > 4 {
            return None;
        }
        let shuts = bag.has(&[
            "even",
            "access",
            "off-limits",
            "taboo",
            "forbidden",
            "private",
            "secret",
            "shut",
            "closed",
        ]) || bag.says_any(&[
            "off limits",
            "stay out",
            "keep out",
            "stay away",
            "keep away",
            "your business",
            "out of bounds",
            "hands off",
            "no queries",
            "not for you",
        ]);
        let reads = bag.has(&[
            "even", "select", "query", "queries", "read", "access", "look", "table", "tables", "joins",
            "join",
        ]);
        let is_written = bag.anchors.iter().any(|token| token.text.contains('_'));
        let says_sql = bag.has(&["select", "selects", "query", "queries", "table", "tables"]);
        let is_known = |token: &&Token| self.lexicon.knows(token) || self.hand.has_word(&token.low);
        if !shuts || !(reads || is_written) || (!says_sql && bag.anchors.iter().any(is_known)) {
            return None;
        }
        let tables = bag.anchors.iter().map(|token| Place::Table(token.text.clone())).collect();
        Some(refused(vec![Doing::Deed(Deed::Involves)], vec![at(tables, true)]))
    }

    /// "npm only, no yarn or pnpm": which of several programs it is.
    fn program_chosen(&self, tokens: &[Token]) -> Option<Rules> {
        let is_program = |token: &Token| {
            token.shape == Shape::Word
                && !is_word_of("programs", &token.low)
                && self.hand.has_program(&token.low)
        };
        let whole = bag(tokens, "programs", &is_program)?;
        if whole.anchors.len() < 2 {
            return None;
        }
        let breaks = |token: &Token| {
            matches!(token.shape, Shape::Mark(_))
                || matches!(token.low.as_str(), "but" | "so" | "instead" | "rather")
        };
        let mut banned: Vec<String> = Vec::new();
        let mut has_chosen = false;
        let mut is_denied = false;
        for token in tokens {
            if DENYING.contains(&token.low.as_str()) || matches!(token.low.as_str(), "than") {
                is_denied = true;
            } else if breaks(token) {
                // "instead of yarn" denies what follows; behind any other break something new begins.
                is_denied =
                    matches!(token.low.as_str(), "instead" | "rather") || (is_denied && token.low == ",");
            } else if matches!(token.low.as_str(), "only" | "always") && !banned.is_empty() {
                // "…, npm only": the last one is what it is.
                banned.pop();
                has_chosen = true;
            } else if matches!(token.low.as_str(), "use" | "stick") && !is_denied {
                is_denied = false;
            } else if is_program(token) {
                match is_denied {
                    true => banned.push(token.low.clone()),
                    false => has_chosen = true,
                }
            }
        }
        if banned.is_empty() || !has_chosen {
            return None;
        }
        Some(refused(banned.into_iter().map(Doing::Did).collect(), Vec::new()))
    }

    /// The folders that a clause names, at least one.
    fn folders(&self, bag: &Bag<'_>) -> Option<Vec<Place>> {
        let places = |token: &&Token| crate::english::noun::path_places(&token.text, self.hand);
        let places: Vec<Place> = bag.anchors.iter().flat_map(places).collect();
        (!places.is_empty()).then_some(places)
    }

    pub(in crate::english::exact) fn has_sql(&self) -> bool {
        ["sql", "statement"].iter().any(|word| self.hand.has_parameter(word))
            || self.hand.has_tool_word("query")
    }

    /// A word that can be nothing but the name of a table.
    fn is_table_name(&self, token: &Token, light: &str) -> bool {
        let is_written = matches!(token.shape, Shape::Identifier | Shape::Quoted);
        if self.hand.choice(&token.text).is_some() || self.hand.tool(&token.text).is_some() {
            return false;
        }
        let is_word = token.shape == Shape::Word && token.low.chars().all(char::is_alphabetic);
        // Words of SQL, and of what is said of names, are none.
        if token.text.chars().all(|letter| !letter.is_lowercase())
            || token.text.starts_with('_')
            || matches!(
                token.low.as_str(),
                "ok" | "okay" | "fine" | "ending" | "starting" | "beginning" | "called"
            )
        {
            return false;
        }
        !is_word_of(light, &token.low)
            && (is_written
                || (is_word
                    && !self.hand.has_tool_word(&token.low)
                    && !crate::english::exact::aside::REASONS.contains(&token.low.as_str())))
    }
}

/// Something that only a service calls its things by.
fn is_id(token: &Token) -> bool {
    token.shape == Shape::Identifier
        && token.text.len() > 7
        && token.text.chars().any(|letter| letter.is_ascii_digit())
}

/// The words with "the spec page (40b9…)" as "40b9…": what the id is of says nothing more. Nothing where there is no id.
fn with_ids(tokens: &[Token], light: &str) -> Option<Vec<Token>> {
    let mut plain: Vec<Token> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next_is_id = tokens.get(at + 1).is_some_and(is_id);
        match token.shape {
            Shape::Mark('(') if next_is_id => {
                let named = plain.iter().rev().take_while(|word| !is_word_of(light, &word.low)).count();
                plain.truncate(plain.len() - named.min(3));
                // "the spec page (…)": and what stands in front of "page".
                if plain
                    .last()
                    .is_some_and(|word| matches!(word.low.as_str(), "page" | "note" | "document" | "doc"))
                {
                    let kind = plain.pop()?;
                    let named = plain.iter().rev().take_while(|word| !is_word_of(light, &word.low)).count();
                    plain.truncate(plain.len() - named.min(3));
                    plain.push(kind);
                }
            }
            Shape::Mark(')')
                if at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(is_id) => {}
            _ => plain.push(token.clone()),
        }
    }
    plain.iter().any(is_id).then_some(plain)
}

fn at(places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side: Side::Object, places, inside }
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
