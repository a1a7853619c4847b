//! Rules of the store, as the lattice and as people have them.

use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_lattice::words::{self, shown};
use portcullis_lattice::{Action, Binding, Entry, Lifetime, Rule, RuleId, Ruleset};
use portcullis_store::{
    Change, Commit, CommitError, NewEntry, NewRule, Rule as Kept, RuleFilter, SessionId, Store,
};
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::gate::GateError;
use crate::{when, whose};

/// A rule of the store under its number there. How long it holds is kept beside its text.
pub(super) fn entry(kept: &Kept) -> Result<Entry, Failure> {
    let unreadable = |error| {
        GateError::Said(format!(
            "rule {} of the store cannot be read: {error}\nrevoke it, and state it again",
            kept.id
        ))
    };
    let rule: Rule = kept.text.parse().map_err(unreadable)?;
    let lifetime = match (kept.uses_left, kept.expires, kept.session) {
        (Some(_), ..) => Lifetime::Once,
        (None, Some(end), _) => Lifetime::Until(end),
        (None, None, Some(session)) => Lifetime::Session(session.to_string().into()),
        (None, None, None) => Lifetime::Always,
    };
    let (grantor, reason) = (kept.grantor.as_str().into(), kept.reason.as_str().into());
    Ok(Entry { id: RuleId(kept.id.number()), rule: Rule { lifetime, grantor, reason, ..rule } })
}

/// All rules that count in any open session.
pub(super) fn in_force(store: &dyn Store, now: Timestamp) -> Result<Ruleset, Failure> {
    store.rules(RuleFilter::Active { now })?.iter().map(entry).collect()
}

/// The rule as the store keeps it: its lifetime, grantor and reason beside its text.
pub(super) fn new(rule: &Rule) -> Result<NewRule, Failure> {
    let plain =
        Rule { lifetime: Lifetime::Always, grantor: "user".into(), reason: "".into(), ..rule.clone() };
    let session = |name: &str| -> Result<SessionId, Failure> {
        Ok(name.parse().map_err(|error: portcullis_store::IdError| GateError::Said(error.to_string()))?)
    };
    let mut new = NewRule {
        text: plain.to_string(),
        session: None,
        expires: None,
        uses: None,
        grantor: rule.grantor.to_string(),
        reason: rule.reason.to_string(),
    };
    match &rule.lifetime {
        Lifetime::Always => {}
        Lifetime::Once => new.uses = Some(1),
        Lifetime::Until(end) => new.expires = Some(*end),
        Lifetime::Session(name) => new.session = Some(session(name)?),
    }
    Ok(new)
}

/// A commit with one more rule, and the entry that tells of it.
pub(super) fn adding(commit: Commit, rule: &Rule, channel: &str) -> Result<Commit, Failure> {
    let body = json!({"rule": rule.to_string(), "by": whose::user(), "channel": channel});
    let entry = NewEntry::new(kind::RULE_ADDED, &body.to_string()).map_err(CommitError::from)?;
    Ok(commit.entry(entry).change(Change::AddRule(new(rule)?)))
}

/// A commit that revokes a rule, and the entry that tells of it.
pub(super) fn revoking(commit: Commit, kept: &Kept, channel: &str) -> Result<Commit, Failure> {
    let body = json!({"id": kept.id.to_string(), "rule": kept.text, "by": whose::user(), "channel": channel});
    let entry = NewEntry::new(kind::RULE_REVOKED, &body.to_string()).map_err(CommitError::from)?;
    Ok(commit.entry(entry).change(Change::RevokeRule { id: kept.id, by: whose::user() }))
}

/// What a rule lets be done or not, as a sentence.
pub(super) fn sentence(rule: &Rule) -> String {
    let may = match rule.action {
        Action::Allow => "may",
        Action::Deny => "must not",
    };
    let through = match &rule.binding {
        Binding::Unbound => String::new(),
        Binding::Known(_) => ", through servers that are known".to_owned(),
        Binding::Own(name) => format!(", through {} alone", shown(name)),
    };
    format!("the agent {may} {}{through}", words::boundary(&rule.boundary))
}

/// How long a rule holds.
pub(super) fn lifetime(rule: &Rule) -> String {
    match &rule.lifetime {
        Lifetime::Always => "until it is revoked".to_owned(),
        Lifetime::Once => "for one call".to_owned(),
        Lifetime::Until(end) => format!("until {}", when::told(*end)),
        Lifetime::Session(name) => format!("in session {}", shown(name)),
    }
}

/// A rule for scripts.
#[derive(Serialize)]
pub(super) struct KeptReport {
    pub(super) id: u64,
    pub(super) rule: String,
    pub(super) words: String,
    session: Option<String>,
    expires: Option<String>,
    uses_left: Option<u32>,
    grantor: String,
    reason: String,
    since: String,
    revoked: Option<RevokedReport>,
}

#[derive(Serialize)]
struct RevokedReport {
    at: String,
    by: String,
}

impl KeptReport {
    pub(super) fn of(kept: &Kept, entry: &Entry) -> KeptReport {
        KeptReport {
            id: kept.id.number(),
            rule: kept.text.clone(),
            words: sentence(&entry.rule),
            session: kept.session.map(|session| session.to_string()),
            expires: kept.expires.map(|end| end.to_string()),
            uses_left: kept.uses_left,
            grantor: kept.grantor.clone(),
            reason: kept.reason.clone(),
            since: kept.created.to_string(),
            revoked: kept
                .revoked
                .as_ref()
                .map(|revoked| RevokedReport { at: revoked.at.to_string(), by: revoked.by.clone() }),
        }
    }
}

/// A rule for people: its text, what it means, how long it holds and who said so.
pub(super) fn lines(kept: &Kept, rule: &Rule) -> Vec<String> {
    let because = if kept.reason.is_empty() { String::new() } else { format!("; {}", shown(&kept.reason)) };
    let mut lines = vec![
        format!("{:>4}  {}", kept.id, shown(&kept.text)),
        format!("      {}", sentence(rule)),
        format!(
            "      {}; by {} since {}{because}",
            lifetime(rule),
            shown(&kept.grantor),
            when::told(kept.created)
        ),
    ];
    if let Some(revoked) = &kept.revoked {
        lines.push(format!("      revoked {} by {}", when::told(revoked.at), shown(&revoked.by)));
    }
    lines
}
