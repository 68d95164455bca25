//! SQL text over a small trace: parsed and planned, and with an odd first byte executed. The result is an answer or an
//! error with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use taut_analyze::Analysis;
use taut_tables::sql::{NamedTrace, Query};
use taut_traces::Trace;

/// Tables of a trace of 15 records.
fn query() -> &'static Query {
    static QUERY: OnceLock<Query> = OnceLock::new();
    QUERY.get_or_init(|| {
        let trace = Trace::from_bytes(taut_fuzz::trace(5)).unwrap();
        Query::new(vec![NamedTrace::new("x", Analysis::new(trace).unwrap())])
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Some((form, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A product of tables is a legitimate query that takes long.
    let error = if form & 1 == 1 && text.len() < 200 { query().run(text).err() } else { query().explain(text).err() };
    if let Some(error) = error {
        assert!(!error.to_string().is_empty());
    }
});
