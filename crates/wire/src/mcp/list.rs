//! What servers list.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::shape::{Shape, ShapeError, ShapeProblem};
use crate::json::Node;

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Listing<'d> {
    /// What can be told apart, in the order of the page.
    pub items: Vec<Listed<'d>>,
    /// What has no name, or that of another one before it. Nobody can say what is meant by it, so it is to be left out.
    pub broken: Vec<(Node<'d>, ShapeError)>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cow<'d, str>>,
}

/// Something that is listed.
#[derive(Debug, Clone)]
pub struct Listed<'d> {
    /// What it is asked for by: a name, a URI or a template.
    pub name: Cow<'d, str>,
    /// All of it, an object.
    pub node: Node<'d>,
}

/// A list, the member that it is in, the member that tells items apart, and the members that mean something to clients.
struct Form {
    of: &'static str,
    list: &'static str,
    name: &'static str,
    members: &'static [&'static str],
}

/// Reads the result of `tools/list`.
///
/// # Errors
/// If there is no list in it.
pub fn list_tools(result: Node<'_>) -> Result<Listing<'_>, ShapeError> {
    read(
        result,
        &Form {
            of: "result of tools/list",
            list: "tools",
            name: "name",
            members: &[
                "name",
                "title",
                "description",
                "inputSchema",
                "outputSchema",
                "annotations",
                "execution",
                "icons",
                "_meta",
            ],
        },
    )
}

/// Reads the result of `prompts/list`.
///
/// # Errors
/// If there is no list in it.
pub fn list_prompts(result: Node<'_>) -> Result<Listing<'_>, ShapeError> {
    let members = &["name", "title", "description", "arguments"];
    read(result, &Form { of: "result of prompts/list", list: "prompts", name: "name", members })
}

/// Reads the result of `resources/list`.
///
/// # Errors
/// If there is no list in it.
pub fn list_resources(result: Node<'_>) -> Result<Listing<'_>, ShapeError> {
    let members = &["uri", "name", "title", "description", "mimeType"];
    read(result, &Form { of: "result of resources/list", list: "resources", name: "uri", members })
}

/// Reads the result of `resources/templates/list`.
///
/// # Errors
/// If there is no list in it.
pub fn list_templates(result: Node<'_>) -> Result<Listing<'_>, ShapeError> {
    let members = &["uriTemplate", "name", "title", "description", "mimeType"];
    let of = "result of resources/templates/list";
    read(result, &Form { of, list: "resourceTemplates", name: "uriTemplate", members })
}

fn read<'d>(result: Node<'d>, form: &Form) -> Result<Listing<'d>, ShapeError> {
    let shape = Shape::new(form.of, result, &[form.list, "nextCursor"])?;
    // Some write that there is none.
    let next = match result.get("nextCursor") {
        Some(node) if node.is_null() => None,
        _ => shape.optional_text("nextCursor")?,
    };
    let mut listing = Listing { items: Vec::new(), broken: Vec::new(), next };
    let mut names = BTreeSet::new();
    for node in shape.array(form.list)?.items() {
        let item = Shape::new(form.of, node, form.members);
        match item.and_then(|item| item.text(form.name)) {
            Ok(name) if names.insert(name.clone()) => listing.items.push(Listed { name, node }),
            Ok(_) => {
                let problem = ShapeProblem::Twice { member: form.name };
                listing.broken.push((node, ShapeError { of: form.of, problem }));
            }
            Err(error) => listing.broken.push((node, error)),
        }
    }
    Ok(listing)
}
