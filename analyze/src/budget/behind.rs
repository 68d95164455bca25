//! What stands behind a broken limit.

use super::made_up::made_up;
use crate::analysis::Analysis;
use crate::render::{binary_bytes, counted, grouped};
use serde_json::Value;

/// How many things are named.
pub(super) const NAMED: usize = 5;

/// The resources and heaps that make up a figure of the alignment report, if the trace is at hand; the findings or the last passes behind one of background
/// processing; the calls, messages or objects behind one of health.
pub(super) fn behind(figure: &str, report: &Value, analysis: Option<&Analysis>) -> Vec<String> {
    let list = |key: &str| report[key].as_array().map_or(&[] as &[Value], Vec::as_slice).iter().take(NAMED);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let times = |value: &Value| counted(value.as_u64().unwrap_or_default(), "time");
    let count = |value: &Value| grouped(value.as_u64().unwrap_or_default());
    let key = figure.split('.').nth(1).unwrap_or_default();
    match (figure.split('.').next().unwrap_or_default(), key) {
        ("alignment", _) => {
            let place = figure.strip_prefix("alignment.").unwrap_or_default();
            analysis.map(|analysis| made_up(analysis, place)).unwrap_or_default()
        }
        ("pgo", "audits" | "audits_failed" | "advice_not_followed") => {
            let broken = report["audits"].as_array().map_or(&[] as &[Value], Vec::as_slice).iter();
            let broken = broken.filter(|one| one["ok"] == false);
            let finding = |one: &Value| {
                let first = text(&one["first"][0]["description"]);
                format!("{} ({}) {}: {first}", text(&one["name"]), text(&one["rule"]), times(&one["findings"]))
            };
            broken.take(NAMED).map(finding).collect()
        }
        ("pgo", "converged" | "passes") => {
            let passes = report["by_pass"].as_array().map_or(&[] as &[Value], Vec::as_slice);
            let pass = |one: &Value| {
                let found = match one["opportunities"].as_u64() {
                    Some(1) => "1 opportunity".to_owned(),
                    _ => format!("{} opportunities", count(&one["opportunities"])),
                };
                format!("pass {}, {}: {found} found", count(&one["pass"]), text(&one["mode"]))
            };
            passes[passes.len().saturating_sub(NAMED)..].iter().map(pass).collect()
        }
        ("health", "leaks") => {
            let largest = report["leaks"]["largest"].as_array().map_or(&[] as &[Value], Vec::as_slice);
            let leak = |one: &Value| {
                let bytes = binary_bytes(one["size_bytes"].as_u64().unwrap_or_default());
                format!("{}, handle {}: {bytes}", text(&one["name"]), count(&one["object"]))
            };
            largest.iter().take(NAMED).map(leak).collect()
        }
        ("health", "debug_errors" | "debug_messages") => {
            let message =
                |one: &Value| format!("{} {}: {}", text(&one["name"]), times(&one["count"]), text(&one["description"]));
            list("messages").map(message).collect()
        }
        ("health", "driver_violations") => {
            let violation =
                |one: &Value| format!("{} {}: {}", text(&one["rule"]), times(&one["count"]), text(&one["description"]));
            list("violations").map(violation).collect()
        }
        ("health", "calls_failed") => {
            let failed = |one: &Value| format!("{} {}: {}", text(&one["call"]), times(&one["count"]), text(&one["hr"]));
            list("failed").map(failed).collect()
        }
        ("health", "calls_never_returned") => {
            let open = |one: &Value| format!("{} {}", text(&one["call"]), times(&one["count"]));
            list("never_returned").map(open).collect()
        }
        ("health", "damaged_events" | "complete") => list("damage").map(text).collect(),
        _ => Vec::new(),
    }
}
