//! Bodies of responses, read piece by piece within limits.

use std::time::Duration;

use bytes::Bytes;
use portcullis_wire::sse::{Event, Parser, Read};
use reqwest::Response;

use crate::error::RemoteError;
use crate::http::Http;
use crate::room::Taken;

/// So much is cut into events at once.
const PIECE: usize = 16 << 10;
/// So much of a body is read that says why something did not work.
const COMPLAINT: usize = 4 << 10;
/// How long such a body may take.
const COMPLAINT_TIME: Duration = Duration::from_secs(5);

/// Reads all of a body.
pub(crate) async fn read_all(
    http: &Http,
    mut response: Response,
    mut room: Taken,
) -> Result<Vec<u8>, RemoteError> {
    let limit = http.limits.body;
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(http.told.too_large(limit));
    }
    let mut body = Vec::new();
    while let Some(chunk) = next_chunk(http, &mut response).await? {
        if body.len() + chunk.len() > limit || !room.hold(body.len() + chunk.len()) {
            return Err(http.told.too_large(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Reads the beginning of a body that says why something did not work. What cannot be read is left out.
pub(crate) async fn read_complaint(response: &mut Response) -> String {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend(chunk.iter().take(COMPLAINT - body.len()));
            if body.len() >= COMPLAINT {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(COMPLAINT_TIME, read).await;
    String::from_utf8_lossy(&body).into_owned()
}

async fn next_chunk(http: &Http, response: &mut Response) -> Result<Option<Bytes>, RemoteError> {
    match tokio::time::timeout(http.limits.silence, response.chunk()).await {
        Err(_) => Err(http.told.silent(http.limits.silence)),
        Ok(chunk) => chunk.map_err(|error| http.told.broken(&error)),
    }
}

/// A body that is a stream of events.
pub(crate) struct Events {
    response: Response,
    parser: Parser,
    /// What came and is not cut into events yet.
    rest: Bytes,
    /// What is held by the parser, at most.
    room: Taken,
}

impl Events {
    pub(crate) fn new(http: &Http, response: Response, room: Taken) -> Events {
        Events { response, parser: Parser::new(http.limits.body), rest: Bytes::new(), room }
    }

    /// The next event, or nothing at the end of the stream. More is read only when everything before was taken.
    pub(crate) async fn next(&mut self, http: &Http) -> Result<Option<Event>, RemoteError> {
        loop {
            match self.parser.next_event() {
                Some(Read::Event(event)) => return Ok(Some(event)),
                Some(Read::TooLong) => return Err(http.told.too_large(http.limits.body)),
                None => {}
            }
            if self.rest.is_empty() {
                match next_chunk(http, &mut self.response).await? {
                    Some(chunk) => self.rest = chunk,
                    None => return Ok(None),
                }
            }
            let piece = self.rest.split_to(self.rest.len().min(PIECE));
            if !self.room.hold(self.parser.held() + piece.len()) {
                return Err(http.told.too_large(http.limits.body));
            }
            self.parser.push(&piece);
        }
    }
}
