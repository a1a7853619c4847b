//! Kinds of suspicion, what each weighs, and findings.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much somebody has to think about something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Nobody would do anything else because of it. It can be set to pass with a record.
    Cosmetic,
    /// Usual in honest projects; worth one look.
    Glance,
    /// Never passes without approval.
    Dangerous,
}

impl fmt::Display for Weight {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Weight::Cosmetic => "cosmetic",
            Weight::Glance => "glance",
            Weight::Dangerous => "dangerous",
        })
    }
}

/// What was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// Characters of no width.
    ZeroWidth,
    /// Characters that turn the direction of writing.
    Bidi,
    /// Control characters.
    Control,
    /// Characters of the block of tags, which nobody sees and models read.
    Tags,
    /// Variation selectors that select nothing.
    Selectors,
    /// Characters without a meaning of their own.
    PrivateUse,
    /// A comment of HTML or Markdown, or a text that is styled away.
    Comment,
    /// Text so far to the right or below that nobody scrolls to it.
    FarAway,
    /// Text in base64 or hexadecimal.
    Encoded,
    /// A long run of characters that could be anything encoded.
    Blob,
    /// Letters of another script that look like Latin ones.
    LookAlikeLetters,
    /// A text too long to be looked at.
    TooLong,
    /// "Ignore previous instructions", and the marks of a prompt.
    Override,
    /// Something is to be kept from the user.
    Concealment,
    /// The model is to read a place that holds secrets, or pass on what is in it.
    Secrets,
    /// The model is to pass on the conversation, its prompt or its memory.
    Conversation,
    /// Something is to be sent to a stated address as well.
    Copy,
    /// How tools of other servers are to be used.
    OtherTools,
    /// Before, after or instead of everything else.
    Precedence,
    /// Something is to be done without asking the user.
    Unasked,
    /// An icon whose address is more than a picture.
    Icon,
}

impl Cue {
    /// How much it weighs.
    pub fn weight(self) -> Weight {
        match self {
            Cue::PrivateUse | Cue::Blob | Cue::Precedence | Cue::Unasked => Weight::Glance,
            Cue::ZeroWidth
            | Cue::Bidi
            | Cue::Control
            | Cue::Tags
            | Cue::Selectors
            | Cue::Comment
            | Cue::FarAway
            | Cue::Encoded
            | Cue::LookAlikeLetters
            | Cue::TooLong
            | Cue::Override
            | Cue::Concealment
            | Cue::Secrets
            | Cue::Conversation
            | Cue::Copy
            | Cue::OtherTools
            | Cue::Icon => Weight::Dangerous,
        }
    }

    /// Whether it is about text that people do not see.
    pub fn is_hidden(self) -> bool {
        matches!(
            self,
            Cue::ZeroWidth
                | Cue::Bidi
                | Cue::Control
                | Cue::Tags
                | Cue::Selectors
                | Cue::PrivateUse
                | Cue::Comment
                | Cue::FarAway
                | Cue::Encoded
                | Cue::Blob
                | Cue::LookAlikeLetters
                | Cue::TooLong
        )
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Cue::ZeroWidth => "characters of no width",
            Cue::Bidi => "characters that turn the direction of writing",
            Cue::Control => "control characters",
            Cue::Tags => "invisible tag characters, which models read",
            Cue::Selectors => "variation selectors that select nothing and may carry text",
            Cue::PrivateUse => "characters without a public meaning",
            Cue::Comment => "a comment or a styled text that is not shown",
            Cue::FarAway => "text far to the right or far below",
            Cue::Encoded => "text that is encoded",
            Cue::Blob => "a long run of characters that may be something encoded",
            Cue::LookAlikeLetters => "letters of another script that look like Latin ones",
            Cue::TooLong => "more text than can be looked at",
            Cue::Override => "text that poses as the model's own instructions",
            Cue::Concealment => "something is to be kept from the user",
            Cue::Secrets => "the model is told to read or pass on secrets",
            Cue::Conversation => "the model is told to pass on the conversation or its instructions",
            Cue::Copy => "something is to be sent to a stated address as well",
            Cue::OtherTools => "tells how tools of other servers are to be used",
            Cue::Precedence => "wants to come before, after or instead of everything else",
            Cue::Unasked => "something is to be done without asking the user",
            Cue::Icon => "an icon whose address is no plain picture",
        }
    }
}

/// Something suspicious, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// What it is.
    pub cue: Cue,
    /// The JSON pointer of the text.
    pub pointer: String,
    /// The words, made visible and cut.
    pub words: String,
}

/// How many characters of a text a finding shows.
const LONGEST_EXCERPT: usize = 200;

impl Finding {
    pub(super) fn new(cue: Cue, pointer: &str, words: &str) -> Finding {
        Finding { cue, pointer: pointer.to_owned(), words: excerpt(words) }
    }

    /// How much it weighs.
    pub fn weight(&self) -> Weight {
        self.cue.weight()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at `{}`: `{}`", self.cue.words(), visible(&self.pointer), self.words)
    }
}

fn excerpt(words: &str) -> String {
    let mut cut: String = words.trim().chars().take(LONGEST_EXCERPT).collect();
    if cut.len() < words.trim().len() {
        cut.push('…');
    }
    visible(&cut)
}

/// A text that somebody else wrote, with everything that is not seen written out.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => shown.push('⏎'),
            '\t' => shown.push(' '),
            '`' => shown.push('\''),
            _ if super::hidden::is_unseen(letter) => shown.push_str(&format!("\\u{{{:x}}}", letter as u32)),
            _ => shown.push(letter),
        }
    }
    shown
}
