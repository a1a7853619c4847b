//! Methods by their names.

macro_rules! methods {
    ($($(#[$documentation:meta])* $method:ident = $name:literal as $form:ident;)*) => {
        /// What a message is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[$documentation])* $method,)*
            /// Nothing that a revision or an official extension defines.
            Unknown,
        }

        impl Method {
            /// All that are known.
            pub const KNOWN: &'static [Method] = &[$(Method::$method),*];

            /// The method of this name.
            pub fn of(name: &str) -> Method {
                match name {
                    $($name => Method::$method,)*
                    _ => Method::Unknown,
                }
            }

            /// Its name, if it is known.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Method::$method => Some($name),)*
                    Method::Unknown => None,
                }
            }

            /// Whether it wants an answer, if it is known.
            pub fn form(self) -> Option<Form> {
                match self {
                    $(Method::$method => Some(Form::$form),)*
                    Method::Unknown => None,
                }
            }
        }
    };
}

/// Whether an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// It is.
    Request,
    /// It is not.
    Notification,
}

methods! {
    /// The handshake of the era with sessions.
    Initialize = "initialize" as Request;
    /// What a server offers, in the era without sessions.
    Discover = "server/discover" as Request;
    /// Whether the other side is there.
    Ping = "ping" as Request;

    /// Lists the tools.
    ListTools = "tools/list" as Request;
    /// Calls a tool.
    CallTool = "tools/call" as Request;
    /// Lists resources.
    ListResources = "resources/list" as Request;
    /// Lists templates of resources.
    ListTemplates = "resources/templates/list" as Request;
    /// Reads a resource.
    ReadResource = "resources/read" as Request;
    /// Wants to hear when a resource changes.
    Subscribe = "resources/subscribe" as Request;
    /// Wants to hear no more.
    Unsubscribe = "resources/unsubscribe" as Request;
    /// Lists prompts.
    ListPrompts = "prompts/list" as Request;
    /// Gets a prompt, filled in by the server.
    GetPrompt = "prompts/get" as Request;
    /// Wants proposals for an argument.
    Complete = "completion/complete" as Request;
    /// Says how much the server shall log.
    SetLogLevel = "logging/setLevel" as Request;
    /// Opens a stream of notifications.
    Listen = "subscriptions/listen" as Request;

    /// How a task stands; in the era without sessions with its result.
    GetTask = "tasks/get" as Request;
    /// What came of a task.
    TaskResult = "tasks/result" as Request;
    /// Lists tasks.
    ListTasks = "tasks/list" as Request;
    /// Stops a task.
    CancelTask = "tasks/cancel" as Request;
    /// Gives a task what it asked for.
    UpdateTask = "tasks/update" as Request;

    /// A server wants the model to write something.
    CreateMessage = "sampling/createMessage" as Request;
    /// A server wants to know the user's folders.
    ListRoots = "roots/list" as Request;
    /// A server asks the user.
    Elicit = "elicitation/create" as Request;

    /// The handshake is done.
    Initialized = "notifications/initialized" as Notification;
    /// A request shall be forgotten.
    Cancelled = "notifications/cancelled" as Notification;
    /// How far a request got.
    Progress = "notifications/progress" as Notification;
    /// Something to log.
    LogMessage = "notifications/message" as Notification;
    /// The tools are others now.
    ToolsChanged = "notifications/tools/list_changed" as Notification;
    /// The resources are others now.
    ResourcesChanged = "notifications/resources/list_changed" as Notification;
    /// The prompts are others now.
    PromptsChanged = "notifications/prompts/list_changed" as Notification;
    /// The user's folders are others now.
    RootsChanged = "notifications/roots/list_changed" as Notification;
    /// A resource has changed.
    ResourceUpdated = "notifications/resources/updated" as Notification;
    /// What was asked about by a URL is done.
    ElicitationComplete = "notifications/elicitation/complete" as Notification;
    /// How a task stands, until 2025-11-25.
    TaskStatus = "notifications/tasks/status" as Notification;
    /// How a task stands, with its result.
    TaskUpdated = "notifications/tasks" as Notification;
    /// A stream of notifications is open.
    SubscriptionAcknowledged = "notifications/subscriptions/acknowledged" as Notification;
}
