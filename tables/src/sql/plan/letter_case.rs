//! Upper and lower case as in DuckDB: one character maps to one, independent of its neighbours, by Unicode 15.

use polars::prelude::{ChunkApply, Column, Expr, IntoColumn};
use std::borrow::Cow;

/// Upper-cases a text expression.
pub(super) fn upper(text: Expr) -> Expr {
    of_each(text, large)
}

/// Lower-cases a text expression.
pub(super) fn lower(text: Expr) -> Expr {
    of_each(text, small)
}

/// Lower-cases a constant text.
pub(super) fn lower_text(text: &str) -> String {
    text.chars().map(small).collect()
}

fn of_each(text: Expr, of: fn(char) -> char) -> Expr {
    let changed = move |column: Column| {
        let texts = column.str()?.apply_values(|text| match text.chars().any(|one| of(one) != one) {
            true => Cow::Owned(text.chars().map(of).collect()),
            false => Cow::Borrowed(text),
        });
        Ok(texts.into_column())
    };
    text.map(changed, |_, field| Ok(field.clone()))
}

fn large(one: char) -> char {
    let further = |by: u32| char::from_u32(u32::from(one) + by).unwrap_or(one);
    match one {
        _ if is_later(one) => one,
        'ß' => 'ẞ',
        // Lower-case Greek letters with iota subscript map to their title-case forms, which are one code point.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => further(8),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => further(9),
        _ => only(one, one.to_uppercase()),
    }
}

fn small(one: char) -> char {
    match one {
        _ if is_later(one) => one,
        'İ' => 'i',
        _ => only(one, one.to_lowercase()),
    }
}

/// Returns the mapped character if the mapping is a single character, otherwise the character itself.
fn only(one: char, mut others: impl Iterator<Item = char>) -> char {
    match (others.next(), others.next()) {
        (Some(other), None) => other,
        _ => one,
    }
}

/// True for letters whose case mapping was added in Unicode 16 or later, which DuckDB does not have.
fn is_later(one: char) -> bool {
    matches!(
        u32::from(one),
        0x19b | 0x264 | 0x1c89..=0x1c8a | 0xa7cb..=0xa7cf | 0xa7d2..=0xa7d5 | 0xa7da..=0xa7dc
            | 0x10d50..=0x10d65 | 0x10d70..=0x10d85 | 0x16ea0..=0x16ed3
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_mapping_is_one_to_one_and_idempotent() {
        for one in '\0'..=char::MAX {
            assert_eq!((large(large(one)), small(small(one))), (large(one), small(one)), "{one:?}");
        }
    }

    #[test]
    fn every_letter_of_several_in_the_other_case_has_one_or_stays() {
        let several = |one: &char| one.to_uppercase().count() > 1;
        let changed: Vec<char> = ('\0'..=char::MAX).filter(several).filter(|one| large(*one) != *one).collect();
        assert_eq!(changed.len(), 28);
        assert!(changed.iter().all(|one| small(large(*one)) == *one), "{changed:?}");
    }

    #[test]
    fn neighbours_do_not_matter() {
        assert_eq!(lower_text("ΑΣ İ"), "ασ i");
    }
}
