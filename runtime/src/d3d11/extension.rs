//! The extension's own calls: Init and SetDirectAccessResourceExtension (rule T-04).

use super::context_state::ContextState;
use super::memory::map_memory;
use super::open;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{AvailableExtensions, HResult, HResultCode, d3d11, d3d11_ddi};

/// Init: asks the driver which extensions it has. Without any it still succeeds, and says so. With direct access the memory of
/// a resource is no longer its own alone, so from here on the immediate context's calls take the device's lock.
pub(crate) fn init_extensions(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::InitExtensions,
) -> HResult<AvailableExtensions> {
    open::device_undoing_mark(context, objects, call.device)?;
    let found = context.ddi(d3d11_ddi::GetExtensions {});
    open::device(context, objects, call.device)?.extensions = Some(found);
    if found.direct_access && !std::mem::replace(&mut state.extended, true) {
        for (resource, _) in &state.maps {
            map_memory(device, *resource);
        }
    }
    Ok(found)
}

/// SetDirectAccessResourceExtension. Setting it twice is setting it once.
pub(crate) fn set_direct_access_resource_extension(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::SetDirectAccessResourceExtension,
) -> HResult<()> {
    let device = open::device(context, objects, call.device)?;
    match device.extensions {
        Some(AvailableExtensions { direct_access: true }) => {
            device.marked = true;
            Ok(())
        }
        Some(_) => {
            let text = format_args!("The driver has no direct-access extension.");
            context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, call.device, text)
        }
        None => {
            let text = format_args!("The extensions' Init has to come before their other calls.");
            context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.device, text)
        }
    }
}
