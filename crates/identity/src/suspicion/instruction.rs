//! Instructions that no description of a tool needs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Around;
use super::cue::{Cue, Finding};
use super::lexicon;
use super::pattern::{Pattern, Vocabulary};
use super::prose::{Sentence, sentences};

/// When a pattern counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Wherever it stands.
    Always,
    /// In a sentence that tells the reader to do something: one with a word like `must`, or any but the first. The first
    /// sentence of a description says in the imperative what the tool does: "Read a file".
    Told,
    /// In a sentence that says `also`, `every`, `copy` or the like.
    AsWell,
}

const RULES: &[(Cue, When, &str)] = &[
    (
        Cue::Override,
        When::Always,
        "ignore|disregard|forget ?all|any|your|the|every|of ..2 previous|prior|above|earlier|preceding|system|original|safety ..2 instructions|instruction|prompts|prompt|rules|guidelines|directions|constraints|policies|system_prompt",
    ),
    (
        Cue::Override,
        When::Always,
        "ignore|disregard|forget|override ?all|any|your|the ..2 your|system_prompt ?instructions|rules|training|guidelines",
    ),
    (
        Cue::Override,
        When::Always,
        "bypass|override|disable ..2 safety|guardrails ?checks|filters|rules|guidelines",
    ),
    (Cue::Override, When::Always, "you are now a|an|the|in|operating|acting|authorized|permitted"),
    (
        Cue::Override,
        When::Always,
        "new|updated|real|actual|true instructions|instruction follow|follows|are|override|supersede|for",
    ),
    (Cue::Override, When::Told, "reveal|print|output|repeat|disclose|show|quote ..3 system_prompt"),
    (Cue::Concealment, When::Always, "NOT $tell ..6 $people"),
    (
        Cue::Concealment,
        When::Always,
        "NOT ?ever mention|reveal|disclose ?to ?$people this|that|it|these ?step|steps|instruction|instructions|action|call|tool|parameter",
    ),
    (
        Cue::Concealment,
        When::Always,
        "NOT show|display|output|print|log ..4 step|steps|instruction|instructions|action|call|parameter ..3 $people",
    ),
    (
        Cue::Concealment,
        When::Always,
        "without telling|informing|notifying|alerting|mentioning|warning ..4 $people",
    ),
    (Cue::Concealment, When::Always, "without ..2 $people ?own knowledge|noticing|knowing|awareness|notice"),
    (Cue::Concealment, When::Always, "keep|hide|conceal|withhold ..6 from ..1 $people"),
    (
        Cue::Concealment,
        When::Always,
        "user|users|human|humans|operator NOT be|know|notice|learn|hear|find|realize|realise ?told|aware|informed|out|made|shown ..2",
    ),
    (
        Cue::Concealment,
        When::Always,
        "secretly|covertly|discreetly|quietly|silently $send|$pass|run|execute|collect|read|gather|record",
    ),
    (Cue::Concealment, When::Told, "$send|$pass ..8 secretly|covertly|discreetly|quietly|silently"),
    (
        Cue::Concealment,
        When::Always,
        "keep|keeping this|it|that ?a ?strictly ?completely secret|hidden|confidential|invisible",
    ),
    // To put something into `.env` is what a setup asks for; to put what is in there somewhere else is not.
    (Cue::Secrets, When::Told, "$read|$send|$hand ..8 $place"),
    (
        Cue::Secrets,
        When::Told,
        "put|place|write|store|save|add|fill|place ..4 contents|content|of|from ..4 $place",
    ),
    (Cue::Secrets, When::Told, "$place ..8 $hand|$send"),
    (Cue::Secrets, When::Told, "$read|$pass|$send ..6 private_key"),
    (Cue::Secrets, When::Told, "$send|dump|collect|gather|harvest|include|print|append ..5 env_vars"),
    (
        Cue::Secrets,
        When::Told,
        "$send|include|append|attach|embed|collect|gather|harvest|pass|read|put ..3 $whose ..4 $soft",
    ),
    (Cue::Conversation, When::Told, "$send|$pass|$read ..6 conversation_history|system_prompt"),
    (Cue::Conversation, When::Told, "$send|$pass ..4 conversation so far"),
    (
        Cue::Conversation,
        When::Told,
        "$send|$pass ..4 everything ..2 user|users|you ?has|have said|typed|wrote|know|told",
    ),
    (Cue::Copy, When::AsWell, "$send ..12 $address"),
    (Cue::Copy, When::Always, "bcc|cc ..4 $address"),
    (Cue::Copy, When::AsWell, "$address ..6 recipient|bcc|cc|copy"),
    (
        Cue::Copy,
        When::AsWell,
        "$address ..4 as ?a ?an ?the ?hidden ?second ?additional ?blind recipient|bcc|cc|copy",
    ),
    (
        Cue::OtherTools,
        When::Always,
        "when|whenever|if|while|after|before ..4 other|any|every|another|all ..3 tool|tools ..8 add|append|set|change|replace|redirect|insert|modify|rewrite|substitute|bcc|include|copy|send",
    ),
    (
        Cue::OtherTools,
        When::Always,
        "other|every|any|all ..2 tool|tools ..4 must|should ..4 add|append|set|change|replace|redirect|insert|modify|rewrite|routed|include|send",
    ),
    (
        Cue::OtherTools,
        When::Always,
        "change|replace|redirect|rewrite|modify ..4 recipient|recipients|destination|address|amount|account ..8 other|another|every|any ..3 tool|tools",
    ),
    (
        Cue::Precedence,
        When::Always,
        "before ..3 any|every|all|each|other ..2 tool|tools|call|calls|action|actions|request|task|response|operation",
    ),
    (
        Cue::Precedence,
        When::Always,
        "always|must ..4 call|use|run|invoke|called|used ..3 this ..4 first|before",
    ),
    (Cue::Precedence, When::Always, "must be called|used|run|invoked ..2 first|before"),
    (Cue::Precedence, When::Always, "instead of ..2 any|other|all|built-in|builtin|native"),
    (
        Cue::Precedence,
        When::Always,
        "NOT use|call|trust|invoke ..4 other|another|any|built-in|builtin|native ..3 tool|tools|server|servers",
    ),
    (Cue::Precedence, When::Always, "prefer|use this ..6 over ..2 other|any|all|built-in|builtin|native"),
    (
        Cue::Precedence,
        When::Always,
        "takes|take|has|have precedence|priority over ..4 tool|tools|server|servers|instructions|rules",
    ),
    (
        Cue::Precedence,
        When::Always,
        "replaces|supersedes|overrides ..3 tool|tools|server|servers|instructions",
    ),
    (
        Cue::Unasked,
        When::Always,
        "NOT ask|request|require|wait|prompt|seek ..5 confirmation|permission|approval|consent",
    ),
    (Cue::Unasked, When::Always, "without ..2 asking|confirmation|permission|approval|consent|confirming"),
    (
        Cue::Unasked,
        When::Always,
        "user|users has|have already|previously|always approved|consented|agreed|authorized|authorised|confirmed",
    ),
    (Cue::Unasked, When::Always, "no need to ask|confirm"),
    (Cue::Unasked, When::Always, "skip|bypass ..2 confirmation|approval|consent|permission"),
    (Cue::Unasked, When::Always, "auto-approve|auto-approved|pre-approved|preapproved"),
];

/// Marks by which prompts of models are built; a description has no use for them.
const MARKS: [&str; 17] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|endoftext|>",
    "<|start_header_id|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<system>",
    "</system>",
    "<system_prompt>",
    "<important>",
    "</important>",
    "<secret>",
    "<hidden>",
    "[system]",
    "<system-reminder>",
];

struct Rule {
    cue: Cue,
    when: When,
    pattern: Pattern,
}

/// The rules, ready to be looked for.
#[derive(Default)]
struct Rules {
    vocabulary: Vocabulary,
    rules: Vec<Rule>,
}

static READY: LazyLock<Rules> = LazyLock::new(|| {
    let mut ready = Rules::default();
    for (cue, when, line) in RULES {
        let pattern = ready.vocabulary.pattern(line);
        ready.rules.extend(pattern.map(|pattern| Rule { cue: *cue, when: *when, pattern }));
    }
    ready
});

/// Finds instructions in a text; one finding of a kind for each sentence.
pub(super) fn look(pointer: &str, text: &str, around: &Around, findings: &mut Vec<Finding>) {
    marks(pointer, text, findings);
    // Most texts of a definition are single words, which say nothing.
    if !text.trim().contains(char::is_whitespace) {
        return;
    }
    for sentence in sentences(text) {
        let looked = READY.vocabulary.look(&sentence.words);
        let mut cues = BTreeSet::new();
        for rule in &READY.rules {
            if !cues.contains(&rule.cue) && rule.pattern.is_in(&looked) && counts(rule.when, &sentence) {
                cues.insert(rule.cue);
            }
        }
        if speaks_of_others(&sentence, around) {
            cues.insert(Cue::OtherTools);
        }
        findings.extend(cues.into_iter().map(|cue| Finding::new(cue, pointer, &sentence.text)));
    }
}

fn marks(pointer: &str, text: &str, findings: &mut Vec<Finding>) {
    if !text.contains(['<', '[']) {
        return;
    }
    let lower = text.to_lowercase();
    let mark = MARKS.iter().filter_map(|mark| lower.find(mark)).min();
    if let Some(at) = mark {
        findings.push(Finding::new(Cue::Override, pointer, lower.get(at..).unwrap_or_default()));
    }
}

fn counts(when: When, sentence: &Sentence) -> bool {
    let has = |group| {
        let words = lexicon::group(group).unwrap_or_default();
        sentence.words.iter().any(|word| words.contains(&word.as_str()))
    };
    match when {
        When::Always => true,
        When::Told => !sentence.is_first || has("directive"),
        When::AsWell => has("aswell"),
    }
}

/// Whether a sentence tells how to use a tool of another server: it names one and says what to do.
fn speaks_of_others(sentence: &Sentence, around: &Around) -> bool {
    if !sentence.words.iter().any(|word| around.has_other(word)) {
        return false;
    }
    sentence.words.iter().any(|word| {
        let directive = lexicon::group("directive").unwrap_or_default();
        directive.contains(&word.as_str())
            || matches!(word.as_str(), "NOT" | "instead" | "replace" | "use" | "call")
    })
}

/// Where a text says that something is sent: addresses, and words for places outside.
pub(crate) fn outward(text: &str) -> BTreeSet<String> {
    const OUTSIDE: [&str; 13] = [
        "webhook",
        "webhooks",
        "endpoint",
        "endpoints",
        "callback",
        "recipient",
        "recipients",
        "third-party",
        "collector",
        "telemetry",
        "analytics",
        "external",
        "remote",
    ];
    let send = lexicon::group("send").unwrap_or_default();
    let mut destinations = BTreeSet::new();
    for sentence in sentences(text) {
        if sentence.words.iter().any(|word| send.contains(&word.as_str())) {
            let is_outside = |word: &&String| lexicon::is_address(word) || OUTSIDE.contains(&word.as_str());
            destinations.extend(sentence.words.iter().filter(is_outside).cloned());
        }
    }
    destinations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        let mut vocabulary = Vocabulary::default();
        let broken = RULES.iter().find(|(_, _, line)| vocabulary.pattern(line).is_none());
        assert_eq!(broken.map(|(_, _, line)| line), None);
        assert_eq!(READY.rules.len(), RULES.len());
    }
}
