//! What rules can be written about: the facts of a call, and the questions that can be asked about them.

use std::sync::LazyLock;

use portcullis_datalog::{Constant, Kind, PredicateId, Schema, SchemaError, Test, Truth, Value};

use crate::filters;
use crate::meaning::Span;
use crate::names;

/// The schema, and the number of each of its predicates.
pub struct Vocabulary {
    schema: Schema,
    pub(crate) ids: Ids,
}

macro_rules! predicates {
    ($($name:ident: [$($kind:ident),*] = $meaning:literal;)+) => {
        /// The number of each predicate.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Ids { $(pub(crate) $name: PredicateId),+ }

        fn predicates(schema: &mut Schema) -> Result<Ids, SchemaError> {
            Ok(Ids { $($name: schema.predicate(stringify!($name), &[$(Kind::$kind),*], $meaning)?),+ })
        }
    };
}

predicates! {
    server: [Text] = "the call goes to this server";
    tool: [Text] = "the call is of this tool, `server.tool`";
    did: [Text] = "words of the tool, of a command or of an argument show this action";
    about: [Text] = "the tool is about this, by the last noun of its name";
    flow: [Number] = "the call has a flow of this number";
    effect: [Number, Text] = "the flow reads, writes, deletes, runs or starts something";
    input: [Number, Text] = "the flow takes this in";
    output: [Number, Text] = "the flow goes there";
    reads: [Number, Text] = "the flow uses the content of this";
    writes: [Number, Text] = "something arrives there";
    changes: [Number, Text] = "this is written, moved away or deleted";
    deletes: [Number, Text] = "this is destroyed";
    moves: [Number, Text] = "this is taken elsewhere";
    copies: [Number, Text] = "this is copied elsewhere";
    runs: [Number, Text] = "this is executed";
    sends: [Number, Text] = "something goes to this on the network";
    involves: [Number, Text] = "this takes part in the flow";
    kind: [Text, Text] = "what the name is: file, page, person, channel, direct, repository, table, calendar, mailbox, note, package, host, account";
    realm: [Text, Text] = "where the name lies: local, internal, external";
    public: [Text] = "everybody can see this";
    top_level: [Text] = "this lies directly in the workspace";
    carries: [Number, Text] = "the flow carries data from there";
    secret: [Number] = "the flow carries secrets";
    argument: [Text, Text] = "an argument and its value, as text";
    number: [Text, Number] = "an argument and its value, as a number";
    given: [Text] = "an argument with this word in its name is given";
    choice: [Text, Text] = "an argument has this short value";
    text: [Text, Text] = "a text among the arguments";
    measure: [Text, Number] = "there is so much of something: file, recipient, line, character, word, byte, page, result, row, minute, amount, item";
    calls: [Text, Number] = "so many calls of the session did this, this one included";
    calls_to: [Text, Text, Number] = "so many calls of the session did this to that, this one included";
    earlier: [Text] = "an earlier call of the session reached this milestone";
    reached: [Text, Number] = "so many earlier calls of the session reached this milestone";
    earlier_to: [Text, Text] = "an earlier call of the session did this to that: reads, writes, changes, deletes, moves, runs or sends";
    earlier_same: [Text, Text] = "an earlier call of the session did this and had a value of this argument, in whatever argument";
    earlier_other: [Text, Text] = "this argument has a value that no earlier call is remembered to have had that did this";
    branch: [Text] = "the call is about this branch";
    database: [Text] = "the call is about this database";
    sign: [Text] = "a command line of the call has this sign outside of quotes: `&&`, `||`, `;`, `|`, `&`, `>`, `<`, `$(`";
    program: [Text] = "a command of the call runs this program";
    statement: [Number, Text] = "the call has a SQL statement of this kind";
    without_where: [Number] = "the statement changes rows without choosing them";
    unlimited: [Number] = "the query has no limit";
    now: [Number, Number, Number] = "the date as 20260306, the day of the week (Monday is 0), the minute of the day";
    event: [Number, Number, Number, Number] = "something is scheduled: date, day of the week, from and to which minute";
    everything: [] = "everything at once is meant, not single things";
    company: [] = "other people take part";
}

static BUILT_IN: LazyLock<Result<Vocabulary, String>> =
    LazyLock::new(|| Vocabulary::new().map_err(|error| error.to_string()));

impl Vocabulary {
    /// The one vocabulary that there is.
    pub fn built_in() -> Result<&'static Vocabulary, String> {
        BUILT_IN.as_ref().map_err(Clone::clone)
    }

    /// For programs over it.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    fn new() -> Result<Vocabulary, SchemaError> {
        let mut schema = Schema::new();
        let ids = predicates(&mut schema)?;
        add_filters(&mut schema)?;
        Ok(Vocabulary { schema, ids })
    }
}

/// Larger regular expressions than these, in bytes when they are compiled, are refused.
const LARGEST_REGEX: usize = 1 << 20;

/// A filter on two texts whose answer is always known.
type Certain = fn(&str, &str) -> bool;
/// A filter on two texts that may not know.
type Perhaps = fn(&str, &str) -> Option<bool>;

const CERTAIN: &[(&str, &str, Certain)] = &[
    ("is_argument", "the argument is called so, or lies in one that is", filters::is_argument),
    ("inside", "the name lies in this place as a whole", filters::inside),
    ("touches", "the name lies in this place or reaches into it", filters::touches),
    (
        "says",
        "the text holds these words; `^` and `$` in front mean its beginning and its end",
        filters::says,
    ),
];

const PERHAPS: &[(&str, &str, Perhaps)] = &[
    ("at_host", "the name is at this host or below it", |name, with| {
        // All pages below one are at its host.
        match filters::host(name) {
            Some(host) if !host.contains('*') => Some(filters::at_host(name, with)),
            _ => filters::perhaps_elsewhere(filters::at_host(name, with), name),
        }
    }),
    ("has_path", "the name lies at this path inside a repository", |name, with| {
        filters::perhaps_elsewhere(filters::has_path(name, with), name)
    }),
    ("is_address", "the name is this address: of a person or of a calendar", |name, with| {
        filters::perhaps_elsewhere(filters::is_address(name, with), name)
    }),
    ("has_id", "the name has this id", |name, with| {
        filters::perhaps_elsewhere(filters::has_id(name, with), name)
    }),
    ("is_table", "the name is this table", |name, with| {
        filters::perhaps_elsewhere(filters::is_table(name, with), name)
    }),
    ("named", "the last part of the name is like this", filters::named),
];

/// A filter on a text that was made ready for what it compares with.
type Ready = Box<dyn Fn(&str) -> Option<bool> + Send + Sync>;
/// How it is made ready.
type MakeReady = fn(&str) -> Ready;

/// Filters that take apart what they compare with, which is done once and not for each text.
const READY: &[(&str, &str, MakeReady)] = &[
    ("is_called", "a part of the name itself has this word, or a file below it may", |word| {
        let wanted = names::joined(word);
        Box::new(move |name| filters::is_called(name, &wanted))
    }),
    ("has_word", "a part of the name has this word", |word| {
        let wanted = names::joined(word);
        Box::new(move |name| filters::perhaps(filters::has_word(name, &wanted), name))
    }),
    ("host_like", "the host of the name is called like this", |like| {
        let like = like.to_lowercase();
        Box::new(move |name| filters::perhaps_elsewhere(filters::host_like(name, &like), name))
    }),
    ("in_folder", "a folder on the way to the name is called so", |folder| {
        let (folder, wanted) = (folder.to_owned(), names::joined(folder));
        Box::new(move |name| filters::in_folder(name, &folder, &wanted))
    }),
];

fn add_filters(schema: &mut Schema) -> Result<(), SchemaError> {
    let pair = [Kind::Text, Kind::Text];
    for (name, meaning, holds) in CERTAIN {
        schema.filter(name, &pair, meaning, move |constants| {
            text_test(constants, move |text, with| Some(holds(text, with)))
        })?;
    }
    for (name, meaning, holds) in PERHAPS {
        schema.filter(name, &pair, meaning, move |constants| text_test(constants, *holds))?;
    }
    for (name, meaning, ready) in READY {
        schema.filter(name, &pair, meaning, move |constants| ready_test(constants, *ready))?;
    }
    schema.filter("date_during", &pair, "the text is a date or a time in this time", dated)?;
    schema.filter(
        "last_matches",
        &pair,
        "the regular expression matches in the last part of the name",
        last,
    )?;
    schema.filter("holds", &pair, "the text holds something of this kind", holds)?;
    let single = [Kind::Text];
    schema.filter("on_network", &single, "the name is not on this machine", |_| {
        Ok(one(|name| !name.starts_with('/') && name != "ctxt"))
    })?;
    schema.filter("is_person", &single, "the name is somebody's address", |_| {
        Ok(one(|name| name.starts_with("mailto:")))
    })?;
    let moment = [Kind::Number, Kind::Number, Kind::Number, Kind::Text];
    schema.filter("during", &moment, "the moment lies in this time", during)?;
    let event = [Kind::Number, Kind::Number, Kind::Number, Kind::Number, Kind::Text];
    schema.filter("event_within", &event, "what is scheduled lies in this time as a whole", |constants| {
        stretch(constants, Span::holds_whole)
    })?;
    schema.filter("event_during", &event, "what is scheduled lies in this time", |constants| {
        stretch(constants, Span::holds_stretch)
    })
}

fn holds(constants: &[Option<&Constant>]) -> Result<Test, String> {
    match constants {
        [_, Some(Constant::Text(class))] if filters::holds("", class).is_none() => Err(format!(
            "nobody knows how to find `{class}` in a text; known are {}",
            filters::classes().join(", ")
        )),
        _ => text_test(constants, filters::holds),
    }
}

fn dated(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let span = span(constants)?;
    Ok(Box::new(move |values| match values {
        [Value::Text(text), _] => match filters::moment(text) {
            Some((date, day, None)) => Truth::from(span.holds_stretch(date, day, 0, 24 * 60)),
            Some((date, day, Some(minute))) => Truth::from(span.holds_moment(date, day, minute)),
            None => Truth::Unknown,
        },
        _ => Truth::Unknown,
    }))
}

fn last(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let [_, Some(Constant::Text(pattern))] = constants else {
        return Err("the regular expression must be written out".to_owned());
    };
    let built = regex::RegexBuilder::new(pattern).size_limit(LARGEST_REGEX).nest_limit(50).build();
    let expression = built.map_err(|error| {
        // The message draws the place over several lines; its last line says what is wrong.
        let message = error.to_string();
        let last = message.lines().last().unwrap_or_default();
        format!("the regular expression is wrong: {}", last.trim_start_matches("error: "))
    })?;
    Ok(Box::new(move |values| match values {
        [Value::Text(name), _] => {
            let (stem, is_whole) = filters::parts(name);
            match expression.is_match(filters::last(stem)) {
                // What ends as files do is one, even where a folder could be meant.
                false if is_whole && !filters::ends_as_file(stem) => Truth::Unknown,
                found => Truth::from(found),
            }
        }
        _ => Truth::Unknown,
    }))
}

fn during(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let span = span(constants)?;
    Ok(Box::new(move |values| match values {
        [Value::Number(date), Value::Number(day), Value::Number(minute), _] => {
            Truth::from(span.holds_moment(*date, *day, *minute))
        }
        _ => Truth::Unknown,
    }))
}

fn stretch(
    constants: &[Option<&Constant>],
    holds: fn(&Span, i64, i64, i64, i64) -> bool,
) -> Result<Test, String> {
    let span = span(constants)?;
    Ok(Box::new(move |values| match values {
        [Value::Number(date), Value::Number(day), Value::Number(from), Value::Number(to), _] => {
            Truth::from(holds(&span, *date, *day, *from, *to))
        }
        _ => Truth::Unknown,
    }))
}

fn span(constants: &[Option<&Constant>]) -> Result<Span, String> {
    match constants.last() {
        Some(Some(Constant::Text(spec))) => Span::parse(spec),
        _ => Err("the time must be written out, such as \"fri 16:00-24:00\"".to_owned()),
    }
}

fn text_test(
    constants: &[Option<&Constant>],
    holds: impl Fn(&str, &str) -> Option<bool> + Send + Sync + 'static,
) -> Result<Test, String> {
    if let [_, Some(Constant::Text(text))] = constants
        && text.is_empty()
    {
        return Err("there must be something to compare with".to_owned());
    }
    Ok(Box::new(move |values| match values {
        [Value::Text(text), Value::Text(with)] => match holds(text, with) {
            Some(holds) => Truth::from(holds),
            None => Truth::Unknown,
        },
        _ => Truth::Unknown,
    }))
}

fn ready_test(constants: &[Option<&Constant>], ready: MakeReady) -> Result<Test, String> {
    match constants {
        [_, Some(Constant::Text(with))] => {
            let holds = ready(with);
            text_test(constants, move |text, _| holds(text))
        }
        _ => text_test(constants, move |text, with| ready(with)(text)),
    }
}

fn one(holds: fn(&str) -> bool) -> Test {
    Box::new(move |values| match values {
        [Value::Text(text)] => Truth::from(holds(text)),
        _ => Truth::Unknown,
    })
}
