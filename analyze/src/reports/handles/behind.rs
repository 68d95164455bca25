//! What stands behind a broken limit on handles.

use crate::render::binary_bytes;
use crate::reports::behind::{NAMED, count, first, list, text, times};
use serde_json::Value;

fn bytes(value: &Value) -> String {
    binary_bytes(value.as_u64().unwrap_or_default())
}

pub(super) fn behind(key: &str, figures: &Value) -> Vec<String> {
    match key {
        "peak_bytes" | "peak_handles" | "peak" => {
            let mut types: Vec<&Value> = list(&figures["peak"]["by_type"]).iter().collect();
            let sum = |one: &Value| {
                one["immediate_bytes"].as_u64().unwrap_or_default() + one["deferred_bytes"].as_u64().unwrap_or_default()
            };
            types.sort_by_key(|one| std::cmp::Reverse(sum(one)));
            let line = |one: &&Value| {
                let (immediate, deferred) = (bytes(&one["immediate_bytes"]), bytes(&one["deferred_bytes"]));
                format!("{}: {immediate} in immediate contexts, {deferred} in deferred ones", text(&one["handle_type"]))
            };
            types.iter().take(NAMED).map(line).collect()
        }
        "shared_lines" | "contended_lines" | "ownership_moves" | "contended" => first(&figures["contended"], |line| {
            let named = |key: &str| list(&line[key]).iter().map(text).collect::<Vec<_>>().join(", ");
            let address = line["address"].as_u64().unwrap_or_default();
            let moved = times(&line["moves"]);
            format!("line 0x{address:x} moved {moved}: {} in {}", named("objects"), named("calls"))
        }),
        "violations" | "audits" | "lifetime_order_violations" => {
            let broken = list(&figures["audits"]).iter().filter(|audit| audit["findings"] != 0);
            let finding = |audit: &Value| {
                let told = text(&audit["told"][0]["description"]);
                format!("{} {}: {told}", text(&audit["rule"]), times(&audit["findings"]))
            };
            broken.take(NAMED).map(finding).collect()
        }
        "leaks" | "leaked" => first(&figures["leaked"], |leak| {
            format!("{} of {}: {}", count(&leak["handles"]), text(&leak["handle_type"]), bytes(&leak["bytes"]))
        }),
        "ran_out" => first(&figures["ran_out"], |one| {
            format!("context {}, {}: {}", one["context"], text(&one["call"]), times(&one["times"]))
        }),
        "cost" | "copies" | "contexts" => first(&figures["contexts"], |context| {
            let opened = bytes(&context["opened_bytes"]);
            format!("{} context {}: {opened} opened", text(&context["kind"]), context["context"])
        }),
        _ => Vec::new(),
    }
}
