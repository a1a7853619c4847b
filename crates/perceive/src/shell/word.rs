//! Words: quoting, parameters, substitutions, braces, splitting.

use brush_parser::ast::ProcessSubstitutionKind;
use brush_parser::word::{
    self, Parameter, ParameterExpr, ParameterTransformOp, SpecialParameter, TildeExpr, WordPiece,
};
use brush_parser::word::{BraceExpressionMember, BraceExpressionOrText, WordPieceWithSource};

use super::arguments::Argument;
use super::finding::Doubt;
use super::grammar;
use super::stream::{Stream, UNKNOWN};
use super::walk::Walk;

/// So many words may one word become.
const MAX_WORDS: usize = 64;
/// So many braces of a word may be open at once: the grammar tries each that turns out to hold no list twice, and all
/// within it again, so that every further one doubles the work.
const MAX_BRACES: usize = 10;

/// A word on its way through expansion: finished fields, and the one that is being written.
#[derive(Default)]
struct Fields {
    done: Vec<Argument>,
    current: Argument,
    /// Whether the current field exists although it may be empty.
    begun: bool,
}

/// Whether what is expanded stands in double quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Yes,
    No,
}

impl Fields {
    fn literal(&mut self, text: &str) {
        self.current.text.push_str(text);
        self.begun = true;
    }

    fn expanded(&mut self, value: &Argument, quoted: Quoted) {
        self.current.join_origin(value);
        if quoted == Quoted::Yes {
            self.literal(&value.text);
            return;
        }
        self.current.has_glob |= value.text.contains(['*', '?', '[']);
        let mut parts = value.text.split([' ', '\t', '\n']);
        if let Some(first) = parts.next() {
            self.current.text.push_str(first);
            self.begun |= !first.is_empty();
        }
        for part in parts {
            self.end();
            self.current.join_origin(value);
            self.current.text.push_str(part);
            self.begun = !part.is_empty();
        }
    }

    fn end(&mut self) {
        let field = std::mem::take(&mut self.current);
        if std::mem::take(&mut self.begun) {
            self.done.push(field);
        }
    }
}

impl Walk<'_> {
    /// A word as the arguments that it becomes.
    pub(super) fn expand(&mut self, raw: &str) -> Vec<Argument> {
        let mut arguments = Vec::new();
        self.expand_into(raw, &mut arguments);
        arguments
    }

    /// The same, behind the arguments before it.
    pub(super) fn expand_into(&mut self, raw: &str, arguments: &mut Vec<Argument>) {
        if let Some(text) = plain(raw) {
            arguments.push(Argument::plain(text));
            return;
        }
        for text in self.braces(raw) {
            let mut fields = Fields::default();
            self.word(&text, &mut fields);
            fields.end();
            arguments.append(&mut fields.done);
        }
    }

    /// A word where the shell splits nothing: the value of an assignment, the target of a redirect, a here-string.
    pub(super) fn expand_whole(&mut self, raw: &str) -> Argument {
        let mut fields = Fields::default();
        self.word(raw, &mut fields);
        fields.end();
        let mut fields = fields.done.into_iter();
        let Some(mut whole) = fields.next() else { return Argument::default() };
        for more in fields {
            whole.text.push(' ');
            whole.text.push_str(&more.text);
            whole.join_origin(&more);
            whole.has_glob |= more.has_glob;
        }
        whole
    }

    fn word(&mut self, raw: &str, fields: &mut Fields) {
        if let Some(text) = plain(raw) {
            fields.literal(text);
            return;
        }
        if raw.contains([UNKNOWN, super::stream::FOUND]) && !raw.contains(['$', '`', '\'', '"', '\\']) {
            fields.literal(raw);
            return;
        }
        if let Err(doubt) = grammar::check_text(raw) {
            self.worst(doubt);
            fields.literal(&UNKNOWN.to_string());
            return;
        }
        match word::parse(raw, &grammar::options()) {
            Ok(pieces) => pieces.iter().for_each(|piece| self.piece(raw, piece, Quoted::No, fields)),
            Err(_) => {
                self.worst(Doubt::Unreadable);
                fields.literal(&UNKNOWN.to_string());
            }
        }
    }

    fn piece(&mut self, raw: &str, piece: &WordPieceWithSource, quoted: Quoted, fields: &mut Fields) {
        match &piece.piece {
            WordPiece::Text(text) => {
                fields.current.has_glob |= quoted == Quoted::No && text.contains(['*', '?', '[']);
                fields.literal(text);
            }
            WordPiece::SingleQuotedText(text) => fields.literal(text),
            WordPiece::AnsiCQuotedText(text) => fields.literal(&ansi(text)),
            WordPiece::EscapeSequence(text) => fields.literal(text.strip_prefix('\\').unwrap_or(text)),
            WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                fields.begun = true;
                inner.iter().for_each(|piece| self.piece(raw, piece, Quoted::Yes, fields));
            }
            WordPiece::TildeExpansion(tilde) => fields.literal(&self.tilde(tilde)),
            WordPiece::ParameterExpansion(parameter) => {
                let inside = self.rescan(raw.get(piece.start_index + 1..piece.end_index).unwrap_or(raw));
                let mut value = self.parameter(parameter);
                if let ParameterExpr::AssignDefaultValues { parameter: Parameter::Named(name), .. } =
                    parameter
                {
                    self.shell.variables.insert(name.clone(), inside.clone());
                }
                value.join_origin(&inside);
                fields.expanded(&value, quoted);
            }
            WordPiece::CommandSubstitution(text) => {
                let value = self.substitution(text);
                fields.expanded(&value, quoted);
            }
            WordPiece::BackquotedCommandSubstitution(text) => {
                let value = self.substitution(&unescaped(text));
                fields.expanded(&value, quoted);
            }
            WordPiece::ArithmeticExpression(expression) => {
                let inside = self.rescan(&expression.value);
                // Whatever it is, it is a number, and names no other place.
                fields.literal("0");
                fields.current.has_number = true;
                fields.current.join_origin(&inside);
            }
        }
    }

    /// Looks for substitutions in a text that no grammar has looked into; gives something of unknown text that comes from
    /// all of them.
    pub(super) fn rescan(&mut self, text: &str) -> Argument {
        let mut inside = Argument::plain(&UNKNOWN.to_string());
        if !text.contains("$(") && !text.contains('`') && !text.contains("<(") && !text.contains(">(") {
            return inside;
        }
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        if self.enter() {
            let mut fields = Fields::default();
            self.word(inner, &mut fields);
            fields.end();
            fields.done.iter().for_each(|field| inside.join_origin(field));
            inside.join_origin(&fields.current);
            self.leave();
        }
        inside
    }

    fn tilde(&mut self, tilde: &TildeExpr) -> String {
        match tilde {
            TildeExpr::Home => self.setting.home.clone(),
            TildeExpr::WorkingDir => self.shell.workdir.clone().unwrap_or_else(|| UNKNOWN.to_string()),
            TildeExpr::UserHome(user) if user == "root" => "/root".to_owned(),
            TildeExpr::UserHome(_)
            | TildeExpr::OldWorkingDir
            | TildeExpr::NthDirFromTopOfDirStack { .. }
            | TildeExpr::NthDirFromBottomOfDirStack { .. } => UNKNOWN.to_string(),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other expansion gives an unknown text")]
    fn parameter(&mut self, expression: &ParameterExpr) -> Argument {
        match expression {
            ParameterExpr::Parameter {
                parameter:
                    Parameter::Named(name)
                    | Parameter::NamedWithIndex { name, .. }
                    | Parameter::NamedWithAllIndices { name, .. },
                indirect: false,
            } => self.variable(name),
            ParameterExpr::Parameter { parameter: Parameter::Positional(number), indirect: false } => {
                self.variable(&number.to_string())
            }
            ParameterExpr::Parameter {
                parameter: Parameter::Special(SpecialParameter::AllPositionalParameters { .. }),
                ..
            } => {
                let mut all = Argument::plain(&UNKNOWN.to_string());
                (1..10).for_each(|position| all.join_origin(&self.variable(&position.to_string())));
                all
            }
            ParameterExpr::ParameterLength { .. } => Argument { has_number: true, ..Argument::plain("0") },
            ParameterExpr::Transform { op: ParameterTransformOp::PromptExpand, .. } => {
                self.worst(Doubt::ComputedCommand);
                Argument::plain(&UNKNOWN.to_string())
            }
            ParameterExpr::UseDefaultValues {
                parameter: Parameter::Named(name), indirect: false, ..
            } => self.variable(name),
            ParameterExpr::AssignDefaultValues { parameter: Parameter::Named(name), .. } => {
                self.forget(name);
                Argument::plain(&UNKNOWN.to_string())
            }
            other => {
                // Parts of a variable are not known, but the data in it is.
                let mut part = Argument::plain(&UNKNOWN.to_string());
                named(other).into_iter().for_each(|name| part.join_origin(&self.variable(name)));
                part
            }
        }
    }

    fn variable(&mut self, name: &str) -> Argument {
        if let Some(value) = self.shell.variables.get(name) {
            return value.clone();
        }
        match name {
            "HOME" => Argument::plain(&self.setting.home),
            "IFS" => Argument::plain(" \t\n"),
            "PWD" => match &self.shell.workdir {
                Some(workdir) => Argument::plain(workdir),
                None => Argument::plain(&UNKNOWN.to_string()),
            },
            _ => Argument::plain(&UNKNOWN.to_string()),
        }
    }

    /// The value of a command substitution, after walking it.
    fn substitution(&mut self, text: &str) -> Argument {
        let stream = self.captured(text);
        let text = match stream.text {
            Some(text) => text.trim_end_matches('\n').to_owned(),
            None => UNKNOWN.to_string(),
        };
        Argument { text, sources: stream.sources, makers: stream.makers, ..Argument::default() }
    }

    /// The argument that a process substitution becomes; `output` is what its commands write.
    pub(super) fn process_argument(&mut self, kind: &ProcessSubstitutionKind, output: Stream) -> Argument {
        let (sources, makers) = match kind {
            ProcessSubstitutionKind::Read => (output.sources, output.makers),
            ProcessSubstitutionKind::Write => Default::default(),
        };
        Argument { text: "/dev/fd/63".to_owned(), sources, makers, is_process: true, ..Argument::default() }
    }

    fn braces(&mut self, raw: &str) -> Vec<String> {
        let may_expand = raw.contains('{') && (raw.contains(',') || raw.contains(".."));
        if !may_expand || holds_braces_in_quotes(raw) || grammar::check_text(raw).is_err() {
            return vec![raw.to_owned()];
        }
        if open_braces(raw) > MAX_BRACES {
            self.doubt(Doubt::UnnamedOperand);
            return vec![UNKNOWN.to_string()];
        }
        let Ok(Some(pieces)) = word::parse_brace_expansions(raw, &grammar::options()) else {
            return vec![raw.to_owned()];
        };
        match alternatives(&pieces) {
            Some(words) => words,
            None => {
                self.doubt(Doubt::UnnamedOperand);
                vec![UNKNOWN.to_string()]
            }
        }
    }
}

/// What a word says whose every character stands for itself, bare or in single quotes: most words, for which no grammar
/// is needed. Two dots may be a sequence, whose numbers have a limit.
fn plain(raw: &str) -> Option<&str> {
    let stands_for_itself = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./,:=@%+".contains(&byte);
    let (text, is_quoted) = match raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(quoted) => (quoted, true),
        None => (raw, false),
    };
    let is_plain = text.bytes().all(|byte| stands_for_itself(byte) || is_quoted && byte == b' ');
    (is_plain && !text.is_empty() && !text.contains("..")).then_some(text)
}

/// Whether all braces of a word stand in its one pair of single quotes, as those of a JSON text do.
fn holds_braces_in_quotes(raw: &str) -> bool {
    let mut parts = raw.split('\'');
    let (Some(before), Some(_), Some(after), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_bare = |part: &str| !part.contains(['{', '"', '\\', '$', '`']);
    is_bare(before) && is_bare(after)
}

/// How many braces are open at once at most. Where something may be quoted, a closing brace may be no such thing, and
/// none is counted.
fn open_braces(raw: &str) -> usize {
    let may_quote = raw.contains(['\'', '"', '\\', '$', '`']);
    let mut open = 0_usize;
    let mut most = 0;
    for byte in raw.bytes() {
        match byte {
            b'{' => open += 1,
            b'}' if !may_quote => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

fn alternatives(pieces: &[BraceExpressionOrText]) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    for piece in pieces {
        let choices = match piece {
            BraceExpressionOrText::Text(text) => vec![text.clone()],
            BraceExpressionOrText::Expr(members) => {
                let mut choices = Vec::new();
                for member in members {
                    choices.extend(member_texts(member)?);
                }
                choices
            }
        };
        let longer: Vec<String> = words
            .iter()
            .flat_map(|word| choices.iter().map(move |choice| format!("{word}{choice}")))
            .collect();
        if longer.len() > MAX_WORDS {
            return None;
        }
        words = longer;
    }
    Some(words)
}

fn member_texts(member: &BraceExpressionMember) -> Option<Vec<String>> {
    match member {
        BraceExpressionMember::Child(pieces) => alternatives(pieces),
        BraceExpressionMember::NumberSequence { start, end, increment } => {
            let step = usize::try_from(increment.unsigned_abs().max(1)).ok()?;
            let (low, high) = (*start.min(end), *start.max(end));
            if high.checked_sub(low)? > MAX_WORDS as i64 {
                return None;
            }
            Some((low..=high).step_by(step).map(|number| number.to_string()).collect())
        }
        BraceExpressionMember::CharSequence { start, end, .. } => {
            let (low, high) = (*start.min(end), *start.max(end));
            Some((low..=high).take(MAX_WORDS).map(String::from).collect())
        }
    }
}

/// The name of the variable that an expression looks at, if it is a plain one.
fn named(expression: &ParameterExpr) -> Option<&str> {
    let parameter = match expression {
        ParameterExpr::RemoveSmallestSuffixPattern { parameter, .. }
        | ParameterExpr::RemoveLargestSuffixPattern { parameter, .. }
        | ParameterExpr::RemoveSmallestPrefixPattern { parameter, .. }
        | ParameterExpr::RemoveLargestPrefixPattern { parameter, .. }
        | ParameterExpr::Substring { parameter, .. }
        | ParameterExpr::Transform { parameter, .. }
        | ParameterExpr::ReplaceSubstring { parameter, .. }
        | ParameterExpr::UppercaseFirstChar { parameter, .. }
        | ParameterExpr::UppercasePattern { parameter, .. }
        | ParameterExpr::LowercaseFirstChar { parameter, .. }
        | ParameterExpr::LowercasePattern { parameter, .. }
        | ParameterExpr::UseDefaultValues { parameter, .. }
        | ParameterExpr::UseAlternativeValue { parameter, .. }
        | ParameterExpr::IndicateErrorIfNullOrUnset { parameter, .. } => parameter,
        ParameterExpr::Parameter { .. }
        | ParameterExpr::AssignDefaultValues { .. }
        | ParameterExpr::ParameterLength { .. }
        | ParameterExpr::VariableNames { .. }
        | ParameterExpr::MemberKeys { .. } => return None,
    };
    match parameter {
        Parameter::Named(name) | Parameter::NamedWithIndex { name, .. } => Some(name),
        Parameter::NamedWithAllIndices { name, .. } => Some(name),
        Parameter::Positional(_) | Parameter::Special(_) => None,
    }
}

/// What `$'…'` says: the escapes that can spell a name, and a mark for the others.
fn ansi(text: &str) -> String {
    let mut said = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            said.push(letter);
            continue;
        }
        let (digits, radix) = match letters.next() {
            Some('n') => ("\n".to_owned(), 0),
            Some('t') => ("\t".to_owned(), 0),
            Some(same @ ('\\' | '\'' | '"' | '?')) => (same.to_string(), 0),
            Some('x') => (take_digits(&mut letters, 16, 2), 16),
            Some('u') => (take_digits(&mut letters, 16, 4), 16),
            Some('U') => (take_digits(&mut letters, 16, 8), 16),
            Some(first @ '0'..='7') => (format!("{first}{}", take_digits(&mut letters, 8, 2)), 8),
            _ => (UNKNOWN.to_string(), 0),
        };
        if radix == 0 {
            said.push_str(&digits);
        } else {
            let code = u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32);
            said.push(code.unwrap_or(UNKNOWN));
        }
    }
    said
}

fn take_digits(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> String {
    let mut digits = String::new();
    while digits.len() < most {
        let Some(digit) = letters.next_if(|letter| letter.is_digit(radix)) else { break };
        digits.push(digit);
    }
    digits
}

/// A command in backticks without the escapes that backticks need.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('\\' | '`' | '$')) => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain
}
