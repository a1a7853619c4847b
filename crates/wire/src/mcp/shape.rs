//! Members of objects, found strictly.

use std::borrow::Cow;

use crate::json::{Kind, Node};
use crate::lookalike;

/// Something that has another form than it must have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{of}: {problem}")]
pub struct ShapeError {
    /// What was read.
    pub of: &'static str,
    /// What is wrong with it.
    pub problem: ShapeProblem,
}

/// What is wrong with the form of something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeProblem {
    /// It has to be an object.
    #[error("has to be an object")]
    NoObject,
    /// A member has to be there.
    #[error("`{member}` is missing")]
    Missing {
        /// Which.
        member: &'static str,
    },
    /// A member is of another kind.
    #[error("`{member}` has to be {expected}")]
    Kind {
        /// Which.
        member: &'static str,
        /// Of which kind it has to be.
        expected: &'static str,
    },
    /// A member that some receivers take for another, since they do not tell case.
    #[error("a member differs from `{member}` in case only, and some programs would take it for that")]
    LookAlike {
        /// The member that it looks like.
        member: &'static str,
    },
    /// A name that came before in the same list.
    #[error("`{member}` is the same as that of another one in the list")]
    Twice {
        /// The member with the name.
        member: &'static str,
    },
}

/// An object whose members are looked for by name.
#[derive(Clone, Copy)]
pub(super) struct Shape<'d> {
    of: &'static str,
    node: Node<'d>,
}

impl<'d> Shape<'d> {
    /// An object with these members among others.
    pub(super) fn new(
        of: &'static str,
        node: Node<'d>,
        members: &[&'static str],
    ) -> Result<Shape<'d>, ShapeError> {
        let shape = Shape { of, node };
        if node.kind() != Kind::Object {
            return Err(shape.error(ShapeProblem::NoObject));
        }
        let other = node.members().find_map(|(key, _)| lookalike::among(&key, members));
        match other {
            Some(member) => Err(shape.error(ShapeProblem::LookAlike { member })),
            None => Ok(shape),
        }
    }

    /// The parameters of a message, which must be there.
    pub(super) fn params(
        of: &'static str,
        params: Option<Node<'d>>,
        members: &[&'static str],
    ) -> Result<Shape<'d>, ShapeError> {
        let missing = || ShapeError { of, problem: ShapeProblem::Missing { member: "params" } };
        Shape::new(of, params.ok_or_else(missing)?, members)
    }

    pub(super) fn node(self) -> Node<'d> {
        self.node
    }

    pub(super) fn text(self, member: &'static str) -> Result<Cow<'d, str>, ShapeError> {
        self.optional_text(member)?.ok_or_else(|| self.missing(member))
    }

    pub(super) fn optional_text(self, member: &'static str) -> Result<Option<Cow<'d, str>>, ShapeError> {
        let wrong = || self.kind(member, "a string");
        self.node.get(member).map(|node| node.as_str().ok_or_else(wrong)).transpose()
    }

    pub(super) fn object(self, member: &'static str) -> Result<Node<'d>, ShapeError> {
        self.optional_object(member)?.ok_or_else(|| self.missing(member))
    }

    pub(super) fn optional_object(self, member: &'static str) -> Result<Option<Node<'d>>, ShapeError> {
        match self.node.get(member) {
            Some(node) if node.kind() != Kind::Object => Err(self.kind(member, "an object")),
            node => Ok(node),
        }
    }

    pub(super) fn array(self, member: &'static str) -> Result<Node<'d>, ShapeError> {
        match self.node.get(member) {
            None => Err(self.missing(member)),
            Some(node) if node.kind() != Kind::Array => Err(self.kind(member, "an array")),
            Some(node) => Ok(node),
        }
    }

    pub(super) fn missing(self, member: &'static str) -> ShapeError {
        self.error(ShapeProblem::Missing { member })
    }

    pub(super) fn kind(self, member: &'static str, expected: &'static str) -> ShapeError {
        self.error(ShapeProblem::Kind { member, expected })
    }

    pub(super) fn error(self, problem: ShapeProblem) -> ShapeError {
        ShapeError { of: self.of, problem }
    }
}
