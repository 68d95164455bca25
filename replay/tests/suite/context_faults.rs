//! Deferred context whose driver fails at each possible call: if memory runs out no other context notices, if the
//! device is removed all do, and each run replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::recording;
use recording::record::Record;
use std::path::Path;
use taut_capture::{Clock, Session};
use taut_runtime::{Profile, Settings};
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, Call, ColorWriteEnable, CpuAccessFlags, D3d11CommandListId, D3d11ContextId,
    D3d11DeviceAndContext, D3d11QueryId, D3d11ResourceId, D3d11StateId, D3d11ViewId, HResult, HResultCode, MapFlags,
    MapType, ObjectId, Opcode, QueryDesc, QueryType, RenderTargetBlendDesc, ShaderStage, Texture2dDesc, Usage, d3d11,
    d3d11_context_ddi as ddi, format::Format,
};
use taut_testkit::{Recording, assert_replays, d3d11_device, recorded_under};
use taut_traces::Trace;

const GONE: HResultCode = HResultCode::DXGI_ERROR_DEVICE_REMOVED;
const CONTEXTS: usize = 3;
const ROUNDS: usize = 3;

/// Returns the profile with a failure of the first deferred context at this call. (The immediate context is number 1.)
fn failing(driver: &str, at: u64, removes: bool) -> Profile {
    let mut profile = Profile::named(driver).unwrap();
    let contexts = profile.contexts.as_mut().unwrap();
    (contexts.fails_in_context, contexts.fails_at_call, contexts.failure_removes_device) = (2, at, removes);
    profile
}

/// Objects used by one deferred context.
struct Own {
    context: D3d11ContextId,
    texture: D3d11ResourceId,
    other: D3d11ResourceId,
    constants: D3d11ResourceId,
    view: D3d11ViewId,
    blend: D3d11StateId,
    query: D3d11QueryId,
}

impl Own {
    fn create(session: &Session, created_device: D3d11DeviceAndContext, number: u32) -> Own {
        let device = created_device.device;
        let texture = || {
            let desc = Texture2dDesc {
                width: 8,
                height: 8,
                mip_levels: 1,
                array_size: 1,
                format: Format::R8G8B8A8_UNORM,
                bind_flags: BindFlags::SHADER_RESOURCE,
                ..Default::default()
            };
            session.call(d3d11::CreateTexture2D { device, desc, initial_data: false }).unwrap()
        };
        let (texture, other) = (texture(), texture());
        let desc = BufferDesc {
            size_bytes: 64,
            usage: Usage::DYNAMIC,
            bind_flags: BindFlags::CONSTANT_BUFFER,
            cpu_access_flags: CpuAccessFlags::WRITE,
        };
        let constants = session.call(d3d11::CreateBuffer { device, desc, initial_data: false }).unwrap();
        let view = session.call(d3d11::CreateShaderResourceView { device, resource: texture, desc: None }).unwrap();
        let write_mask = ColorWriteEnable(number);
        let render_targets = vec![RenderTargetBlendDesc { write_mask, ..Default::default() }];
        let desc = BlendDesc { render_targets, ..Default::default() };
        let blend = session.call(d3d11::CreateBlendState { device, desc }).unwrap();
        let desc = QueryDesc { query: QueryType::OCCLUSION, misc_flags: 0 };
        let query = session.call(d3d11::CreateQuery { device, desc, is_predicate: false }).unwrap();
        let context = session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap();
        Own { context, texture, other, constants, view, blend, query }
    }

    /// Records the steps of a round one by one, so that several contexts take turns. FinishCommandList reports the
    /// errors.
    fn step(&self, session: &Session, step: usize) {
        let (context, stage) = (self.context, ShaderStage::PIXEL);
        match step {
            0 => {
                let views = vec![self.view];
                let _ = session.call(d3d11::SetShaderResources { context, stage, start_slot: 0, views });
            }
            1 => {
                let (blend_state, blend_factor, sample_mask) = (self.blend, Vec::new(), u32::MAX);
                let _ = session.call(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask });
            }
            2 => {
                let (resource, subresource) = (self.constants, 0);
                let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
                let map = d3d11::Map { context, resource, subresource, map_type, map_flags };
                if session.call(map).is_ok() {
                    let _ = session.call(d3d11::Unmap { context, resource, subresource });
                }
            }
            3 => {
                let buffers = vec![self.constants];
                let _ = session.call(d3d11::SetConstantBuffers { context, stage, start_slot: 0, buffers });
            }
            4 => {
                let (destination, source) = (self.other, self.texture);
                let _ = session.call(d3d11::CopyResource { context, destination, source });
            }
            5 => drop(session.call(d3d11::Begin { context, query: self.query })),
            _ => drop(session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 })),
        }
    }
}

/// Records the program, whose contexts take turns on one thread. Returns the results of FinishCommandList by round.
fn record(file: &Path, profile: &Profile) -> Vec<[HResult<()>; CONTEXTS]> {
    let settings = Settings { strict: true, ..Settings::default() };
    let session = Recording::new(profile).with_settings(settings).with_clock(Clock::Logical).session(file);
    let created_device = d3d11_device(&session);
    let own = [1, 2, 3].map(|number| Own::create(&session, created_device, number));
    let mut answers = Vec::new();
    for round in 0..ROUNDS {
        for step in 0..7 {
            own.iter().for_each(|own| own.step(&session, step));
        }
        // Contexts without a failure finish first, so that their lists have the same numbers in each run.
        let mut lists = [Err(HResultCode::E_FAIL); CONTEXTS];
        for (own, list) in own.iter().zip(&mut lists).rev() {
            let (context, restore_deferred_context_state) = (own.context, round % 2 == 0);
            let want_command_list = true;
            *list =
                session.call(d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list });
        }
        answers.push(lists.map(|list| list.map(|list| assert_ne!(list, D3d11CommandListId::NULL))));
        for command_list in lists.into_iter().flatten() {
            let context = created_device.immediate_context;
            let execute = d3d11::ExecuteCommandList { context, command_list, restore_context_state: false };
            let _ = session.call(execute);
            let _ = session.call(d3d11::Release { object: command_list.into() });
        }
    }
    let reason = session.call(d3d11::GetDeviceRemovedReason { device: created_device.device });
    let gone = answers.iter().flatten().any(|answer| *answer == Err(GONE));
    // A removal that is noticed only at the end of the last recording is reported by no FinishCommandList.
    assert!(reason.is_err() || !gone);
    for own in own {
        let states = [own.view.0, own.blend.0, own.query.0, own.texture.0, own.other.0, own.constants.0];
        for object in [&[own.context.0][..], &states].concat() {
            session.call(d3d11::Release { object: ObjectId(object) }).unwrap();
        }
    }
    session.call(d3d11::Release { object: created_device.device.into() }).unwrap();
    session.finish().unwrap();
    answers
}

/// Schema ids and payloads of events, in order.
type Calls = Vec<(u16, Vec<u8>)>;

/// Returns every DDI call about a context, by context: its line, arguments and answer, byte by byte. Addresses of lists
/// are omitted: they belong to the immediate context, and a missing list moves them.
fn by_context(trace: &Trace) -> Vec<(u64, Calls)> {
    let mut contexts: Vec<(u64, Calls)> = Vec::new();
    let (mut open, mut rows) = (Vec::new(), trace.rows());
    let lists = [ddi::RecycleCommandList::ID, ddi::RecycleCreateCommandList::ID];
    while let Some(row) = rows.next_row() {
        let line = row.code.id();
        // All calls but these two queries of the device begin with the context.
        let of_device = [ddi::GetThreadingCaps::ID, ddi::CheckDeferredContextHandleSizes::ID];
        if !(ddi::FAMILY.first..=ddi::FAMILY.last).contains(&line) || of_device.contains(&line) {
            continue;
        }
        let context = match row.code.opcode() {
            Some(Opcode::Start) => {
                let context = row.payload.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                open.push(context);
                context
            }
            _ => open.pop().unwrap(),
        };
        let bytes = if lists.contains(&line) { Vec::new() } else { row.payload.to_vec() };
        match contexts.iter_mut().find(|(known, _)| *known == context) {
            Some((_, ddi_calls)) => ddi_calls.push((line, bytes)),
            None => contexts.push((context, vec![(line, bytes)])),
        }
    }
    contexts
}

/// Returns the DDI calls of deferred contexts, in order of creation: the first is the one that fails.
fn deferred(trace: &Trace) -> Vec<(u64, Calls)> {
    let created =
        Record::all(trace).into_iter().filter_map(|ddi_calls| ddi_calls.ended::<d3d11::CreateDeferredContext>());
    let (created, mut ddi_calls): (Vec<_>, _) = (created.map(Result::unwrap).collect(), by_context(trace));
    let found = created.iter().map(|context| {
        let at = ddi_calls.iter().position(|(known, _)| *known == context.0).unwrap();
        ddi_calls.swap_remove(at)
    });
    let found: Vec<_> = found.collect();
    assert_eq!(found.len(), CONTEXTS);
    found
}

/// Returns the recording with this failure and the results of FinishCommandList; `None` if fewer calls are made.
fn failed(folder: &Path, driver: &str, at: u64, removes: bool) -> Option<(Trace, Vec<[HResult<()>; CONTEXTS]>)> {
    let file = folder.join("failed.taut");
    let answers = record(&file, &failing(driver, at, removes));
    let trace = Trace::open(&file).unwrap();
    assert_replays(&trace, &format!("{driver}, {at}, {removes}"));
    answers.iter().flatten().any(Result::is_err).then_some((trace, answers))
}

/// Minimum number of calls at which a failure must be possible: opens, commands, lists and recycling of three rounds.
const MIN_CALLS: u64 = 40;

#[test]
fn h73_memory_that_runs_out_at_any_call_of_a_context_changes_no_byte_of_another() {
    let folder = tempfile::tempdir().unwrap();
    for driver in ["d3d11on12-like", "multi-size"] {
        let file = folder.path().join("sound.taut");
        assert!(record(&file, &Profile::named(driver).unwrap()).iter().flatten().all(Result::is_ok));
        let sound = deferred(&Trace::open(&file).unwrap());
        assert!(sound.iter().all(|(_, ddi_calls)| ddi_calls.len() > MIN_CALLS as usize));
        let mut at = 1;
        while let Some((trace, answers)) = failed(folder.path(), driver, at, false) {
            let found = deferred(&trace);
            assert_eq!(sound[1..], found[1..], "{driver}, {at}");
            let refused = answers.iter().filter(|answers| answers[0] == Err(HResultCode::E_OUTOFMEMORY)).count();
            assert_eq!(refused, 1, "rule H-75: {driver}, {at}: {answers:?}");
            assert!(answers.iter().all(|answers| answers[1..].iter().all(Result::is_ok)), "{driver}, {at}");
            at += 1;
        }
        assert!(at > MIN_CALLS, "{driver}: {at}");
    }
}

#[test]
fn h73_a_device_removed_at_any_call_of_a_context_is_removed_for_all() {
    let folder = tempfile::tempdir().unwrap();
    for driver in ["d3d11on12-like", "multi-size"] {
        let mut at = 1;
        while let Some((_, answers)) = failed(folder.path(), driver, at, true) {
            // In the order in which they finish.
            let all: Vec<_> = answers.iter().flat_map(|answers| answers.iter().rev()).collect();
            let first = all.iter().position(|answer| answer.is_err()).unwrap();
            assert!(all[first..].iter().all(|answer| **answer == Err(GONE)), "{driver}, {at}: {answers:?}");
            at += 1;
        }
        assert!(at > MIN_CALLS - 5, "{driver}: {at}");
    }
}

/// Records the workload on real threads with a failure in its first context, and replays it.
fn threads_replay(calls: impl Iterator<Item = u64>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("threads.taut");
    let overrides = [("threads", "4"), ("lists", "4")];
    for at in calls {
        let profile = failing("multi-size", at, false);
        let trace = recorded_under(&profile, "deferred-contexts", &overrides, Clock::best(), &file);
        assert_replays(&trace, &at.to_string());
    }
}

#[test]
fn h73_memory_that_runs_out_at_a_call_of_a_thread_s_context_replays_identically() {
    threads_replay([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144].into_iter());
}

#[test]
#[ignore = "minutes"]
fn h73_memory_that_runs_out_at_each_call_of_a_thread_s_context_replays_identically() {
    threads_replay(1..400);
}
