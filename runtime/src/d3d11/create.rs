//! Creation of resources: the part that textures and buffers share.

use super::context_state::ContextKind;
use super::deferred_context::{count, facts};
use super::handle;
use super::handle::HandleRequest;
use crate::context::Context;
use crate::memory::space::PAGE_BYTES;
use crate::state::{D3d11Kind, D3d11Memory, D3d11Object, D3d11Resource, DeviceFacts, DeviceState, Object, Objects};
use crate::violation::{ObservedValue, violate};
use std::sync::Arc;
use taut_schemas::{
    BindFlags, CpuAccessFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, D3d11ResourceLayout, Dimension,
    HResult, HResultCode, HandleType, ObjectId, Usage, d3d11_context_ddi as ddi, d3d11_ddi, rule,
};

/// The error in usage and CPU access of a description, as text (d3d11.h: D3D11_USAGE). A driver without handles per
/// context has default and staging resources only.
pub(crate) fn usage_fault(desc: &D3d11DdiResourceDesc, has_handles: bool, initial_data: bool) -> Option<&'static str> {
    let access = desc.cpu_access_flags;
    let outputs = BindFlags::RENDER_TARGET | BindFlags::DEPTH_STENCIL;
    let outputs = outputs | BindFlags::UNORDERED_ACCESS | BindFlags::STREAM_OUTPUT;
    let is_input = desc.bind_flags.0 != 0 && !desc.bind_flags.intersects(outputs);
    let shaders = BindFlags::SHADER_RESOURCE | BindFlags::UNORDERED_ACCESS;
    let by_shaders = desc.bind_flags.intersects(shaders) && desc.bind_flags.without(shaders) == BindFlags::NONE;
    let reached = desc.dimension == Dimension::BUFFER && by_shaders;
    let known = CpuAccessFlags(CpuAccessFlags::READ.0 | CpuAccessFlags::WRITE.0);
    match desc.usage {
        _ if access.without(known) != CpuAccessFlags::NONE => Some("CPUAccessFlags has an unknown bit"),
        // Since Direct3D 11.2 the CPU may map buffers that shaders read or write.
        Usage::DEFAULT if has_handles && reached => None,
        Usage::DEFAULT if access != CpuAccessFlags::NONE => Some("a default resource has no CPUAccessFlags"),
        Usage::STAGING if access == CpuAccessFlags::NONE => Some("a staging resource needs CPUAccessFlags"),
        Usage::STAGING if desc.bind_flags.0 != 0 => Some("a staging resource has no BindFlags"),
        Usage::DEFAULT | Usage::STAGING => None,
        Usage::DYNAMIC | Usage::IMMUTABLE if has_handles && !is_input => {
            Some("a dynamic or immutable resource is bound, and for input alone")
        }
        Usage::DYNAMIC if has_handles && access != CpuAccessFlags::WRITE => {
            Some("the processor writes a dynamic resource, and does not read it")
        }
        Usage::DYNAMIC if has_handles && (desc.mip_levels, desc.array_size) != (1, 1) => {
            Some("a dynamic texture has one mip level and one layer")
        }
        Usage::IMMUTABLE if has_handles && access != CpuAccessFlags::NONE => {
            Some("an immutable resource has no CPUAccessFlags")
        }
        Usage::IMMUTABLE if has_handles && !initial_data => Some("an immutable resource needs pInitialData"),
        Usage::DYNAMIC | Usage::IMMUTABLE if has_handles => None,
        _ => Some("Usage is neither D3D11_USAGE_DEFAULT nor D3D11_USAGE_STAGING"),
    }
}

/// Description of a resource to create.
pub(crate) struct NewResource {
    pub desc: D3d11DdiResourceDesc,
    /// True after SetDirectAccessResourceExtension.
    pub direct_access: bool,
}

/// Has the driver create the resource, allocates its memory, and inserts the object.
///
/// # Errors
/// The driver's code; E_OUTOFMEMORY; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode.
pub(crate) fn realize(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    owner: D3d11DeviceId,
    resource: NewResource,
) -> HResult<D3d11ResourceId> {
    let NewResource { desc, direct_access } = resource;
    let ObjectId(id) = device.next_object();
    let resource = D3d11ResourceId(id);
    if let Some(facts) = facts(device, owner) {
        return realize_with_handle(context, device, objects, &facts, desc);
    }
    let layout = context.ddi(d3d11_ddi::CreateResource { desc, direct_access, resource })?;
    // Rule T-05: such a texture is bound to another texture's memory by CopyResource.
    let shares = direct_access && desc.usage == Usage::STAGING;
    let placed = match shares {
        true => check_memoryless(context, device, &layout).map(|()| 0),
        false => place(context, device, resource, layout),
    };
    let address = match placed {
        Ok(address) => address,
        // The driver has created the resource already, so a failure here must undo that.
        Err(code) => {
            context.ddi(d3d11_ddi::DestroyResource { resource });
            return Err(code);
        }
    };
    let memory = if shares { D3d11ResourceId::NULL } else { resource };
    let state = D3d11Resource { desc, direct_access, address, layout, memory, maps: 0 };
    objects.insert(resource.into(), Object::d3d11(D3d11Object::new(owner, D3d11Kind::Resource(state))));
    device.count_object();
    Ok(resource)
}

/// Creates the resource on a driver with handles per context.
fn realize_with_handle(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    facts: &DeviceFacts,
    desc: D3d11DdiResourceDesc,
) -> HResult<D3d11ResourceId> {
    let resource = D3d11ResourceId(device.next_object().0);
    let (of, hdevice) = (facts.immediate, facts.device_handle);
    let size = context.ddi(ddi::CalcPrivateResourceSize { context: of, device: hdevice, desc });
    let request = HandleRequest::new(HandleType::RESOURCE, size);
    let (created, layout) = handle::create(context, device, facts, request, |context, handle, memory| {
        let create = ddi::CreateResource { context: of, device: hdevice, handle, resource, desc: Some(desc) };
        context.ddi_on(memory, ContextKind::Immediate, create).ok()?
    })?;
    let address = match place(context, device, resource, layout) {
        Ok(address) => address,
        Err(code) => {
            context.ddi(ddi::DestroyResource { context: of, device: hdevice, handle: created.address });
            device.d3d11.handles.release(created.address, created.size_bytes);
            return Err(code);
        }
    };
    let state = D3d11Resource { desc, direct_access: false, address, layout, memory: resource, maps: 0 };
    let object = D3d11Object::new(facts.device, D3d11Kind::Resource(state));
    objects.insert(resource.into(), Object::d3d11(D3d11Object { handle: Some(Arc::new(created)), ..object }));
    device.count_object();
    count(device, facts.device);
    Ok(resource)
}

/// Validates rule T-05: a direct-access staging texture has no memory of its own.
fn check_memoryless(context: &mut Context<'_>, device: &mut DeviceState, layout: &D3d11ResourceLayout) -> HResult<()> {
    if layout.size_bytes == 0 {
        return Ok(());
    }
    let text = format_args!("The driver wants {} bytes for a direct-access staging texture.", layout.size_bytes);
    violate(context, device, rule::T_05, ObservedValue { found: layout.size_bytes, min: 0, max: 0 }, text)
}

fn place(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    resource: D3d11ResourceId,
    layout: D3d11ResourceLayout,
) -> HResult<u64> {
    let Some(address) = device.memory.allocate(layout.size_bytes, PAGE_BYTES) else {
        let text = format_args!("There is no room of {} bytes in the adapter's address space.", layout.size_bytes);
        return context.refuse(HResultCode::E_OUTOFMEMORY, ObjectId::NULL, text);
    };
    device.d3d11_memory.insert(resource.0, D3d11Memory { address, layout, users: 1, maps: 0 });
    Ok(address)
}
