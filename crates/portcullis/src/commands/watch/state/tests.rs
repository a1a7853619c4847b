use portcullis_gateway::{Asked, AskedChoice};
use portcullis_store::SessionId;

use super::*;

const START: Timestamp = Timestamp::UNIX_EPOCH;

fn at(milliseconds: i64) -> Timestamp {
    START + SignedDuration::from_millis(milliseconds)
}

fn choice(id: &str, allows: bool) -> AskedChoice {
    AskedChoice {
        id: id.into(),
        words: format!("the answer {id}"),
        through_host: true,
        rules: Vec::new(),
        for_session: false,
        approves: allows,
        allows,
        tools: Vec::new(),
        blocks: false,
    }
}

/// A question whose arguments take so many rows of 40 columns.
pub(in crate::commands::watch) fn question(number: u64, argument_rows: usize) -> Open {
    let asked = Asked {
        server: "notes".into(),
        tool: "write_note".into(),
        deeds: vec!["write /home/u/p/a.md".into()],
        because: vec!["nothing of the kind was allowed so far".into()],
        origins: Vec::new(),
        arguments: "x".repeat(argument_rows * 30),
        choices: vec![choice("once", true), choice("refuse", false)],
        binding: String::new(),
        call: String::new(),
        definition: None,
    };
    Open {
        id: QuestionId::new(number),
        session: SessionId::new([0; 8]),
        workspace: "/home/u/p".into(),
        created: START,
        expires: at(60_000),
        asked: Some(asked),
    }
}

fn state(questions: Vec<Open>, height: usize) -> State {
    let mut state = State::default();
    state.resize(40, height);
    state.take(questions, START);
    state
}

fn answer(number: u64, choice: &str) -> Act {
    Act::Answer(QuestionId::new(number), choice.into())
}

#[test]
fn no_answer_is_chosen_to_begin_with() {
    let mut state = state(vec![question(1, 1)], 30);
    assert_eq!(state.press(Key::Enter, at(5_000)), Act::Nothing);
    assert!(state.notice.contains("choose an answer"), "{}", state.notice);
    state.press(Key::Digit(1), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), answer(1, "once"));
}

#[test]
fn what_is_asked_has_to_be_read_before_it_is_allowed_but_not_before_it_is_refused() {
    let mut state = state(vec![question(1, 50)], 10);
    state.press(Key::Digit(1), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), Act::Nothing);
    assert!(state.notice.contains("read all of it"), "{}", state.notice);
    // Jumping over it is not reading it.
    state.press(Key::Scroll(isize::MAX), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), Act::Nothing);
    state.press(Key::Digit(2), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), answer(1, "refuse"));

    state.press(Key::Scroll(isize::MIN), at(5_000));
    for _ in 0..20 {
        state.press(Key::Page(1), at(5_000));
    }
    state.press(Key::Digit(1), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), answer(1, "once"));
}

#[test]
fn another_size_of_the_terminal_is_another_text_to_read() {
    let mut state = state(vec![question(1, 50)], 200);
    state.resize(40, 10);
    state.press(Key::Digit(1), at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), Act::Nothing);
}

#[test]
fn a_key_for_one_question_is_no_answer_to_the_next() {
    let mut state = state(vec![question(1, 1), question(2, 1)], 30);
    state.press(Key::Digit(1), at(5_000));
    // Somebody else answers the first, just before Enter.
    state.take(vec![question(2, 1)], at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_100)), Act::Nothing);
    assert!(state.notice.contains("choose an answer"), "{}", state.notice);
    // A hand that types on is too fast for it too.
    state.press(Key::Digit(1), at(5_200));
    assert_eq!(state.press(Key::Enter, at(5_300)), Act::Nothing);
    assert!(state.notice.contains("just come up"), "{}", state.notice);
    assert_eq!(state.press(Key::Enter, at(6_000)), answer(2, "once"));
}

#[test]
fn a_new_question_does_not_take_the_place_of_the_one_that_is_read() {
    let mut state = state(vec![question(7, 1)], 30);
    state.press(Key::Digit(2), at(5_000));
    state.take(vec![question(3, 1), question(7, 1)], at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), answer(7, "refuse"));
}

#[test]
fn going_to_another_question_chooses_nothing_there() {
    let mut state = state(vec![question(1, 1), question(2, 1)], 30);
    state.press(Key::Digit(1), at(5_000));
    state.press(Key::Next, at(5_000));
    assert_eq!(state.press(Key::Enter, at(5_000)), Act::Nothing);
    state.press(Key::Previous, at(5_000));
    assert_eq!((state.shown, state.choice), (Some(QuestionId::new(1)), None));
}

#[test]
fn numbers_of_two_digits_are_typed_digit_by_digit() {
    let mut many = question(1, 1);
    let asked = many.asked.as_mut().unwrap();
    asked.choices = (1..=12).map(|number| choice(&number.to_string(), false)).collect();
    let mut state = state(vec![many], 60);
    for (digits, expected) in [(&[1, 2][..], "12"), (&[1, 3], "3"), (&[9], "9"), (&[0, 4], "4")] {
        state.press(Key::Escape, at(5_000));
        digits.iter().for_each(|digit| drop(state.press(Key::Digit(*digit), at(5_000))));
        assert_eq!(state.press(Key::Enter, at(5_000)), answer(1, expected), "{digits:?}");
    }
}

#[test]
fn a_question_that_cannot_be_read_has_no_answers() {
    let mut state = state(vec![Open { asked: None, ..question(1, 1) }], 30);
    for key in [Key::Down, Key::Up, Key::Digit(1), Key::Enter] {
        assert_eq!(state.press(key, at(5_000)), Act::Nothing);
    }
    assert!(state.rows.iter().any(|row| row.text.contains("cannot be read")));
}
