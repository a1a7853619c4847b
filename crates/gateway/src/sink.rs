//! Where messages go out: in order, one at a time, and without anybody waiting for a slow reader who need not.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_monitor::Permit;

/// So many bytes wait at most for a reader that takes nothing.
const MOST_WAITING: usize = 256 << 20;

/// Where messages go out, one a line.
pub struct Sink<W> {
    queue: Mutex<Queue>,
    writer: Mutex<Option<W>>,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    is_broken: bool,
}

impl<W: Write> Sink<W> {
    /// Lines go here.
    pub fn new(writer: W) -> Sink<W> {
        Sink { queue: Mutex::default(), writer: Mutex::new(Some(writer)) }
    }

    /// Puts a message at the end of what goes out. That takes no time: [`Sink::drain`] writes it.
    pub fn push(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let mut queue = self.queue();
        if queue.bytes + line.len() > MOST_WAITING {
            queue.is_broken = true;
        }
        if !queue.is_broken {
            queue.bytes += line.len();
            queue.lines.push_back(line);
        }
    }

    /// The same for a message that needs a permit, which is used up.
    pub fn call(&self, permit: Permit, line: Vec<u8>) {
        drop(permit);
        self.push(line);
    }

    /// Writes what waits. If somebody else is writing, they write ours too.
    pub fn drain(&self) -> io::Result<()> {
        while let Ok(mut writer) = self.writer.try_lock() {
            while let Some(line) = self.next() {
                let written = match writer.as_mut() {
                    Some(writer) => writer.write_all(&line).and_then(|()| writer.flush()),
                    None => Err(io::ErrorKind::BrokenPipe.into()),
                };
                if let Err(error) = written {
                    self.queue().is_broken = true;
                    return Err(error);
                }
            }
            drop(writer);
            // What was put there while we let go of the writer would wait for nobody.
            if self.queue().lines.is_empty() {
                break;
            }
        }
        match self.queue().is_broken {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(()),
        }
    }

    /// Nothing goes out any more; the reader sees the end.
    pub fn close(&self) {
        drop(self.writer.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn next(&self) -> Option<Vec<u8>> {
        let mut queue = self.queue();
        let line = queue.lines.pop_front()?;
        queue.bytes -= line.len();
        Some(line)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_many_go_out_whole_and_in_the_order_of_each() {
        let sink = Sink::new(Vec::new());
        std::thread::scope(|scope| {
            for name in 0..4 {
                let sink = &sink;
                scope.spawn(move || {
                    for number in 0..500 {
                        sink.push(format!("{name} {number}").into_bytes());
                        sink.drain().unwrap();
                    }
                });
            }
        });
        let written = sink.writer.lock().unwrap().take().unwrap();
        let text = String::from_utf8(written).unwrap();
        for name in 0..4 {
            let numbers = text.lines().filter_map(|line| line.strip_prefix(&format!("{name} ")));
            let numbers: Vec<usize> = numbers.map(|number| number.parse().unwrap()).collect();
            assert_eq!(numbers, (0..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_reader_that_is_gone_is_told() {
        let sink: Sink<Vec<u8>> = Sink::new(Vec::new());
        sink.close();
        sink.push(b"{}".to_vec());
        assert!(sink.drain().is_err());
        assert!(sink.drain().is_err());
    }
}
