//! A client against a server that does what the test says, one request after the other.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod addresses;
mod answers;
mod authorization;
mod encrypted;
mod limits;
mod refusals;
mod server;
mod sessions;
mod stateless;
mod streams;

use std::time::Duration;

use portcullis_remote::{Address, Event, Remote, RemoteError};
use portcullis_wire::rpc::Id;
use tokio::sync::mpsc::Receiver;

use server::Server;

/// A request without anything in it.
fn ping(id: u32) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#).into_bytes()
}

/// The answer to a request.
fn pong(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// A notification with a number in it.
fn progress(number: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progress":{number}}}}}"#)
}

/// Waits for something that has to come; only a test that fails waits long.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it never came")
}

/// The address of a server, with pauses that are over at once.
fn address(server: &Server) -> Address {
    let mut address = Address::new(&server.url).unwrap();
    address.limits.pause = Duration::from_millis(1);
    address.limits.tries = 3;
    address
}

fn connect(server: &Server) -> (Remote, Receiver<Event>) {
    Remote::connect(&address(server)).unwrap()
}

/// What the server says next, and about which request.
async fn said(events: &mut Receiver<Event>) -> (String, Option<Id>) {
    let event = soon(events.recv()).await.unwrap();
    let Event::Said(said) = event else { panic!("{event:?}") };
    (String::from_utf8(said.message).unwrap(), said.about)
}

/// The failure that comes next.
async fn failed(events: &mut Receiver<Event>) -> (Id, RemoteError) {
    let event = soon(events.recv()).await.unwrap();
    let Event::Failed { id, why } = event else { panic!("{event:?}") };
    (id, why)
}

/// The note that comes next.
async fn note(events: &mut Receiver<Event>) -> String {
    let event = soon(events.recv()).await.unwrap();
    let Event::Note(note) = event else { panic!("{event:?}") };
    note
}

/// That nothing more was told before this request was answered.
async fn nothing_else(remote: &Remote, server: &mut Server, events: &mut Receiver<Event>) {
    remote.send(ping(999)).await;
    server.asked().await.json(200, &pong(999));
    assert_eq!(said(events).await.0, pong(999));
}
