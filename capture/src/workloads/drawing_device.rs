//! A device with everything that one thread draws with, for workloads that say something about background processing.

use super::error::WorkloadError;
use super::event::{close, event};
use super::mode::set_mode;
use super::parameters::Parameters;
use super::pipeline::Pipeline;
use super::refusal::required;
use super::renderer::{Renderer, create_device, create_queue, release_queue};
use crate::caller::Caller;
use taut_schemas::{BackgroundProcessingMode as Mode, DeviceId, EventHandle, MeasurementsAction as Action};

/// Frames that the processor may be ahead of the graphics processor.
const FRAMES_AHEAD: u64 = 2;

/// A device, and what one thread draws with.
pub(super) struct DrawingDevice {
    pub device: DeviceId,
    renderer: Renderer,
    pipelines: Vec<Pipeline>,
    /// For the end of commits.
    pub done: EventHandle,
    /// Draws of each pipeline state in a frame.
    draws: u32,
    /// The next frame of those that are not all the same.
    frame: u32,
}

impl DrawingDevice {
    /// Creates the device and everything else, and a pipeline state of each shader.
    pub fn set_up<C: Caller>(caller: &mut C, parameters: &Parameters) -> Result<DrawingDevice, WorkloadError> {
        let device = create_device(caller)?;
        let queue = create_queue(caller, device)?;
        let renderer = Renderer::new(caller, device, queue)?;
        let materials = parameters.materials()?;
        let pipelines: Result<Vec<_>, _> =
            materials.iter().map(|material| Pipeline::new(caller, device, material, false)).collect();
        let draws = parameters.count("draws");
        Ok(DrawingDevice { device, renderer, pipelines: pipelines?, done: event(caller)?, draws, frame: 0 })
    }

    /// Sets the background processing mode; whether further measurements are desired.
    pub fn set<C: Caller>(
        &self,
        caller: &mut C,
        mode: (Mode, Action),
        event: (EventHandle, bool),
    ) -> Result<bool, WorkloadError> {
        set_mode(caller, self.device, mode, event)
    }

    /// Draws the same frame as always, and waits until it is done.
    pub fn play_captured<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.frame(caller, &self.pipelines, (0, self.draws))?;
        self.renderer.wait_for(caller, 0)
    }

    /// Draws so many frames, each with other constants where shaders have some that drift. The last ones are not done
    /// yet.
    pub fn fly_through<C: Caller>(&mut self, caller: &mut C, frames: u64) -> Result<(), WorkloadError> {
        for _ in 0..frames {
            self.renderer.frame(caller, &self.pipelines, (self.frame, self.draws))?;
            self.renderer.wait_for(caller, FRAMES_AHEAD)?;
            self.frame = self.frame.wrapping_add(1);
        }
        Ok(())
    }

    /// Waits until everything submitted is done.
    pub fn drain<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.wait_for(caller, 0)
    }

    /// Releases everything, the device last.
    pub fn leave<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.drain(caller)?;
        close(caller, self.done)?;
        self.pipelines.into_iter().try_for_each(|pipeline| pipeline.release(caller))?;
        let queue = self.renderer.queue;
        self.renderer.release(caller)?;
        release_queue(caller, queue)?;
        required("ReleaseDevice", caller.release_device(self.device))
    }
}
