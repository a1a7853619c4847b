//! Instructions that no description of a tool needs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Around;
use super::cue::{Cue, Finding};
use super::lexicon;
use super::pattern::{Pattern, Vocabulary};
use super::prose::{Prose, Sentence};

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
        Cue::Override,
        When::Always,
        "earlier|previous|prior|existing|original|current ?system instructions|guidelines|rules|constraints|restrictions ..3 apply|void|invalid|obsolete|superseded|replaced|lifted|suspended",
    ),
    (Cue::Override, When::Told, "treat|regard|consider ..6 as ..4 developer|system|administrator|operator"),
    (
        Cue::Override,
        When::Told,
        "act|behave|operate as ?a ?an ?the root|administrator|admin|developer|superuser|unrestricted",
    ),
    (
        Cue::Override,
        When::Told,
        "skip|bypass|ignore|suppress|suspend ?all|any|the|your ..1 safety|security|moderation checks|check|filters|rules|policy|policies|warnings|guidelines",
    ),
    (Cue::Concealment, When::Always, "$people ..4 unaware|uninformed|oblivious|unsuspecting"),
    (Cue::Concealment, When::Always, "no mention|word|trace|hint of|about|to ..6 $people"),
    (
        Cue::Concealment,
        When::Always,
        "NOT bring|raise|discuss|talk|speak|say|share|surface|expose|acknowledge ..5 with|to ..2 $people",
    ),
    (
        Cue::Concealment,
        When::Always,
        "so|that ..4 $people ?does|will|would|can not|cannot|never|NOT ..1 notice|know|realize|realise|suspect|find",
    ),
    (
        Cue::Concealment,
        When::Told,
        "hide|conceal|omit|obscure|mask ?all ?any this|these|the|that|its ..2 step|steps|call|calls|action|actions|lookup|request|instruction|instructions",
    ),
    (
        Cue::Concealment,
        When::Told,
        "leave|keep ..6 out of ?your|the|any summary|answer|answers|reply|replies|response|responses|output",
    ),
    (
        Cue::Secrets,
        When::Told,
        "requires|require|needs|need|expects|expect|want|wants ..3 contents|content|text|value|values ..3 $place",
    ),
    (
        Cue::Secrets,
        When::Told,
        "contents|content|values ..3 $place ..4 in|as|into ..3 argument|parameter|field|request",
    ),
    (
        Cue::Conversation,
        When::Told,
        "$send|$pass ..3 transcript|copy|summary|log|record of ..3 discussion|conversation|chat|session|exchange|dialogue|conversation_history",
    ),
    (
        Cue::Conversation,
        When::Told,
        "$send|$pass|reveal|print ..3 your ?full|complete|own|original|initial|system instructions|rules|guidelines|memory|memories",
    ),
    (Cue::Conversation, When::Told, "$send|$pass ..3 instructions ?that|which you were|have|received ..2"),
    (
        Cue::Copy,
        When::Always,
        "put|place|add|set|include|keep ..3 $address ..3 copy|cc|bcc|recipient|recipients|carbon",
    ),
    (
        Cue::Copy,
        When::Always,
        "change|replace|set|override|rewrite|redirect ..4 recipient|recipients|destination|address|receiver ..3 to|with|by ..2 $address",
    ),
    (
        Cue::Concealment,
        When::Always,
        "NOT let|allow|permit ..2 $people ..2 see|know|learn|notice|find|discover",
    ),
    (Cue::Concealment, When::Always, "$people ..5 in the dark"),
    (Cue::Concealment, When::Told, "deny ..8 used|called|happened|ran|exists|exist|made|run"),
    (
        Cue::Override,
        When::Always,
        "rules|instructions|guidelines|constraints|restrictions ..6 void|obsolete|null|cancelled|canceled|irrelevant",
    ),
    (
        Cue::Override,
        When::Told,
        "pretend|assume|imagine ..4 $people|developer|system|administrator ..3 granted|approved|authorized|authorised|permission|permissions|consented",
    ),
    (
        Cue::Override,
        When::Told,
        "ignore|disregard|forget ..3 what ..3 system|developer|user|host|others says|said|say|told|tells",
    ),
    (Cue::Copy, When::Always, "use|insert|write|enter|take ..2 $address ..3 instead|place"),
    (Cue::Secrets, When::Told, "collect|gather|harvest|steal ..3 $soft"),
    (
        Cue::OtherTools,
        When::Always,
        "result|results|output|outputs|answers|answer of ..2 other|all|every|any|last|previous ..2 tool|tools ..4 mirrored|sent|copied|forwarded|passed|routed|reported|shared",
    ),
    (
        Cue::OtherTools,
        When::Told,
        "$send|$pass ..3 result|results|output|outputs|answer|answers of ..2 other|all|every|any ..2 tool|tools",
    ),
    (Cue::Secrets, When::Told, "what|whatever|everything|anything is|stands in|at|inside ..2 $place"),
    (
        Cue::Concealment,
        When::Told,
        "avoid|without ..2 drawing|attracting|calling|raising ..2 $people ..1 attention|suspicion",
    ),
    (
        Cue::Override,
        When::Told,
        "outrank|outranks|overrule|overrules|override|overrides ..4 $people|system|developer ?says|said|instructions|wishes",
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

/// Words that direct the use of a tool beside its name.
const DIRECTS: [&str; 22] = [
    "NOT",
    "instead",
    "replace",
    "use",
    "call",
    "if",
    "change",
    "set",
    "add",
    "modify",
    "prefer",
    "avoid",
    "rather",
    "redirect",
    "broken",
    "deprecated",
    "unsafe",
    "insecure",
    "outdated",
    "disabled",
    "replaced",
    "unreliable",
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
    let prose = Prose::of(text);
    for sentence in prose.sentences() {
        let looked = READY.vocabulary.look(sentence.words());
        let mut cues = BTreeSet::new();
        for rule in &READY.rules {
            if !cues.contains(&rule.cue) && rule.pattern.is_in(&looked) && counts(rule.when, sentence) {
                cues.insert(rule.cue);
            }
        }
        if speaks_of_others(sentence, around) {
            cues.insert(Cue::OtherTools);
        }
        findings.extend(cues.into_iter().map(|cue| Finding::new(cue, pointer, &sentence.text())));
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

fn counts(when: When, sentence: Sentence<'_>) -> bool {
    let has = |group| {
        let words = lexicon::group(group).unwrap_or_default();
        sentence.words().any(|word| words.contains(&word))
    };
    match when {
        When::Always => true,
        When::Told => !sentence.is_first || has("directive"),
        When::AsWell => has("aswell"),
    }
}

/// Whether a sentence tells how to use a tool of another server: it names one and says what to do.
fn speaks_of_others(sentence: Sentence<'_>, around: &Around) -> bool {
    if around.is_alone() || !sentence.words().any(|word| around.has_other(word)) {
        return false;
    }
    let directive = lexicon::group("directive").unwrap_or_default();
    sentence.words().any(|word| directive.contains(&word) || DIRECTS.contains(&word))
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
    let is_outside = |word: &&str| lexicon::is_address(word) || OUTSIDE.contains(word);
    for sentence in Prose::of(text).sentences() {
        // Words for places are rarer than words for sending.
        if sentence.words().any(|word| is_outside(&word)) && sentence.words().any(|word| send.contains(&word))
        {
            destinations.extend(sentence.words().filter(is_outside).map(str::to_owned));
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
