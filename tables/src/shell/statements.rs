//! Questions out of lines: each ends with `;`, wherever that stands but in texts and comments. Each letter is looked at once.

use taut_console::outcome::Failure;
use taut_tables::sql::MAX_TEXT_BYTES;

/// Buffer of an incomplete statement.
#[derive(Debug, Default)]
pub struct Statements {
    /// Empty, or begins with a letter of the question.
    text: String,
    /// Where the end of the text is.
    within: Within,
}

/// Lexical context of a position.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    /// Quoted text or name, up to this quote.
    Quotes(char),
    /// `-- …`
    Line,
    /// `/* … */`
    Block,
}

impl Statements {
    /// True if no statement has begun.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Discards the incomplete statement.
    pub fn clear(&mut self) {
        *self = Statements::default();
    }

    /// The questions that end in this line.
    ///
    /// # Errors
    /// One is longer than any query may be. It is forgotten, with the rest of the line.
    pub fn push(&mut self, line: &str) -> Result<Vec<String>, Failure> {
        let (mut ended, mut start) = (Vec::new(), 0);
        let mut letters = line.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            self.within = match (self.within, letter, next) {
                (Within::Nothing, '\'' | '"', _) => Within::Quotes(letter),
                (Within::Nothing, '-', Some('-')) => Within::Line,
                (Within::Nothing, '/', Some('*')) => {
                    letters.next();
                    Within::Block
                }
                (Within::Nothing, ';', _) => {
                    self.add(&line[start..at])?;
                    start = at + 1;
                    let text = std::mem::take(&mut self.text);
                    ended.extend(Some(text.trim_end().to_owned()).filter(|text| !text.is_empty()));
                    Within::Nothing
                }
                // Two quotes in a row end a text and begin one, which comes to the same.
                (Within::Quotes(quote), letter, _) if letter == quote => Within::Nothing,
                (Within::Line, '\n', _) => Within::Nothing,
                (Within::Block, '*', Some('/')) => {
                    letters.next();
                    Within::Nothing
                }
                (within, _, _) => within,
            };
        }
        self.add(&line[start..])?;
        if !self.is_empty() {
            self.text.push('\n');
        }
        if self.within == Within::Line {
            self.within = Within::Nothing;
        }
        Ok(ended)
    }

    /// Adds some of a question; space before its first letter is none of it.
    fn add(&mut self, part: &str) -> Result<(), Failure> {
        let part = if self.is_empty() { part.trim_start() } else { part };
        if (self.text.len() + part.len()) as u64 > MAX_TEXT_BYTES {
            self.clear();
            return Err(too_long());
        }
        self.text += part;
        Ok(())
    }

    /// Returns the incomplete statement, if there is one.
    pub fn rest(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.text.trim_end().to_owned())
    }
}

/// A question that is longer than any may be.
pub fn too_long() -> Failure {
    let most = MAX_TEXT_BYTES >> 20;
    Failure::input(std::io::Error::other(format!("a query is longer than {most} MiB, or has no `;` at its end")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_semicolon_in_a_text_or_a_comment_ends_nothing() {
        let mut statements = Statements::default();
        assert_eq!(statements.push("SELECT ';' AS a, \"b;\" -- c;").unwrap(), Vec::<String>::new());
        assert_eq!(
            statements.push("/* d; 'e */ FROM f; SELECT 2;SELECT").unwrap(),
            ["SELECT ';' AS a, \"b;\" -- c;\n/* d; 'e */ FROM f", "SELECT 2"]
        );
        assert_eq!(statements.push("'it''s;'").unwrap(), Vec::<String>::new());
        assert_eq!(statements.rest().as_deref(), Some("SELECT\n'it''s;'"));
        statements.clear();
        assert!(statements.is_empty() && statements.rest().is_none());
    }

    #[test]
    fn a_question_of_many_lines_takes_linear_time_and_ends_at_the_limit() {
        let mut statements = Statements::default();
        let line = format!("-- {}", "x".repeat(60));
        let lines = MAX_TEXT_BYTES as usize / (line.len() + 1);
        let began = std::time::Instant::now();
        for _ in 0..lines {
            assert_eq!(statements.push(&line).unwrap(), Vec::<String>::new());
        }
        let refused = (0..2).find_map(|_| statements.push(&line).err()).unwrap();
        assert_eq!(refused.code(), 3);
        // Quadratic time would be hours.
        assert!(began.elapsed() < std::time::Duration::from_secs(60) && statements.is_empty());
        assert_eq!(statements.push("SELECT 1;").unwrap(), ["SELECT 1"]);
        assert!((0..100).all(|_| statements.push("  ").is_ok_and(|ended| ended.is_empty())) && statements.is_empty());
    }

    proptest! {
        #[test]
        fn lines_and_the_whole_text_give_the_same_questions(text in "[;'\"a\n*/ -]{0,40}") {
            let mut by_line = Statements::default();
            let split_by_line: Vec<String> = text.lines().flat_map(|line| by_line.push(line).unwrap()).collect();
            let mut whole = Statements::default();
            prop_assert_eq!(&whole.push(&text).unwrap(), &split_by_line);
            prop_assert_eq!(whole.rest(), by_line.rest());
        }
    }
}
