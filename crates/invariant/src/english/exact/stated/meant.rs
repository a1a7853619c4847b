//! What a plain sentence means: what the tables of `data/stated` say, with the names of the sentence in its holes.
//!
//! Of a line of `holds` the first word says what it is about:
//!   in, into, from P       what is done lies there, goes there or comes from there; `not` in front: elsewhere. P is
//!                          `{places}`, `id {id}`, `address {person}`, `domain {host}`, `host-like x`, `page {url}`, `ending x`, `named x`,
//!                          `folder x`, `like {sample}` (a last name with other digits), `starts x`, `ends x`, `year {n}`, `year-until {n}`, `word x`, `table x`, `database x`, `kind x` (file, page, person, channel, table, branch ...),
//!                          `sort x`, or one of files, network, local, internal, external, public, hidden, toplevel
//!   carries P              what goes out comes from there, as far as the session shows
//!   did A|B                words show one of these acts; `not` in front: none of them
//!   does D                 the flow does this deed as well
//!   earlier A, T, U        an earlier call showed this act or did this deed, with these lines; `not` in front: none did
//!   earlier-same N|M: A|B  an earlier call showed one of these acts or deeds and had, in whatever argument, the value that this call has in
//!                          an argument called so; `not` in front: none had (all values of a list must have been had)
//!   program A|B            one of these programs runs; `not` in front: another one
//!   has, lacks N|M: F      an argument called so has this form (`is` with `*`, `has` part of it, `names` as a word, `starts`, `ends`, `like` and
//!                          `starts-like` with other digits, `year`, `sort`, `above` and `below` a number, `during {when}`, `any` value, `fits` a
//!                          pattern of the section `patterns` by its name, in which `{}` is the text of a hole and `{>}` any greater
//!                          number, `{<}` any smaller one), or none has; `~price-cent` stands for all that say `price` of themselves and not `cent`; `other`: one is given and has not
//!   given N                an argument of this name is given; `not` in front: it is not
//!   choice N: A|B          an argument of this name has one of these values; `not` in front: none of them
//!   says, omits F          a text has these words, or none has; `holding`: something of this kind
//!   above U N, within U N  there is more of something, or not
//!   again D                an earlier call did this to the very same thing
//!   tool A|B               it is one of these tools, or a tool of one of these servers
//!   takes {argument}       the tool has such an argument (of tools that list themselves)
//!   either A ; B | C       all lines of one of these hold
//!   about A|B              the tool is about this, by the last noun of its name
//!   concerns A             this takes part, by its name or as a short value of an argument
//!   branch A|B             it concerns one of these branches (`*` is anything)
//!   when {when}            it is that time; `not` in front: it is not. `event`, `not event`: the event is then
//!   sign A                 a command line has this sign outside of quotes
//!   being X                secret (secrets are used), unlimited (a query without a limit), whereless (a statement without a
//!                          condition), everything (all at once), company (others take part; `not`: nobody else does)
//! `{x}` is what stands in that hole.

mod bounds;

use super::holes::Holes;
use super::{Entry, Rules};
use crate::english::exact::Exact;
use crate::hand::{OwnArgument, OwnTool};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Saying, Side, Test, Verdict};
use bounds::{above, below};

/// What the lines of the table begin with.
#[cfg(test)]
const KNOWN: &[&str] = &[
    "in",
    "into",
    "from",
    "did",
    "earlier",
    "earlier-same",
    "program",
    "has",
    "lacks",
    "other",
    "says",
    "omits",
    "holding",
    "above",
    "within",
    "tool",
    "again",
    "carries",
    "does",
    "given",
    "choice",
    "about",
    "concerns",
    "branch",
    "when",
    "event",
    "sign",
    "being",
    "either",
    "takes",
];

/// Those that have no opposite with `not` in front.
const AFFIRMED: &[&str] =
    &["carries", "does", "either", "concerns", "sign", "lacks", "other", "above", "within"];

/// Whether a line of the table begins as it should.
#[cfg(test)]
pub(super) fn is_known(line: &str) -> bool {
    let (line, is) = line.strip_prefix("not ").map_or((line, true), |line| (line, false));
    let begins = |first: &str| KNOWN.contains(&first) && (is || !AFFIRMED.contains(&first));
    line.split_once(' ').is_some_and(|(first, _)| begins(first))
}

impl Exact<'_> {
    /// What an entry means with these names.
    pub(super) fn meant(&self, entry: &Entry, holes: &Holes) -> Option<Rules> {
        let own = self.hand.own_tools();
        let mean = Mean { holes, own };
        let tests = entry.holds.iter().map(|line| mean.held(line)).collect::<Option<Vec<Test>>>()?;
        let unless = entry.unless.iter().map(|lines| mean.all_held(lines)).collect::<Option<Vec<_>>>()?;
        let verdict = if entry.asks || holes.asks() { Verdict::Ask } else { Verdict::Deny };
        let mut cases: Vec<Case> = if entry.does.iter().any(|done| done == "{act}") {
            holes.rules().iter().map(|(_, case)| case.clone()).collect()
        } else {
            let doings = entry.does.iter().flat_map(|done| texts(done, holes)).map(|done| doing(&done));
            vec![Case { doings: doings.collect(), ..Case::default() }]
        };
        for case in &mut cases {
            case.tests.extend(tests.iter().cloned());
            case.unless.extend(unless.iter().cloned());
            if !entry.most.is_empty() {
                case.tests.push(often(case, number(&entry.most, holes)?));
            }
        }
        // What is done stood in a hole that is empty, or nothing is said at all: that would be about every call.
        let is_about_all =
            |case: &Case| case.doings.is_empty() && (case.tests.is_empty() || !entry.does.is_empty());
        if cases.is_empty() || cases.iter().any(is_about_all) {
            return None;
        }
        Some(cases.into_iter().flat_map(sent_or_not).map(|case| (verdict, case)).collect())
    }
}

/// "Never change it or mail it": only what is sent carries anything, so what is changed is not looked for in what goes out.
fn sent_or_not(case: Case) -> Vec<Case> {
    let sends = |way: &[Test]| match way {
        [Test::Carries(_), Test::Did { actions, is: true }] => Some(actions.clone()),
        _ => None,
    };
    let Some(at) = case.tests.iter().position(
        |test| matches!(test, Test::Any(ways) if ways.len() > 1 && ways.iter().any(|way| sends(way).is_some())),
    ) else {
        return vec![case];
    };
    let Some(Test::Any(ways)) = case.tests.get(at) else { return vec![case] };
    let acts: Vec<String> = ways.iter().filter_map(|way| sends(way)).flatten().collect();
    let is_sent = |doing: &Doing| match doing {
        Doing::Did(act) => acts.contains(act),
        Doing::Deed(deed) => matches!(deed, Deed::Sends | Deed::Copies | Deed::Involves),
    };
    let (sent, kept): (Vec<Doing>, Vec<Doing>) = case.doings.iter().cloned().partition(is_sent);
    let mut cases = Vec::new();
    if !kept.is_empty() {
        let mut own = Case { doings: kept, ..case.clone() };
        if let Some(Test::Any(ways)) = own.tests.get_mut(at) {
            ways.retain(|way| sends(way).is_none());
        }
        cases.push(own);
    }
    if !sent.is_empty() || case.doings.is_empty() {
        cases.push(Case { doings: sent, ..case });
    }
    cases
}

/// Whether something was done so often before. What is nothing but an act is counted by its name.
fn often(case: &Case, least: i64) -> Test {
    match (case.doings.as_slice(), case.tests.as_slice()) {
        ([Doing::Did(act)], []) => Test::Measure { unit: format!("did {act}"), above: least, is: true },
        _ => Test::Often { what: Box::new(Case { unless: Vec::new(), ..case.clone() }), least },
    }
}

/// What lines mean with these names, and with these tools that list themselves.
struct Mean<'m> {
    holes: &'m Holes,
    own: &'m [OwnTool],
}

impl Mean<'_> {
    /// Several lines, all of which must hold.
    fn all_held(&self, lines: &str) -> Option<Vec<Test>> {
        lines.split(" ; ").map(|line| self.held(line)).collect()
    }

    fn held(&self, line: &str) -> Option<Test> {
        let (is, line) = match line.strip_prefix("not ") {
            Some(line) => (false, line),
            None => (true, line),
        };
        let (first, rest) = line.split_once(' ')?;
        if !is && AFFIRMED.contains(&first) {
            return None;
        }
        self.of_flow(first, rest, is)
            .or_else(|| self.of_act(first, rest, is))
            .or_else(|| self.of_value(first, rest, is))
    }

    fn names(&self, rest: &str) -> Vec<String> {
        rest.split('|').flat_map(|name| texts(name, self.holes)).collect()
    }

    /// Lines about what goes where, and when.
    fn of_flow(&self, first: &str, rest: &str, is: bool) -> Option<Test> {
        let at = |side: Side| Some(Test::Place { side, places: placed(rest, self.holes)?, inside: is });
        match first {
            "in" => at(Side::Object),
            "into" => at(Side::To),
            "from" => at(Side::From),
            "carries" => Some(Test::Carries(placed(rest, self.holes)?)),
            "does" => deed(rest).map(Test::Does),
            "again" => Some(Test::EarlierHere { deed: deed(rest)?, is }),
            "branch" => Some(Test::Branch { patterns: self.names(rest), is }),
            "when" | "event" => {
                let spans = vec![self.holes.time(rest.trim_matches(['{', '}']))?.clone()];
                Some(Test::Time { spans, is, of_event: first == "event" })
            }
            "either" => {
                let each = rest.split(" | ").map(|lines| self.all_held(lines));
                Some(Test::Any(each.collect::<Option<Vec<_>>>()?))
            }
            "being" => match rest {
                "secret" => Some(Test::Secret),
                "unlimited" => Some(Test::Unlimited),
                "whereless" => Some(Test::WithoutWhere),
                "everything" => Some(Test::Everything),
                "company" => Some(Test::Company(is)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lines about what is done, and by what.
    fn of_act(&self, first: &str, rest: &str, is: bool) -> Option<Test> {
        let names = || self.names(rest);
        match first {
            "did" => Some(Test::Did { actions: names(), is }),
            "earlier" => {
                let mut lines = rest.split(", ");
                let doings = self.names(lines.next()?).iter().map(|done| doing(done)).collect();
                let tests = lines.map(|line| self.held(line)).collect::<Option<Vec<Test>>>()?;
                Some(Test::Earlier { what: Box::new(Case { doings, tests, unless: Vec::new() }), is })
            }
            "earlier-same" => {
                let (arguments, acts) = rest.split_once(": ")?;
                Some(Test::EarlierSame { what: self.names(acts), names: self.arguments(arguments)?, is })
            }
            "program" => Some(Test::Program { names: names(), is }),
            "tool" => Some(Test::Tool { names: names(), is }).filter(|_| !names().is_empty()),
            "takes" => {
                let wanted = names();
                let takes = |tool: &&OwnTool| tool.arguments.iter().any(|own| wanted.contains(&own.name));
                let tools: Vec<String> =
                    self.own.iter().filter(takes).map(|tool| tool.full.clone()).collect();
                (!tools.is_empty()).then_some(Test::Tool { names: tools, is })
            }
            "about" => Some(Test::About { nouns: names(), is }),
            "concerns" => Some(Test::Concerns(names())),
            "sign" => Some(Test::Sign(names())),
            _ => None,
        }
    }

    /// Lines about arguments and texts.
    fn of_value(&self, first: &str, rest: &str, is: bool) -> Option<Test> {
        match first {
            "given" => Some(Test::Given { word: texts(rest, self.holes).first()?.to_lowercase(), is }),
            "choice" => {
                let (name, values) = rest.split_once(": ")?;
                let values = self.names(values).iter().map(|value| value.to_lowercase()).collect();
                Some(Test::Choice { values, parameter: Some(name.to_owned()), is })
            }
            "has" => self.valued(rest, if is { Presence::One } else { Presence::Missing }),
            "lacks" => self.valued(rest, Presence::Missing),
            "other" => self.valued(rest, Presence::Other),
            "says" | "omits" => {
                let each = |name: String| singular(&name).into_iter().chain([name]).collect::<Vec<String>>();
                let names = self.names(rest).into_iter().flat_map(each);
                let what = names.map(Saying::Words).collect();
                Some(Test::Says { what, parameter: None, is: (first == "says") == is })
            }
            "holding" => {
                // "a link to Notion" is one to notion.so.
                let kind = |kind: String| match kind.strip_prefix("link to ") {
                    Some(site) => Saying::Class(format!("link to {}", site.to_lowercase())),
                    None => Saying::Class(kind),
                };
                let what = self.names(rest).into_iter().map(kind).collect();
                Some(Test::Says { what, parameter: None, is })
            }
            "above" | "within" => {
                let (unit, most) = rest.rsplit_once(' ')?;
                let unit = unit.to_owned();
                Some(Test::Measure { unit, above: number(most, self.holes)?, is: first == "above" })
            }
            _ => None,
        }
    }

    /// "command: has {flag}", "dry run: is true", "replicas: above {n}".
    fn valued(&self, rest: &str, presence: Presence) -> Option<Test> {
        let (names, said) = rest.split_once(": ")?;
        let names = self.arguments(names)?;
        if said == "any" {
            return Some(Test::Value { names, check: Check::Anything, presence });
        }
        let check = checked(said, self.holes)?;
        Some(Test::Value { names, check, presence })
    }

    /// The names of arguments that are meant. `~price-cent` are those that say `price` of themselves and not `cent`. Where
    /// tools list themselves, only what they take counts, if they take any of it.
    fn arguments(&self, names: &str) -> Option<Vec<String>> {
        let own = || self.own.iter().flat_map(|tool| &tool.arguments);
        let mut all: Vec<String> = Vec::new();
        for name in names.split('|') {
            let Some(words) = name.strip_prefix('~') else {
                all.extend(texts(name, self.holes).iter().map(|name| crate::names::words(name).join(" ")));
                continue;
            };
            let (with, without) = words.split_once('-').unwrap_or((words, ""));
            let has = |argument: &OwnArgument, word: &str| {
                argument.name.split(' ').any(|own| own == word) || argument.described.contains(word)
            };
            let fits = |argument: &&OwnArgument| {
                with.split('~').all(|word| has(argument, word))
                    && !without.split('-').any(|word| !word.is_empty() && has(argument, word))
            };
            all.extend(own().filter(fits).map(|argument| argument.name.clone()));
        }
        all.sort_unstable();
        all.dedup();
        let taken: Vec<String> =
            all.iter().filter(|name| own().any(|argument| argument.name == **name)).cloned().collect();
        let meant = if taken.is_empty() { all } else { taken };
        (!meant.is_empty()).then_some(meant)
    }
}

/// One of several: "invoices" are spoken of where a text says "invoice". Where one is wanted, several are found anyway.
fn singular(name: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == ' ';
    if name.len() < 5
        || !name.chars().all(is_plain)
        || ["ss", "us", "is"].iter().any(|end| name.ends_with(end))
    {
        return None;
    }
    let stem = name.strip_suffix('s')?;
    let short = stem.strip_suffix("ie").map(|stem| format!("{stem}y"));
    let sibilant = ["xe", "che", "she", "sse"].iter().any(|end| stem.ends_with(end));
    Some(
        short.unwrap_or_else(
            || if sibilant { stem.trim_end_matches('e').to_owned() } else { stem.to_owned() },
        ),
    )
}

fn doing(done: &str) -> Doing {
    deed(done).map_or_else(|| Doing::Did(done.to_owned()), Doing::Deed)
}

fn deed(done: &str) -> Option<Deed> {
    Deed::named(done)
}

fn placed(rest: &str, holes: &Holes) -> Option<Vec<Place>> {
    let alone = |place: Place| Some(vec![place]);
    let Some((sort, named)) = rest.split_once(' ') else {
        return match rest {
            "files" => alone(Place::Kind("file".to_owned())),
            "network" => alone(Place::Network),
            "local" => alone(Place::Local),
            "internal" => alone(Place::Internal),
            "external" => alone(Place::External),
            "public" => alone(Place::Public),
            "hidden" => alone(Place::Hidden),
            "toplevel" => alone(Place::TopLevel),
            hole => Some(holes.places(hole.strip_prefix('{')?.strip_suffix('}')?).to_vec())
                .filter(|places| !places.is_empty()),
        };
    };
    let make: fn(String) -> Place = match sort {
        "id" => Place::Id,
        "address" => Place::Address,
        "domain" => Place::Domain,
        "host-like" => Place::HostLike,
        "page" => Place::Page,
        "ending" => |end| Place::Ending(end.trim_start_matches('.').to_owned()),
        "named" => Place::Named,
        "folder" => Place::Folder,
        "word" => Place::Word,
        "table" => Place::Table,
        "database" => Place::Database,
        "kind" => Place::Kind,
        "sort" => |sort| Place::Formed(Form::Sort(sort)),
        "year" => {
            return texts(named, holes)
                .first()?
                .parse()
                .ok()
                .map(|year| vec![Place::Formed(Form::Year(year))]);
        }
        "year-until" => {
            return texts(named, holes)
                .first()?
                .parse()
                .ok()
                .map(|year| vec![Place::Formed(Form::YearUntil(year))]);
        }
        "year-before" => {
            let before =
                |year: i16| year.checked_sub(1).map(|year| vec![Place::Formed(Form::YearUntil(year))]);
            return texts(named, holes).first()?.parse().ok().and_then(before);
        }
        "like" => |sample| Place::Formed(Form::Like(sample)),
        "starts" => |start| Place::Formed(Form::Starts(start)),
        "ends" => |end| Place::Formed(Form::Ends(end)),
        _ => return None,
    };
    let places: Vec<Place> = named.split('|').flat_map(|name| texts(name, holes)).map(make).collect();
    (!places.is_empty()).then_some(places)
}

/// What a value may be: "is true", "above {n}", "during {when}".
fn checked(said: &str, holes: &Holes) -> Option<Check> {
    let (how, what) = said.split_once(' ')?;
    let form = |text: String| match how {
        "is" => Some(Form::Is(text)),
        "has" => Some(Form::Has(text)),
        "names" => Some(Form::Names(text)),
        "starts" => Some(Form::Starts(text)),
        "starts-like" => Some(Form::StartsLike(text)),
        "like" => Some(Form::Like(text)),
        "ends" => Some(Form::Ends(text)),
        "year" => text.parse().ok().map(Form::Year),
        "sort" => Some(Form::Sort(text)),
        _ => None,
    };
    Some(match how {
        "above" => Check::Above(number(what, holes)?),
        "below" => Check::Below(number(what, holes)?),
        "during" => Check::During(vec![holes.time(what.trim_matches(['{', '}']))?.clone()]),
        "fits" => Check::Forms(fitting(what, holes)?),
        _ => {
            let forms = what.split('|').flat_map(|what| texts(what, holes)).map(form);
            Check::Forms(forms.collect::<Option<Vec<Form>>>().filter(|forms| !forms.is_empty())?)
        }
    })
}

/// "filters on {name}": a pattern of the tables with what stands in its hole.
fn fitting(what: &str, holes: &Holes) -> Option<Vec<Form>> {
    let (said, pattern) = super::patterns().find(|(said, _)| {
        what.strip_prefix(said.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let named = what.strip_prefix(said.as_str())?.trim_start();
    if named.is_empty() {
        return Some(vec![Form::Fits { said: said.clone(), pattern: pattern.clone() }]);
    }
    let filled = |text: &str, number: &str| {
        let bound = |bound: fn(u64) -> String| number.parse().map_or_else(|_| "[0-9]+".to_owned(), bound);
        let pattern = pattern.replace("{<}", &bound(below)).replace("{>}", &bound(above));
        pattern.replace("{}", &crate::meaning::escaped(text))
    };
    let all = |names: &str| names.split('|').flat_map(|name| texts(name, holes)).collect::<Vec<String>>();
    // "sets {column} # {n}": what stands in the pattern, and a number of its own.
    let forms: Vec<Form> = match named.split_once(" # ") {
        Some((names, numbers)) => {
            let numbers = all(numbers);
            let each = |text: &String, number: &String| Form::Fits {
                said: format!("{said} “{text}”, {number}"),
                pattern: filled(text, number),
            };
            all(names).iter().flat_map(|text| numbers.iter().map(move |number| each(text, number))).collect()
        }
        None => {
            let each = |text: &String| Form::Fits {
                said: format!("{said} “{text}”"),
                pattern: filled(text, text),
            };
            all(named).iter().map(each).collect()
        }
    };
    (!forms.is_empty()).then_some(forms)
}

/// A number: what stands in a hole, one less (`{n}-1`), or so many times as much (`{n}*100`).
fn number(text: &str, holes: &Holes) -> Option<i64> {
    if let Some((text, times)) = text.split_once('*') {
        return number(text, holes)?.checked_mul(times.parse().ok()?);
    }
    match text.strip_suffix("-1") {
        Some(text) => number(text, holes)?.checked_sub(1),
        None => texts(text, holes).first()?.parse().ok(),
    }
}

/// A text with what stands in its holes: one for each that stands there.
fn texts(text: &str, holes: &Holes) -> Vec<String> {
    let Some((before, hole, behind)) = hole(text) else { return vec![text.to_owned()] };
    let ends = texts(behind, holes);
    let with =
        |filled: &String| ends.iter().map(|end| format!("{before}{filled}{end}")).collect::<Vec<String>>();
    holes.texts(hole).iter().flat_map(with).collect()
}

fn hole(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (hole, behind) = rest.split_once('}')?;
    Some((before, hole, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_want_the_same_value_in_an_earlier_call() {
        let holes = Holes::default();
        let mean = Mean { holes: &holes, own: &[] };
        for (line, is) in [
            ("earlier-same pullNumber|id: read|reads", true),
            ("not earlier-same pullNumber|id: read|reads", false),
        ] {
            assert!(is_known(line));
            let texts = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
            let (what, names) = (texts(["read", "reads"]), texts(["id", "pull number"]));
            assert_eq!(mean.held(line), Some(Test::EarlierSame { what, names, is }));
        }
        assert_eq!(mean.held("earlier-same pull number"), None, "what was done is not said");
    }

    #[test]
    fn what_is_told_of_several_is_told_of_one() {
        for (several, one) in [
            ("invoices", Some("invoice")),
            ("salaries", Some("salary")),
            ("bank boxes", Some("bank box")),
            ("address", None),
            ("status", None),
            ("bus", None),
            ("Kessels", None),
            ("invoice", None),
        ] {
            assert_eq!(singular(several).as_deref(), one, "{several}");
        }
    }

    #[test]
    fn thousands_may_be_set_apart() {
        for (text, most, is_above) in [
            ("1,250.00", 300, true),
            ("1.250", 300, true),
            ("89.00", 50, true),
            ("12.50", 50, false),
            ("2,400", 2500, false),
            ("2,600", 2500, true),
            ("3 100", 2500, true),
            ("180.", 100, true),
        ] {
            let regex = regex::Regex::new(&format!("^{}", above(most))).unwrap();
            assert_eq!(regex.is_match(text), is_above, "{text} above {most}");
        }
    }

    #[test]
    fn greater_numbers_are_told_by_an_expression() {
        for most in [0, 5, 9, 10, 99, 100, 128, 2999] {
            let regex = regex::Regex::new(&format!("^{}", above(most))).unwrap();
            for number in 0..4000 {
                assert_eq!(regex.is_match(&number.to_string()), number > most, "{number} above {most}");
            }
            let regex = regex::Regex::new(&format!("^{}", below(most))).unwrap();
            for number in 0..4000 {
                assert_eq!(regex.is_match(&number.to_string()), number < most, "{number} below {most}");
            }
        }
    }
}
