//! Open questions, ready to be shown.

use std::collections::BTreeMap;

use jiff::Timestamp;
use portcullis_gateway::{Asked, AskedChoice};
use portcullis_lattice::words::shown;
use portcullis_store::{Question, QuestionFilter, QuestionId, SessionFilter, SessionId, Store, StoreError};
use serde::Serialize;

/// A question that can be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::commands) struct Open {
    pub(in crate::commands) id: QuestionId,
    pub(in crate::commands) session: SessionId,
    /// Where the agent works.
    pub(in crate::commands) workspace: String,
    pub(in crate::commands) created: Timestamp,
    pub(in crate::commands) expires: Timestamp,
    /// What is asked; nothing if it was kept by another version.
    pub(in crate::commands) asked: Option<Asked>,
}

/// A question for scripts.
#[derive(Serialize)]
pub(in crate::commands) struct OpenReport<'o> {
    question: u64,
    session: String,
    workspace: &'o str,
    asked: String,
    expires: String,
    readable: bool,
    server: Option<&'o str>,
    tool: Option<&'o str>,
    deeds: &'o [String],
    because: &'o [String],
    origins: &'o [String],
    arguments: Option<&'o str>,
    choices: Vec<ChoiceReport<'o>>,
}

#[derive(Serialize)]
struct ChoiceReport<'o> {
    id: &'o str,
    words: &'o str,
    allows: bool,
    rules: &'o [String],
}

/// The open questions of all sessions, the oldest first.
pub(in crate::commands) fn open_questions(
    store: &dyn Store,
    now: Timestamp,
) -> Result<Vec<Open>, StoreError> {
    let questions = store.questions(QuestionFilter::Open, now)?;
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let sessions = store.sessions(SessionFilter::Open)?;
    let workspaces: BTreeMap<SessionId, String> =
        sessions.into_iter().map(|session| (session.id, shown(&session.key.workspace))).collect();
    let open = |question: Question| Open {
        id: question.id,
        session: question.session,
        workspace: workspaces.get(&question.session).cloned().unwrap_or_default(),
        created: question.created,
        expires: question.expires,
        asked: question.body.as_deref().and_then(|body| serde_json::from_str(body).ok()),
    };
    Ok(questions.into_iter().map(open).collect())
}

impl Open {
    /// Everything that is to be read before an answer, in lines.
    pub(in crate::commands) fn lines(&self) -> Vec<String> {
        let mut lines = match &self.asked {
            // What the store keeps was made safe to show; somebody may have written to it since.
            Some(asked) => asked.lines().iter().map(|line| shown(line)).collect(),
            None => vec![
                "This question cannot be read: another version of the program kept it.".to_owned(),
                "It ends by itself, and the call is refused.".to_owned(),
            ],
        };
        lines.push(format!("Workspace: {}", self.workspace));
        lines
    }

    /// The answers there are.
    pub(in crate::commands) fn choices(&self) -> &[AskedChoice] {
        self.asked.as_ref().map_or(&[], |asked| &asked.choices)
    }

    /// The question in one line, for a list.
    pub(in crate::commands) fn headline(&self, now: Timestamp) -> String {
        let call = match &self.asked {
            Some(asked) => format!("{}.{}", shown(&asked.server), shown(&asked.tool)),
            None => "(cannot be read)".to_owned(),
        };
        let left = self.expires.duration_since(now).as_secs().max(0);
        let left = if left >= 120 { format!("{} min", left / 60) } else { format!("{left} s") };
        format!("{:>4}  {call}  in {}, {left} left", self.id, self.workspace)
    }

    /// For scripts.
    pub(in crate::commands) fn report(&self) -> OpenReport<'_> {
        let asked = self.asked.as_ref();
        let choice = |choice| {
            let AskedChoice { id, words, allows, rules, .. }: &AskedChoice = choice;
            ChoiceReport { id, words, allows: *allows, rules }
        };
        OpenReport {
            question: self.id.number(),
            session: self.session.to_string(),
            workspace: &self.workspace,
            asked: self.created.to_string(),
            expires: self.expires.to_string(),
            readable: asked.is_some(),
            server: asked.map(|asked| asked.server.as_str()),
            tool: asked.map(|asked| asked.tool.as_str()),
            deeds: asked.map_or(&[], |asked| &asked.deeds),
            because: asked.map_or(&[], |asked| &asked.because),
            origins: asked.map_or(&[], |asked| &asked.origins),
            arguments: asked.map(|asked| asked.arguments.as_str()),
            choices: self.choices().iter().map(choice).collect(),
        }
    }
}

/// A choice in words, and the rules that it becomes.
pub(in crate::commands) fn choice_lines(number: usize, choice: &AskedChoice) -> Vec<String> {
    let rules = choice.rules.iter().map(|rule| format!("     > {}", shown(rule)));
    std::iter::once(format!("{number:>3}  {}", shown(&choice.words))).chain(rules).collect()
}
