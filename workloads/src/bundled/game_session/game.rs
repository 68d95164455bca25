//! State that the threads of a game share.

use super::shared_objects::SharedObjects;
use crate::bundled::error::WorkloadError;
use crate::bundled::event::{close, event, wait};
use crate::bundled::mode::{ModeEvent, set_developer_mode, set_mode};
use crate::bundled::parameters::Parameters;
use crate::bundled::refusal::required;
use crate::bundled::renderer::{create_device, create_queue, release_queue};
use std::sync::Arc;
use taut_capture::Caller;
use taut_schemas::{
    BackgroundProcessingMode as Mode, CommandQueueId, DeviceId, EventHandle, MeasurementsAction as Action,
};
use taut_shaders::Material;

/// Maximum wait in milliseconds for the event of a commit that ends with the device's destruction.
const MAX_WAIT_MS: u32 = 60_000;

/// State shared by the threads.
pub(super) struct Game<'a> {
    pub parameters: &'a Parameters,
    pub materials: Vec<Arc<Material>>,
    pub device: DeviceId,
    pub queue: CommandQueueId,
    pub shared: SharedObjects,
    /// Event of the last commit.
    pub done: EventHandle,
}

impl Game<'_> {
    pub fn set_up<'a, C: Caller>(caller: &mut C, parameters: &'a Parameters) -> Result<Game<'a>, WorkloadError> {
        // Some of the modes require developer mode.
        set_developer_mode(caller, true)?;
        let device = create_device(caller)?;
        let queue = create_queue(caller, device)?;
        let materials = parameters.materials()?;
        let shared = SharedObjects::set_up(
            caller,
            device,
            materials.clone(),
            parameters.get("shared"),
            parameters.get("threads"),
        )?;
        Ok(Game { parameters, materials, device, queue, shared, done: event(caller)? })
    }

    /// True if a thread has a command queue of its own.
    pub fn has_own_queue(&self, thread: u32) -> bool {
        match self.parameters.word("queues") {
            "own" => true,
            "shared" => false,
            _ => thread.is_multiple_of(2),
        }
    }

    /// Releases the device while its tasks are running; the last commit's event is signalled nevertheless (rule B-58).
    pub fn tear_down<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        let signal = ModeEvent { event: self.done, want_further: false };
        set_mode(caller, self.device, Mode::ALLOWED, Action::COMMIT_RESULTS, signal)?;
        self.shared.tear_down(caller)?;
        release_queue(caller, self.queue)?;
        required("ReleaseDevice", caller.release_device(self.device))?;
        wait(caller, self.done, MAX_WAIT_MS)?;
        close(caller, self.done)
    }
}
