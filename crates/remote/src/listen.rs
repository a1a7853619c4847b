//! What a server says of its own accord, in the era with sessions: a stream that is gone on with as long as it lives.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Response, StatusCode};
use tokio::time::Instant;

use crate::body::Events;
use crate::delivery::{Delivery, Stream, Unheard};
use crate::error::RemoteError;
use crate::exchange::{is_passing, is_passing_failure, message, random};
use crate::http::Reply;
use crate::peer::Peer;
use crate::session::Ticket;
use crate::trail::Trail;

/// A stream that lived so long has worked, even if nothing was said.
const WORKED: Duration = Duration::from_secs(10);

/// Why nobody listens any more.
enum End {
    /// The server has no such stream, or the session is gone.
    Nothing,
    /// Something that should be known.
    Told(String),
    Unheard,
}

/// Reads the stream until it is over for good.
pub(crate) async fn listen(delivery: Arc<Delivery>, ticket: Ticket) {
    let mut trail = Trail::default();
    let end = loop {
        let began = Instant::now();
        if let Err(end) = once(&delivery, &ticket, &mut trail).await {
            break end;
        }
        if began.elapsed() >= WORKED {
            trail.lasted();
        }
        let limits = &delivery.http.limits;
        match trail.wait(limits.tries, limits.pause, random()) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => break End::Told("it broke too often".to_owned()),
        }
    };
    if let End::Told(why) = end {
        let place = delivery.http.told.place();
        // If nobody hears of it, there is nobody to be told.
        let _ = delivery.note(format!("`{place}` is no longer listened to between requests: {why}")).await;
    }
}

/// Reads the stream until it breaks.
async fn once(delivery: &Arc<Delivery>, ticket: &Ticket, trail: &mut Trail) -> Result<(), End> {
    let http = &delivery.http;
    let request = http.get(ticket.headers.clone(), trail.last());
    match http.ask(request, http.limits.head).await {
        Ok(Reply::Events(response)) => read(delivery, ticket, trail, response).await,
        Ok(Reply::Refused(response)) => refused(delivery, ticket, &response),
        Ok(Reply::Accepted | Reply::Json(_)) => Err(End::Told("it answers with no stream".to_owned())),
        Err(failure) if is_passing_failure(&failure) => Ok(()),
        Err(RemoteError::Closed) => Err(End::Unheard),
        Err(failure) => Err(End::Told(failure.to_string())),
    }
}

fn refused(delivery: &Arc<Delivery>, ticket: &Ticket, response: &Response) -> Result<(), End> {
    match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => Err(End::Nothing),
        StatusCode::NOT_FOUND => {
            if ticket.has_id {
                delivery.session_gone(ticket.number);
            }
            Err(End::Nothing)
        }
        status if is_passing(status) => Ok(()),
        status => Err(End::Told(match delivery.http.unauthorized(response) {
            Some(unauthorized) => unauthorized.to_string(),
            None => format!("it answers with status {}", status.as_u16()),
        })),
    }
}

async fn read(
    delivery: &Delivery,
    ticket: &Ticket,
    trail: &mut Trail,
    response: Response,
) -> Result<(), End> {
    let stream = Stream { session: ticket.number, peer: Peer::of(&response), ..Stream::default() };
    let mut events = Events::new(&delivery.http, response, delivery.room.enter());
    loop {
        let event = match events.next(&delivery.http).await {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            Err(why @ RemoteError::TooLarge { .. }) => {
                return delivery.note(why.to_string()).await.map_err(|Unheard| End::Unheard);
            }
            Err(_) => return Ok(()),
        };
        trail.saw(&event);
        let Some(data) = message(event) else { continue };
        match delivery.hear(data, &stream).await {
            Ok(()) => {}
            Err(why @ RemoteError::Unreadable { .. }) => {
                delivery.note(why.to_string()).await.map_err(|Unheard| End::Unheard)?;
            }
            Err(_) => return Err(End::Unheard),
        }
    }
}
