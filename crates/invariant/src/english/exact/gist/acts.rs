//! What is done, by the names of tools that list themselves: "never delete rows or columns", "create quotes, but no
//! invoices", "deploy in europe-west1 only", "don't rename tasks".

use super::Rules;
use super::sift::Weight;
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::lexicon::bases;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Presence, Test, Verdict};

/// What is done, by the words of tools that do it.
const ACTS: &[(&str, &[&str])] = &[
    ("delete", &["delete", "remove", "drop", "destroy", "erase", "clear", "purge"]),
    ("remove", &["delete", "remove", "drop", "destroy", "erase"]),
    ("deletion", &["delete", "remove", "drop"]),
    ("removal", &["delete", "remove", "drop"]),
    ("erase", &["delete", "remove", "erase", "clear"]),
    ("rename", &["rename"]),
    ("restart", &["restart", "reboot"]),
    ("scale", &["scale", "resize"]),
    ("scaling", &["scale", "resize"]),
    ("exec", &["exec", "execute"]),
    ("execute", &["exec", "execute"]),
    ("create", &["create", "add", "new", "insert"]),
    ("add", &["create", "add", "insert"]),
    ("insert", &["insert", "add"]),
    ("copy", &["copy", "duplicate", "clone"]),
    ("move", &["move", "transfer"]),
    ("archive", &["archive"]),
    ("publish", &["publish"]),
    ("deploy", &["deploy", "apply", "rollout"]),
    ("patch", &["patch"]),
    ("merge", &["merge"]),
    ("format", &["format"]),
    ("invite", &["invite"]),
    ("share", &["share"]),
    ("upload", &["upload"]),
    ("import", &["import"]),
    ("export", &["export"]),
    ("pause", &["pause"]),
    ("resume", &["resume"]),
    ("cancel", &["cancel"]),
    ("stop", &["stop", "terminate"]),
    ("start", &["start"]),
    ("rotate", &["rotate"]),
    ("revoke", &["revoke"]),
    ("refund", &["refund"]),
    ("trigger", &["trigger", "run"]),
    ("comment", &["comment"]),
    ("rollback", &["rollback"]),
    ("clone", &["clone"]),
    ("mute", &["mute"]),
    ("approve", &["approve"]),
    ("approval", &["approve"]),
    ("activate", &["activate", "enable"]),
    ("evaluate", &["evaluate"]),
    ("attach", &["attach"]),
    ("call", &["call"]),
    ("enable", &["enable", "activate"]),
    ("disable", &["disable", "deactivate"]),
    ("void", &["void"]),
    ("install", &["install"]),
    ("uninstall", &["uninstall"]),
    ("upgrade", &["upgrade"]),
    ("drop", &["drop", "delete"]),
];

impl Exact<'_> {
    /// "never delete rows or columns": by the names of tools, where every tool is listed.
    pub(super) fn tool_acts(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.is_own() || self.span_in(tokens).is_some() {
            return None;
        }
        let noun = |token: &Token| -> Option<String> {
            let stem = crate::names::stem(&token.low);
            let is_noun = token.shape == Shape::Word
                && self.act_words(token).is_none()
                && !is_word_of("anything", &token.low)
                && (self.hand.has_own_word(&stem) || matches!(stem.as_str(), "note" | "pod" | "deployment"));
            is_noun.then_some(stem)
        };
        let sifted = self.sifted(tokens, "holders", &|_, token| match self.act_words(token).is_some()
            || noun(token).is_some()
        {
            true => Weight::Anchor,
            false => Weight::Strange,
        })?;
        if !sifted.denies()
            && !super::tasks::is_ours(&sifted)
            && !sifted.has(&["forbidden", "taboo", "banned"])
        {
            return None;
        }
        if let Some(rules) = self.shared_acts(tokens, &noun) {
            return Some(rules);
        }
        let by_you = sifted.says(&["not by you", "not you", "never you", "never by you"]);
        if sifted.denies() && !by_you && tokens.split(is_mark).any(|part| self.is_done(part)) {
            return None;
        }
        let meant = || sifted.anchors.iter().filter(|(at, _)| !is_fine(tokens, *at)).map(|(_, token)| *token);
        let nouns: Vec<String> = meant().filter_map(noun).collect();
        let acts: Vec<&[&str]> = meant().filter_map(|token| self.act_words(token)).collect();
        let mut tools: Vec<String> = Vec::new();
        for words in &acts {
            let named = self.tools_of(words, &nouns);
            (!named.is_empty()).then_some(())?;
            tools.extend(named);
        }
        tools.sort();
        tools.dedup();
        let tests = vec![Test::Tool { names: tools.clone(), is: true }];
        (!tools.is_empty()).then(|| vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "Cards are moved, not archived": what is done stands beside what is not.
    fn is_done(&self, part: &[Token]) -> bool {
        const DENYING: &[&str] =
            &["no", "not", "never", "don't", "nothing", "none", "nor", "neither", "nobody", "and", "or"];
        part.iter().any(|token| self.act_words(token).is_some())
            && !part.iter().any(|token| DENYING.contains(&token.low.as_str()))
    }

    /// "create quotes, but no invoices": what is allowed of one thing and not of another.
    fn shared_acts(&self, tokens: &[Token], noun: &dyn Fn(&Token) -> Option<String>) -> Option<Rules> {
        let is_joint = |token: &Token| token.shape == Shape::Mark(',') || token.low == "but";
        let parts: Vec<&[Token]> = tokens.split(is_joint).filter(|part| !part.is_empty()).collect();
        let [allowed, denied] = parts.as_slice() else { return None };
        let acts: Vec<&[&str]> = allowed.iter().filter_map(|token| self.act_words(token)).collect();
        let denies = |token: &Token| matches!(token.low.as_str(), "no" | "not" | "never" | "don't");
        let is_named = denied.iter().all(|token| denies(token) || noun(token).is_some());
        if acts.is_empty() || !is_named || !denied.iter().any(denies) || allowed.iter().any(denies) {
            return None;
        }
        let nouns: Vec<String> = denied.iter().filter_map(noun).collect();
        let tools: Vec<String> = acts.iter().flat_map(|words| self.tools_of(words, &nouns)).collect();
        let tests = vec![Test::Tool { names: tools.clone(), is: true }];
        (!nouns.is_empty() && !tools.is_empty())
            .then(|| vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// The tools that do one of these to one of those; what is about it alone, where there is such a one.
    fn tools_of(&self, words: &[&str], nouns: &[String]) -> Vec<String> {
        const GENERIC: &[&str] = &["resource", "object", "item", "entity", "record", "file", "content"];
        let about = |tool: &String| {
            let name = tool.split_once('.').map_or(tool.as_str(), |(_, name)| name);
            crate::facts::about(&crate::names::joined(name))
        };
        let looks = |tool: &String| {
            crate::names::words(tool)
                .iter()
                .any(|word| matches!(word.as_str(), "get" | "list" | "search" | "describe"))
        };
        if nouns.is_empty() {
            let named = words.iter().flat_map(|word| self.tools_doing(word));
            return named.filter(|tool| !looks(tool)).collect();
        }
        let all: Vec<String> = words
            .iter()
            .flat_map(|word| {
                nouns.iter().flat_map(|noun| self.hand.tools_named(&[(*word).to_owned(), noun.clone()]))
            })
            .filter(|tool| !looks(tool))
            .collect();
        let direct: Vec<String> =
            all.iter().filter(|tool| about(tool).is_some_and(|own| nouns.contains(&own))).cloned().collect();
        if !direct.is_empty() && nouns.len() == 1 {
            return direct;
        }
        if !all.is_empty() {
            return all;
        }
        // What has a verb of its own is meant by that alone: "no phone calls".
        const TELLING: &[&str] =
            &["call", "clone", "mute", "approve", "activate", "evaluate", "publish", "deploy", "restart"];
        if words.iter().any(|word| TELLING.contains(word)) {
            return words
                .iter()
                .flat_map(|word| self.tools_doing(word))
                .filter(|tool| !looks(tool))
                .collect();
        }
        let generic = words.iter().flat_map(|word| self.tools_doing(word));
        generic.filter(|tool| about(tool).is_some_and(|own| GENERIC.contains(&own.as_str()))).collect()
    }

    /// "deploy in europe-west1 only": what is done with one value alone, whichever argument takes it.
    pub(super) fn acts_at(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.is_own() || self.span_in(tokens).is_some() {
            return None;
        }
        let is_value = |token: &Token| {
            token.shape == Shape::Quoted
                || (token.shape == Shape::Identifier && self.hand.tool(&token.text).is_none())
                || (token.shape == Shape::Word && token.text.contains('-') && !self.lexicon.knows(token))
        };
        let sifted = self.sifted(tokens, "holders", &|_, token| match is_value(token)
            || self.act_words(token).is_some()
        {
            true => Weight::Anchor,
            false => Weight::Strange,
        })?;
        let values: Vec<String> = sifted
            .anchors
            .iter()
            .filter(|(_, token)| is_value(token))
            .map(|(_, token)| token.text.clone())
            .collect();
        let acts: Vec<&[&str]> =
            sifted.anchors.iter().filter_map(|(_, token)| self.act_words(token)).collect();
        let is_only =
            sifted.has(&["only", "nowhere", "exclusively"]) || (sifted.denies() && sifted.has(&["outside"]));
        let tools: Vec<String> = acts.iter().flat_map(|words| self.tools_of(words, &[])).collect();
        if values.is_empty() || tools.is_empty() || !is_only {
            return None;
        }
        let tests =
            vec![Test::Tool { names: tools, is: true }, Test::Choice { values, parameter: None, is: false }];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "don't rename tasks", "task names stay as they are": by the name that a change would give.
    pub(super) fn names_kept(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.is_own() || self.span_in(tokens).is_some() {
            return None;
        }
        let is_naming = |token: &Token| {
            matches!(
                token.low.as_str(),
                "rename" | "renamed" | "renaming" | "name" | "names" | "title" | "titles"
            )
        };
        let noun = |token: &Token| {
            let stem = crate::names::stem(token.low.trim_end_matches("'s"));
            let is_noun = token.shape == Shape::Word && !is_naming(token) && self.hand.is_about(&stem);
            (is_noun && !is_word_of("anything", &token.low)).then_some(stem)
        };
        let sifted =
            self.sifted(tokens, "holders", &|_, token| match is_naming(token) || noun(token).is_some() {
                true => Weight::Anchor,
                false => Weight::Strange,
            })?;
        let is_kept =
            sifted.denies() || sifted.has(&["stay", "stays", "keep", "keeps", "fixed", "alone", "leave"]);
        let nouns: Vec<String> = sifted.anchors.iter().filter_map(|(_, token)| noun(token)).collect();
        let names_it = sifted.anchors.iter().any(|(_, token)| is_naming(token));
        let ([noun], true, true) = (nouns.as_slice(), is_kept, names_it) else { return None };
        let changing = ["update", "edit", "patch", "modify", "rename"];
        let tools: Vec<String> = changing
            .iter()
            .flat_map(|verb| self.hand.tools_named(&[(*verb).to_owned(), noun.clone()]))
            .collect();
        let arguments = self.hand.arguments_of(&[]);
        let names: Vec<String> = ["name", "title", "new name"]
            .into_iter()
            .filter(|name| arguments.contains(name))
            .map(str::to_owned)
            .collect();
        if tools.is_empty() || names.is_empty() {
            return None;
        }
        let given = Test::Value { names, check: Check::Anything, presence: Presence::One };
        let tests = vec![Test::Tool { names: tools, is: true }, given];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// What a word says is done, as tools call it.
    pub(super) fn act_words(&self, token: &Token) -> Option<&'static [&'static str]> {
        if token.shape != Shape::Word {
            return None;
        }
        bases(token).iter().find_map(|base| ACTS.iter().find(|(act, _)| act == base).map(|(_, words)| *words))
    }
}

fn is_mark(token: &Token) -> bool {
    matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'))
}

/// Whether what follows here says that it is allowed.
fn is_fine(tokens: &[Token], at: usize) -> bool {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "welcome"];
    let part = tokens.get(at..).unwrap_or_default().split(is_mark).next().unwrap_or_default();
    part.iter().any(|token| FINE.contains(&token.low.as_str()))
}
