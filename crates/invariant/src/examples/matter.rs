//! What a rule is about, as values that calls can have: its own places and values, and their neighbours.

use jiff::ToSpan;
use jiff::civil::{DateTime, date};
use portcullis_perceive::layout::Layout;

use crate::action::{Action, Actions};

use crate::meaning::{Check, Deed, Doing, Form, Meaning, Place, Saying, Span, Test};
use crate::names;

/// A host that belongs to nobody whom a rule speaks of.
const ELSEWHERE: &str = "elsewhere.example";
/// More repetitions than these are not made.
const MOST_REPEATS: i64 = 25;
/// Longer events than these are not made.
const MOST_MINUTES: i64 = 12 * 60;
/// Longer texts than these are not made.
const LONGEST: usize = 4000;

/// Values for arguments, the rule's own before their neighbours, the plain ones last.
#[derive(Default)]
pub(super) struct Matter {
    pub(super) paths: Vec<String>,
    pub(super) addresses: Vec<String>,
    pub(super) pages: Vec<String>,
    pub(super) statements: Vec<String>,
    pub(super) commands: Vec<String>,
    pub(super) branches: Vec<String>,
    pub(super) texts: Vec<String>,
    pub(super) ids: Vec<String>,
    pub(super) numbers: Vec<i64>,
    /// Lengths of lists.
    pub(super) lengths: Vec<usize>,
    /// Values that arguments choose among.
    pub(super) choices: Vec<String>,
    /// Words of arguments that are given.
    pub(super) given: Vec<String>,
    /// When calls are made; at no time in particular where the rule is not about time.
    pub(super) moments: Vec<Option<DateTime>>,
    /// When events begin.
    pub(super) starts: Vec<DateTime>,
    /// How long events last.
    pub(super) minutes: Vec<i64>,
    /// Words that the names of fitting tools have.
    pub(super) verbs: Vec<String>,
    /// Texts of the rule itself: a call that has one shows more than a call that has none.
    pub(super) own: Vec<String>,
    /// How often a call has been made before.
    pub(super) repeats: Vec<usize>,
    /// Somebody whom few rules speak of.
    pub(super) plain_address: String,
    workspace: String,
}

impl Matter {
    pub(super) fn of(meanings: &[Meaning], layout: &Layout) -> Matter {
        let workspace = layout.workspace.trim_end_matches('/').to_owned();
        let mut matter = Matter { workspace, ..Matter::default() };
        for case in meanings.iter().flat_map(|meaning| &meaning.cases) {
            for doing in &case.doings {
                match doing {
                    Doing::Did(name) => matter.action(name),
                    Doing::Deed(deed) => {
                        matter.verbs.extend(verbs(*deed).iter().map(|verb| (*verb).to_owned()))
                    }
                }
            }
            let exceptions = case.unless.iter().flatten();
            case.tests.iter().chain(exceptions).for_each(|test| matter.test(test));
        }
        matter.own = matter.owned();
        matter.plain(layout);
        matter.tidy();
        matter
    }

    /// A file of the workspace that no rule speaks of.
    pub(super) fn plain_path(&self) -> String {
        format!("{}/notes.txt", self.workspace)
    }

    /// A path as it is written where paths lie in a repository elsewhere, or on this machine.
    pub(super) fn placed(&self, path: &str, is_remote: bool) -> String {
        let inside = path.strip_prefix(&self.workspace).and_then(|rest| rest.strip_prefix('/'));
        match (is_remote, inside) {
            (true, Some(inside)) => inside.to_owned(),
            (true, None) => path.trim_start_matches('/').to_owned(),
            (false, _) => path.to_owned(),
        }
    }

    /// Everything that was taken from the rule so far.
    fn owned(&self) -> Vec<String> {
        let lists =
            [&self.paths, &self.addresses, &self.pages, &self.statements, &self.commands, &self.branches];
        let more = [&self.texts, &self.ids, &self.choices];
        lists.into_iter().chain(more).flatten().cloned().collect()
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Place { places, .. } | Test::Carries(places) => {
                places.iter().for_each(|place| self.place(place));
            }
            Test::Secret => self.paths.push(format!("{}/.env", self.workspace)),
            Test::Did { actions, .. } => actions.iter().for_each(|name| self.action(name)),
            Test::About { .. } | Test::Tool { .. } => {}
            Test::Concerns(names) => {
                self.ids.extend(names.iter().cloned());
                self.choices.extend(names.iter().cloned());
                self.paths.extend(names.iter().map(|name| format!("{}/{name}", self.workspace)));
            }
            Test::Time { spans, of_event, .. } => spans.iter().for_each(|span| self.span(span, *of_event)),
            Test::Measure { unit, above, .. } => self.measure(unit, *above),
            Test::Says { what, .. } => what.iter().for_each(|saying| self.texts.push(said(saying))),
            Test::Given { word, .. } => self.given.push(word.clone()),
            Test::Choice { values, parameter, .. } => {
                self.choices.extend(values.iter().cloned());
                self.given.extend(parameter.clone());
            }
            Test::Value { names, check, .. } => self.value(names, check),
            Test::Often { what, least } => {
                what.tests.iter().for_each(|test| self.test(test));
                self.measure("did it", *least);
            }
            Test::Sign(signs) => {
                self.commands.extend(signs.iter().map(|sign| format!("ls {sign} cat notes.txt")));
            }
            Test::Branch { patterns, .. } => {
                for name in patterns.iter().map(|pattern| pattern.replace('*', "a")) {
                    let names = [name.clone(), format!("{name}-old")];
                    self.commands.extend(names.iter().map(|name| format!("git push origin {name}")));
                    self.branches.extend(names);
                }
            }
            Test::Any(alternatives) => alternatives.iter().flatten().for_each(|test| self.test(test)),
            Test::Program { names, .. } => {
                let commands = names.iter().flat_map(|name| [format!("{name} notes.txt"), name.clone()]);
                self.commands.extend(commands);
            }
            Test::WithoutWhere => self
                .statements
                .extend(["DELETE FROM orders", "DELETE FROM orders WHERE id = 7"].map(str::to_owned)),
            Test::Unlimited => self
                .statements
                .extend(["SELECT id FROM orders", "SELECT id FROM orders LIMIT 10"].map(str::to_owned)),
            Test::Everything => self.commands.push("rm -rf .".to_owned()),
            Test::Company(_) | Test::EarlierHere { .. } | Test::EarlierSame { .. } | Test::Does(_) => {}
            Test::Earlier { what, .. } => what.tests.iter().for_each(|test| self.test(test)),
        }
    }

    /// Values that an argument may and may not have.
    fn value(&mut self, names: &[String], check: &Check) {
        self.given.extend(names.iter().cloned());
        match check {
            Check::Anything => {}
            Check::Forms(forms) => {
                for value in forms.iter().map(formed) {
                    self.texts.push(value.clone());
                    self.ids.push(value.clone());
                    self.choices.push(value);
                }
            }
            Check::During(spans) => spans.iter().for_each(|span| self.span(span, true)),
            Check::Above(number) | Check::Below(number) => {
                self.numbers.extend([number.saturating_add(1), *number, number.saturating_sub(1)]);
            }
        }
    }

    /// How an action shows in commands and statements.
    fn action(&mut self, name: &str) {
        let Ok(actions) = Actions::built_in() else { return };
        let Some(action) = actions.iter().find(|action| action.name == name) else {
            // A command that the rule spells out.
            let program = name.split(' ').next().unwrap_or(name);
            self.commands.extend([name.to_owned(), format!("{program} --help")]);
            return;
        };
        self.verbs.push(action.name.clone());
        self.verbs.extend(action.verbs.iter().map(|verb| names::stem(verb)));
        for command in action.commands.iter().filter(|command| !command.contains('*')).take(3) {
            let first = |word: &str| {
                let first = word.split('|').next().unwrap_or(word);
                first.trim_start_matches('^').to_owned()
            };
            let words: Vec<String> = command.split(' ').map(first).collect();
            self.commands.push(words.join(" "));
            if let Some((_, front)) = words.split_last().filter(|(_, front)| !front.is_empty()) {
                self.commands.push(format!("{} --help", front.join(" ")));
            }
        }
        self.statements.extend(action.statements.iter().map(|kind| statement(kind, "orders")));
        self.texts.extend(action.elements.iter().take(2).cloned());
        self.choices.extend(action.choices.iter().take(2).cloned());
        self.given.extend(action.given.iter().chain(&action.given_true).take(2).cloned());
        self.marks(action);
    }

    /// What the settings of an action and its example show.
    fn marks(&mut self, action: &Action) {
        for (name, values) in action.settings.iter().take(2).filter_map(|setting| setting.split_once('=')) {
            self.given.extend(names::words(name));
            let plain =
                values.split('|').filter(|value| !value.starts_with(['!', '?', '*']) && *value != "date");
            self.choices.extend(plain.map(str::to_owned));
        }
        if action.example.is_empty() {
            return;
        }
        let (example, own) = (action.example.clone(), &action.statements);
        match (&action.urls, &action.texts, &action.lines) {
            (urls, _, _) if !urls.is_empty() => self.pages.push(example),
            (_, texts, _) if !texts.is_empty() => self.texts.push(example),
            (_, _, lines) if !lines.is_empty() => self.commands.push(example),
            _ if !action.sql.is_empty() || !own.is_empty() => self.statements.push(example),
            _ => {}
        }
    }

    fn place(&mut self, place: &Place) {
        let here = |name: &str| format!("{}/{name}", self.workspace);
        match place {
            Place::Path(path) => {
                let is_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
                let own = if is_file { path.clone() } else { format!("{path}/notes.txt") };
                let other = if is_file { format!("{path}.old") } else { format!("{path}-old/notes.txt") };
                self.paths.extend([own, path.clone(), other]);
            }
            Place::Named(name) => {
                let name = name.replace('*', "a");
                self.paths.extend([here(&name), here(&format!("{name}.old"))]);
            }
            Place::Within(path) => {
                let path = here(&path.replace('*', "a"));
                self.paths.extend([format!("{path}/notes.txt"), format!("{path}-old/notes.txt")]);
            }
            Place::Ending(end) => self.paths.extend([here(&format!("a.{end}")), here("a.other")]),
            Place::Folder(folder) => {
                self.paths
                    .extend([here(&format!("{folder}/notes.txt")), here(&format!("{folder}-old/notes.txt"))]);
            }
            Place::Word(word) => {
                self.paths.extend([here(&format!("{word}.csv")), here(&format!("{word}/notes.txt"))]);
                self.ids.push(word.clone());
                self.tables(word);
            }
            Place::Domain(domain) => {
                self.addresses.extend([format!("ann@{domain}"), format!("ann@{domain}.{ELSEWHERE}")]);
                self.pages.extend([format!("https://{domain}/a"), format!("https://{domain}.{ELSEWHERE}/a")]);
            }
            Place::HostLike(like) => self.pages.push(format!("https://{}.example/a", like.replace('*', "a"))),
            Place::Page(page) => {
                self.pages.extend([page.clone(), format!("{page}/a"), format!("{page}-old")])
            }
            Place::Address(address) => self.addresses.extend([address.clone(), format!("not-{address}")]),
            Place::Mailbox(mailbox) => self.addresses.push(format!("{mailbox}@{ELSEWHERE}")),
            Place::Id(id) | Place::Channel(id) => {
                self.ids.extend([id.clone(), format!("#{id}"), format!("{id}9")])
            }
            Place::Table(table) => self.tables(table),
            Place::Database(database) => self.ids.push(database.clone()),
            Place::TopLevel => self.paths.extend([here("a.txt"), here("below/a.txt")]),
            Place::PlainHttp => self.pages.push(format!("http://{ELSEWHERE}/a")),
            Place::Hidden => self.paths.extend([here(".a"), here("a")]),
            Place::Formed(form) => self.paths.extend([here(&formed(form)), here("a")]),
            Place::External | Place::Internal => self.addresses.push(format!("bob@{ELSEWHERE}")),
            Place::Kind(kind) if kind == "person" => self.addresses.push(format!("bob@{ELSEWHERE}")),
            Place::Kind(_) | Place::Network | Place::Local | Place::Public => {}
        }
    }

    fn tables(&mut self, table: &str) {
        self.ids.push(table.to_owned());
        for kind in ["select", "update", "delete", "insert"] {
            self.statements.push(statement(kind, table));
        }
        self.statements.push(statement("select", &format!("{table}_old")));
        self.statements.push(statement("update", &format!("{table}_old")));
    }

    fn measure(&mut self, unit: &str, above: i64) {
        let counts = unit.starts_with("did ") || unit.starts_with("made ");
        if counts {
            let most = above.clamp(0, MOST_REPEATS);
            self.repeats
                .extend([most, (most - 1).max(0)].iter().filter_map(|count| usize::try_from(*count).ok()));
            return;
        }
        self.numbers.extend([above.saturating_add(1), above]);
        if unit == "file" && (1..MOST_REPEATS).contains(&above) {
            let files = |count: i64| (1..=count).map(|at| format!("a{at}.txt")).collect::<Vec<_>>().join(" ");
            self.commands.extend([above + 1, above].map(|count| format!("rm {}", files(count))));
        }
        if unit == "minute" {
            self.minutes.extend([above.saturating_add(1), above].map(|minutes| minutes.min(MOST_MINUTES)));
        }
        let Ok(above) = usize::try_from(above) else { return };
        if above < LONGEST {
            self.lengths.extend([above + 1, above].into_iter().filter(|length| (1..=50).contains(length)));
            let unit = unit.split(' ').next().unwrap_or(unit);
            let text = |count: usize| match unit {
                "line" => Some("a line\n".repeat(count)),
                "word" => Some("word ".repeat(count)),
                "character" | "byte" => Some("a".repeat(count)),
                _ => None,
            };
            self.texts.extend(text(above + 1).into_iter().chain(text(above)));
        }
    }

    fn span(&mut self, span: &Span, of_event: bool) {
        let day = span.dates.and_then(|(from, to)| from.or(to)).unwrap_or(date(2026, 3, 3));
        let mut moments = Vec::new();
        // A week of days, and the month that is meant.
        let month = span.months.first().and_then(|month| jiff::civil::Date::new(day.year(), *month, 10).ok());
        let around = [Some(day), day.yesterday().ok(), day.tomorrow().ok(), month].into_iter().flatten();
        let week = (0..7i64).filter_map(|days| day.checked_add(days.days()).ok());
        for day in around.chain(week) {
            let hours = span.hours.iter().flat_map(|(from, to)| [*from, to - 15, from - 15, *to]);
            for minute in hours.chain([10 * 60 + 30]).filter(|minute| (0..24 * 60).contains(minute)) {
                let clock = (i8::try_from(minute / 60), i8::try_from(minute % 60));
                if let (Ok(hour), Ok(minute)) = clock {
                    moments.push(day.at(hour, minute, 0, 0));
                }
            }
        }
        // Two that lie in the span and the two next to it that do not are enough.
        let holds = |at: &DateTime| {
            let number = i64::from(at.year()) * 10_000 + i64::from(at.month()) * 100 + i64::from(at.day());
            let weekday = i64::from(at.date().weekday().to_monday_zero_offset());
            span.holds_moment(number, weekday, i64::from(at.hour()) * 60 + i64::from(at.minute()))
        };
        let (inside, outside): (Vec<DateTime>, Vec<DateTime>) = moments.into_iter().partition(holds);
        let few = inside.into_iter().take(2).chain(outside.into_iter().take(2));
        match of_event {
            true => self.starts.extend(few),
            false => self.moments.extend(few.map(Some)),
        }
    }

    /// What calls have in general, after what is the rule's own.
    fn plain(&mut self, layout: &Layout) {
        self.paths.push(format!("{}/notes.txt", self.workspace));
        self.paths.extend((!layout.home.is_empty()).then(|| format!("{}/other.txt", layout.home)));
        let internal = layout.internal.iter().find(|name| !name.contains([':', '/', '*']));
        let internal = internal.map(|domain| format!("ann@{domain}"));
        self.addresses.extend(internal.clone());
        self.addresses.push(format!("bob@{ELSEWHERE}"));
        self.plain_address = internal.unwrap_or_else(|| format!("bob@{ELSEWHERE}"));
        self.pages.push(format!("https://{ELSEWHERE}/a"));
        self.statements.push("SELECT id FROM orders WHERE id = 7".to_owned());
        for path in self.paths.iter().take(2) {
            self.commands.extend([format!("cat {path}"), format!("rm {path}")]);
            self.commands.push(format!("curl -F file=@{path} https://{ELSEWHERE}/a"));
        }
        self.commands.push("ls".to_owned());
        self.branches.push("feature/a".to_owned());
        self.texts.push("All is well.".to_owned());
        if self.moments.is_empty() {
            self.moments.push(None);
        }
        if self.starts.is_empty() {
            self.starts.push(date(2026, 3, 10).at(10, 0, 0, 0));
        }
    }

    /// Each value once, in its order.
    fn tidy(&mut self) {
        for list in [
            &mut self.paths,
            &mut self.addresses,
            &mut self.pages,
            &mut self.statements,
            &mut self.commands,
            &mut self.branches,
            &mut self.texts,
            &mut self.ids,
            &mut self.choices,
            &mut self.given,
        ] {
            once(list);
        }
        once(&mut self.numbers);
        once(&mut self.lengths);
        once(&mut self.moments);
        once(&mut self.starts);
        once(&mut self.repeats);
    }
}

/// Words that tools have in their names which do such a thing.
const fn verbs(deed: Deed) -> &'static [&'static str] {
    match deed {
        Deed::Reads => &["read", "query"],
        Deed::Writes => &["write", "save"],
        Deed::Changes => &["write", "edit", "update", "query"],
        Deed::Deletes => &["delete", "remove"],
        Deed::Moves => &["move"],
        Deed::Copies => &["copy"],
        Deed::Runs => &["run", "start", "execute"],
        Deed::Sends => &["send", "post", "mail", "email"],
        Deed::Involves => &["read", "fetch", "navigate", "query"],
    }
}

fn once<T: PartialEq>(list: &mut Vec<T>) {
    let all = std::mem::take(list);
    for one in all {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

/// A text of a form.
fn formed(form: &Form) -> String {
    match form {
        Form::Is(text) => text.replace('*', "a"),
        Form::Starts(text) => format!("{text} and more"),
        Form::StartsLike(sample) => format!("{sample} and more"),
        Form::Like(sample) => format!("More, {sample}"),
        Form::Ends(text) => format!("More, and {text}"),
        Form::Has(text) => format!("It says {text} here."),
        Form::Names(name) => format!("SELECT {name} FROM orders"),
        // What an expression finds is not made up from it.
        Form::Fits { .. } => "A text".to_owned(),
        Form::Year(year) | Form::YearUntil(year) => format!("{year}.txt"),
        Form::Sort(sort) => match sort.as_str() {
            "capital letters" => "A Text".to_owned(),
            "small letters" => "a text".to_owned(),
            "blanks" => "two words".to_owned(),
            "digits" => "4 of 7".to_owned(),
            "emoji" => ":eyes:".to_owned(),
            "links" => format!("https://{ELSEWHERE}/a"),
            _ => "a_b-c.d/e!?#x".to_owned(),
        },
    }
}

fn said(saying: &Saying) -> String {
    match saying {
        Saying::Words(words) => match (words.strip_prefix('^'), words.strip_prefix('$')) {
            (Some(start), _) => format!("{start} and more"),
            (_, Some(end)) => format!("More, and {end}"),
            (None, None) => format!("It says {words} here."),
        },
        Saying::Like(sample) => sample.clone(),
        Saying::Class(class) => match class.as_str() {
            "amount of money" => "It costs 450 euros.".to_owned(),
            "mail address" => format!("Write to bob@{ELSEWHERE}."),
            "phone number" => "Call +41 44 000 00 00.".to_owned(),
            "card number" => "It is 4111 1111 1111 1111.".to_owned(),
            "bank account" => "It is CH9300762011623852957.".to_owned(),
            _ => crate::filters::contents::example(class)
                .unwrap_or_else(|| format!("See https://{ELSEWHERE}/a")),
        },
    }
}

fn statement(kind: &str, table: &str) -> String {
    match kind {
        "update" => format!("UPDATE {table} SET state = 1 WHERE id = 7"),
        "delete" => format!("DELETE FROM {table} WHERE id = 7"),
        "insert" => format!("INSERT INTO {table} (id) VALUES (7)"),
        "drop" => format!("DROP TABLE {table}"),
        "truncate" => format!("TRUNCATE {table}"),
        "alter" => format!("ALTER TABLE {table} ADD COLUMN more int"),
        "create" => format!("CREATE TABLE {table} (id int)"),
        _ => format!("SELECT id FROM {table}"),
    }
}
