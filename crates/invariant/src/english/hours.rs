//! Hours that are written short, "8-17", as times: "between 8:00 and 17:00"; and dots that end no sentence. Times in brackets
//! say what the words in front of them mean: "during office hours (9 to 17)".

use super::token::{Shape, Token};

/// The words with short hours written out, where it is clear that hours are meant: at the beginning, and in brackets behind
/// what they are the hours of.
pub(super) fn told(mut tokens: Vec<Token>, year: i16) -> Vec<Token> {
    tokens = under_hours(bare_hours(spelled_out(without_short(tokens))), year);
    if let Some(limited) = limited(&tokens, year) {
        tokens = limited;
    }
    if let Some(told) = at_that_time(&tokens, year) {
        tokens = told;
    }
    if let Some(first) = tokens.first()
        && let Some((from, to)) = range(first)
    {
        let between = between(from, to, first);
        return between.into_iter().chain(tokens.iter().skip(1).cloned()).collect();
    }
    let Some((open, close, time)) = bracket(&tokens, year) else { return tokens };
    let leads = |token: &Token| {
        matches!(
            token.low.as_str(),
            "outside" | "during" | "in" | "at" | "over" | "while" | "within" | "inside" | "on" | "throughout"
        )
    };
    let before = tokens.get(..open).unwrap_or_default();
    let behind = tokens.iter().skip(close + 1).cloned();
    if let Some(told) = up_to(&tokens, open, close).or_else(|| meanwhile(&tokens, open, close, &time)) {
        return told;
    }
    let Some(start) = before.iter().rposition(leads).filter(|start| open - start < 6) else {
        // "Quiet hours (20:00 to 7:00): …"
        const TIMES: &[&str] =
            &["hours", "time", "times", "period", "break", "night", "nights", "freeze", "days", "week"];
        let is_time =
            before.last().is_some_and(|last| TIMES.contains(&last.low.as_str())) && before.len() < 4;
        let parts = |token: &Token| matches!(token.shape, Shape::Mark(':' | ','));
        if is_time && tokens.get(close + 1).is_some_and(parts) {
            return time.tokens.into_iter().chain(behind.skip(1)).collect();
        }
        let whole = before.iter().cloned().chain(tokens.get(open).cloned()).chain(time.tokens);
        return whole.chain(tokens.get(close).cloned()).chain(behind).collect();
    };
    let is_outside = tokens.get(start).is_some_and(|token| token.low == "outside");
    // "only restarted outside office hours" is never restarted in them.
    if is_outside && let Some(only) = before.iter().position(|token| token.low == "only") {
        let whole = before.iter().take(start).enumerate().map(|(at, token)| match at == only {
            true => word("never", token),
            false => token.clone(),
        });
        return whole.chain(time.tokens).chain(behind).collect();
    }
    let told = match (is_outside, time.hours) {
        (true, Some((from, to))) => {
            vec![word("before", &from), from.clone(), word("or", &from), word("after", &from), to]
        }
        (true, None) => return tokens,
        (false, _) => time.tokens,
    };
    tokens.iter().take(start).cloned().chain(told).chain(behind).collect()
}

/// "Before Kari is in (9:30)": before 9:30.
fn up_to(tokens: &[Token], open: usize, close: usize) -> Option<Vec<Token>> {
    let bounds = |token: &Token| {
        matches!(token.low.as_str(), "before" | "after" | "until" | "till" | "since" | "once")
    };
    let start = tokens.get(..open)?.iter().rposition(bounds).filter(|start| open - start < 6)?;
    let inner = tokens.get(open + 1..close)?;
    let hour = clock(hour(inner)?, inner.first()?);
    let bound = tokens.get(start)?;
    let bound = if bound.low == "once" { word("after", bound) } else { bound.clone() };
    let behind = tokens.iter().skip(close + 1).cloned();
    Some(tokens.iter().take(start).cloned().chain([bound, hour]).chain(behind).collect())
}

/// "While I'm on holiday (until 20 March)": all of that is the time.
fn meanwhile(tokens: &[Token], open: usize, close: usize, time: &Told) -> Option<Vec<Token>> {
    let before = tokens.get(..open)?;
    let start = before.iter().rposition(|token| token.low == "while").filter(|start| open - start < 8)?;
    let behind = tokens.iter().skip(close + 1).cloned();
    Some(before.iter().take(start).cloned().chain(time.tokens.iter().cloned()).chain(behind).collect())
}

/// Without the dots that end a shortened word and no sentence.
fn without_short(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_short = |token: &Token| matches!(token.low.as_str(), "e.g" | "i.e" | "eg" | "approx");
    let dots: Vec<bool> = (0..tokens.len())
        .map(|at| {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_dot = tokens.get(at).is_some_and(|token| token.shape == Shape::Mark('.'));
            is_dot && before.is_some_and(is_short)
        })
        .collect();
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !dots.get(at - 1).copied().unwrap_or(false)
    });
    tokens
}

/// "Government sites only, i.e. .gov.uk": what follows says what is meant, as brackets do.
fn spelled_out(tokens: Vec<Token>) -> Vec<Token> {
    let is_comma = |token: &Token| token.shape == Shape::Mark(',');
    let Some(at) = tokens.iter().position(|token| token.low == "i.e") else { return tokens };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(|token| is_comma(token));
    let (Some(comma), Some(rest)) = (before, tokens.get(at + 1..)) else { return tokens };
    let goes_on = |pair: &[Token]| match pair {
        [one, next] => {
            is_comma(one)
                && matches!(
                    next.low.as_str(),
                    "is" | "are"
                        | "must"
                        | "may"
                        | "stay"
                        | "stays"
                        | "get"
                        | "gets"
                        | "go"
                        | "goes"
                        | "never"
                        | "only"
                )
        }
        _ => false,
    };
    let is_end = |token: &Token| matches!(token.shape, Shape::Mark('.' | '!' | ';'));
    let ends = || rest.iter().position(is_end).unwrap_or(rest.len());
    let middle = rest.windows(2).position(goes_on);
    let (inner, behind) = rest.split_at(middle.unwrap_or_else(ends));
    let mark = |mark: char| Token { shape: Shape::Mark(mark), ..word(&mark.to_string(), comma) };
    let front = tokens.iter().take(at - 1).cloned();
    let behind = behind.iter().skip(usize::from(middle.is_some())).cloned();
    front.chain([mark('(')]).chain(inner.iter().cloned()).chain([mark(')')]).chain(behind).collect()
}

/// "Quiet hours from 20:00 to 7:00: no messages": the rule with the time of the heading, if it has one.
fn under_hours(tokens: Vec<Token>, year: i16) -> Vec<Token> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let is_hours = matches!(low(0), "quiet" | "night" | "silent" | "rest" | "closing" | "evening")
        && matches!(low(1), "hours" | "hour" | "rest" | "time" | "times");
    if !is_hours {
        return tokens;
    }
    let at = 2 + usize::from(matches!(low(2), "are" | "is"));
    let time = tokens.get(at..).and_then(|rest| super::when::read(rest, year));
    let length = time.map_or(0, |(_, length)| length);
    let parts =
        tokens.get(at + length).is_some_and(|token| matches!(token.shape, Shape::Mark(':' | '.' | ',')));
    let rule = tokens.get(at + length + 1..).unwrap_or_default();
    let refers = |token: &Token| matches!(token.low.as_str(), "then" | "that" | "those");
    if !parts || rule.is_empty() || rule.iter().any(refers) {
        return tokens;
    }
    let comma = tokens.first().map(|first| Token { shape: Shape::Mark(','), ..word(",", first) });
    let time = tokens.get(at..at + length).unwrap_or_default().iter().cloned();
    time.chain(comma.filter(|_| length > 0)).chain(rule.iter().cloned()).collect()
}

/// "Meetings start at 9:30 at the earliest": no meetings before 9:30. "Every meeting has to end by 17:00": none after it.
fn limited(tokens: &[Token], year: i16) -> Option<Vec<Token>> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let says =
        |at: usize, words: &[&str]| words.iter().enumerate().all(|(more, word)| low(at + more) == *word);
    let is_start = |at: usize| matches!(low(at), "start" | "starts" | "begin" | "begins");
    let is_end = |at: usize| matches!(low(at), "end" | "ends" | "finish" | "finishes" | "stop" | "stops");
    let verb = (1..tokens.len().min(7)).find(|at| is_start(*at) || is_end(*at))?;
    let leads = |at: usize| matches!(low(at), "every" | "each" | "all" | "my" | "our" | "the" | "any");
    let helps =
        |at: usize| matches!(low(at), "must" | "should" | "has" | "have" | "to" | "shall" | "may" | "only");
    let from = (0..verb).find(|at| !leads(*at))?;
    let to = (from..verb).find(|at| helps(*at)).unwrap_or(verb);
    let subject = tokens.get(from..to).filter(|subject| (1..=3).contains(&subject.len()))?;
    let is_plain = |token: &Token| {
        token.shape == Shape::Word && !matches!(token.low.as_str(), "no" | "nothing" | "not" | "never")
    };
    if !subject.iter().all(is_plain) {
        return None;
    }
    let starts = is_start(verb);
    let (at, is_led) = match () {
        () if says(verb + 1, &["by"]) && !starts => (verb + 2, true),
        () if says(verb + 1, &["no", "earlier", "than"]) && starts => (verb + 4, true),
        () if says(verb + 1, &["no", "later", "than"]) && !starts => (verb + 4, true),
        () if says(verb + 1, &["not", "before"]) && starts => (verb + 3, true),
        () if says(verb + 1, &["at"]) => (verb + 2, false),
        () => return None,
    };
    let bound = word(if starts { "before" } else { "after" }, tokens.first()?);
    let said: Vec<Token> = std::iter::once(bound).chain(tokens.iter().skip(at).cloned()).collect();
    let (_, length) = super::when::read(&said, year)?;
    let end = at + length.checked_sub(1)?;
    let tail = match () {
        () if says(end, &["at", "the", "earliest"]) && starts => 3,
        () if says(end, &["at", "the", "latest"]) && !starts => 3,
        () if says(end, &["or", "later"]) && starts => 2,
        () if says(end, &["or", "earlier"]) && !starts => 2,
        () if is_led => 0,
        () => return None,
    };
    let no = word("no", tokens.first()?);
    let limit = said.iter().take(length).cloned();
    Some(
        std::iter::once(no)
            .chain(subject.iter().cloned())
            .chain(limit)
            .chain(tokens.iter().skip(end + tail).cloned())
            .collect(),
    )
}

/// "Quiet hours are 20:00 to 7:00. No messages in that time": the rule with the time that was told before.
fn at_that_time(tokens: &[Token], year: i16) -> Option<Vec<Token>> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let end = tokens.iter().position(|token| matches!(token.shape, Shape::Mark('.' | ';' | ':')))?;
    let is =
        (0..end.min(6)).find(|at| matches!(low(*at), "is" | "are" | "lasts" | "last" | "run" | "runs"))?;
    let time = tokens.get(is + 1..end)?;
    let leads = matches!(low(is + 1), "from" | "between");
    let from = tokens.first().map(|first| word("from", first)).filter(|_| !leads);
    let time: Vec<Token> = from.into_iter().chain(time.iter().cloned()).collect();
    super::when::read(&time, year).filter(|(_, length)| *length == time.len())?;
    let is_that = |at: usize| {
        matches!(low(at), "in" | "during" | "within" | "at" | "over")
            && matches!(low(at + 1), "that" | "this" | "these" | "those")
            && matches!(low(at + 2), "time" | "times" | "hours" | "period" | "window" | "stretch")
    };
    let at = (end + 1..tokens.len()).find(|at| is_that(*at))?;
    let rule = tokens.get(end + 1..at)?.iter().cloned();
    Some(rule.chain(time).chain(tokens.iter().skip(at + 3).cloned()).collect())
}

/// Where brackets are that hold a time, and that time.
fn bracket(tokens: &[Token], year: i16) -> Option<(usize, usize, Told)> {
    (0..tokens.len()).find_map(|open| {
        let is_open = tokens.get(open).is_some_and(|token| token.shape == Shape::Mark('('));
        let close = tokens.iter().skip(open).position(|token| token.shape == Shape::Mark(')'))? + open;
        let inner = tokens.get(open + 1..close).filter(|_| is_open)?;
        Some((open, close, time(inner, year)?))
    })
}

/// A time that is told in brackets.
struct Told {
    tokens: Vec<Token>,
    /// From when to when, where these are hours.
    hours: Option<(Token, Token)>,
}

fn time(inner: &[Token], year: i16) -> Option<Told> {
    let first = inner.first()?;
    let reads =
        |tokens: &[Token]| super::when::read(tokens, year).is_some_and(|(_, length)| length == tokens.len());
    let hours = match inner {
        [one] => range(one),
        several => {
            let several = match several.split_first() {
                Some((lead, rest)) if matches!(lead.low.as_str(), "from" | "between") => rest,
                _ => several,
            };
            let between =
                |token: &Token| matches!(token.low.as_str(), "to" | "until" | "till" | "and" | "-" | "–");
            several
                .iter()
                .position(between)
                .and_then(|at| Some((hour(several.get(..at)?)?, hour(several.get(at + 1..)?)?)))
        }
    };
    if let Some((from, to)) = hours {
        let tokens = between(from.clone(), to.clone(), first);
        return Some(Told { tokens, hours: Some((clock(from, first), clock(to, first))) });
    }
    let led: Vec<Token> = std::iter::once(word("from", first)).chain(inner.iter().cloned()).collect();
    let dated = inner.iter().any(|token| token.shape == Shape::Number);
    [inner.to_vec(), led]
        .into_iter()
        .find(|tokens| dated && reads(tokens))
        .map(|tokens| Told { tokens, hours: None })
}

/// "9", "9:00", "9 am", "5pm", "17 h".
fn hour(tokens: &[Token]) -> Option<String> {
    let (first, half) = match tokens {
        [one] => (one.low.as_str(), ""),
        [one, half] => (one.low.as_str(), half.low.as_str()),
        _ => return None,
    };
    let digits = first.trim_end_matches(|letter: char| letter.is_alphabetic());
    let half = if half.is_empty() { first.get(digits.len()..).unwrap_or("") } else { half };
    let (hours, minutes) = digits.split_once([':', '.']).unwrap_or((digits, "00"));
    let (hours, minutes) =
        (hours.parse::<u8>().ok()?, minutes.parse::<u8>().ok().filter(|_| minutes.len() == 2)?);
    let hours = match half {
        "" | "h" | "o'clock" | "hours" => hours,
        "am" | "a.m" => hours % 12,
        "pm" | "p.m" => hours % 12 + 12,
        _ => return None,
    };
    (hours <= 24 && minutes < 60).then(|| format!("{hours}:{minutes:02}"))
}

/// "12 to 13 is lunch", "no meetings 12-13": hours, where what stands beside them says so.
fn bare_hours(tokens: Vec<Token>) -> Vec<Token> {
    const MEETING: &[&str] = &[
        "meetings",
        "meeting",
        "events",
        "event",
        "appointments",
        "appointment",
        "calls",
        "bookings",
        "slots",
        "invites",
        "invitations",
    ];
    const HEADINGS: &[&str] =
        &["break", "lunch", "lunchtime", "hours", "time", "rest", "pause", "siesta", "night"];
    const BEING: &[&str] = &["is", "are", "stays", "stay", "remains", "remain", "belongs", "belong"];
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let single = |at: usize| tokens.get(at).and_then(range).map(|hours| (hours, 1));
    let double = |at: usize| {
        let (from, to) = (tokens.get(at)?, tokens.get(at + 2)?);
        let is_to = matches!(low(at + 1), "to" | "until" | "till") && !low(at).contains(':');
        let joined = Token { text: format!("{}-{}", from.text, to.text), ..from.clone() };
        range(&joined).filter(|_| is_to).map(|hours| (hours, 3))
    };
    let found = (0..tokens.len()).find_map(|at| {
        let (hours, length) = single(at).or_else(|| double(at))?;
        let behind = low(at + length);
        let is_said = at == 0 && BEING.contains(&behind);
        let ends = tokens.get(at + length).is_none_or(|next| matches!(next.shape, Shape::Mark(_)));
        let is_kept = at > 0
            && matches!(low(at - 1), "keep" | "leave" | "hold" | "block")
            && matches!(behind, "free" | "clear" | "open" | "empty" | "blocked" | "for");
        let is_meeting = at > 0 && MEETING.contains(&low(at - 1)) && ends;
        let heads = tokens.get(at + length).is_some_and(|next| next.shape == Shape::Mark(':'));
        let is_heading = (1..=3).contains(&at) && heads && HEADINGS.contains(&low(at - 1));
        if is_heading {
            return Some((0, hours, at + length));
        }
        (is_said || is_meeting || is_kept).then_some((at, hours, length))
    });
    let Some((at, (from, to), length)) = found else { return tokens };
    let Some(first) = tokens.get(at) else { return tokens };
    let time = between(from, to, first);
    let behind = tokens.iter().skip(at + length).cloned();
    tokens.iter().take(at).cloned().chain(time).chain(behind).collect()
}

fn range(token: &Token) -> Option<(String, String)> {
    let (from, to) = token.text.split_once(['-', '–'])?;
    let hour = |text: &str| -> Option<String> {
        let (hours, minutes) = text.split_once(':').unwrap_or((text, "00"));
        let in_day =
            |text: &str, most: u8| text.len() < 3 && text.parse::<u8>().is_ok_and(|number| number <= most);
        (in_day(hours, 24) && in_day(minutes, 59)).then(|| format!("{hours}:{minutes}"))
    };
    Some((hour(from)?, hour(to)?))
}

fn between(from: String, to: String, at: &Token) -> Vec<Token> {
    let to = later(&from, &to).unwrap_or(to);
    vec![word("between", at), clock(from, at), word("and", at), clock(to, at)]
}

/// "12 to 1" and "9 to 5" end in the afternoon.
fn later(from: &str, to: &str) -> Option<String> {
    let hour = |text: &str| text.split(':').next()?.parse::<u8>().ok();
    let (first, last) = (hour(from)?, hour(to)?);
    let minutes = to.split_once(':').map_or("00", |(_, minutes)| minutes);
    (last <= first && last < 12 && first <= 12 && last + 12 > first)
        .then(|| format!("{}:{minutes}", last + 12))
}

fn clock(text: String, at: &Token) -> Token {
    Token { low: text.clone(), text, shape: Shape::Number, at: at.at }
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}
