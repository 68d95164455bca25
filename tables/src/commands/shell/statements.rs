//! Questions out of lines: each ends with `;`, wherever that stands but in texts and comments.

/// Lines that have come, of a question that has not ended.
#[derive(Debug, Default)]
pub struct Statements {
    text: String,
}

/// What a place in a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    /// A text or a name, up to this quote.
    Quotes(char),
    /// `-- …`
    Line,
    /// `/* … */`
    Block,
}

impl Statements {
    /// Whether no question has begun.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Forgets what has come of a question.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// The questions that end in this line.
    pub fn push(&mut self, line: &str) -> Vec<String> {
        self.text += line;
        self.text.push('\n');
        let (ended, rest) = split(&self.text);
        let rest = rest.to_owned();
        let ended = ended.into_iter().map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect();
        self.text = rest;
        ended
    }

    /// What has come of a question that has not ended.
    pub fn rest(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.text.trim().to_owned())
    }
}

/// The questions of a text, and what comes behind the last.
fn split(text: &str) -> (Vec<&str>, &str) {
    let (mut ended, mut start, mut within) = (Vec::new(), 0, Within::Nothing);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        within = match (within, letter, next) {
            (Within::Nothing, '\'' | '"', _) => Within::Quotes(letter),
            (Within::Nothing, '-', Some('-')) => Within::Line,
            (Within::Nothing, '/', Some('*')) => {
                letters.next();
                Within::Block
            }
            (Within::Nothing, ';', _) => {
                ended.push(&text[start..at]);
                start = at + 1;
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
    (ended, &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_semicolon_in_a_text_or_a_comment_ends_nothing() {
        let mut statements = Statements::default();
        assert_eq!(statements.push("SELECT ';' AS a, \"b;\" -- c;"), Vec::<String>::new());
        assert_eq!(
            statements.push("/* d; 'e */ FROM f; SELECT 2;SELECT"),
            ["SELECT ';' AS a, \"b;\" -- c;\n/* d; 'e */ FROM f", "SELECT 2"]
        );
        assert_eq!(statements.push("'it''s;'"), Vec::<String>::new());
        assert_eq!(statements.rest().as_deref(), Some("SELECT\n'it''s;'"));
        statements.clear();
        assert!(statements.is_empty() && statements.rest().is_none());
    }

    proptest! {
        #[test]
        fn lines_and_the_whole_text_give_the_same_questions(text in "[;'\"a\n*/ -]{0,40}") {
            let mut by_line = Statements::default();
            let told: Vec<String> = text.lines().flat_map(|line| by_line.push(line)).collect();
            let mut whole = Statements::default();
            prop_assert_eq!(&whole.push(&text), &told);
            prop_assert_eq!(whole.rest(), by_line.rest());
        }
    }
}
