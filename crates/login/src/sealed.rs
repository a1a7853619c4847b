//! Sealing: what is kept is encrypted and bound to its name, with a key from the keyring or from a file.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use crate::keyring::{KeyringError, OfTheSession, Ring};

/// What a sealed text begins with; where its key is follows.
const HEAD: &str = "portcullis login 1 ";
const NONCE: usize = 12;
const KEY: usize = 32;

/// Where the key is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeySource {
    /// In the keyring of the user's session.
    Keyring,
    /// In a file beside what is sealed: whoever reads the user's files can open it.
    File,
}

/// Who gives the key of the file, or says why not.
pub type FileKey = Arc<dyn Fn() -> Result<[u8; KEY], String> + Send + Sync>;

/// Why something is not sealed or opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SealError {
    /// The keyring gives no key.
    #[error("{0}")]
    Keyring(String),
    /// The file gives no key.
    #[error("the key of logins cannot be used: {0}")]
    File(String),
    /// It was not sealed here, or is not what was sealed.
    #[error("it was changed, or sealed with another key; log in again")]
    Broken,
    /// There is no randomness.
    #[error("the operating system gives no random bytes")]
    Random,
}

impl From<KeyringError> for SealError {
    fn from(error: KeyringError) -> SealError {
        SealError::Keyring(error.to_string())
    }
}

impl KeySource {
    fn name(self) -> &'static str {
        match self {
            KeySource::Keyring => "keyring",
            KeySource::File => "file",
        }
    }
}

/// Seals and opens.
pub(crate) struct Sealer {
    file: FileKey,
    ring: Box<dyn Ring>,
    /// What the keyring gave, which is asked once.
    kept: Mutex<Option<Zeroizing<[u8; KEY]>>>,
}

impl Sealer {
    pub(crate) fn new(file: FileKey) -> Sealer {
        Sealer { file, ring: Box::new(OfTheSession), kept: Mutex::default() }
    }

    /// Where the key of something new is: the keyring, if there is one.
    pub(crate) fn source(&self) -> Result<KeySource, SealError> {
        match self.keyring_key() {
            Ok(_) => return Ok(KeySource::Keyring),
            Err(KeyringError::Unreachable) => return Ok(KeySource::File),
            Err(KeyringError::Missing) => {}
            Err(error) => return Err(error.into()),
        }
        let mut key = Zeroizing::new([0; KEY]);
        getrandom::fill(&mut *key).map_err(|_| SealError::Random)?;
        match self.ring.write(Zeroizing::new(STANDARD.encode(key.as_slice()))) {
            Ok(()) => {}
            Err(KeyringError::Unreachable) => return Ok(KeySource::File),
            Err(error) => return Err(error.into()),
        }
        // What cannot be read back would be lost.
        self.keyring_key()?;
        Ok(KeySource::Keyring)
    }

    /// Seals a text under a name.
    pub(crate) fn seal(&self, source: KeySource, name: &str, text: &str) -> Result<String, SealError> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| SealError::Random)?;
        let mut sealed = text.as_bytes().to_vec();
        let aad = Aad::from(bound_to(source, name));
        let key = self.key(source)?;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .map_err(|_| SealError::Broken)?;
        let all = STANDARD.encode([&nonce[..], &sealed].concat());
        Ok(format!("{HEAD}{}\n{all}\n", source.name()))
    }

    /// Opens what was sealed under a name, and says where its key is.
    pub(crate) fn open(
        &self,
        name: &str,
        sealed: &str,
    ) -> Result<(Zeroizing<Vec<u8>>, KeySource), SealError> {
        let (head, rest) = sealed.split_once('\n').ok_or(SealError::Broken)?;
        let source = match head.strip_prefix(HEAD) {
            Some("keyring") => KeySource::Keyring,
            Some("file") => KeySource::File,
            _ => return Err(SealError::Broken),
        };
        let all = STANDARD.decode(rest.trim_end()).map_err(|_| SealError::Broken)?;
        let (nonce, sealed) = all.split_at_checked(NONCE).ok_or(SealError::Broken)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Broken)?;
        let mut text = Zeroizing::new(sealed.to_vec());
        let aad = Aad::from(bound_to(source, name));
        let opened = self.key(source)?.open_in_place(nonce, aad, &mut text);
        let length = opened.map_err(|_| SealError::Broken)?.len();
        text.truncate(length);
        Ok((text, source))
    }

    fn key(&self, source: KeySource) -> Result<LessSafeKey, SealError> {
        let key = match source {
            KeySource::Keyring => self.keyring_key()?,
            KeySource::File => Zeroizing::new((self.file)().map_err(SealError::File)?),
        };
        let key = UnboundKey::new(&AES_256_GCM_SIV, &*key).map_err(|_| SealError::Broken)?;
        Ok(LessSafeKey::new(key))
    }

    fn keyring_key(&self) -> Result<Zeroizing<[u8; KEY]>, KeyringError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = &*kept {
            return Ok(key.clone());
        }
        let text = self.ring.read()?;
        let bytes = Zeroizing::new(STANDARD.decode(text.trim()).map_err(|_| KeyringError::Unreadable)?);
        let key: [u8; KEY] = bytes.as_slice().try_into().map_err(|_| KeyringError::Unreadable)?;
        let key = Zeroizing::new(key);
        *kept = Some(key.clone());
        Ok(key)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sealer(…)")
    }
}

/// What a sealed text is bound to: nobody can put it under another name, or say that its key is elsewhere.
fn bound_to(source: KeySource, name: &str) -> String {
    format!("{HEAD}{}\n{name}", source.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sealer(key: u8) -> Sealer {
        Sealer::new(Arc::new(move || Ok([key; KEY])))
    }

    /// A keyring that does as it is told.
    struct Played {
        held: Mutex<Option<String>>,
        refuses: Option<KeyringError>,
    }

    impl Ring for Arc<Played> {
        fn read(&self) -> Result<Zeroizing<String>, KeyringError> {
            match (self.refuses, &*self.held.lock().unwrap()) {
                (Some(error), _) => Err(error),
                (None, Some(text)) => Ok(Zeroizing::new(text.clone())),
                (None, None) => Err(KeyringError::Missing),
            }
        }

        fn write(&self, text: Zeroizing<String>) -> Result<(), KeyringError> {
            *self.held.lock().unwrap() = Some(text.to_string());
            self.refuses.map_or(Ok(()), Err)
        }
    }

    fn with(held: Option<&str>, refuses: Option<KeyringError>) -> (Sealer, Arc<Played>) {
        let ring = Arc::new(Played { held: Mutex::new(held.map(str::to_owned)), refuses });
        let sealer = Sealer { ring: Box::new(Arc::clone(&ring)), ..sealer(1) };
        (sealer, ring)
    }

    #[test]
    fn the_key_is_in_the_keyring_if_there_is_one() {
        let (first, ring) = with(None, None);
        assert_eq!(first.source(), Ok(KeySource::Keyring));
        let sealed = first.seal(KeySource::Keyring, "name", "text").unwrap();
        let held = ring.held.lock().unwrap().clone();
        // Whoever comes later finds the same one, and makes no other.
        let (second, ring) = with(held.as_deref(), None);
        assert_eq!(second.source(), Ok(KeySource::Keyring));
        assert_eq!(*ring.held.lock().unwrap(), held);
        let (opened, source) = second.open("name", &sealed).unwrap();
        assert_eq!((opened.as_slice(), source), (&b"text"[..], KeySource::Keyring));
        // The key of the file does not open it, whatever its head says.
        let posing = sealed.replace("keyring", "file");
        assert_eq!(second.open("name", &posing).unwrap_err(), SealError::Broken);
    }

    #[test]
    fn only_where_there_is_no_keyring_a_file_takes_its_place() {
        for (refuses, source) in [
            (KeyringError::Unreachable, Ok(KeySource::File)),
            (KeyringError::Locked, Err(SealError::from(KeyringError::Locked))),
            (KeyringError::Slow, Err(SealError::from(KeyringError::Slow))),
            (KeyringError::Unreadable, Err(SealError::from(KeyringError::Unreadable))),
        ] {
            assert_eq!(with(None, Some(refuses)).0.source(), source, "{refuses}");
            // What was sealed with a key of the keyring waits for it.
            let sealed =
                with(Some(&STANDARD.encode([7; KEY])), None).0.seal(KeySource::Keyring, "n", "t").unwrap();
            let (later, _) = with(None, Some(refuses));
            assert_eq!(later.open("n", &sealed).unwrap_err(), SealError::from(refuses));
        }
        let (odd, _) = with(Some("no key"), None);
        assert_eq!(odd.source(), Err(SealError::from(KeyringError::Unreadable)));
    }

    proptest! {
        #[test]
        fn what_is_sealed_is_opened_by_its_key_under_its_name_alone(text in ".{0,200}", name in "[a-z]{1,8}", other in "[a-z]{1,8}") {
            let sealed = sealer(1).seal(KeySource::File, &name, &text).unwrap();
            let (opened, source) = sealer(1).open(&name, &sealed).unwrap();
            prop_assert_eq!((opened.as_slice(), source), (text.as_bytes(), KeySource::File));
            prop_assert_eq!(sealer(2).open(&name, &sealed).unwrap_err(), SealError::Broken);
            prop_assert_eq!(sealer(1).open(&other, &sealed).is_ok(), name == other);
        }

        #[test]
        fn what_was_changed_is_not_opened(text in "[a-z]{0,40}", place in 0_usize..1000, bit in 0_u8..8) {
            let sealed = sealer(1).seal(KeySource::File, "name", &text).unwrap();
            let mut all = STANDARD.decode(sealed.lines().nth(1).unwrap()).unwrap();
            let place = place % all.len();
            all[place] ^= 1 << bit;
            let changed = format!("{HEAD}file\n{}\n", STANDARD.encode(all));
            prop_assert_eq!(sealer(1).open("name", &changed).unwrap_err(), SealError::Broken);
        }

        #[test]
        fn opening_ends_on_any_text(text in ".{0,100}") {
            prop_assert!(sealer(1).open("name", &text).is_err());
        }
    }
}
