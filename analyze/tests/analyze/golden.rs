//! Text and JSON output, compared with golden files.

use crate::plain_text::draw_report;
use crate::tiling::stores;
use crate::trace_builder::TraceBuilder;
use taut_analyze::{Analysis, Findings, applicable_reports};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, AdapterParts, CrossAdapterTier, Dimension, DisplayMode, FallbackReason, FrameOutcome, HResultCode,
    HeapDesc, HeapId, HybridPresentMode, MessageId, MessageSeverity, NtStatus, ObjectId, PhaseEdge, ResourceDesc,
    ResourceId, StoreRun, SwapChainDesc, SwapChainId, TileFormat, d3d12, machine, mark,
};
use taut_tables::TABLES;
use taut_tiling::{Layout, Rect, Surface, WriteOrder};
use taut_traces::Trace;

/// A small world with every kind of waste (rounding, padding, granularity, a hole, a tail, aliasing), two phases, a
/// name, background tasks and handles in two contexts with rule violations, messages, a driver violation, a failed
/// call, a call that never returns, and unreleased objects.
pub fn trace() -> Trace {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.mark(mark::LogPosition { seq: 0 });
    trace_builder.phase(0, PhaseEdge::BEGIN, "load");
    trace_builder.create_heap(1, 1 << 20);
    trace_builder.create_placed((2, 1, 0), 1000);
    trace_builder.create_placed((3, 1, 1024), 600);
    trace_builder.api(d3d12::SetName { object: ObjectId(3), name: "particles".to_owned() }, Ok(()), |_| {});
    let desc = ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width: 64,
        height: 64,
        depth_or_array_size: 1,
        mip_levels: 0,
        format: Format::R8G8B8A8_UNORM,
        sample_count: 1,
        ..Default::default()
    };
    let heap = HeapId(1);
    let texture = d3d12::CreatePlacedResource { heap, heap_offset_bytes: 65536, desc, ..Default::default() };
    trace_builder.api(texture, Ok(ResourceId(4)), |w| w.check((65536, 65536)));
    trace_builder.phase(0, PhaseEdge::END, "");
    trace_builder.phase(1, PhaseEdge::BEGIN, "play");
    trace_builder.create_placed((5, 1, 262_144), 256);
    trace_builder.create_placed((6, 1, 262_144), 256);
    trace_builder.create_committed(7, 1000, &[(1000, 256), (1000, 4096)]);
    trace_builder.create_heap(8, 65536);
    let buffer = ResourceDesc { dimension: Dimension::BUFFER, width: 100, height: 1, ..Default::default() };
    let classic = d3d12::CreateCommittedResource { desc: buffer, ..Default::default() };
    trace_builder.api(classic, Ok(ResourceId(9)), |w| w.check((65536, 65536)));
    let failed = d3d12::CreateHeap { desc: HeapDesc::default(), ..Default::default() };
    trace_builder.api(failed, Err(HResultCode::E_INVALIDARG), |w| {
        w.mark(mark::DebugMessage {
            severity: MessageSeverity::ERROR,
            message_id: MessageId::CREATEHEAP_INVALIDALIGNMENT,
            object: ObjectId(0),
            description: "Alignment is 5.".to_owned(),
        });
        w.mark(mark::DriverViolation { rule: "A-11".to_owned(), description: "512".to_owned(), ..Default::default() });
    });
    trace_builder.phase(1, PhaseEdge::END, "");
    trace_builder.bind_textures(64, 40);
    trace_builder.map_texture(TileFormat::TILE_Y, 256, 64);
    let (surface, part) = (Surface::new(Layout::TileY, 256, 64), Rect::from_origin(200, 36));
    trace_builder.write_texture(stores(&surface.unwrap(), part, WriteOrder::LinearRows, 16));
    trace_builder.read_texture(vec![StoreRun { size_bytes: 4, repeat_count: 10, stride: 64, ..Default::default() }]);
    trace_builder.unmap_texture();
    trace_builder.play_until_converged();
    trace_builder.commit_done(7);
    trace_builder.release(6);
    trace_builder.release(2);
    present(&mut trace_builder);
    trace_builder.handles();
    trace_builder.api_start(d3d12::ReleaseHeap { heap: HeapId(8) });
    trace_builder.finish()
}

/// A trace with the marks of a program that calls methods without an entry, and releases too much.
pub fn client_trace() -> Trace {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 1 << 20);
    trace_builder.api(d3d12::SetName { object: ObjectId(1), name: "textures".to_owned() }, Ok(()), |_| {});
    let (interface, method) = ("ID3D12Device".to_owned(), "CreateSharedHandle".to_owned());
    trace_builder.mark(mark::UnsupportedCall {
        interface: interface.clone(),
        method: method.clone(),
        slot: 31,
        count: 1,
    });
    trace_builder.mark(mark::InterfaceQuery {
        interface: interface.clone(),
        query_result: HResultCode::E_NOINTERFACE,
        count: 1,
    });
    trace_builder.mark(mark::ReleasedObjectCall { interface, method, count: 1 });
    trace_builder.api_start(d3d12::ReleaseHeap { heap: HeapId(1) });
    trace_builder.finish()
}

/// A swap chain whose frames use two copies: one is flipped, one composed, one dropped.
fn present(trace_builder: &mut TraceBuilder) {
    let (first, second) = (AdapterId(1), AdapterId(2));
    for (adapter, uses_system_memory) in [(first, true), (second, false)] {
        let link_bytes_per_second = if uses_system_memory { 0 } else { 13_390_769_230 };
        let parts = AdapterParts { uses_system_memory, link_bytes_per_second, ..Default::default() };
        trace_builder.api(machine::DescribeAdapter { adapter, parts }, NtStatus::SUCCESS, |_| {});
    }
    let mode = DisplayMode { width: 1920, height: 1080, refresh_millihertz: 60_000, ..Default::default() };
    trace_builder.api(machine::ConnectDisplay { adapter: first, mode }, NtStatus::SUCCESS, |_| {});
    let swap_chain = SwapChainId(1);
    let format = Format::B8G8R8A8_UNORM;
    trace_builder.mark(mark::HybridPresentDecision {
        swap_chain,
        render_adapter: second,
        display_adapter: first,
        mode: HybridPresentMode::TWO_COPY_PATH,
        reason: FallbackReason::CAP,
        cross_adapter_tier_support: CrossAdapterTier::COPY,
        desc: SwapChainDesc { width: 1920, height: 1080, format, ..Default::default() },
        payload_bytes: 8_294_400,
        allocation_bytes: 8_294_400,
        ..Default::default()
    });
    for (number, outcome) in
        [FrameOutcome::FLIPPED, FrameOutcome::NEVER_SHOWN, FrameOutcome::COMPOSED].into_iter().enumerate()
    {
        let at_ns = number as u64 * 10_000_000;
        trace_builder.mark(mark::FrameEnded {
            swap_chain,
            present_count: number as u64 + 1,
            outcome,
            presented_at_ns: at_ns,
            rendered_at_ns: at_ns + 5_000_000,
            copy_1_started_at_ns: at_ns + 5_000_000,
            copy_1_ended_at_ns: at_ns + 5_700_000,
            copy_2_started_at_ns: at_ns + 5_720_000,
            copy_2_ended_at_ns: at_ns + 6_400_000,
            ready_at_ns: at_ns + 6_420_000,
            ended_at_ns: at_ns + 16_000_000,
            bytes_copied: 16_588_800,
            ..Default::default()
        });
    }
}

#[test]
fn the_reports_in_words() {
    let trace = trace();
    let analysis = Analysis::new(trace).unwrap();
    let findings = Findings::of(&analysis, &applicable_reports(&analysis).unwrap()).unwrap();
    let text = findings.results.iter().map(|(_, result)| draw_report(result)).collect::<String>();
    insta::assert_snapshot!(text);
}

#[test]
fn the_tables_and_their_columns() {
    let trace = trace();
    let analysis = Analysis::new(trace).unwrap();
    let mut text = String::new();
    for table in TABLES {
        let frame = table.frame(&analysis, None).unwrap();
        text += &format!("{} ({} rows)\n  {}\n", table.name, frame.height(), table.description);
        for (name, dtype) in frame.schema().iter() {
            text += &format!("    {name}: {dtype}\n");
        }
    }
    insta::assert_snapshot!(text);
}
