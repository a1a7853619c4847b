//! Arguments of a command, expanded, and their division into options and operands.

use crate::Use;

use super::stream::{FOUND, Makers, UNKNOWN, merge};

/// One argument after expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Argument {
    /// The text, with marks where it is not known.
    pub(super) text: String,
    /// The places whose content is part of it.
    pub(super) sources: Vec<Use>,
    /// Whether it is a process substitution: a file that holds the sources.
    pub(super) is_process: bool,
    /// Whether an unquoted `*`, `?` or `[` stands in it.
    pub(super) has_glob: bool,
    /// Whether a number stands in it for one that only the running shell knows.
    pub(super) has_number: bool,
    /// The commands whose output is part of it, where they are taken down.
    pub(super) makers: Makers,
}

impl Argument {
    /// An argument that says just this.
    pub(super) fn plain(text: &str) -> Argument {
        Argument { text: text.to_owned(), ..Argument::default() }
    }

    /// The same origin with another text.
    pub(super) fn with_text(&self, text: &str) -> Argument {
        Argument { text: text.to_owned(), ..self.clone() }
    }

    /// Takes over where another one comes from.
    pub(super) fn join_origin(&mut self, other: &Argument) {
        merge(&mut self.sources, other.sources.clone());
        self.makers.join(&other.makers);
        self.has_number |= other.has_number;
    }

    /// Whether the text is known throughout.
    pub(super) fn is_known(&self) -> bool {
        !self.text.contains(UNKNOWN) && !self.text.contains(FOUND)
    }
}

/// What an option of a program takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takes {
    /// Nothing.
    Nothing,
    /// A value, attached or as the next argument.
    Value,
    /// A value only if attached.
    Optional,
}

/// One option as it was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// With its dashes: `-o`, `--output`.
    pub(super) name: String,
    /// Its value, if it has one.
    pub(super) value: Option<Argument>,
}

/// The arguments of a command, divided.
#[derive(Clone, Debug, Default)]
pub(super) struct Divided {
    /// Options, in order.
    pub(super) options: Vec<Given>,
    /// Operands, in order.
    pub(super) operands: Vec<Argument>,
}

impl Divided {
    /// Whether one of these options was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|given| names.contains(&given.name.as_str()))
    }

    /// Whether a long option was given, or something that programs take as short for it.
    pub(super) fn has_like(&self, name: &str) -> bool {
        let short_for = |given: &str| given.len() >= 5 && given.starts_with("--") && name.starts_with(given);
        self.options.iter().any(|given| given.name == name || short_for(&given.name))
    }

    /// The values given to these options.
    pub(super) fn values(&self, names: &[&str]) -> Vec<Argument> {
        let wanted = self.options.iter().filter(|given| names.contains(&given.name.as_str()));
        wanted.filter_map(|given| given.value.clone()).collect()
    }
}

/// How a program reads its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Options may stand between operands.
    Mixed,
    /// The first operand ends the options; the rest belongs to another command.
    OperandsLast,
}

/// Divides arguments into options and operands. Single-letter options may be bundled; `takes` says which take values.
pub(super) fn divide(arguments: &[Argument], order: Order, takes: &dyn Fn(&str) -> Takes) -> Divided {
    let mut divided = Divided::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.text.as_str();
        if text == "--" {
            divided.operands.extend(rest.cloned());
            break;
        }
        if !text.starts_with('-') || text == "-" || argument.is_process {
            divided.operands.push(argument.clone());
            if order == Order::OperandsLast {
                divided.operands.extend(rest.cloned());
                break;
            }
            continue;
        }
        if text.starts_with("--") || takes(text) != Takes::Nothing {
            divided.options.push(long(argument, &mut rest, takes));
        } else {
            bundle(argument, &mut rest, takes, &mut divided.options);
        }
    }
    divided
}

fn long<'a>(
    argument: &Argument,
    rest: &mut impl Iterator<Item = &'a Argument>,
    takes: &dyn Fn(&str) -> Takes,
) -> Given {
    match argument.text.split_once('=') {
        Some((name, value)) if argument.text.starts_with("--") => {
            Given { name: name.to_owned(), value: Some(argument.with_text(value)) }
        }
        _ => {
            let name = argument.text.clone();
            let value = if takes(&name) == Takes::Value { rest.next().cloned() } else { None };
            Given { name, value }
        }
    }
}

fn bundle<'a>(
    argument: &Argument,
    rest: &mut impl Iterator<Item = &'a Argument>,
    takes: &dyn Fn(&str) -> Takes,
    options: &mut Vec<Given>,
) {
    let letters = argument.text.get(1..).unwrap_or_default();
    for (at, letter) in letters.char_indices() {
        let name = format!("-{letter}");
        let after = letters.get(at + letter.len_utf8()..).unwrap_or_default();
        match takes(&name) {
            Takes::Nothing => options.push(Given { name, value: None }),
            Takes::Optional => {
                let value = (!after.is_empty()).then(|| argument.with_text(after));
                options.push(Given { name, value });
                return;
            }
            Takes::Value => {
                let attached = (!after.is_empty()).then(|| argument.with_text(after));
                let value = attached.or_else(|| rest.next().cloned());
                options.push(Given { name, value });
                return;
            }
        }
    }
}
