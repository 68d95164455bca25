//! What stands behind a broken limit on background processing: what audits found, or the last passes.

use crate::reports::behind::{NAMED, count, list, text, times};
use serde_json::Value;

pub(super) fn behind(key: &str, figures: &Value) -> Vec<String> {
    match key {
        "audits" | "audits_failed" | "advice_not_followed" => {
            let broken = list(&figures["audits"]).iter().filter(|one| one["ok"] == false);
            let finding = |one: &Value| {
                let first = text(&one["first"][0]["description"]);
                format!("{} ({}) {}: {first}", text(&one["name"]), text(&one["rule"]), times(&one["findings"]))
            };
            broken.take(NAMED).map(finding).collect()
        }
        "converged" | "passes" => {
            let passes = list(&figures["by_pass"]);
            let pass = |one: &Value| {
                let found = match one["opportunities"].as_u64() {
                    Some(1) => "1 opportunity".to_owned(),
                    _ => format!("{} opportunities", count(&one["opportunities"])),
                };
                format!("pass {}, {}: {found} found", count(&one["pass"]), text(&one["mode"]))
            };
            passes[passes.len().saturating_sub(NAMED)..].iter().map(pass).collect()
        }
        _ => Vec::new(),
    }
}
