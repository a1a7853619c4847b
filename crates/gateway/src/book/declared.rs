//! What trusted signers declare of the tools that a server lists.
//!
//! Only what is verified now counts: a definition that nobody signed, whose signer is not trusted, that was revoked or is not
//! the one that was approved declares nothing, and a declaration ends with its signature.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use portcullis_identity::state::{Judged, Standing as ToolState};
use portcullis_perceive::Declaration;
use portcullis_perceive::profile::Profile;
use portcullis_seal::definition::{Standing, verify_bytes};

use super::Book;

/// How a definition that declares something has it somewhere. Written in another way it declares nothing.
const PROFILE: &[u8] = b"\"profile\"";

/// The profiles with what is declared of the tools, by name.
#[derive(Default)]
pub(crate) struct Declared(BTreeMap<String, Signed>);

/// A profile that holds as long as a signature.
struct Signed {
    profile: Arc<Profile>,
    until: Option<Timestamp>,
}

impl Declared {
    /// What is declared of those of the judged tools that are verified. `known` is what is known of a tool of the server
    /// otherwise.
    pub(crate) fn of<'k>(
        book: &Book,
        server: &str,
        judged: &[Judged],
        listed: &[(String, Vec<u8>)],
        known: impl Fn(&str) -> Option<&'k Profile>,
        now: Timestamp,
    ) -> Declared {
        let verified = judged.iter().filter(|judged| judged.standing == ToolState::Verified);
        let signed = verified.filter_map(|judged| {
            let mut claims = listed.iter().filter(|(name, _)| *name == judged.name);
            let ((_, raw), None) = (claims.next()?, claims.next()) else { return None };
            let (declaration, until) = book.declaration(raw, now)?;
            let profile = Arc::new(declaration.joined(server, known(&judged.name)?));
            Some((judged.name.clone(), Signed { profile, until }))
        });
        Declared(signed.collect())
    }

    /// The profile of a tool, where one is declared and its signature holds at this time.
    pub(crate) fn profile(&self, name: &str, now: Timestamp) -> Option<&Arc<Profile>> {
        let signed = self.0.get(name)?;
        signed.until.is_none_or(|until| now < until).then_some(&signed.profile)
    }
}

impl Book {
    /// What the definition declares, and until when its signature holds.
    fn declaration(&self, raw: &[u8], now: Timestamp) -> Option<(Declaration, Option<Timestamp>)> {
        // Most declare nothing, and to verify a signature once more takes longer than all else here.
        if !raw.windows(PROFILE.len()).any(|window| window == PROFILE) {
            return None;
        }
        let Ok(Standing::Sealed(sealed)) = verify_bytes(raw, &self.roots.trusted, now) else { return None };
        let claims = sealed.claims();
        let profile = claims.profile.as_ref()?;
        let declaration = Declaration {
            signer: sealed.signer().into(),
            effects: profile.effects,
            inputs: profile.inputs.clone(),
            outputs: profile.outputs.clone(),
        };
        Some((declaration, claims.expires))
    }
}
