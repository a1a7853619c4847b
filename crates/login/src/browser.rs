//! Opening the user's browser.

use std::process::{Command, Stdio};

use url::Url;

/// Opens an address in the user's browser, and says whether something was started that might.
pub fn open_browser(place: &Url) -> bool {
    // Nothing else is opened by what opens addresses: no file, and no program of another scheme.
    if !matches!(place.scheme(), "http" | "https") {
        return false;
    }
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(place.as_str());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
