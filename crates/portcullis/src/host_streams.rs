//! The host on our standard streams: one message a line, in both directions.

use std::io::Write;

use portcullis_gateway::child::read_all;
use portcullis_lattice::words;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::Limits;

/// Reads what the host says until it leaves, or until nobody takes it any more.
pub(crate) fn read(take: &mut dyn FnMut(Line) -> bool) -> std::io::Result<()> {
    let mut lines = Lines::new(Limits::default().bytes);
    read_all(std::io::stdin(), &mut |bytes| {
        lines.push(bytes);
        let mut goes_on = true;
        while let Some(line) = lines.next_line() {
            goes_on &= take(line);
        }
        goes_on
    })
}

/// Gives the host a message.
pub(crate) fn write(mut message: Vec<u8>) {
    message.push(b'\n');
    let mut output = std::io::stdout();
    // A host that is gone is noticed where it is read.
    let _ = output.write_all(&message).and_then(|()| output.flush());
}

/// Tells whoever runs the program, under a name.
pub(crate) fn note(name: &str, told: &str) {
    // Nobody is left to tell if standard error is gone.
    let _ = writeln!(std::io::stderr(), "[{name}] {}", words::shown(told));
}
