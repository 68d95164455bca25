//! Order statistics of samples.

/// Median of samples, which are sorted; 0 if there are none.
pub fn median(samples: &mut [u64]) -> u64 {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or(0)
}

/// Quartile of samples: 1 is the first, 2 the median, 3 the third; 0 if there are none.
pub fn quartile(samples: &[f64], quarter: usize) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(quarter * sorted.len().saturating_sub(1) / 4).copied().unwrap_or_default()
}
