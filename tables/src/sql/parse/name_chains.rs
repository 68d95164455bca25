//! Limit on the number of periods in a name, checked before the text is parsed.
//!
//! After each period the parser first tries an expression and then a name. If the text is wrong behind the name, its time
//! doubles with each period, also with those around a bracket: 22 periods take minutes.

use crate::sql::error::{Unsupported, unsupported};
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Maximum number of periods of a name and of the names around its brackets: a name has up to three.
const MAX_PERIODS: usize = 12;

/// Rejects a text with more periods in a name.
pub(super) fn check(tokens: &[TokenWithSpan]) -> Result<(), Unsupported> {
    // Periods of the names around each open bracket, their sum, and the periods of the current name.
    let (mut around, mut above, mut periods): (Vec<usize>, usize, usize) = Default::default();
    let mut is_after_period = false;
    for TokenWithSpan { token, span } in tokens {
        match token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => {
                around.push(periods);
                above += periods;
                periods = 0;
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                periods = around.pop().unwrap_or_default();
                above -= periods;
            }
            Token::Period => periods += 1,
            _ if is_after_period => {}
            _ => periods = 0,
        }
        is_after_period = *token == Token::Period;
        if above + periods > MAX_PERIODS {
            return unsupported(*span, format!("a name has more than {MAX_PERIODS} periods"));
        }
    }
    Ok(())
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
        assert_eq!(refused_at(&format!("SELECT t&m{}", ".a".repeat(MAX_PERIODS))), None);
        assert_eq!(refused_at(&format!("SELECT t&m{}. .", ".a".repeat(MAX_PERIODS))), Some(35));
        // Found by fuzzing.
        let found = "SELECT t&mt.ao .t .c.t.c.tagca   .com .m .tac.tagcag_com .t .com .tac.om .tac.tagca   .tacc.tagca   .co. .";
        assert!(refused_at(found).is_some());
        // The periods around a bracket count inside of it.
        assert!(refused_at(&format!("SELECT {}", "a.f(".repeat(MAX_PERIODS + 1))).is_some());
        assert!(refused_at(&format!("SELECT {}", "a.b[".repeat(MAX_PERIODS + 1))).is_some());
    }

    #[test]
    fn any_number_of_names_has_periods() {
        let many = "t.a AS x, f(t.b, t.c) + t.d t_e, (t.f).g, ".repeat(100);
        assert_eq!(refused_at(&format!("SELECT {many} 1.5 FROM s.t JOIN s.u ON t.a = u.a AND t.b = u.b")), None);
        assert_eq!(refused_at(&format!("SELECT {}t.a", "(t.a + ".repeat(100))), None);
    }
}
