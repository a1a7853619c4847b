//! What a plain sentence means: what `stated.toml` says, with the names of the sentence in its holes.
//!
//! Of a line of `holds` the first word says what it is about:
//!   in, into, from P       what is done lies there, goes there or comes from there; `not` in front: elsewhere
//!   did A|B                words show one of these acts; `not` in front: none of them
//!   earlier A              an earlier call showed this act; `not` in front: none did
//!   program A|B            one of these programs runs; `not` in front: another one
//!   has, lacks N|M F       an argument called so has this form (see `forms`), or none has; `other`: one is given and has not
//!   says, omits F          a text has these words, or none has; `holding`: something of this kind
//!   above U N, within U N  there is more of something, or not
//!   again D                an earlier call did this to the very same thing
//!   tool A|B               it is one of these tools
//! `{x}` is what stands in that hole.

use super::holes::Holes;
use super::{Entry, Rules};
use crate::english::exact::Exact;
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Saying, Side, Test, Verdict};

/// What the lines of the table begin with.
#[cfg(test)]
const KNOWN: &[&str] = &[
    "in", "into", "from", "did", "earlier", "program", "has", "lacks", "other", "says", "omits", "holding",
    "above", "within", "tool", "again",
];

/// Whether a line of the table begins as it should.
#[cfg(test)]
pub(super) fn is_known(line: &str) -> bool {
    let line = line.strip_prefix("not ").unwrap_or(line);
    line.split_once(' ').is_some_and(|(first, _)| KNOWN.contains(&first))
}

impl Exact<'_> {
    /// What an entry means with these names.
    pub(super) fn meant(&self, entry: &Entry, holes: &Holes) -> Option<Rules> {
        let tests = entry.holds.iter().map(|line| held(line, holes)).collect::<Option<Vec<Test>>>()?;
        let verdict = if entry.asks { Verdict::Ask } else { Verdict::Deny };
        if entry.does.iter().any(|done| done == "{act}") {
            let with = |(_, case): &(Verdict, Case)| {
                let mut case = case.clone();
                case.tests.extend(tests.iter().cloned());
                (verdict, case)
            };
            return Some(holes.rules().iter().map(with).collect());
        }
        let doings = entry.does.iter().map(|done| doing(done)).collect();
        let mut case = Case { doings, tests, unless: Vec::new() };
        if !entry.most.is_empty() {
            let least = number(&entry.most, holes)?;
            let often = Test::Often { what: Box::new(case.clone()), least };
            case.tests.push(often);
        }
        Some(vec![(verdict, case)])
    }
}

fn held(line: &str, holes: &Holes) -> Option<Test> {
    let (is, line) = match line.strip_prefix("not ") {
        Some(line) => (false, line),
        None => (true, line),
    };
    let (first, rest) = line.split_once(' ')?;
    let names = || rest.split('|').map(str::to_owned).collect::<Vec<String>>();
    match first {
        "in" => Some(Test::Place { side: Side::Object, places: placed(rest, holes)?, inside: is }),
        "into" => Some(Test::Place { side: Side::To, places: placed(rest, holes)?, inside: is }),
        "from" => Some(Test::Place { side: Side::From, places: placed(rest, holes)?, inside: is }),
        "did" => Some(Test::Did { actions: names(), is }),
        "earlier" => {
            let what = Case { doings: vec![doing(rest)], ..Case::default() };
            Some(Test::Earlier { what: Box::new(what), is })
        }
        "program" => Some(Test::Program { names: names(), is }),
        "again" => match doing(rest) {
            Doing::Deed(deed) => Some(Test::EarlierHere { deed, is }),
            Doing::Did(_) => None,
        },
        "tool" => Some(Test::Tool { names: names(), is }),
        "has" => valued(rest, holes, Presence::One),
        "lacks" => valued(rest, holes, Presence::Missing),
        "other" => valued(rest, holes, Presence::Other),
        "says" | "omits" => {
            let what = texts(rest, holes).into_iter().map(Saying::Words).collect();
            Some(Test::Says { what, parameter: None, is: first == "says" })
        }
        "holding" => {
            let what = texts(rest, holes).into_iter().map(Saying::Class).collect();
            Some(Test::Says { what, parameter: None, is })
        }
        "above" | "within" => {
            let (unit, most) = rest.rsplit_once(' ')?;
            let unit = unit.to_owned();
            Some(Test::Measure { unit, above: number(most, holes)?, is: first == "above" })
        }
        _ => None,
    }
}

fn doing(done: &str) -> Doing {
    let deed = match done {
        "reads" => Deed::Reads,
        "writes" => Deed::Writes,
        "changes" => Deed::Changes,
        "deletes" => Deed::Deletes,
        "moves" => Deed::Moves,
        "copies" => Deed::Copies,
        "runs" => Deed::Runs,
        "sends" => Deed::Sends,
        "involves" => Deed::Involves,
        act => return Doing::Did(act.to_owned()),
    };
    Doing::Deed(deed)
}

fn placed(rest: &str, holes: &Holes) -> Option<Vec<Place>> {
    let places = match rest.split_once(' ') {
        None if rest == "{places}" => holes.places().to_vec(),
        None if rest == "files" => vec![Place::Kind("file".to_owned())],
        Some(("ending", ends)) => ends.split('|').map(|end| Place::Ending(end.to_owned())).collect(),
        Some(("named", names)) => names.split('|').map(|name| Place::Named(name.to_owned())).collect(),
        Some(("folder", name)) => texts(name, holes).into_iter().map(Place::Folder).collect(),
        Some(("sort", sort)) => vec![Place::Formed(Form::Sort(sort.to_owned()))],
        _ => Vec::new(),
    };
    (!places.is_empty()).then_some(places)
}

/// "command has {flag}", "dry run is true", "replicas above {n}".
fn valued(rest: &str, holes: &Holes, presence: Presence) -> Option<Test> {
    let (names, said) = rest.split_once(": ")?;
    let names = names.split('|').map(str::to_owned).collect();
    let (how, what) = said.split_once(' ')?;
    let check = match how {
        "above" => Check::Above(number(what, holes)?),
        "below" => Check::Below(number(what, holes)?),
        how => {
            let form = |text: String| match how {
                "is" => Some(Form::Is(text)),
                "has" => Some(Form::Has(text)),
                "names" => Some(Form::Names(text)),
                "starts" => Some(Form::Starts(text)),
                "sort" => Some(Form::Sort(text)),
                _ => None,
            };
            let forms = what.split('|').flat_map(|what| texts(what, holes)).map(form);
            Check::Forms(forms.collect::<Option<Vec<Form>>>().filter(|forms| !forms.is_empty())?)
        }
    };
    Some(Test::Value { names, check, presence })
}

fn number(text: &str, holes: &Holes) -> Option<i64> {
    texts(text, holes).first()?.parse().ok()
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
