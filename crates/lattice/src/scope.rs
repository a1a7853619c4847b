//! Scopes as users write them. What they mean in a session is a [`Region`](crate::Region).

use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use crate::error::ParseError;
use crate::name;
use crate::pattern::Pattern;
use crate::resource::natural_realm;
use crate::text::{Quoting, Words, write_word};
use crate::visible::hides;

/// A set of resources, as a rule names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The names of a pattern. Beyond this machine they count as far out as the session says they lie.
    Named(Pattern),
    /// The names of a pattern, as far out as said here, whatever the session says.
    Within(Pattern, Network),
    /// What the user's request names.
    Targets,
    /// The workspace and the targets.
    Workspace,
    /// Every file of this machine.
    Local,
    /// A whole realm beyond this machine.
    Net(Network),
    /// Everything there is. Only a deny can say this.
    Anywhere,
}

/// How far out beyond this machine. `intnet` lies inside `extnet`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Network {
    /// The user's organisation and own accounts.
    Internal,
    /// Everybody, the organisation included.
    External,
}

impl Network {
    /// The word users read and write.
    pub const fn name(self) -> &'static str {
        match self {
            Network::Internal => "intnet",
            Network::External => "extnet",
        }
    }

    /// The network with this name.
    pub fn from_name(name: &str) -> Option<Network> {
        [Network::Internal, Network::External].into_iter().find(|network| network.name() == name)
    }
}

impl Scope {
    /// The agent's context.
    pub fn context() -> Scope {
        Scope::Named(Pattern::context())
    }

    /// Reads the scope that comes next in a line.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<Scope, ParseError> {
        let at = words.position();
        let Some(word) = words.next()?.filter(|word| !word.is("to")) else {
            return Err(ParseError::new(words.line(), at, "a scope is missing here", "/home/u/p/**"));
        };
        let scope = match Scope::by_word(&word.text).filter(|_| !word.quoted) {
            Some(scope) => scope,
            None => Scope::named(&word.text).map_err(|error| word.place(words.line(), error))?,
        };
        if !words.keyword("within") {
            return Ok(scope);
        }
        let place = words.position();
        let network =
            words.next()?.filter(|word| !word.quoted).and_then(|word| Network::from_name(&word.text));
        let wrong = |at, problem| ParseError::new(words.line(), at, problem, "slack:C04ENG within intnet");
        match (scope, network) {
            (_, None) => Err(wrong(place, "`within` is followed by `intnet` or `extnet`")),
            (Scope::Named(pattern), Some(network)) => Scope::within(pattern, network)
                .ok_or_else(|| wrong(word.at, "`within` is for names beyond this machine")),
            _ => Err(wrong(word.at, "`within` is for names beyond this machine")),
        }
    }

    /// The scopes that are one word.
    fn by_word(text: &str) -> Option<Scope> {
        match text {
            "@targets" => Some(Scope::Targets),
            "@workspace" => Some(Scope::Workspace),
            "local" => Some(Scope::Local),
            "anywhere" => Some(Scope::Anywhere),
            _ => Network::from_name(text).map(Scope::Net),
        }
    }

    fn named(text: &str) -> Result<Scope, ParseError> {
        if text.starts_with('@') {
            let problem = "the session's own sets are `@targets` and `@workspace`";
            return Err(ParseError::new(text, 1, problem, "@workspace"));
        }
        Pattern::parse(text).map(Scope::Named).map_err(|error| suggest(text, error))
    }

    /// The names of `pattern` no farther out than `network`; nothing for names that lie on this machine.
    pub fn within(pattern: Pattern, network: Network) -> Option<Scope> {
        natural_realm(&pattern).is_none().then_some(Scope::Within(pattern, network))
    }

    /// Whether everything in `inner` is in this scope, however a session is laid out.
    pub(crate) fn always_contains(&self, inner: &Scope) -> bool {
        match (self, inner) {
            (Scope::Anywhere, _) => true,
            // In every session a narrower pattern lies no farther out than a wider one.
            (Scope::Named(outer), Scope::Named(inner) | Scope::Within(inner, Network::Internal))
            | (Scope::Within(outer, Network::External), Scope::Named(inner) | Scope::Within(inner, _))
            | (Scope::Within(outer, Network::Internal), Scope::Within(inner, Network::Internal)) => {
                outer.contains(inner)
            }
            (Scope::Local, Scope::Named(inner)) => inner.head().is_local(),
            (Scope::Local, Scope::Targets | Scope::Workspace) | (Scope::Workspace, Scope::Targets) => true,
            (Scope::Net(Network::External), Scope::Named(inner)) => inner.head().is_network(),
            (Scope::Net(Network::External), Scope::Within(..) | Scope::Net(_))
            | (Scope::Net(Network::Internal), Scope::Within(_, Network::Internal)) => true,
            _ => self == inner,
        }
    }

    /// Whether one use of a resource could, in some session, be about both scopes.
    pub(crate) fn may_meet(&self, other: &Scope) -> bool {
        match (self.pattern(), other.pattern()) {
            (Some(left), Some(right)) => left.overlaps(right),
            (Some(names), None) => other.may_hold(names),
            (None, Some(names)) => self.may_hold(names),
            (None, None) => {
                let (left, right) = (self.is_network(), other.is_network());
                *self == Scope::Anywhere || *other == Scope::Anywhere || left == right
            }
        }
    }

    fn may_hold(&self, names: &Pattern) -> bool {
        match self {
            Scope::Named(own) | Scope::Within(own, _) => own.overlaps(names),
            Scope::Targets | Scope::Workspace | Scope::Local => names.head().is_local(),
            Scope::Net(_) => names.head().is_network(),
            Scope::Anywhere => true,
        }
    }

    fn is_network(&self) -> bool {
        matches!(self, Scope::Net(_))
    }

    /// The pattern, if the scope has one of its own.
    pub fn pattern(&self) -> Option<&Pattern> {
        match self {
            Scope::Named(pattern) | Scope::Within(pattern, _) => Some(pattern),
            Scope::Targets | Scope::Workspace | Scope::Local | Scope::Net(_) | Scope::Anywhere => None,
        }
    }
}

/// Adds the likeliest repair to an error about a bare word.
pub(crate) fn suggest(text: &str, error: ParseError) -> ParseError {
    // What cannot be seen is not repeated as an example, where it would end up on somebody's terminal.
    if text.contains(hides) {
        return error;
    }
    let bare = !text.is_empty() && !text.contains([':', '/', '*', ' ']) && text != name::CONTEXT;
    let (problem, example): (&'static str, _) = match text {
        _ if bare && text.contains('@') => {
            ("a mail address is written with `mailto:`", format!("mailto:{text}"))
        }
        _ if bare && text.contains('.') => (
            "a host or a file needs to say which it is",
            format!("https://{text}/**, mailto:*@{text} or /home/u/p/{text}"),
        ),
        "workspace" | "targets" => ("the session's own sets begin with `@`", format!("@{text}")),
        "context" => ("the agent's context is `ctxt`", "ctxt".into()),
        "internal" => ("the organisation is `intnet`", "intnet".into()),
        "external" | "internet" | "network" => {
            ("everything beyond this machine is `extnet`", "extnet".into())
        }
        "any" | "all" | "everything" => {
            ("everything is `anywhere`, which only a deny can say", "anywhere".into())
        }
        _ if text.starts_with('~') => {
            ("`~` must be written out", format!("/home/u{}", text.trim_start_matches('~')))
        }
        _ if text.starts_with('*') && !text.contains(':') => {
            ("a pattern needs the place it starts from", format!("/home/u/p/{text}"))
        }
        _ if bare => (
            "a name begins with `/` or with a scheme such as `https://` or `slack:`",
            format!("/home/u/p/{text}, or {text}:** for all of an account"),
        ),
        _ => return error,
    };
    ParseError { at: 0, problem: problem.into(), example: example.into(), ..error }
}

/// Reads one resource, a pattern, `@targets`, `@workspace`, `local`, `intnet`, `extnet`, `ctxt` or
/// `anywhere`. A name with a space, a comma or a quote in it stands in double quotes.
impl FromStr for Scope {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Scope, ParseError> {
        let mut words = Words::new(text);
        let scope = Scope::read(&mut words)?;
        if words.position() < text.len() {
            let problem = "one scope was expected, and there is more";
            return Err(words.error(problem, r#""calendar:Gym 2024", in quotes if it has a space in it"#));
        }
        Ok(scope)
    }
}

/// The text that is read back as the same scope.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(pattern) = self.pattern() {
            write_word(f, &pattern.to_string(), Quoting::AsNeeded)?;
        }
        match self {
            Scope::Named(_) => Ok(()),
            Scope::Within(_, network) => write!(f, " within {}", network.name()),
            Scope::Targets => f.write_str("@targets"),
            Scope::Workspace => f.write_str("@workspace"),
            Scope::Local => f.write_str("local"),
            Scope::Net(network) => f.write_str(network.name()),
            Scope::Anywhere => f.write_str("anywhere"),
        }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("`{self}`"))
    }
}
