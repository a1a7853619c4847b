//! Questions drawn on the terminal.

use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::AnswerError;
use portcullis_lattice::words::shown;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::Paragraph;

use super::open::open_questions;
use super::state::{Act, Key, State};
use super::{GLANCE, Watch, told};
use crate::failure::Failure;
use crate::gate::GateError;

/// Smaller terminals are not drawn on.
const SMALLEST: (u16, u16) = (40, 12);
const SECOND: SignedDuration = SignedDuration::from_secs(1);
/// So many questions are listed at once.
const MOST_LISTED: u16 = 5;

/// Whether the terminal can be drawn on.
pub(super) fn can_draw() -> bool {
    let named = std::env::var("TERM").is_ok_and(|terminal| !terminal.is_empty() && terminal != "dumb");
    let size = ratatui::crossterm::terminal::size();
    named && size.is_ok_and(|(width, height)| width >= SMALLEST.0 && height >= SMALLEST.1)
}

pub(super) fn run(watch: &Watch<'_>) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let ended = watch_on(watch, &mut terminal);
    // What goes wrong here must not hide what went wrong before.
    let restored = ratatui::try_restore();
    ended?;
    Ok(restored?)
}

fn watch_on(watch: &Watch<'_>, terminal: &mut ratatui::DefaultTerminal) -> Result<(), Failure> {
    let mut state = State::default();
    let mut seen = None;
    let mut drawn = None;
    loop {
        let (mark, now) = (watch.store.mark()?, Timestamp::now());
        if seen != Some(mark) || state.questions.iter().any(|open| open.expires <= now) {
            state.take(open_questions(watch.store, now)?, now);
            (seen, drawn) = (Some(mark), None);
        }
        // The time that is left goes by.
        if drawn.is_none_or(|drawn| now.duration_since(drawn) >= SECOND) {
            terminal.draw(|frame| draw(frame, &mut state, &watch.place, now))?;
            drawn = Some(now);
        }
        if !event::poll(GLANCE)? {
            continue;
        }
        drawn = None;
        let Event::Key(pressed) = event::read()? else { continue };
        let Some(key) = key(pressed) else { continue };
        match state.press(key, Timestamp::now()) {
            Act::Nothing => {}
            Act::Leave => return Ok(()),
            Act::Answer(question, choice) => {
                match watch.answer(question, &choice) {
                    Ok(chosen) => state.notice = told(question, &chosen),
                    Err(Failure::Gate(error))
                        if matches!(*error, GateError::Answer(AnswerError::Closed(_))) =>
                    {
                        state.notice = error.to_string();
                    }
                    Err(failure) => return Err(failure),
                }
                if watch.once {
                    return Ok(());
                }
            }
        }
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "a terminal has more keys than mean something here")]
fn key(pressed: KeyEvent) -> Option<Key> {
    if pressed.kind == KeyEventKind::Release {
        return None;
    }
    let control = pressed.modifiers.contains(KeyModifiers::CONTROL);
    Some(match pressed.code {
        KeyCode::Char('c' | 'd') if control => Key::Leave,
        _ if control => return None,
        KeyCode::Char('q') => Key::Leave,
        KeyCode::Char(' ') | KeyCode::PageDown => Key::Page(1),
        KeyCode::Char('b') | KeyCode::PageUp => Key::Page(-1),
        KeyCode::Char('k') | KeyCode::Up => Key::Up,
        KeyCode::Char('j') | KeyCode::Down => Key::Down,
        KeyCode::Char('n') | KeyCode::Tab | KeyCode::Right => Key::Next,
        KeyCode::Char('p') | KeyCode::BackTab | KeyCode::Left => Key::Previous,
        KeyCode::Char(letter) => Key::Digit(usize::try_from(letter.to_digit(10)?).ok()?),
        KeyCode::Home => Key::Scroll(isize::MIN),
        KeyCode::End => Key::Scroll(isize::MAX),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        _ => return None,
    })
}

fn draw(frame: &mut Frame<'_>, state: &mut State, place: &str, now: Timestamp) {
    let most = MOST_LISTED.min(frame.area().height / 4);
    let listed = u16::try_from(state.questions.len()).unwrap_or(most).min(most);
    let rows = [
        Constraint::Length(1),
        Constraint::Length(listed),
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(1),
        Constraint::Length(1),
    ];
    let [title, list, line, text, notice, help] = Layout::vertical(rows).areas(frame.area());
    state.resize(usize::from(text.width), usize::from(text.height));
    draw_title(frame, title, state, place);
    draw_list(frame, list, state, now);
    frame.render_widget(Paragraph::new("─".repeat(usize::from(line.width))), line);
    draw_text(frame, text, state);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Paragraph::new(Line::styled(shown(&state.notice), bold)), notice);
    frame.render_widget(
        Paragraph::new(Line::styled(keys(state), Style::new().add_modifier(Modifier::DIM))),
        help,
    );
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, state: &State, place: &str) {
    let count = match state.questions.len() {
        0 => "nothing is asked".to_owned(),
        1 => "one question".to_owned(),
        several => format!("{several} questions"),
    };
    let title = format!(" portcullis watch · {count} · {}", shown(place));
    let style = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(title).style(style), area);
}

fn draw_list(frame: &mut Frame<'_>, area: Rect, state: &State, now: Timestamp) {
    let position = state.questions.iter().position(|open| Some(open.id) == state.shown).unwrap_or(0);
    let first = (position + 1).saturating_sub(usize::from(area.height));
    let lines = state.questions.iter().skip(first).take(usize::from(area.height)).map(|open| {
        let is_shown = Some(open.id) == state.shown;
        let style = if is_shown { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        Line::styled(format!("{}{}", if is_shown { "▸" } else { " " }, open.headline(now)), style)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Text<'_>>()), area);
}

fn draw_text(frame: &mut Frame<'_>, area: Rect, state: &State) {
    if state.questions.is_empty() {
        let nothing = "\nNothing is asked at the moment.\n\nQuestions come up here by themselves when an agent wants to do \
                       something that no rule covers.";
        let wrapped = Paragraph::new(nothing).wrap(ratatui::widgets::Wrap { trim: false });
        frame.render_widget(wrapped, area);
        return;
    }
    let rows = state.rows.iter().skip(state.top).take(usize::from(area.height)).map(|row| {
        let is_chosen = row.choice.is_some() && row.choice == state.choice;
        let style = if is_chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        Line::styled(row.text.clone(), style)
    });
    frame.render_widget(Paragraph::new(rows.collect::<Text<'_>>()), area);
}

fn keys(state: &State) -> &'static str {
    match () {
        () if state.questions.is_empty() => " q leave",
        () if state.goes_on() => " ▼ there is more: PageDown · numbers choose · Enter gives · q leave",
        () => {
            " numbers or ↑↓ choose · Enter gives the answer · PageUp reads again · Tab next question · q leave"
        }
    }
}

#[cfg(test)]
mod tests;
