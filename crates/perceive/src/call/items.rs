//! Things of services by their ids: channels, pages, calendars, repositories, mailboxes, and the browser's page.

use portcullis_lattice::Reach;

use super::Doubt;
use super::places::{ANY_HOST, Reader, is_canonical};
use crate::deed::Use;
use crate::network;
use crate::profile::{ArgumentPath, IdForm};

impl Reader<'_, '_> {
    pub(super) fn host(&mut self, argument: &ArgumentPath, text: &str, scheme: &str) -> Use {
        let text = text.split_once("://").map_or(text, |(_, rest)| rest);
        match self.url(argument, &format!("{scheme}://{text}")).into_iter().next() {
            Some(place) if place.name.starts_with(scheme) => place,
            _ => Use::new(ANY_HOST, Reach::Subtree),
        }
    }

    pub(super) fn item(
        &mut self,
        argument: &ArgumentPath,
        text: &str,
        scheme: &str,
        form: Option<IdForm>,
    ) -> Use {
        let everything = format!("{scheme}:*");
        let id = match (text.trim(), form) {
            ("*", _) => return Use::new(everything, Reach::Subtree),
            // `/ecs/web` and `notes/` are no more than what they name; a slash alone is everything.
            (text, None) => match text.trim_matches('/') {
                "" if !text.is_empty() => return Use::new(everything, Reach::Subtree),
                id => Some(id.to_owned()),
            },
            (text, Some(form)) => form.read(text),
        };
        match id {
            Some(id) => self.checked(argument, Use::new(format!("{scheme}:{id}"), Reach::One), &everything),
            None => {
                self.unreadable(argument, "no id of the usual form, so it may stand for anything");
                Use::new(everything, Reach::Subtree)
            }
        }
    }

    pub(super) fn repository(
        &mut self,
        owner: Option<&ArgumentPath>,
        repository: &ArgumentPath,
        branch: Option<&ArgumentPath>,
        own: bool,
    ) -> Vec<Use> {
        let text = |path: &ArgumentPath| {
            let values = path.values(self.arguments);
            values.first().and_then(|value| value.as_str()).map(str::to_owned)
        };
        let (name, names_branch, branch) = (text(repository), branch.is_some(), branch.and_then(text));
        let account = || self.perceiver.ground.account("github").map(str::to_owned);
        let owner = match owner {
            Some(path) => text(path).or_else(|| account().filter(|_| own)),
            None => account(),
        };
        let Some(name) = name else { return Vec::new() };
        let found = owner.as_deref().and_then(|owner| network::github(owner, &name));
        let Some(found) = found else {
            self.unreadable(repository, "no repository of a known owner");
            return vec![Use::new("github:*", Reach::Subtree)];
        };
        // Where a branch should be and is not, the server takes one of its own choice.
        let Some(branch) = branch else {
            return vec![Use::new(found, if names_branch { Reach::Subtree } else { Reach::One })];
        };
        // A branch by its full name is the same branch; half of a full name may be this one or another.
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(&branch);
        let full = format!("{found}/{branch}");
        let is_one = !branch.starts_with("heads/") && !branch.starts_with("refs/");
        match is_one && is_canonical(&full, Reach::One) {
            true => vec![Use::new(full, Reach::One)],
            false => vec![Use::new(found, Reach::Subtree)],
        }
    }

    pub(super) fn mail_search(&mut self, argument: &ArgumentPath, scheme: &str) -> Vec<Use> {
        let values = argument.values(self.arguments);
        let query = values.first().and_then(|value| value.as_str()).unwrap_or_default().to_lowercase();
        let labels = query.split(|letter: char| letter.is_whitespace() || "(){}".contains(letter));
        let labels = labels.filter_map(|word| word.strip_prefix("label:")).filter(|label| !label.is_empty());
        let mut names: Vec<String> =
            labels.map(|label| format!("{scheme}:{}", label.trim_matches('"'))).collect();
        // With an alternative, the label is not all that is searched.
        let has_alternative = query.contains('{') || query.split_whitespace().any(|word| word == "or");
        if has_alternative && !names.is_empty() {
            names.push(format!("{scheme}:inbox"));
        }
        match names.is_empty() {
            true => vec![Use::new(format!("{scheme}:inbox"), Reach::One)],
            false => {
                let everything = format!("{scheme}:*");
                let mut uses = Vec::new();
                for name in names {
                    if !self.goes_on(argument) {
                        uses.push(Use::new(everything, Reach::Subtree));
                        break;
                    }
                    uses.push(self.checked(argument, Use::new(name, Reach::One), &everything));
                }
                uses
            }
        }
    }

    /// The page of a browser that nobody vouches for. Where it may be left out, a page that nobody knows is.
    pub(super) fn page_of(&mut self, browser: &str, optional: bool) -> Vec<Use> {
        match self.memory.pages.get(browser) {
            Some(name) => vec![Use::new(name.as_str(), Reach::One)],
            None if optional => Vec::new(),
            None => {
                self.doubts.push(Doubt::UnknownPage);
                vec![Use::new(ANY_HOST, Reach::Subtree)]
            }
        }
    }

    pub(super) fn current_page(&mut self) -> Use {
        match &self.memory.page {
            Some(name) => Use::new(name.as_str(), Reach::One),
            None => {
                self.doubts.push(Doubt::UnknownPage);
                Use::new(ANY_HOST, Reach::Subtree)
            }
        }
    }
}

/// The repository that a name lies in, branches aside; other names as they are.
pub(super) fn repository_of(name: &str) -> &str {
    if !name.starts_with("github:") {
        return name;
    }
    match name.match_indices('/').nth(1) {
        Some((at, _)) => name.get(..at).unwrap_or(name),
        None => name,
    }
}
