//! What a noun says, and what it leaves open.

use super::Noun;
use crate::meaning::Place;

impl Noun {
    pub(crate) fn kind(kind: &str) -> Noun {
        Noun { kind: kind.to_owned(), ..Noun::default() }
    }

    pub(crate) fn setting(parameter: &str, value: &str) -> Noun {
        Noun { setting: Some((parameter.to_owned(), value.to_owned())), ..Noun::default() }
    }

    pub(crate) fn workspace() -> Noun {
        Noun { kind: "file".to_owned(), words: vec!["workspace".to_owned()], ..Noun::default() }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.is_everything
    }

    /// Whether it names something in particular.
    pub(crate) fn is_definite(&self) -> bool {
        !self.places.is_empty()
            || !self.names.is_empty()
            || self.is_it
            || !self.branches.is_empty()
            || !self.command.is_empty()
            || !self.tools.is_empty()
            || !self.literals.is_empty()
            || !self.adjectives.is_empty()
            || self.given.is_some()
            || self.setting.is_some()
            || !self.values.is_empty()
            || self.content.is_some()
    }

    /// Whether it names something that is looked up on calls, not a word that may be anything.
    pub(crate) fn is_sure(&self) -> bool {
        !self.places.is_empty()
            || !self.branches.is_empty()
            || !self.tools.is_empty()
            || self.setting.is_some()
            || self.has_ids
            || self.is_it
    }

    /// Names that only begin or end so.
    pub(crate) fn cut(&mut self, affix: crate::english::frame::Affix) {
        use crate::english::frame::Affix;
        let glob = |name: &str| match affix {
            Affix::Start => format!("{}*", name.trim_end_matches(['*', '-'])),
            Affix::End => format!("*{}", name.trim_start_matches('*')),
        };
        let names: Vec<String> = self.names.drain(..).collect();
        self.places.extend(names.iter().map(|name| Place::Named(glob(name))));
        for place in &mut self.places {
            if let Place::Id(name) | Place::Named(name) | Place::Word(name) | Place::Table(name) = place {
                *place = Place::Named(if name.contains('*') { name.clone() } else { glob(name) });
            }
        }
        for branch in &mut self.branches {
            if !branch.contains('*') {
                *branch = glob(branch);
            }
        }
    }

    /// Ends of names are ends of hosts where sites are meant.
    pub(crate) fn take_domains(&mut self) {
        for place in &mut self.places {
            if let Place::Ending(end) = place {
                *place = Place::Domain(end.clone());
                "page".clone_into(&mut self.kind);
            }
        }
    }

    /// Whether it is nothing but words that are not known.
    pub(crate) fn is_word(&self) -> bool {
        let lower = self.names.iter().all(|name| name.starts_with(char::is_lowercase));
        !self.names.is_empty()
            && lower
            && self.places.is_empty()
            && self.act.is_none()
            && self.literals.is_empty()
    }

    /// Whether it says no more than an action.
    pub(crate) fn is_only_act(&self) -> bool {
        self.act.is_some() && !self.is_definite()
    }
}
