//! Requests that wait for an answer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_wire::rpc::Id;
use tokio::task::AbortHandle;

use crate::outgoing::{Manner, Outgoing, Role};

/// The requests that wait. Each is taken out once: by its answer, its failure or its cancellation.
pub(crate) struct Open {
    limit: usize,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// How many messages with requests there were.
    count: u64,
    requests: Vec<Waiter>,
}

/// A request that waits.
pub(crate) struct Waiter {
    pub(crate) id: Id,
    /// Which message it was in.
    pub(crate) exchange: u64,
    pub(crate) is_stateless: bool,
    pub(crate) is_initialize: bool,
    pub(crate) lists_tools: bool,
    /// The session that it was sent in; nothing as long as it is not sent.
    session: Option<u64>,
    task: Option<AbortHandle>,
}

/// Why a request cannot wait.
pub(crate) enum Refusal {
    Full,
    /// One with this id waits already.
    Twice(Id),
}

impl Open {
    pub(crate) fn new(limit: usize) -> Open {
        Open { limit, waiting: Mutex::default() }
    }

    /// Lets the requests of a message wait, all of them or none. Gives the number of the message.
    pub(crate) fn enter(&self, message: &Outgoing) -> Result<u64, Refusal> {
        let mut waiting = self.waiting();
        if waiting.requests.len() + message.requests.len() > self.limit {
            return Err(Refusal::Full);
        }
        for (index, request) in message.requests.iter().enumerate() {
            let before = message.requests.iter().take(index).map(|earlier| &earlier.id);
            if waiting.requests.iter().map(|waiter| &waiter.id).chain(before).any(|id| *id == request.id) {
                return Err(Refusal::Twice(request.id.clone()));
            }
        }
        waiting.count += 1;
        let exchange = waiting.count;
        waiting.requests.extend(message.requests.iter().map(|request| Waiter {
            id: request.id.clone(),
            exchange,
            is_stateless: matches!(message.manner, Manner::Stateless(_)),
            is_initialize: message.role == Role::Initialize,
            lists_tools: request.lists_tools,
            session: None,
            task: None,
        }));
        Ok(exchange)
    }

    /// The requests of a message are sent in this session.
    pub(crate) fn sent(&self, exchange: u64, session: u64) {
        for waiter in self.waiting().requests.iter_mut().filter(|waiter| waiter.exchange == exchange) {
            waiter.session = Some(session);
        }
    }

    /// They are looked after by this task.
    pub(crate) fn looked_after(&self, exchange: u64, task: &AbortHandle) {
        for waiter in self.waiting().requests.iter_mut().filter(|waiter| waiter.exchange == exchange) {
            waiter.task = Some(task.clone());
        }
    }

    /// Whether any request of a message still waits.
    pub(crate) fn waits(&self, exchange: u64) -> bool {
        self.waiting().requests.iter().any(|waiter| waiter.exchange == exchange)
    }

    /// Takes a request out for its answer. `by` is the message on whose stream it came, which goes on being read.
    pub(crate) fn take(&self, id: &Id, by: u64) -> Option<Waiter> {
        self.take_where(by, |waiter| waiter.id == *id)
    }

    /// Takes out any request of a message.
    pub(crate) fn take_of(&self, exchange: u64) -> Option<Waiter> {
        self.take_where(exchange, |waiter| waiter.exchange == exchange)
    }

    /// Takes out any request that was sent in a session.
    pub(crate) fn take_of_session(&self, session: u64) -> Option<Waiter> {
        self.take_where(0, |waiter| waiter.session == Some(session) && !waiter.is_stateless)
    }

    /// Takes a request out for nobody. Says whether it was one without a session, if it was there.
    pub(crate) fn cancel(&self, id: &Id) -> Option<bool> {
        self.take(id, 0).map(|waiter| waiter.is_stateless)
    }

    fn take_where(&self, by: u64, is_meant: impl Fn(&Waiter) -> bool) -> Option<Waiter> {
        let mut waiting = self.waiting();
        let place = waiting.requests.iter().position(is_meant)?;
        let waiter = waiting.requests.remove(place);
        let is_last = !waiting.requests.iter().any(|other| other.exchange == waiter.exchange);
        // The stream of a message that waits for nothing more is closed.
        if let (true, true, Some(task)) = (is_last, waiter.exchange != by, &waiter.task) {
            task.abort();
        }
        Some(waiter)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
