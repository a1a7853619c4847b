//! All pages of a server's listing as one.

use std::collections::BTreeMap;

use portcullis_wire::json::Node;
use portcullis_wire::mcp::{ShapeError, list_tools};

/// Everything that a server lists, by name.
///
/// A name may come twice, on one page or on two: that is no error here but part of what is judged.
#[derive(Debug, Clone, Default)]
pub struct Listing<'d> {
    pub(super) tools: BTreeMap<String, Vec<Claim<'d>>>,
    nameless: usize,
}

/// A definition that claims a name.
#[derive(Debug, Clone)]
pub(super) enum Claim<'d> {
    Definition(&'d [u8]),
    /// One that has no right form.
    Broken(String),
}

/// A page that has no list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("page {page} of the listing cannot be read: {error}")]
pub struct ListingError {
    /// Which page, counted from 1.
    pub page: usize,
    /// What is wrong with it.
    pub error: ShapeError,
}

impl<'d> Listing<'d> {
    /// Merges the results of `tools/list`, one for each page.
    ///
    /// # Errors
    /// If a page has no list: what is judged must be all of it.
    pub fn of_pages(pages: impl IntoIterator<Item = Node<'d>>) -> Result<Listing<'d>, ListingError> {
        let mut listing = Listing::default();
        for (index, result) in pages.into_iter().enumerate() {
            let page = list_tools(result).map_err(|error| ListingError { page: index + 1, error })?;
            for item in page.items {
                listing.add(item.name.into_owned(), item.node.raw());
            }
            for (node, error) in page.broken {
                listing.broken(node, &error);
            }
        }
        Ok(listing)
    }

    /// Adds a definition under its name.
    pub fn add(&mut self, name: String, raw: &'d [u8]) {
        let claims = self.tools.entry(name).or_default();
        let is_known = claims.iter().any(|claim| matches!(claim, Claim::Definition(known) if *known == raw));
        if !is_known {
            claims.push(Claim::Definition(raw));
        }
    }

    /// How many have no name and so cannot be called.
    pub fn nameless(&self) -> usize {
        self.nameless
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// What has no right form, or the name of one before, still claims its name.
    fn broken(&mut self, node: Node<'d>, error: &ShapeError) {
        use portcullis_wire::mcp::ShapeProblem;
        match node.get("name").and_then(Node::as_str) {
            None => self.nameless += 1,
            Some(name) if matches!(error.problem, ShapeProblem::Twice { .. }) => {
                self.add(name.into_owned(), node.raw())
            }
            Some(name) => {
                let claims = self.tools.entry(name.into_owned()).or_default();
                claims.push(Claim::Broken(error.to_string()));
            }
        }
    }
}
