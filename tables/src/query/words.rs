//! The words of a SQL text and where they stand.

/// A word: an identifier, quoted or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// The words of a text. Strings in single quotes and comments hold none.
pub(super) fn words(sql: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut line, mut column) = (1, 1);
    let mut characters = sql.chars().peekable();
    // The word at hand, and the quote that it is in.
    let mut word: Option<(Word, Option<char>)> = None;
    let mut inside: Option<Inside> = None;
    while let Some(character) = characters.next() {
        let (at_line, at_column) = (line, column);
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        match inside {
            Some(Inside::Text) if character == '\'' => inside = None,
            Some(Inside::LineComment) if character == '\n' => inside = None,
            Some(Inside::Comment) if character == '*' && characters.peek() == Some(&'/') => inside = None,
            Some(_) => {}
            None => match &mut word {
                Some((_, Some(quote))) if *quote == character => words.extend(word.take().map(|(word, _)| word)),
                Some((word, Some(_))) => word.text.push(character),
                Some((word, None)) if is_of_word(character) => word.text.push(character),
                _ => {
                    words.extend(word.take().map(|(word, _)| word));
                    let new = Word { text: String::new(), line: at_line, column: at_column };
                    match character {
                        '\'' => inside = Some(Inside::Text),
                        '-' if characters.peek() == Some(&'-') => inside = Some(Inside::LineComment),
                        '/' if characters.peek() == Some(&'*') => inside = Some(Inside::Comment),
                        '"' | '`' => word = Some((new, Some(character))),
                        character if is_of_word(character) => {
                            word = Some((Word { text: character.to_string(), ..new }, None));
                        }
                        _ => {}
                    }
                }
            },
        }
    }
    words.extend(word.map(|(word, _)| word));
    words
}

#[derive(Clone, Copy)]
enum Inside {
    Text,
    LineComment,
    Comment,
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_place_and_strings_and_comments_none() {
        let found = words("SELECT a.b, \"c d\"\n  FROM t -- no\n WHERE x='y z' /* w */ AND k");
        let found: Vec<_> = found.iter().map(|word| (word.text.as_str(), word.line, word.column)).collect();
        assert_eq!(
            found,
            [
                ("SELECT", 1, 1),
                ("a", 1, 8),
                ("b", 1, 10),
                ("c d", 1, 13),
                ("FROM", 2, 3),
                ("t", 2, 8),
                ("WHERE", 3, 2),
                ("x", 3, 8),
                ("AND", 3, 24),
                ("k", 3, 28),
            ]
        );
    }
}
