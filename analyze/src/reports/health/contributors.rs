//! Contributors to failed budget checks of the health report.

use super::{CallCount, FailedCalls, HealthFigures, LeakFigures, LeaksFigures, MessageFigures, ViolationFigures};
use crate::render::binary_bytes;
use crate::reports::contributors::{count, first, text, times};
use serde_json::Value;

pub(super) fn leaks(figures: &Value) -> Vec<String> {
    let key = LeakFigures::KEY;
    first(&figures[HealthFigures::KEY.leaks][LeaksFigures::KEY.largest], |one| {
        let bytes = binary_bytes(one[key.size_bytes].as_u64().unwrap_or_default());
        format!("{}, handle {}: {bytes}", text(&one[key.name]), count(&one[key.object]))
    })
}

pub(super) fn messages(figures: &Value) -> Vec<String> {
    let key = MessageFigures::KEY;
    first(&figures[HealthFigures::KEY.messages], |one| {
        format!("{} {}: {}", text(&one[key.name]), times(&one[key.count]), text(&one[key.description]))
    })
}

pub(super) fn violations(figures: &Value) -> Vec<String> {
    let key = ViolationFigures::KEY;
    first(&figures[HealthFigures::KEY.violations], |one| {
        format!("{} {}: {}", text(&one[key.rule]), times(&one[key.count]), text(&one[key.description]))
    })
}

pub(super) fn failed_calls(figures: &Value) -> Vec<String> {
    let key = FailedCalls::KEY;
    first(&figures[HealthFigures::KEY.failed], |one| {
        format!("{} {}: {}", text(&one[key.call]), times(&one[key.count]), text(&one[key.hr]))
    })
}

pub(super) fn open_calls(figures: &Value) -> Vec<String> {
    let key = CallCount::KEY;
    first(&figures[HealthFigures::KEY.never_returned], |one| {
        format!("{} {}", text(&one[key.call]), times(&one[key.count]))
    })
}

pub(super) fn damage(figures: &Value) -> Vec<String> {
    first(&figures[HealthFigures::KEY.damage], |one| text(one).to_owned())
}
