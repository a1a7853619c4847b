//! Measures what stands between a client and a server: round trips, throughput, and sessions that do nothing.
//!
//! ```text
//! driver latency PLAN ROUNDS CALLS   # PLAN: a line for each way, its words separated by tabs
//! driver throughput URL CONNECTIONS SECONDS
//! driver sessions URL COUNT          # opens sessions, says `open`, and keeps them until its input ends
//! ```
//!
//! A line of a plan is `stdio NAME PROGRAM WORD…` or `http NAME URL`. The ways take turns, so that whatever else the
//! machine does falls on all of them. Every answer is looked at: a refusal is quick, and would look good.

mod http;
mod stdio;

use std::io::{Error, Read, Result, Write};
use std::time::{Duration, Instant};

/// Somebody who answers messages.
trait Way {
    /// Sends a message and waits for the answer to the request with this number.
    fn ask(&mut self, id: u64, message: &str) -> Result<String>;

    /// Sends a message that has no answer.
    fn tell(&mut self, message: &str) -> Result<()>;
}

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"driver","version":"1.0.0"}}}"#
);
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
/// Calls that are not counted, until caches are warm and code is compiled.
const BEFORE: u64 = 200;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["latency", plan, rounds, calls] => latency(plan, number(rounds)?, number(calls)?),
        ["throughput", url, connections, seconds] => throughput(url, number(connections)?, number(seconds)?),
        ["sessions", url, count] => sessions(url, number(count)?),
        _ => Err(Error::other("usage: driver latency|throughput|sessions …, see the file")),
    }
}

fn number(word: &str) -> Result<u64> {
    word.parse().map_err(|_| Error::other(format!("`{word}` is not a number")))
}

/// Greets a server, and asks for its tools as hosts do.
fn greet(way: &mut dyn Way) -> Result<()> {
    way.ask(0, HELLO)?;
    way.tell(READY)?;
    let tools = way.ask(1, LIST)?;
    if tools.contains("\"echo\"") {
        Ok(())
    } else {
        Err(Error::other(format!("there is no `echo`: {tools}")))
    }
}

fn call(way: &mut dyn Way, id: u64) -> Result<Duration> {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello {id}"}}}}}}"#
    );
    let began = Instant::now();
    let answer = way.ask(id, &message)?;
    let took = began.elapsed();
    if answer.contains("echoed") {
        Ok(took)
    } else {
        Err(Error::other(format!("it was not echoed: {answer}")))
    }
}

fn open(line: &str) -> Result<(String, Box<dyn Way>)> {
    let words: Vec<&str> = line.split('\t').collect();
    let named = |name: &str, way: Result<Box<dyn Way>>| Ok((name.to_owned(), way?));
    match words.as_slice() {
        ["stdio", name, program, arguments @ ..] => named(name, stdio::Pipes::open(program, arguments)),
        ["http", name, url] => named(name, http::Connection::open(url)),
        _ => Err(Error::other(format!("`{line}` is no way"))),
    }
}

fn latency(plan: &str, rounds: u64, calls: u64) -> Result<()> {
    let plan = std::fs::read_to_string(plan)?;
    let mut ways = Vec::new();
    let mut id = 1;
    for line in plan.lines() {
        let (name, mut way) = open(line)?;
        greet(way.as_mut()).map_err(|error| Error::other(format!("{name}: {error}")))?;
        for _ in 0..BEFORE {
            id += 1;
            call(way.as_mut(), id).map_err(|error| Error::other(format!("{name}: {error}")))?;
        }
        ways.push((name, way, Vec::new()));
    }
    for _ in 0..rounds {
        for (_, way, times) in &mut ways {
            for _ in 0..calls {
                id += 1;
                times.push(call(way.as_mut(), id)?.as_nanos().to_string());
            }
        }
    }
    let mut output = std::io::stdout().lock();
    for (name, _, times) in &ways {
        writeln!(output, "{name}\t{}", times.join(","))?;
    }
    Ok(())
}

fn throughput(url: &str, connections: u64, seconds: u64) -> Result<()> {
    let end = Duration::from_secs(seconds);
    let threads: Vec<_> = (0..connections)
        .map(|_| {
            let url = url.to_owned();
            std::thread::spawn(move || -> Result<Vec<String>> {
                let mut way = http::Connection::open(&url)?;
                greet(way.as_mut())?;
                call(way.as_mut(), 2)?;
                let (began, mut times, mut id) = (Instant::now(), Vec::new(), 2);
                while began.elapsed() < end {
                    id += 1;
                    times.push(call(way.as_mut(), id)?.as_nanos().to_string());
                }
                Ok(times)
            })
        })
        .collect();
    let mut output = std::io::stdout().lock();
    for thread in threads {
        let times = thread.join().map_err(|_| Error::other("a connection fell over"))??;
        writeln!(output, "connection\t{}", times.join(","))?;
    }
    Ok(())
}

fn sessions(url: &str, count: u64) -> Result<()> {
    let mut open = Vec::new();
    for _ in 0..count {
        let mut way = http::Connection::open(url)?;
        greet(way.as_mut())?;
        open.push(way);
    }
    writeln!(std::io::stdout(), "open")?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
