//! Rules over the facts of one call: a small Datalog on the way of every tool call.
//!
//! The host says in a [`Schema`] which facts it can bring and which filters it can decide, compiles rules once to a
//! [`Program`], fills [`Facts`] from each call and asks [`Program::evaluate`], which goals are reached and why.
//!
//! ```
//! use portcullis_datalog::{Facts, Fuel, Goal, Kind, Program, Schema, Value};
//!
//! let mut schema = Schema::new();
//! let output = schema.predicate("output", &[Kind::Text], "the call writes to this resource").unwrap();
//! let label = schema.predicate("label", &[Kind::Text], "the call carries this label").unwrap();
//!
//! let program = Program::parse(
//!     r#"
//!     stranger(R) :- output(R), starts_with(R, "mailto:"), not ends_with(R, "@acme.com").
//!     deny("no secrets to strangers") :- label("secret"), stranger(R).
//!     "#,
//!     &schema,
//! )
//! .unwrap();
//!
//! let mut facts = Facts::new(&schema);
//! facts.add(output, &[Value::Text("mailto:eve@evil.io")]).unwrap();
//! // Whether it carries secrets, the host could not find out.
//! facts.unknown(label);
//!
//! let answers = program.evaluate(&facts, Fuel::default()).unwrap();
//! assert_eq!(answers[0].goal, Goal::Deny);
//! assert_eq!(answers[0].reason, Value::Text("no secrets to strangers"));
//! assert!(!answers[0].certain);
//! assert_eq!(answers[0].because[1].to_string(), r#"stranger("mailto:eve@evil.io")"#);
//! ```
//!
//! **Closed.** What the host could not find out satisfies every condition on it, negated or not, so that a missing fact
//! never loses a denial; such answers are not `certain`. An evaluation that would take too long ends in
//! [`Exhausted`], which the host turns into a refusal. A fact that does not fit the schema makes its predicate unknown.
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

mod answer;
mod builtin;
mod check;
mod compile;
mod evaluate;
mod facts;
pub mod limits;
mod problem;
mod program;
mod read;
mod schema;
mod syntax;
mod value;

pub use answer::{Answer, Because, Exhausted, Fuel, Goal};
pub use facts::{FactError, Facts};
pub use problem::{Problem, Problems, Severity};
pub use program::Program;
pub use read::read;
pub use schema::{PredicateId, Schema, SchemaError, Test};
pub use syntax::{Atom, Comparison, Literal, Operator, Position, Rule, Source, Term};
pub use value::{Constant, Kind, Truth, Value};
