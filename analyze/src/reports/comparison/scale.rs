//! Bytes of several traces in one unit, so that a reader compares numbers and not units.

use crate::render::binary_bytes;
use serde_json::Value;

/// A unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// The greatest value written in it.
    greatest_bytes: u64,
}

impl Scale {
    /// The unit of the greatest of some values.
    pub fn of<'v>(values: impl Iterator<Item = &'v Value>) -> Scale {
        let greatest = values.filter_map(Value::as_f64).map(f64::abs).fold(0.0, f64::max);
        Scale { greatest_bytes: greatest as u64 }
    }

    /// Bytes in this unit.
    pub fn text(self, bytes: f64) -> String {
        let greatest = binary_bytes(self.greatest_bytes);
        let unit = greatest.rsplit(' ').next().unwrap_or("B");
        let power = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].iter().position(|known| *known == unit);
        let Some(power @ 1..) = power else { return format!("{bytes:.0} B") };
        let value = bytes / 1024_f64.powi(power as i32);
        if bytes == 0.0 {
            return format!("0 {unit}");
        }
        let decimals = match value.abs() {
            ..0.005 => return format!("{}0.01 {unit}", if bytes < 0.0 { "> -" } else { "< " }),
            ..9.995 => 2,
            ..99.95 => 1,
            _ => 0,
        };
        format!("{value:.decimals$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_greatest_value_decides_the_unit() {
        let values = [json!(600_u64 << 20), json!(10_240), json!(null), json!(-512)];
        let scale = Scale::of(values.iter());
        assert_eq!(
            [600.0 * 1048576.0, 59_349_402.0, 10_240.0, 0.0].map(|bytes| scale.text(bytes)),
            ["600 MiB", "56.6 MiB", "0.01 MiB", "0 MiB"]
        );
        assert_eq!([100.0, -512.0].map(|bytes| scale.text(bytes)), ["< 0.01 MiB", "> -0.01 MiB"]);
        assert_eq!(Scale::of([json!(900)].iter()).text(-12.0), "-12 B");
    }
}
