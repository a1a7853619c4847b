//! Known answers, from the RFCs.

use super::*;
use crate::from_base64url;

/// The key of RFC 8037, appendix A.1.
const ED25519: &str = r#"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
/// The key of RFC 7515, appendix A.3.1.
const ES256: &str = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#;
/// The key of RFC 7515, appendix A.2.1.
const RS256: &str = r#"{"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"}"#;
/// What the tokens of RFC 7515 say.
const TOKEN: &str =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

fn any_key(text: &str) -> PublicKey {
    PublicKey::of_any_algorithm(jwk::parse(text).unwrap().root()).unwrap().0
}

/// The key, what it signed, the signature.
fn known() -> [(PublicKey, String, &'static str); 3] {
    let ed25519 = PrivateKey::read(ED25519).unwrap().public().clone();
    let es256 = PrivateKey::read(ES256).unwrap().public().clone();
    [
        (
            ed25519,
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".to_owned(),
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        ),
        (
            es256,
            format!("eyJhbGciOiJFUzI1NiJ9.{TOKEN}"),
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        ),
        (
            any_key(RS256),
            format!("eyJhbGciOiJSUzI1NiJ9.{TOKEN}"),
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
        ),
    ]
}

#[test]
fn the_signatures_of_the_rfcs_fit() {
    for (key, message, signature) in known() {
        assert!(key.signed(message.as_bytes(), &from_base64url(signature).unwrap()), "{key:?}");
    }
}

#[test]
fn the_signatures_of_the_rfcs_fit_nothing_else() {
    for (key, message, signature) in known() {
        let signature = from_base64url(signature).unwrap();
        let message = message.into_bytes();
        for at in 0..message.len() {
            let mut changed = message.clone();
            changed[at] ^= 1;
            assert!(!key.signed(&changed, &signature), "{key:?} with byte {at} changed");
        }
        for (other, _, _) in known().iter().filter(|(other, _, _)| *other != key) {
            assert!(!other.signed(&message, &signature), "{other:?} for {key:?}");
        }
        assert!(!key.signed(&message, &signature[1..]));
        assert!(!key.signed(&message, b""));
    }
}

/// Ed25519 is deterministic: RFC 8037, appendix A.4.
#[test]
fn the_key_of_the_rfc_signs_as_in_the_rfc() {
    let key = PrivateKey::read(ED25519).unwrap();
    let [(_, message, signature), ..] = known();
    assert_eq!(crate::base64url(&key.sign(message.as_bytes()).unwrap()), signature);
}

#[test]
fn thumbprints_are_those_of_the_rfcs() {
    // RFC 8037, appendix A.3, and RFC 7638, section 3.1.
    let ed25519 = PrivateKey::read(ED25519).unwrap();
    assert_eq!(ed25519.public().id().as_str(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    let rsa = any_key(
        r#"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#,
    );
    assert_eq!(rsa.id().as_str(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
}

#[test]
fn nothing_shows_a_private_key_by_accident() {
    for text in [ED25519, ES256] {
        let key = PrivateKey::read(text).unwrap();
        let written = key.write().unwrap();
        let secret = text.split(r#""d":""#).nth(1).unwrap().split('"').next().unwrap();
        assert!(written.reveal().contains(secret));
        for shown in
            [format!("{key:?}"), format!("{written:?}"), format!("{:?}", key.public()), key.public().write()]
        {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
