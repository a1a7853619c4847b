use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::super::state::tests::question;
use super::*;

fn drawn(state: &mut State, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let now = Timestamp::UNIX_EPOCH;
    terminal.draw(|frame| draw(frame, state, "/home/u/store.db", now)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |row: u16| (0..width).map(|column| buffer[(column, row)].symbol()).collect::<String>();
    (0..height).map(|number| row(number).trim_end().to_owned()).collect()
}

#[test]
fn nothing_to_do_is_said_with_the_place_of_the_store() {
    let rows = drawn(&mut State::default(), 80, 12);
    assert_eq!(rows[0], " portcullis watch · nothing is asked · /home/u/store.db");
    assert!(rows.iter().any(|row| row == "Nothing is asked at the moment."), "{rows:#?}");
}

#[test]
fn a_question_is_shown_with_its_answers() {
    let mut state = State::default();
    state.take(vec![question(1, 1), question(2, 1)], Timestamp::UNIX_EPOCH);
    let rows = drawn(&mut state, 80, 24);
    assert_eq!(rows[0], " portcullis watch · 2 questions · /home/u/store.db");
    assert_eq!(rows[1], "▸   1  notes.write_note  in /home/u/p, 60 s left");
    assert_eq!(rows[2], "    2  notes.write_note  in /home/u/p, 60 s left");
    assert!(rows.iter().any(|row| row == "  - write /home/u/p/a.md"), "{rows:#?}");
    assert!(rows.iter().any(|row| row == "  1  the answer once"), "{rows:#?}");
}

#[test]
fn every_row_of_a_long_question_can_be_brought_to_the_screen() {
    let mut state = State::default();
    state.take(vec![question(1, 40)], Timestamp::UNIX_EPOCH);
    let mut text = drawn(&mut state, 40, 14).join("\n");
    for _ in 0..40 {
        state.press(Key::Page(1), Timestamp::UNIX_EPOCH);
        text.push_str(&drawn(&mut state, 40, 14).join("\n"));
    }
    let missing: Vec<_> = state.rows.iter().filter(|row| !text.contains(row.text.trim_end())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
