//! Who the server turns out to be, as its certificate says. That is known when it begins to answer: what it was sent by then, it
//! has, but nothing that it says for another comes to the host, and where a key is pinned nothing more is sent to another one.

use jiff::Timestamp;
use portcullis_identity::ContentHash;
use portcullis_identity::server::{Holding, Relation, ServerIdentity, TlsHold, TlsIdentity};
use portcullis_lattice::words::shown;
use portcullis_monitor::Outcome;
use portcullis_wire::mcp::Method;
use portcullis_wire::rpc::{self, Id};

use super::list::Listed;
use super::{Act, Relay, What};

/// The server is another one.
const ANOTHER: i64 = -32_603;
/// What a server whose key nobody approved may be asked: without its list nobody could approve it. Calls are asked about.
const TO_BE_APPROVED: [Method; 3] = [Method::Initialize, Method::ListTools, Method::CallTool];
/// Why it may not be asked anything else.
pub(super) const STRANGE: &str = "the key of the server is to be pinned and is another than when its tools were approved, so \
    that nothing is sent to it before you approve them again; nothing was done";
/// Why it is not asked anything any more.
pub(super) const TURNED: &str = "the server has another key than the pinned one, so that nothing more is sent to it; begin anew to look at it";

/// With which keys the server was met.
#[derive(Default)]
pub(super) struct Met {
    first: Option<ContentHash>,
    /// Whether a pinned key was another one later. Nothing takes that back: whoever can come between once can do so again.
    has_turned: bool,
}

impl Relay {
    /// The server has this certificate from here on: the hash of its key, and who issued it. If that makes it another server,
    /// nothing that was listed before counts any more, so that no list of one passes for one of the other, and whatever is open
    /// fails: nobody knows which of the two has it.
    pub fn server_met(&mut self, key: [u8; 32], issuer: &str, now: Timestamp) -> Vec<Act> {
        let met = TlsIdentity { key: ContentHash::new(key), issuer: issuer.to_owned() };
        let is_first = *self.met.first.get_or_insert(met.key) == met.key;
        let relation = self.tools.meet(met);
        if self.met.has_turned || relation.holding() != Holding::Broken {
            return Vec::new();
        }
        self.tools.clear();
        self.tasks.clear();
        // It was somebody else who asked.
        self.from_server.clear();
        let mut acts = vec![Act::Note(self.told_of(&relation))];
        if self.is_pinned() && !is_first {
            self.met.has_turned = true;
            self.listed = Listed::Never;
            self.fail_open(|_| true, TURNED, now, &mut acts);
            self.fail_held(TURNED, now, &mut acts);
            return acts;
        }
        // A list is of whoever answers, who is told of before.
        let is_of_the_other = |what: &What| !matches!(what, What::Tools { .. } | What::Greeting);
        let text = format!("the server is another one: {relation}; what became of the request is not known");
        self.fail_open(is_of_the_other, &shown(&text), now, &mut acts);
        self.list_anew(&mut acts);
        acts
    }

    /// Whether the pinned key is another one since the server was first met.
    pub(super) fn has_turned(&self) -> bool {
        self.met.has_turned
    }

    /// Whether a pinned key is another than the one under which tools were approved.
    pub(super) fn is_strange(&self) -> bool {
        let server = self.tools.server();
        self.is_pinned() && self.guard().is_strange(&server.name, &server.who)
    }

    /// Whether a request must not go to a server whose key nobody approved.
    pub(super) fn is_too_early(&self, method: Method) -> bool {
        !TO_BE_APPROVED.contains(&method) && self.is_strange()
    }

    fn is_pinned(&self) -> bool {
        matches!(&self.tools.server().who, ServerIdentity::Remote { hold: TlsHold::Pinned, .. })
    }

    fn told_of(&self, relation: &Relation) -> String {
        shown(&format!("the server {} is another one: {relation}", self.tools.server().name))
    }

    /// Requests of the host that the server has get no answer.
    pub(super) fn fail_open(
        &mut self,
        fails: impl Fn(&What) -> bool,
        text: &str,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let mut open: Vec<(Id, What)> = self.in_flight.extract_if(|_, what| fails(what)).collect();
        open.sort_by_key(|(id, _)| id.json());
        for (id, what) in open {
            if let What::Judged(verdict) = &what {
                self.note_outcome(verdict, Outcome::Uncertain, &[], now, acts);
            }
            let failure = rpc::failure(&id, ANOTHER, text, None);
            self.reply(&id, failure, acts);
        }
    }

    /// Requests of the host that wait are not passed on.
    pub(super) fn fail_held(&mut self, text: &str, now: Timestamp, acts: &mut Vec<Act>) {
        for held in std::mem::take(&mut self.held) {
            self.withdraw(&held, now);
            let failure = rpc::failure(&held.id, ANOTHER, text, None);
            self.reply(&held.id, failure, acts);
        }
    }
}
