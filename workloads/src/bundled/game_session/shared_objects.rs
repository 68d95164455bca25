//! Objects shared by all threads: each other's fences, and pipeline states and an event on which threads race.

use crate::bundled::WorkloadError;
use crate::bundled::event::event;
use crate::bundled::mode::{ModeEvent, try_mode};
use crate::bundled::pipeline::{Pipeline, release};
use crate::bundled::random::Random;
use crate::bundled::refusal::raced;
use crate::bundled::renderer::Renderer;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::Caller;
use taut_schemas::{
    BackgroundProcessingMode as Mode, DeviceId, EventHandle, FenceId, MeasurementsAction as Action, PipelineStateId,
    d3d12, win32,
};
use taut_shaders::Material;

/// Exclusive upper bound of wait timeouts for the shared event, in milliseconds.
const MAX_WAIT_MS: u64 = 3;

/// Handles that any thread may read at any time. A handle can be stale: a thread may use it after another has released
/// its object.
pub(super) struct SharedObjects {
    /// Handles of pipeline states; 0 if there is none.
    pipelines: Vec<AtomicU64>,
    /// Materials of the slots, in turn.
    materials: Vec<Arc<Material>>,
    /// Handle of an event; 0 if there is none.
    event: AtomicU64,
    /// Fence of each thread, alive until all threads have waited at the barrier, and the last value that the thread
    /// submitted to its queue for a signal.
    fences: Vec<(AtomicU64, AtomicU64)>,
}

fn zero() -> AtomicU64 {
    AtomicU64::new(0)
}

impl SharedObjects {
    /// Creates the objects.
    pub fn set_up<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        materials: Vec<Arc<Material>>,
        pipelines: u64,
        threads: u64,
    ) -> Result<SharedObjects, WorkloadError> {
        let pipelines = (0..pipelines).map(|_| zero()).collect();
        let fences = (0..threads).map(|_| (zero(), zero())).collect();
        let shared = SharedObjects { pipelines, materials, event: zero(), fences };
        for slot in 0..shared.pipelines.len() {
            shared.replace_pipeline(caller, device, slot)?;
        }
        shared.replace_event(caller)?;
        Ok(shared)
    }

    /// Returns the material of a slot's pipeline states.
    fn material(&self, slot: usize) -> &Arc<Material> {
        &self.materials[slot % self.materials.len()]
    }

    /// Publishes the fence and the value that a thread's command queue will signal.
    pub fn submitted(&self, thread: u32, renderer: &Renderer) {
        if let Some((fence, value)) = self.fences.get(thread as usize) {
            value.store(renderer.signalled, Ordering::Relaxed);
            fence.store(renderer.fence.0, Ordering::Relaxed);
        }
    }

    /// Returns another thread's fence with a value that is already queued to be signalled, so that command queues never
    /// wait for each other in a cycle.
    pub fn frame_of_another(&self, random: &mut Random, thread: u32) -> Option<(FenceId, u64)> {
        let other = random.below(self.fences.len() as u64);
        let (fence, value) = self.fences.get(other as usize).filter(|_| other != u64::from(thread))?;
        let fence = FenceId(fence.load(Ordering::Relaxed));
        (fence != FenceId::NULL).then(|| (fence, value.load(Ordering::Relaxed)))
    }

    /// Uses or replaces a random object.
    pub fn touch<C: Caller>(
        &self,
        caller: &mut C,
        device: DeviceId,
        renderer: &mut Renderer,
        random: &mut Random,
    ) -> Result<(), WorkloadError> {
        let slot = random.below(self.pipelines.len() as u64) as usize;
        // Relaxed order suffices: handles are only numbers, and calls with stale handles are part of the workload.
        let pipeline = PipelineStateId(self.pipelines[slot].load(Ordering::Relaxed));
        let event = EventHandle(self.event.load(Ordering::Relaxed));
        if pipeline == PipelineStateId::NULL || event == EventHandle::NULL {
            // Another thread is replacing the object.
            return Ok(());
        }
        if random.once_in(4) {
            // Widens the window between reading a slot and using the handle.
            std::thread::yield_now();
        }
        match random.below(16) {
            0..=6 => draw(caller, renderer, self.material(slot), pipeline, random),
            7..=8 => self.replace_pipeline(caller, device, slot),
            9..=11 => {
                let signal = ModeEvent { event, want_further: true };
                let set = try_mode(caller, device, Mode::ALLOWED, Action::COMMIT_RESULTS, signal);
                raced("SetBackgroundProcessingMode", set).map(drop)
            }
            12..=13 => {
                let timeout_ms = random.below(MAX_WAIT_MS) as u32;
                raced("WaitForSingleObject", caller.wait(event, timeout_ms)).map(drop)
            }
            14 => self.replace_event(caller),
            // Releases the object but leaves its handle in the slot, for other threads to use.
            _ if random.once_in(2) => raced("CloseHandle", caller.call(win32::CloseHandle { event })).map(drop),
            _ => raced("ReleasePipelineState", release(caller, pipeline)).map(drop),
        }
    }

    fn replace_pipeline<C: Caller>(&self, caller: &mut C, device: DeviceId, slot: usize) -> Result<(), WorkloadError> {
        release_pipeline(caller, &self.pipelines[slot], 0)?;
        let PipelineStateId(next) = Pipeline::new(caller, device, self.material(slot), false)?.id;
        // Another thread may have stored a handle meanwhile.
        release_pipeline(caller, &self.pipelines[slot], next)
    }

    fn replace_event<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        close_event(caller, &self.event, 0)?;
        let EventHandle(next) = event(caller)?;
        close_event(caller, &self.event, next)
    }

    /// Releases the remaining objects.
    pub fn tear_down<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        self.pipelines.iter().try_for_each(|slot| release_pipeline(caller, slot, 0))?;
        close_event(caller, &self.event, 0)
    }
}

/// Draws with a pipeline state that may be released at any time; then the list cannot be closed or executed.
fn draw<C: Caller>(
    caller: &mut C,
    renderer: &mut Renderer,
    material: &Material,
    pipeline_state: PipelineStateId,
    random: &mut Random,
) -> Result<(), WorkloadError> {
    let (command_queue, command_list) = (renderer.queue, renderer.list);
    let constants = material.constants(random.below(4) as u32).into_iter().map(|word| word.0).collect();
    renderer.begin(caller)?;
    let set = caller.call(d3d12::SetPipelineState { command_list, pipeline_state });
    if raced("SetPipelineState", set)?.is_some() {
        renderer.draw_instanced(caller, constants, material.lanes as u32, 8)?;
    }
    let closed = caller.call(d3d12::CloseCommandList { command_list });
    if raced("CloseCommandList", closed)?.is_some() {
        let execute = d3d12::ExecuteCommandLists { command_queue, command_lists: vec![command_list] };
        raced("ExecuteCommandLists", caller.call(execute))?;
    }
    renderer.signal(caller)
}

/// Stores another handle in a slot and releases the previous pipeline state, if it still exists.
fn release_pipeline<C: Caller>(caller: &mut C, slot: &AtomicU64, next: u64) -> Result<(), WorkloadError> {
    match PipelineStateId(slot.swap(next, Ordering::Relaxed)) {
        PipelineStateId::NULL => Ok(()),
        pipeline => raced("ReleasePipelineState", release(caller, pipeline)).map(drop),
    }
}

/// Stores another handle in the slot and closes the previous event, if it still exists.
fn close_event<C: Caller>(caller: &mut C, slot: &AtomicU64, next: u64) -> Result<(), WorkloadError> {
    match EventHandle(slot.swap(next, Ordering::Relaxed)) {
        EventHandle::NULL => Ok(()),
        event => raced("CloseHandle", caller.call(win32::CloseHandle { event })).map(drop),
    }
}
