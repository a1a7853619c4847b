//! The one place where randomness comes from.

/// The operating system has no random bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operating system gives no random bytes: {0}")]
pub struct RandomError(String);

/// Bytes that nobody can guess.
///
/// # Errors
/// If the system gives none.
pub fn random<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| RandomError(error.to_string()))?;
    Ok(bytes)
}
