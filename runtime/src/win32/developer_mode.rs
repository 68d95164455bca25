//! Developer mode of the operating system.

use super::SystemState;
use crate::context::Context;
use taut_schemas::{HResult, win32};

/// Sets developer mode. Each call that depends on it reads the current value (rule B-05).
pub(crate) fn set_developer_mode(
    _: &mut Context<'_>,
    system: &mut SystemState,
    call: &win32::SetDeveloperMode,
) -> HResult<()> {
    system.developer_mode = Some(call.enabled);
    Ok(())
}
