//! State shared by the threads of a scenario, and the state of each.

use super::file::ScenarioFile;
use crate::bundled::error::WorkloadError;
use crate::bundled::event::{close, event};
use crate::bundled::pipeline::Pipeline;
use crate::bundled::refusal::required;
use crate::bundled::renderer::{Renderer, create_device, create_queue, release_queue};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use taut_capture::Caller;
use taut_schemas::{DeviceId, EventHandle};

/// Pipeline states of each set; `None` if they do not exist.
type Sets = Vec<Option<Vec<Pipeline>>>;

/// State shared by the threads.
pub(super) struct SharedState<'a> {
    pub scenario: &'a ScenarioFile,
    /// `None` once the device is destroyed.
    device: Mutex<Option<DeviceId>>,
    sets: RwLock<Sets>,
    pub events: Vec<EventHandle>,
    /// Renderer of the first thread while that thread is not running.
    pub first: Mutex<Option<Renderer>>,
}

impl SharedState<'_> {
    /// Creates all objects that exist before the first phase.
    pub fn set_up<'a, C: Caller>(caller: &mut C, scenario: &'a ScenarioFile) -> Result<SharedState<'a>, WorkloadError> {
        let (device, sets) = (Mutex::new(None), RwLock::default());
        let mut shared_state = SharedState { scenario, device, sets, events: Vec::new(), first: Mutex::new(None) };
        let renderer = shared_state.begin(caller)?;
        *shared_state.first() = Some(renderer);
        let events: Result<Vec<_>, _> = scenario.events.iter().map(|_| event(caller)).collect();
        shared_state.events = events?;
        Ok(shared_state)
    }

    /// Creates a device, the first thread's renderer, and the initial sets.
    pub fn begin<C: Caller>(&self, caller: &mut C) -> Result<Renderer, WorkloadError> {
        *self.device_lock() = Some(create_device(caller)?);
        let renderer = self.renderer(caller)?;
        *self.sets_to_change() = self.scenario.sets.iter().map(|_| None).collect();
        for set in 0..self.scenario.sets.len() {
            if self.scenario.sets[set].from_the_start {
                self.create(caller, set)?;
            }
        }
        Ok(renderer)
    }

    /// Creates the renderer of a thread.
    pub fn renderer<C: Caller>(&self, caller: &mut C) -> Result<Renderer, WorkloadError> {
        let device = self.device();
        let queue = create_queue(caller, device)?;
        Renderer::new(caller, device, queue)
    }

    /// Creates the pipeline states of a set; returns false if they exist already.
    pub fn create<C: Caller>(&self, caller: &mut C, set: usize) -> Result<bool, WorkloadError> {
        let device = self.device();
        let mut sets = self.sets_to_change();
        if sets[set].is_some() {
            return Ok(false);
        }
        let materials = self.scenario.sets[set].materials.iter();
        let pipelines: Result<Vec<_>, _> =
            materials.map(|material| Pipeline::new(caller, device, material, false)).collect();
        sets[set] = Some(pipelines?);
        Ok(true)
    }

    /// Releases the pipeline states of a set; returns false if they do not exist.
    pub fn release<C: Caller>(&self, caller: &mut C, set: usize) -> Result<bool, WorkloadError> {
        let Some(pipelines) = self.sets_to_change()[set].take() else { return Ok(false) };
        pipelines.into_iter().try_for_each(|pipeline| pipeline.release(caller))?;
        Ok(true)
    }

    /// Releases everything, the device last.
    pub fn end<C: Caller>(&self, caller: &mut C, renderer: Renderer) -> Result<(), WorkloadError> {
        for set in 0..self.scenario.sets.len() {
            self.release(caller, set)?;
        }
        leave(caller, renderer)?;
        match self.device_lock().take() {
            None => Ok(()),
            Some(device) => required("ReleaseDevice", caller.release_device(device)),
        }
    }

    /// Releases everything at the end of the scenario, unless a step has already done so.
    pub fn tear_down<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        let renderer = self.first().take();
        if let Some(renderer) = &renderer {
            renderer.wait_for(caller, 0)?;
        }
        self.events.iter().try_for_each(|event| close(caller, *event))?;
        renderer.map_or(Ok(()), |renderer| self.end(caller, renderer))
    }

    /// Device of the scenario, or the null handle once it is destroyed.
    pub fn device(&self) -> DeviceId {
        self.device_lock().unwrap_or_default()
    }

    fn device_lock(&self) -> MutexGuard<'_, Option<DeviceId>> {
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn first(&self) -> MutexGuard<'_, Option<Renderer>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn sets(&self) -> RwLockReadGuard<'_, Sets> {
        self.sets.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn sets_to_change(&self) -> RwLockWriteGuard<'_, Sets> {
        self.sets.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a renderer's work and releases it with its queue.
pub(super) fn leave<C: Caller>(caller: &mut C, renderer: Renderer) -> Result<(), WorkloadError> {
    let queue = renderer.queue;
    renderer.release(caller)?;
    release_queue(caller, queue)
}
