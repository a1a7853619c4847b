//! A program that is spoken with over its standard input and output.

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Way;

pub(crate) struct Pipes {
    program: Child,
    /// Taken when the program is to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Pipes {
    pub(crate) fn open(program: &str, arguments: &[&str]) -> Result<Box<dyn Way>> {
        let mut program = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = program.stdin.take();
        let output = program.stdout.take().ok_or_else(|| Error::other("no output"))?;
        Ok(Box::new(Pipes { program, input, output: BufReader::new(output), line: String::new() }))
    }
}

impl Way for Pipes {
    fn ask(&mut self, id: u64, message: &str) -> Result<String> {
        self.tell(message)?;
        let marks = [format!("\"id\":{id},"), format!("\"id\":{id}}}"), format!("\"id\": {id},")];
        loop {
            self.line.clear();
            if self.output.read_line(&mut self.line)? == 0 {
                return Err(Error::other("the program has ended"));
            }
            if marks.iter().any(|mark| self.line.contains(mark)) {
                return Ok(self.line.clone());
            }
        }
    }

    fn tell(&mut self, message: &str) -> Result<()> {
        let input = self.input.as_mut().ok_or_else(|| Error::other("no input"))?;
        input.write_all(format!("{message}\n").as_bytes())
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        // Without input programs end by themselves; those that do not are ended.
        drop(self.input.take());
        for _ in 0..200 {
            if !matches!(self.program.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
