//! Limits on a query's text: chains of operators, set operations, brackets. The parser reads `1 + 1 + 1 …` and `SELECT
//! … UNION ALL SELECT …` in a loop, but the syntax tree is nested, and everything after it, including `Drop`, recurses
//! per level.

use crate::sql::MAX_TEXT_BYTES;
use crate::sql::error::{Unsupported, unsupported};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

/// Maximum number of operators in a chain: far more than anybody writes, far fewer than overflow a thread's stack.
pub(in crate::sql) const MAX_CHAIN: usize = 500;

/// Operators since the last one of lower precedence: those of one level nest.
#[derive(Clone, Copy, Default)]
struct Chain {
    or: usize,
    and: usize,
    others: usize,
    /// UNION, EXCEPT and INTERSECT, which chain up to the end of the query.
    sets: usize,
}

impl Chain {
    fn length(self) -> usize {
        self.or + self.and + self.others + self.sets
    }

    /// Returns the chain after a keyword that ends every chain except that of set operations.
    fn ended(self) -> Chain {
        Chain { sets: self.sets, ..Chain::default() }
    }

    /// Returns the chain after one more token.
    fn then(self, token: &Token) -> Chain {
        let keyword = match token {
            Token::Word(word) if word.quote_style.is_none() => word.keyword,
            Token::Comma | Token::SemiColon => return self.ended(),
            Token::Word(_) | Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_) => return self,
            _ => return Chain { others: self.others + 1, ..self },
        };
        match keyword {
            Keyword::OR => Chain { or: self.or + 1, ..self.ended() },
            Keyword::AND => Chain { and: self.and + 1, others: 0, ..self },
            Keyword::UNION | Keyword::EXCEPT | Keyword::MINUS | Keyword::INTERSECT => {
                Chain { sets: self.sets + 1, ..Chain::default() }
            }
            Keyword::NoKeyword | Keyword::NULL | Keyword::TRUE | Keyword::FALSE => self,
            Keyword::SELECT
            | Keyword::FROM
            | Keyword::WHERE
            | Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::ORDER
            | Keyword::JOIN
            | Keyword::ON
            | Keyword::WHEN
            | Keyword::THEN
            | Keyword::ELSE => self.ended(),
            // IS, LIKE, BETWEEN and the like.
            _ => Chain { others: self.others + 1, ..self },
        }
    }
}

/// Rejects a text longer than the limit.
pub(super) fn check_length(sql: &str) -> Result<(), Unsupported> {
    if sql.len() as u64 > MAX_TEXT_BYTES {
        let (bytes, limit_text) = (sql.len(), MAX_TEXT_BYTES >> 20);
        return unsupported(Span::empty(), format!("the query has {bytes} bytes, expected at most {limit_text} MiB"));
    }
    Ok(())
}

/// Rejects a text with a longer operator chain than can be planned. The depth inside of brackets adds to the depth
/// around them.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Unsupported> {
    let (mut around, mut above, mut chain): (Vec<Chain>, usize, Chain) = Default::default();
    for TokenWithSpan { token, span } in tokens {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                around.push(chain);
                above += chain.length();
                chain = Chain::default();
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                chain = around.pop().unwrap_or_default();
                above = above.saturating_sub(chain.length());
                // `x[1][1]…` and `INTEGER[][]…` are nested, where `f(1)` is not.
                chain.others += usize::from(*token == Token::RBracket);
            }
            token => chain = chain.then(token),
        }
        if above + chain.length() > MAX_CHAIN {
            return unsupported(
                *span,
                format!("the query is nested too deeply: more than {MAX_CHAIN} operators in a row"),
            );
        }
        if around.len() > MAX_CHAIN {
            return unsupported(
                *span,
                format!("the query is nested too deeply: more than {MAX_CHAIN} nested brackets"),
            );
        }
    }
    Ok(())
}

/// Tokens of the text; empty if it cannot be tokenized.
pub(super) fn tokens(sql: &str) -> Vec<TokenWithSpan> {
    let dialect = sqlparser::dialect::DuckDbDialect;
    // A text that cannot be tokenized is reported by the parser.
    sqlparser::tokenizer::Tokenizer::new(&dialect, sql).tokenize_with_location().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused_at(sql: &str) -> Option<usize> {
        let refused = check(&tokens(sql)).err()?;
        refused.position().map(|(_, column)| column)
    }

    fn chain(link: &str, links: usize) -> String {
        vec!["1"; links + 1].join(link)
    }

    #[test]
    fn a_chain_is_as_long_as_its_operators_of_one_level() {
        for link in [" + ", " OR ", " AND ", " || ", " = 1 OR 1 = 1 AND ", "::int + "] {
            let limit_text = if link.contains("OR 1") { MAX_CHAIN / 2 } else { MAX_CHAIN };
            // A cast counts three times: two tokens of `::` and the type's name.
            let limit_text = if link.contains("::") { limit_text / 3 } else { limit_text };
            assert_eq!(refused_at(&format!("SELECT {}", chain(link, limit_text - 2))), None, "{link}");
            assert!(refused_at(&format!("SELECT {}", chain(link, 2 * MAX_CHAIN))).is_some(), "{link}");
        }
        assert_eq!(
            refused_at(&format!("SELECT {}", chain("+", MAX_CHAIN + 3))),
            Some("SELECT 1".len() + 2 * MAX_CHAIN + 1)
        );
    }

    #[test]
    fn separate_expressions_are_no_chain() {
        let list = chain(" + 2, ", 5 * MAX_CHAIN);
        let branches = "WHEN a = 1 AND b = 2 THEN 3 ".repeat(5 * MAX_CHAIN);
        for sql in [format!("SELECT {list}"), format!("SELECT 1 IN ({list})"), format!("SELECT CASE {branches} END")] {
            assert_eq!(refused_at(&sql), None, "{}", &sql[..40]);
        }
    }

    #[test]
    fn set_operations_are_a_chain_to_the_end_of_the_query() {
        for link in [" UNION ALL SELECT ", " AS x, 2 AND 3 EXCEPT SELECT ", " WHERE 1 OR 2 INTERSECT SELECT "] {
            assert_eq!(refused_at(&format!("SELECT {}", chain(link, MAX_CHAIN - 2))), None, "{link}");
            assert!(refused_at(&format!("SELECT {}", chain(link, MAX_CHAIN + 1))).is_some(), "{link}");
        }
        let nested = format!("{}1{}", "(SELECT 2 UNION SELECT 3, ".repeat(MAX_CHAIN + 1), ")".repeat(MAX_CHAIN + 1));
        assert!(refused_at(&format!("SELECT {nested} + 1")).is_some());
    }

    #[test]
    fn brackets_of_any_kind_have_a_depth() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            let nested = |depth: usize| refused_at(&format!("SELECT {}1{}", open.repeat(depth), close.repeat(depth)));
            assert!(nested(MAX_CHAIN + 1).is_some() && nested(MAX_CHAIN / 2).is_none(), "{open}");
        }
        assert!(refused_at(&format!("SELECT x{}", "[1]".repeat(MAX_CHAIN + 1))).is_some());
        assert_eq!(refused_at(&format!("SELECT {}", "(1), ".repeat(5 * MAX_CHAIN))), None);
    }

    #[test]
    fn a_text_has_a_size() {
        assert!(check_length(&" ".repeat(MAX_TEXT_BYTES as usize)).is_ok());
        assert!(check_length(&" ".repeat(MAX_TEXT_BYTES as usize + 1)).is_err());
    }

    #[test]
    fn the_depth_in_brackets_adds_to_the_depth_around_them() {
        let inside = chain(" - ", MAX_CHAIN / 2);
        let around = chain(" - ", MAX_CHAIN / 2 + 2);
        assert!(refused_at(&format!("SELECT {around} - ({inside})")).is_some());
        assert_eq!(refused_at(&format!("SELECT ({inside}), ({around})")), None);
    }
}
