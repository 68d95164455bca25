//! Rendering of frames: each deferred context records its range of the draws on a thread of its own, and the immediate
//! context executes the lists in order.

use super::content::{Draw, Drawing};
use super::record::Run;
use super::stage::Stage;
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::contexts::context_device::{ContextDevice, execute, finish, release};
use crate::bundled::refusal::required;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::thread_group::{self, ThreadBody};
use crate::bundled::{Parameter, Parameters, WorkloadError};
use crate::scene::load::API;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::{Caller, Callers};
use taut_schemas::{ClearFlags, D3d11CommandListId, D3d11ContextId, d3d11};

/// Parameters for drawing a scene.
pub const PARAMETERS: &[Parameter] = &[
    API,
    Parameter::word("items", &["views", "accessors"], "source of buffers: each buffer view, or each accessor"),
    Parameter::number("contexts", 4, 1, 64, "deferred contexts, each recorded on its own thread"),
    Parameter::number("frames", 4, 0, 1_000_000, "frames; each frame draws the whole scene"),
];

/// Clear values as bits of floats: opaque black, and the maximum depth.
const BLACK: [u32; 4] = [0, 0, 0, 0x3f80_0000];
const MAX_DEPTH: u32 = 0x3f80_0000;

/// Draws the scene and releases all objects, also if a call fails.
///
/// # Errors
/// A call failed: the scene exceeds the driver's memory limit, or the driver does not support deferred contexts.
pub fn run<C: Callers>(drawing: &Drawing, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
    let mut main = callers.caller(0);
    let context_device = ContextDevice::create(&mut main)?;
    let mut stage = Stage::empty(context_device, parameters.word("items") == "accessors");
    let mut contexts = Vec::new();
    let played = stage.create_objects(&mut main, drawing).and_then(|()| {
        for _ in 0..parameters.get("contexts") {
            contexts.push(context_device.context(&mut main)?);
        }
        let lists = Mutex::new(vec![None; contexts.len()]);
        let frames = parameters.get("frames");
        let frame_threads = FrameThreads { drawing, stage: &stage, contexts: &contexts, lists, frames };
        let threads = u32::try_from(contexts.len()).unwrap_or(u32::MAX);
        let played = thread_group::play(callers, &mut main, threads, &frame_threads);
        // Lists that were recorded but not executed, because a thread stopped early.
        let left = std::mem::take(&mut *frame_threads.lists());
        let released = left.into_iter().flatten().try_for_each(|list| release(&mut main, list));
        played.and(released)
    });
    let contexts_gone = contexts.into_iter().try_for_each(|context| release(&mut main, context));
    let released = stage.release(&mut main);
    played.and(contexts_gone).and(released)
}

/// State of the drawing threads.
struct FrameThreads<'a> {
    drawing: &'a Drawing,
    stage: &'a Stage,
    /// Context of each thread.
    contexts: &'a [D3d11ContextId],
    /// Command lists of the current frame, by thread.
    lists: Mutex<Vec<Option<D3d11CommandListId>>>,
    frames: u64,
}

impl ThreadBody for FrameThreads<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let thread = thread as usize;
        let Some(context) = self.contexts.get(thread).copied() else { return Ok(()) };
        for _ in 0..self.frames {
            check_interrupted(caller)?;
            Run::new(caller, context, self.drawing, self.stage).record(self.run_of(thread))?;
            let list = required("FinishCommandList", finish(caller, context, false))?;
            if let Some(place) = self.lists().get_mut(thread) {
                *place = Some(list);
            }
            if barrier.wait(caller).is_err() {
                return Ok(());
            }
            if thread == 0 {
                self.present(caller)?;
            }
            if barrier.wait(caller).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl FrameThreads<'_> {
    fn lists(&self) -> MutexGuard<'_, Vec<Option<D3d11CommandListId>>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the draws of a context: consecutive, and as many as for the other contexts, give or take one.
    fn run_of(&self, thread: usize) -> &[Draw] {
        let (draws, contexts) = (&self.drawing.draws, self.contexts.len().max(1));
        let end = |runs: usize| draws.len() * runs / contexts;
        draws.get(end(thread)..end(thread + 1)).unwrap_or_default()
    }

    /// Clears the targets and executes the lists in the order of the draws.
    fn present<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        let context = self.stage.context_device.immediate;
        let clear = d3d11::ClearRenderTargetView { context, view: self.stage.target, color: BLACK.to_vec() };
        required("ClearRenderTargetView", caller.call(clear))?;
        let (view, clear_flags, depth, stencil) = (self.stage.depth, ClearFlags::DEPTH, MAX_DEPTH, 0);
        let clear = d3d11::ClearDepthStencilView { context, view, clear_flags, depth, stencil };
        required("ClearDepthStencilView", caller.call(clear))?;
        for thread in 0..self.contexts.len() {
            let Some(list) = self.lists().get_mut(thread).and_then(Option::take) else { continue };
            execute(caller, context, list, false)?;
            release(caller, list)?;
        }
        required("Flush", caller.call(d3d11::Flush { context }))
    }
}
