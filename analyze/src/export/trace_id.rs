//! Identification of a trace in files for other tools.

use crate::events::InputHead;
use taut_traces::Trace;

/// Returns an id derived from the trace's contents, as 16 hexadecimal digits. The id does not depend on the file's name.
/// The ids of two recordings differ because of their identities, or in format version 0 because of their stamps.
pub fn trace_id(trace: &Trace) -> String {
    let (header, summary) = (trace.header(), trace.summary());
    let text = format!("{} {:?} {summary:?}", header.identity.id, header.world);
    // 64-bit FNV-1a.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

/// Metadata of a trace in derived files: id, driver, rules, workload, clock, losses.
pub fn trace_keys(trace: &Trace) -> Vec<(String, String)> {
    let head = InputHead::new(trace);
    let (clock, summary) = (head.clock(), head.summary());
    let keys = [
        ("tautline.trace_id", trace_id(trace)),
        ("tautline.driver", head.driver()),
        ("tautline.rules", head.rules().to_owned()),
        ("tautline.workload", head.workload().name.clone()),
        ("tautline.clock", clock.source.clone()),
        ("tautline.ticks_per_second", clock.ticks_per_second.to_string()),
        ("tautline.events", summary.events.to_string()),
        ("tautline.lost_events", summary.lost_events.to_string()),
        ("tautline.complete", summary.complete.to_string()),
    ];
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
