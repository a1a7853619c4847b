//! Two readers of the same text, and the limits that are checked before either sees it.
//!
//! brush-parser is the closest to bash, but it recurses without a bound; so every level of nesting that it could see
//! needs a token or a character that is counted first. Counting all of them, closed again or not, is coarse, but holds
//! whatever the text looks like.

use brush_parser::ast::{
    AndOr, Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, IoFileRedirectTarget,
    IoRedirect, Program, RedirectList, SimpleCommand,
};
use brush_parser::{Parser, ParserOptions, Token};
use rable::{Node, NodeKind};

use super::finding::Doubt;

/// Longer texts are not read.
pub const MAX_LENGTH: usize = 64 * 1024;
/// So many words and operators that open a level of grammar (`{`, `(`, `if`, `!`, …) are read.
pub const MAX_STRUCTURE: usize = 48;
/// So many openings of substitutions and expansions (`$(`, `${`, `<(`, a backtick) are read.
pub const MAX_SUBSTITUTIONS: usize = 32;
/// A descriptor has no more digits than this.
const MAX_DESCRIPTOR_DIGITS: usize = 6;
/// So many tokens are read.
const MAX_TOKENS: usize = 8 * 1024;

/// The options under which words and programs are read.
pub(super) fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: true, ..ParserOptions::default() }
}

/// Reads a text, if both grammars accept it; with a doubt if they do not see the same commands.
pub(super) fn read(text: &str) -> Result<(Program, Option<Doubt>), Doubt> {
    check_text(text)?;
    if text.contains(END) {
        return Err(Doubt::Unreadable);
    }
    let options = options();
    let tokens = if needs_no_count(text) { None } else { Some(counted(text, &options)?) };
    let nodes = rable::parse(text, true).map_err(|_| Doubt::Unreadable)?;
    let program = match tokens {
        Some(tokens) => brush_parser::parse_tokens(&tokens, &options),
        None => Parser::new(text.as_bytes(), &options).parse_program(),
    };
    let program = program.map_err(|_| Doubt::Unreadable)?;
    let mut first = Seen::for_text(text);
    program.complete_commands.iter().for_each(|list| first.list(list));
    let mut second = Seen::for_text(text);
    nodes.iter().for_each(|node| second.node(node));
    let doubt = (!first.matches(&second)).then_some(Doubt::GrammarsDisagree);
    Ok((program, doubt))
}

/// Whether a piece of text may be given to a parser of words.
pub(super) fn check_text(text: &str) -> Result<(), Doubt> {
    if text.len() > MAX_LENGTH {
        return Err(Doubt::TooLarge);
    }
    // Numbers of directories after a tilde (`~2`, `~+2`) and in braces are taken for granted to be small, too.
    let long_number = |part: &str| {
        let digits = part.trim_start_matches(['+', '-']).bytes().take_while(u8::is_ascii_digit).count();
        digits > MAX_DESCRIPTOR_DIGITS
    };
    let ends_in_long_number =
        |part: &str| part.bytes().rev().take_while(u8::is_ascii_digit).count() > MAX_DESCRIPTOR_DIGITS;
    let has_long_number = text.contains('~') && text.split('~').skip(1).any(long_number)
        || text.contains("..")
            && (text.split("..").skip(1).any(long_number)
                || text.rsplit("..").skip(1).any(ends_in_long_number));
    if has_long_number {
        return Err(Doubt::Unreadable);
    }
    let bytes = text.as_bytes();
    let opens = |pair: &&[u8]| match pair {
        [before, b'('] => b"$<>(@?*+!".contains(before),
        [b'$', b'{' | b'['] => true,
        _ => false,
    };
    let pairs = bytes.windows(2).filter(opens).count();
    let backticks = bytes.iter().filter(|byte| **byte == b'`').count();
    let fits = pairs + backticks.div_ceil(2) <= MAX_SUBSTITUTIONS;
    if fits { Ok(()) } else { Err(Doubt::TooLarge) }
}

/// Whether a text is so small that its tokens keep within their limits however it is parted: every token is a piece of
/// the text as it stands, unless a backslash joins lines. To part it only to count would cost as much as to parse it.
fn needs_no_count(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_TOKENS || bytes.contains(&b'\\') {
        return false;
    }
    let is_number = |part: &[u8]| part.len() > MAX_DESCRIPTOR_DIGITS;
    if bytes.split(|byte| !byte.is_ascii_digit()).any(is_number) {
        return false;
    }
    // The first letters of everything that `check_tokens` counts.
    let may_open = |pair: &&[u8]| {
        matches!(
            *pair,
            [b'{' | b'(' | b'[' | b'!', _]
                | b"if"
                | b"el"
                | b"wh"
                | b"un"
                | b"fo"
                | b"fu"
                | b"ca"
                | b"co"
                | b"se"
                | b"do"
                | b"th"
                | b"ti"
        )
    };
    // The last byte begins no pair.
    bytes.windows(2).filter(may_open).count() < MAX_STRUCTURE
}

/// The tokens of a text, if the parser can take them.
fn counted(text: &str, options: &ParserOptions) -> Result<Vec<Token>, Doubt> {
    let tokens = brush_parser::uncached_tokenize_str(text, &options.tokenizer_options());
    let tokens = tokens.map_err(|_| Doubt::Unreadable)?;
    check_tokens(&tokens)?;
    Ok(tokens)
}

fn check_tokens(tokens: &[Token]) -> Result<(), Doubt> {
    // The parser takes for granted that the number before a redirect fits into its integer, and panics if not.
    let before_operator = |pair: &[Token]| match pair {
        [Token::Word(word, number), Token::Operator(operator, redirect)] => {
            word.len() > MAX_DESCRIPTOR_DIGITS
                && word.bytes().all(|byte| byte.is_ascii_digit())
                && operator.starts_with(['<', '>'])
                && number.end.index >= redirect.start.index
        }
        _ => false,
    };
    if tokens.windows(2).any(before_operator) {
        return Err(Doubt::Unreadable);
    }
    let opens = |token: &&Token| match token {
        Token::Operator(operator, _) => operator == "(",
        Token::Word(word, _) => matches!(
            word.as_str(),
            "{" | "("
                | "(("
                | "[["
                | "!"
                | "if"
                | "elif"
                | "else"
                | "while"
                | "until"
                | "for"
                | "case"
                | "select"
                | "do"
                | "then"
                | "function"
                | "coproc"
                | "time"
        ),
    };
    let fits = tokens.len() <= MAX_TOKENS && tokens.iter().filter(opens).count() <= MAX_STRUCTURE;
    if fits { Ok(()) } else { Err(Doubt::TooLarge) }
}

/// The simple commands that a reader sees outside words. Process substitutions are parsed by both readers on the way,
/// other substitutions are read later, from their text, by both again.
#[derive(Debug)]
struct Seen {
    /// The words of all commands, each with a mark behind it that no text holds.
    text: String,
    /// Where each command ends.
    ends: Vec<usize>,
}

/// The words of a command that is being read; other commands may stand inside it.
type Words<'w> = Vec<&'w str>;

impl Seen {
    fn for_text(text: &str) -> Seen {
        Seen { text: String::with_capacity(text.len() + text.len() / 2), ends: Vec::with_capacity(16) }
    }

    fn add(&mut self, words: &Words<'_>) {
        for word in words {
            self.push(word);
            self.text.push(END);
        }
        if !words.is_empty() {
            self.ends.push(self.text.len());
        }
    }

    /// Adds a word without the white space and escapes inside it, which one of the readers keeps more literally.
    fn push(&mut self, word: &str) {
        if word.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
            self.text.push_str(word);
        } else {
            let is_dropped = |letter: char| letter.is_whitespace() || letter == '\\';
            word.split(is_dropped).for_each(|part| self.text.push_str(part));
        }
    }

    /// Whether two readers see the same commands, each equally often, in whatever order.
    fn matches(&self, other: &Seen) -> bool {
        if self.ends == other.ends && self.text == other.text {
            return true;
        }
        self.sorted() == other.sorted()
    }

    fn sorted(&self) -> Vec<&str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let commands = starts.zip(&self.ends).filter_map(|(start, end)| self.text.get(*start..*end));
        let mut commands: Vec<&str> = commands.collect();
        commands.sort_unstable();
        commands
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            let rest = item.0.additional.iter().map(|more| match more {
                AndOr::And(pipeline) | AndOr::Or(pipeline) => pipeline,
            });
            for pipeline in std::iter::once(&item.0.first).chain(rest) {
                pipeline.seq.iter().for_each(|command| self.command(command));
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(_, redirects) => self.redirects(redirects.as_ref()),
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        if let IoRedirect::File(_, _, IoFileRedirectTarget::ProcessSubstitution(_, subshell)) = redirect {
            self.list(&subshell.list);
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(_) => {}
            CompoundCommand::ArithmeticForClause(clause) => self.list(&clause.body.list),
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list),
            CompoundCommand::ForClause(clause) => self.list(&clause.body.list),
            CompoundCommand::CaseClause(clause) => {
                clause.cases.iter().filter_map(|case| case.cmd.as_ref()).for_each(|list| self.list(list));
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list));
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        let mut words = Words::with_capacity(8);
        words.extend(simple.word_or_name.iter().map(|word| word.value.as_str()));
        simple.prefix.iter().flat_map(|prefix| &prefix.0).for_each(|item| self.item(item, None));
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, Some(&mut words));
        }
        self.add(&words);
    }

    fn item<'w>(&mut self, item: &'w CommandPrefixOrSuffixItem, words: Option<&mut Words<'w>>) {
        match item {
            CommandPrefixOrSuffixItem::Word(word) | CommandPrefixOrSuffixItem::AssignmentWord(_, word) => {
                words.into_iter().for_each(|words| words.push(&word.value));
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                words.into_iter().for_each(|words| words.push(PROCESS));
                self.list(&subshell.list);
            }
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
        }
    }
}

/// Stands for a process substitution, whose text the two readers keep differently.
const PROCESS: &str = "<(…)";

/// Ends a word among several; a line with this character in it is not read.
const END: char = '\0';

/// The same for the second reader.
impl Seen {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "forty kinds of words and parts of words hold no command here"
    )]
    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Command { words, redirects, .. } => {
                let mut seen = Words::with_capacity(words.len());
                words.iter().for_each(|word| seen.push(self.word(word)));
                self.add(&seen);
                self.nodes(redirects);
            }
            NodeKind::Pipeline { commands, .. } => self.nodes(commands),
            NodeKind::List { items } => items.iter().for_each(|item| self.node(&item.command)),
            NodeKind::If { condition, then_body, else_body, redirects } => {
                self.node(condition);
                self.node(then_body);
                else_body.iter().for_each(|body| self.node(body));
                self.nodes(redirects);
            }
            NodeKind::While { condition, body, redirects }
            | NodeKind::Until { condition, body, redirects } => {
                self.node(condition);
                self.node(body);
                self.nodes(redirects);
            }
            NodeKind::For { body, redirects, .. }
            | NodeKind::ForArith { body, redirects, .. }
            | NodeKind::Select { body, redirects, .. }
            | NodeKind::Subshell { body, redirects }
            | NodeKind::BraceGroup { body, redirects } => {
                self.node(body);
                self.nodes(redirects);
            }
            NodeKind::Case { patterns, redirects, .. } => {
                patterns.iter().filter_map(|pattern| pattern.body.as_ref()).for_each(|body| self.node(body));
                self.nodes(redirects);
            }
            NodeKind::Function { body: inner, .. }
            | NodeKind::Coproc { command: inner, .. }
            | NodeKind::Negation { pipeline: inner }
            | NodeKind::Time { pipeline: inner, .. } => self.node(inner),
            NodeKind::Redirect { target, .. } => {
                self.word(target);
            }
            NodeKind::ArithmeticCommand { redirects, .. } | NodeKind::ConditionalExpr { redirects, .. } => {
                self.nodes(redirects);
            }
            // What is left are words and what stands in them; commands in words are read from their text.
            _ => {}
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn word<'n>(&mut self, node: &'n Node) -> &'n str {
        let NodeKind::Word { value, parts, .. } = &node.kind else { return "" };
        if let [Node { kind: NodeKind::ProcessSubstitution { command, .. }, .. }] = parts.as_slice() {
            self.node(command);
            return PROCESS;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WORDS: [&str; 34] = [
        "{",
        "}",
        "(",
        ")",
        "((",
        "[[",
        "]]",
        "!",
        "if",
        "elif",
        "else",
        "fi",
        "while",
        "until",
        "for",
        "case",
        "esac",
        "select",
        "do",
        "done",
        "then",
        "function",
        "coproc",
        "time",
        "a",
        "x=1",
        "1234567",
        "1234567>",
        "2>",
        "\\\n",
        "i\\\nf",
        "<<E\nif\nE\n",
        "'if'",
        "$(if",
    ];

    fn lines() -> impl Strategy<Value = String> {
        let word = (prop::sample::select(&WORDS[..]), prop::sample::select(&[" ", "", ";", "\n", "&&"][..]));
        prop::collection::vec(word, 0..70)
            .prop_map(|words| words.iter().map(|(word, end)| format!("{word}{end}")).collect())
    }

    proptest! {
        #[test]
        fn what_needs_no_count_would_pass_it(line in lines()) {
            if needs_no_count(&line) {
                let tokens = brush_parser::uncached_tokenize_str(&line, &options().tokenizer_options());
                if let Ok(tokens) = tokens {
                    prop_assert!(check_tokens(&tokens).is_ok(), "{line:?}");
                }
            }
        }
    }

    #[test]
    fn both_ways_are_taken() {
        assert!(needs_no_count("if true; then cat a; fi"));
        assert!(!needs_no_count(&"if ".repeat(MAX_STRUCTURE)));
        assert!(!needs_no_count("cat 1234567>a"));
        assert!(!needs_no_count("i\\\nf"));
    }
}
