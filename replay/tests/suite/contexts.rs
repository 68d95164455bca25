//! Deferred contexts on their own threads: any race for each other's objects replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::Session;
use taut_replay::{Options, Replayer};
use taut_runtime::Profile;
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, Call, ColorWriteEnable, CpuAccessFlags, D3d11CommandListId, D3d11ContextId,
    D3d11DeviceId, D3d11ResourceId, D3d11StateId, D3d11ViewId, EventCode, HResult, MapFlags, MapType, ObjectId, Opcode,
    RenderTargetBlendDesc, ShaderStage, Texture2dDesc, Usage, d3d11, d3d11_context_ddi as ddi, format::Format,
};
use taut_testkit::{Recording, d3d11_device, replayed};
use taut_traces::Trace;

/// Handles shared between threads, which may be released when they are used.
#[derive(Default)]
struct Shared {
    resources: [AtomicU64; 4],
    dynamics: [AtomicU64; 2],
    views: [AtomicU64; 4],
    states: [AtomicU64; 2],
    lists: [AtomicU64; 4],
}

/// Small pseudorandom generator: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn of<'a>(&mut self, slots: &'a [AtomicU64]) -> &'a AtomicU64 {
        &slots[self.below(slots.len() as u64) as usize]
    }
}

struct Thread<'a> {
    session: &'a Session,
    shared: &'a Shared,
    random: Random,
    device: D3d11DeviceId,
    immediate: D3d11ContextId,
    context: D3d11ContextId,
}

impl Thread<'_> {
    fn seen(&mut self, slots: &[AtomicU64]) -> u64 {
        self.random.of(slots).load(Ordering::Relaxed)
    }

    /// Stores a new object in a slot and releases the previous one.
    fn put(&mut self, slots: &[AtomicU64], object: u64) {
        let before = self.random.of(slots).swap(object, Ordering::Relaxed);
        let _ = self.session.call(d3d11::Release { object: ObjectId(before) });
    }

    fn create(&mut self, kind: u64) {
        let (session, shared, device) = (self.session, self.shared, self.device);
        match kind {
            0 => {
                let desc = Texture2dDesc {
                    width: 4,
                    height: 4,
                    mip_levels: 1,
                    array_size: 1,
                    format: Format::R8G8B8A8_UNORM,
                    bind_flags: BindFlags::SHADER_RESOURCE,
                    ..Default::default()
                };
                let create = d3d11::CreateTexture2D { device, desc, initial_data: false };
                let created = session.call(create).unwrap_or_default();
                self.put(&shared.resources, created.0);
            }
            1 => {
                let (bind_flags, cpu_access_flags) = (BindFlags::CONSTANT_BUFFER, CpuAccessFlags::WRITE);
                let desc = BufferDesc { size_bytes: 64, usage: Usage::DYNAMIC, bind_flags, cpu_access_flags };
                let create = d3d11::CreateBuffer { device, desc, initial_data: false };
                let created = session.call(create).unwrap_or_default();
                self.put(&shared.dynamics, created.0);
            }
            2 => {
                let resource = D3d11ResourceId(self.seen(&shared.resources));
                let create = d3d11::CreateShaderResourceView { device, resource, desc: None };
                let created = session.call(create).unwrap_or_default();
                self.put(&shared.views, created.0);
            }
            _ => {
                let write_mask = ColorWriteEnable(self.random.below(3) as u32);
                let render_targets = vec![RenderTargetBlendDesc { write_mask, ..Default::default() }];
                let desc = BlendDesc { render_targets, ..Default::default() };
                let created = session.call(d3d11::CreateBlendState { device, desc }).unwrap_or_default();
                self.put(&shared.states, created.0);
            }
        }
    }

    fn record(&mut self, kind: u64) {
        let (session, shared, context) = (self.session, self.shared, self.context);
        match kind {
            0 => {
                let destination = D3d11ResourceId(self.seen(&shared.resources));
                let source = D3d11ResourceId(self.seen(&shared.resources));
                let _ = session.call(d3d11::CopyResource { context, destination, source });
            }
            1 | 2 => {
                let views = vec![D3d11ViewId(self.seen(&shared.views))];
                let (stage, start_slot) = (ShaderStage::PIXEL, self.random.below(2) as u32);
                let _ = session.call(d3d11::SetShaderResources { context, stage, start_slot, views });
            }
            3 => {
                let blend_state = D3d11StateId(self.seen(&shared.states));
                let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
                let _ = session.call(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask });
            }
            4 => {
                let resource = D3d11ResourceId(self.seen(&shared.dynamics));
                let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
                let map = d3d11::Map { context, resource, subresource: 0, map_type, map_flags };
                let _ = session.call(map);
                let _ = session.call(d3d11::Unmap { context, resource, subresource: 0 });
            }
            5 => {
                let command_list = D3d11CommandListId(self.seen(&shared.lists));
                let restore_context_state = self.random.below(2) == 0;
                let _ = session.call(d3d11::ExecuteCommandList { context, command_list, restore_context_state });
            }
            _ => {
                let draw = d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 };
                let _ = session.call(draw);
            }
        }
    }

    fn finish(&mut self, plays: bool) {
        let (session, shared, context) = (self.session, self.shared, self.context);
        let restore_deferred_context_state = self.random.below(2) == 0;
        let want_command_list = self.random.below(4) > 0;
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        // Memory may have run out.
        let list = session.call(finish).unwrap_or_default();
        self.put(&shared.lists, list.0);
        if plays {
            let (context, command_list) = (self.immediate, D3d11CommandListId(self.seen(&shared.lists)));
            let _ = session.call(d3d11::ExecuteCommandList { context, command_list, restore_context_state: true });
            let _ = session.call(d3d11::Flush { context });
        }
    }

    fn run(&mut self, plays: bool) {
        for _ in 0..40 {
            for _ in 0..self.random.below(6) {
                let kind = self.random.below(7);
                self.record(kind);
            }
            let kind = self.random.below(4);
            self.create(kind);
            self.finish(plays);
        }
        let _ = self.session.call(d3d11::Release { object: self.context.into() });
    }
}

/// Records four threads with a context each. Returns the reason of a device removal.
fn record(file: &Path, profile: &Profile, seed: u64) -> HResult<()> {
    record_on(file, profile, seed, 4)
}

/// Records this number of contexts, which the threads use in turn.
fn record_on(file: &Path, profile: &Profile, seed: u64, contexts: usize) -> HResult<()> {
    let session = Recording::new(profile).session(file);
    let created = d3d11_device(&session);
    let shared = Shared::default();
    let create = d3d11::CreateDeferredContext { device: created.device, flags: 0 };
    let contexts: Vec<_> = (0..contexts).map(|_| session.call(create.clone()).unwrap()).collect();
    std::thread::scope(|scope| {
        for number in 0..4_u64 {
            let (session, shared, context) = (&session, &shared, contexts[number as usize % contexts.len()]);
            scope.spawn(move || {
                let device = created.device;
                let random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 8 | number));
                let immediate = created.immediate_context;
                Thread { session, shared, random, device, immediate, context }.run(number == 0);
            });
        }
    });
    let reason = session.call(d3d11::GetDeviceRemovedReason { device: created.device });
    session.call(d3d11::Release { object: created.device.into() }).unwrap();
    session.finish().unwrap();
    reason
}

fn replays(driver: &str, seeds: std::ops::Range<u64>) {
    replays_under(&Profile::named(driver).unwrap(), seeds);
}

fn replays_under(profile: &Profile, seeds: std::ops::Range<u64>) {
    let (folder, driver) = (tempfile::tempdir().unwrap(), &profile.name);
    for seed in seeds {
        let file = folder.path().join(format!("{seed}.taut"));
        record(&file, profile, seed).unwrap();
        let outcome = Replayer::new(&Trace::open(&file).unwrap(), Options::default()).run().unwrap();
        assert!(outcome.is_identical(), "{driver} {seed}: {:#?}", outcome.divergences);
        assert_eq!(outcome.unfinished_calls, 0);
        assert!(outcome.calls > 400 && outcome.ddi_calls > 400, "{} {}", outcome.calls, outcome.ddi_calls);
    }
}

#[test]
fn four_threads_with_contexts_of_their_own_replay_identically() {
    replays("d3d11on12-like", 0..6);
    replays("multi-size", 0..6);
    // A driver without command lists is called under the device's lock when stored calls are executed.
    replays("d3d10umd-like", 0..6);
}

/// Rule H-73: which context runs out of memory when depends on the threads' races.
#[test]
fn h73_memory_that_runs_out_on_any_thread_replays_identically() {
    let mut profile = Profile::named("multi-size").unwrap();
    let contexts = profile.contexts.as_mut().unwrap();
    (contexts.budget_bytes, contexts.call_bytes, contexts.open_bytes) = (64, 16, 16);
    replays_under(&profile, 0..6);
}

/// Tests which context loses the device, which also depends on races.
#[test]
fn h73_a_device_that_is_removed_on_any_thread_replays_identically() {
    let mut profile = Profile::named("multi-size").unwrap();
    let contexts = profile.contexts.as_mut().unwrap();
    (contexts.budget_bytes, contexts.call_bytes, contexts.budget_removes_device) = (96, 16, true);
    let (folder, mut removed) = (tempfile::tempdir().unwrap(), 0);
    for seed in 0..8 {
        let file = folder.path().join("removed.taut");
        removed += u32::from(record(&file, &profile, seed).is_err());
        let trace = Trace::open(&file).unwrap();
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{seed}: {:#?}", outcome.divergences);
    }
    // Threads race: one that ends early may have finished with the objects it had.
    assert!(removed > 0);
}

/// Tests an application's race: calls of two threads on one context are recorded in the order in which they happen.
#[test]
fn h80_threads_that_share_a_context_replay_identically() {
    let folder = tempfile::tempdir().unwrap();
    for (driver, contexts) in [("multi-size", 1), ("multi-size", 2), ("d3d11on12-like", 1), ("d3d10umd-like", 1)] {
        for seed in 0..4 {
            let file = folder.path().join("shared.taut");
            record_on(&file, &Profile::named(driver).unwrap(), seed, contexts).unwrap();
            let outcome = Replayer::new(&Trace::open(&file).unwrap(), Options::default()).run().unwrap();
            assert!(outcome.is_identical(), "{driver} {contexts} {seed}: {:#?}", outcome.divergences);
        }
    }
}

/// Rule H-56: the thread that releases a list last destroys it, concurrently with a context that records.
#[test]
fn h56_lists_are_taken_out_of_use_and_destroyed_on_any_thread() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("destroyed.taut");
    let session = Recording::under("multi-size").session(&file);
    let device = d3d11_device(&session).device;
    let contexts = [(); 2].map(|()| session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap());
    let recorded = |context: D3d11ContextId| {
        session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).unwrap();
        let (restore_deferred_context_state, want_command_list) = (false, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        session.call(finish).unwrap()
    };
    let release = |object: ObjectId| {
        session.call(d3d11::Release { object }).unwrap();
    };
    // The context of the second list is released before the list: that list is destroyed, the first one recycled.
    let lists = contexts.map(recorded);
    release(contexts[1].into());
    std::thread::scope(|scope| {
        scope.spawn(|| lists.into_iter().for_each(|list| release(list.into())));
        scope.spawn(|| {
            for _ in 0..20 {
                recorded(contexts[0]);
            }
        });
    });
    session.finish().unwrap();
    let trace = Trace::open(&file).unwrap();
    let on = |line: u16| {
        let (mut rows, mut on) = (trace.rows(), Vec::new());
        while let Some(row) = rows.next_row() {
            on.extend((row.code == EventCode::new(line, Opcode::Start)).then_some(row.thread));
        }
        on
    };
    let makers = on(ddi::CreateCommandList::ID);
    let (recycled, destroyed) = (on(ddi::RecycleDestroyCommandList::ID), on(ddi::DestroyCommandList::ID));
    assert_eq!((recycled.len(), &recycled), (1, &destroyed));
    assert!(!makers.contains(&recycled[0]), "{recycled:?} of {makers:?}");
    let outcome = replayed(&trace);
    assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
}

/// Returns the number of DDI calls of a line on a context.
fn ddi_calls<C: Call>(trace: &Trace, context: D3d11ContextId) -> usize {
    let (mut rows, mut ddi_calls) = (trace.rows(), 0);
    while let Some(row) = rows.next_row() {
        let of = row.payload.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes));
        ddi_calls += usize::from(row.code == EventCode::new(C::ID, Opcode::Start) && of == Some(context.0));
    }
    ddi_calls
}

/// Tests that one thread's context loses the device in its third DDI call, while another continues with its open
/// objects and notices the removal when it opens another.
#[test]
fn h73_another_thread_notices_a_removal_when_it_opens_or_finishes_and_never_in_between() {
    const BETWEEN: usize = 5;
    let mut profile = Profile::named("multi-size").unwrap();
    let contexts = profile.contexts.as_mut().unwrap();
    // The immediate context is the first.
    (contexts.fails_in_context, contexts.fails_at_call, contexts.failure_removes_device) = (2, 3, true);
    let folder = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let file = folder.path().join("noticed.taut");
        let session = Recording::new(&profile).session(&file);
        let created = d3d11_device(&session);
        let device = created.device;
        let contexts = [(); 2].map(|()| session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap());
        let desc = BufferDesc { size_bytes: 64, bind_flags: BindFlags::VERTEX_BUFFER, ..Default::default() };
        let create = d3d11::CreateBuffer { device, desc, initial_data: false };
        let [a, b, late] = [(); 3].map(|()| session.call(create.clone()).unwrap());
        let copy = |context, destination| {
            let _ = session.call(d3d11::CopyResource { context, destination, source: b });
        };
        let finish = |context| {
            let (restore_deferred_context_state, want_command_list) = (false, true);
            session.call(d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list })
        };
        let met = Barrier::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                met.wait();
                // Two handles are opened, and the copy fails.
                copy(contexts[0], a);
                met.wait();
                assert!(finish(contexts[0]).is_err());
            });
            scope.spawn(|| {
                copy(contexts[1], a);
                met.wait();
                met.wait();
                (0..BETWEEN).for_each(|_| copy(contexts[1], a));
                if round % 2 == 0 {
                    copy(contexts[1], late);
                    copy(contexts[1], a);
                }
                assert!(finish(contexts[1]).is_err());
            });
        });
        assert!(session.call(d3d11::GetDeviceRemovedReason { device }).is_err());
        session.finish().unwrap();
        let trace = Trace::open(&file).unwrap();
        assert_eq!(ddi_calls::<ddi::ResourceCopy>(&trace, contexts[1]), 1 + BETWEEN, "round {round}");
        assert_eq!(ddi_calls::<ddi::CreateCommandList>(&trace, contexts[1]), 0);
        let outcome = replayed(&trace);
        assert!(outcome.is_identical(), "{round}: {:#?}", outcome.divergences);
    }
}

#[test]
#[ignore = "minutes"]
fn a_thousand_recordings_of_contexts_on_four_threads_replay_identically() {
    replays("multi-size", 1000..2000);
}
