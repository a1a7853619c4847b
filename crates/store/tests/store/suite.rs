//! What holds of every backend. A backend brings a [`Place`], says `store_suite!`, and gets a test for each law.

pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod commits;
pub(crate) mod laws;
pub(crate) mod parts;
pub(crate) mod policy;
pub(crate) mod questions;
pub(crate) mod sessions;
pub(crate) mod sources;

use jiff::{SignedDuration, Timestamp};
use portcullis_store::{
    Commit, Committed, Digest, Expected, Made, NewEntry, NewRule, RuleId, Session, SessionId, SessionKey,
    Store,
};

/// Somewhere a store is kept.
pub(crate) trait Place: Sync {
    /// The store, opened.
    type Opened: Store;

    /// An empty place.
    fn fresh() -> Self;

    /// Opens the store of this place, as one more process would.
    fn open(&self) -> Self::Opened;
}

/// A program need not know which backend it has.
const _: fn(&dyn Store) -> Result<portcullis_store::Head, portcullis_store::StoreError> =
    |store| store.head();

macro_rules! store_suite {
    ($place:ty) => {
        $crate::suite::store_suite! { $place,
            sessions: those_of_one_key_join_one_session, a_key_that_differs_anywhere_is_another_session,
                a_session_without_a_sign_ends, a_sign_keeps_a_session_open, an_ended_session_is_closed_for_good,
                idle_sessions_end_when_somebody_looks, a_clock_that_goes_back_ends_nothing,
                racing_processes_join_one_session;
            parts: parts_are_read_as_they_were_written, only_newer_parts_are_read, a_removed_part_is_told,
                a_workspace_outlives_its_sessions, an_ended_session_forgets_its_parts;
            policy: a_rule_counts_in_its_session_and_until_its_time, a_rule_is_used_as_often_as_it_says,
                a_rule_without_a_limit_is_only_checked, a_revoked_rule_is_kept_with_who_and_when,
                rules_of_an_ended_session_are_void, invariants_are_kept_after_their_removal,
                a_pin_takes_the_place_of_the_one_before, what_servers_list_is_kept_and_decides_nothing,
                a_server_that_lists_other_things_each_time_fills_no_disk, the_last_word_on_a_key_counts,
                every_change_of_policy_has_a_new_version;
            sources: the_last_word_on_an_issuer_counts, a_bundle_that_was_removed_is_remembered_by_its_number,
                a_try_that_fails_keeps_what_was_fetched, whatever_is_taken_and_removed_no_bundle_gets_older,
                only_the_bundle_that_was_read_again_is_renewed, what_is_left_of_what_was_fetched_gets_no_younger;
            questions: equal_questions_are_asked_once, one_answer_wins, a_question_expires,
                the_last_who_waits_withdraws, a_closed_question_shows_nothing_unless_it_is_to_be_kept,
                the_end_of_a_session_withdraws_its_questions, an_answered_question_can_be_asked_again,
                of_racing_answers_one_wins;
            approvals: an_approval_is_used_once, an_approval_is_for_what_it_was_given_for, an_approval_expires,
                an_approval_is_used_once_by_racing_processes;
            commits: a_commit_is_written_as_a_whole_or_not_at_all, of_two_commits_on_one_version_one_wins,
                of_racing_commits_on_one_version_one_wins, each_version_is_expected_by_itself,
                a_refused_commit_does_not_harm_those_beside_it, a_mark_tells_of_every_commit_and_of_nothing_else,
                a_commit_of_a_session_needs_one, many_writers_lose_nothing;
            audit: entries_are_listed_as_they_are_asked_for, a_log_is_whole_after_all_that_was_written,
                an_older_noted_head_is_still_there, a_head_that_never_was_is_found, progress_is_told;
            laws: the_store_agrees_with_a_plain_model, any_json_in_one_line_is_kept_letter_by_letter;
        }
    };
    ($place:ty, $($area:ident: $($law:ident),* $(,)?;)*) => {
        $(mod $area {
            $(#[test]
            fn $law() {
                $crate::suite::$area::$law::<$place>();
            })*
        })*
    };
}
pub(crate) use store_suite;

/// A time, so many seconds after the beginning of the test.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

pub(crate) const IDLE: SignedDuration = SignedDuration::from_secs(100);

pub(crate) fn key(host: &str) -> SessionKey {
    SessionKey { workspace: "/home/u/p".to_owned(), user: "u".to_owned(), host: host.to_owned() }
}

pub(crate) fn join(store: &impl Store, host: &str) -> Session {
    store.join(key(host), IDLE, at(0)).unwrap().0
}

pub(crate) fn digest(letter: u8) -> Digest {
    Digest::new([letter; 32])
}

pub(crate) fn entry(body: &str) -> NewEntry {
    NewEntry::new("verdict", body).unwrap()
}

pub(crate) fn rule(text: &str) -> NewRule {
    NewRule {
        text: text.to_owned(),
        session: None,
        expires: None,
        uses: None,
        grantor: "u".to_owned(),
        reason: "asked".to_owned(),
    }
}

pub(crate) fn only_made(committed: Committed) -> Made {
    let [made] = <[Made; 1]>::try_from(committed.made).unwrap();
    made
}

pub(crate) fn add_rule(store: &impl Store, rule: NewRule) -> RuleId {
    let commit = Commit::at(at(0)).change(portcullis_store::Change::AddRule(rule));
    match only_made(store.commit(commit).unwrap()) {
        Made::Rule(id) => id,
        other => panic!("{other:?}"),
    }
}

/// What a decision rests on as it is now.
pub(crate) fn expected(store: &impl Store, session: SessionId) -> Expected {
    store.versions(session).unwrap().unwrap().into()
}

/// Runs the same on several threads, each with a store of its own, all at once.
pub(crate) fn race<P: Place, T: Send>(
    place: &P,
    racers: usize,
    run: impl Fn(usize, &P::Opened) -> T + Sync,
) -> Vec<T> {
    let start = std::sync::Barrier::new(racers);
    let one = |number| {
        let store = place.open();
        start.wait();
        run(number, &store)
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..racers).map(|number| scope.spawn(move || one(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
