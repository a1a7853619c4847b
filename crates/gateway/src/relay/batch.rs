//! Batches, which one revision knows: what came together is answered together.

use std::collections::HashMap;

use portcullis_wire::rpc::Id;

/// Batches whose answers are not complete.
#[derive(Default)]
pub(crate) struct Batches {
    /// Which batch a request belongs to.
    of: HashMap<Id, usize>,
    open: HashMap<usize, Batch>,
    begun: usize,
}

struct Batch {
    missing: usize,
    answers: Vec<Vec<u8>>,
}

impl Batches {
    /// These requests came together.
    pub(crate) fn begin(&mut self, requests: Vec<Id>) {
        if requests.is_empty() {
            return;
        }
        self.begun += 1;
        self.open.insert(self.begun, Batch { missing: requests.len(), answers: Vec::new() });
        self.of.extend(requests.into_iter().map(|id| (id, self.begun)));
    }

    /// What the host gets now: the answer, or all answers of a batch with the last one.
    pub(crate) fn reply(&mut self, id: &Id, answer: Vec<u8>) -> Option<Vec<u8>> {
        let Some(number) = self.of.remove(id) else { return Some(answer) };
        let batch = self.open.get_mut(&number)?;
        batch.answers.push(answer);
        batch.missing -= 1;
        if batch.missing > 0 {
            return None;
        }
        let batch = self.open.remove(&number)?;
        let mut bytes = vec![b'['];
        for (place, answer) in batch.answers.iter().enumerate() {
            if place > 0 {
                bytes.push(b',');
            }
            bytes.extend_from_slice(answer);
        }
        bytes.push(b']');
        Some(bytes)
    }

    /// Nobody answers this any more.
    pub(crate) fn forget(&mut self, id: &Id) -> Option<Vec<u8>> {
        let number = *self.of.get(id)?;
        let batch = self.open.get_mut(&number)?;
        self.of.remove(id);
        batch.missing -= 1;
        let is_over = batch.missing == 0;
        let batch = if is_over { self.open.remove(&number)? } else { return None };
        (!batch.answers.is_empty()).then(|| [b"[".as_slice(), &batch.answers.join(&b','), b"]"].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_together_is_answered_together() {
        let mut batches = Batches::default();
        batches.begin(vec![Id::integer(1), Id::integer(2), Id::integer(3)]);
        assert_eq!(batches.reply(&Id::integer(9), b"{}".to_vec()), Some(b"{}".to_vec()));
        assert_eq!(batches.reply(&Id::integer(2), b"two".to_vec()), None);
        assert_eq!(batches.forget(&Id::integer(1)), None);
        assert_eq!(batches.reply(&Id::integer(3), b"three".to_vec()), Some(b"[two,three]".to_vec()));
        assert_eq!(batches.reply(&Id::integer(3), b"alone".to_vec()), Some(b"alone".to_vec()));
    }
}
