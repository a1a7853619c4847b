//! Logging out: the issuer is told, and the tokens are forgotten in any case.

use portcullis_oauth::Login;

use crate::find;
use crate::web::Web;

/// What the issuer said to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// It takes the tokens no more.
    Revoked,
    /// It renews the login no more; the last token ends when it ends.
    Ending,
    /// It has no way to be told; the tokens end when they end.
    NoWay,
    /// It could not be told.
    Untold,
}

/// Tells the issuer of a login that its tokens are given back.
pub async fn leave(web: &Web, login: &Login) -> Left {
    // Whom other certificates vouch for may be somebody else.
    if !login.is_under(web.roots()) {
        return Left::Untold;
    }
    let Ok(authority) = find::authority(web, login.issuer()).await else { return Left::Untold };
    let forms = login.revocations(&authority);
    if forms.is_empty() {
        return Left::NoWay;
    }
    // Tokens that a server checks by itself cannot be taken back, and some issuers say so.
    for (number, form) in forms.iter().enumerate() {
        match web.post(form).await {
            Ok(answered) if answered.status.is_success() => {}
            Ok(_) if number > 0 => return Left::Ending,
            Ok(_) | Err(_) => return Left::Untold,
        }
    }
    Left::Revoked
}
