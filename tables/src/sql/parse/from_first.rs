//! Queries that begin with `FROM`, and joins of DuckDB that the parser does not know.

use crate::sql::error::{Unsupported, unsupported};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Words before `JOIN` that the parser takes for the alias of a table.
const JOINS: [&str; 2] = ["ASOF", "POSITIONAL"];
/// Words after a bracket that the parser takes for the name of a table.
const STATEMENTS: [&str; 2] = ["PIVOT", "UNPIVOT"];

/// Rejects `ASOF JOIN`, `POSITIONAL JOIN` and `(PIVOT t …)` by these words.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Unsupported> {
    let sides = [Keyword::JOIN, Keyword::LEFT, Keyword::RIGHT, Keyword::FULL, Keyword::INNER];
    let mut words = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).peekable();
    let mut is_first = false;
    while let Some(TokenWithSpan { token, span }) = words.next() {
        let next = words.peek().map_or(&Token::EOF, |next| &next.token);
        if let Token::Word(word) = token
            && word.quote_style.is_none()
        {
            let is_word = |known: &&str| word.value.eq_ignore_ascii_case(known);
            let join = JOINS.into_iter().find(|join| is_word(join) && sides.contains(&keyword(next)));
            let statement =
                STATEMENTS.into_iter().find(|name| is_first && is_word(name) && matches!(next, Token::Word(_)));
            if let Some(found) = join.or(statement) {
                return unsupported(*span, format!("`{found}` is not supported"));
            }
        }
        is_first = *token == Token::LParen;
    }
    Ok(())
}

/// Position in a query.
#[derive(Clone, Copy)]
enum Position {
    Start,
    /// The query begins with `WITH`.
    With,
    /// The query has no `SELECT` up to here, and `FROM` is the token with this index.
    From(usize),
    Other,
}

/// Inserts `SELECT *` before each query that begins with `FROM` and has no `SELECT`: the parser does not know what may
/// follow the tables there (`FROM t WHERE …`).
pub(super) fn complete(tokens: &mut Vec<TokenWithSpan>) {
    let (mut position, mut around, mut found) = (Position::Start, Vec::new(), Vec::new());
    for (place, TokenWithSpan { token, .. }) in tokens.iter().enumerate() {
        let from = if let Position::From(from) = position { Some(from) } else { None };
        position = match (token, keyword(token), position) {
            (Token::Whitespace(_), ..) => position,
            (Token::LParen, ..) => {
                around.push(if matches!(position, Position::Start) { Position::Other } else { position });
                Position::Start
            }
            (Token::RParen, ..) => {
                found.extend(from);
                around.pop().unwrap_or(Position::Other)
            }
            (Token::SemiColon | Token::EOF, ..) | (_, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT, _) => {
                found.extend(from);
                Position::Start
            }
            (_, Keyword::ALL | Keyword::DISTINCT, Position::Start) => Position::Start,
            (_, Keyword::WITH, Position::Start) => Position::With,
            (_, Keyword::FROM, Position::Start | Position::With) => Position::From(place),
            (_, Keyword::SELECT, _) => Position::Other,
            (_, _, Position::Start) => Position::Other,
            _ => position,
        };
    }
    if let Position::From(from) = position {
        found.push(from);
    }
    found.sort_unstable();
    let mut found = found.into_iter().peekable();
    let completed = std::mem::take(tokens).into_iter().enumerate().flat_map(|(place, from)| {
        let select = [Token::make_keyword("SELECT"), Token::Mul].map(|token| TokenWithSpan { token, span: from.span });
        let added = found.next_if_eq(&place).map(|_| select);
        added.into_iter().flatten().chain([from])
    });
    *tokens = completed.collect();
}

fn keyword(token: &Token) -> Keyword {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.keyword,
        _ => Keyword::NoKeyword,
    }
}

#[cfg(test)]
mod tests {
    use super::super::text_limits::tokens;
    use super::*;

    fn completed(sql: &str) -> String {
        let mut tokens = tokens(sql);
        complete(&mut tokens);
        tokens.iter().map(|token| token.token.to_string()).collect::<String>().replace("SELECT*", "SELECT * ")
    }

    #[test]
    fn a_query_that_begins_with_from_has_a_select() {
        for (sql, expected) in [
            ("FROM t WHERE a > 1", "SELECT * FROM t WHERE a > 1"),
            ("from t union all from u;", "SELECT * from t union all SELECT * from u;"),
            ("(FROM t) EXCEPT (FROM u)", "(SELECT * FROM t) EXCEPT (SELECT * FROM u)"),
            (
                "WITH a AS (FROM t), b AS (SELECT 1) FROM a",
                "WITH a AS (SELECT * FROM t), b AS (SELECT 1) SELECT * FROM a",
            ),
            ("SELECT 1 WHERE 1 IN (FROM t LIMIT 1)", "SELECT 1 WHERE 1 IN (SELECT * FROM t LIMIT 1)"),
        ] {
            assert_eq!(completed(sql), expected);
        }
        for unchanged in [
            "FROM t SELECT a",
            "SELECT a FROM t UNION SELECT b FROM u",
            "SELECT extract(year FROM a), * EXCEPT (b) FROM t",
            "WITH a AS (SELECT 1) SELECT 2 FROM a",
            "DESCRIBE t",
        ] {
            assert_eq!(completed(unchanged), unchanged);
        }
    }
}
