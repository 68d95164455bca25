//! Device with the objects with which one thread draws, for workloads that control background processing.

use super::error::WorkloadError;
use super::event::{close, event};
use super::mode::{ModeEvent, set_mode};
use super::parameters::Parameters;
use super::pipeline::Pipeline;
use super::refusal::required;
use super::renderer::{Renderer, create_device, create_queue, release_queue};
use taut_capture::Caller;
use taut_schemas::{BackgroundProcessingMode as Mode, DeviceId, EventHandle, MeasurementsAction as Action};

/// Number of frames by which the CPU may be ahead of the GPU.
const FRAMES_AHEAD: u64 = 2;

/// Device with the objects with which one thread draws.
pub(super) struct DrawingDevice {
    pub device: DeviceId,
    renderer: Renderer,
    pipelines: Vec<Pipeline>,
    /// Event for the end of commits.
    pub done: EventHandle,
    /// Number of draws of each pipeline state in a frame.
    draws: u32,
    /// Number of the next frame of a fly-through, which decides its constants.
    frame: u32,
}

impl DrawingDevice {
    /// Creates the device and a pipeline state for each shader.
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

    /// Sets the background processing mode; returns whether further measurements are desired.
    pub fn set<C: Caller>(
        &self,
        caller: &mut C,
        mode: Mode,
        action: Action,
        signal: ModeEvent,
    ) -> Result<bool, WorkloadError> {
        set_mode(caller, self.device, mode, action, signal)
    }

    /// Draws the captured frame and waits for it to finish.
    pub fn play_captured<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.frame(caller, &self.pipelines, 0, self.draws)?;
        self.renderer.wait_for(caller, 0)
    }

    /// Draws a number of frames, with constants that differ from frame to frame where a shader has such constants. Does
    /// not wait for the last frames.
    pub fn fly_through<C: Caller>(&mut self, caller: &mut C, frames: u64) -> Result<(), WorkloadError> {
        for _ in 0..frames {
            self.renderer.frame(caller, &self.pipelines, self.frame, self.draws)?;
            self.renderer.wait_for(caller, FRAMES_AHEAD)?;
            self.frame = self.frame.wrapping_add(1);
        }
        Ok(())
    }

    /// Waits for all submitted work.
    pub fn drain<C: Caller>(&self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.wait_for(caller, 0)
    }

    /// Releases all objects, the device last.
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
