//! A place as it is written: `{ path = "source" }`, `{ id = "page_id", of = "notion" }`, `{ name = "gmail:drafts" }`.

use portcullis_lattice::{Reach, Realms, Resource};
use serde::{Deserialize, Serialize};

use super::super::{IdForm, Kind, Place};
use super::{ConditionForm, ProfileError, argument, condition, conditions};

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calendar: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mail_search: Option<String>,
    /// Always this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Always this path: `.` for the workspace, `~/x` for what lies in the home folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The page that the browser shows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    current_page: bool,
    /// Anything that looks like a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    anything: Option<String>,

    /// The head of the names of a service, or the scheme of a host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reach: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    public: Option<ConditionForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    when: Vec<ConditionForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inside: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    form: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    own: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    outside: bool,
}

impl PlaceForm {
    pub(super) fn place(self) -> Result<Place, ProfileError> {
        let mut kinds = self.kinds()?;
        let kind = match (kinds.pop(), kinds.len()) {
            (Some(kind), 0) => kind,
            (last, others) => return Err(ProfileError::Kinds(others + usize::from(last.is_some()))),
        };
        let reach = match &self.reach {
            None => Reach::One,
            Some(word) => Reach::from_name(word).ok_or_else(|| ProfileError::Reach(word.clone()))?,
        };
        if let Kind::Fixed(name) = &kind {
            Resource::new(name, reach, Realms::NETWORK).map_err(|_| ProfileError::Name(name.clone()))?;
        }
        let form = match self.form {
            None => None,
            Some(word) => Some(IdForm::from_name(&word).ok_or(ProfileError::Form(word))?),
        };
        Ok(Place {
            kind,
            reach,
            optional: self.optional || self.default.is_some(),
            default: self.default,
            files: self.files.as_deref().map(argument).transpose()?,
            revision: self.revision.as_deref().map(argument).transpose()?,
            public: self.public.map(condition).transpose()?,
            secret: None,
            when: conditions(self.when)?,
            inside: self.inside.as_deref().map(argument).transpose()?,
            form,
            own: self.own,
            outside: self.outside,
        })
    }

    /// The kinds that are written; there should be one.
    fn kinds(&self) -> Result<Vec<Kind>, ProfileError> {
        let mut kinds = Vec::new();
        let way = |text: &Option<String>| text.as_deref().map(argument).transpose();
        kinds.extend(way(&self.path)?.map(Kind::Path));
        kinds.extend(way(&self.url)?.map(Kind::Url));
        kinds.extend(way(&self.mail)?.map(Kind::Mail));
        kinds.extend(way(&self.anything)?.map(Kind::Anything));
        let items = [
            (&self.channel, "channel"),
            (&self.calendar, "calendar"),
            (&self.page, "page"),
            (&self.message, "message"),
            (&self.id, "id"),
        ];
        for (text, noun) in items {
            if let Some(text) = text {
                let scheme = self.service(noun)?;
                kinds.push(Kind::Item { argument: argument(text)?, scheme, noun: noun.to_owned() });
            }
        }
        kinds.extend(self.remote()?);
        kinds.extend(self.name.clone().map(Kind::Fixed));
        kinds.extend(self.file.clone().map(Kind::File));
        kinds.extend(self.current_page.then_some(Kind::CurrentPage));
        Ok(kinds)
    }

    fn remote(&self) -> Result<Vec<Kind>, ProfileError> {
        let mut kinds = Vec::new();
        if let Some(text) = &self.host {
            kinds.push(Kind::Host { argument: argument(text)?, scheme: self.service("host")? });
        }
        if let Some(text) = &self.mail_search {
            kinds.push(Kind::MailSearch { argument: argument(text)?, scheme: self.service("mail_search")? });
        }
        if let Some(text) = &self.repository {
            let way = |text: &Option<String>| text.as_deref().map(argument).transpose();
            kinds.push(Kind::Repository {
                owner: way(&self.owner)?,
                repository: argument(text)?,
                branch: way(&self.branch)?,
            });
        }
        Ok(kinds)
    }

    /// The service that the place belongs to.
    fn service(&self, kind: &'static str) -> Result<String, ProfileError> {
        let scheme = self.of.clone().ok_or(ProfileError::Service(kind))?;
        match Resource::new(&format!("{scheme}:x"), Reach::One, Realms::NETWORK) {
            Ok(_) => Ok(scheme),
            Err(_) => Err(ProfileError::Name(scheme)),
        }
    }
}
