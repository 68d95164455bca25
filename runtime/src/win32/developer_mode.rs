//! The operating system's developer mode.

use super::SystemState;
use crate::context::Context;
use taut_schemas::{HResult, win32};

/// The system's setting. It is looked at in each call (rule B-05).
pub(crate) fn set_developer_mode(
    _: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::SetDeveloperMode,
) -> HResult<()> {
    system.developer_mode = Some(call.enabled);
    Ok(())
}
