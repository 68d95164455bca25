//! Errors of a driver that creates handles.

use super::DeviceFacts;
use crate::state::device::DeviceState;
use taut_schemas::HResultCode;

impl DeviceFacts {
    /// Returns a creation error. A removal error also removes the device; the shell then propagates the removal.
    pub fn handle_error(&self, device: &mut DeviceState, code: HResultCode) -> HResultCode {
        // The shell propagates the removal to the other contexts, whose locks this call does not have.
        if code == HResultCode::DXGI_ERROR_DEVICE_REMOVED {
            device.remove_because(code);
            device.d3d11.removed_by = Some(self.immediate);
        }
        code
    }
}
