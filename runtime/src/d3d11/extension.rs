//! The instant-access extension's own calls: Init and SetDirectAccessResourceExtension (rule T-04).

use super::context_state::ContextState;
use super::memory::map_memory;
use super::open;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{AvailableExtensions, HResult, HResultCode, d3d11, d3d11_ddi};

/// Init: queries the driver's extensions. Succeeds even without extensions. With direct access, resources share memory,
/// so the immediate context's calls take the device's lock from now on.
pub(crate) fn init_extensions(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::InitExtensions,
) -> HResult<AvailableExtensions> {
    open::device_clearing_access_mark(context, objects, call.device)?;
    let found = context.ddi(d3d11_ddi::GetExtensions {});
    open::device(context, objects, call.device)?.extensions = Some(found);
    // Maps that are open already were not counted before: counting needs the device's lock.
    if found.direct_access && !std::mem::replace(&mut state.extended, true) {
        for (resource, _) in &state.maps {
            map_memory(device, *resource);
        }
    }
    Ok(found)
}

/// SetDirectAccessResourceExtension. Setting the mark twice has the effect of setting it once.
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
