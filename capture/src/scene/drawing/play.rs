//! Drawing a scene: every frame, each deferred context records its run of the draws on a thread of its own, and the immediate
//! context plays the lists in order.

use super::content::{Draw, Drawing};
use super::record::Run;
use super::stage::Stage;
use crate::caller::{Caller, Callers};
use crate::scene::load::API;
use crate::workloads::contexts::studio::{Studio, execute, finish, release};
use crate::workloads::go_on::go_on;
use crate::workloads::refusal::required;
use crate::workloads::rendezvous::Rendezvous;
use crate::workloads::thread_group::{self, ThreadBody};
use crate::workloads::{Parameter, Parameters, WorkloadError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{ClearFlags, D3d11CommandListId, D3d11ContextId, d3d11};

/// What drawing a scene can be told.
pub const PARAMETERS: &[Parameter] = &[
    API,
    Parameter::word("items", &["views", "accessors"], "what becomes a buffer: each buffer view, or each accessor"),
    Parameter::number("contexts", 4, (1, 64), "deferred contexts, each recorded on a thread of its own"),
    Parameter::number("frames", 4, (0, 1_000_000), "frames, each of which draws everything"),
];

/// Black, opaque; the greatest depth.
const BLACK: [u32; 4] = [0, 0, 0, 0x3f80_0000];
const FARTHEST: u32 = 0x3f80_0000;

/// Draws the scene, and releases everything. What was created is released too if a call fails.
///
/// # Errors
/// A call failed: the scene is more than the driver's memory holds, or the driver has no handles per context.
pub fn run<C: Callers>(drawing: &Drawing, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
    let mut main = callers.caller(0);
    let studio = Studio::create(&mut main)?;
    let mut stage = Stage::empty(studio, parameters.word("items") == "accessors");
    let mut contexts = Vec::new();
    let played = stage.set(&mut main, drawing).and_then(|()| {
        for _ in 0..parameters.get("contexts") {
            contexts.push(studio.context(&mut main)?);
        }
        let lists = Mutex::new(vec![None; contexts.len()]);
        let frames = parameters.get("frames");
        let performance = Performance { drawing, stage: &stage, contexts: &contexts, lists, frames };
        let threads = u32::try_from(contexts.len()).unwrap_or(u32::MAX);
        let played = thread_group::play(callers, &mut main, threads, &performance);
        // Lists that were not played any more.
        let left = std::mem::take(&mut *performance.lists());
        let released = left.into_iter().flatten().try_for_each(|list| release(&mut main, list));
        played.and(released)
    });
    let contexts_gone = contexts.into_iter().try_for_each(|context| release(&mut main, context));
    let released = stage.release(&mut main);
    played.and(contexts_gone).and(released)
}

/// The frames.
struct Performance<'a> {
    drawing: &'a Drawing,
    stage: &'a Stage,
    /// By thread.
    contexts: &'a [D3d11ContextId],
    /// The lists of a frame, by thread.
    lists: Mutex<Vec<Option<D3d11CommandListId>>>,
    frames: u64,
}

impl ThreadBody for Performance<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let thread = thread as usize;
        let Some(context) = self.contexts.get(thread).copied() else { return Ok(()) };
        for _ in 0..self.frames {
            go_on(caller)?;
            Run::new(caller, context, self.drawing, self.stage).record(self.run_of(thread))?;
            let list = required("FinishCommandList", finish(caller, context, false))?;
            if let Some(place) = self.lists().get_mut(thread) {
                *place = Some(list);
            }
            if rendezvous.meet(caller).is_err() {
                return Ok(());
            }
            if thread == 0 {
                self.present(caller)?;
            }
            if rendezvous.meet(caller).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Performance<'_> {
    fn lists(&self) -> MutexGuard<'_, Vec<Option<D3d11CommandListId>>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The draws of a context: one after another, as many as the others have, or one more.
    fn run_of(&self, thread: usize) -> &[Draw] {
        let (draws, contexts) = (&self.drawing.draws, self.contexts.len().max(1));
        let end = |runs: usize| draws.len() * runs / contexts;
        draws.get(end(thread)..end(thread + 1)).unwrap_or_default()
    }

    /// Clears the target and plays what was recorded, in the order of the draws.
    fn present<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        let context = self.stage.studio.immediate;
        let clear = d3d11::ClearRenderTargetView { context, view: self.stage.target, color: BLACK.to_vec() };
        required("ClearRenderTargetView", caller.call(clear))?;
        let (view, clear_flags, depth, stencil) = (self.stage.depth, ClearFlags::DEPTH, FARTHEST, 0);
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
