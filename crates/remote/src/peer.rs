//! Who a server is, as its certificate says.

use reqwest::Response;
use reqwest::tls::TlsInfo;
use sha2::{Digest, Sha256};
use x509_parser::prelude::{FromDer, X509Certificate, X509Name};

/// The longest name of an issuer that is kept.
const LONGEST: usize = 200;

/// Who the certificate says a server is. That it is one of the name, and believed, was checked before anything was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The SHA-256 of its public key.
    pub key: [u8; 32],
    /// The organisation that issued it, for intermediate certificates change; else its name.
    pub issuer: String,
}

impl Peer {
    /// Who sent a response. Nobody says so without TLS.
    pub(crate) fn of(response: &Response) -> Option<Peer> {
        let info: &TlsInfo = response.extensions().get()?;
        info.peer_certificate().map(Peer::read)
    }

    fn read(certificate: &[u8]) -> Peer {
        match X509Certificate::from_der(certificate) {
            Ok((_, read)) => {
                Peer { key: Sha256::digest(read.public_key().raw).into(), issuer: issuer(read.issuer()) }
            }
            // What nobody can read is still the same or another one.
            Err(_) => Peer { key: Sha256::digest(certificate).into(), issuer: "(cannot be read)".to_owned() },
        }
    }
}

fn issuer(name: &X509Name<'_>) -> String {
    let organisation =
        name.iter_organization().chain(name.iter_common_name()).find_map(|part| part.as_str().ok());
    let whole = organisation.map_or_else(|| name.to_string(), str::to_owned);
    whole.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    fn certificate(key: &KeyPair, names: &[(DnType, &str)]) -> Peer {
        let mut params = CertificateParams::new(vec!["desk.example".to_owned()]).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        names.iter().for_each(|(kind, name)| params.distinguished_name.push(kind.clone(), *name));
        Peer::read(params.self_signed(key).unwrap().der())
    }

    #[test]
    fn a_certificate_is_told_by_its_key_and_who_issued_it() {
        let (one, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let acme = [(DnType::CommonName, "R1"), (DnType::OrganizationName, "Acme Trust")];
        let peer = certificate(&one, &acme);
        assert_eq!(peer.issuer, "Acme Trust");
        assert_eq!(peer.key, certificate(&one, &[(DnType::CommonName, "Root")]).key);
        assert_eq!(certificate(&one, &[(DnType::CommonName, "Root")]).issuer, "Root");
        assert_ne!(peer.key, certificate(&other, &acme).key);
        assert_eq!(certificate(&one, &[(DnType::OrganizationName, &"x".repeat(900))]).issuer.len(), LONGEST);
    }

    #[test]
    fn what_is_no_certificate_is_still_told_apart() {
        assert_eq!(Peer::read(b"one"), Peer::read(b"one"));
        assert_ne!(Peer::read(b"one").key, Peer::read(b"two").key);
    }
}
