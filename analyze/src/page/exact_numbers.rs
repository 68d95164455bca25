//! Numbers of page data that JavaScript represents exactly.

use crate::reports::{REPORTS, identifiers};
use serde_json::{Number, Value};
use std::collections::BTreeSet;

/// Number.MAX_SAFE_INTEGER: JavaScript rounds integers beyond it.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Replaces integers beyond [`MAX_SAFE_INTEGER`]: identifiers and stamps by decimal text, quantities by the nearest
/// floating-point number, which is what JavaScript reads.
pub(super) fn make_exact(data: &mut Value) {
    let keys = REPORTS.iter().flat_map(|report| identifiers(report.figures())).collect();
    replace(data, "", &keys);
}

/// Replaces the integers in a value with this key; elements of a list have the key of the list.
fn replace(value: &mut Value, key: &str, identifiers: &BTreeSet<&str>) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| replace(value, key, identifiers)),
        Value::Array(elements) => elements.iter_mut().for_each(|element| replace(element, key, identifiers)),
        Value::Number(number) if is_rounded(number) => {
            *value = match number.as_f64().filter(|_| !identifiers.contains(key)) {
                Some(nearest) => Value::from(nearest),
                None => Value::from(number.to_string()),
            };
        }
        _ => {}
    }
}

/// True for an integer that JavaScript may round.
fn is_rounded(number: &Number) -> bool {
    let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    magnitude.is_some_and(|magnitude| magnitude > MAX_SAFE_INTEGER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn identifiers_beyond_53_bits_become_text_and_quantities_floating_point_numbers() {
        let mut data = json!({
            "at_stamp": 1_u64 << 60,
            "size_bytes": (1_u64 << 60) + 1,
            "deep": [{ "swap_chain": MAX_SAFE_INTEGER + 1, "frames": MAX_SAFE_INTEGER }],
            "gaps": [i64::MIN, -1],
            "name": "18446744073709551615",
        });
        make_exact(&mut data);
        let expected = json!({
            "at_stamp": "1152921504606846976",
            "size_bytes": 1_152_921_504_606_846_976.0,
            "deep": [{ "swap_chain": "9007199254740992", "frames": MAX_SAFE_INTEGER }],
            "gaps": [-9_223_372_036_854_775_808.0, -1],
            "name": "18446744073709551615",
        });
        assert_eq!(data, expected);
    }
}
