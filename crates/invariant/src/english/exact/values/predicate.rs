//! What is said of an argument: "under 60 characters", "on a weekday", "one of bug and docs", "starts with feat:".

use crate::english::amount::{self, Compare};
use crate::english::exact::Exact;
use crate::english::exact::words::{bare, bracketed, items, strip, strip_end, text};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Check, Form};

/// What is said of an argument.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::english::exact) enum Predicate {
    /// Its value is so.
    So(Check),
    /// Nothing of this is in it.
    Lacks(Vec<Form>),
    /// It is so long: in characters, words or lines.
    Long { unit: &'static str, compare: Compare, number: i64 },
    /// It is there.
    Present,
    /// It is not there.
    Empty,
}

/// Texts that people write freely. Any other argument has values.
pub(in crate::english::exact) const FREE: &[&str] = &[
    "title",
    "description",
    "body",
    "message",
    "text",
    "content",
    "summary",
    "subject",
    "note",
    "html body",
];

/// Arguments that say who gets something, by addresses.
const PEOPLE: &[&str] = &["to", "cc", "bcc", "recipient", "recipients"];

/// What a value is: of those who get something, a name is only a part of the address.
fn valued(value: String, names: &[String]) -> Form {
    let is_people = names.iter().any(|name| PEOPLE.contains(&name.as_str()));
    match is_people && !value.contains(['@', '*']) {
        true => Form::Has(value),
        false => Form::Is(value),
    }
}

const LOWER: &[&str] = &[
    "lower-case",
    "lowercase",
    "in lower case",
    "in lowercase",
    "in lower-case",
    "lower case",
    "all lower case",
    "all lowercase",
    "in small letters",
    "written in lower case",
    "written in lowercase",
    "all lower-case",
    "small",
];
const UPPER: &[&str] = &[
    "in capitals",
    "in capital letters",
    "uppercase",
    "upper case",
    "in upper case",
    "in uppercase",
    "all caps",
    "in all caps",
    "all capitals",
    "written in capitals",
    "all uppercase",
    "upper-case",
];
const PRESENT: &[&str] =
    &["filled in", "filled", "set", "given", "present", "stated", "there", "filled out", "specified"];
const ON: &[&str] = &[
    "on",
    "enabled",
    "switched on",
    "turned on",
    "true",
    "active",
    "activated",
    "ticked",
    "checked",
    "set to true",
];
const OFF: &[&str] = &[
    "off",
    "disabled",
    "switched off",
    "turned off",
    "false",
    "inactive",
    "deactivated",
    "unticked",
    "unchecked",
    "set to false",
];
const EMPTY: &[&str] = &["empty", "blank", "left empty", "left blank", "left out", "missing", "unset"];

/// Sorts of signs, by what people call them.
const SORTED: &[(&[&str], &str)] = &[
    (
        &["capital letters", "capitals", "upper-case letters", "uppercase letters", "uppercase", "caps"],
        "capital letters",
    ),
    (&["small letters", "lower-case letters", "lowercase letters"], "small letters"),
    (&["blanks", "spaces", "blank", "space", "whitespace", "white space", "gaps"], "blanks"),
    (&["digits", "numbers", "figures", "digit", "number"], "digits"),
    (&["underscores", "underscore"], "underscores"),
    (&["hyphens", "dashes", "hyphen", "dash"], "hyphens"),
    (&["dots", "periods", "dot"], "dots"),
    (&["slashes", "slash"], "slashes"),
    (&["exclamation marks", "exclamation mark", "exclamation points"], "exclamation marks"),
    (&["question marks", "question mark"], "question marks"),
    (&["hashtags", "hashtag"], "hashtags"),
    (&["line breaks", "newlines", "line break"], "line breaks"),
    (&["links", "link", "urls", "url"], "links"),
    (&["emoji", "emojis", "smileys", "emoticons"], "emoji"),
    (
        &["umlauts", "accents", "special characters", "special letters", "non-ascii characters"],
        "accents and other special letters",
    ),
];

/// All sorts of signs that a name can have.
const OF_NAMES: &[&str] = &[
    "capital letters",
    "small letters",
    "blanks",
    "digits",
    "underscores",
    "hyphens",
    "dots",
    "slashes",
    "exclamation marks",
    "question marks",
    "accents and other special letters",
];

/// The signs that a name must not have where it may have these alone: "lower-case letters, digits and hyphens".
pub(in crate::english::exact) fn other_signs(tokens: &[Token]) -> Option<Vec<Form>> {
    let mut own: Vec<&str> = Vec::new();
    for item in items(bare(tokens)) {
        let said = bare(item).iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        match said.as_str() {
            "letters" => own.extend(["capital letters", "small letters"]),
            "lower-case" | "lower case" | "lowercase" | "lower case letters" => own.push("small letters"),
            said => {
                own.push(SORTED.iter().find(|(people, _)| people.contains(&said)).map(|(_, sort)| *sort)?)
            }
        }
    }
    let other = OF_NAMES.iter().filter(|sort| !own.contains(sort));
    (!own.is_empty()).then(|| other.map(|sort| Form::Sort((*sort).to_owned())).collect())
}

/// Signs that a text may begin or end with, by what people call them.
const SIGNS: &[(&[&str], &str)] = &[
    (&["a period", "a full stop", "a dot"], "."),
    (&["an exclamation mark", "exclamation marks"], "!"),
    (&["a question mark"], "?"),
    (&["a colon"], ":"),
];

impl Exact<'_> {
    /// What words say of an argument, if they say nothing else.
    pub(in crate::english::exact) fn predicate(
        &self,
        tokens: &[Token],
        names: &[String],
    ) -> Option<Predicate> {
        let whole = |phrases: &[&str]| strip(tokens, phrases).is_some_and(<[Token]>::is_empty);
        if whole(LOWER) {
            return Some(Predicate::Lacks(vec![Form::Sort("capital letters".to_owned())]));
        }
        if let Some(rest) = strip(tokens, LOWER)
            && let Some(lacking) = hyphened(rest)
        {
            let all = ["capital letters", "blanks"].into_iter().chain(lacking.iter().copied());
            return Some(Predicate::Lacks(all.map(|sort| Form::Sort(sort.to_owned())).collect()));
        }
        if whole(UPPER) {
            return Some(Predicate::Lacks(vec![Form::Sort("small letters".to_owned())]));
        }
        if whole(PRESENT) {
            return Some(Predicate::Present);
        }
        if whole(EMPTY) {
            return Some(Predicate::Empty);
        }
        let is_switch = !names.iter().any(|name| FREE.contains(&name.as_str()));
        let either = |values: &[&str]| {
            let forms = values.iter().map(|value| Form::Is((*value).to_owned())).collect();
            Some(Predicate::So(Check::Forms(forms)))
        };
        if is_switch && whole(ON) {
            return either(&["true", "on", "yes"]);
        }
        if is_switch && whole(OFF) {
            return either(&["false", "off", "no", "none"]);
        }
        if let Some(rest) = strip(tokens, &["without", "free of", "without any", "with no"]) {
            return self.having(rest).map(Predicate::Lacks);
        }
        if let Some(rest) =
            strip(tokens, &["with", "containing", "that contain", "that contains", "mentioning"])
        {
            return self.having(rest).map(|forms| Predicate::So(Check::Forms(forms)));
        }
        if let Some((rest, is_end)) = affixed(tokens) {
            return self.affixes(rest, is_end).map(|forms| Predicate::So(Check::Forms(forms)));
        }
        amounts(tokens, names)
            .or_else(|| self.time(tokens).map(Predicate::So))
            .or_else(|| Some(Predicate::So(Check::Forms(self.values(tokens, names)?))))
    }

    fn time(&self, tokens: &[Token]) -> Option<Check> {
        let tokens = strip(tokens, &["that is", "that are", "which is"]).unwrap_or(tokens);
        let mut spans = Vec::new();
        let mut rest = tokens;
        while !rest.is_empty() {
            let (span, length) = when::read(rest, self.year)?;
            spans.push(span);
            rest = rest.get(length..)?;
            rest = strip(rest, &["or", "and", ",", ", or"]).unwrap_or(rest);
        }
        (!spans.is_empty()).then_some(Check::During(spans))
    }

    /// Values that an argument may have.
    pub(in crate::english::exact) fn values(&self, tokens: &[Token], names: &[String]) -> Option<Vec<Form>> {
        let tokens = strip(tokens, &["one of", "either", "set to", "any of"]).unwrap_or(tokens);
        let is_free = names.iter().any(|name| FREE.contains(&name.as_str()));
        let list = items(tokens);
        // In a list of single words each is a name, though it could be a word: "bug and docs".
        let is_list = list.len() > 1 && !is_free;
        let listed = |item: &[Token]| match item {
            [one] if is_list && one.shape == Shape::Word && !self.lexicon.is_between(one) => {
                Some(one.text.clone())
            }
            _ => None,
        };
        let values: Option<Vec<Form>> = list
            .into_iter()
            .map(|item| Some(valued(self.value(item, names, is_free).or_else(|| listed(item))?, names)))
            .collect();
        // "from 2026-03-02 to 2026-03-09" says when, not to whom.
        let is_date = |item: &[Token]| matches!(item, [one] if one.text.parse::<jiff::civil::Date>().is_ok());
        if names.iter().any(|name| PEOPLE.contains(&name.as_str())) && items(tokens).into_iter().any(is_date)
        {
            return None;
        }
        values.filter(|values| !values.is_empty())
    }

    fn value(&self, item: &[Token], names: &[String], is_free: bool) -> Option<String> {
        // "me (joelmarsh)": what stands in brackets is what a call shows.
        if let Some((before, [inner])) = bracketed(item) {
            let is_name = before.len() < 3
                && !before.iter().any(|token| self.lexicon.is_between(token) && token.low != "me");
            return is_name.then(|| inner.text.clone());
        }
        let led = item.len() > bare(item).len();
        let item = bare(item);
        if names.iter().any(|name| name == "attachment") {
            return self.ending(item);
        }
        let joined = text(item);
        if self.hand.choice(&joined).is_some() {
            return Some(joined);
        }
        match item {
            [one] => match one.shape {
                Shape::Quoted | Shape::Identifier | Shape::Number | Shape::Path | Shape::Host => {
                    Some(one.text.clone())
                }
                Shape::Address | Shape::Url | Shape::Channel | Shape::Mention => Some(one.text.clone()),
                Shape::Emoji => Some(one.text.trim_matches(':').to_owned()),
                Shape::Word if one.text.contains(['-', '*', '_']) => Some(one.text.clone()),
                Shape::Word if is_free || led => None,
                Shape::Word if one.is_capital() => Some(one.text.clone()),
                Shape::Word => {
                    let is_name = !self.lexicon.knows(one) && !names.contains(&one.low);
                    is_name.then(|| one.text.clone())
                }
                Shape::Flag | Shape::Mark(_) => None,
            },
            several if several.iter().all(|token| token.is_capital() && token.shape == Shape::Word) => {
                (!is_free).then_some(joined)
            }
            _ => None,
        }
    }

    /// "PDF files": by how their names end.
    fn ending(&self, item: &[Token]) -> Option<String> {
        let item = strip_end(item, &["files", "file", "documents"]).unwrap_or(item);
        let [one] = item else { return None };
        let end = one.low.trim_start_matches(['*', '.']);
        let end = if end.ends_with('s') && end.len() > 3 { end.trim_end_matches('s') } else { end };
        crate::english::is_file_end(end).then(|| format!("*.{end}"))
    }

    /// What a text has: words in quotes, names, or signs of a sort.
    pub(in crate::english::exact) fn having(&self, tokens: &[Token]) -> Option<Vec<Form>> {
        if let Some(sample) = sampled(tokens) {
            return Some(vec![Form::Like(sample)]);
        }
        if let Some(words) =
            strip(tokens, &["the words", "the phrase", "the sentence", "the text", "the line"])
            && !words.is_empty()
            && words.iter().all(|token| matches!(token.shape, Shape::Word | Shape::Quoted))
            && !words.iter().any(|token| matches!(token.low.as_str(), "or" | "and"))
        {
            return Some(vec![Form::Has(text(words))]);
        }
        let list = items(tokens);
        let forms: Option<Vec<Form>> = list.into_iter().map(|item| self.held(item)).collect();
        forms.filter(|forms| !forms.is_empty())
    }

    fn held(&self, item: &[Token]) -> Option<Form> {
        let item = strip(item, &["the word", "the words", "the phrase", "the name", "the term", "any", "no"])
            .unwrap_or(item);
        let plain = bare(item);
        let said = plain.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        if let Some((_, sort)) = SORTED.iter().find(|(people, _)| people.contains(&said.as_str())) {
            return Some(Form::Sort((*sort).to_owned()));
        }
        match item {
            [one] if matches!(one.shape, Shape::Quoted | Shape::Identifier | Shape::Host | Shape::Path) => {
                Some(Form::Has(one.text.clone()))
            }
            [one] if one.shape == Shape::Word && one.text.chars().any(char::is_uppercase) => {
                Some(Form::Has(one.text.clone()))
            }
            several if several.len() > 1 && several.iter().all(|token| token.is_capital()) => {
                Some(Form::Has(text(several)))
            }
            _ => None,
        }
    }

    /// What a text begins or ends with.
    pub(in crate::english::exact) fn affixes(&self, tokens: &[Token], is_end: bool) -> Option<Vec<Form>> {
        let make = |text: String| if is_end { Form::Ends(text) } else { Form::Starts(text) };
        if let Some(sample) = sampled(tokens) {
            return (!is_end).then(|| vec![Form::StartsLike(sample)]);
        }
        const KINDS: &[&str] = &[
            "the word",
            "the words",
            "the text",
            "the prefix",
            "the line",
            "the phrase",
            "the letters",
            "the tag",
            "the sentence",
            "the characters",
            "prefix",
            "the suffix",
        ];
        let tokens = strip(tokens, KINDS).unwrap_or(tokens);
        let list = items(tokens);
        let named = |item: &[Token]| {
            let sign = SIGNS.iter().find(|(people, _)| strip(item, people).is_some_and(<[Token]>::is_empty));
            sign.map(|(_, sign)| (*sign).to_owned())
        };
        let literal = |item: &[Token]| match item {
            item if named(item).is_some() => named(item).map(make),
            [one] if !matches!(one.shape, Shape::Mark(_)) => Some(make(one.text.clone())),
            several if several.iter().all(Token::is_capital) => Some(make(text(several))),
            _ => None,
        };
        let forms: Option<Vec<Form>> = list.into_iter().map(literal).collect();
        forms.filter(|forms| !forms.is_empty())
    }
}

/// "lowercase words with hyphens": what a name of that form has not.
fn hyphened(tokens: &[Token]) -> Option<&'static [&'static str]> {
    let tokens = strip(tokens, &["words", "letters", "characters", "words only", ","]).unwrap_or(tokens);
    let tokens =
        strip_end(tokens, &["only", "in between", "between them", "instead of blanks", "instead of spaces"])
            .unwrap_or(tokens);
    let tokens = strip(tokens, &["with", "and", "joined by", "separated by", "joined with"])?;
    match tokens {
        [one] => match one.low.as_str() {
            "hyphens" | "dashes" | "hyphen" | "dash" => Some(&["underscores"]),
            "underscores" | "underscore" => Some(&["hyphens"]),
            _ => None,
        },
        _ => None,
    }
}

/// What stands behind "starting with" or "ending in", and whether it ends so.
fn affixed(tokens: &[Token]) -> Option<(&[Token], bool)> {
    const STARTS: &[&str] =
        &["starting with", "beginning with", "that start with", "that starts with", "that begin with"];
    const ENDS: &[&str] = &["ending in", "ending with", "that end in", "that ends in", "that end with"];
    strip(tokens, STARTS).map(|rest| (rest, false)).or_else(|| strip(tokens, ENDS).map(|rest| (rest, true)))
}

/// Words that say what a sample is a sample of.
const DESCRIBING: &[&str] = &[
    "ticket",
    "number",
    "issue",
    "key",
    "id",
    "code",
    "case",
    "job",
    "reference",
    "invoice",
    "order",
    "project",
    "jira",
    "tracker",
    "the",
    "a",
    "an",
    "its",
    "our",
    "prefix",
    "task",
    "story",
    "file",
    "customer",
];

/// "the ticket number (BRW- and digits)", "a ticket like OPS-123".
fn sampled(tokens: &[Token]) -> Option<String> {
    if let Some(sample) = crate::english::exact::called::naming::sample(tokens) {
        return Some(sample);
    }
    let describes = |tokens: &[Token]| tokens.iter().all(|token| DESCRIBING.contains(&token.low.as_str()));
    if let Some((before, inner)) = bracketed(tokens).filter(|(before, _)| describes(before)) {
        let inner = strip(inner, &["like", "e.g", "such as", "for example"]).unwrap_or(inner);
        return match inner {
            [sample] if sample.text.chars().any(|letter| letter.is_ascii_digit()) => {
                Some(sample.text.clone())
            }
            [prefix, rest @ ..] if digits(rest) && !before.is_empty() => Some(format!("{}1", prefix.text)),
            _ => None,
        };
    }
    // "OPS- and a number"
    if let [prefix, rest @ ..] = tokens
        && prefix.text.ends_with(['-', '#', '_', '/'])
        && digits(rest)
    {
        return Some(format!("{}1", prefix.text));
    }
    const SAMPLING: &[&str] =
        &["like", "such as", "e.g", "e.g.", "eg", "for example", "for instance", "as in"];
    let at =
        (0..tokens.len()).find(|at| tokens.get(*at..).is_some_and(|rest| strip(rest, SAMPLING).is_some()))?;
    let rest = strip(tokens.get(at..)?, SAMPLING)?;
    let rest = strip(rest, &[".", ",", ":"]).unwrap_or(rest);
    let before = tokens.get(..at)?;
    let before = strip_end(before, &[",", ":"]).unwrap_or(before);
    match rest {
        [sample] if describes(before) => {
            // "PLAT-812: ...": what stands behind the number is any text.
            let first = sample.text.split([' ', ':']).next().unwrap_or_default();
            first.chars().any(|letter| letter.is_ascii_digit()).then(|| first.to_owned())
        }
        _ => None,
    }
}

/// "and digits", "plus a number".
fn digits(tokens: &[Token]) -> bool {
    let said = tokens.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
    matches!(
        said.as_str(),
        "and digits"
            | "and a number"
            | "and numbers"
            | "plus digits"
            | "plus a number"
            | "followed by a number"
            | "followed by digits"
            | "with a number"
            | "then a number"
            | "plus the number"
            | "and some digits"
            | "and the ticket number"
            | "and the number"
            | "number"
    )
}

/// "under 60 characters", "above 21 degrees", "at most 5".
fn amounts(tokens: &[Token], names: &[String]) -> Option<Predicate> {
    let tokens = strip(tokens, &["of", "than", "to", "at"])
        .filter(|rest| amount::read(rest).is_some())
        .unwrap_or(tokens);
    let (amount, length) = amount::read(tokens)?;
    let mut rest = tokens.get(length..)?;
    let factor = in_units_of(names, rest.first().map_or("", |token| token.low.as_str()))?;
    let unit = match rest.first().map(|token| token.low.as_str()) {
        Some("characters" | "character" | "chars" | "letters" | "signs") => Some("character"),
        Some("words" | "word") => Some("word"),
        Some("lines" | "line") => Some("line"),
        Some(
            "degrees" | "degree" | "percent" | "%" | "euros" | "euro" | "eur" | "dollars" | "seconds"
            | "minutes" | "items" | "pieces" | "results" | "hours" | "points" | "replicas" | "people"
            | "celsius",
        ) => None,
        Some(_) if amount::trailing(rest, 0).is_none() => return None,
        _ => None,
    };
    if !rest.is_empty() && amount::trailing(rest, 0).is_none() {
        rest = rest.get(1..)?;
    }
    rest = strip(rest, &["long", "in length", "celsius", "each"]).unwrap_or(rest);
    if let Some((_, length)) = amount::trailing(rest, 0) {
        rest = rest.get(length..)?;
    }
    if !rest.is_empty() {
        return None;
    }
    let (compare, number) = (amount.compare, amount.number.checked_mul(factor)?);
    if let Some(unit) = unit {
        return Some(Predicate::Long { unit, compare, number });
    }
    Some(Predicate::So(match compare {
        Compare::Above => Check::Above(number),
        Compare::AtLeast => Check::Above(number.checked_sub(1)?),
        Compare::Below => Check::Below(number),
        Compare::AtMost => Check::Below(number.checked_add(1)?),
        Compare::Equal => return None,
    }))
}

/// How many units of an argument are one of those that a rule speaks of: thousands where it counts milliseconds.
fn in_units_of(names: &[String], unit: &str) -> Option<i64> {
    let seconds = match unit {
        "seconds" | "second" => 1,
        "minutes" | "minute" => 60,
        "hours" | "hour" => 3600,
        _ => return Some(1),
    };
    let own = names.iter().flat_map(|name| name.split(' ')).find_map(|word| match word {
        "ms" | "m" | "milli" | "millis" | "millisecond" => Some(1000),
        "second" | "sec" => Some(1),
        _ => None,
    });
    match own {
        Some(own) => Some(seconds * own),
        // A duration is told in minutes.
        None if names.iter().any(|name| name.contains("minute") || name == "duration") => {
            (seconds % 60 == 0).then_some(seconds / 60)
        }
        None => None,
    }
}
