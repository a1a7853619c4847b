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

    /// Writes what waits, as far as the reader takes it. If somebody else is writing, they write ours too.
    pub fn drain(&self) -> io::Result<()> {
        while let Ok(mut writer) = self.writer.try_lock() {
            let is_stopped = self.write_all(&mut writer)?;
            drop(writer);
            // What was put there while we let go of the writer would wait for nobody.
            if is_stopped || self.queue().lines.is_empty() {
                break;
            }
        }
        match self.queue().is_broken {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(()),
        }
    }

    /// Whether something waits that the reader did not take.
    pub fn has_backlog(&self) -> bool {
        let queue = self.queue();
        !queue.is_broken && !queue.lines.is_empty()
    }

    /// Nothing goes out any more; the reader sees the end.
    pub fn close(&self) {
        self.queue().is_broken = true;
        drop(self.writer.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// There is another reader, who has heard nothing.
    pub fn reopen(&self, writer: W) {
        let mut old = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        *self.queue() = Queue::default();
        *old = Some(writer);
    }

    /// Writes until nothing waits. Says whether the reader takes no more for now.
    fn write_all(&self, writer: &mut Option<W>) -> io::Result<bool> {
        loop {
            let Some(line) = self.next() else { return Ok(false) };
            let written = match writer.as_mut() {
                Some(writer) => write_some(writer, &line),
                None => Err(io::ErrorKind::BrokenPipe.into()),
            };
            match written {
                Ok(length) if length == line.len() => {}
                Ok(length) => {
                    self.put_back(line, length);
                    return Ok(true);
                }
                Err(error) => {
                    self.queue().is_broken = true;
                    return Err(error);
                }
            }
        }
    }

    fn put_back(&self, mut line: Vec<u8>, written: usize) {
        line.drain(..written);
        let mut queue = self.queue();
        queue.bytes += line.len();
        queue.lines.push_front(line);
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

/// Writes as much of a line as the reader takes now, and says how much that was.
fn write_some(writer: &mut impl Write, line: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while let Some(rest) = line.get(written..).filter(|rest| !rest.is_empty()) {
        match writer.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => written += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(written),
            Err(error) => return Err(error),
        }
    }
    writer.flush().map(|()| written)
}

#[cfg(unix)]
impl<W: Write + std::os::fd::AsFd> Sink<W> {
    /// Waits until the reader takes more, though not for long, and writes it.
    pub fn drain_slowly(&self) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = writer.as_ref() {
            let mut ready = [PollFd::new(open, PollFlags::OUT)];
            // Who is interrupted looks again, as after the time.
            let _ = poll(&mut ready, Some(&Timespec { tv_sec: 0, tv_nsec: 100_000_000 }));
        }
        self.write_all(&mut writer).map(|_| ())
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

    /// Takes a few bytes at a time, and now and then none.
    struct Slow {
        taken: Vec<u8>,
        turns: usize,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.turns += 1;
            if self.turns.is_multiple_of(3) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let length = bytes.len().min(5);
            self.taken.extend_from_slice(&bytes[..length]);
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_slow_reader_does_not_take_waits_in_order() {
        let sink = Sink::new(Slow { taken: Vec::new(), turns: 0 });
        for number in 0..20 {
            sink.push(format!("line number {number}").into_bytes());
            sink.drain().unwrap();
        }
        assert!(sink.has_backlog());
        while sink.has_backlog() {
            sink.drain().unwrap();
        }
        let taken = sink.writer.lock().unwrap().take().unwrap().taken;
        let expected: String = (0..20).map(|number| format!("line number {number}\n")).collect();
        assert_eq!(String::from_utf8(taken).unwrap(), expected);
    }

    #[test]
    fn a_new_reader_hears_nothing_of_before() {
        let sink = Sink::new(Vec::new());
        sink.close();
        sink.push(b"lost".to_vec());
        assert!(sink.drain().is_err());
        sink.reopen(Vec::new());
        sink.push(b"new".to_vec());
        sink.drain().unwrap();
        assert_eq!(sink.writer.lock().unwrap().take().unwrap(), b"new\n");
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
