//! A server over HTTP. One task sends to it and takes what it says; when its session is gone, a new one is begun.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc as threads};
use std::time::{Duration, Instant};

use portcullis_gateway::Backoff;
use portcullis_remote::{Address, Event, Remote};
use portcullis_wire::rpc;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Link;
use crate::connection::Connection;

/// A request got no answer.
const NO_ANSWER: i64 = -32_603;
/// So many bytes wait at most for a server that takes nothing.
const MOST_WAITING: usize = 64 << 20;
/// How long its farewell may take.
const FAREWELL: Duration = Duration::from_secs(6);

/// A server over HTTP.
pub(super) struct RemoteLink {
    messages: Mutex<Option<UnboundedSender<Vec<u8>>>>,
    waiting: Arc<AtomicUsize>,
    done: Mutex<threads::Receiver<()>>,
}

impl RemoteLink {
    pub(super) fn start(address: Address, server: usize, connection: Weak<Connection>) -> RemoteLink {
        let (messages, queue) = unbounded_channel();
        let (tell, done) = threads::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let keeper = Keeper { address, server, connection, waiting: Arc::clone(&waiting) };
        tokio::spawn(async move {
            keeper.keep(queue).await;
            // Nobody waits where the program does not end.
            let _ = tell.send(());
        });
        RemoteLink { messages: Mutex::new(Some(messages)), waiting, done: Mutex::new(done) }
    }
}

impl Link for RemoteLink {
    fn send(&self, message: Vec<u8>) {
        let waiting = self.waiting.fetch_add(message.len(), Ordering::SeqCst) + message.len();
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        match &*messages {
            // Whoever asked hears nothing, and gives up.
            _ if waiting > MOST_WAITING => {
                self.waiting.fetch_sub(message.len(), Ordering::SeqCst);
            }
            Some(messages) => {
                // Who keeps it has said why it is gone.
                let _ = messages.send(message);
            }
            None => {}
        }
    }

    fn close(&self) {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn wait(&self) {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        // One that does not let itself be told farewell is left.
        let _ = done.recv_timeout(FAREWELL);
    }
}

/// Who speaks to the server.
struct Keeper {
    address: Address,
    server: usize,
    connection: Weak<Connection>,
    waiting: Arc<AtomicUsize>,
}

impl Keeper {
    async fn keep(&self, mut messages: UnboundedReceiver<Vec<u8>>) {
        let mut backoff = Backoff::default();
        loop {
            let began = Instant::now();
            let (remote, mut events) = match Remote::connect(&self.address) {
                Ok(connected) => connected,
                Err(error) => {
                    self.note(&error.to_string());
                    return self.end();
                }
            };
            let why = tokio::select! {
                () = self.send_all(&remote, &mut messages) => {
                    remote.close().await;
                    return;
                }
                why = self.take_all(&mut events) => why,
            };
            self.note(&why);
            let Some(pause) = backoff.after(began.elapsed()) else {
                self.note("its session ended again and again, so that no new one is begun");
                return self.end();
            };
            let awaited = self.connection.upgrade().map(|connection| connection.server_awaited(self.server));
            if awaited.is_none() {
                return;
            }
            // Whoever asked has been told that it is not known what became of it.
            while let Ok(stale) = messages.try_recv() {
                self.waiting.fetch_sub(stale.len(), Ordering::SeqCst);
            }
            tokio::time::sleep(pause).await;
            let Some(connection) = self.connection.upgrade() else { return };
            connection.server_restarted(self.server);
        }
    }

    async fn send_all(&self, remote: &Remote, messages: &mut UnboundedReceiver<Vec<u8>>) {
        while let Some(message) = messages.recv().await {
            self.waiting.fetch_sub(message.len(), Ordering::SeqCst);
            remote.send(message).await;
        }
    }

    /// Takes what the server says until its session is gone, and says why it is.
    async fn take_all(&self, events: &mut Receiver<Event>) -> String {
        while let Some(event) = events.recv().await {
            let Some(connection) = self.connection.upgrade() else { break };
            match event {
                Event::Met(peer) => connection.server_met(self.server, &peer),
                Event::Said(said) => connection.server_says(self.server, said.message, said.about.as_ref()),
                Event::Failed { id, why } => {
                    let failure = rpc::failure(&id, NO_ANSWER, &why.to_string(), None);
                    connection.server_says(self.server, failure, Some(&id));
                }
                Event::Note(note) => connection.note(&note),
                Event::Ended(why) => return why.to_string(),
            }
        }
        "nobody listens any more".to_owned()
    }

    fn end(&self) {
        if let Some(connection) = self.connection.upgrade() {
            connection.server_ended(self.server);
        }
    }

    fn note(&self, note: &str) {
        if let Some(connection) = self.connection.upgrade() {
            connection.note(note);
        }
    }
}
