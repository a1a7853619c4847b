//! What a gateway has to do with a message, by its method, its form and where it goes.

use super::method::{Form, Method};

/// Where a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host.
    ToServer,
    /// From a server.
    ToClient,
}

/// What has to be done with a message before it goes on. Ordered: the later, the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// Passed on as it came; it does nothing and carries nothing worth a look.
    Relay,
    /// Passed on; but what it or its answer says is looked at, and may be changed.
    Inspect,
    /// A server asks the user or the model through us: shown as the server's, or refused.
    Question,
    /// May act or carry data away: passed on only if it is permitted.
    Judge,
    /// Has no business here: answered with a failure, or dropped.
    Refuse,
}

/// A treatment and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handling {
    /// What has to be done.
    pub treatment: Treatment,
    /// Why, in words for people.
    pub reason: &'static str,
}

const fn relay(reason: &'static str) -> Handling {
    Handling { treatment: Treatment::Relay, reason }
}
const fn inspect(reason: &'static str) -> Handling {
    Handling { treatment: Treatment::Inspect, reason }
}
const fn question(reason: &'static str) -> Handling {
    Handling { treatment: Treatment::Question, reason }
}
const fn judge(reason: &'static str) -> Handling {
    Handling { treatment: Treatment::Judge, reason }
}
const fn refuse(reason: &'static str) -> Handling {
    Handling { treatment: Treatment::Refuse, reason }
}

impl Method {
    /// What has to be done with a message of this method.
    pub fn handling(self, direction: Direction, form: Form) -> Handling {
        match (self.form(), form) {
            // A server that runs it all the same could not be told to whom the answer goes, nor be refused visibly.
            (Some(Form::Request), Form::Notification) => refuse("a request has to have an id"),
            (Some(Form::Notification), Form::Request) => refuse("a notification must not have an id"),
            (None, _)
            | (Some(Form::Request), Form::Request)
            | (Some(Form::Notification), Form::Notification) => match direction {
                Direction::ToServer => self.to_server(),
                Direction::ToClient => self.to_client(),
            },
        }
    }

    fn to_server(self) -> Handling {
        match self {
            Method::CallTool => judge("runs a tool"),
            Method::ReadResource => judge("reads a resource"),
            Method::GetPrompt => judge("brings a text of the server into the context"),
            Method::Complete => judge("sends a text to the server"),
            Method::Subscribe | Method::Listen => judge("names resources that the server shall watch"),
            Method::UpdateTask => judge("answers a server that asked something"),
            Method::Unknown => judge("nobody knows what it does"),
            Method::Initialize | Method::Discover => inspect("says who is there and what they can do"),
            Method::ListTools => inspect("tools are checked, and some may be hidden"),
            Method::ListResources | Method::ListTemplates | Method::ListPrompts => {
                inspect("what is listed comes from the server")
            }
            Method::GetTask | Method::TaskResult | Method::ListTasks => {
                inspect("the answer may be the result of a tool")
            }
            Method::Cancelled => inspect("the request may still wait for a decision"),
            Method::CancelTask => relay("stops what was permitted"),
            Method::Ping => relay("asks whether somebody is there"),
            Method::SetLogLevel => relay("says how much to log"),
            Method::Unsubscribe => relay("wants to hear less"),
            Method::Initialized | Method::RootsChanged => relay("tells that something is done"),
            Method::Progress | Method::TaskStatus => relay("tells how far something is"),
            Method::CreateMessage
            | Method::ListRoots
            | Method::Elicit
            | Method::LogMessage
            | Method::ToolsChanged
            | Method::ResourcesChanged
            | Method::PromptsChanged
            | Method::ResourceUpdated
            | Method::ElicitationComplete
            | Method::TaskUpdated
            | Method::SubscriptionAcknowledged => refuse("only a server says this"),
        }
    }

    fn to_client(self) -> Handling {
        match self {
            Method::Elicit => question("a server asks the user"),
            Method::CreateMessage => question("a server asks the model"),
            Method::ListRoots => inspect("tells the server the user's folders"),
            Method::Unknown => judge("nobody knows what it does"),
            Method::ToolsChanged | Method::ResourcesChanged | Method::PromptsChanged => {
                inspect("what was listed may no longer be true")
            }
            Method::Cancelled => inspect("the request may still wait for a decision"),
            Method::LogMessage | Method::Progress | Method::TaskStatus => {
                inspect("has a text of the server in it")
            }
            Method::TaskUpdated | Method::GetTask | Method::TaskResult | Method::ListTasks => {
                inspect("may be the result of a tool or an answer to the server")
            }
            Method::Ping => relay("asks whether somebody is there"),
            Method::CancelTask => relay("stops what the server began"),
            Method::ResourceUpdated | Method::ElicitationComplete | Method::SubscriptionAcknowledged => {
                relay("tells that something happened")
            }
            Method::Initialize
            | Method::Discover
            | Method::ListTools
            | Method::CallTool
            | Method::ListResources
            | Method::ListTemplates
            | Method::ReadResource
            | Method::Subscribe
            | Method::Unsubscribe
            | Method::ListPrompts
            | Method::GetPrompt
            | Method::Complete
            | Method::SetLogLevel
            | Method::Listen
            | Method::UpdateTask
            | Method::Initialized
            | Method::RootsChanged => refuse("only a client says this"),
        }
    }
}
