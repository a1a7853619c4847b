//! A call as the requests that Cedar is asked about it.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_datalog::Value;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::slots::{ROLES, Slot};
use super::{Policy, thing, values};
use crate::facts::CallFacts;
use crate::schema::Vocabulary;

/// More requests than these are not put for one call.
const MOST_REQUESTS: usize = 4_096;
/// More bytes of texts than these are not put in all of its requests.
const MOST_BYTES: usize = 1 << 23;

/// Predicates of which there may be more facts than are told, as policies ask for them.
const MAY_BE_UNKNOWN: &[(&str, &str)] = &[
    ("did", "did"),
    ("tool", "tool"),
    ("about", "about"),
    ("given", "given"),
    ("choice", "choice"),
    ("measure", "measure"),
    ("branch", "branch"),
    ("database", "database"),
    ("event", "event"),
    ("everything", "everything"),
    ("company", "company"),
    ("program", "program"),
    ("statement", "statement"),
    ("without_where", "statement"),
    ("unlimited", "statement"),
    ("carries", "carries"),
    ("argument", "argument"),
    ("number", "number"),
    ("text", "text"),
];

/// Facts that no policy asks for.
const NOT_EXPORTED: &[&str] = &["reached", "sign"];

/// What policies call a predicate that is unknown.
fn asked(predicate: &str) -> Result<Option<&'static str>, RequestError> {
    match MAY_BE_UNKNOWN.iter().find(|(own, _)| *own == predicate) {
        Some((_, asked)) => Ok(Some(asked)),
        None if NOT_EXPORTED.contains(&predicate) => Ok(None),
        None => Err(RequestError::Unknown(predicate.to_owned())),
    }
}

/// One question to Cedar.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Request {
    /// Who asks, as Cedar writes it.
    pub principal: String,
    /// What is asked for.
    pub action: String,
    /// Of what.
    pub resource: String,
    /// In which circumstances, in JSON.
    pub context: Json,
    /// What the names in it stand for, in JSON; the same for all requests of a call.
    pub entities: Json,
}

/// Why a call cannot be put to Cedar. It has to be refused then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// Its facts cannot be used.
    #[error("the vocabulary of rules cannot be used: {0}")]
    Vocabulary(String),
    /// Something is unknown that policies take for known.
    #[error("`{0}` is not known of this call, which no policy can be asked about")]
    Unknown(String),
    /// It would take too many.
    #[error("this call would take more than {MOST_REQUESTS} requests")]
    TooMany,
}

/// The requests for a call, one for each way to fill the slots that a policy asks about. The call is to be refused if one
/// of them is denied.
pub fn requests<'p>(
    facts: &CallFacts<'_>,
    policies: impl IntoIterator<Item = &'p Policy>,
) -> Result<Vec<Request>, RequestError> {
    let vocabulary = Vocabulary::built_in().map_err(RequestError::Vocabulary)?;
    let told = Told::of(facts, vocabulary)?;
    let contexts = told.contexts(&policies.into_iter().map(|policy| &policy.slots).collect())?;
    let (entities, tool) = (told.entities(), told.text("tool"));
    let request = |context| Request {
        principal: "Session::\"session\"".to_owned(),
        action: "Action::\"call\"".to_owned(),
        resource: format!("Tool::{}", super::condition::text(&tool)),
        context: Json::Object(context),
        entities: entities.clone(),
    };
    Ok(contexts.into_iter().map(request).collect())
}

/// Every context with every filling; as it is where there is none.
fn fill(
    contexts: Vec<Map<String, Json>>,
    fillings: &[Map<String, Json>],
) -> Result<Vec<Map<String, Json>>, RequestError> {
    if fillings.is_empty() {
        return Ok(contexts);
    }
    if contexts.len().saturating_mul(fillings.len()) > MOST_REQUESTS {
        return Err(RequestError::TooMany);
    }
    let joined = contexts.iter().flat_map(|context| {
        fillings.iter().map(|filling| context.clone().into_iter().chain(filling.clone()).collect())
    });
    Ok(joined.collect())
}

fn within(name: &str, value: Json) -> Map<String, Json> {
    std::iter::once((name.to_owned(), value)).collect()
}

fn moment(row: &[Value<'_>], columns: &[&str]) -> Json {
    let numbers: Vec<i64> = row.iter().filter_map(|value| value.number()).collect();
    let date = numbers.first().copied().unwrap_or_default();
    let rest = columns.iter().zip(numbers.iter().skip(1)).map(|(column, number)| (*column, *number));
    let named = [("date", date), ("month", date / 100 % 100), ("day", date % 100)].into_iter().chain(rest);
    named.map(|(column, number)| (column.to_owned(), json!(number))).collect()
}

type Row<'f> = Vec<Value<'f>>;

/// The facts of a call, as the engine is told them.
struct Told<'f> {
    rows: BTreeMap<&'f str, Vec<Row<'f>>>,
    /// As policies ask for them: of which there may be more, and of which what is told may not hold either.
    unknown: BTreeSet<&'static str>,
    doubted: BTreeSet<&'static str>,
}

impl<'f> Told<'f> {
    fn of(facts: &'f CallFacts<'_>, vocabulary: &'f Vocabulary) -> Result<Told<'f>, RequestError> {
        let schema = vocabulary.schema();
        let names: BTreeMap<_, &str> =
            schema.words().filter_map(|(name, ..)| schema.id(name).map(|id| (id, name))).collect();
        let mut told = Told { rows: BTreeMap::new(), unknown: BTreeSet::new(), doubted: BTreeSet::new() };
        let mut doubted: BTreeSet<&str> = BTreeSet::new();
        facts.tell(
            vocabulary,
            &mut |predicate, values| {
                if let Some(name) = names.get(&predicate) {
                    told.rows.entry(name).or_default().push(values.to_vec());
                }
            },
            &mut |predicate| doubted.extend(names.get(&predicate)),
        );
        // A branch or a program may be unknown by itself; so may an amount, which is told beside its unit.
        let is_open = |name: &str, rows: &[Row<'_>]| {
            name != "measure" && rows.iter().flatten().any(|value| *value == Value::Unknown)
        };
        let open = told.rows.iter().filter(|(name, rows)| is_open(name, rows)).map(|(name, _)| *name);
        let open: Vec<&str> = open.chain(doubted.iter().copied()).collect();
        for name in open {
            told.unknown.extend(asked(name)?);
        }
        for name in doubted {
            told.doubted.extend(asked(name)?);
        }
        if told.rows.values().map(Vec::len).sum::<usize>() > portcullis_datalog::limits::MOST_FACTS {
            return Err(RequestError::TooMany);
        }
        Ok(told)
    }

    /// The contexts for policies that need these slots. Those with all slots do for each policy, but where there is much to
    /// fill they are more than those for each policy by itself.
    fn contexts(&self, needed: &BTreeSet<&BTreeSet<Slot>>) -> Result<Vec<Map<String, Json>>, RequestError> {
        let all = needed.iter().flat_map(|slots| slots.iter().copied()).collect();
        match (self.filled(&all), self.apart(needed)) {
            (Ok(together), Ok(apart)) if together.len() > apart.len() && !apart.is_empty() => Ok(apart),
            (Ok(some), _) | (Err(_), Ok(some)) => Ok(some),
            (Err(error), Err(_)) => Err(error),
        }
    }

    fn apart(&self, needed: &BTreeSet<&BTreeSet<Slot>>) -> Result<Vec<Map<String, Json>>, RequestError> {
        // Requests with more slots do for policies that need fewer.
        let is_within = |own: &BTreeSet<Slot>, other: &BTreeSet<Slot>| own != other && own.is_subset(other);
        let largest = needed.iter().filter(|own| !needed.iter().any(|other| is_within(own, other)));
        let mut apart = Vec::new();
        for slots in largest {
            apart.extend(self.filled(slots)?);
            if apart.len() > MOST_REQUESTS {
                return Err(RequestError::TooMany);
            }
        }
        Ok(apart)
    }

    /// The contexts with each way to fill some slots.
    fn filled(&self, slots: &BTreeSet<Slot>) -> Result<Vec<Map<String, Json>>, RequestError> {
        let mut contexts = vec![self.context()];
        let has_things = slots.iter().any(|slot| slot.is_thing());
        if slots.contains(&Slot::Flow) || has_things {
            contexts = fill(contexts, &self.flows(slots)?)?;
        }
        for slot in slots {
            let filled: Vec<Json> = match slot {
                Slot::Flow | Slot::Object | Slot::Source | Slot::Target => continue,
                Slot::Now => self.rows("now").map(|row| moment(row, &["weekday", "minute"])).collect(),
                Slot::Event => {
                    self.rows("event").map(|row| moment(row, &["weekday", "from", "to"])).collect()
                }
                Slot::Branch => self.texts("branch", 0).into_iter().map(Json::from).collect(),
                Slot::Program => self.texts("program", 0).into_iter().map(Json::from).collect(),
                Slot::Statement => self.statements(),
                Slot::Argument | Slot::Choice | Slot::Text => self.valued(slot.name(), contexts.len())?,
                Slot::Number => self.numbers(),
            };
            let filled: Vec<_> = filled.into_iter().map(|one| within(slot.name(), one)).collect();
            contexts = fill(contexts, &filled)?;
        }
        Ok(contexts)
    }

    /// The facts of a predicate that are known in full.
    fn rows(&self, predicate: &str) -> impl Iterator<Item = &Row<'f>> {
        let rows = self.rows.get(predicate).into_iter().flatten();
        rows.filter(|row| !row.contains(&Value::Unknown))
    }

    /// The texts of a column.
    fn texts(&self, predicate: &str, column: usize) -> BTreeSet<&'f str> {
        self.rows(predicate).filter_map(|row| row.get(column)?.text()).collect()
    }

    fn text(&self, predicate: &str) -> String {
        self.texts(predicate, 0).first().map(|text| (*text).to_owned()).unwrap_or_default()
    }

    /// What is the same in all requests.
    fn context(&self) -> Map<String, Json> {
        let choices = self.rows("choice").flat_map(|row| {
            let texts: Vec<&str> = row.iter().filter_map(|value| value.text()).collect();
            let (name, value) = (texts.first().copied().unwrap_or(""), texts.get(1).copied().unwrap_or(""));
            thing::words(name).into_iter().map(move |word| json!({ "word": word, "value": value }))
        });
        let context = json!({
            "unknown": self.unknown,
            "doubted": self.doubted,
            "did": self.texts("did", 0),
            "about": self.texts("about", 0),
            "given": self.texts("given", 0),
            "earlier": self.texts("earlier", 0),
            "databases": self.texts("database", 0),
            "branches": self.texts("branch", 0),
            "programs": self.texts("program", 0),
            "chosen": self.texts("choice", 1),
            "choices": choices.collect::<Vec<_>>(),
            "everything": self.rows.contains_key("everything"),
            "company": self.rows.contains_key("company"),
            "measures": { "__entity": { "type": "Measures", "id": "call" } },
        });
        context.as_object().cloned().unwrap_or_default()
    }

    /// Each flow, with one thing in each of the slots that are asked about.
    fn flows(&self, slots: &BTreeSet<Slot>) -> Result<Vec<Map<String, Json>>, RequestError> {
        let numbers: BTreeSet<i64> =
            self.rows("flow").filter_map(|row| row.first().and_then(|value| value.number())).collect();
        let mut flows = Vec::new();
        for number in numbers {
            let of = |predicate: &str| -> BTreeSet<&str> {
                let own = self.rows(predicate).filter(|row| row.first() == Some(&Value::Number(number)));
                own.filter_map(|row| row.get(1).and_then(|value| value.text())).collect()
            };
            let is_secret = self.rows("secret").any(|row| row.first() == Some(&Value::Number(number)));
            let flow = json!({ "effects": of("effect"), "carries": of("carries"), "secret": is_secret });
            let mut filled = vec![within("flow", flow)];
            for (slot, role) in
                [(Slot::Object, "involves"), (Slot::Source, "input"), (Slot::Target, "output")]
            {
                let names = of(role).into_iter().filter(|_| slots.contains(&slot));
                let things: Vec<_> = names.map(|name| within(slot.name(), self.thing(name, &of))).collect();
                filled = fill(filled, &things)?;
            }
            flows.extend(filled);
            if flows.len() > MOST_REQUESTS {
                return Err(RequestError::TooMany);
            }
        }
        Ok(flows)
    }

    fn thing(&self, name: &str, of: &dyn Fn(&str) -> BTreeSet<&'f str>) -> Json {
        let own = |predicate: &'static str| {
            self.rows(predicate).filter(move |row| row.first() == Some(&Value::Text(name)))
        };
        let second = |predicate| -> BTreeSet<&str> {
            own(predicate).filter_map(|row| row.get(1).and_then(|value| value.text())).collect()
        };
        let before = self.rows("earlier_to").filter(|row| row.get(1) == Some(&Value::Text(name)));
        let before: BTreeSet<&str> = before.filter_map(|row| row.first()?.text()).collect();
        let roles: Vec<&&str> = ROLES.iter().filter(|role| of(role).contains(name)).collect();
        let mut thing = thing::attributes(name);
        thing.insert("roles".to_owned(), json!(roles));
        thing.insert("earlier".to_owned(), json!(before));
        thing.insert("kinds".to_owned(), json!(second("kind")));
        thing.insert("realms".to_owned(), json!(second("realm")));
        thing.insert("public".to_owned(), json!(own("public").next().is_some()));
        thing.insert("top_level".to_owned(), json!(own("top_level").next().is_some()));
        Json::Object(thing)
    }

    /// The names and texts of a predicate, for so many requests.
    fn valued(&self, predicate: &str, times: usize) -> Result<Vec<Json>, RequestError> {
        let pairs: BTreeSet<(&str, &str)> = self
            .rows(predicate)
            .filter_map(|row| Some((row.first()?.text()?, row.get(1)?.text()?)))
            .collect();
        let bytes: usize = pairs.iter().map(|(_, value)| value.len()).sum();
        if bytes.saturating_mul(times) > MOST_BYTES || pairs.len().saturating_mul(times) > MOST_REQUESTS {
            return Err(RequestError::TooMany);
        }
        Ok(pairs.into_iter().map(|(name, value)| values::text(name, value)).collect())
    }

    fn numbers(&self) -> Vec<Json> {
        let rows = self.rows("number");
        let pairs: BTreeSet<(&str, i64)> =
            rows.filter_map(|row| Some((row.first()?.text()?, row.get(1)?.number()?))).collect();
        let of = |(name, number): (&str, i64)| {
            let mut attributes = values::name(name);
            attributes.insert("value".to_owned(), json!(number));
            Json::Object(attributes)
        };
        pairs.into_iter().map(of).collect()
    }

    fn statements(&self) -> Vec<Json> {
        let numbers: BTreeSet<i64> = ["statement", "without_where", "unlimited"]
            .into_iter()
            .flat_map(|predicate| self.rows(predicate))
            .filter_map(|row| row.first().and_then(|value| value.number()))
            .collect();
        let of = |number: i64| {
            let own = |predicate| {
                self.rows(predicate).filter(move |row| row.first() == Some(&Value::Number(number)))
            };
            let kinds: BTreeSet<&str> =
                own("statement").filter_map(|row| row.get(1).and_then(|value| value.text())).collect();
            json!({
                "kinds": kinds,
                "without_where": own("without_where").next().is_some(),
                "unlimited": own("unlimited").next().is_some(),
            })
        };
        numbers.into_iter().map(of).collect()
    }

    /// The session with its counts, the tool with its server, and the amounts of the call.
    fn entities(&self) -> Json {
        let counts: Map<String, Json> = self.rows("calls").filter_map(|row| pair(row)).collect();
        let mut amounts: BTreeMap<&str, (i64, i64, bool)> = BTreeMap::new();
        for row in self.rows.get("measure").into_iter().flatten() {
            let Some(unit) = row.first().and_then(|value| value.text()) else { continue };
            let (least, most, open) = amounts.entry(unit).or_insert((i64::MAX, i64::MIN, false));
            match row.get(1).and_then(|value| value.number()) {
                Some(amount) => (*least, *most) = ((*least).min(amount), (*most).max(amount)),
                None => *open = true,
            }
        }
        let amounts = amounts.into_iter().map(|(unit, (least, most, open))| {
            (unit.to_owned(), json!({ "least": least, "most": most, "open": open }))
        });
        let server = json!({ "type": "Server", "id": self.text("server") });
        json!([
            { "uid": { "type": "Session", "id": "session" }, "attrs": {}, "parents": [], "tags": counts },
            { "uid": { "type": "Tool", "id": self.text("tool") }, "attrs": {}, "parents": [server] },
            { "uid": server, "attrs": {}, "parents": [] },
            {
                "uid": { "type": "Measures", "id": "call" }, "attrs": {}, "parents": [],
                "tags": amounts.collect::<Map<_, _>>(),
            },
        ])
    }
}

fn pair(row: &[Value<'_>]) -> Option<(String, Json)> {
    Some((row.first()?.text()?.to_owned(), json!(row.get(1)?.number()?)))
}
