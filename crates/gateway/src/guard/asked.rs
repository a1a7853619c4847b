//! A question as the store keeps it: whoever shows it needs nothing else, and whoever answers it can put the answer into
//! force.

use jiff::Timestamp;
use portcullis_identity::state::Judged;
use portcullis_lattice::Decision;
use portcullis_lattice::words::shown;
use portcullis_monitor::{Answer, Question, Session, Verdict};
use portcullis_store::{Digest, Keep, NewQuestion, SessionId};
use serde::{Deserialize, Serialize};

use super::{Request, server_of};
use crate::book::{Approvable, Looks};

/// A question, with everything in it made safe to show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The server whose tool is called, as the user calls it.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// What would be done, one thing each.
    pub deeds: Vec<String>,
    /// Why it is asked, one sentence each.
    pub because: Vec<String>,
    /// Where labelled data came from.
    pub origins: Vec<String>,
    /// The arguments, as JSON.
    pub arguments: String,
    /// The answers there are.
    pub choices: Vec<AskedChoice>,
    /// What an approval of this very call is bound to.
    pub binding: String,
    /// What the audit log calls this very call. Questions of older versions have none.
    #[serde(default)]
    pub call: String,
    /// The server and the tool as they are kept, where the question is whether the tool may be called at all.
    #[serde(default)]
    pub definition: Option<(String, String)>,
}

/// An answer that can be given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedChoice {
    /// What it is called.
    pub id: String,
    /// What it does.
    pub words: String,
    /// Whether the host's own window may give it.
    pub through_host: bool,
    /// The rules that it becomes.
    pub rules: Vec<String>,
    /// Whether these end with the session.
    pub for_session: bool,
    /// Whether it approves this very call.
    pub approves: bool,
    /// Whether the call may go on.
    pub allows: bool,
    /// The definitions of tools that it approves.
    #[serde(default)]
    pub tools: Vec<AskedTool>,
    /// Whether it keeps the tool from being called for good.
    #[serde(default)]
    pub blocks: bool,
}

/// A definition of a tool, as the server lists it while it is asked about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedTool {
    /// The tool.
    pub name: String,
    /// The hash of its definition.
    pub hash: String,
}

impl Asked {
    pub(super) fn new(
        request: &Request<'_>,
        session: &Session<'_>,
        verdict: &Verdict,
        question: Question,
        binding: Digest,
        call: String,
    ) -> Asked {
        let choices = question.choices.iter().map(|choice| {
            let rules = session.rules_of(verdict, &choice.answer, "user", "");
            let texts = rules.into_iter().map(|mut rule| {
                // How long it holds is kept beside it.
                rule.lifetime = portcullis_lattice::Lifetime::Always;
                rule.to_string()
            });
            AskedChoice {
                id: choice.id.clone(),
                words: choice.words.clone(),
                through_host: choice.through_host,
                rules: texts.collect(),
                for_session: matches!(choice.answer, Answer::Allow(_, portcullis_monitor::Term::Session)),
                approves: choice.answer == Answer::Once,
                allows: matches!(choice.answer, Answer::Once | Answer::Allow(..)),
                tools: Vec::new(),
                blocks: false,
            }
        });
        let mut because: Vec<String> = Vec::new();
        for deed in &question.deeds {
            let reasons = std::iter::once(&deed.because).chain(&deed.leaves);
            reasons.for_each(|reason| {
                if !because.contains(reason) {
                    because.push(reason.clone())
                }
            });
        }
        because.extend(question.reasons);
        Asked {
            server: shown(&server_of(request).name),
            tool: shown(request.name),
            deeds: question.deeds.into_iter().map(|deed| deed.what).collect(),
            because,
            origins: question.origins,
            arguments: shown(&request.arguments.to_string()),
            choices: choices.collect(),
            binding: binding.to_string(),
            call,
            definition: None,
        }
    }

    /// Where the tool is not the one that was approved, it can be approved here, alone or with what else is new.
    pub(super) fn offer_tools(&mut self, request: &Request<'_>, looks: &Looks) {
        let Some(look) = looks.tool(request.name).filter(|look| look.standing.decision == Decision::Ask)
        else {
            return;
        };
        self.definition = Some((server_of(request).name.clone(), request.name.to_owned()));
        let through_host = look.approvable == Approvable::Anywhere;
        if !through_host {
            // A host can be made to answer by itself: it lets no call pass, not even one, of a tool that changed.
            self.choices
                .iter_mut()
                .filter(|choice| choice.allows)
                .for_each(|choice| choice.through_host = false);
        }
        let asked = |judged: &Judged| {
            let hash = judged.sight?.content.to_string();
            Some(AskedTool { name: judged.name.clone(), hash })
        };
        let this = looks.judgement.tools.iter().find(|judged| judged.name == request.name).and_then(asked);
        let mut offered: Vec<AskedChoice> = Vec::new();
        if matches!(look.approvable, Approvable::Anywhere | Approvable::AtTerminal) {
            let words = format!("approve the tool {} as it is defined now", self.tool);
            offered.extend(this.map(|tool| approving("approve-tool", words, vec![tool], through_host)));
        }
        let others: Vec<AskedTool> = looks.new_and_harmless().filter_map(asked).collect();
        if look.approvable == Approvable::Anywhere && others.len() > 1 {
            let names: Vec<String> = others.iter().map(|tool| shown(&tool.name)).collect();
            let words = format!(
                "approve all {} tools of {} that are new, as they are defined now: {}",
                others.len(),
                self.server,
                names.join(", ")
            );
            offered.push(approving("approve-server", words, others, true));
        }
        // Behind the answer for this one call, before the refusals.
        let place = usize::from(!self.choices.is_empty());
        self.choices.splice(place..place, offered);
        self.choices.push(AskedChoice {
            words: format!("refuse it, and block the tool {} for good", self.tool),
            allows: false,
            blocks: true,
            ..approving("block-tool", String::new(), Vec::new(), true)
        });
    }

    pub(super) fn to_store(&self, session: SessionId, expires: Timestamp) -> NewQuestion {
        // Equal calls are asked about once: the binding says which call it is.
        let key = Digest::of_fields("portcullis question", &[self.binding.as_bytes()]);
        NewQuestion {
            session,
            key,
            body: serde_json::to_string(self).unwrap_or_default(),
            expires,
            keep: Keep::UntilClosed,
        }
    }

    /// What is asked, in lines, for any channel.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{} wants to call {}.", self.server_words(), self.tool)];
        if self.deeds.is_empty() {
            lines.push("What it would do is not known.".to_owned());
        } else {
            lines.push("It would:".to_owned());
            lines.extend(self.deeds.iter().map(|deed| format!("  - {deed}")));
        }
        if !self.because.is_empty() {
            lines.push("You are asked because:".to_owned());
            lines.extend(self.because.iter().map(|reason| format!("  - {reason}")));
        }
        if !self.origins.is_empty() {
            lines.push("Secret data in it came from:".to_owned());
            lines.extend(self.origins.iter().map(|origin| format!("  - {origin}")));
        }
        lines.push(format!("Arguments: {}", self.arguments));
        lines
    }

    fn server_words(&self) -> String {
        format!("The agent, through the server {},", self.server)
    }
}

fn approving(id: &str, words: String, tools: Vec<AskedTool>, through_host: bool) -> AskedChoice {
    AskedChoice {
        id: id.to_owned(),
        words,
        through_host,
        rules: Vec::new(),
        for_session: false,
        approves: false,
        allows: true,
        tools,
        blocks: false,
    }
}
