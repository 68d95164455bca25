//! CSV cells that no spreadsheet evaluates as a formula.

use std::borrow::Cow;

/// First characters that make spreadsheets evaluate a cell instead of showing it. Tab and carriage return are among
/// them because spreadsheets drop them and look at the character after them (OWASP, "CSV Injection").
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Prefixes a cell with `'` if a spreadsheet would evaluate it. Numbers stay as they are.
pub fn csv_safe(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA_STARTS) && !is_number(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// True if the cell is a decimal number. (`f64` also parses `-inf`, which a spreadsheet reads as a name.)
fn is_number(cell: &str) -> bool {
    let is_decimal = |letter: u8| letter.is_ascii_digit() || b"+-.eE".contains(&letter);
    cell.bytes().all(is_decimal) && cell.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_that_spreadsheets_evaluate_begin_with_an_apostrophe_and_numbers_stay() {
        for formula in ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "-inf", "+1.2.3", "--1"]
        {
            assert_eq!(csv_safe(formula), format!("'{formula}"));
        }
        for plain in ["", "heap", "-1", "+2.5", "-1e-9", "12", "a=b", "'=1", " =1", "1-2"] {
            assert_eq!(csv_safe(plain), plain);
        }
    }

    proptest! {
        #[test]
        fn any_number_stays(whole in any::<i64>(), real in any::<f64>().prop_filter("finite", |real| real.is_finite())) {
            let (whole, real) = (whole.to_string(), real.to_string());
            prop_assert_eq!(csv_safe(&whole), whole.as_str());
            prop_assert_eq!(csv_safe(&real), real.as_str());
        }

        #[test]
        fn no_cell_of_text_starts_a_formula(text in any::<String>()) {
            let safe = csv_safe(&text);
            prop_assert!(is_number(&safe) || !safe.starts_with(FORMULA_STARTS));
        }
    }
}
