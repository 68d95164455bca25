//! The operating system's developer mode.

use crate::context::Context;
use crate::queue::QueueState;
use taut_schemas::{HResult, win32};

/// The system's setting. It is looked at in each call (rule B-05).
pub(crate) fn set_developer_mode(
    _: &mut Context<'_>,
    queue: &mut QueueState,
    call: &win32::SetDeveloperMode,
) -> HResult<()> {
    queue.developer_mode = Some(call.enabled);
    Ok(())
}
