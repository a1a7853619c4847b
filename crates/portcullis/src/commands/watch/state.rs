//! What is on the screen, and what keys do to it. Nothing here draws or writes.
//!
//! No answer is ever given by accident: none is chosen to begin with, choosing and giving are two keys, a question that
//! comes up by itself takes no answer for a moment, and what allows something can be given only once everything that is
//! asked has been on the screen, and all of the answer.

use jiff::{SignedDuration, Timestamp};
use portcullis_store::QuestionId;

use super::open::{Open, choice_lines};
use super::wrap::wrap;

/// How long a question that came up by itself takes no answer: a key may have been meant for the one before.
const SETTLES: SignedDuration = SignedDuration::from_millis(700);

/// What a person does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    /// Chooses the answer before.
    Up,
    /// Chooses the answer behind.
    Down,
    /// Types a digit of an answer's number.
    Digit(usize),
    /// Gives the chosen answer.
    Enter,
    /// Chooses none.
    Escape,
    /// Reads on, by so many rows.
    Scroll(isize),
    /// Reads on, by so many screens, but for a row: nothing is passed over.
    Page(isize),
    /// Goes on to the next question.
    Next,
    /// Goes back to the one before.
    Previous,
    /// Leaves.
    Leave,
}

/// What follows from a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Nothing,
    Leave,
    Answer(QuestionId, String),
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) questions: Vec<Open>,
    /// Which question is shown.
    pub(super) shown: Option<QuestionId>,
    /// Which answer is chosen, from 0.
    pub(super) choice: Option<usize>,
    /// What was last said to the person.
    pub(super) notice: String,
    /// The first row that is shown.
    pub(super) top: usize,
    /// The rows of the question, and the answers behind them.
    pub(super) rows: Vec<Row>,
    /// How many rows were on the screen so far, without a gap from the first.
    seen: usize,
    /// How many rows fit.
    height: usize,
    width: usize,
    /// When the question came up by itself.
    came_up: Option<Timestamp>,
    /// Digits typed so far.
    typed: usize,
}

/// A row of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) text: String,
    /// The answer that it belongs to.
    pub(super) choice: Option<usize>,
}

impl State {
    /// Takes what is open now. The question on the screen stays there as long as it is open.
    pub(super) fn take(&mut self, questions: Vec<Open>, now: Timestamp) {
        self.questions = questions;
        let is_open = |id: QuestionId| self.questions.iter().any(|open| open.id == id);
        match self.shown {
            Some(id) if is_open(id) => {}
            before => {
                if let Some(id) = before.filter(|_| self.notice.is_empty()) {
                    self.notice = format!("question {id} was answered elsewhere, or its time is over");
                }
                self.show(self.questions.first().map(|open| open.id));
                self.came_up = Some(now);
            }
        }
    }

    /// The question on the screen.
    pub(super) fn question(&self) -> Option<&Open> {
        self.questions.iter().find(|open| Some(open.id) == self.shown)
    }

    fn show(&mut self, id: Option<QuestionId>) {
        (self.shown, self.choice, self.top, self.seen, self.typed) = (id, None, 0, 0, 0);
        self.came_up = None;
        self.lay_out();
    }

    /// Says how much fits.
    pub(super) fn resize(&mut self, width: usize, height: usize) {
        if (self.width, self.height) != (width, height) {
            (self.width, self.height) = (width, height);
            // Rows are other rows now.
            (self.top, self.seen) = (0, 0);
            self.lay_out();
        }
    }

    fn lay_out(&mut self) {
        let mut rows = Vec::new();
        if let Some(question) = self.question() {
            let plain = |text| Row { text, choice: None };
            rows.extend(question.lines().iter().flat_map(|line| wrap(line, self.width)).map(plain));
            rows.push(plain(String::new()));
            for (number, choice) in question.choices().iter().enumerate() {
                let lines = choice_lines(number + 1, choice);
                let of_choice = |text| Row { text, choice: Some(number) };
                rows.extend(lines.iter().flat_map(|line| wrap(line, self.width)).map(of_choice));
            }
        }
        self.rows = rows;
        self.look();
    }

    /// Takes note of what is on the screen. What was jumped over does not count as seen.
    fn look(&mut self) {
        self.top = self.top.min(self.rows.len().saturating_sub(self.height));
        if self.top <= self.seen {
            self.seen = self.seen.max(self.top + self.height);
        }
    }

    /// Whether everything that is asked has been on the screen, and the end of the chosen answer is.
    fn is_read(&self) -> bool {
        let question = self.rows.iter().take_while(|row| row.choice.is_none()).count();
        let end = self.rows.iter().rposition(|row| row.choice.is_some() && row.choice == self.choice);
        self.seen >= question && end.is_none_or(|end| end < self.top + self.height)
    }

    /// Whether there is more below.
    pub(super) fn goes_on(&self) -> bool {
        self.top + self.height < self.rows.len()
    }

    /// What a key does.
    pub(super) fn press(&mut self, key: Key, now: Timestamp) -> Act {
        if !matches!(key, Key::Digit(_)) {
            self.typed = 0;
        }
        match key {
            Key::Leave => return Act::Leave,
            Key::Enter => return self.give(now),
            Key::Up => self.choose_beside(-1),
            Key::Down => self.choose_beside(1),
            Key::Digit(digit) => self.choose_by(digit),
            Key::Escape => self.choice = None,
            Key::Scroll(by) => self.top = self.top.saturating_add_signed(by),
            Key::Page(by) => {
                let page = isize::try_from(self.height.saturating_sub(1)).unwrap_or(1).max(1);
                self.top = self.top.saturating_add_signed(page.saturating_mul(by));
            }
            Key::Next => self.show_beside(1),
            Key::Previous => self.show_beside(-1),
        }
        self.look();
        Act::Nothing
    }

    fn give(&mut self, now: Timestamp) -> Act {
        let Some(question) = self.question() else { return Act::Nothing };
        let Some(choice) = self.choice.and_then(|choice| question.choices().get(choice)) else {
            self.notice = "choose an answer first, by its number or with the arrow keys".to_owned();
            return Act::Nothing;
        };
        if self.came_up.is_some_and(|came_up| now.duration_since(came_up) < SETTLES) {
            self.notice = "this question has just come up; look at it first".to_owned();
            return Act::Nothing;
        }
        if choice.allows && !self.is_read() {
            self.notice = "read all of it first: PageDown".to_owned();
            return Act::Nothing;
        }
        Act::Answer(question.id, choice.id.clone())
    }

    fn choose_beside(&mut self, by: isize) {
        let Some(last) = self.question().and_then(|open| open.choices().len().checked_sub(1)) else { return };
        let choice = match self.choice {
            None if by > 0 => 0,
            None => last,
            Some(choice) => choice.saturating_add_signed(by).min(last),
        };
        self.choose(choice);
    }

    /// A number of several digits is typed digit by digit.
    fn choose_by(&mut self, digit: usize) {
        let count = self.question().map_or(0, |open| open.choices().len());
        let longer = self.typed * 10 + digit;
        self.typed = if (1..=count).contains(&longer) { longer } else { digit };
        if (1..=count).contains(&self.typed) {
            self.choose(self.typed - 1);
        }
    }

    /// Chooses an answer, and brings all of it to the screen if it fits.
    fn choose(&mut self, choice: usize) {
        self.choice = Some(choice);
        self.notice.clear();
        let of_choice = |row: &Row| row.choice == Some(choice);
        let first = self.rows.iter().position(of_choice).unwrap_or(0);
        let last = self.rows.iter().rposition(of_choice).unwrap_or(first);
        if last >= self.top + self.height {
            self.top = (last + 1).saturating_sub(self.height);
        }
        self.top = self.top.min(first);
    }

    fn show_beside(&mut self, by: isize) {
        let position = self.questions.iter().position(|open| Some(open.id) == self.shown).unwrap_or(0);
        let beside = position.checked_add_signed(by).and_then(|beside| self.questions.get(beside));
        if let Some(id) = beside.map(|open| open.id) {
            self.notice.clear();
            self.show(Some(id));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
