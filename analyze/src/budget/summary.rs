//! One-line summary of a broken limit: the figure in words, its value, and its change since the baseline.

use super::Limit;
use crate::render::percent_signed;
use crate::reports::Unit;
use serde_json::Value;

/// Endings of keys that the unit of the value makes redundant.
const UNIT_SUFFIXES: [&str; 3] = ["_bytes", "_ns", "_ratio"];

/// Figures whose label differs from the words of their keys: the keys of several sums at the peak have similar words.
/// Memory that the application holds is "allocated", as in comparisons; the sum of SizeInBytes is a part of it.
const LABELS: [(&str, &str); 5] = [
    ("alignment.peak_real.real_bytes", "peak allocated"),
    ("alignment.peak.real_bytes", "allocated at the peak of resource memory"),
    ("alignment.peak.in_use_bytes", "peak resource memory"),
    ("alignment.peak.allocated_bytes", "peak SizeInBytes of resources"),
    ("alignment.peak.waste_ratio", "alignment waste at peak, without free memory in heaps,"),
];

/// Formats a figure's value, and its change if the baseline has one: `peak allocated 162 MiB → 554 MiB (+242.0 %)`.
pub(super) fn summary(limit: &Limit, found: &Value, baseline: Option<&Value>) -> String {
    let label = label(&limit.figure);
    let new = limit.brief(found);
    let numbers = baseline.and_then(|baseline| Some((baseline, baseline.as_f64()?, found.as_f64()?)));
    let Some((old, before, after)) = numbers else { return format!("{label} {new}") };
    let change = match limit.unit() {
        _ if before == after => "unchanged".to_owned(),
        // The relative change of a ratio would be misread as a change in points.
        Unit::Ratio => format!("{:+.2} points", (after - before) * 100.0),
        _ if before == 0.0 => "0 in the baseline".to_owned(),
        _ => percent_signed((after - before) / before.abs()),
    };
    format!("{label} {} → {new} ({change})", limit.brief(old))
}

/// The figure in words: `alignment.peak.rounding_bytes` is `peak rounding`. Other reports are named.
fn label(figure: &str) -> String {
    if let Some((_, label)) = LABELS.iter().find(|(known, _)| *known == figure) {
        return (*label).to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    for key in figure.split('.').filter(|key| !["alignment", "value"].contains(key)) {
        let key = UNIT_SUFFIXES.iter().find_map(|suffix| key.strip_suffix(suffix)).unwrap_or(key);
        for word in key.split('_') {
            // `peak_placed.placed_bytes` is "peak placed".
            if words.last().is_none_or(|last| last != word) {
                words.push(word.to_owned());
            }
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(limit: &str, found: Value, baseline: Option<Value>) -> String {
        summary(&Limit::parse(limit, 1).unwrap(), &found, baseline.as_ref())
    }

    #[test]
    fn a_summary_has_the_change_since_the_baseline_in_the_figure_s_unit() {
        let mib = |count: u64| json!(count << 20);
        let allocated = "alignment.peak_real.real_bytes <= 1 B";
        assert_eq!(text(allocated, mib(554), Some(mib(162))), "peak allocated 162 MiB → 554 MiB (+242.0 %)");
        assert_eq!(text(allocated, mib(81), Some(mib(162))), "peak allocated 162 MiB → 81.0 MiB (-50.0 %)");
        assert_eq!(text(allocated, mib(1), Some(mib(0))), "peak allocated 0 B → 1.00 MiB (0 in the baseline)");
        assert_eq!(text(allocated, mib(1), None), "peak allocated 1.00 MiB");
        let waste = "alignment.peak.waste_ratio <= 1 %";
        assert_eq!(
            text(waste, json!(0.13), Some(json!(0.05))),
            "alignment waste at peak, without free memory in heaps, 5.00 % → 13.0 % (+8.00 points)"
        );
        assert_eq!(text(allocated, mib(24), Some(mib(1))), "peak allocated 1.00 MiB → 24.0 MiB (+2,300 %)");
        let placed = "alignment.peak_placed.placed_bytes <= 1 B";
        assert_eq!(text(placed, mib(1), Some(mib(1))), "peak placed 1.00 MiB → 1.00 MiB (unchanged)");
        assert_eq!(text("health.lost_events == 0", json!(1200), Some(Value::Null)), "health lost events 1,200");
    }

    #[test]
    fn sums_of_memory_at_the_peak_have_different_labels() {
        let labels = ["peak_real.real_bytes", "peak.real_bytes", "peak.in_use_bytes", "peak.allocated_bytes"]
            .map(|figure| label(&format!("alignment.{figure}")));
        assert!((1..labels.len()).all(|at| !labels[..at].contains(&labels[at])), "{labels:?}");
        assert_eq!(labels[3], "peak SizeInBytes of resources");
        for (figure, _) in LABELS.iter().filter(|(figure, _)| figure.ends_with("_bytes")) {
            assert_eq!(Limit::parse(&format!("{figure} <= 1 B"), 1).unwrap().unit(), Unit::Bytes, "{figure}");
        }
    }
}
