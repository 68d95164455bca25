//! What stands behind a broken limit on health: calls, messages, violations, objects or damage.

use crate::render::binary_bytes;
use crate::reports::behind::{count, first, text, times};
use serde_json::Value;

pub(super) fn behind(key: &str, figures: &Value) -> Vec<String> {
    match key {
        "leaks" => first(&figures["leaks"]["largest"], |one| {
            let bytes = binary_bytes(one["size_bytes"].as_u64().unwrap_or_default());
            format!("{}, handle {}: {bytes}", text(&one["name"]), count(&one["object"]))
        }),
        "debug_errors" | "debug_messages" => first(&figures["messages"], |one| {
            format!("{} {}: {}", text(&one["name"]), times(&one["count"]), text(&one["description"]))
        }),
        "driver_violations" => first(&figures["violations"], |one| {
            format!("{} {}: {}", text(&one["rule"]), times(&one["count"]), text(&one["description"]))
        }),
        "calls_failed" => first(&figures["failed"], |one| {
            format!("{} {}: {}", text(&one["call"]), times(&one["count"]), text(&one["hr"]))
        }),
        "calls_never_returned" => {
            first(&figures["never_returned"], |one| format!("{} {}", text(&one["call"]), times(&one["count"])))
        }
        "damaged_events" | "complete" => first(&figures["damage"], |one| text(one).to_owned()),
        _ => Vec::new(),
    }
}
