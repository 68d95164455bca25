//! Limit on nested backtracking of the parser, checked before the text is parsed.
//!
//! The parser tries some parts of a text in two ways: after a period an expression and then a name, after a word such as
//! CAST an expression of that keyword and then a function. If the text is wrong after such a part, the time doubles with
//! each one around it: 22 of them take minutes.

use crate::sql::error::{Unsupported, unsupported};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Maximum number of parts around a place that the parser tries in two ways: a name has up to three periods.
const MAX_PARTS: usize = 12;

/// Keywords that begin an expression of their own, and that the parser takes for names if that expression is wrong.
const KEYWORDS: [Keyword; 30] = [
    Keyword::ARRAY,
    Keyword::BOX,
    Keyword::CASE,
    Keyword::CAST,
    Keyword::CEIL,
    Keyword::CIRCLE,
    Keyword::CONVERT,
    Keyword::EXISTS,
    Keyword::EXTRACT,
    Keyword::FLOOR,
    Keyword::INTERVAL,
    Keyword::LAMBDA,
    Keyword::LINE,
    Keyword::LSEG,
    Keyword::MAP,
    Keyword::MATCH,
    Keyword::NOT,
    Keyword::OVERLAY,
    Keyword::PATH,
    Keyword::POINT,
    Keyword::POLYGON,
    Keyword::POSITION,
    Keyword::PRIOR,
    Keyword::SAFE_CAST,
    Keyword::STRUCT,
    Keyword::SUBSTR,
    Keyword::SUBSTRING,
    Keyword::TRIM,
    Keyword::TRY_CAST,
    Keyword::TRY_CONVERT,
];

/// Rejects a text with more such parts around a place.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Unsupported> {
    // Parts around each open bracket, their sum, and the parts of the current name.
    let (mut around, mut above, mut parts): (Vec<usize>, usize, usize) = Default::default();
    let mut previous: Option<&Token> = None;
    for TokenWithSpan { token, span } in tokens {
        match token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => {
                parts += usize::from(previous.is_some_and(is_keyword));
                around.push(parts);
                above += parts;
                parts = 0;
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                parts = around.pop().unwrap_or_default();
                above -= parts;
            }
            Token::Period => parts += 1,
            _ if previous == Some(&Token::Period) => {}
            _ => parts = 0,
        }
        previous = Some(token);
        if above + parts > MAX_PARTS {
            let expected =
                format!("expected at most {MAX_PARTS} periods and nested functions such as CAST, FLOOR or NOT");
            return unsupported(*span, expected);
        }
    }
    Ok(())
}

fn is_keyword(token: &Token) -> bool {
    matches!(token, Token::Word(word) if KEYWORDS.contains(&word.keyword))
}

#[cfg(test)]
mod tests {
    use super::super::text_limits::tokens;
    use super::*;

    fn refused_at(sql: &str) -> Option<usize> {
        check(&tokens(sql)).err()?.position().map(|(_, column)| column)
    }

    #[test]
    fn a_name_has_at_most_12_periods() {
        assert_eq!(refused_at(&format!("SELECT t&m{}", ".a".repeat(MAX_PARTS))), None);
        assert_eq!(refused_at(&format!("SELECT t&m{}. .", ".a".repeat(MAX_PARTS))), Some(35));
        // Found by fuzzing.
        let found = "SELECT t&mt.ao .t .c.t.c.tagca   .com .m .tac.tagcag_com .t .com .tac.om .tac.tagca   .tacc.tagca   .co. .";
        assert!(refused_at(found).is_some());
        // The periods around a bracket count inside of it.
        assert!(refused_at(&format!("SELECT {}", "a.f(".repeat(MAX_PARTS + 1))).is_some());
        assert!(refused_at(&format!("SELECT {}", "a.b[".repeat(MAX_PARTS + 1))).is_some());
    }

    #[test]
    fn functions_of_keywords_nest_at_most_12_deep() {
        for function in ["CAST(", "floor (", "NOT (", "ARRAY[", "t.CAST("] {
            assert_eq!(refused_at(&format!("SELECT {}", function.repeat(MAX_PARTS / 2))), None, "{function}");
            assert!(refused_at(&format!("SELECT {}", function.repeat(MAX_PARTS + 1))).is_some(), "{function}");
        }
        // Found by fuzzing: minutes.
        let found = format!("SELECT {}(OSEL 5", "wrcr(CAST(ro= (SEL (1.), CAST(floor(".repeat(8));
        assert!(refused_at(&found).is_some());
    }

    #[test]
    fn any_number_of_names_has_periods() {
        let many = "t.a AS x, f(t.b, t.c) + t.d t_e, (t.f).g, CAST(floor(t.a) AS int), ".repeat(100);
        assert_eq!(refused_at(&format!("SELECT {many} 1.5 FROM s.t JOIN s.u ON t.a = u.a AND t.b = u.b")), None);
        assert_eq!(refused_at(&format!("SELECT {}t.a", "(t.a + ".repeat(100))), None);
        assert_eq!(refused_at(&format!("SELECT 1 WHERE {}", "a AND (b OR (sum(".repeat(100))), None);
    }
}
