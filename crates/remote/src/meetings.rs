//! Who answers, told as soon as it is known, and with every message that is told.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{Permit, Sender};

use crate::delivery::{Event, Unheard};
use crate::peer::Peer;

/// Whom it was told of.
pub(crate) struct Meetings {
    events: Sender<Event>,
    last: Mutex<Option<Peer>>,
}

/// Room for a message and for whose it is. Nothing else is told while somebody has it: no other stream's message comes between.
pub(crate) struct Introduced<'m> {
    last: MutexGuard<'m, Option<Peer>>,
    first: Permit<'m, Event>,
    then: Permit<'m, Event>,
}

impl Meetings {
    pub(crate) fn new(events: Sender<Event>) -> Meetings {
        Meetings { events, last: Mutex::default() }
    }

    /// Tells who answers, if it is somebody else than before.
    pub(crate) async fn introduce(&self, peer: Peer) -> Result<(), Unheard> {
        if self.last().as_ref() == Some(&peer) {
            return Ok(());
        }
        let permit = self.events.reserve().await.map_err(|_| Unheard)?;
        tell(&mut self.last(), Some(&peer), permit);
        Ok(())
    }

    /// Waits until a message can be told.
    pub(crate) async fn room(&self) -> Result<Introduced<'_>, Unheard> {
        let mut permits = self.events.reserve_many(2).await.map_err(|_| Unheard)?;
        match (permits.next(), permits.next()) {
            (Some(first), Some(then)) => Ok(Introduced { last: self.last(), first, then }),
            _ => Err(Unheard),
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Peer>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Introduced<'_> {
    /// Tells a message, behind who says it.
    pub(crate) fn send(mut self, peer: Option<&Peer>, event: Event) {
        tell(&mut self.last, peer, self.first);
        self.then.send(event);
    }
}

fn tell(last: &mut Option<Peer>, peer: Option<&Peer>, permit: Permit<'_, Event>) {
    if let Some(peer) = peer.filter(|peer| last.as_ref() != Some(*peer)) {
        *last = Some(peer.clone());
        permit.send(Event::Met(peer.clone()));
    }
}
