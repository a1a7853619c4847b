//! Why a tool is in its state.

use std::fmt;

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::names::{Neighbour, Oddity};
use crate::server::Relation;
use crate::suspicion::visible;

/// A reason for a state, or something to know beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The user approved exactly this.
    Approved,
    /// A trusted signer vouches for it.
    Signed {
        /// Who.
        signer: String,
        /// At which version.
        version: Version,
    },
    /// A list of approved definitions has it.
    Listed {
        /// Which list.
        by: String,
    },
    /// Nothing of this name was approved.
    NeverApproved,
    /// The definition is another than the approved one.
    DefinitionChanged,
    /// What was signed is not signed any more.
    SignatureGone {
        /// By whom it was.
        signer: String,
    },
    /// What was vouched for is not any more.
    VoucherGone {
        /// By which issuer it was.
        issuer: String,
    },
    /// Nobody here can say whether it is signed by somebody.
    Unproven {
        /// Why not.
        reason: String,
    },
    /// The signature is not right.
    SignatureRefused {
        /// Why.
        reason: String,
    },
    /// The evidence is about another definition.
    SignatureOfAnother,
    /// Somebody else signs it now.
    SignerChanged {
        /// Who did.
        old: String,
        /// Who does.
        new: String,
    },
    /// It is signed by somebody who is not trusted, which counts as not at all.
    SignerNotTrusted {
        /// By whom.
        signer: String,
    },
    /// The signer calls it another tool now.
    ToolIdChanged {
        /// What it was called.
        old: String,
        /// What it is called.
        new: String,
    },
    /// It needs more OAuth scopes than were approved.
    ScopesGrew {
        /// The ones that are new.
        scopes: Vec<String>,
    },
    /// The version is the approved one, the content is not.
    SameVersionOtherContent {
        /// Which version.
        version: Version,
    },
    /// The version is older than the approved one.
    OlderVersion {
        /// The approved version.
        approved: Version,
        /// The version now.
        now: Version,
    },
    /// The user blocked it.
    Blocked,
    /// It was revoked.
    Revoked {
        /// By whom and why.
        reason: String,
    },
    /// The listing has the name more than once, with other content.
    Ambiguous,
    /// It cannot be read.
    Unreadable {
        /// Why.
        reason: String,
    },
    /// The server is not the one for which it was approved.
    OtherServer {
        /// What it is to that one.
        relation: Relation,
    },
    /// The server is another than before, in a way that breaks no approval.
    ServerMoved {
        /// What it is to the one before.
        relation: Relation,
    },
    /// Its name passes for that of another server's tool.
    LooksLike(Neighbour),
    /// Its name is odd.
    OddName(Oddity),
    /// The signed definition is one that another server serves, which is another program.
    ServedElsewhere {
        /// What the user calls that server.
        seat: String,
    },
    /// It is what a tool was that is not listed any more, under another name.
    Renamed {
        /// The name that it had.
        from: String,
    },
}

impl fmt::Display for Ground {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ground::Approved => out.write_str("approved and unchanged since"),
            Ground::Signed { signer, version } => {
                write!(out, "signed by `{}` at version {version}", visible(signer))
            }
            Ground::Listed { by } => write!(out, "the trust bundle `{}` approves it", visible(by)),
            Ground::VoucherGone { issuer } => {
                write!(out, "`{}` vouched for it and does not any more", visible(issuer))
            }
            Ground::Unproven { reason } => out.write_str(&visible(reason)),
            Ground::NeverApproved => out.write_str("nobody has approved it yet"),
            Ground::DefinitionChanged => out.write_str("the definition is not the approved one"),
            Ground::SignatureGone { signer } => {
                write!(out, "it was signed by `{}` and is not any more", visible(signer))
            }
            Ground::SignatureRefused { reason } => {
                write!(out, "the signature is not right: {}", visible(reason))
            }
            Ground::SignatureOfAnother => out.write_str("the signature is one of another definition"),
            Ground::SignerChanged { old, new } => {
                write!(out, "it was signed by `{}` and is now signed by `{}`", visible(old), visible(new))
            }
            Ground::SignerNotTrusted { signer } => {
                write!(out, "`{}` has signed it, who is not trusted", visible(signer))
            }
            Ground::ToolIdChanged { old, new } => {
                write!(out, "its signer called it `{}` and now calls it `{}`", visible(old), visible(new))
            }
            Ground::ScopesGrew { scopes } => {
                write!(out, "it needs more scopes: `{}`", visible(&scopes.join(" ")))
            }
            Ground::SameVersionOtherContent { version } => {
                write!(out, "it is version {version} as approved, with other content: it was tampered with")
            }
            Ground::OlderVersion { approved, now } => {
                write!(out, "it is version {now}, older than {approved}")
            }
            Ground::Blocked => out.write_str("blocked by the user"),
            Ground::Revoked { reason } => write!(out, "revoked: {}", visible(reason)),
            Ground::Ambiguous => out.write_str("the server lists the name more than once with other content"),
            Ground::Unreadable { reason } => out.write_str(&visible(reason)),
            Ground::OtherServer { relation } => {
                write!(out, "it was approved for another server: this is {relation}")
            }
            Ground::ServerMoved { relation } => write!(out, "the server is {relation}"),
            Ground::LooksLike(neighbour) => neighbour.fmt(out),
            Ground::OddName(oddity) => oddity.fmt(out),
            Ground::ServedElsewhere { seat } => {
                write!(
                    out,
                    "its signed definition is that of the server `{}`, which is another program",
                    visible(seat)
                )
            }
            Ground::Renamed { from } => write!(out, "it is what `{}` was, under another name", visible(from)),
        }
    }
}
