//! What a model is told: the sentence, the tools, the language of rules, and what was wrong with its last answer.

use serde_json::{Value, json};

use super::Task;
use crate::action::Actions;
use crate::schema::Vocabulary;
use crate::stand_in::Places;

const RULES: &str = include_str!("../../data/propose/rules.md");
const CASES: &str = include_str!("../../data/propose/cases.md");

/// The longest description of all tools.
const LONGEST_TOOLS: usize = 1 << 17;
/// So much of an answer is repeated, and of what is wrong with it.
const LONGEST_REPEATED: usize = 8_000;
const MOST_PROBLEMS: usize = 12;

/// A question to a model. It stands by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// What it is to do; the same for every sentence.
    pub system: String,
    /// The sentence, the tools and feedback, as JSON.
    pub user: String,
}

/// What is told of a task.
pub(super) struct Brief<'t> {
    sentence: &'t str,
    tools: Value,
    has_organisation: bool,
}

/// What was wrong with an answer.
pub(super) struct Feedback {
    answer: String,
    problems: Vec<String>,
}

impl Feedback {
    /// With nothing in it of where the user works.
    pub(super) fn new(answer: &str, problems: &[String], task: &Task<'_>) -> Feedback {
        let places = Places::of(task.ground.layout());
        let cut = |text: &str| -> String { places.hidden(text).chars().take(LONGEST_REPEATED).collect() };
        let problems = problems.iter().take(MOST_PROBLEMS).map(|problem| cut(problem)).collect();
        Feedback { answer: cut(answer), problems }
    }
}

impl<'t> Brief<'t> {
    /// Describes the tools, unless there are too many.
    pub(super) fn of(task: &Task<'t>) -> Option<Brief<'t>> {
        let tools = serde_json::to_value(task.tools.described()).ok()?;
        let has_organisation = !task.ground.layout().internal.is_empty();
        let brief = Brief { sentence: task.sentence, tools, has_organisation };
        (brief.tools.to_string().len() <= LONGEST_TOOLS).then_some(brief)
    }

    /// Asks for rules.
    pub(super) fn rules(&self, feedback: Option<&Feedback>) -> Prompt {
        let system = RULES
            .replace("{facts}", &listed(true))
            .replace("{filters}", &listed(false))
            .replace("{actions}", &actions());
        Prompt { system, user: self.user(feedback) }
    }

    /// Asks for calls. Rules are not mentioned, so that the calls are not made to fit them.
    pub(super) fn cases(&self, feedback: Option<&Feedback>) -> Prompt {
        let organisation = match self.has_organisation {
            true => "Addresses of the user's own organisation end in `@$internal`; all others are outside.",
            false => "The user belongs to no organisation.",
        };
        Prompt { system: CASES.replace("{organisation}", organisation), user: self.user(feedback) }
    }

    fn user(&self, feedback: Option<&Feedback>) -> String {
        let mut message = json!({ "sentence": self.sentence, "tools": self.tools });
        if let (Some(entries), Some(Feedback { answer, problems })) = (message.as_object_mut(), feedback) {
            let earlier = json!({ "answer": answer, "problems": problems });
            entries.insert("earlier".to_owned(), earlier);
        }
        crate::ordered::ordered(&message).to_string()
    }
}

/// The facts or filters of the schema, a line each.
fn listed(facts: bool) -> String {
    let Ok(vocabulary) = Vocabulary::built_in() else { return String::new() };
    let schema = vocabulary.schema();
    // Milestones are shared by all rules, so no proposal has any.
    let told = schema.words().filter(|(name, ..)| *name != "earlier");
    let words = told.filter(|(name, ..)| schema.id(name).is_some() == facts);
    let line = |(name, columns, meaning): (&str, &[portcullis_datalog::Kind], &str)| {
        let kinds: Vec<String> = columns.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect();
        let columns = if kinds.is_empty() { String::new() } else { format!("({})", kinds.join(", ")) };
        format!("- `{name}{columns}`: {meaning}")
    };
    words.map(line).collect::<Vec<_>>().join("\n")
}

fn actions() -> String {
    let Ok(actions) = Actions::built_in() else { return String::new() };
    actions.iter().map(|action| format!("`{}`", action.name)).collect::<Vec<_>>().join(", ")
}
