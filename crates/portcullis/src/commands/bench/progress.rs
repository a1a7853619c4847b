//! A bar that shows how far a long run is, for people only.

use std::io::{IsTerminal, Write};

/// How many letters the bar has.
const WIDTH: usize = 30;

/// How far a run is. Nothing is written unless standard error is a terminal.
pub(super) struct Progress {
    is_shown: bool,
    done: usize,
    all: usize,
    /// What is counted, in the plural.
    what: &'static str,
    /// What is on the screen, so that it is written only if it changes.
    per_cent: Option<usize>,
}

impl Progress {
    pub(super) fn new(all: usize, what: &'static str) -> Progress {
        Progress { is_shown: std::io::stderr().is_terminal(), done: 0, all, what, per_cent: None }
    }

    /// One more is done.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        let per_cent = self.done * 100 / self.all.max(1);
        if self.is_shown && self.per_cent != Some(per_cent) {
            self.per_cent = Some(per_cent);
            write(&format!("\r{}", bar(self.done, self.all, self.what)));
        }
    }

    /// Takes the bar away, so that something else can be written.
    pub(super) fn clear(&mut self) {
        if self.per_cent.take().is_some() {
            write("\r\x1b[K");
        }
    }
}

fn bar(done: usize, all: usize, what: &str) -> String {
    let full = (done * WIDTH / all.max(1)).min(WIDTH);
    format!("[{}{}] {done}/{all} {what}", "#".repeat(full), "-".repeat(WIDTH - full))
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Who cannot be shown the progress misses nothing else.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn the_bar_is_full_at_the_end_and_never_longer() {
        assert_eq!(bar(0, 2, "traces"), format!("[{}] 0/2 traces", "-".repeat(30)));
        assert_eq!(bar(1, 2, "traces"), format!("[{}{}] 1/2 traces", "#".repeat(15), "-".repeat(15)));
        assert_eq!(bar(2, 2, "traces"), format!("[{}] 2/2 traces", "#".repeat(30)));
    }
}
