//! Profiles as people write them: in the catalogue's TOML, or as JSON in a definition.

mod place;

use portcullis_lattice::{Effect, Effects};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ArgumentPath, Condition, DeedProfile, FlowProfile, InnerCall, Opens, Profile, Source, Test, What,
};
use crate::sql::Dialect;
use place::PlaceForm;

/// Why a written profile is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProfileError {
    /// A way to an argument is none.
    #[error("`{0}` names no argument; write it like `path`, `edits[].text` or `parent.id`")]
    Argument(String),
    /// An effect is unknown.
    #[error("`{0}` is no effect; the effects are read, write, del, exec and spawn")]
    Effect(String),
    /// A deed without effects, or a flow without anything.
    #[error("a deed says what is done: `effects` with `from` and `to`, or `shell`, or `sql`")]
    Nothing,
    /// A place says none or several kinds.
    #[error("a place has exactly one kind, such as `path`, `url`, `mail` or `id`; this one has {0}")]
    Kinds(usize),
    /// A place that needs to know of which service it is.
    #[error("`{0}` needs `of`, the service whose id it is")]
    Service(&'static str),
    /// A reach is unknown.
    #[error("`{0}` is no reach; it is one, names or subtree")]
    Reach(String),
    /// A fixed name or a head of names is not canonical.
    #[error("`{0}` is no name of a resource")]
    Name(String),
    /// A condition says none or several things.
    #[error("a condition on `{0}` says exactly one of `is`, `not`, `given`, `has` and `starts`")]
    Condition(String),
    /// A form of ids is unknown.
    #[error("`{0}` is no form of ids; it is uuid, capitals or address")]
    Form(String),
    /// A dialect is unknown.
    #[error("`{0}` is no dialect of SQL that is known")]
    Dialect(String),
    /// A tool that does nothing.
    #[error("a profile has at least one deed, or `calls`")]
    NoDeeds,
}

/// A profile as it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileForm {
    /// The tool's name on its server.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deeds: Vec<DeedForm>,
    /// Arguments that are free text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    text: Vec<String>,
    /// Arguments that say nothing of where data comes from or goes to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    /// The page that a browser shows after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opens: Option<OpensForm>,
    /// The inner call of a tool that calls tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calls: Option<InnerCallForm>,
    /// Calls with what they do; they do not change the profile, they are what it is checked with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub example: Vec<ExampleForm>,
}

/// A call with what it does, in a session that is always the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleForm {
    /// The arguments, as JSON.
    pub arguments: String,
    /// The page that the browser shows before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The acts, as they are printed.
    pub does: Vec<String>,
    /// The doubts, as they are printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// The page that the browser shows afterwards, where the call changes it; `unknown` if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeedForm {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    when: Vec<ConditionForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    effects: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    from: Vec<PlaceForm>,
    /// What counts where `from` names nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    else_from: Vec<PlaceForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    to: Vec<PlaceForm>,
    /// What counts where `to` names nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    else_to: Vec<PlaceForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shell: Option<String>,
    /// The argument with the folder that the command is run in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sql: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dialect: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionForm {
    argument: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    given: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    has: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    starts: Option<Vec<String>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpensForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    when: Vec<ConditionForm>,
    /// When nobody knows which page it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<ConditionForm>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InnerCallForm {
    tool: String,
    arguments: String,
}

impl ProfileForm {
    /// Checks what is written and makes a profile of it.
    pub fn profile(self, source: Source) -> Result<Profile, ProfileError> {
        if self.deeds.is_empty() && self.calls.is_none() {
            return Err(ProfileError::NoDeeds);
        }
        let paths = |texts: Vec<String>| texts.iter().map(|text| argument(text)).collect::<Result<_, _>>();
        let opens = |form: OpensForm| -> Result<Opens, ProfileError> {
            Ok(Opens {
                url: form.url.as_deref().map(argument).transpose()?,
                when: conditions(form.when)?,
                unknown: conditions(form.unknown)?,
                browser: None,
            })
        };
        let calls = |form: InnerCallForm| -> Result<InnerCall, ProfileError> {
            Ok(InnerCall { tool: argument(&form.tool)?, arguments: argument(&form.arguments)? })
        };
        Ok(Profile {
            tool: self.name,
            source,
            deeds: self.deeds.into_iter().map(DeedForm::deed).collect::<Result<_, _>>()?,
            text: paths(self.text)?,
            ignored: paths(self.ignored)?,
            opens: self.opens.map(opens).transpose()?,
            calls: self.calls.map(calls).transpose()?,
            assumptions: Vec::new(),
            signer: None,
            basis: None,
        })
    }
}

impl DeedForm {
    fn deed(self) -> Result<DeedProfile, ProfileError> {
        let when = conditions(self.when)?;
        let places = !self.from.is_empty() || !self.to.is_empty();
        let what = match (self.shell, self.sql, self.effects.is_empty()) {
            (Some(command), None, true) if !places => What::Shell {
                command: argument(&command)?,
                folder: self.folder.as_deref().map(argument).transpose()?,
            },
            (None, Some(text), true) if !places => {
                What::Sql { text: argument(&text)?, dialect: self.dialect.map(dialect).transpose()? }
            }
            (None, None, false) => What::Flow(FlowProfile {
                effects: effects(&self.effects)?,
                from: groups(self.from, self.else_from)?,
                to: groups(self.to, self.else_to)?,
            }),
            _ => return Err(ProfileError::Nothing),
        };
        Ok(DeedProfile { when, what })
    }
}

fn groups(first: Vec<PlaceForm>, second: Vec<PlaceForm>) -> Result<Vec<Vec<super::Place>>, ProfileError> {
    let has_second = !second.is_empty();
    let groups = [first, second].into_iter().filter(|group| !group.is_empty());
    let mut groups: Vec<Vec<super::Place>> = groups
        .map(|group| group.into_iter().map(PlaceForm::place).collect::<Result<Vec<_>, _>>())
        .collect::<Result<_, _>>()?;
    if has_second && let Some(first) = groups.first_mut() {
        // What has something to fall back on may be left out.
        first.iter_mut().for_each(|place| place.optional = true);
    }
    Ok(groups)
}

fn effects(words: &[String]) -> Result<Effects, ProfileError> {
    let effect = |word: &String| {
        Effect::from_name(word).ok_or_else(|| ProfileError::Effect(word.clone())).map(Effects::only)
    };
    words.iter().try_fold(Effects::EMPTY, |all, word| Ok(all.join(effect(word)?)))
}

fn dialect(word: String) -> Result<Dialect, ProfileError> {
    Dialect::from_hint(&word).ok_or(ProfileError::Dialect(word))
}

fn argument(text: &str) -> Result<ArgumentPath, ProfileError> {
    ArgumentPath::parse(text).ok_or_else(|| ProfileError::Argument(text.to_owned()))
}

fn conditions(forms: Vec<ConditionForm>) -> Result<Vec<Condition>, ProfileError> {
    forms.into_iter().map(condition).collect()
}

fn condition(form: ConditionForm) -> Result<Condition, ProfileError> {
    let list = |value: Value| if let Value::Array(values) = value { values } else { vec![value] };
    let mut tests = Vec::new();
    tests.extend(form.is.map(|value| Test::Is(list(value))));
    tests.extend(form.not.map(|value| Test::Not(list(value))));
    tests.extend(form.given.map(|given| if given { Test::Given } else { Test::Absent }));
    tests.extend(form.has.map(Test::Has));
    tests.extend(form.starts.map(Test::Starts));
    let (Some(test), true) = (tests.pop(), tests.is_empty()) else {
        return Err(ProfileError::Condition(form.argument));
    };
    Ok(Condition { argument: argument(&form.argument)?, test })
}
