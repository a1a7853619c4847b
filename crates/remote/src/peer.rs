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
            // What nobody can read is still the same or another one, and nobody knows that two of them have one issuer.
            Err(_) => Peer {
                key: Sha256::digest(certificate).into(),
                issuer: format!("(cannot be read, {})", hash(certificate)),
            },
        }
    }
}

fn issuer(name: &X509Name<'_>) -> String {
    let organisation =
        name.iter_organization().chain(name.iter_common_name()).find_map(|part| part.as_str().ok());
    let whole = organisation.map_or_else(|| name.to_string(), str::to_owned);
    match whole.char_indices().nth(LONGEST) {
        None => whole,
        // Two that begin alike are not the same.
        Some((end, _)) => {
            format!("{}… ({})", whole.get(..end).unwrap_or_default(), hash(whole.as_bytes()))
        }
    }
}

fn hash(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
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
    }

    #[test]
    fn what_is_no_certificate_is_still_told_apart() {
        assert_eq!(Peer::read(b"one"), Peer::read(b"one"));
        assert_ne!(Peer::read(b"one").key, Peer::read(b"two").key);
        // Else any of them would be a renewed certificate of the same issuer.
        assert_ne!(Peer::read(b"one").issuer, Peer::read(b"two").issuer);
    }

    #[test]
    fn long_names_of_issuers_are_told_apart_by_all_that_is_in_them() {
        let key = KeyPair::generate().unwrap();
        let issuer = |name: &str| certificate(&key, &[(DnType::OrganizationName, name)]).issuer;
        let alike = "é".repeat(LONGEST);
        assert_eq!(issuer(&alike), alike);
        let (one, other) = (issuer(&format!("{alike} One")), issuer(&format!("{alike} Two")));
        assert!(one.starts_with(&format!("{alike}… (sha256:")), "{one}");
        assert_ne!(one, other);
        assert_eq!(issuer(&"x".repeat(900)), issuer(&"x".repeat(900)));
        assert_ne!(issuer(&"x".repeat(900)), issuer(&"x".repeat(901)));
    }
}
