//! Colours, where somebody sees them.

use std::io::IsTerminal;

use portcullis_identity::difference::{Change, Run};
use portcullis_identity::suspicion::{Weight, visible};

const RESET: &str = "\u{1b}[0m";

/// Whether colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paint {
    /// On a terminal whose user has nothing against it.
    Coloured,
    /// Everywhere else.
    Plain,
}

impl Paint {
    /// As standard output and the environment say.
    pub(super) fn of_output() -> Paint {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match std::io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb {
            true => Paint::Coloured,
            false => Paint::Plain,
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Coloured if !text.is_empty() => format!("\u{1b}[{code}m{text}{RESET}"),
            Paint::Coloured | Paint::Plain => text.to_owned(),
        }
    }

    /// A word for how much something weighs.
    pub(super) fn weight(self, weight: Weight) -> String {
        let code = match weight {
            Weight::Dangerous => "1;31",
            Weight::Glance => "33",
            Weight::Cosmetic => "2",
        };
        self.with(code, &weight.to_string())
    }

    /// Two texts as one, word by word. Without colours what is gone stands in `[-…-]`, and what is new in `{+…+}`. Nothing in
    /// the texts themselves reaches the terminal as anything but letters.
    pub(super) fn change(self, change: &Change) -> String {
        let part = |run: &Run| match (run, self) {
            (Run::Same(text), _) => visible(text),
            (Run::Old(text), Paint::Plain) => format!("[-{}-]", visible(text)),
            (Run::New(text), Paint::Plain) => format!("{{+{}+}}", visible(text)),
            (Run::Old(text), Paint::Coloured) => self.with("9;31", &visible(text)),
            (Run::New(text), Paint::Coloured) => self.with("1;32", &visible(text)),
        };
        change.runs().iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use portcullis_identity::definition::Definition;
    use portcullis_identity::difference::compare;

    use super::*;

    fn changed() -> Change {
        let definition = |text: &str| {
            let raw =
                serde_json::json!({"name": "a", "description": text, "inputSchema": {"type": "object"}});
            Definition::parse(raw.to_string().as_bytes(), &[]).unwrap()
        };
        let difference =
            compare(&definition("Reads a file."), &definition("Reads a \u{1b}[31mlarge\u{9b} file."));
        let is_text = |change: &Change| change.old.is_some() && change.pointer == "/description";
        difference.changes.into_iter().find(is_text).unwrap()
    }

    #[test]
    fn only_our_own_colours_reach_the_terminal() {
        let plain = Paint::Plain.change(&changed());
        assert!(plain.contains("{+") && !plain.contains(|letter: char| letter.is_control()), "{plain}");
        let coloured = Paint::Coloured.change(&changed());
        let without = coloured.replace("\u{1b}[1;32m", "").replace("\u{1b}[9;31m", "").replace(RESET, "");
        assert!(coloured.contains("\u{1b}[1;32m"), "{coloured}");
        assert!(!without.contains(|letter: char| letter.is_control()), "{without:?}");
        assert!(without.contains("\\u{1b}[31mlarge\\u{9b}"), "{without:?}");
    }
}
