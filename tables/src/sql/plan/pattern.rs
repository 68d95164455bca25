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
