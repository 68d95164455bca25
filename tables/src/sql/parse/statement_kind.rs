//! Check that a text holds one statement of a kind that is answered, before it is parsed.
//!
//! The parser also knows procedures, and needs exponential time for nested brackets after IF.

use crate::sql::error::{Unsupported, unsupported};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// First words of the statements that are answered, and of statements with an error message of their own.
const ANSWERED: [Keyword; 9] = [
    Keyword::SELECT,
    Keyword::WITH,
    Keyword::FROM,
    Keyword::VALUES,
    Keyword::TABLE,
    Keyword::SHOW,
    Keyword::DESCRIBE,
    Keyword::DESC,
    Keyword::EXPLAIN,
];
/// First words after which another statement may follow.
const PREFIXES: [Keyword; 5] = [Keyword::DESCRIBE, Keyword::DESC, Keyword::EXPLAIN, Keyword::ANALYZE, Keyword::VERBOSE];
/// First words of statements that contain statements. As names of tables they need quotes after DESCRIBE.
const PROCEDURES: [Keyword; 6] =
    [Keyword::IF, Keyword::CASE, Keyword::WHILE, Keyword::BEGIN, Keyword::CREATE, Keyword::ALTER];

/// Statements that are answered, for messages.
pub(in crate::sql) const STATEMENTS: &str = "SELECT …, FROM …, DESCRIBE table, SUMMARIZE table, SHOW TABLES";

/// Replaces `SUMMARIZE` at the beginning, which the parser does not know, by `DESCRIBE`; true if it is there.
pub(super) fn described(tokens: &mut [TokenWithSpan]) -> bool {
    let first = tokens.iter_mut().find(|token| !matches!(token.token, Token::Whitespace(_) | Token::SemiColon));
    let Some(TokenWithSpan { token, .. }) = first else { return false };
    let is_summary = matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("summarize"));
    if is_summary {
        *token = Token::make_keyword("DESCRIBE");
    }
    is_summary
}

/// Rejects further statements, and statements of other kinds.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Unsupported> {
    let is_end = |token: &&TokenWithSpan| token.token == Token::SemiColon;
    let mut words = tokens
        .iter()
        .filter(|token| !matches!(token.token, Token::Whitespace(_) | Token::EOF))
        .skip_while(is_end)
        .skip_while(|token| token.token == Token::LParen)
        .peekable();
    let mut later = words.clone().skip_while(|token| !is_end(token));
    if let Some(second) = later.find(|token| !is_end(token)) {
        return unsupported(second.span, "`;` ends the query: expected one statement");
    }
    let Some(first) = words.peek().copied() else { return Ok(()) };
    let inner = words.find(|token| !is(token, &PREFIXES)).filter(|token| is(token, &PROCEDURES));
    match if is(first, &ANSWERED) { inner } else { Some(first) } {
        Some(token) => unsupported(token.span, format!("`{}` is not a statement: expected {STATEMENTS}", token.token)),
        None => Ok(()),
    }
}

/// True if the token is one of these keywords, without quotes.
fn is(token: &TokenWithSpan, known: &[Keyword]) -> bool {
    matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && known.contains(&word.keyword))
}

#[cfg(test)]
mod tests {
    use super::super::text_limits::tokens;
    use super::check;

    fn refused_at(sql: &str) -> Option<usize> {
        check(&tokens(sql)).err()?.position().map(|(_, column)| column)
    }

    #[test]
    fn statements_of_other_kinds_are_refused_before_they_are_parsed() {
        // Found by fuzzing: the parser needs time that doubles with each bracket.
        let nested = "(If(IFIf(((IfJ5f.g.J5.(fIgIfJ.gIf$H.J5.(fIgfH.JIf$H.J5.(fIgIfg".repeat(4);
        for before in ["If", "DESCRIBE IF ", "EXPLAIN ANALYZE IF ", "CREATE PROCEDURE p AS BEGIN IF ", ";; while "] {
            assert!(refused_at(&format!("{before}{nested}")).is_some(), "{before}");
        }
        assert_eq!(refused_at("SELECT 1; IF (1"), Some(11));
        assert_eq!(refused_at("insert into t values (1)"), Some(1));
    }

    #[test]
    fn statements_that_are_answered_are_parsed() {
        for sql in [
            "SELECT 1;",
            ";SELECT 1",
            "((select 1) union select 2)",
            "WITH t AS (SELECT 1) FROM t",
            "VALUES (1)",
            "SHOW TABLES",
            "DESCRIBE calls",
            "DESCRIBE \"if\"",
            "-- a comment\nSELECT CASE WHEN 1 THEN 2 END",
            "",
        ] {
            assert_eq!(refused_at(sql), None, "{sql}");
        }
    }
}
