//! Room for what servers say before it is a message: so many bytes for all streams together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The room that is left.
pub(crate) struct Room {
    left: AtomicUsize,
}

/// A part of it that is taken. Dropped, it is free again.
pub(crate) struct Taken {
    room: Arc<Room>,
    bytes: usize,
}

impl Room {
    pub(crate) fn new(bytes: usize) -> Arc<Room> {
        Arc::new(Room { left: AtomicUsize::new(bytes) })
    }

    /// Nothing, to begin with.
    pub(crate) fn enter(self: &Arc<Room>) -> Taken {
        Taken { room: Arc::clone(self), bytes: 0 }
    }
}

impl Taken {
    /// Takes so much, all in all. If there is not enough, it stays as it was.
    pub(crate) fn hold(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        let less = |left: usize| left.checked_sub(more);
        if self.room.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_err() {
            return false;
        }
        self.room.left.fetch_add(self.bytes.saturating_sub(bytes), Ordering::SeqCst);
        self.bytes = bytes;
        true
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.hold(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_for_all_together_and_comes_back() {
        let room = Room::new(10);
        let (mut one, mut other) = (room.enter(), room.enter());
        assert!(one.hold(6));
        assert!(!other.hold(5));
        assert!(other.hold(4));
        assert!(!one.hold(7));
        assert!(one.hold(0));
        assert!(other.hold(10));
        drop(other);
        assert!(one.hold(10));
        assert!(!one.hold(11));
    }
}
