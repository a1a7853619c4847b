//! An MCP server over Streamable HTTP, spoken to as its client.
//!
//! A [`Remote`] takes messages and gives back [events](Event): what the server says, which requests get no answer and why,
//! and that the session is gone. It moves bytes and judges nothing. Both eras are spoken, by what each message says of
//! itself: requests of 2026-07-28 go by themselves with headers made from their body, all others go in the session that
//! `initialize` began.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use portcullis_remote::{Address, Event, Remote};
//!
//! let mut address = Address::new("https://mcp.example/mcp")?;
//! address.headers.push(("Authorization".to_owned(), "Bearer …".to_owned()));
//! let (remote, mut events) = Remote::connect(&address)?;
//! remote.send(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec()).await;
//! while let Some(event) = events.recv().await {
//!     match event {
//!         Event::Said(said) => println!("{}", String::from_utf8_lossy(&said.message)),
//!         Event::Failed { id, why } => println!("{}: {why}", id.json()),
//!         Event::Met(peer) => println!("certified by {}", peer.issuer),
//!         Event::Note(note) => println!("{note}"),
//!         Event::Ended(why) => println!("{why}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod address;
mod authorization;
mod body;
mod challenge;
mod delivery;
mod error;
mod exchange;
mod http;
mod incoming;
mod listen;
mod meetings;
mod open;
mod outgoing;
mod peer;
mod remote;
mod room;
mod schemas;
mod session;
mod told;
mod trail;

pub use address::{Address, AddressError, Limits};
pub use authorization::{Authorization, NoToken, Token, Waiting};
pub use challenge::Challenge;
pub use delivery::{Event, Said};
pub use error::RemoteError;
pub use peer::Peer;
pub use remote::Remote;
