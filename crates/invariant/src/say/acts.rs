//! What is done, as words.

use crate::meaning::Deed;

/// What flows show, as something that is being done.
pub(super) const fn deed(deed: Deed) -> &'static str {
    match deed {
        Deed::Reads => "reading",
        Deed::Writes => "writing",
        Deed::Changes => "writing, moving or deleting",
        Deed::Deletes => "deleting",
        Deed::Moves => "moving",
        Deed::Copies => "copying",
        Deed::Runs => "running",
        Deed::Sends => "sending anything",
        Deed::Involves => "using",
    }
}

/// Whether what it is done to is who gets something.
pub(super) const fn takes_recipient(deed: Deed) -> bool {
    matches!(deed, Deed::Sends)
}

/// Actions whose names are not the verb that a person would use.
const ACTS: &[(&str, &str)] = &[
    ("approve", "approving a review"),
    ("attach", "attaching a file"),
    ("background", "leaving something running in the background"),
    ("browse", "opening pages of the web"),
    ("buy", "buying something"),
    ("chmod", "changing who may use a file"),
    ("comment", "commenting"),
    ("commit", "committing"),
    ("decline", "declining"),
    ("delete branch", "deleting a branch"),
    ("deploy", "deploying"),
    ("direct message", "sending a direct message"),
    ("draft", "drafting a mail"),
    ("evaluate", "running a script in a page"),
    ("execute", "running a command"),
    ("force push", "force-pushing"),
    ("grant", "granting rights"),
    ("hard reset", "resetting hard"),
    ("invite", "inviting somebody"),
    ("log in", "logging in"),
    ("mail", "sending a mail"),
    ("mention", "mentioning somebody"),
    ("network", "reaching into the network"),
    ("pipe to shell", "running what comes from the network"),
    ("post", "posting"),
    ("publish", "publishing"),
    ("query", "querying a database"),
    ("react", "reacting to a message"),
    ("reading only", "only reading"),
    ("receive", "receiving"),
    ("changes", "changing something"),
    ("deletes", "deleting"),
    ("moves", "moving"),
    ("reads", "reading"),
    ("runs", "running something"),
    ("sends", "sending something"),
    ("writes", "writing"),
    ("refund", "refunding"),
    ("request changes", "requesting changes in a review"),
    ("schedule", "scheduling an event"),
    ("schedule job", "scheduling a job"),
    ("schema change", "changing a schema"),
    ("screenshot", "taking a screenshot"),
    ("search", "searching"),
    ("send", "sending"),
    ("sql alter", "running ALTER in SQL"),
    ("sql create", "running CREATE in SQL"),
    ("sql delete", "running DELETE in SQL"),
    ("sql drop", "running DROP in SQL"),
    ("sql insert", "running INSERT in SQL"),
    ("sql select", "running SELECT in SQL"),
    ("sql truncate", "running TRUNCATE in SQL"),
    ("sql update", "running UPDATE in SQL"),
    ("submit", "submitting a form"),
    ("sudo", "using sudo"),
    ("tag", "tagging"),
    ("thread", "answering in a thread"),
    ("type", "typing into a page"),
    ("upload", "uploading"),
    ("web search", "searching the web"),
];

/// What words of a call show, as something that is being done.
pub(super) fn act(name: &str) -> String {
    let told = ACTS.iter().find(|(own, _)| *own == name).map(|(_, told)| (*told).to_owned());
    let own = || {
        let actions = crate::action::Actions::built_in().ok()?;
        let action = actions.iter().find(|action| action.name == name && !action.told.is_empty())?;
        Some(action.told.clone())
    };
    told.or_else(own).unwrap_or_else(|| match name.split(' ').count() {
        1 if name.chars().all(char::is_alphabetic) => gerund(name),
        // Commands that a rule spells out.
        _ => format!("doing “{name}”"),
    })
}

/// `merge` as `merging`. Verbs that double a letter stand in the table.
fn gerund(verb: &str) -> String {
    match verb.strip_suffix('e') {
        Some(stem) if !stem.ends_with('e') => format!("{stem}ing"),
        _ => format!("{verb}ing"),
    }
}

/// Several in a row, with a word before the last.
pub(super) fn join(items: &[String], word: &str) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} {word} {last}", front.join(", ")),
    }
}
