//! Numbers and times of cells.

/// Cell that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CellFault {
    /// Index of the column, from 0.
    pub place: usize,
    pub expected: String,
    pub found: String,
}

/// Nanoseconds per millisecond.
pub(super) const NS_PER_MS: f64 = 1e6;
/// Maximum number of nanoseconds since the origin of a capture: some thirty years.
const MAX_NS: f64 = 1e18;
/// Maximum number of characters of a cell that an error repeats.
const MAX_FOUND: usize = 40;

impl CellFault {
    pub fn new(place: usize, expected: impl Into<String>, found: &str) -> CellFault {
        let found = match found.char_indices().nth(MAX_FOUND) {
            Some((end, _)) => format!("{}…", &found[..end]),
            None if found.is_empty() => "an empty cell".to_owned(),
            None => found.to_owned(),
        };
        CellFault { place, expected: expected.into(), found }
    }
}

/// True if a cell contains no value.
pub(super) fn is_absent(cell: &str) -> bool {
    cell.is_empty() || cell.eq_ignore_ascii_case("NA") || cell.eq_ignore_ascii_case("NaN")
}

/// Parses a number, with a comma or a point before the fraction.
pub(super) fn number(cell: &str) -> Option<f64> {
    let parsed = match cell.contains(',') {
        true => cell.replace(',', ".").parse::<f64>(),
        false => cell.parse::<f64>(),
    };
    parsed.ok().filter(|number| number.is_finite())
}

/// Parses milliseconds; returns nanoseconds.
pub(super) fn milliseconds(cell: &str, place: usize) -> Result<f64, CellFault> {
    let number = number(cell).filter(|number| number.abs() < MAX_NS / NS_PER_MS);
    number
        .map(|number| rounded(number * NS_PER_MS) as f64)
        .ok_or_else(|| CellFault::new(place, "a number of milliseconds or NA", cell))
}

/// Rounds a number of nanoseconds below [`MAX_NS`]. `f64::round` is a call of a library where the processor is not known
/// to have the instruction.
fn rounded(ns: f64) -> i64 {
    (ns + 0.5_f64.copysign(ns)) as i64
}

/// True for 1 and true.
pub(super) fn is_set(cell: &str) -> bool {
    cell == "1" || cell.eq_ignore_ascii_case("true")
}

/// Unit of a time column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TimeUnit {
    /// Ticks of this many nanoseconds.
    Ticks(f64),
    Seconds,
    Milliseconds,
    /// Date and time of day.
    DateTime,
}

/// Parses a time; returns nanoseconds since an arbitrary origin.
pub(super) fn time(cell: &str, unit: TimeUnit, place: usize) -> Result<u64, CellFault> {
    let scaled = |ns: f64| number(cell).map(|number| number * ns);
    // PresentMon writes dates into columns of either name.
    if unit == TimeUnit::DateTime || cell.contains(':') {
        let expected = "a date and time (2026-11-26 10:00:00.5)";
        return date_time(cell).ok_or_else(|| CellFault::new(place, expected, cell));
    }
    let (ns, expected) = match unit {
        // Whole ticks of 100 ns have more digits than a floating-point number keeps.
        TimeUnit::Ticks(100.0) if cell.parse::<u64>().is_ok() => {
            let ns = cell.parse::<u64>().ok().and_then(|ticks| ticks.checked_mul(100));
            return ns
                .filter(|ns| (*ns as f64) < MAX_NS)
                .ok_or_else(|| CellFault::new(place, "a number of ticks below 30 years", cell));
        }
        TimeUnit::Ticks(ns) => (scaled(ns), "a number of ticks"),
        TimeUnit::Seconds | TimeUnit::DateTime => (scaled(1e9), "a number of seconds, not negative"),
        TimeUnit::Milliseconds => (scaled(NS_PER_MS), "a number of milliseconds, not negative"),
    };
    let ns = ns.filter(|ns| (0.0..MAX_NS).contains(ns));
    ns.map(|ns| rounded(ns) as u64).ok_or_else(|| CellFault::new(place, expected, cell))
}

/// Parses a date and a time of day, or a time of day; returns nanoseconds since 2000.
fn date_time(cell: &str) -> Option<u64> {
    let (date, clock) = match cell.split_once([' ', 'T']) {
        Some((date, clock)) => (Some(date), clock),
        None => (None, cell),
    };
    let days = match date {
        Some(date) => {
            let parts: Vec<i64> = date.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
            let [year @ 2000..=2100, month @ 1..=12, day @ 1..=31] = parts[..] else { return None };
            days_since_2000(year, month, day)
        }
        None => 0,
    };
    let mut parts = clock.trim_end_matches('Z').split(':');
    let (hours, minutes) = (parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?);
    let seconds = number(parts.next()?).filter(|seconds| (0.0..61.0).contains(seconds))?;
    let is_valid = hours < 24 && minutes < 60 && parts.next().is_none();
    let whole_seconds = u64::try_from(days).ok()? * 86400 + u64::from(hours) * 3600 + u64::from(minutes) * 60;
    is_valid.then(|| whole_seconds * 1_000_000_000 + (seconds * 1e9).round() as u64)
}

/// Days between two dates of the Gregorian calendar; years begin in March, so that the leap day is the last.
fn days_since_2000(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let since_march_2000 = (year - 2000) * 365 + (year / 4 - 500) - (year / 100 - 20) + (year / 400 - 5);
    since_march_2000 + (153 * month + 2) / 5 + day - 1 + 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_unit_are_nanoseconds() {
        assert_eq!(time("2466961604351", TimeUnit::Ticks(100.0), 0), Ok(246_696_160_435_100));
        assert_eq!(time("3", TimeUnit::Ticks(1000.0 / 3.0), 0), Ok(1000));
        assert_eq!(time("1,5", TimeUnit::Seconds, 0), Ok(1_500_000_000));
        assert_eq!(time("1.5", TimeUnit::Milliseconds, 0), Ok(1_500_000));
        let day = |cell| time(cell, TimeUnit::DateTime, 0).unwrap() / 1_000_000_000;
        assert_eq!(day("2000-01-01 00:00:01"), 1);
        assert_eq!(day("2024-03-01T00:00:00Z") - day("2024-02-28 00:00:00.0"), 2 * 86400);
        assert_eq!(day("2026-01-01 10:00:00.016") - day("2025-12-31 10:00:00"), 86400);
    }

    #[test]
    fn a_cell_that_is_no_time_is_an_error() {
        for cell in ["-1", "1e300", "", "NA", "inf", "NaN", "0x10", "99999999999999999999"] {
            assert!(time(cell, TimeUnit::Ticks(100.0), 0).is_err(), "{cell}");
            assert!(time(cell, TimeUnit::Seconds, 0).is_err(), "{cell}");
        }
        for cell in ["2026-13-01 00:00:00", "2026-01-01", "25:00:00", "10:00", "1999-01-01 00:00:00"] {
            assert!(time(cell, TimeUnit::DateTime, 0).is_err(), "{cell}");
        }
    }
}
