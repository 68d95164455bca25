//! Rundowns of running sessions.

use super::recordings::Source;
use super::replayed;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use taut_capture::Session;
use taut_schemas::{
    BindFlags, D3d11DeviceId, Decoder, EventCode, HeapProperties, HeapType, Mark, Opcode, ResourceDesc, ShaderStage,
    Texture2dDesc, d3d11, d3d12, format::Format, state,
};
use taut_testkit::Recording;
use taut_traces::Trace;

/// Returns the times in nanoseconds for which each rundown held all locks, ascending; each rundown must have at least
/// `min_records` records.
fn held_ns(trace: &Trace, min_records: u64) -> Vec<u64> {
    let (mut rows, mut held) = (trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        if row.code == EventCode::new(state::RundownEnd::ID, Opcode::Info) {
            let end = state::RundownEnd::decode(&mut Decoder::new(row.payload)).expect("a row");
            assert!(end.records > min_records, "each object is there: {end:?}");
            held.push(end.held_ns);
        }
    }
    held.sort_unstable();
    held
}

/// Returns the CPU time of this thread so far, if the system reports it.
fn processor_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Checks how long a session with these objects is stopped: the limit is 10 ms on an otherwise idle machine.
fn assert_short_pause(driver: &str, make: impl FnOnce(&Session)) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.taut");
    let session = Recording::under(driver).session(&file);
    make(&session);
    let begun_ns = processor_ns();
    for _ in 0..9 {
        session.rundown().expect("a rundown");
    }
    let each_ns = processor_ns().zip(begun_ns).map(|(ended, begun)| (ended - begun) / 9);
    session.finish().expect("a trace");
    let trace = Trace::open(&file).expect("a trace");
    let held = held_ns(&trace, 10_000);
    let processor_us = each_ns.map_or_else(|| "?".to_owned(), |ns| (ns / 1000).to_string());
    let [min_us, median_us] = [held[0], held[held.len() / 2]].map(|ns| ns / 1000);
    println!(
        "{driver}: every lock held for {median_us} us, at least {min_us} us; {processor_us} us of processor time with writing"
    );
    assert!(held[0] < 1_000_000_000, "{held:?}");
    let outcome = replayed(&trace);
    assert!(outcome.is_identical() && outcome.states_compared == 9, "{:#?}", outcome.divergences);
}

#[test]
fn a_rundown_of_ten_thousand_objects_is_quick() {
    assert_short_pause("reference", |session| {
        let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
        let device = session.call(create).expect("a device");
        for width in 1..=10_000 {
            let heap_properties = HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() };
            let desc = ResourceDesc::buffer(width);
            let create = d3d12::CreateCommittedResource { device, heap_properties, desc, ..Default::default() };
            session.call(create).expect("a resource");
        }
    });
}

/// Tests resources with a view each that a deferred context or a list references, which need the most records.
#[test]
fn a_rundown_of_ten_thousand_objects_of_direct3d_11_is_quick() {
    assert_short_pause("d3d11on12-like", |session| {
        let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
        let created = session.call(create).expect("a device");
        let device: D3d11DeviceId = created.device;
        let context = session.call(d3d11::CreateDeferredContext { device, flags: 0 }).expect("a context");
        for number in 0..4000_u32 {
            let (width, height, mip_levels, array_size) = (4, 4, 1, 1);
            let (format, bind_flags) = (Format::R8G8B8A8_UNORM, BindFlags::SHADER_RESOURCE);
            let desc =
                Texture2dDesc { width, height, mip_levels, array_size, format, bind_flags, ..Default::default() };
            let create = d3d11::CreateTexture2D { device, desc, initial_data: false };
            let resource = session.call(create).expect("a texture");
            let create = d3d11::CreateShaderResourceView { device, resource, desc: None };
            let views = vec![session.call(create).expect("a view")];
            let (stage, start_slot) = (ShaderStage::PIXEL, number % 16);
            session.call(d3d11::SetShaderResources { context, stage, start_slot, views }).expect("a binding");
            session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).expect("a draw");
            if number % 2 == 0 {
                let finish = d3d11::FinishCommandList {
                    context,
                    restore_deferred_context_state: number % 4 == 0,
                    want_command_list: true,
                };
                session.call(finish).expect("a list");
            }
        }
    });
}

/// Tests rundowns of a session with running threads. Each lies between two calls of every thread, so a replay that
/// compares them finds its own state, and a replay can start from each.
#[test]
fn rundowns_of_a_live_session_are_what_a_replay_remembers() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["streaming-world", "game-session", "context-churn", "deferred-contexts"] {
        let rundowns = AtomicU64::new(0);
        let trace = Source::named(name).recorded_with(folder.path(), |session, is_over| {
            let mut thread = session.thread(1000);
            while !is_over.load(Ordering::Relaxed) {
                thread.rundown().expect("a rundown");
                rundowns.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
        let seen = outcome.states_compared + outcome.states_restored;
        assert!(outcome.states_compared > 0 && seen == rundowns.into_inner(), "{name}: {outcome:?}");
    }
}

/// Tests that a recording that keeps only its last segments starts in mid-stream and replays from its first rundown.
#[test]
fn the_last_of_a_recording_of_contexts_replays_from_where_it_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["deferred-contexts", "context-churn", "context-oom"] {
        let trace = Source::named(name).the_last(folder.path(), 768 << 10, 30);
        let left_out = trace.header().identity.discarded.expect("a beginning that is gone");
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{name}: {:#?}", outcome.divergences);
        assert!(left_out.events > 1000 && outcome.states_restored == 1 && outcome.calls > 1000, "{name}: {outcome:?}");
    }
}
