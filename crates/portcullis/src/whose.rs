//! Who runs this, for whom: what makes several processes belong to one session.

use std::net::{IpAddr, SocketAddr};

/// The user of the operating system.
pub(crate) fn user() -> String {
    #[cfg(unix)]
    return format!("uid:{}", rustix::process::getuid().as_raw());
    #[cfg(not(unix))]
    return std::env::var("USERNAME").unwrap_or_else(|_| "user".to_owned());
}

/// The program that started this one: all servers of a host have the same. Numbers of processes are used again, so the
/// time at which it began belongs to it.
pub(crate) fn host() -> String {
    #[cfg(unix)]
    {
        process_key(std::os::unix::process::parent_id())
    }
    #[cfg(not(unix))]
    return format!("own:{}", std::process::id());
}

/// This process.
pub(crate) fn own() -> String {
    #[cfg(unix)]
    return process_key(std::process::id());
    #[cfg(not(unix))]
    return format!("own:{}", std::process::id());
}

/// A process as session keys name it.
#[cfg(unix)]
pub(crate) fn process_key(process: u32) -> String {
    format!("pid:{process}{}", began(process))
}

/// Whether the host of a session still runs; nothing where that is not known.
pub(crate) fn runs(host: &str) -> Option<bool> {
    let (process, _) = host.strip_prefix("pid:")?.split_once('@')?;
    #[cfg(unix)]
    return process.parse().ok().map(|process| process_key(process) == host);
    #[cfg(not(unix))]
    return process.parse::<u32>().ok().and(None);
}

/// When a process began, where the system tells: the 22nd field of its status, behind the name in parentheses.
#[cfg(unix)]
fn began(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = status.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().nth(19).map_or_else(String::new, |ticks| format!("@{ticks}"))
}

/// The process at the other end of a connection within this machine, where the system tells: all that speaks for one host has
/// the same.
pub(crate) fn peer(peer: SocketAddr, own: SocketAddr) -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        let listed = |table: &str, peer, own| socket_of(&std::fs::read_to_string(table).ok()?, peer, own);
        let old = || listed("/proc/net/tcp", peer, own);
        // Programs that speak both kinds have addresses of the old kind written as new ones.
        let socket = old().or_else(|| listed("/proc/net/tcp6", mapped(peer), mapped(own)))?;
        process_of(&format!("socket:[{socket}]")).map(process_key)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (peer, own);
        None
    }
}

/// The number of the socket of a connection, in the system's table of them.
#[cfg(target_os = "linux")]
fn socket_of(table: &str, from: SocketAddr, to: SocketAddr) -> Option<u64> {
    let (from, to) = (as_listed(from), as_listed(to));
    table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_it = fields.get(1) == Some(&&*from) && fields.get(2) == Some(&&*to);
        fields.get(9).filter(|_| is_it)?.parse().ok()
    })
}

#[cfg(target_os = "linux")]
fn mapped(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) => SocketAddr::new(ip.to_ipv6_mapped().into(), address.port()),
        IpAddr::V6(_) => address,
    }
}

/// An address as the table has it: words of four bytes, each in the order of the machine.
#[cfg(target_os = "linux")]
fn as_listed(address: SocketAddr) -> String {
    let bytes: Vec<u8> = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let word = |word: &[u8]| word.try_into().map_or(0, u32::from_ne_bytes);
    let words: String = bytes.chunks(4).map(|bytes| format!("{:08X}", word(bytes))).collect();
    format!("{words}:{:04X}", address.port())
}

/// The process that has this open.
#[cfg(target_os = "linux")]
fn process_of(open: &str) -> Option<u32> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |process: &u32| {
        let files = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        let mut links = files.filter_map(|file| std::fs::read_link(file.path()).ok());
        links.any(|link| link.as_os_str() == open)
    };
    numbers.into_iter().find(has)
}

/// A number that nobody can guess.
pub(crate) fn nonce() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn who_is_at_the_other_end_is_known() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            // A machine may have no addresses of the newer kind.
            let Ok(listener) = std::net::TcpListener::bind(address) else { continue };
            let own = listener.local_addr().unwrap();
            let stream = std::net::TcpStream::connect(own).unwrap();
            assert_eq!(peer(stream.local_addr().unwrap(), own), Some(super::own()));
        }
    }

    #[test]
    fn a_connection_is_told_from_its_other_end() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:130D 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 11 1\n\
             1: 0100007F:C350 0100007F:130D 01 00000000:00000000 00:00000000 00000000  1000        0 22 1\n";
        let (host, serve) = ("127.0.0.1:50000".parse().unwrap(), "127.0.0.1:4877".parse().unwrap());
        if cfg!(target_endian = "little") {
            assert_eq!(socket_of(table, host, serve), Some(22));
            assert_eq!(socket_of(table, serve, host), Some(11));
        }
        assert_eq!(socket_of(table, host, host), None);
    }
}
