//! Formats numbers for people.

pub use taut_schemas::{counted, grouped};

const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const DECIMAL_UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];

/// Formats bytes in binary units with three or four digits: `0 B`, `1023 B`, `4.00 KiB`, `163 MiB`.
pub fn binary_bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // A value that would be printed as 1024 belongs to the next unit.
    while value >= 1023.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// Formats bytes in decimal units with three or four digits, as rates of memory and links have them: `999 B`, `1.99 GB`.
pub fn decimal_bytes(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    // A value that would be printed as 1000 belongs to the next unit.
    while value >= 999.5 && unit + 1 < DECIMAL_UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {}", DECIMAL_UNITS[unit])
}

/// Formats a difference like [`binary_bytes`].
pub fn binary_bytes_signed(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "" };
    format!("{sign}{}", binary_bytes(bytes.unsigned_abs()))
}

/// Formats a time span: `950 ns`, `12.30 ms`, `1.42 s`.
pub fn span(nanoseconds: u64) -> String {
    let (scale, unit) = match nanoseconds {
        0..1_000 => return format!("{nanoseconds} ns"),
        1_000..1_000_000 => (1e3, "µs"),
        1_000_000..1_000_000_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{:.2} {unit}", nanoseconds as f64 / scale)
}

/// Formats a ratio as a percentage: `0 %` only if it is exactly 0, and groups of digits from 1,000 % on.
pub fn percent(ratio: f64) -> String {
    let percent = ratio * 100.0;
    match percent.abs() {
        0.0 => "0 %".to_owned(),
        ..0.01 => format!("{}0.01 %", if percent < 0.0 { "> -" } else { "< " }),
        ..10.0 => format!("{percent:.2} %"),
        // A value that would be printed as 1000.0 has groups of digits as well.
        999.95.. => format!("{}{} %", if percent < 0.0 { "-" } else { "" }, grouped(percent.abs().round() as u64)),
        _ => format!("{percent:.1} %"),
    }
}

/// Formats a relative change like [`percent`], with its sign: `+50.0 %`, `-90.0 %`, `+2,345 %`.
pub fn percent_signed(ratio: f64) -> String {
    let text = percent(ratio);
    if ratio > 0.0 && !text.starts_with('<') { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_units_have_three_digits() {
        let texts = [0, 999, 1000, 12_345, 999_499, 999_500, 1_990_656_000, u64::MAX].map(decimal_bytes);
        assert_eq!(texts, ["0 B", "999 B", "1.00 kB", "12.3 kB", "999 kB", "1.00 MB", "1.99 GB", "18.4 EB"]);
    }

    #[test]
    fn spans_have_their_unit() {
        assert_eq!([999, 1_500, 2_000_000, 3_250_000_000].map(span), ["999 ns", "1.50 µs", "2.00 ms", "3.25 s"]);
    }

    #[test]
    fn bytes_keep_three_digits_and_never_read_1024_of_a_unit() {
        let texts = [0, 1023, 1024, 10 * 1024, 1024 * 1024 - 1, 3_423_043_584, u64::MAX].map(binary_bytes);
        assert_eq!(texts, ["0 B", "1023 B", "1.00 KiB", "10.0 KiB", "1.00 MiB", "3.19 GiB", "16.0 EiB"]);
        assert_eq!(binary_bytes_signed(-2048), "-2.00 KiB");
    }

    #[test]
    fn a_small_waste_is_not_called_none() {
        assert_eq!([0.0, 0.00001, 0.183, 1.0].map(percent), ["0 %", "< 0.01 %", "18.3 %", "100.0 %"]);
        assert_eq!(percent(-0.00001), "> -0.01 %");
        assert_eq!([9.99, 9.9996, 23.45, -177.357].map(percent), ["999.0 %", "1,000 %", "2,345 %", "-17,736 %"]);
    }

    #[test]
    fn a_relative_change_has_its_sign() {
        let texts = [0.0, 0.00001, 0.5, -0.9, 23.45].map(percent_signed);
        assert_eq!(texts, ["0 %", "< 0.01 %", "+50.0 %", "-90.0 %", "+2,345 %"]);
    }
}
