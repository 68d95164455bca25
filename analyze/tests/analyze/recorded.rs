//! Rules of reconstructing a world from a trace.

use crate::plain_text::draw;
use crate::trace_builder::TraceBuilder;
use taut_analyze::memory::Backing;
use taut_analyze::render::Part;
use taut_analyze::reports::alignment::AlignmentFigures;
use taut_analyze::{Analysis, AnalyzeError, Findings, applicable_reports, report};
use taut_schemas::{Call, MessageId, ObjectId, Role, Slot};
use taut_schemas::{
    DdiHeapDesc, Dimension, EventCode, Field, FieldKind, HResult, HResultCode, HeapDesc, HeapId, HeapProperties,
    HeapType, MessageSeverity, Opcode, ResourceDesc, ResourceFlags, ResourceId, ScalarSchema, SchemaTable, d3d12,
    d3d12_ddi, mark,
};
use taut_tables::table;
use taut_traces::Trace;

pub fn tight_buffer(width: u64) -> ResourceDesc {
    let flags = ResourceFlags::USE_TIGHT_ALIGNMENT;
    ResourceDesc { dimension: Dimension::BUFFER, width, height: 1, flags, ..Default::default() }
}

impl TraceBuilder {
    pub fn create_heap(&mut self, heap: u64, size_bytes: u64) {
        let desc = HeapDesc { size_bytes, ..Default::default() };
        self.api(d3d12::CreateHeap { desc, ..Default::default() }, Ok(HeapId(heap)), |_| {});
    }

    pub fn create_placed(&mut self, (resource, heap, heap_offset_bytes): (u64, u64, u64), width: u64) {
        let (heap, desc) = (HeapId(heap), tight_buffer(width));
        let call = d3d12::CreatePlacedResource { heap, heap_offset_bytes, desc, ..Default::default() };
        self.api(call, Ok(ResourceId(resource)), |w| w.check((width, 256)));
    }

    pub fn create_committed(&mut self, resource: u64, width: u64, answers: &[(u64, u64)]) {
        let call = d3d12::CreateCommittedResource { desc: tight_buffer(width), ..Default::default() };
        self.api(call, Ok(ResourceId(resource)), |w| answers.iter().for_each(|answer| w.check(*answer)));
    }

    pub fn release(&mut self, resource: u64) {
        self.api(d3d12::ReleaseResource { resource: ResourceId(resource) }, Ok(()), |_| {});
    }

    pub fn release_heap(&mut self, heap: u64) {
        self.api(d3d12::ReleaseHeap { heap: HeapId(heap) }, Ok(()), |_| {});
    }
}

fn figures(trace: Trace) -> AlignmentFigures {
    AlignmentFigures::of(Analysis::new(trace).unwrap().world().unwrap())
}

#[test]
fn a13_size_in_bytes_is_the_driver_s_size_rounded_up_to_its_alignment() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    trace_builder.create_placed((2, 1, 0), 1000);
    let figures = figures(trace_builder.finish());
    assert_eq!((figures.peak.all.requested_bytes, figures.peak.all.allocated_bytes), (1000, 1024));
    assert_eq!((figures.peak.all.rounding_bytes, figures.peak.all.padded_64k_bytes), (24, 65536));
}

#[test]
fn a21_the_first_answer_is_the_resource_s_and_the_second_its_implicit_heap_s() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_committed(1, 1000, &[(1000, 256), (1000, 4096)]);
    let all = figures(trace_builder.finish()).peak.all;
    assert_eq!((all.allocated_bytes, all.granularity_bytes), (1024, 4096 - 1024));
}

#[test]
fn a40_one_answer_serves_for_both_and_an_implicit_heap_is_whole_pages() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_committed(1, 1000, &[(1000, 8)]);
    let all = figures(trace_builder.finish()).peak.all;
    assert_eq!((all.allocated_bytes, all.granularity_bytes), (1000, 4096 - 1000));
}

#[test]
fn create_heap_and_resource_reports_the_implicit_heap_size() {
    let mut trace_builder = TraceBuilder::new();
    let heap_properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let call = d3d12::CreateCommittedResource { desc: tight_buffer(1000), heap_properties, ..Default::default() };
    trace_builder.api(call, Ok(ResourceId(1)), |w| {
        w.check((1000, 256));
        let heap_desc = DdiHeapDesc { size_bytes: 2 << 20, ..Default::default() };
        let call = d3d12_ddi::CreateHeapAndResource { heap_desc: Some(heap_desc), ..Default::default() };
        w.ddi(call, Ok(Default::default()));
    });
    let trace = trace_builder.finish();
    let analysis = Analysis::new(trace).unwrap();
    let backing = Backing::Committed { implicit_heap_bytes: 2 << 20, heap_type: HeapType::UPLOAD };
    assert_eq!(analysis.world().unwrap().resources[0].backing, backing);
}

#[test]
fn calls_that_fail_or_never_return_create_and_release_nothing() {
    let mut trace_builder = TraceBuilder::new();
    let failed: HResult<HeapId> = Err(HResultCode::E_INVALIDARG);
    trace_builder.api(d3d12::CreateHeap { desc: HeapDesc::default(), ..Default::default() }, failed, |_| {});
    trace_builder.create_heap(1, 4096);
    trace_builder.api(d3d12::ReleaseHeap { heap: HeapId(1) }, Err(HResultCode::E_HANDLE), |_| {});
    trace_builder.api_start(d3d12::CreateHeap {
        desc: HeapDesc { size_bytes: 8192, ..Default::default() },
        ..Default::default()
    });
    let figures = figures(trace_builder.finish());
    assert_eq!((figures.totals.heaps, figures.end.heap_bytes), (1, 4096));
}

#[test]
fn reserved_resources_and_those_of_unknown_size_are_in_no_sum() {
    let mut trace_builder = TraceBuilder::new();
    let call = d3d12::CreateReservedResource { desc: tight_buffer(1000), ..Default::default() };
    trace_builder.api(call, Ok(ResourceId(1)), |w| w.check((1000, 256)));
    trace_builder.create_committed(2, 1000, &[]);
    trace_builder.release(7);
    let figures = figures(trace_builder.finish());
    assert_eq!((figures.totals.reserved, figures.totals.all.resources, figures.peak.all.allocated_bytes), (1, 0, 0));
    assert_eq!((figures.gaps.resources_without_size, figures.gaps.releases_of_unknown_objects), (1, 1));
}

#[test]
fn a_resource_may_outlive_its_heap_and_then_lies_in_none() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    trace_builder.create_placed((2, 1, 0), 1024);
    trace_builder.release_heap(1);
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let end = AlignmentFigures::of(analysis.world().unwrap()).end;
    assert_eq!((end.all.placed_bytes, end.heaps, end.layout.covered_bytes), (1024, 0, 0));
    let placements = table("placements").unwrap().frame(&analysis, None).unwrap();
    let outlives = placements.column("outlives_heap").unwrap();
    assert_eq!(outlives.bool().unwrap().get(0), Some(true));
}

#[test]
fn lines_are_numbered_from_a_log_position_over_all_threads() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    trace_builder.mark(mark::LogPosition { seq: 40 });
    trace_builder.mark(mark::WorkloadPhase::default());
    trace_builder.thread = 5;
    trace_builder.create_placed((2, 1, 0), 256);
    trace_builder.thread = 0;
    trace_builder.create_placed((3, 1, 256), 256);
    trace_builder.thread = 5;
    trace_builder.release(3);
    let figures = figures(trace_builder.finish());
    assert_eq!((figures.peak.at_seq, figures.end.at_seq), (Some(42), Some(43)));
    assert_eq!(figures.peaks.heap_bytes.at_seq, None);
}

#[test]
fn without_a_log_position_no_line_has_a_number() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    let trace = trace_builder.finish();
    let json = report("alignment").unwrap().run(&Analysis::new(trace).unwrap()).unwrap().json;
    assert!(json["peak_real"]["at_stamp"].is_u64());
    assert_eq!(json["peak_real"].get("at_seq"), None);
}

#[test]
fn messages_belong_to_the_call_that_emits_them() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    trace_builder.api(d3d12::ReleaseHeap { heap: HeapId(1) }, Ok(()), |w| {
        w.mark(mark::DebugMessage {
            severity: MessageSeverity::WARNING,
            message_id: MessageId::LIVE_HEAP,
            object: ObjectId(1),
            description: "text".to_owned(),
        });
        w.mark(mark::DriverViolation { rule: "A-25".to_owned(), lint: true, ..Default::default() });
    });
    let trace = trace_builder.finish();
    let analysis = Analysis::new(trace).unwrap();
    let messages = table("messages").unwrap().frame(&analysis, None).unwrap();
    let text = |column: &str, row| messages.column(column).unwrap().get(row).unwrap().str_value().to_string();
    assert_eq!(
        ["call", "kind", "severity", "id"].map(|column| text(column, 0)),
        ["1", "debug_message", "WARNING", "LIVE_HEAP"]
    );
    assert_eq!(
        ["call", "kind", "severity", "id"].map(|column| text(column, 1)),
        ["1", "driver_violation", "lint", "A-25"]
    );
}

#[test]
fn a_field_of_a_later_version_is_a_column() {
    let mut schema = SchemaTable::current();
    let code = EventCode::new(d3d12::ReleaseHeap::ID, Opcode::Start);
    let event = schema.events.iter_mut().find(|event| event.code == code).unwrap();
    let (name, doc) = ("reason.code".to_owned(), String::new());
    let slot = Slot::new(Role::Value, false);
    let (role, space, code) = (Role::Value, None, None);
    let scalar = ScalarSchema { name: name.clone(), width_bytes: 4, role, space, slot, code, doc: doc.clone() };
    event.fields.push(taut_schemas::FieldSchema { name, doc, kind: FieldKind::Scalar(scalar) });
    let mut trace_builder = TraceBuilder::with_schema(schema);
    trace_builder.create_heap(1, 65536);
    trace_builder.event(d3d12::ReleaseHeap::ID, Opcode::Start, |row| {
        row.u64(0);
        d3d12::ReleaseHeap { heap: HeapId(1) }.encode(row);
        row.u32(77);
    });
    let released: HResult<()> = Ok(());
    trace_builder.event(d3d12::ReleaseHeap::ID, Opcode::Stop, |row| released.encode(row));
    let trace = trace_builder.finish();
    let analysis = Analysis::new(trace).unwrap();
    let column =
        table("calls").unwrap().frame(&analysis, None).unwrap().column("reason_code").unwrap().i64().unwrap().clone();
    assert_eq!((column.get(0), column.get(1)), (None, Some(77)));
    assert_eq!(analysis.world().unwrap().heaps[0].released.map(|turn| turn.0), Some(1));
}

#[test]
fn a_table_without_a_field_that_creations_need_is_an_error_that_names_it() {
    let mut schema = SchemaTable::current();
    let code = EventCode::new(d3d12::CreateHeap::ID, Opcode::Start);
    let event = schema.events.iter_mut().find(|event| event.code == code).unwrap();
    event.fields.retain(|field| field.name != "desc.size_bytes");
    let trace = TraceBuilder::with_schema(schema).finish();
    match Analysis::new(trace) {
        Err(AnalyzeError::Field { event, field, .. }) => {
            assert_eq!((&*event, &*field), ("CreateHeap", "desc.size_bytes"))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_trace_yields_surviving_events_and_reports_losses() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.mark(mark::LogPosition { seq: 0 });
    for object in 1..=2000 {
        trace_builder.thread = object as u32 % 2;
        trace_builder.create_heap(object, 65536);
    }
    let bytes = trace_builder.bytes();
    let whole = Trace::from_bytes(bytes.clone()).unwrap();
    let block = whole.blocks().last().unwrap().offset as usize;
    let mut broken = bytes.clone();
    broken[block + 60] ^= 0x55;
    let trace = Trace::from_bytes(broken).unwrap();
    let analysis = Analysis::new(trace).unwrap();
    // Only the heaps of one thread, without line numbers: lost calls cannot be counted.
    assert_eq!(analysis.world().unwrap().heaps.len(), 1000);
    assert!(analysis.world().unwrap().changes.iter().all(|change| change.moment.seq.is_none()));
    assert!(!analysis.head().unwrap().is_whole());
    assert_eq!(analysis.head().unwrap().damage.len(), 1);
    let result = report("alignment").unwrap().run(&analysis).unwrap();
    assert_eq!(result.document.parts[0], Part::Text(analysis.head().unwrap().losses().concat()));
    let cut = Trace::from_bytes(bytes[..bytes.len() - 10].to_vec()).unwrap();
    assert!(!Analysis::new(cut).unwrap().head().unwrap().is_whole());
}

#[test]
fn a_trace_without_records_has_empty_tables_and_no_report() {
    let trace = TraceBuilder::new().finish();
    let analysis = Analysis::new(trace).unwrap();
    let names: Vec<_> = applicable_reports(&analysis).unwrap().iter().map(|report| report.name()).collect();
    assert_eq!(names, ["health"]);
    let findings = Findings::of(&analysis, &[report("alignment").unwrap()]).unwrap();
    let wording = findings.reports()["alignment"]["not_applicable"].as_str().unwrap().to_owned();
    assert_eq!(wording, "the trace creates no heaps and no resources");
    let text = draw(&findings.results[0].1.document);
    assert_eq!(text.matches("nothing to report").count(), 1, "{text}");
    assert!(text.contains("Reports that apply: health."), "{text}");
    for table in taut_tables::TABLES {
        let rows = table.frame(&analysis, None).unwrap().height();
        // Tables about the trace as a whole have rows for an empty trace as well.
        let is_right = match table.name {
            "traces" => rows == 1,
            "figures" => rows > 0,
            _ => rows == 0,
        };
        assert!(is_right, "{}: {rows} rows", table.name);
    }
    assert!(matches!(table("cals"), Err(taut_tables::TableError::Table { .. })));
    let result = report("alignment").unwrap().run(&analysis).unwrap();
    assert_eq!(result.json["peak"]["waste_ratio"], 0.0);
}

#[test]
fn a17_a_use_below_its_floor_is_a_message_about_alignment() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 65536);
    let mut debug_message = |message_id, description: &str| {
        let (severity, description) = (MessageSeverity::ERROR, description.to_owned());
        trace_builder.mark(mark::DebugMessage { severity, message_id, object: ObjectId(1), description });
    };
    debug_message(MessageId::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC, "Buffer 1 is aligned to 8 bytes; it needs 256.");
    debug_message(MessageId::CREATEHEAP_INVALIDALIGNMENT, "5");
    debug_message(MessageId::LIVE_HEAP, "text");
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let json = report("alignment").unwrap().run(&analysis).unwrap().json;
    let ids = json["floor_violations"].as_array().unwrap().iter().map(|one| one["message_id"].as_u64().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), [629, 650]);
}
