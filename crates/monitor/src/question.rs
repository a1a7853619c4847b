//! What the user is asked about a call, and what each answer would do.
//!
//! Everything that comes from the call (names, texts, arguments) is made safe to show here, and nothing of it is cut
//! where it decides.

use jiff::Timestamp;
use portcullis_lattice::{
    Boundary, Decision, Effect, Effects, Grant, Ground, Ladder, Lifetime, Policy, Region, Rule, Rung, Scope,
};

use crate::session::Session;
use crate::stage::Stage;
use crate::verdict::Verdict;

/// What the user is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What would be done, one thing each, and why it is not simply done.
    pub deeds: Vec<AskedDeed>,
    /// Where labelled data that would be used came from.
    pub origins: Vec<String>,
    /// What else has to be known: what could not be read, what rules the user stated want a question.
    pub reasons: Vec<String>,
    /// The answers there are, the narrowest first, the refusals last.
    pub choices: Vec<Choice>,
}

/// Something that would be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedDeed {
    /// What: "send /home/u/a.pdf to ann@acme.com".
    pub what: String,
    /// Why it is asked about: no rule covers it, and which is nearest.
    pub because: String,
    /// In what it leaves the nearest rule, a sentence for each dimension.
    pub leaves: Vec<String>,
}

/// An answer that can be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What it is called in answers: `once`, `session-1`, `always-2`, `refuse`, `never`.
    pub id: String,
    /// What it does, in words.
    pub words: String,
    /// What it is.
    pub answer: Answer,
    /// Whether it may be given where the agent's host shows the question, for a host can be made to answer by itself.
    pub through_host: bool,
}

/// What an answer does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This very call, once.
    Once,
    /// Whatever the rung covers, for so long.
    Allow(Rung, Term),
    /// Not this time.
    Refuse,
    /// Not this time, and not again.
    Never,
}

/// How long an answer holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// As long as the session.
    Session,
    /// Until it is revoked.
    Always,
}

impl Term {
    /// As a rule has it.
    pub fn lifetime(self, session: &str) -> Lifetime {
        match self {
            Term::Session => Lifetime::Session(session.into()),
            Term::Always => Lifetime::Always,
        }
    }
}

/// What a host's own window may allow for good: reading and writing, nothing else.
const HARMLESS: Effects = Effects::only(Effect::Read).with(Effect::Write);

impl Session<'_> {
    /// What the user is asked about a call that was decided so; None unless it was.
    pub fn question(&self, verdict: &Verdict, now: Timestamp) -> Option<Question> {
        if verdict.decision != Decision::Ask {
            return None;
        }
        let policy = self.policy();
        let explanations = verdict.judgement.explain(policy, &verdict.call);
        let pairs = verdict.judgement.pairs.iter().zip(explanations);
        let asks = pairs.filter(|(pair, _)| pair.ground.decision() != Decision::Permit);
        let deeds = asks.map(|(pair, told)| AskedDeed {
            what: told.deed,
            because: match pair.ground {
                Ground::Uncovered(None) => "nothing of the kind was allowed so far".to_owned(),
                Ground::Uncovered(Some(_))
                | Ground::Conflict { .. }
                | Ground::Covered(_)
                | Ground::Caught(_) => told.because,
            },
            leaves: told.leaves,
        });
        let deeds: Vec<AskedDeed> = deeds.collect();
        let home = Some(self.ground().layout().home.as_str()).filter(|home| !home.is_empty());
        let mut origins: Vec<String> = Vec::new();
        for origin in verdict.carried.iter().flat_map(|carried| carried.words(home)) {
            let origin = portcullis_lattice::words::shown(&origin);
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        let others = verdict.findings.iter().filter(|finding| finding.stage != Stage::Consent);
        let reasons = others.flat_map(|finding| finding.reasons.clone()).collect();
        let ladder = policy.ladder(&verdict.call, &verdict.judgement, now);
        let choices = choices(policy, verdict, &ladder);
        Some(Question { deeds, origins, reasons, choices })
    }

    /// The rules that an answer becomes. A call that is allowed once is approved, and a refusal is no rule.
    pub fn rules_of(&self, verdict: &Verdict, answer: &Answer, grantor: &str, reason: &str) -> Vec<Rule> {
        let grant = |lifetime| Grant { lifetime, grantor: grantor.into(), reason: reason.into() };
        match answer {
            Answer::Once | Answer::Refuse => Vec::new(),
            Answer::Allow(rung, term) => rung.grant(&verdict.call.server, &grant(term.lifetime(self.name()))),
            Answer::Never => {
                self.policy().never_again(&verdict.call, &verdict.judgement, &grant(Lifetime::Always))
            }
        }
    }
}

fn choices(policy: &Policy, verdict: &Verdict, ladder: &Ladder) -> Vec<Choice> {
    let mut choices = vec![Choice {
        id: "once".to_owned(),
        words: "allow this call, once".to_owned(),
        answer: Answer::Once,
        through_host: true,
    }];
    let only_consent_asks = verdict
        .findings
        .iter()
        .all(|finding| finding.stage == Stage::Consent || finding.decision == Decision::Permit);
    if only_consent_asks {
        for (rung, number) in ladder.rungs.iter().zip(1..) {
            choices.extend([Term::Session, Term::Always].map(|term| allow(policy, rung, number, term)));
        }
    }
    choices.push(Choice {
        id: "refuse".to_owned(),
        words: "refuse this call".to_owned(),
        answer: Answer::Refuse,
        through_host: true,
    });
    let asks_consent = verdict.judgement.decision == Decision::Ask && !verdict.call.flows.is_empty();
    if asks_consent {
        choices.push(Choice {
            id: "never".to_owned(),
            words: "refuse it, and never ask about the same again".to_owned(),
            answer: Answer::Never,
            through_host: true,
        });
    }
    choices
}

fn allow(policy: &Policy, rung: &Rung, number: usize, term: Term) -> Choice {
    let (id, how_long) = match term {
        Term::Session => (format!("session-{number}"), "in this session"),
        Term::Always => (format!("always-{number}"), "always"),
    };
    Choice {
        id,
        words: format!("allow {how_long}: {}", rung.covers),
        answer: Answer::Allow(rung.clone(), term),
        through_host: match term {
            Term::Session => true,
            Term::Always => rung.boundaries.iter().all(|boundary| is_harmless(policy, boundary)),
        },
    }
}

/// Reading and writing without labels, inside the workspace or the organisation.
fn is_harmless(policy: &Policy, boundary: &Boundary) -> bool {
    let near = ["@workspace", "intnet", "ctxt"].map(|scope| scope.parse::<Scope>());
    let near: Vec<Scope> = near.into_iter().flatten().collect();
    let near = Region::resolve_all(&near, policy.topology());
    let locations = boundary.locations(policy.topology());
    boundary.taint.is_empty()
        && boundary.effects.is_subset(HARMLESS)
        && near.contains(&locations.input)
        && near.contains(&locations.output)
}
