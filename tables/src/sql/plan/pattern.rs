//! `LIKE` patterns: `%` matches any characters, `_` matches one.

use super::letter_case;
use polars::prelude::{Expr, lit};

/// Condition that a text matches a LIKE pattern. Simple patterns become prefix, suffix and substring tests.
pub(super) fn matches(text: Expr, like: &str, any_case: bool) -> Expr {
    if any_case {
        return matches(letter_case::lower(text), &letter_case::lower_text(like), false);
    }
    let plain = |part: &str| !part.contains(['%', '_']);
    let inner = like.trim_start_matches('%').trim_end_matches('%');
    match (like.starts_with('%'), like.ends_with('%')) {
        (false, false) if plain(like) => text.eq(lit(like)),
        (false, true) if plain(inner) => text.str().starts_with(lit(inner)),
        (true, false) if plain(inner) => text.str().ends_with(lit(inner)),
        (true, true) if plain(inner) && !inner.is_empty() => text.str().contains_literal(lit(inner)),
        _ => text.str().contains(lit(regular(like)), true),
    }
}

fn regular(like: &str) -> String {
    // With (?s), `%` and `_` match line feeds too.
    let mut regular = String::from("(?s)^");
    for character in like.chars() {
        match character {
            '%' => regular.push_str(".*"),
            '_' => regular.push('.'),
            other if other.is_alphanumeric() || other.is_whitespace() => regular.push(other),
            other if other.is_ascii() => regular.extend(['\\', other]),
            other => regular.push(other),
        }
    }
    regular + "$"
}

/// A pattern of `regexp_matches` for polars' engine, if DuckDB's gives it the same meaning: classes of letters, digits
/// and spaces are ASCII there.
pub(super) fn regular_expression(pattern: &str) -> Option<String> {
    let mut regular = String::new();
    let (mut open, mut in_class, mut may_repeat) = (0u32, false, false);
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut repeats = false;
        match letter {
            '\\' => {
                regular += &escaped(letters.next()?, in_class)?;
                repeats = true;
            }
            ']' if in_class => (in_class, repeats) = (false, true),
            // Sets within sets, and operators on sets.
            '[' | '&' | '~' if in_class => return None,
            '-' if in_class && letters.peek() == Some(&'-') => return None,
            _ if in_class => {}
            '[' => {
                in_class = true;
                regular.push('[');
                if letters.next_if_eq(&'^').is_some() {
                    regular.push('^');
                }
                // A bracket that is an element.
                if letters.peek() == Some(&']') {
                    return None;
                }
                continue;
            }
            '(' => {
                open += 1;
                regular.push('(');
                if letters.next_if_eq(&'?').is_some() {
                    regular.push('?');
                    let flags: String = std::iter::from_fn(|| letters.next_if_eq(&'i')).collect();
                    let end = letters.next_if(|letter| *letter == ':' || (*letter == ')' && !flags.is_empty()))?;
                    open -= u32::from(end == ')');
                    regular += &flags;
                    regular.push(end);
                }
                may_repeat = false;
                continue;
            }
            ')' => {
                open = open.checked_sub(1)?;
                repeats = true;
            }
            '*' | '+' | '?' => {
                if !may_repeat {
                    return None;
                }
                regular.push(letter);
                // As few as possible, which does not change whether a text matches.
                letters.next_if_eq(&'?');
                may_repeat = false;
                continue;
            }
            '{' | '}' | ']' => return None,
            '|' | '^' | '$' => {}
            _ => repeats = true,
        }
        if letter != '\\' {
            regular.push(letter);
        }
        may_repeat = repeats;
    }
    (open == 0 && !in_class).then_some(regular)
}

/// An escaped letter of a pattern, outside or inside of a class.
fn escaped(letter: char, in_class: bool) -> Option<String> {
    let class = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => r"\t\n\f\r ",
        _ => return letter.is_ascii_punctuation().then(|| format!("\\{letter}")),
    };
    match (letter.is_ascii_lowercase(), in_class) {
        (true, true) => Some(class.to_owned()),
        (true, false) => Some(format!("[{class}]")),
        (false, true) => None,
        (false, false) => Some(format!("[^{class}]")),
    }
}

#[cfg(test)]
mod tests {
    use super::regular_expression;

    #[test]
    fn patterns_that_two_engines_read_differently_are_not_translated() {
        for same in ["^Create.*Heap$", "(?i)heap|resource", "a(?:b|c)+?d", r"\d+\.\w", "[^a-z_]x", "[.*]"] {
            assert!(regular_expression(same).is_some(), "{same}");
        }
        assert_eq!(regular_expression(r"\d[\w]").as_deref(), Some("[0-9][0-9A-Za-z_]"));
        for other in [
            "*a",
            "a**",
            "a{2}",
            "[[:alpha:]]",
            "[a&&b]",
            r"\p{L}",
            r"\bx",
            "(a",
            "a)",
            "[]a]",
            "(?x) a",
            "(?P<n>a)",
            "a\\",
        ] {
            assert_eq!(regular_expression(other), None, "{other}");
        }
    }
}
