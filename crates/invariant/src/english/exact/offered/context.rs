//! What a piece is about, with what the pieces around it say where it does not.

use super::Reader;
use super::finds::Finds;
use super::pieces::{Piece, Stance};

/// Words that stand for what was named before.
const REFERRING: &[&str] = &[
    "it", "them", "that", "there", "this", "those", "one", "any", "they", "its", "these", "so", "other",
    "else",
];

/// Words for those who do something, or do not.
const DOERS: &[&str] = &["you", "me", "i", "mine", "yours", "myself", "us", "we", "ours", "your", "my"];

impl Reader<'_> {
    pub(super) fn filled(&self, number: usize, piece: &Piece<'_>, finds: &Finds) -> Finds {
        let refers = piece.has(REFERRING);
        let is_told = refers || piece.has(DOERS);
        let is_open = !finds.names_tools() && finds.values.is_empty() && finds.slots.is_empty();
        if finds.is_empty() && is_told || is_open && refers {
            return self.whole(number, finds);
        }
        let mut whole = finds.clone();
        if finds.is_empty() {
            return whole;
        }
        let is_known = finds.strange.is_empty() && finds.vague.is_empty();
        if finds.things.is_empty() && is_known && (finds.values.is_empty() || refers) {
            for other in self.others(number, &[Stance::Told, Stance::Allow]) {
                whole.things.extend(other.things.iter().cloned());
            }
        }
        if (refers || piece.stance == Stance::Only) && finds.values.is_empty() {
            let is_named =
                |piece: &Piece<'_>| piece.stance == Stance::Told || piece.stance == Stance::Deny && refers;
            let before = self.found.iter().take(number).filter(|(piece, _)| is_named(piece));
            before.for_each(|(_, other)| whole.values.extend(other.values.iter().cloned()));
        }
        // "Donors (tbl01): no deletions"
        if whole.values.is_empty() {
            let labels = self.found.iter().take(number).filter(|(piece, _)| piece.is_label);
            labels.for_each(|(_, other)| whole.values.extend(other.values.iter().cloned()));
        }
        if piece.is_spared && !finds.names_tools() {
            for other in self.others(number, &[Stance::Told, Stance::Allow, Stance::Always]) {
                whole.acts.extend(other.acts.iter().cloned());
                whole.verbs.extend(other.verbs.iter().cloned());
                whole.things.extend(other.things.iter().cloned());
            }
        }
        if is_rest(piece) && finds.acts.is_empty() && finds.verbs.is_empty() {
            for other in self.others(number, &[Stance::Told, Stance::Allow]) {
                whole.acts.extend(other.acts.iter().cloned());
                whole.things.extend(other.things.first().cloned());
            }
        }
        if piece.stance == Stance::Only && !finds.names_tools() {
            for other in self.others(number, &[Stance::Told]) {
                whole.acts.extend(other.acts.iter().cloned());
            }
        }
        whole
    }

    /// "…, not by you", "…, leave that to me": all is said elsewhere.
    fn whole(&self, number: usize, finds: &Finds) -> Finds {
        let mut whole = finds.clone();
        for other in self.others(number, &[Stance::Told]) {
            whole.add(other);
        }
        if whole.is_empty() {
            for other in self.others(number, &[Stance::Allow, Stance::Always]) {
                whole.add(other);
            }
        }
        // "read it, but write nothing there": what is allowed is not what is meant.
        if finds.is_broad {
            whole.acts.clone_from(&finds.acts);
            whole.verbs.clone_from(&finds.verbs);
            whole.uses = finds.uses;
        }
        whole
    }

    fn others(&self, number: usize, stances: &[Stance]) -> Vec<&Finds> {
        let is_other = |place: usize, piece: &Piece<'_>| place != number && stances.contains(&piece.stance);
        let pieces = self.found.iter().enumerate();
        pieces.filter(|(place, (piece, _))| is_other(*place, piece)).map(|(_, (_, finds))| finds).collect()
    }
}

/// "rights go to groups, never to a single user": a piece that only says where to.
fn is_rest(piece: &Piece<'_>) -> bool {
    matches!(piece.tokens, [first, second, _, ..]
        if matches!(first.low.as_str(), "never" | "not" | "nor")
            && matches!(second.low.as_str(), "to" | "in" | "on" | "for" | "at" | "with" | "from" | "by" | "into"))
}
