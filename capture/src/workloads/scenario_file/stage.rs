//! What the threads of a scenario share, and what each has of its own.

use super::super::error::WorkloadError;
use super::super::event::{close, event};
use super::super::pipeline::Pipeline;
use super::super::refusal::required;
use super::super::renderer::{Renderer, create_device, create_queue, release_queue};
use super::file::ScenarioFile;
use crate::caller::Caller;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use taut_schemas::{DeviceId, EventHandle};

/// By set, its pipeline states; none if they are not there.
type Sets = Vec<Option<Vec<Pipeline>>>;

/// What the threads share.
pub(super) struct Stage<'a> {
    pub scenario: &'a ScenarioFile,
    /// None once it is destroyed.
    device: Mutex<Option<DeviceId>>,
    sets: RwLock<Sets>,
    pub events: Vec<EventHandle>,
    /// What the first thread draws with while it does not play.
    pub first: Mutex<Option<Renderer>>,
}

impl Stage<'_> {
    /// Creates everything that is there before the first phase.
    pub fn set_up<'a, C: Caller>(caller: &mut C, scenario: &'a ScenarioFile) -> Result<Stage<'a>, WorkloadError> {
        let (device, sets) = (Mutex::new(None), RwLock::default());
        let mut stage = Stage { scenario, device, sets, events: Vec::new(), first: Mutex::new(None) };
        let renderer = stage.begin(caller)?;
        *stage.first() = Some(renderer);
        let events: Result<Vec<_>, _> = scenario.events.iter().map(|_| event(caller)).collect();
        stage.events = events?;
        Ok(stage)
    }

    /// Creates a device, what the first thread draws with, and the sets that are there from the start.
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

    /// What a thread draws with.
    pub fn renderer<C: Caller>(&self, caller: &mut C) -> Result<Renderer, WorkloadError> {
        let device = self.device();
        let queue = create_queue(caller, device)?;
        Renderer::new(caller, device, queue)
    }

    /// Creates the pipeline states of a set. Whether it was not there.
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

    /// Releases the pipeline states of a set. Whether it was there.
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

    /// Does the same when the scenario is over, if it has not been done.
    pub fn tear_down<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        let renderer = self.first().take();
        if let Some(renderer) = &renderer {
            renderer.wait_for(caller, 0)?;
        }
        self.events.iter().try_for_each(|event| close(caller, *event))?;
        renderer.map_or(Ok(()), |renderer| self.end(caller, renderer))
    }

    /// The device; the null device once it is destroyed.
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

/// Releases what a thread draws with, once that is done.
pub(super) fn leave<C: Caller>(caller: &mut C, renderer: Renderer) -> Result<(), WorkloadError> {
    let queue = renderer.queue;
    renderer.release(caller)?;
    release_queue(caller, queue)
}
