//! Contributors to failed budget checks of the handles report.

use super::{
    AuditFigures, ContextFigures, FindingFigures, HandlesFigures, LeakFigures, LineFigures, OutOfMemoryFigures,
    PeakFigures, TypeFigures,
};
use crate::render::binary_bytes;
use crate::reports::contributors::{NAMED, count, first, list, text, times};
use serde_json::Value;

fn bytes(value: &Value) -> String {
    binary_bytes(value.as_u64().unwrap_or_default())
}

pub(super) fn types(figures: &Value) -> Vec<String> {
    let key = TypeFigures::KEY;
    let mut types: Vec<&Value> = list(&figures[HandlesFigures::KEY.peak][PeakFigures::KEY.by_type]).iter().collect();
    let sum = |one: &Value| {
        one[key.immediate_bytes].as_u64().unwrap_or_default() + one[key.deferred_bytes].as_u64().unwrap_or_default()
    };
    types.sort_by_key(|one| std::cmp::Reverse(sum(one)));
    let line = |one: &&Value| {
        let (immediate, deferred) = (bytes(&one[key.immediate_bytes]), bytes(&one[key.deferred_bytes]));
        format!("{}: {immediate} in immediate contexts, {deferred} in deferred ones", text(&one[key.handle_type]))
    };
    types.iter().take(NAMED).map(line).collect()
}

pub(super) fn cache_lines(figures: &Value) -> Vec<String> {
    let key = LineFigures::KEY;
    first(&figures[HandlesFigures::KEY.contended], |line| {
        let named = |key: &str| list(&line[key]).iter().map(text).collect::<Vec<_>>().join(", ");
        let address = line[key.address].as_u64().unwrap_or_default();
        let moved = times(&line[key.transfers]);
        format!("line 0x{address:x} moved {moved}: {} in {}", named(key.objects), named(key.calls))
    })
}

pub(super) fn audits(figures: &Value) -> Vec<String> {
    let key = AuditFigures::KEY;
    let broken = list(&figures[HandlesFigures::KEY.audits]).iter().filter(|audit| audit[key.findings] != 0);
    let finding = |audit: &Value| {
        let first_finding = text(&audit[key.first_findings][0][FindingFigures::KEY.description]);
        format!("{} {}: {first_finding}", text(&audit[key.rule]), times(&audit[key.findings]))
    };
    broken.take(NAMED).map(finding).collect()
}

pub(super) fn leaks(figures: &Value) -> Vec<String> {
    let key = LeakFigures::KEY;
    first(&figures[HandlesFigures::KEY.leaked], |leak| {
        format!("{} of {}: {}", count(&leak[key.handles]), text(&leak[key.handle_type]), bytes(&leak[key.bytes]))
    })
}

pub(super) fn out_of_memory(figures: &Value) -> Vec<String> {
    let key = OutOfMemoryFigures::KEY;
    first(&figures[HandlesFigures::KEY.out_of_memory], |one| {
        format!("context {}, {}: {}", one[key.context], text(&one[key.call]), times(&one[key.times]))
    })
}

pub(super) fn contexts(figures: &Value) -> Vec<String> {
    let key = ContextFigures::KEY;
    first(&figures[HandlesFigures::KEY.contexts], |context| {
        let opened = bytes(&context[key.opened_bytes]);
        format!("{} context {}: {opened} opened", text(&context[key.kind]), context[key.context])
    })
}
