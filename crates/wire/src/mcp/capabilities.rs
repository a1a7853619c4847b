//! What a client can do, as far as a gateway depends on it.

use super::shape::{Shape, ShapeError};
use crate::json::Node;

const OF: &str = "capabilities of a client";

/// What a client declares.
#[derive(Debug, Clone, Copy)]
pub struct ClientCapabilities<'d> {
    /// All of it, an object.
    pub node: Node<'d>,
    /// How the user can be asked, if they can.
    pub elicitation: Option<Elicitation>,
    /// The model can be asked.
    pub has_sampling: bool,
    /// It tells its folders.
    pub has_roots: bool,
}

/// How a client can ask the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elicitation {
    /// By a form.
    pub form: bool,
    /// By a page that they are sent to.
    pub url: bool,
}

impl<'d> ClientCapabilities<'d> {
    /// Reads what a client declares.
    ///
    /// # Errors
    /// If it is no object, or something in it that decides is none.
    pub fn read(node: Node<'d>) -> Result<ClientCapabilities<'d>, ShapeError> {
        let shape = Shape::new(OF, node, &["elicitation", "sampling", "roots"])?;
        let elicitation = shape.optional_object("elicitation")?.map(Elicitation::read).transpose()?;
        Ok(ClientCapabilities {
            node,
            elicitation,
            has_sampling: shape.optional_object("sampling")?.is_some(),
            has_roots: shape.optional_object("roots")?.is_some(),
        })
    }

    /// Whether it can show a form of ours.
    pub fn has_forms(&self) -> bool {
        self.elicitation.is_some_and(|elicitation| elicitation.form)
    }
}

impl Elicitation {
    fn read(node: Node<'_>) -> Result<Elicitation, ShapeError> {
        let shape = Shape::new(OF, node, &["form", "url"])?;
        let url = shape.optional_object("url")?.is_some();
        // Before there were two, it said nothing, and meant forms.
        let form = shape.optional_object("form")?.is_some() || !url;
        Ok(Elicitation { form, url })
    }
}
