//! Refresh rate of a display, from the times at which a program's frames were shown.

/// Refresh rates of common monitor modes, in hertz.
const STANDARD_HZ: [u64; 24] =
    [50, 60, 72, 75, 85, 90, 100, 120, 144, 160, 165, 170, 175, 180, 200, 240, 260, 280, 300, 360, 390, 480, 500, 540];
/// Maximum distance of a measured rate from a standard one, in thousandths: 59.94 Hz counts as 60 Hz.
const STANDARD_PERMILLE: u64 = 6;
/// Number of differences below which no rate is derived.
const MIN_DIFFERENCES: usize = 8;
/// Resolution of the differences, in nanoseconds: display times are the driver's, and vary by less.
const BIN_NS: u64 = 100_000;
/// Maximum distance of a difference from a multiple of the period, in nanoseconds.
const TOLERANCE_NS: u64 = 300_000;
/// Maximum number of refreshes that the most frequent difference spans; with more, some standard rate fits any difference.
const MAX_REFRESHES: u64 = 6;
/// Share, in percent, of differences that must be multiples of the period of a display with a fixed rate.
const MULTIPLES_PERCENT: usize = 90;
/// Frames beyond this difference, in nanoseconds, belong to different parts of a capture.
const MAX_DIFFERENCE_NS: u64 = 250_000_000;

/// Refresh rate derived from display times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DerivedRate {
    /// Period in nanoseconds; with a variable rate, the minimum.
    pub period_ns: u64,
    /// True if no standard mode explains the display times.
    pub is_variable: bool,
}

/// Derives the refresh rate from sorted display times, one list per swap chain. `None` if there are too few.
pub(super) fn derive(shown_at_ns: &[Vec<u64>]) -> Option<DerivedRate> {
    let pairs = shown_at_ns.iter().flat_map(|times| times.windows(2));
    let mut differences: Vec<u64> = pairs.map(|pair| pair[1] - pair[0]).collect();
    differences.retain(|difference| (BIN_NS..MAX_DIFFERENCE_NS).contains(difference));
    if differences.len() < MIN_DIFFERENCES {
        return None;
    }
    differences.sort_unstable();
    let frequent_ns = most_frequent(&differences);
    let fixed = (1..=MAX_REFRESHES).map(|refreshes| frequent_ns / refreshes).find(|period_ns| {
        standard(*period_ns).is_some() && {
            let multiples = differences.iter().filter(|difference| is_multiple(**difference, *period_ns)).count();
            multiples * 100 >= differences.len() * MULTIPLES_PERCENT
        }
    });
    if let Some(period_ns) = fixed {
        return Some(DerivedRate { period_ns, is_variable: false });
    }
    // The shortest differences are the display's maximum rate; one in a hundred may be an error of measurement.
    let shortest_ns = differences.get(differences.len() / 100).copied()?;
    let rate = STANDARD_HZ.into_iter().find(|hertz| {
        u128::from(*hertz) * u128::from(shortest_ns) * (1000 + u128::from(STANDARD_PERMILLE)) >= 1_000_000_000_000
    });
    let period_ns = rate.map_or(shortest_ns, |hertz| 1_000_000_000 / hertz);
    Some(DerivedRate { period_ns, is_variable: true })
}

/// Mean of the differences around the most frequent one.
fn most_frequent(sorted: &[u64]) -> u64 {
    let window = |from: u64| {
        let begin = sorted.partition_point(|difference| *difference < from);
        let end = sorted.partition_point(|difference| *difference < from + 3 * BIN_NS);
        &sorted[begin..end]
    };
    let fullest = sorted.iter().map(|difference| window(difference / BIN_NS * BIN_NS)).max_by_key(|found| found.len());
    let found = fullest.unwrap_or(sorted);
    found.iter().sum::<u64>() / (found.len() as u64).max(1)
}

fn is_multiple(difference: u64, period_ns: u64) -> bool {
    let refreshes = (difference + period_ns / 2) / period_ns;
    refreshes > 0 && difference.abs_diff(refreshes * period_ns) <= TOLERANCE_NS.min(period_ns / 6)
}

/// Standard rate in hertz that a period is near.
fn standard(period_ns: u64) -> Option<u64> {
    let millihertz = 1_000_000_000_000_u64.checked_div(period_ns)?;
    STANDARD_HZ.into_iter().find(|hertz| millihertz.abs_diff(hertz * 1000) <= hertz * STANDARD_PERMILLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(differences: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
        let mut at_ns = 1_000_000_000;
        let later = |difference| {
            at_ns += difference;
            at_ns
        };
        vec![differences.into_iter().map(later).collect()]
    }

    fn millihertz(shown_at_ns: &[Vec<u64>]) -> Option<(u64, bool)> {
        derive(shown_at_ns).map(|rate| (1_000_000_000_000 / rate.period_ns / 1000, rate.is_variable))
    }

    #[test]
    fn frames_at_multiples_of_a_standard_period_have_that_rate() {
        let period = 6_944_444;
        assert_eq!(millihertz(&times((0..100).map(|frame| period * (1 + frame % 3)))), Some((144, false)));
        // 30 frames a second of a display that no monitor refreshes at 30 Hz.
        assert_eq!(millihertz(&times((0..100).map(|_| 33_366_667))), Some((59, false)));
    }

    #[test]
    fn frames_at_no_standard_period_have_a_variable_rate() {
        let spread = times((0..200_u64).map(|frame| 7_000_000 + frame * 7919 % 200 * 35_000));
        assert_eq!(millihertz(&spread), Some((144, true)));
    }

    #[test]
    fn few_display_times_give_no_rate() {
        assert_eq!(derive(&times((0..8).map(|_| 16_666_667))), None);
        assert_eq!(derive(&[]), None);
    }
}
