//! Differences between the figures of reports.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A figure that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureDiff {
    /// Report and keys, joined by dots: `alignment.peak.waste_ratio`. A list's element is addressed by its name, a
    /// tiled surface by the number of its texture.
    pub figure: String,
    /// Value in the first trace; null if it has no such figure.
    pub a: Value,
    /// Value in the second trace; null if it has no such figure.
    pub b: Value,
}

/// Compares the figures of two documents of reports (the `reports` of [`Findings::json`](crate::Findings::json)).
/// Stamps, times, averages over time, concurrency and handles are not compared: they differ in every recording.
pub fn diff_figures(a: &Value, b: &Value) -> Vec<FigureDiff> {
    let (mut figures_a, mut figures_b) = (BTreeMap::new(), BTreeMap::new());
    collect(a, String::new(), &mut figures_a);
    collect(b, String::new(), &mut figures_b);
    let mut differences = Vec::new();
    for (figure, a) in &figures_a {
        let b = figures_b.get(figure).copied().unwrap_or(&Value::Null);
        if *a != b {
            differences.push(FigureDiff { figure: figure.clone(), a: (*a).clone(), b: b.clone() });
        }
    }
    for (figure, b) in figures_b.into_iter().filter(|(figure, _)| !figures_a.contains_key(figure)) {
        differences.push(FigureDiff { figure, a: Value::Null, b: b.clone() });
    }
    differences
}

fn collect<'v>(value: &'v Value, path: String, figures: &mut BTreeMap<String, &'v Value>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(members) => {
            let timeless = members.iter().filter(|(key, _)| is_compared(key));
            timeless.for_each(|(key, value)| collect(value, join(key), figures));
        }
        Value::Array(elements) => {
            for element in elements {
                if let Some(name) = ["name", "phase"].iter().find_map(|key| name_of(element, key)) {
                    collect(element, join(name), figures);
                } else if let Some(number) = element.get("texture").and_then(Value::as_u64) {
                    collect(element, join(&number.to_string()), figures);
                }
            }
        }
        Value::Number(_) | Value::Bool(_) => {
            figures.insert(path, value);
        }
        Value::Null | Value::String(_) => {}
    }
}

/// False for times, averages over time and handles, which differ in every recording, and for the list of the worst
/// resources, which is cut off.
fn is_compared(key: &str) -> bool {
    const OTHERS: [&str; 11] = [
        // Derived from the figures.
        "verdict",
        "time_weighted",
        "clock",
        "concurrency",
        "overlap",
        "resource",
        "heap",
        "object",
        "thread",
        "pipeline_state",
        "worst",
    ];
    !key.ends_with("_stamp") && !key.ends_with("_ns") && !OTHERS.contains(&key)
}

fn name_of<'v>(element: &'v Value, key: &str) -> Option<&'v str> {
    element.get(key)?.as_str().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_matched_by_their_names_and_times_left_out() {
        let a = json!({"alignment": {"peak": {"heap_bytes": 10, "at_stamp": 4}, "phases": [{"name": "x", "n": 1}]}});
        let b = json!({"alignment": {"peak": {"heap_bytes": 12, "at_stamp": 5}, "phases": [{"name": "y", "n": 1}]}});
        let found: Vec<_> = diff_figures(&a, &b).into_iter().map(|diff| (diff.figure, diff.a, diff.b)).collect();
        assert_eq!(
            found,
            [
                ("alignment.peak.heap_bytes".to_owned(), json!(10), json!(12)),
                ("alignment.phases.x.n".to_owned(), json!(1), Value::Null),
                ("alignment.phases.y.n".to_owned(), Value::Null, json!(1)),
            ]
        );
        assert!(diff_figures(&a, &a).is_empty());
    }

    #[test]
    fn transactions_of_tiled_surfaces_are_compared_by_texture() {
        let of = |transactions: u64| json!({"tiling": {"surfaces": [{"texture": 3, "transactions": transactions}]}});
        let found = diff_figures(&of(524_288), &of(65_536));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].figure, "tiling.surfaces.3.transactions");
    }
}
