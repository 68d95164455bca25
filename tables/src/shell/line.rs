//! Line editor: the effect of each key on a line.

use console::Key;

/// The edited line, with the history.
#[derive(Debug, Default)]
pub struct Line {
    letters: Vec<char>,
    /// Position of the cursor, in characters.
    at: usize,
    history: Vec<String>,
    /// Index of the displayed history entry; `None` for the new line.
    shown: Option<usize>,
    /// The new line, while a history entry is displayed.
    new: Vec<char>,
}

/// Effect of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// The line may have changed.
    Line,
    /// The line is complete.
    Whole(String),
    /// The word before the cursor is to be completed.
    Complete,
    /// The screen is to be cleared.
    Clear,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    End,
}

impl Line {
    /// Creates an empty line with a history.
    pub fn new(history: Vec<String>) -> Line {
        Line { history, ..Line::default() }
    }

    /// Text of the line.
    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// Position of the cursor, in characters.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Position of the cursor, in bytes.
    pub fn at_byte(&self) -> usize {
        self.letters[..self.at].iter().map(|letter| letter.len_utf8()).sum()
    }

    /// Replaces the text between a byte position and the cursor.
    pub fn put(&mut self, from_byte: usize, text: &str) {
        let before = self.text();
        let prefix: Vec<char> = before.get(..from_byte).unwrap_or_default().chars().collect();
        let from = prefix.len().min(self.at);
        self.letters.splice(from..self.at, text.chars());
        self.at = from + text.chars().count();
    }

    /// Adds a line to the history, unless it repeats the last one.
    pub fn remember(&mut self, line: &str) {
        if !line.trim().is_empty() && self.history.last().is_none_or(|last| last != line) {
            self.history.push(line.to_owned());
        }
    }

    /// Applies a key.
    pub fn key(&mut self, key: &Key) -> Typed {
        let (at, end) = (self.at, self.letters.len());
        match key {
            Key::Enter => {
                let line = self.text();
                self.set(Vec::new());
                self.shown = None;
                return Typed::Whole(line);
            }
            Key::Tab => return Typed::Complete,
            Key::CtrlC | Key::Char('\x03') => {
                self.set(Vec::new());
                self.shown = None;
                return Typed::Interrupt;
            }
            Key::Char('\x04') if self.letters.is_empty() => return Typed::End,
            Key::Char('\x0c') => return Typed::Clear,
            Key::Char('\x04') | Key::Del if at < end => drop(self.letters.remove(at)),
            Key::Backspace if at > 0 => {
                self.letters.remove(at - 1);
                self.at = at - 1;
            }
            Key::ArrowLeft | Key::Char('\x02') => self.at = at.saturating_sub(1),
            Key::ArrowRight | Key::Char('\x06') => self.at = (at + 1).min(end),
            Key::Home => self.at = 0,
            Key::End => self.at = end,
            Key::ArrowUp | Key::Char('\x10') => self.older(),
            Key::ArrowDown | Key::Char('\x0e') => self.newer(),
            Key::Char('\x15') => {
                self.letters.drain(..at);
                self.at = 0;
            }
            Key::Char('\x0b') => self.letters.truncate(at),
            Key::Char('\x17') => self.drop_word(),
            Key::Char(letter) if !letter.is_control() => {
                self.letters.insert(at, *letter);
                self.at = at + 1;
            }
            _ => {}
        }
        Typed::Line
    }

    /// Deletes the word before the cursor.
    fn drop_word(&mut self) {
        let before = &self.letters[..self.at];
        let spaces = before.iter().rev().take_while(|letter| letter.is_whitespace()).count();
        let word = before.iter().rev().skip(spaces).take_while(|letter| !letter.is_whitespace()).count();
        let from = self.at - spaces - word;
        self.letters.drain(from..self.at);
        self.at = from;
    }

    fn older(&mut self) {
        let place = match self.shown {
            None => self.history.len().checked_sub(1),
            Some(place) => Some(place.saturating_sub(1)),
        };
        let Some(place) = place else { return };
        if self.shown.is_none() {
            self.new = std::mem::take(&mut self.letters);
        }
        self.shown = Some(place);
        self.set(self.history[place].chars().collect());
    }

    fn newer(&mut self) {
        let Some(place) = self.shown else { return };
        self.shown = Some(place + 1).filter(|place| *place < self.history.len());
        let letters = match self.shown {
            Some(place) => self.history[place].chars().collect(),
            None => std::mem::take(&mut self.new),
        };
        self.set(letters);
    }

    fn set(&mut self, letters: Vec<char>) {
        self.at = letters.len();
        self.letters = letters;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(line: &mut Line, text: &str) {
        text.chars().for_each(|letter| assert_eq!(line.key(&Key::Char(letter)), Typed::Line));
    }

    #[test]
    fn keys_edit_the_line_at_the_cursor() {
        let mut line = Line::default();
        typed(&mut line, "SELECT größe FROM");
        line.key(&Key::Char('\x17'));
        assert_eq!(line.text(), "SELECT größe ");
        [Key::Home, Key::Del, Key::Char('s'), Key::ArrowRight, Key::Backspace]
            .iter()
            .for_each(|key| drop(line.key(key)));
        assert_eq!((line.text().as_str(), line.at()), ("sLECT größe ", 1));
        line.key(&Key::End);
        line.put(6, "größer");
        assert_eq!((line.text().as_str(), line.at_byte()), ("sLECT größer", "sLECT größer".len()));
        line.key(&Key::Char('\x15'));
        assert_eq!(line.key(&Key::Char('\x04')), Typed::End);
    }

    #[test]
    fn the_history_is_walked_and_the_new_line_comes_back() {
        let mut line = Line::new(vec!["one".to_owned()]);
        typed(&mut line, "two");
        let Typed::Whole(two) = line.key(&Key::Enter) else { panic!("a whole line") };
        line.remember(&two);
        line.remember(&two);
        typed(&mut line, "thr");
        let shown: Vec<String> =
            [Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowDown, Key::ArrowDown, Key::ArrowDown]
                .iter()
                .map(|key| {
                    line.key(key);
                    line.text()
                })
                .collect();
        assert_eq!(shown, ["two", "one", "one", "two", "thr", "thr"]);
        line.key(&Key::CtrlC);
        assert_eq!(line.text(), "");
    }

    proptest! {
        #[test]
        fn no_keys_put_the_cursor_outside_the_line(keys in prop::collection::vec(0..14u8, 0..60)) {
            let mut line = Line::new(vec!["eins".to_owned(), "zwei ü".to_owned()]);
            for key in keys {
                let key = match key {
                    0 => Key::ArrowLeft, 1 => Key::ArrowRight, 2 => Key::Home, 3 => Key::End, 4 => Key::Del,
                    5 => Key::Backspace, 6 => Key::ArrowUp, 7 => Key::ArrowDown, 8 => Key::Char('\x17'),
                    9 => Key::Char('\x0b'), 10 => Key::Char('ß'), 11 => Key::Char(' '), 12 => Key::Enter, _ => Key::Char('a'),
                };
                line.key(&key);
                prop_assert!(line.at() <= line.text().chars().count());
                prop_assert!(line.text().is_char_boundary(line.at_byte()));
            }
        }
    }
}
