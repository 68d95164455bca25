//! What stands behind a broken limit on alignment: the resources for which it wastes most.

use crate::render::binary_bytes_signed;
use crate::reports::behind::{count, first, text};
use serde_json::Value;

pub(super) fn behind(figures: &Value) -> Vec<String> {
    first(&figures["worst"], |one| {
        let waste = binary_bytes_signed(one["waste_alike_bytes"].as_i64().unwrap_or_default());
        format!("{} ({} alike) wastes {waste}: {}", text(&one["name"]), count(&one["alike"]), text(&one["advice"]))
    })
}
