//! `LIKE`: `%` stands for any characters, `_` for one.

use polars::prelude::{Expr, lit};

/// Whether a text is like a pattern.
pub(super) fn matches(text: Expr, like: &str, any_case: bool) -> Expr {
    let plain = |part: &str| !any_case && !part.contains(['%', '_']);
    let inner = like.trim_start_matches('%').trim_end_matches('%');
    match (like.starts_with('%'), like.ends_with('%')) {
        (false, false) if plain(like) => text.eq(lit(like)),
        (false, true) if plain(inner) => text.str().starts_with(lit(inner)),
        (true, false) if plain(inner) => text.str().ends_with(lit(inner)),
        (true, true) if plain(inner) && !inner.is_empty() => text.str().contains_literal(lit(inner)),
        _ => text.str().contains(lit(regular(like, any_case)), true),
    }
}

fn regular(like: &str, any_case: bool) -> String {
    let mut regular = String::from(if any_case { "(?si)^" } else { "(?s)^" });
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
