//! The graphics processor's work, as far as somebody may have to wait for it.

use super::open;
use super::state::D3d11Device;
use crate::context::Context;
use crate::objects::Objects;
use taut_schemas::{HResult, d3d11};

impl D3d11Device {
    /// One more write is submitted; its number.
    pub fn submit(&mut self) -> u64 {
        self.submitted += 1;
        self.submitted
    }
}

/// The input that everything submitted is done.
pub(crate) fn gpu_work_completed(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::GpuWorkCompleted,
) -> HResult<()> {
    let device = open::device_undoing_mark(context, objects, call.device)?;
    device.completed = device.submitted;
    Ok(())
}
