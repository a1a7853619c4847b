//! Which server a name or an address belongs to.

use std::collections::{HashMap, HashSet};

use super::name::{Named, taken_apart};
use super::{Hub, Seat, Standing, uri};

/// What a server listed last.
#[derive(Default)]
pub(super) struct Listed {
    /// Tools whose shown names do not tell what they stand for.
    pub(super) tools: HashMap<String, String>,
    /// The same for prompts.
    pub(super) prompts: HashMap<String, String>,
    /// Addresses of resources.
    pub(super) uris: HashSet<String>,
    /// Templates of such.
    pub(super) templates: Vec<String>,
}

/// What is named by the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Thing {
    Tool,
    Prompt,
}

impl Thing {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Thing::Tool => ("tool", "tools"),
            Thing::Prompt => ("prompt", "prompts"),
        }
    }
}

impl Hub {
    /// The server that a shown name belongs to, and what the server calls it.
    pub(super) fn meant(&self, thing: Thing, shown: &str) -> Result<(usize, String), String> {
        let (one, all) = thing.words();
        let told = portcullis_lattice::words::shown(shown);
        let unknown = || {
            format!(
                "There is no {one} `{told}` here, so nothing was done. The names of {all} begin with their server's, as in \
                 {}. List the {all}.",
                self.examples(one)
            )
        };
        let (prefix, plain) = match taken_apart(shown).ok_or_else(unknown)? {
            Named::Plain { prefix, name } => (prefix, Some(name)),
            Named::Hashed { prefix } => (prefix, None),
        };
        let place = self.seats.iter().position(|seat| seat.prefix.text() == prefix).ok_or_else(unknown)?;
        let seat = self.seats.get(place).ok_or_else(unknown)?;
        let listed = match thing {
            Thing::Tool => &seat.listed.tools,
            Thing::Prompt => &seat.listed.prompts,
        };
        // A name that is not shown as it is could be written in two ways; only one of them counts.
        let name = match plain {
            Some(name) => Some(name.to_owned()).filter(|name| seat.prefix.show(name) == shown),
            None => listed.get(shown).cloned(),
        };
        Ok((place, name.ok_or_else(unknown)?))
    }

    fn examples(&self, one: &str) -> String {
        let upper = one.to_uppercase();
        let examples: Vec<String> =
            self.seats.iter().map(|seat| format!("`{}__{upper}`", seat.prefix.text())).collect();
        examples.join(", ")
    }

    /// The server that an address belongs to, and what the server calls it. It is the one that the address names, else the
    /// first that lists it, else the first with a template for it, else the only one that has resources.
    pub(super) fn addressed<'u>(&self, uri: &'u str) -> Result<(usize, &'u str), String> {
        if let Some((server, rest)) = uri::named(uri) {
            let place = self.seats.iter().position(|seat| uri::scheme(seat.prefix.text()) == server);
            return place.map(|place| (place, rest)).ok_or_else(|| self.unaddressed(uri));
        }
        if uri::is_reserved(uri) {
            return Err(self.unaddressed(uri));
        }
        let listed = |seat: &Seat| seat.listed.uris.contains(uri);
        let same = |seat: &Seat| seat.listed.templates.iter().any(|template| template == uri);
        let matching = |seat: &Seat| seat.listed.templates.iter().any(|template| uri::matches(template, uri));
        let place = self.seats.iter().position(listed);
        let place = place.or_else(|| self.seats.iter().position(same));
        let place = place.or_else(|| self.seats.iter().position(matching)).or_else(|| self.only_resources());
        place.map(|place| (place, uri)).ok_or_else(|| self.unaddressed(uri))
    }

    /// The server that has resources, if there is only one that may have some. One that has ended counts: what was meant
    /// for it does not go to another.
    fn only_resources(&self) -> Option<usize> {
        let may_have = |seat: &Seat| {
            seat.standing != Standing::LeftOut
                && seat.abilities.as_ref().is_none_or(|all| all.contains("resources"))
        };
        let mut places =
            self.seats.iter().enumerate().filter(|(_, seat)| may_have(seat)).map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())
    }

    fn unaddressed(&self, uri: &str) -> String {
        let servers: Vec<String> = self
            .seats
            .iter()
            .map(|seat| format!("`{}`", uri::explicit(seat.prefix.text(), "ADDRESS")))
            .collect();
        format!(
            "no server here lists `{}`; list the resources, or name the server in front of the address: {}",
            portcullis_lattice::words::shown(uri),
            servers.join(", ")
        )
    }

    /// The address under which the host sees a resource of a server: as it is if the host's use of it would lead back to
    /// this server, else with the server's name in front.
    pub(super) fn shown_uri(&self, server: usize, uri: &str) -> String {
        let leads_back =
            !uri::is_reserved(uri) && self.addressed(uri).is_ok_and(|(place, _)| place == server);
        if leads_back { uri.to_owned() } else { uri::explicit(self.prefix(server), uri) }
    }

    /// The same for a template, which belongs to the first server that lists it.
    pub(super) fn shown_template(&self, server: usize, template: &str) -> String {
        let lists = |seat: &Seat| seat.listed.templates.iter().any(|listed| listed == template);
        let is_first = self.seats.iter().position(lists) == Some(server);
        let is_plain = is_first && !uri::is_reserved(template);
        if is_plain { template.to_owned() } else { uri::explicit(self.prefix(server), template) }
    }

    /// Whether a server takes requests and has, or may have, this ability.
    pub(super) fn can(&self, server: usize, ability: &str) -> bool {
        let abilities = self.seats.get(server).and_then(|seat| seat.abilities.as_ref());
        self.is_there(server) && abilities.is_none_or(|abilities| abilities.contains(ability))
    }
}
