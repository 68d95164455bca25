//! How long a chain of operators may be. The parser reads `1 + 1 + 1 …` in a loop, but what it makes of it is nested, and
//! everything after it goes down level by level.

use super::refusal::{Refused, refuse};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Operators in a row: far more than anybody writes, far fewer than a thread's stack has room for.
const MOST: usize = 500;

/// Operators since the last that binds less: those of a level lie in one another.
#[derive(Clone, Copy, Default)]
struct Chain {
    or: usize,
    and: usize,
    others: usize,
}

impl Chain {
    fn length(self) -> usize {
        self.or + self.and + self.others
    }

    /// Goes on with one more token.
    fn then(self, token: &Token) -> Chain {
        let keyword = match token {
            Token::Word(word) if word.quote_style.is_none() => word.keyword,
            Token::Comma | Token::SemiColon => return Chain::default(),
            Token::Word(_) | Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_) => return self,
            _ => return Chain { others: self.others + 1, ..self },
        };
        match keyword {
            Keyword::OR => Chain { or: self.or + 1, ..Chain::default() },
            Keyword::AND => Chain { and: self.and + 1, others: 0, ..self },
            Keyword::NoKeyword | Keyword::NULL | Keyword::TRUE | Keyword::FALSE => self,
            Keyword::SELECT
            | Keyword::FROM
            | Keyword::WHERE
            | Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::ORDER
            | Keyword::UNION
            | Keyword::JOIN
            | Keyword::ON
            | Keyword::WHEN
            | Keyword::THEN
            | Keyword::ELSE => Chain::default(),
            // IS, LIKE, BETWEEN and the like.
            _ => Chain { others: self.others + 1, ..self },
        }
    }
}

/// Refuses a text in which more operators follow one another than can be planned. What is in brackets is as deep as what
/// is around it, and more.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Refused> {
    let (mut around, mut above, mut chain): (Vec<Chain>, usize, Chain) = Default::default();
    for TokenWithSpan { token, span } in tokens {
        match token {
            Token::LParen => {
                around.push(chain);
                above += chain.length();
                chain = Chain::default();
            }
            Token::RParen => {
                chain = around.pop().unwrap_or_default();
                above = above.saturating_sub(chain.length());
            }
            token => chain = chain.then(token),
        }
        if above + chain.length() > MOST {
            return refuse(*span, format!("the question is nested too deeply: more than {MOST} operators in a row"));
        }
    }
    Ok(())
}

/// The text's tokens, where it has any.
pub(super) fn tokens(sql: &str) -> Vec<TokenWithSpan> {
    let dialect = sqlparser::dialect::DuckDbDialect;
    // What is no SQL at all, the parser tells.
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
            let most = if link.contains("OR 1") { MOST / 2 } else { MOST };
            // A cast is `::` and the name of a kind.
            let most = if link.contains("::") { most / 3 } else { most };
            assert_eq!(refused_at(&format!("SELECT {}", chain(link, most - 2))), None, "{link}");
            assert!(refused_at(&format!("SELECT {}", chain(link, 2 * MOST))).is_some(), "{link}");
        }
        assert_eq!(refused_at(&format!("SELECT {}", chain("+", MOST + 3))), Some("SELECT 1".len() + 2 * MOST + 1));
    }

    #[test]
    fn what_stands_side_by_side_is_no_chain() {
        let list = chain(" + 2, ", 5 * MOST);
        let branches = "WHEN a = 1 AND b = 2 THEN 3 ".repeat(5 * MOST);
        let questions = chain(" AS x UNION ALL SELECT ", 5 * MOST);
        for sql in [
            format!("SELECT {list}"),
            format!("SELECT 1 IN ({list})"),
            format!("SELECT CASE {branches} END"),
            format!("SELECT {questions}"),
        ] {
            assert_eq!(refused_at(&sql), None, "{}", &sql[..40]);
        }
    }

    #[test]
    fn brackets_are_as_deep_as_what_is_around_them_and_more() {
        let inside = chain(" - ", MOST / 2);
        let around = chain(" - ", MOST / 2 + 2);
        assert!(refused_at(&format!("SELECT {around} - ({inside})")).is_some());
        assert_eq!(refused_at(&format!("SELECT ({inside}), ({around})")), None);
    }
}
