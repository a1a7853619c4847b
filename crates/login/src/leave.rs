//! Logging out: the issuer is told, and the tokens are forgotten in any case.

use portcullis_oauth::Login;

use crate::find;
use crate::web::Web;

/// What the issuer said to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// It takes the tokens no more.
    Revoked,
    /// It has no way to be told; the tokens end when they end.
    NoWay,
    /// It could not be told.
    Untold,
}

/// Tells the issuer of a login that its tokens are given back.
pub async fn leave(web: &Web, login: &Login) -> Left {
    let Ok(authority) = find::authority(web, login.issuer()).await else { return Left::Untold };
    let forms = login.revocations(&authority);
    if forms.is_empty() {
        return Left::NoWay;
    }
    for form in forms {
        match web.post(&form).await {
            Ok(answered) if answered.status.is_success() => {}
            Ok(_) | Err(_) => return Left::Untold,
        }
    }
    Left::Revoked
}
