//! Chart data for the page: handles and bytes over time.

use super::LineFigures;
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::ValueNames;
use crate::handles::Key;
use serde_json::{Value, json};
use taut_schemas::HandleType;

/// Contended lines of the figures with addresses as the text that the page shows, `0x1000000100000080`: JavaScript rounds
/// integers beyond 53 bits.
fn lines_with_hexadecimal_addresses(lines: &Value) -> Value {
    let mut lines = lines.clone();
    for line in lines.as_array_mut().into_iter().flatten() {
        let address = line[LineFigures::KEY.address].as_u64();
        line[LineFigures::KEY.address] = address.map(|address| format!("0x{address:x}")).into();
    }
    lines
}

pub(super) fn page_data(analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
    let tracker = analysis.handles()?;
    let types = ValueNames::<HandleType>::new(&analysis.trace().header().schema);
    let timed = analysis.time_ns(1).is_some();
    let first = tracker.totals.series.stamps().next().unwrap_or_default();
    let at = |stamp: u64| {
        let since = stamp.saturating_sub(first);
        analysis.time_ns(since).map_or(since as f64, |ns| ns as f64 / 1e6)
    };
    let at: Vec<f64> = tracker.totals.series.stamps().map(at).collect();
    let (mut handles, mut bytes, mut of_types, mut of_contexts) = (Value::Null, Value::Null, Vec::new(), Vec::new());
    for (key, values) in tracker.totals.series.lines() {
        let line = |name: String| json!({ "name": name, "values": values });
        match key {
            Key::Handles => handles = json!(values),
            Key::Bytes => bytes = json!(values),
            Key::Type(handle_type) => of_types.push(line(types.of(&HandleType(handle_type)))),
            Key::Context(place) => {
                let context = tracker.contexts.get(place as usize);
                let kind = if context.is_some_and(|context| context.is_immediate) { "immediate" } else { "deferred" };
                of_contexts.push(line(format!("{kind} {}", context.map_or(0, |context| context.id))));
            }
            Key::OtherContexts => of_contexts.push(line("others".to_owned())),
        }
    }
    let cost = tracker
        .totals
        .projected()
        .map(|(contexts, one)| json!({ "contexts": contexts, "handles": one.handles, "bytes": one.bytes }));
    Ok(json!({
        "unit": if timed { "ms" } else { "ticks" },
        "at": at,
        "stamps": tracker.totals.series.stamps().map(|stamp| stamp.to_string()).collect::<Vec<_>>(),
        "lines": lines_with_hexadecimal_addresses(&figures["contended"]),
        "line_bytes": figures["cache_line_bytes"],
        "handles": handles,
        "bytes": bytes,
        "by_type": of_types,
        "by_context": of_contexts,
        "estimate": cost.collect::<Vec<_>>(),
    }))
}
