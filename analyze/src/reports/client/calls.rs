//! Calls, queries and objects of the report.

use super::work::WorkTracker;
use super::{InProgressFigures, LISTED, MethodFigures, ObjectFigures, QueryFigures, UnsupportedFigures};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::Events;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, HResultCode, Layer, Opcode, SchemaTable};

/// Interface and method of an API call, from the documentation of its line: `d3d12.h: ID3D12Heap::GetDesc.`
fn method(doc: &str, name: &str) -> (String, String) {
    let reference = doc.rsplit_once(".h: ").map(|(before, reference)| {
        let header = before.rsplit([' ', '\n']).next().unwrap_or_default();
        let end = |letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':');
        (header, reference.split(end).next().unwrap_or_default())
    });
    match reference.map(|(header, reference)| (header, reference.split_once("::"), reference)) {
        Some((_, Some((interface, method)), _)) => (interface.to_owned(), method.to_owned()),
        Some((header, None, function)) if !function.is_empty() => (format!("{header}.h"), function.to_owned()),
        _ => (String::new(), name.to_owned()),
    }
}

/// Calls by method, most frequent first.
pub(super) fn calls(analysis: &Analysis) -> Result<Vec<MethodFigures>, AnalyzeError> {
    let current = SchemaTable::current();
    let events = Events::new(&analysis.trace().header().schema);
    let api: Vec<EventCode> = events.of(Layer::Api, Opcode::Start).map(|event| event.code).collect();
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (code, count) in &analysis.trace().summary().codes {
        // Documentation is that of this build: the trace may have none.
        if let Some(event) = current.event(*code).filter(|_| api.contains(code)) {
            *counts.entry(method(&event.doc, &event.name)).or_default() += count;
        }
    }
    let mut calls: Vec<MethodFigures> =
        counts.into_iter().map(|((interface, method), count)| MethodFigures { interface, method, count }).collect();
    calls.sort_by_key(|calls| Reverse(calls.count));
    Ok(calls)
}

/// Queries of interfaces, most frequent first.
pub(super) fn queried(work: &WorkTracker) -> Vec<QueryFigures> {
    let queries = work.queried.iter().map(|((interface, result), count)| QueryFigures {
        interface: interface.clone(),
        returned: HResultCode(*result).name().map_or_else(|| format!("0x{result:08x}"), str::to_owned),
        count: *count,
    });
    let mut queries: Vec<QueryFigures> = queries.collect();
    queries.sort_by_key(|query| Reverse(query.count));
    queries
}

/// Methods that were not executed, most frequent first.
pub(super) fn unsupported(work: &WorkTracker) -> Vec<UnsupportedFigures> {
    let methods = work.unsupported.iter().map(|((interface, slot, method), count)| UnsupportedFigures {
        interface: interface.clone(),
        method: method.clone(),
        slot: *slot,
        count: *count,
    });
    let mut methods: Vec<UnsupportedFigures> = methods.collect();
    methods.sort_by_key(|method| Reverse(method.count));
    methods
}

/// Calls of released objects, most frequent first.
pub(super) fn after_release(work: &WorkTracker) -> Vec<MethodFigures> {
    let calls = work.after_release.iter().map(|((interface, method), count)| MethodFigures {
        interface: interface.clone(),
        method: method.clone(),
        count: *count,
    });
    let mut calls: Vec<MethodFigures> = calls.collect();
    calls.sort_by_key(|calls| Reverse(calls.count));
    calls
}

/// Objects by kind.
pub(super) fn objects(work: &WorkTracker) -> Vec<ObjectFigures> {
    let objects = work.objects.iter().map(|(kind, objects)| ObjectFigures {
        kind: (*kind).to_owned(),
        created: objects.created,
        alive: objects.alive.len() as u64,
        names: objects.alive.values().filter(|name| !name.is_empty()).take(LISTED).cloned().collect(),
    });
    objects.collect()
}

/// The first calls that had not returned at the end.
pub(super) fn in_progress(analysis: &Analysis) -> Result<Vec<InProgressFigures>, AnalyzeError> {
    let events = Events::new(&analysis.trace().header().schema);
    let api = events.api_calls();
    let open = analysis.health()?.first_never_returned.iter();
    let open = open.filter(|(call, _)| api.get(usize::from(call.code.0)).is_some_and(|is_api| *is_api));
    let name = |code| events.event(code).map_or_else(String::new, |event| event.name.clone());
    Ok(open.take(LISTED).map(|(call, thread)| InProgressFigures { thread: *thread, call: name(call.code) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_of_a_line_is_that_of_its_documentation() {
        let found = |doc| method(doc, "Name");
        let pair = |interface: &str, method: &str| (interface.to_owned(), method.to_owned());
        assert_eq!(found("Creates a heap. d3d12.h: ID3D12Device::CreateHeap."), pair("ID3D12Device", "CreateHeap"));
        assert_eq!(found("Creates the device. d3d12.h: D3D12CreateDevice."), pair("d3d12.h", "D3D12CreateDevice"));
        assert_eq!(found("No source."), pair("", "Name"));
    }

    #[test]
    fn each_call_of_d3d12_has_an_interface() {
        let table = SchemaTable::current();
        let calls = table.events.iter().filter(|event| event.layer == Layer::Api && event.opcode == Opcode::Start);
        for event in calls.filter(|event| event.doc.contains("d3d12.h")) {
            let (interface, method) = method(&event.doc, &event.name);
            assert!(!interface.is_empty() && !method.is_empty(), "{}: {}", event.name, event.doc);
        }
    }
}
