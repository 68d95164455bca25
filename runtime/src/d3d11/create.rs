//! What the creation of textures and buffers shares.

use super::state::{D3d11Memory, D3d11Resource};
use crate::context::Context;
use crate::d3d12::answer::violate;
use crate::d3d12::device::DeviceState;
use crate::memory::space::PAGE_BYTES;
use crate::objects::{Object, Objects};
use taut_schemas::{
    CpuAccessFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, D3d11ResourceLayout, HResult, HResultCode,
    ObjectId, Usage, d3d11_ddi, rule,
};

/// What is wrong with usage and processor access, in words (d3d11.h: D3D11_USAGE). The simulation has default and staging
/// resources alone.
pub(crate) fn usage_fault(desc: &D3d11DdiResourceDesc) -> Option<&'static str> {
    let access = desc.cpu_access_flags;
    let known = CpuAccessFlags(CpuAccessFlags::READ.0 | CpuAccessFlags::WRITE.0);
    match desc.usage {
        _ if access.without(known) != CpuAccessFlags::NONE => Some("CPUAccessFlags has an unknown bit"),
        Usage::DEFAULT if access != CpuAccessFlags::NONE => Some("a default resource has no CPUAccessFlags"),
        Usage::STAGING if access == CpuAccessFlags::NONE => Some("a staging resource needs CPUAccessFlags"),
        Usage::STAGING if desc.bind_flags.0 != 0 => Some("a staging resource has no BindFlags"),
        Usage::DEFAULT | Usage::STAGING => None,
        _ => Some("Usage is neither D3D11_USAGE_DEFAULT nor D3D11_USAGE_STAGING"),
    }
}

/// Has the driver create the resource, finds it memory, and makes the object.
///
/// # Errors
/// The driver's code; E_OUTOFMEMORY; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode.
pub(crate) fn realize(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    owner: D3d11DeviceId,
    (desc, direct_access): (D3d11DdiResourceDesc, bool),
) -> HResult<D3d11ResourceId> {
    let ObjectId(id) = device.next_object();
    let resource = D3d11ResourceId(id);
    let layout = context.ddi(d3d11_ddi::CreateResource { desc, direct_access, resource })?;
    let shares = direct_access && desc.usage == Usage::STAGING;
    let placed = match shares {
        true => memoryless(context, device, &layout),
        false => place(context, device, resource, layout),
    };
    if let Err(code) = placed {
        context.ddi(d3d11_ddi::DestroyResource { resource });
        return Err(code);
    }
    let memory = if shares { D3d11ResourceId::NULL } else { resource };
    let state = D3d11Resource { device: owner, desc, direct_access, memory, mapped: Vec::new() };
    objects.insert(resource.into(), Object::d3d11_resource(state));
    device.count_object();
    Ok(resource)
}

/// Rule T-05: a direct-access staging texture has no memory of its own.
fn memoryless(context: &mut Context<'_>, device: &mut DeviceState, layout: &D3d11ResourceLayout) -> HResult<()> {
    if layout.size_bytes == 0 {
        return Ok(());
    }
    let text = format_args!("The driver wants {} bytes for a direct-access staging texture.", layout.size_bytes);
    violate(context, device, rule::T_05, (layout.size_bytes, 0, 0), text)
}

fn place(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    resource: D3d11ResourceId,
    layout: D3d11ResourceLayout,
) -> HResult<()> {
    let Some(address) = device.memory.allocate(layout.size_bytes, PAGE_BYTES) else {
        let text = format_args!("There is no room of {} bytes in the adapter's address space.", layout.size_bytes);
        return context.refuse(HResultCode::E_OUTOFMEMORY, ObjectId::NULL, text);
    };
    device.d3d11_memory.insert(resource.0, D3d11Memory { address, layout, written_by: 0, users: 1, maps: 0 });
    Ok(())
}
