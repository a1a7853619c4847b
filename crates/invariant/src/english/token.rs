//! A sentence as words: what is written out as a word, and what stands for itself, such as a path or a number.

mod ends;

use ends::FILE_ENDS;

/// What a word looks like.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Shape {
    /// A word of the language, or a name.
    Word,
    /// Digits, perhaps with what belongs to them: `500`, `9:30`, `4pm`, `10MB`, `2026-04-01`.
    Number,
    /// In quotation marks: text that stands for itself.
    Quoted,
    /// A path or a file's name: `docs/`, `/home/u`, `journal.md`, `*.pdf`, `.env`.
    Path,
    /// A host or a domain, perhaps with more behind it: `acme.com`, `*.acme.com`.
    Host,
    /// An address of a web page.
    Url,
    /// A mail address.
    Address,
    /// `#general`.
    Channel,
    /// `@here`.
    Mention,
    /// `:eyes:`.
    Emoji,
    /// `--force`.
    Flag,
    /// Something no language has: `write_file`, `C07LEGALQ1`, a UUID.
    Identifier,
    /// A mark that ends or joins: `,` `.` `:` `;` `!` `?` `(` `)`.
    Mark(char),
}

/// A word where it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Token {
    /// As it is written.
    pub(crate) text: String,
    /// In lower case, with plain apostrophes.
    pub(crate) low: String,
    pub(crate) shape: Shape,
    /// Where it begins in the sentence, in bytes.
    pub(crate) at: usize,
}

/// Where a word stands tells it from nearly all others.
impl std::hash::Hash for Token {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.low.hash(state);
        self.at.hash(state);
    }
}

impl Token {
    /// Whether it begins with a capital letter: perhaps a name.
    pub(crate) fn is_capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// Whether files end so.
pub(crate) fn is_file_end(end: &str) -> bool {
    FILE_ENDS.contains(&end) || matches!(end, "exe" | "msi" | "dmg" | "iso" | "jar" | "rar" | "7z")
}

/// Cuts a sentence into words.
pub(crate) fn tokens(sentence: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = 0;
    while let Some(start) = next_start(sentence, rest) {
        let tail = sentence.get(start..).unwrap_or_default();
        if let Some((inner, length)) = quoted(tail) {
            push(&mut tokens, inner, Shape::Quoted, start);
            rest = start + length;
            continue;
        }
        // `("Kind regards, Ola")`
        let inner = tail.strip_prefix('(').filter(|inner| inner.starts_with(['"', '“', '«']));
        if inner.and_then(quoted).is_some() {
            push(&mut tokens, "(", Shape::Mark('('), start);
            rest = start + 1;
            continue;
        }
        let end = tail.find(char::is_whitespace).unwrap_or(tail.len());
        // What stands right behind a quotation ends the sentence.
        let is_mark = |letter: char| matches!(letter, '.' | ',' | '!' | '?' | ';' | ':');
        if start == rest && start > 0 && tail.get(..end).is_some_and(|stretch| stretch.chars().all(is_mark)) {
            for (offset, mark) in tail.get(..end).unwrap_or_default().char_indices() {
                push(&mut tokens, &mark.to_string(), Shape::Mark(mark), start + offset);
            }
            rest = start + end;
            continue;
        }
        let after = tail.get(end..).unwrap_or_default().trim();
        pieces(tail.get(..end).unwrap_or_default(), after, start, &mut tokens);
        rest = start + end;
    }
    firms(tokens)
}

/// "Brandl & Partner" is one name.
fn firms(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut waiting = tokens.into_iter().peekable();
    while let Some(token) = waiting.next() {
        let is_name = |token: &Token| token.is_capital() && token.shape == Shape::Word;
        let follows = waiting.peek().is_some_and(is_name);
        match joined.last_mut() {
            Some(before) if token.shape == Shape::Mark('&') && follows && is_name(before) => {
                let Some(next) = waiting.next() else { break };
                before.text = format!("{} & {}", before.text, next.text);
                before.low = format!("{} & {}", before.low, next.low);
            }
            _ => joined.push(token),
        }
    }
    joined
}

fn next_start(sentence: &str, from: usize) -> Option<usize> {
    let tail = sentence.get(from..)?;
    tail.find(|letter: char| !letter.is_whitespace()).map(|at| from + at)
}

/// Text in quotation marks, and how long it is with them. An apostrophe inside a word is none.
fn quoted(tail: &str) -> Option<(&str, usize)> {
    let open = tail.chars().next()?;
    let close = match open {
        '"' => '"',
        '“' => '”',
        '`' => '`',
        '\'' => '\'',
        '‘' => '’',
        '«' => '»',
        '[' => ']',
        _ => return None,
    };
    let inner = tail.get(open.len_utf8()..)?;
    let is_end = |at: usize| {
        let after = inner.get(at + close.len_utf8()..).and_then(|after| after.chars().next());
        after.is_none_or(|letter| !letter.is_alphanumeric())
    };
    let at = inner.match_indices(close).map(|(at, _)| at).find(|at| is_end(*at))?;
    let text = inner.get(..at).filter(|text| !text.trim().is_empty())?;
    let length = open.len_utf8() + at + close.len_utf8();
    // Square brackets are a part of what they hold.
    Some((if open == '[' { tail.get(..length)? } else { text }, length))
}

/// One stretch without white space: marks around it are cut off.
fn pieces(stretch: &str, after: &str, start: usize, tokens: &mut Vec<Token>) {
    // `;` and `&&` that stand alone are signs of the shell.
    if crate::facts::SIGNS.contains(&stretch) && stretch != "&" {
        push(tokens, stretch, Shape::Quoted, start);
        return;
    }
    let body = stretch.trim_start_matches(['(', '[', '"', '“']);
    for (at, mark) in stretch.get(..stretch.len() - body.len()).unwrap_or_default().char_indices() {
        push(tokens, &mark.to_string(), Shape::Mark(if mark == '[' { '(' } else { mark }), start + at);
    }
    let at = start + stretch.len() - body.len();
    let core = trim_end(body);
    if !core.is_empty() {
        word(core, at, tokens);
    }
    let marks = body.get(core.len()..).unwrap_or_default();
    // "max. 40 lines" is no end of a sentence.
    let is_short =
        matches!(core.to_lowercase().as_str(), "max" | "min" | "approx" | "no" | "nr" | "incl" | "excl");
    if is_short && marks == "." && after.starts_with(|letter: char| letter.is_ascii_digit()) {
        return;
    }
    // Neither is "i.e. .gov.uk".
    if matches!(core.to_lowercase().as_str(), "i.e" | "e.g" | "resp" | "vs")
        && marks == "."
        && !after.is_empty()
    {
        return;
    }
    // Nor is "Dr. Okafor".
    let is_title = matches!(core, "Dr" | "Mr" | "Mrs" | "Ms" | "Prof" | "St");
    if is_title && marks == "." && after.starts_with(char::is_uppercase) {
        return;
    }
    // "J. Brandt" is one person.
    let is_initial = core.len() == 1 && core.chars().all(char::is_uppercase) && core != "I";
    if is_initial && marks == "." && after.starts_with(char::is_uppercase) && !begins_anew(after) {
        tokens.pop();
        push(tokens, &format!("{core}."), Shape::Word, at);
        return;
    }
    // `feat:` in a list, or at the end, is written with its colon.
    let is_last = after.is_empty() || after.starts_with("or ") || after.starts_with("and ");
    let is_prefix = marks == ":," || (marks.starts_with(':') && is_last);
    if is_prefix && is_plain(core) {
        tokens.pop();
        push(tokens, &format!("{core}:"), Shape::Quoted, at);
        if marks == ":," {
            push(tokens, ",", Shape::Mark(','), at + core.len() + 1);
        }
        return;
    }
    // Dots behind a path that leave something out end no sentence: "/home/u/...". Behind words they are a pause.
    let kept = marks.replace("...", "").replace('…', "");
    let is_left_out = kept.len() < marks.len() && !after.is_empty() && core.ends_with('/');
    let marks = if is_left_out { kept.as_str() } else { marks };
    for (offset, mark) in marks.char_indices() {
        let mark_at = at + core.len() + offset;
        push(tokens, &mark.to_string(), Shape::Mark(if mark == ']' { ')' } else { mark }), mark_at);
    }
}

/// Whether a sentence begins here rather than a name: "It is all written in R. Please don't use Python."
fn begins_anew(after: &str) -> bool {
    const FIRST: &[&str] = &[
        "all",
        "an",
        "any",
        "anything",
        "ask",
        "do",
        "don't",
        "every",
        "everything",
        "for",
        "if",
        "in",
        "it",
        "never",
        "no",
        "nobody",
        "nothing",
        "only",
        "our",
        "please",
        "so",
        "that",
        "the",
        "then",
        "there",
        "they",
        "this",
        "use",
        "we",
        "when",
        "you",
        "your",
    ];
    let first =
        after.split(|letter: char| letter.is_whitespace() || letter == ',').next().unwrap_or_default();
    FIRST.contains(&first.to_lowercase().as_str())
}

fn trim_end(body: &str) -> &str {
    // `:eyes:` keeps its colons, and `~/.` its dot.
    let is_emoji = |text: &str| text.len() > 2 && text.starts_with(':') && text.ends_with(':');
    let mut core = body;
    // So does `print()` its brackets.
    let is_call = |text: &str| text.len() > 2 && text.ends_with("()");
    while !is_emoji(core) && !is_call(core) {
        let shorter = core.strip_suffix([',', ';', '!', '?', ')', ']', ':', '"', '”', '…']);
        let shorter =
            shorter.or_else(|| core.strip_suffix('.').filter(|_| !matches!(core, "." | ".." | "./")));
        match shorter {
            Some(shorter) => core = shorter,
            None => break,
        }
    }
    core
}

fn word(core: &str, at: usize, tokens: &mut Vec<Token>) {
    // Dashes between words are pauses.
    if matches!(core, "-" | "–" | "—" | "&" | "+") {
        let mark = if core == "&" || core == "+" { '&' } else { ',' };
        push(tokens, core, Shape::Mark(mark), at);
        return;
    }
    if matches!(core.to_ascii_lowercase().as_str(), "free/busy" | "free-busy") {
        push(tokens, "freebusy", Shape::Word, at);
        return;
    }
    // `read/write` is two words.
    if let Some((left, right)) = core.split_once('/')
        && is_plain(left)
        && is_plain(right)
        && is_alternative(left)
        && is_alternative(right)
    {
        push(tokens, left, Shape::Word, at);
        push(tokens, "or", Shape::Word, at + left.len());
        push(tokens, right, Shape::Word, at + left.len() + 1);
        return;
    }
    // "A 10-minute reminder" has a number in it.
    if let Some((number, unit)) = core.split_once('-')
        && is_plain(unit)
        && !number.is_empty()
        && number.chars().all(|letter| letter.is_ascii_digit())
        && UNITS.contains(&unit)
    {
        push(tokens, number, Shape::Number, at);
        push(tokens, unit, Shape::Word, at + number.len() + 1);
        return;
    }
    // "ceo@acme.com's calendar" is that of an address.
    let owned = core.strip_suffix("'s").or_else(|| core.strip_suffix("’s"));
    if let Some(owner) = owned.filter(|owner| matches!(shape(owner), Shape::Address | Shape::Channel)) {
        push(tokens, owner, shape(owner), at);
        return;
    }
    push(tokens, core, shape(core), at);
}

/// What is counted by a number that is written with it.
const UNITS: &[&str] = &[
    "minute",
    "minutes",
    "min",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "line",
    "lines",
    "word",
    "words",
    "page",
    "pages",
    "character",
    "characters",
    "second",
    "seconds",
    "euro",
    "euros",
    "dollar",
];

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_lowercase())
}

/// Words that people join by a stroke. Anything else with a stroke is a path.
fn is_alternative(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "add", "and", "or", "read", "write", "edit", "delete", "create", "update", "change", "modify",
        "remove", "move", "rename", "upload", "download", "send", "share", "post", "mail", "emails", "email",
        "message", "insert", "drop", "truncate", "alter", "push", "pull", "commit", "merge", "open", "close",
        "buy", "pay", "rm", "mv", "cp", "cc", "bcc", "his", "her", "he", "she", "execute", "run", "look",
        "type", "click",
    ];
    WORDS.contains(&word)
}

fn push(tokens: &mut Vec<Token>, text: &str, shape: Shape, at: usize) {
    let low = text.to_lowercase().replace(['’', '‘', '`'], "'");
    tokens.push(Token { text: text.to_owned(), low, shape, at });
}

fn shape(core: &str) -> Shape {
    let first = core.chars().next().unwrap_or(' ');
    match first {
        '#' if core.len() > 1 => return Shape::Channel,
        '@' if core.len() > 1 && !core.contains('.') => return Shape::Mention,
        ':' if core.len() > 2 && core.ends_with(':') => return Shape::Emoji,
        '-' if core.len() > 1 => return Shape::Flag,
        '€' | '$' | '£' if core.chars().any(|letter| letter.is_ascii_digit()) => return Shape::Number,
        _ => {}
    }
    if core.starts_with("http://") || core.starts_with("https://") {
        return Shape::Url;
    }
    if let Some((who, host)) = core.split_once('@')
        && (!host.is_empty() || !who.is_empty())
    {
        return if who.is_empty() { Shape::Host } else { Shape::Address };
    }
    if is_number(core) {
        return Shape::Number;
    }
    if is_path(core) {
        return Shape::Path;
    }
    if is_host(core) {
        return Shape::Host;
    }
    if is_identifier(core) { Shape::Identifier } else { Shape::Word }
}

/// Begins with a digit and ends in a unit at most.
fn is_number(core: &str) -> bool {
    let digits = core.trim_start_matches(|letter: char| letter.is_ascii_digit() || ":.,-".contains(letter));
    let unit = digits.trim_start_matches(['€', '$', '£', '%']);
    let ordinary =
        ["", "h", "am", "pm", "kb", "mb", "gb", "b", "k", "m", "min", "mins", "s", "th", "st", "nd", "rd"];
    core.starts_with(|letter: char| letter.is_ascii_digit())
        && ordinary.contains(&unit.to_lowercase().as_str())
        && core.matches('.').count() <= 2
}

fn is_path(core: &str) -> bool {
    if core.starts_with(['/', '~'])
        || core.starts_with("./")
        || core.starts_with("../")
        || matches!(core, "." | "..")
    {
        return true;
    }
    let has_drive = core.get(1..3) == Some(":\\") || core.get(1..3) == Some(":/");
    if has_drive {
        return true;
    }
    // A host with a path behind it is a page.
    let head = core.split('/').next().unwrap_or(core);
    if core.contains('/') && !is_host(head) {
        return true;
    }
    // A name that begins with a dot, or ends as files do.
    if core.starts_with('.') && core.len() > 1 && !core.contains('/') {
        return true;
    }
    match core.rsplit_once('.') {
        Some((stem, end)) => {
            !stem.is_empty()
                && (FILE_ENDS.contains(&end.to_lowercase().as_str())
                    || is_unknown_end(stem, end)
                    || (stem.contains('*')
                        && end.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '*')
                        && !is_suffix(end)))
        }
        None => false,
    }
}

/// Whether a name ends as no host does, so that it is one of a file: `tree.ged`.
fn is_unknown_end(stem: &str, end: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    stem.len() > 2
        && stem.chars().all(is_name)
        && stem.chars().any(char::is_alphabetic)
        && (2..=6).contains(&end.len())
        && end.chars().all(is_letter)
        && end.chars().any(|letter| letter.is_ascii_lowercase())
        && !is_suffix(end)
        && !matches!(
            end,
            "lan" | "local" | "internal" | "corp" | "home" | "intra" | "test" | "example" | "localhost"
        )
}

fn is_suffix(end: &str) -> bool {
    psl::suffix(end.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

fn is_host(core: &str) -> bool {
    let host = core.split('/').next().unwrap_or(core).split(':').next().unwrap_or(core);
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == '*')
    };
    if labels.len() < 2 || !labels.iter().all(is_label) {
        return false;
    }
    let end = labels.last().copied().unwrap_or_default().to_lowercase();
    let is_private = matches!(
        end.as_str(),
        "lan" | "local" | "internal" | "corp" | "home" | "intra" | "test" | "example" | "localhost"
    );
    end.chars().any(char::is_alphabetic) && (is_private || is_suffix(&end))
}

/// Underscores, digits among letters, or capitals in the middle.
fn is_identifier(core: &str) -> bool {
    let has_digit = core.chars().any(|letter| letter.is_ascii_digit());
    let has_letter = core.chars().any(char::is_alphabetic);
    let is_camel =
        core.chars().zip(core.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    // `mergeMethod` is one, `LinkedIn` is a name.
    let is_camel = is_camel && core.starts_with(char::is_lowercase) && !core.contains('\'');
    core.contains('_') || core.contains('*') || core.ends_with("()") || (has_digit && has_letter) || is_camel
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(sentence: &str) -> Vec<String> {
        tokens(sentence).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn dots_of_short_words_and_initials_end_no_sentence() {
        assert_eq!(cut("sign as J. Brandt"), ["sign", "as", "J.", "Brandt"]);
        assert_eq!(cut("it is in R. Please stop"), ["it", "is", "in", "R", ".", "Please", "stop"]);
        assert_eq!(cut("i.e. .gov.uk"), ["i.e", ".gov.uk"]);
        assert_eq!(cut("that was I. Stop"), ["that", "was", "I", ".", "Stop"]);
    }

    #[test]
    fn what_is_written_together_is_cut_where_it_means_two_things() {
        assert_eq!(cut("it ends (\"Yours, Ola\") so"), ["it", "ends", "(", "Yours, Ola", ")", "so"]);
        assert_eq!(cut("a 10-minute reminder"), ["a", "10", "minute", "reminder"]);
        assert_eq!(cut("ceo@acme.com's calendar"), ["ceo@acme.com", "calendar"]);
        assert_eq!(cut("no print() in (src/)"), ["no", "print()", "in", "(", "src/", ")"]);
    }
}
