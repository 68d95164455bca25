//! Formats bytes of several traces in one unit, so that the numbers can be compared directly.

use crate::render::{binary_bytes, grouped};
use serde_json::Value;

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
/// If the smallest value is below this in the unit of the largest, the next smaller unit is used, provided the largest
/// value stays below [`LONGEST`] there.
const SMALL: f64 = 0.1;
// Limit on the length of a number: five digits.
const LONGEST: f64 = 100_000.0;

/// A power of 1024 as display unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    power: usize,
}

impl Scale {
    /// Selects the unit of the largest value, or the next smaller one if the smallest value would not be visible.
    pub fn of<'v>(values: impl Iterator<Item = &'v Value>) -> Scale {
        // Zeros do not matter, because they are displayed as 0 in any unit.
        let known = values.filter_map(Value::as_f64).map(f64::abs).filter(|value| *value > 0.0);
        let (smallest, largest) = known.fold((f64::MAX, 0.0_f64), |(smallest_so_far, largest_so_far), value| {
            (smallest_so_far.min(value), largest_so_far.max(value))
        });
        let text = binary_bytes(largest as u64);
        let unit = text.rsplit(' ').next().unwrap_or_default();
        let power = UNITS.iter().position(|known| *known == unit).unwrap_or_default();
        let within = |power: usize| 1024_f64.powi(power as i32);
        let vanishes = power > 1 && smallest / within(power) < SMALL && largest / within(power - 1) < LONGEST;
        Scale { power: if vanishes { power - 1 } else { power } }
    }

    /// True if the value is large enough to be visible in this unit.
    pub fn shows(self, bytes: f64) -> bool {
        !self.text(bytes.abs()).starts_with('<')
    }

    /// Formats bytes in this unit.
    pub fn text(self, bytes: f64) -> String {
        let unit = UNITS[self.power];
        if self.power == 0 {
            return format!("{bytes:.0} B");
        }
        let value = bytes / 1024_f64.powi(self.power as i32);
        if bytes == 0.0 {
            return format!("0 {unit}");
        }
        let decimals = match value.abs() {
            ..0.005 => return format!("{}0.01 {unit}", if bytes < 0.0 { "> -" } else { "< " }),
            ..9.995 => 2,
            ..99.95 => 1,
            ..999.5 => 0,
            _ => {
                return format!("{}{} {unit}", if bytes < 0.0 { "-" } else { "" }, grouped(value.abs().round() as u64));
            }
        };
        format!("{value:.decimals$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_largest_value_determines_the_unit() {
        let scale = Scale::of([json!(600_u64 << 20), json!(60_u64 << 20), json!(null)].iter());
        let texts = [629_145_600.0, 59_349_402.0, 10_240.0, 0.0, 100.0, -512.0].map(|bytes| scale.text(bytes));
        assert_eq!(texts, ["600 MiB", "56.6 MiB", "0.01 MiB", "0 MiB", "< 0.01 MiB", "> -0.01 MiB"]);
        assert_eq!(Scale::of([json!(900)].iter()).text(-12.0), "-12 B");
    }

    #[test]
    fn a_smaller_unit_is_used_if_the_smallest_value_would_be_invisible() {
        let scale = Scale::of([json!(1951_u64 << 20), json!(19_u64 << 20)].iter());
        assert_eq!([1951_u64, 19].map(|mib| scale.text((mib << 20) as f64)), ["1,951 MiB", "19.0 MiB"]);
    }
}
