//! PKCS #8 in PEM, the form in which other programs keep private keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::KeyError;
use super::jwk::LONGEST;

const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

pub(super) fn is_pem(text: &str) -> bool {
    text.trim_start().starts_with("-----BEGIN ")
}

pub(super) fn is_private(text: &str) -> bool {
    text.lines().next().unwrap_or_default().contains("PRIVATE KEY")
}

/// What stands between the two lines.
pub(super) fn private_der(text: &str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    if text.len() > LONGEST {
        return Err(KeyError::TooLong { limit: LONGEST });
    }
    let Some(body) = text.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)) else {
        return Err(match text.lines().next().unwrap_or_default().contains("PUBLIC KEY") {
            true => KeyError::Public,
            false => unsupported(),
        });
    };
    let letters: Zeroizing<String> = Zeroizing::new(body.split_ascii_whitespace().collect());
    let der = STANDARD.decode(letters.as_bytes());
    der.map(Zeroizing::new).map_err(|_| KeyError::Unreadable { problem: "the PEM is no base64".into() })
}

pub(super) fn unsupported() -> KeyError {
    let problem = "only unencrypted PKCS #8 of Ed25519 or P-256 can be read from PEM";
    KeyError::Unreadable { problem: problem.into() }
}
