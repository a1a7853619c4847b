//! Lists: all pages of all servers, as one.

use std::collections::HashMap;

use portcullis_lattice::words::shown;
use portcullis_wire::json::{Document, JsonError, Limits, Node, quote};
use portcullis_wire::mcp::{list_prompts, list_resources, list_templates, list_tools};
use portcullis_wire::rpc;
use portcullis_wire::splice::Splice;

use super::gather::{Gather, Part, State};
use super::host::is_stateless;
use super::{Hub, Out};

/// So many pages of a server's list are asked for,
const MOST_PAGES: usize = 100;
/// so many things of it are shown,
const MOST_ITEMS: usize = 10_000;
/// and so many bytes of it.
const MOST_BYTES: usize = 16 << 20;
/// So many templates of a server are looked at for an address.
const MOST_TEMPLATES: usize = 200;

/// What is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
}

/// What one server listed so far.
#[derive(Default)]
pub(super) struct Pages {
    items: Vec<Item>,
    /// Where in them a name stands.
    places: HashMap<String, usize>,
    count: usize,
    bytes: usize,
    cursor: Option<String>,
    /// For how long the list may be kept, the least that a page says.
    milliseconds: Option<u64>,
    /// What whoever runs the gateway should know.
    notes: Vec<String>,
}

/// What stands on one page, and where the next one begins.
type Page = (Vec<Item>, Option<String>);

/// Something that is listed.
struct Item {
    /// What the server calls it.
    name: String,
    /// All of it, as it came.
    json: String,
}

impl What {
    /// What a server has that has such a list.
    pub(super) fn ability(self) -> &'static str {
        match self {
            What::Tools => "tools",
            What::Prompts => "prompts",
            What::Resources | What::Templates => "resources",
            What::Tasks => "tasks",
        }
    }

    /// The member that the list is in.
    fn member(self) -> &'static str {
        match self {
            What::Tools => "tools",
            What::Prompts => "prompts",
            What::Resources => "resources",
            What::Templates => "resourceTemplates",
            What::Tasks => "tasks",
        }
    }

    /// The member that tells items apart.
    fn key(self) -> &'static str {
        match self {
            What::Tools | What::Prompts => "name",
            What::Resources => "uri",
            What::Templates => "uriTemplate",
            What::Tasks => "taskId",
        }
    }
}

impl Pages {
    /// Takes a page, and says where the next one begins, if it is wanted.
    pub(super) fn take(&mut self, what: What, result: Node<'_>) -> Result<Option<String>, String> {
        let (items, next) = self.read(what, result)?;
        let milliseconds = result.get("ttlMs").and_then(Node::as_u64).unwrap_or(0);
        self.milliseconds = Some(self.milliseconds.map_or(milliseconds, |least| least.min(milliseconds)));
        self.count += 1;
        for item in items {
            self.bytes += item.json.len();
            if self.items.len() >= MOST_ITEMS || self.bytes > MOST_BYTES {
                self.notes.push(format!("the list of {} is too long, and was cut off", what.member()));
                return Ok(None);
            }
            match self.places.get(&item.name).and_then(|place| self.items.get_mut(*place)) {
                // The relay goes by what came last, and so does what is shown.
                Some(known) => *known = item,
                None => {
                    self.places.insert(item.name.clone(), self.items.len());
                    self.items.push(item);
                }
            }
        }
        let next = next.filter(|next| self.cursor.as_ref() != Some(next));
        if next.is_some() && self.count >= MOST_PAGES {
            self.notes.push(format!("the list of {} has too many pages, and was cut off", what.member()));
            return Ok(None);
        }
        self.cursor.clone_from(&next);
        Ok(next)
    }

    fn read(&mut self, what: What, result: Node<'_>) -> Result<Page, String> {
        let listing = match what {
            What::Tools => list_tools(result),
            What::Prompts => list_prompts(result),
            What::Resources => list_resources(result),
            What::Templates => list_templates(result),
            What::Tasks => return Ok(tasks(result)),
        };
        let listing = listing.map_err(|error| error.to_string())?;
        // There may be millions of them.
        if let Some((_, error)) = listing.broken.first() {
            let count = listing.broken.len();
            self.notes
                .push(format!("{count} of the {} are left out, the first because: {error}", what.member()));
        }
        let items = listing.items.into_iter();
        let items =
            items.map(|item| Item { name: item.name.into_owned(), json: item.node.raw_text().to_owned() });
        Ok((items.collect(), listing.next.map(std::borrow::Cow::into_owned)))
    }
}

/// Tasks with their names; what has none is left out.
fn tasks(result: Node<'_>) -> Page {
    let item = |node: Node<'_>| {
        let name = node.get("taskId").and_then(Node::as_str)?;
        Some(Item { name: name.into_owned(), json: node.raw_text().to_owned() })
    };
    let items = result.get("tasks").into_iter().flat_map(Node::items).filter_map(item).collect();
    let next = result.get("nextCursor").and_then(Node::as_str);
    (items, next.map(std::borrow::Cow::into_owned))
}

impl Hub {
    /// One list of all that the servers listed. Those that failed are left out, unless all did.
    pub(super) fn listed(&mut self, gather: &Gather, what: What, out: &mut Out) -> Vec<u8> {
        for part in &gather.parts {
            let called = self.called(part.server);
            part.pages.notes.iter().for_each(|note| out.note(format!("{called}: {note}")));
            match &part.state {
                State::Answered(_) => self.remember_listed(part, what, out),
                State::Failed(error) => {
                    out.note(format!("{called}: its {} are left out: {}", what.member(), told(error)))
                }
                State::Waiting(_) => {}
            }
        }
        if let Some(failure) = gather.failure() {
            return failure;
        }
        let mut items: Vec<String> = Vec::new();
        for part in gather.parts.iter().filter(|part| matches!(part.state, State::Answered(_))) {
            items.extend(part.pages.items.iter().filter_map(|item| self.shown_item(part.server, what, item)));
        }
        let mut result = format!("{{{}:[{}]", quote(what.member()), items.join(","));
        if is_stateless(gather.document.root().get("params")) {
            // A list that somebody is left out of is not to be kept.
            let kept = |part: &Part| match part.state {
                State::Answered(_) => part.pages.milliseconds.unwrap_or(0),
                State::Waiting(_) | State::Failed(_) => 0,
            };
            let least = gather.parts.iter().map(kept).min().unwrap_or(0);
            result.push_str(&format!(
                ",\"resultType\":\"complete\",\"ttlMs\":{least},\"cacheScope\":\"private\""
            ));
        }
        result.push('}');
        rpc::response(&gather.id, result.as_bytes())
    }

    /// Keeps what is needed to find the way back.
    fn remember_listed(&mut self, part: &Part, what: What, out: &mut Out) {
        let called = self.called(part.server);
        let names = part.pages.items.iter().map(|item| &item.name);
        if what == What::Tasks {
            let refused = names.filter_map(|name| self.tasks.remember(part.server, name).err()).last();
            if let Some(error) = refused {
                out.note(format!("{called}: a task is left out: {error}"));
            }
            return;
        }
        let Some(seat) = self.seats.get_mut(part.server) else { return };
        match what {
            What::Tools | What::Prompts => {
                let mut hashed: HashMap<String, String> = HashMap::new();
                for name in names {
                    let name_shown = seat.prefix.show(name);
                    let taken = hashed.get(&name_shown).is_some_and(|other| other != name);
                    // Whoever finds two names with one hash loses the second.
                    if taken {
                        out.note(format!("{called}: {} is left out, for its name is taken", shown(name)));
                    } else if matches!(
                        super::name::taken_apart(&name_shown),
                        Some(super::name::Named::Hashed { .. })
                    ) {
                        hashed.insert(name_shown, name.clone());
                    }
                }
                let place =
                    if what == What::Tools { &mut seat.listed.tools } else { &mut seat.listed.prompts };
                *place = hashed;
            }
            What::Resources => seat.listed.uris = names.cloned().collect(),
            What::Templates => seat.listed.templates = names.take(MOST_TEMPLATES).cloned().collect(),
            What::Tasks => {}
        }
    }

    /// Something that is listed, as the host sees it.
    fn shown_item(&self, server: usize, what: What, item: &Item) -> Option<String> {
        let seat = self.seats.get(server)?;
        let name = match what {
            What::Tools | What::Prompts => {
                let name = seat.prefix.show(&item.name);
                let listed = if what == What::Tools { &seat.listed.tools } else { &seat.listed.prompts };
                // One that lost its name to another is not shown.
                listed.get(&name).is_none_or(|kept| *kept == item.name).then_some(name)?
            }
            What::Resources => self.shown_uri(server, &item.name),
            What::Templates => self.shown_template(server, &item.name),
            What::Tasks => {
                return (self.tasks.server(&item.name) == Some(server)).then(|| item.json.clone());
            }
        };
        renamed(&item.json, what.key(), &name).ok().flatten()
    }
}

/// A definition with another name, and all else as it came.
fn renamed(json: &str, key: &str, name: &str) -> Result<Option<String>, JsonError> {
    let document = Document::parse(json.as_bytes(), &Limits::default())?;
    let Some(node) = document.root().get(key) else { return Ok(None) };
    if node.is_str(name) {
        return Ok(Some(json.to_owned()));
    }
    let mut splice = Splice::new(&document);
    splice.replace(node, quote(name).as_bytes());
    Ok(splice.finish().ok().and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// What an error says, for a note.
pub(super) fn told(error: &[u8]) -> String {
    let document = Document::parse(error, &Limits::default()).ok();
    let message = document.as_ref().and_then(|error| error.root().get("message")).and_then(Node::as_str);
    message.map_or_else(|| "it failed".to_owned(), |message| shown(&message))
}
