//! Traces with events of Windows, and their report.

use serde_json::{Value, json};
use taut_analyze::render::Part;
use taut_analyze::{Analysis, report};
use taut_schemas::windows::{
    AllocationStart, AllocationStop, BackgroundWorkStart, BackgroundWorkStop, DmaPacketStart, DmaPacketStop, Eviction,
    KernelPresent, MakeResidentStart, MakeResidentStop, ObjectAllocations, PageIn, PipelineLookups, PipelineStart,
    PipelineStop, PresentFlip, ProcessCommitment, ProcessUsage, QueuePacketStart, QueuePacketStop, SegmentBytes,
    SwapChainResize, SwapChainResizeStart, SwapChainStart, VerticalSync, WindowsEvent,
};
use taut_schemas::{
    EtwAttributes, EventCode, EventSchema, FieldKind, FieldSchema, Layer, Level, Opcode, ProviderSchema, Role,
    ScalarSchema, SchemaTable, Slot,
};
use taut_traces::{Header, StreamInfo, Ticks, Trace, TraceWriter, Workload, World, WriteOptions};

/// Process and thread of all events.
const STREAM: StreamInfo = StreamInfo { stream: 1, process: 77, system_thread: 5, name: String::new() };

/// Events of an imported trace: those that the builder was called with, in their order.
#[derive(Default)]
struct ImportedTrace {
    table: SchemaTable,
    /// Code, stamp and values of each event.
    events: Vec<(EventCode, u64, Vec<u64>)>,
}

impl ImportedTrace {
    /// Adds an event whose fields are numbers of 8 bytes.
    fn event<E: WindowsEvent>(&mut self, stamp: u64, values: &[u64]) {
        assert_eq!(values.len(), E::FIELDS.len());
        let etw = EtwAttributes { id: E::IDS[0], ..EtwAttributes::default() };
        let known = self.table.events.iter().find(|event| event.provider == E::PROVIDER && event.etw == Some(etw));
        let code = known.map(|event| event.code).unwrap_or_else(|| self.define::<E>(etw));
        self.events.push((code, stamp, values.to_vec()));
    }

    fn define<E: WindowsEvent>(&mut self, etw: EtwAttributes) -> EventCode {
        let mut appender = self.table.append_events();
        let provider = ProviderSchema::from_name(E::PROVIDER, 1);
        appender.provider(ProviderSchema { uuid: E::PROVIDER.to_owned(), ..provider });
        let field = |name: &&str| FieldSchema {
            name: (*name).to_owned(),
            doc: String::new(),
            kind: FieldKind::Scalar(ScalarSchema {
                name: (*name).to_owned(),
                width_bytes: 8,
                role: Role::Value,
                space: None,
                slot: Slot::new(Role::Value, false),
                code: None,
                doc: String::new(),
            }),
        };
        let event = EventSchema {
            code: EventCode(0),
            name: format!("Event_{}", etw.id),
            provider: E::PROVIDER.to_owned(),
            layer: Layer::Mark,
            opcode: Opcode::Info,
            level: Level::Info,
            keywords: 0,
            etw: Some(etw),
            doc: String::new(),
            fields: E::FIELDS.iter().map(field).collect(),
        };
        appender.event(event).unwrap()
    }

    /// The trace. `lost` is the number of events that Windows lost.
    fn finish(self, lost: u64) -> Trace {
        let counts = json!([
            {"provider": null, "header": "kernel", "id": 0, "version": 2, "number": 1, "imported": 0, "described": false},
            {"provider": "p", "header": "event", "id": 1, "version": 0, "number": 9, "imported": 9, "described": true},
        ]);
        let parameters = json!({
            "origin": Workload::IMPORTED, "session": "s", "windows_build": 22_000, "processors": 4,
            "start_utc": "2020-01-01T00:00:00Z", "events_lost": lost, "buffers_lost": 0, "counts": counts,
        });
        let parameters = serde_json::from_value(parameters).unwrap();
        let world = World {
            workload: Workload { name: "capture.etl".to_owned(), parameters },
            clock: Ticks { source: "windows".to_owned(), ticks_per_second: 1_000_000 },
            ..World::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("imported.taut");
        let header = Header { schema: self.table, world, ..Header::default() };
        let writer = TraceWriter::create(&path, header, WriteOptions::default()).unwrap();
        let mut thread = writer.stream(STREAM);
        for (code, stamp, values) in self.events {
            thread.event(code, stamp, |row| values.iter().for_each(|value| row.u64(*value)));
        }
        drop(thread);
        writer.finish().unwrap();
        Trace::from_bytes(std::fs::read(path).unwrap()).unwrap()
    }
}

/// A trace in which every figure of the report has a value.
pub fn imported_trace() -> Trace {
    let mut trace = ImportedTrace::default();
    for start in [10, 30_010] {
        trace.event::<PresentFlip>(start, &[0]);
        trace.event::<QueuePacketStart>(start + 1, &[0xC0, 3, start, 1]);
        trace.event::<KernelPresent>(start + 2, &[0x10, 0x400_0000]);
        trace.event::<VerticalSync>(start + 3, &[0, start << 32]);
    }
    trace.event::<DmaPacketStart>(40_000, &[0xC0, 0, 1]);
    trace.event::<DmaPacketStop>(41_000, &[0xC0, 1]);
    trace.event::<SegmentBytes>(42_000, &[1, 2, 4096]);
    trace.event::<ProcessUsage>(43_000, &[77, 0, 500]);
    trace.event::<ProcessCommitment>(44_000, &[77, 0, 600]);
    trace.event::<AllocationStart>(45_000, &[77, 1, 65_536, 4096, 2, 0, 0, 0]);
    trace.event::<AllocationStop>(46_000, &[77, 9, 4096, 4096, 2, 0, 0, 0]);
    trace.event::<BackgroundWorkStart>(47_000, &[1]);
    trace.event::<BackgroundWorkStop>(48_000, &[1]);
    trace.event::<QueuePacketStop>(48_100, &[0xC0, 3, 30_010]);
    trace.event::<SwapChainStart>(48_200, &[0x5C, 0x11, 2, 640, 480, 28, 4, 1, 1, 3, 0]);
    trace.event::<SwapChainResize>(48_300, &[0x5C, 0, 3, 800, 600, 28, 1, 1, 3, 5]);
    trace.event::<MakeResidentStart>(48_400, &[6]);
    trace.event::<MakeResidentStop>(48_700, &[0xC000_0017, 65_536]);
    trace.event::<PageIn>(48_800, &[0xA1, 1]);
    trace.event::<Eviction>(48_900, &[0xA1]);
    trace.event::<ObjectAllocations>(48_950, &[0xA2, 2, 3]);
    trace.event::<PipelineStart>(49_000, &[]);
    trace.event::<PipelineLookups>(49_500, &[4, 2, 1]);
    trace.event::<PipelineStop>(50_010, &[]);
    trace.finish(0)
}

fn figures(trace: Trace) -> Value {
    report("windows").unwrap().run(&Analysis::new(trace).unwrap()).unwrap().json
}

#[test]
fn each_figure_of_the_windows_report_follows_from_its_events() {
    let found = figures(imported_trace());
    let presents = json!([{
        "process": 77, "process_name": null, "path": "hardware_legacy_flip", "presents": 2, "shown": 2,
        "cross_adapter": 2, "interval_ms_p50": 30.0, "interval_ms_p99": 30.0,
    }]);
    assert_eq!(found["presents"], presents);
    let object_allocations = json!({"objects": 1, "address_ranges": 2, "kernel_allocations": 3, "without_creation": 1});
    assert_eq!(found["object_allocations"], object_allocations);
    let gpu = json!([{
        "process": 77, "process_name": null, "engine": null, "packets": 1, "busy_ns": 1_000_000, "busy_ratio": 0.02,
    }]);
    assert_eq!(found["gpu"], gpu);
    assert_eq!(found["segments"][0]["max_bytes"], 4096);
    let memory = json!([{
        "process": 77, "process_name": null, "segment_group": 0, "max_usage_bytes": 500, "max_commitment_bytes": 600,
        "curve": [{"at_ns": 42_990_000, "in_use_bytes": 500}],
    }]);
    assert_eq!(found["process_memory"], memory);
    let classes = json!([{"alignment_bytes": 4096, "allocations": 2, "size_bytes": 69_632}]);
    let allocations = json!({"started": 1, "destroyed": 1, "from_before": 1, "by_alignment": classes});
    assert_eq!(found["allocations"], allocations);
    assert_eq!(found["background_work"][0]["total_ns"], 1_000_000);
    let queue = &found["queues"][0];
    // Of two packets one leaves, 18,089 ticks of 1 us after its submission.
    assert_eq!((&queue["queued_packets"], &queue["max_queue_depth"]), (&2.into(), &2.into()), "{queue}");
    assert_eq!((&queue["queue_waits"], &queue["mean_queued_ns"]), (&0.into(), &18_089_000.into()), "{queue}");
    let chain = &found["swap_chains"][0];
    for (key, value) in
        [("buffers", 3), ("width", 800), ("height", 600), ("swap_effect", 4), ("resizes", 1), ("fallback_reason", 5)]
    {
        assert_eq!(chain[key], value, "{key}");
    }
    assert_eq!(chain["copied_bytes_per_frame"], Value::Null);
    assert_eq!((&chain["resize_ns"], &chain["is_from_before"]), (&Value::Null, &false.into()), "{chain}");
    let residency = &found["residency"];
    assert_eq!((&residency["refused"], &residency["trim_bytes"]), (&1.into(), &65_536.into()), "{residency}");
    assert_eq!((&residency["max_ns"], &residency["evictions"]), (&300_000.into(), &1.into()), "{residency}");
    let pipelines =
        json!({"created": 1, "total_ns": 1_010_000, "max_ns": 1_010_000, "cache_lookups": 4, "cache_hits": 3});
    assert_eq!(found["pipelines"], pipelines);
    let undecoded = json!([{"provider": "Windows Kernel", "id": 0, "version": 2, "events": 1}]);
    assert_eq!((&found["undecoded"], &found["file_events"]), (&undecoded, &10.into()));
    assert_eq!((&found["span_ns"], &found["streams"], &found["processes"]), (&50_000_000.into(), &1.into(), &1.into()));
}

#[test]
fn the_table_of_swap_chains_states_the_time_of_resizes_and_chains_from_before_the_trace() {
    let mut trace = ImportedTrace::default();
    trace.event::<SwapChainStart>(10, &[0x5C, 0x11, 2, 640, 480, 28, 4, 1, 1, 3, 0]);
    trace.event::<SwapChainResizeStart>(20, &[0x5D, 2, 640, 480, 28, 1, 1, 3, 0]);
    trace.event::<SwapChainResize>(270, &[0x5D, 0, 3, 800, 600, 28, 1, 1, 3, 5]);
    trace.event::<VerticalSync>(300, &[0, 0]);
    let result = report("windows").unwrap().run(&Analysis::new(trace.finish(0)).unwrap()).unwrap();
    let tables = result.document.parts.iter().filter_map(|part| match part {
        Part::Table(table) if table.caption.starts_with("Swap chains") => Some(table),
        _ => None,
    });
    let [table] = tables.collect::<Vec<_>>()[..] else { panic!("one table of swap chains") };
    let titles: Vec<&str> = table.headings.iter().map(|heading| heading.title.as_str()).collect();
    assert_eq!(titles[8..], ["Resizes", "Resize time", "Created"]);
    let ends: Vec<&[String]> = table.rows.iter().map(|row| &row[8..]).collect();
    assert_eq!(ends, [["0", "–", "in the trace"], ["1", "250.00 µs", "before the trace"]]);
}

/// A trace with one event: the figures of the other events are null, and `missing` names them.
#[test]
fn a_section_without_events_is_null_and_missing() {
    let mut trace = ImportedTrace::default();
    trace.event::<KernelPresent>(5, &[0x10, 0]);
    let found = figures(trace.finish(3));
    for absent in ["gpu", "segments", "process_memory", "allocations", "background_work", "pipelines"] {
        assert_eq!(found[absent], Value::Null, "{absent}");
        let missing = found["missing"].as_array().unwrap();
        assert!(missing.iter().any(|one| one["figure"] == absent), "{absent}: {missing:?}");
    }
    // The end of a present from before the trace is no present.
    assert_eq!((&found["presents"], &found["unknown_path_ratio"]), (&json!([]), &Value::Null));
    assert_eq!((&found["pairs"]["ends_without_start"], &found["lost_events"]), (&1.into(), &3.into()));
    let sentence = found["verdict"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Incomplete trace:"), "{sentence}");
}

#[test]
fn a_present_without_events_of_the_display_has_an_unknown_number_of_displays() {
    let mut trace = ImportedTrace::default();
    trace.event::<PresentFlip>(5, &[0]);
    let found = figures(trace.finish(0));
    assert_eq!((&found["presents"][0]["presents"], &found["presents"][0]["shown"]), (&1.into(), &Value::Null));
    assert_eq!(found["presents"][0]["cross_adapter"], Value::Null);
    let missing = found["missing"].as_array().unwrap();
    assert!(missing.iter().any(|one| one["figure"] == "presents.shown"), "{missing:?}");
}

#[test]
fn a_recording_is_no_trace_of_windows() {
    let analysis = Analysis::new(crate::golden::trace()).unwrap();
    let why = report("windows").unwrap().not_applicable(&analysis).unwrap();
    assert!(why.is_some_and(|why| why.contains("not imported")));
}

#[test]
fn reports_of_sessions_state_why_they_do_not_apply_to_a_trace_of_windows() {
    let analysis = Analysis::new(imported_trace()).unwrap();
    for (name, expected) in
        [("alignment", "no events of heaps and resources"), ("pgo", "not available"), ("present", "`windows`")]
    {
        let why = report(name).unwrap().not_applicable(&analysis).unwrap();
        assert!(why.as_ref().is_some_and(|why| why.contains(expected)), "{name}: {why:?}");
    }
}
