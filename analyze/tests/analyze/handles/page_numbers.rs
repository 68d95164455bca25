//! Numbers in the page of a trace with high addresses and stamps.

use super::*;
use crate::pages::data;
use taut_analyze::page::{PageContext, page};
use taut_analyze::{Findings, REPORTS};

/// Largest magnitude of the integers in a JSON value.
fn max_integer(value: &Value) -> u64 {
    match value {
        Value::Object(members) => members.values().map(max_integer).max().unwrap_or_default(),
        Value::Array(elements) => elements.iter().map(max_integer).max().unwrap_or_default(),
        other => other.as_u64().or_else(|| other.as_i64().map(i64::unsigned_abs)).unwrap_or_default(),
    }
}

#[test]
fn a_page_has_addresses_as_text_and_no_integer_beyond_53_bits() {
    let mut w = TraceBuilder::new();
    w.stamp = 1 << 60;
    w.api_start(d3d11::Flush { context: IMMEDIATE });
    w.device_with_contexts();
    // Accesses to the handle that the last call created are not shared, so another one follows.
    w.blends_apart(3, 1 << 60, |_| 1);
    let handle = DriverHandle(device(DEFERRED[0]).0 + 0x10_0000 + (1 << 60));
    w.accessed(DEFERRED[0], &[(handle, 0, 8, true)]);
    w.accessed(DEFERRED[1], &[(handle, 16, 8, true)]);
    let analysis = Analysis::new(w.finish()).unwrap();
    let found = report("handles").unwrap().run(&analysis).unwrap().json;
    assert_eq!(found["contended"][0]["address"], handle.0);
    let findings = Findings::of(&analysis, REPORTS).unwrap();
    let page = page(&[("high".to_owned(), &analysis, &findings)], &PageContext::default()).unwrap();
    let data = data(&page);
    assert!(max_integer(&data) < 1 << 53, "{}", max_integer(&data));
    let reports = data["traces"][0]["reports"].as_array().unwrap();
    let handles = &reports.iter().find(|report| report["report"] == "handles").unwrap()["page_data"];
    assert_eq!(handles["lines"][0]["address"], format!("0x{:x}", handle.0));
    assert!(handles["stamps"][0].as_str().unwrap().parse::<u64>().unwrap() > 1 << 60);
}
