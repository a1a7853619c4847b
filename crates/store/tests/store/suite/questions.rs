//! Questions.

use portcullis_store::{
    Answer, Arrival, Change, Commit, CommitError, Keep, NewQuestion, QuestionFilter, QuestionId,
    QuestionStatus, SessionId, Store,
};

use crate::suite::{Place, at, digest, join, race};

fn question(session: SessionId, key: u8) -> NewQuestion {
    NewQuestion {
        session,
        key: digest(key),
        body: "{\"may\":\"it?\"}".to_owned(),
        expires: at(60),
        keep: Keep::UntilClosed,
    }
}

fn status(store: &impl Store, id: QuestionId, now: i64) -> QuestionStatus {
    store.question(id, at(now)).unwrap().unwrap().status
}

fn open(store: &impl Store, now: i64) -> Vec<QuestionId> {
    store.questions(QuestionFilter::Open, at(now)).unwrap().iter().map(|question| question.id).collect()
}

fn withdraw(store: &impl Store, id: QuestionId) -> Result<(), CommitError> {
    store.commit(Commit::at(at(2)).change(Change::Withdraw(id))).map(drop)
}

pub(crate) fn equal_questions_are_asked_once<P: Place>() {
    let place = P::fresh();
    let (store, other) = (place.open(), place.open());
    let (session, stranger) = (join(&store, "editor").id, join(&store, "terminal").id);
    let (id, arrival) = store.ask(question(session, 1), at(0)).unwrap();
    assert_eq!(arrival, Arrival::First);
    let longer = NewQuestion { expires: at(90), ..question(session, 1) };
    assert_eq!(other.ask(longer, at(1)).unwrap(), (id, Arrival::Joined));
    let shorter = NewQuestion { expires: at(10), ..question(session, 1) };
    assert_eq!(other.ask(shorter, at(1)).unwrap(), (id, Arrival::Joined));
    assert_eq!(other.ask(question(session, 2), at(1)).unwrap().1, Arrival::First);
    assert_eq!(other.ask(question(stranger, 1), at(1)).unwrap().1, Arrival::First);
    let asked = store.question(id, at(1)).unwrap().unwrap();
    assert_eq!((asked.waiting, asked.expires, asked.created), (3, at(90), at(0)));
    assert_eq!(asked.body.as_deref(), Some("{\"may\":\"it?\"}"));
    assert_eq!(open(&store, 1).len(), 3);
}

pub(crate) fn one_answer_wins<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let (id, _) = store.ask(question(session, 1), at(0)).unwrap();
    store.answer(id, "\"yes\"", "console", at(1)).unwrap();
    assert_eq!(store.answer(id, "\"no\"", "terminal", at(2)), Err(CommitError::QuestionClosed(id)));
    let won = Answer { body: "\"yes\"".to_owned(), channel: "console".to_owned(), at: at(1) };
    assert_eq!(status(&store, id, 2), QuestionStatus::Answered(won.clone()));
    // An answer in time stays one.
    assert_eq!(status(&store, id, 1_000), QuestionStatus::Answered(won));
    assert_eq!(withdraw(&store, id), Err(CommitError::QuestionClosed(id)));
    assert_eq!(open(&store, 2), []);
    assert_eq!(store.questions(QuestionFilter::All, at(2)).unwrap().len(), 1);
    let unknown = QuestionId::new(77);
    assert_eq!(store.answer(unknown, "1", "console", at(1)), Err(CommitError::QuestionClosed(unknown)));
    assert_eq!(store.question(unknown, at(1)).unwrap(), None);
}

pub(crate) fn a_question_expires<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let (id, _) = store.ask(question(session, 1), at(0)).unwrap();
    assert_eq!(status(&store, id, 59), QuestionStatus::Open);
    assert_eq!(status(&store, id, 60), QuestionStatus::Expired);
    assert_eq!(open(&store, 60), []);
    assert_eq!(store.answer(id, "\"yes\"", "console", at(60)), Err(CommitError::QuestionClosed(id)));
    let late = NewQuestion { expires: at(120), ..question(session, 1) };
    let (next, arrival) = store.ask(late, at(60)).unwrap();
    assert_eq!(arrival, Arrival::First);
    assert_ne!(next, id);
    assert_eq!(store.question(id, at(61)).unwrap().unwrap().body, None);
}

pub(crate) fn the_last_who_waits_withdraws<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let (id, _) = store.ask(question(session, 1), at(0)).unwrap();
    store.ask(question(session, 1), at(0)).unwrap();
    withdraw(&store, id).unwrap();
    let asked = store.question(id, at(2)).unwrap().unwrap();
    assert_eq!((asked.status, asked.waiting, asked.body.is_some()), (QuestionStatus::Open, 1, true));
    withdraw(&store, id).unwrap();
    let asked = store.question(id, at(2)).unwrap().unwrap();
    assert_eq!((asked.status, asked.waiting, asked.body), (QuestionStatus::Withdrawn, 0, None));
    assert_eq!(store.answer(id, "\"yes\"", "console", at(3)), Err(CommitError::QuestionClosed(id)));
}

pub(crate) fn a_closed_question_shows_nothing_unless_it_is_to_be_kept<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let (wiped, _) = store.ask(question(session, 1), at(0)).unwrap();
    let kept = NewQuestion { keep: Keep::Always, ..question(session, 2) };
    let (kept, _) = store.ask(kept, at(0)).unwrap();
    for id in [wiped, kept] {
        store.answer(id, "\"yes\"", "console", at(1)).unwrap();
    }
    assert_eq!(store.question(wiped, at(1)).unwrap().unwrap().body, None);
    assert!(store.question(kept, at(1)).unwrap().unwrap().body.is_some());
    let (overdue, _) = store.ask(question(session, 3), at(0)).unwrap();
    store.commit(Commit::at(at(60)).change(Change::Expire { idle: None })).unwrap();
    assert_eq!(store.question(overdue, at(0)).unwrap().unwrap().body, None);
}

pub(crate) fn the_end_of_a_session_withdraws_its_questions<P: Place>() {
    let store = P::fresh().open();
    let (session, other) = (join(&store, "editor").id, join(&store, "terminal").id);
    let (id, _) = store.ask(question(session, 1), at(0)).unwrap();
    let (stays, _) = store.ask(question(other, 1), at(0)).unwrap();
    store.commit(Commit::at(at(1)).in_session(session).change(Change::End)).unwrap();
    assert_eq!(status(&store, id, 2), QuestionStatus::Withdrawn);
    assert_eq!(open(&store, 2), [stays]);
    assert_eq!(store.ask(question(session, 2), at(2)), Err(CommitError::SessionClosed));
}

pub(crate) fn an_answered_question_can_be_asked_again<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let (id, _) = store.ask(question(session, 1), at(0)).unwrap();
    store.answer(id, "\"yes\"", "console", at(1)).unwrap();
    let (again, arrival) = store.ask(question(session, 1), at(2)).unwrap();
    assert_eq!((arrival, status(&store, again, 2)), (Arrival::First, QuestionStatus::Open));
}

pub(crate) fn of_racing_answers_one_wins<P: Place>() {
    let place = P::fresh();
    let store = place.open();
    let session = join(&store, "editor").id;
    for key in 0..5 {
        let asked = race(&place, 4, |_, store| store.ask(question(session, key), at(0)).unwrap());
        let id = asked[0].0;
        assert!(asked.iter().all(|(other, _)| *other == id));
        assert_eq!(store.question(id, at(0)).unwrap().unwrap().waiting, 4);
        let answers =
            race(&place, 4, |number, store| store.answer(id, &number.to_string(), "console", at(1)));
        let winners: Vec<_> = (0..4).filter(|number: &usize| answers[*number].is_ok()).collect();
        let [winner] = <[usize; 1]>::try_from(winners).unwrap();
        let QuestionStatus::Answered(answer) = status(&store, id, 1) else { panic!("it was answered") };
        assert_eq!(answer.body, winner.to_string());
    }
}
