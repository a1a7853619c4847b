//! What the hub does with each method. Both tables are total: whatever is added to the protocol has to be put into them.

use portcullis_wire::mcp::Method;

use super::gather::Kind;
use super::list::What;

/// Where a request of the host goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errand {
    /// To several servers, whose answers become one.
    All(Kind),
    /// To the server of a tool.
    Tool,
    /// To the server of a prompt.
    Prompt,
    /// To the server of a resource that is read.
    Read,
    /// To the server of a resource that is watched, or not any more.
    Watch,
    /// To the server of a prompt or a resource that something is typed for.
    Complete,
    /// To the server that has a task.
    Task,
    /// Nowhere: we are there.
    Ping,
    /// To every server that has something to tell.
    Listen,
    /// Nowhere: nobody knows whom it is meant for.
    Unknown,
}

/// What a notification of a server is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum About {
    /// How far a request of the host is.
    Progress,
    /// A request of the server.
    Request,
    /// Something to log.
    Log,
    /// A resource.
    Resource,
    /// A task.
    Task,
    /// A stream of notifications.
    Stream,
    /// The server as a whole, or something that only the host understands.
    Server,
}

impl Errand {
    /// Where a request goes, by its method.
    pub(super) fn of(method: Method) -> Errand {
        match method {
            Method::Initialize => Errand::All(Kind::Initialize),
            Method::Discover => Errand::All(Kind::Discover),
            Method::SetLogLevel => Errand::All(Kind::SetLevel),
            Method::ListTools => Errand::All(Kind::List(What::Tools)),
            Method::ListPrompts => Errand::All(Kind::List(What::Prompts)),
            Method::ListResources => Errand::All(Kind::List(What::Resources)),
            Method::ListTemplates => Errand::All(Kind::List(What::Templates)),
            Method::ListTasks => Errand::All(Kind::List(What::Tasks)),
            Method::CallTool => Errand::Tool,
            Method::GetPrompt => Errand::Prompt,
            Method::ReadResource => Errand::Read,
            Method::Subscribe | Method::Unsubscribe => Errand::Watch,
            Method::Complete => Errand::Complete,
            Method::GetTask | Method::TaskResult | Method::CancelTask | Method::UpdateTask => Errand::Task,
            Method::Ping => Errand::Ping,
            Method::Listen => Errand::Listen,
            Method::CreateMessage
            | Method::ListRoots
            | Method::Elicit
            | Method::Initialized
            | Method::Cancelled
            | Method::Progress
            | Method::LogMessage
            | Method::ToolsChanged
            | Method::ResourcesChanged
            | Method::PromptsChanged
            | Method::RootsChanged
            | Method::ResourceUpdated
            | Method::ElicitationComplete
            | Method::TaskStatus
            | Method::TaskUpdated
            | Method::SubscriptionAcknowledged
            | Method::Unknown => Errand::Unknown,
        }
    }
}

impl About {
    /// What a notification of a server is about, by its method.
    pub(super) fn of(method: Method) -> About {
        match method {
            Method::Progress => About::Progress,
            Method::Cancelled => About::Request,
            Method::LogMessage => About::Log,
            Method::ResourceUpdated => About::Resource,
            Method::TaskStatus | Method::TaskUpdated => About::Task,
            Method::SubscriptionAcknowledged => About::Stream,
            Method::Initialize
            | Method::Discover
            | Method::Ping
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
            | Method::GetTask
            | Method::TaskResult
            | Method::ListTasks
            | Method::CancelTask
            | Method::UpdateTask
            | Method::CreateMessage
            | Method::ListRoots
            | Method::Elicit
            | Method::Initialized
            | Method::ToolsChanged
            | Method::ResourcesChanged
            | Method::PromptsChanged
            | Method::RootsChanged
            | Method::ElicitationComplete
            | Method::Unknown => About::Server,
        }
    }
}
