//! Who runs this, for whom: what makes several processes belong to one session.

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

/// A number that nobody can guess.
pub(crate) fn nonce() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}
