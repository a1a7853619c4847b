//! What exactly is used where a name stands for more: the files of a repository, the patterns of a search.
//!
//! Details decide whether a use is sensitive, and nothing else. So what might be a file is told as one, and where a
//! command names none the use is left to its name.

use crate::Use;
use crate::paths::NoLinks;

use super::arguments::{Argument, Divided};
use super::finding::Doubt;
use super::place;
use super::walk::Walk;

/// So many places are told apart by the patterns of a search.
const MOST_SELECTED: usize = 512;
/// Tests of `find` whose value is a pattern over the last segment.
const NAME_TESTS: &[&str] = &["-name", "-iname", "-lname", "-ilname"];
/// Tests of `find` whose value is a pattern over the whole path.
const PATH_TESTS: &[&str] = &["-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"];
/// Options with which Git tells about files without showing them.
const SUMMARIES: &[&str] = &[
    "--stat",
    "--shortstat",
    "--numstat",
    "--dirstat",
    "--summary",
    "--name-only",
    "--name-status",
    "--no-patch",
    "-s",
    "--quiet",
    "--raw",
];
/// Options with which a log shows what was changed.
const PATCHES: &[&str] =
    &["-p", "-u", "--patch", "-L", "--full-diff", "-c", "--cc", "-m", "-U", "--unified", "--word-diff"];

/// The patterns by which `find` selects, as paths below where it starts.
pub(super) fn find_patterns(expression: &[Argument]) -> Vec<String> {
    let mut patterns = Vec::new();
    let mut is_negated = false;
    let mut words = expression.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let is_name = NAME_TESTS.contains(&text);
        if is_name || PATH_TESTS.contains(&text) {
            let value = words.next().map(|value| value.text.as_str()).unwrap_or_default();
            if !is_negated {
                patterns.push(if is_name { value.to_owned() } else { plain_expression(value) });
            }
        }
        is_negated = matches!(text, "!" | "-not");
    }
    patterns
}

/// A regular expression or a pattern over whole paths, as a path with wildcards.
pub(super) fn plain_expression(text: &str) -> String {
    let text = text.trim_start_matches('^').trim_end_matches('$').replace(".*", "*").replace('\\', "");
    text.trim_start_matches("./").trim_start_matches("*/").to_owned()
}

impl Walk<'_> {
    /// Places of which a search shows what its patterns select. What a place as a whole would be stays among the details,
    /// so that a pattern never makes a use less sensitive.
    pub(super) fn selected(&mut self, places: Vec<Use>, patterns: &[String]) -> Vec<Use> {
        if patterns.is_empty() {
            return places;
        }
        if places.len().saturating_mul(patterns.len()) > MOST_SELECTED {
            self.worst(Doubt::TooLarge);
            return places;
        }
        let with_details = |used: Use| {
            if !used.name.starts_with('/') {
                return used;
            }
            let stem = used.name.trim_end_matches('/');
            let mut details = vec![used.name.clone(), format!("{stem}/*")];
            details.extend(patterns.iter().filter_map(|pattern| place::path(&used.name, pattern, &NoLinks)));
            Use { details, ..used }
        };
        places.into_iter().map(with_details).collect()
    }

    /// The files of the repository that a subcommand of Git shows or takes in.
    pub(super) fn repository_files(
        &self,
        name: &str,
        arguments: &[Argument],
        divided: &Divided,
    ) -> Vec<String> {
        if !shows_content(name, divided) {
            return Vec::new();
        }
        let Some(repository) = &self.shell.workdir else { return Vec::new() };
        // After `--` stand files alone, before it revisions too.
        let mark = arguments.iter().position(|argument| argument.text == "--");
        let marked = mark.map_or(&[][..], |at| arguments.get(at + 1..).unwrap_or_default());
        let before = divided.operands.len().saturating_sub(marked.len());
        let unmarked = divided.operands.iter().take(before).enumerate();
        let files = unmarked.filter_map(|(at, operand)| unmarked_file(name, at, &operand.text));
        // `-L 1,20:file` names the file behind its lines.
        let ranges = divided.values(&["-L"]);
        let ranges = ranges.iter().filter_map(|range| range.text.rsplit_once(':')).map(|(_, file)| file);
        files
            .chain(ranges)
            .chain(marked.iter().map(|operand| operand.text.as_str()))
            .filter_map(path_of)
            .filter_map(|file| place::path(repository, file, &NoLinks))
            .filter(|file| file != repository)
            .collect()
    }
}

/// Whether the subcommand brings the content of files to light, or into the repository.
fn shows_content(name: &str, divided: &Divided) -> bool {
    match name {
        "show" | "diff" | "diff-tree" | "diff-index" | "diff-files" | "range-diff" => !divided.has(SUMMARIES),
        "log" | "whatchanged" | "reflog" | "stash" if !is_saving(name, divided) => divided.has(PATCHES),
        "blame" | "annotate" | "cat-file" | "archive" | "grep" | "format-patch" | "stash" => true,
        "add" | "stage" | "commit" | "checkout" | "restore" | "reset" | "update-index" | "hash-object"
        | "mv" => true,
        _ => false,
    }
}

fn is_saving(name: &str, divided: &Divided) -> bool {
    name == "stash"
        && divided.operands.first().is_some_and(|first| matches!(first.text.as_str(), "push" | "save"))
}

/// The file that an operand before `--` may name.
fn unmarked_file<'t>(name: &str, at: usize, text: &'t str) -> Option<&'t str> {
    if let Some((_, file)) = text.rsplit_once(':')
        && ![":(", ":!", ":^"].iter().any(|magic| text.starts_with(magic))
    {
        return Some(file);
    }
    match (name, at) {
        // What is looked for, and what kind of object is shown.
        ("grep" | "cat-file" | "stash", 0) => None,
        // The name of a branch more often than not; a file has a dot somewhere.
        ("checkout" | "reset", 0) => text.contains('.').then_some(text),
        _ => Some(text),
    }
}

/// The path of a pathspec; nothing for one that leaves files out.
fn path_of(spec: &str) -> Option<&str> {
    let path = match spec.strip_prefix(':') {
        None => spec,
        Some(magic) if magic.starts_with(['!', '^']) || magic.starts_with("(exclude") => return None,
        Some(magic) => match magic.strip_prefix('(') {
            Some(words) => words.split_once(')')?.1,
            None => magic.trim_start_matches('/'),
        },
    };
    // All of it: that names no file.
    (!matches!(path, "" | "." | "*" | "-")).then_some(path)
}
