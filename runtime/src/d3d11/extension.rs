//! The extension's own calls: Init and SetDirectAccessResourceExtension (rule T-04).

use super::open;
use crate::context::Context;
use crate::objects::Objects;
use taut_schemas::{AvailableExtensions, HResult, HResultCode, d3d11, d3d11_ddi};

/// Init: asks the driver which extensions it has. Without any it still succeeds, and says so.
pub(crate) fn init_extensions(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::InitExtensions,
) -> HResult<AvailableExtensions> {
    open::device_undoing_mark(context, objects, call.device)?;
    let found = context.ddi(d3d11_ddi::GetExtensions {});
    open::device(context, objects, call.device)?.extensions = Some(found);
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
