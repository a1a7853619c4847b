//! Kinds of changes, and what each weighs.

use serde::{Deserialize, Serialize};

use crate::suspicion::Weight;

/// What a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Spelling, punctuation, case or blanks of a text.
    Spelling,
    /// Words about a schema that mean nothing to a call: its dialect, its own address, that it is deprecated.
    Dialect,
    /// Words of a text.
    Wording,
    /// A text that puts the tool before, after or instead of others, or does without asking.
    Steering,
    /// Characters that are no text but hide none for certain.
    OddCharacters,
    /// Fewer arguments are valid.
    SchemaNarrowed,
    /// More arguments are valid.
    SchemaWidened,
    /// The schema says something else that is neither more nor less.
    SchemaOther,
    /// A default is another.
    Default,
    /// A parameter that was not there.
    NewParameter,
    /// A parameter that is not there any more.
    ParameterRemoved,
    /// A parameter that has another name.
    ParameterRenamed,
    /// A way for data to leave, or to reach another place: a parameter, a looser bound on one, or a text that says so.
    NewSink,
    /// A parameter that asks for secrets or for the conversation.
    AsksForSecrets,
    /// A hint that was not stated before, or is not any more, or is about repeating only.
    Hint,
    /// A hint now says that the tool is more dangerous than it said.
    HintRiskier,
    /// A hint now says that the tool is less dangerous than it said.
    HintSafer,
    /// A text that tells the model to do what no description needs.
    Instruction,
    /// Text that people do not see.
    HiddenText,
    /// How the tool is run.
    Execution,
    /// Pictures.
    Icons,
    /// Metadata.
    Metadata,
    /// A field that no revision of the protocol has.
    UnknownField,
    /// The form of what the tool answers.
    OutputSchema,
    /// The name.
    Name,
    /// Something that is not understood.
    Unexplained,
}

impl Class {
    /// How much it weighs.
    pub fn weight(self) -> Weight {
        match self {
            Class::Spelling | Class::Dialect => Weight::Cosmetic,
            Class::Wording
            | Class::Steering
            | Class::OddCharacters
            | Class::SchemaNarrowed
            | Class::SchemaWidened
            | Class::SchemaOther
            | Class::Default
            | Class::NewParameter
            | Class::ParameterRemoved
            | Class::ParameterRenamed
            | Class::Hint
            | Class::Execution
            | Class::Icons
            | Class::Metadata
            | Class::UnknownField
            | Class::OutputSchema => Weight::Glance,
            Class::NewSink
            | Class::AsksForSecrets
            | Class::HintRiskier
            | Class::HintSafer
            | Class::Instruction
            | Class::HiddenText
            | Class::Name
            | Class::Unexplained => Weight::Dangerous,
        }
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Class::Spelling => "spelling",
            Class::Dialect => "a note about the schema",
            Class::Wording => "wording",
            Class::Steering => "text that puts the tool before others or does without asking",
            Class::OddCharacters => "odd characters",
            Class::SchemaNarrowed => "fewer arguments are valid",
            Class::SchemaWidened => "more arguments are valid",
            Class::SchemaOther => "the schema says something else",
            Class::Default => "another default",
            Class::NewParameter => "a new parameter",
            Class::ParameterRemoved => "a parameter is gone",
            Class::ParameterRenamed => "a parameter has another name",
            Class::NewSink => "a new way for data to leave",
            Class::AsksForSecrets => "asks for secrets or for the conversation",
            Class::Hint => "a hint",
            Class::HintRiskier => "now says that it is more dangerous",
            Class::HintSafer => "now says that it is less dangerous",
            Class::Instruction => "an instruction to the model",
            Class::HiddenText => "hidden text",
            Class::Execution => "how the tool is run",
            Class::Icons => "icons",
            Class::Metadata => "metadata",
            Class::UnknownField => "a field that is not in the protocol",
            Class::OutputSchema => "what the tool answers",
            Class::Name => "the name",
            Class::Unexplained => "a change that is not understood",
        }
    }
}
