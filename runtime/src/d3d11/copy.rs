//! CopyResource: copies, or binds the extension's pair (rule T-04).

use super::memory;
use super::open;
use super::state::D3d11Resource;
use crate::context::Context;
use crate::d3d12::answer::violate;
use crate::d3d12::device::DeviceState;
use crate::objects::Objects;
use taut_schemas::{
    CopyKind, CopyOutcome, D3d11DdiResourceDesc, HResult, HResultCode, MessageId, MessageSeverity, Usage, d3d11,
    d3d11_ddi, rule,
};

/// ID3D11DeviceContext::CopyResource, which returns nothing; here it says what it did.
///
/// The staging texture of a pair is the destination. It is bound anew by another copy; while it is mapped, by none.
pub(crate) fn copy_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CopyResource,
) -> HResult<CopyOutcome> {
    open::device_undoing_mark(context, objects, call.device)?;
    let source = open::resource(context, objects, call.device, call.source)?.clone();
    let destination = open::resource(context, objects, call.device, call.destination)?.clone();
    if !alike(&source.desc, &destination.desc) {
        let text = format_args!("CopyResource: dimension, extents, mip levels or format differ.");
        return context.refuse(HResultCode::E_INVALIDARG, call.destination, text);
    }
    if !source.mapped.is_empty() || !destination.mapped.is_empty() || is_mapped(device, &source) {
        let text = format_args!("CopyResource: a resource is mapped.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.destination, text);
    }
    let pair = is_pair(&destination, &source);
    if !pair {
        check_ordinary(context, device, call, (&destination, &source))?;
    }
    let (destination_id, source_id) = (call.destination, call.source);
    let copy = d3d11_ddi::ResourceCopy { destination: destination_id, source: source_id, direct_access_pair: pair };
    let CopyOutcome { kind } = context.ddi(copy);
    let wanted = if pair { CopyKind::BOUND } else { CopyKind::COPIED };
    if kind != wanted {
        let numbers = (kind.0.into(), wanted.0.into(), wanted.0.into());
        violate(context, device, rule::T_04, numbers, format_args!("The driver answered ResourceCopy with {kind:?}."))?;
    }
    if pair {
        memory::share(device, source.memory);
        memory::leave(context, device, destination.memory);
        open::resource(context, objects, call.device, destination_id)?.memory = source.memory;
    } else {
        let written_by = open::device(context, objects, call.device)?.submit();
        if let Some(memory) = device.d3d11_memory.get_mut(destination.memory.0) {
            memory.written_by = written_by;
        }
    }
    Ok(CopyOutcome { kind: wanted })
}

/// A staging texture and a texture, both created for direct access, in the order that binds them.
fn is_pair(destination: &D3d11Resource, source: &D3d11Resource) -> bool {
    let direct = destination.direct_access && source.direct_access;
    direct && destination.desc.usage == Usage::STAGING && source.desc.usage == Usage::DEFAULT
}

/// Refuses what cannot be copied, and says when a copy is ordinary though the extension was meant.
fn check_ordinary(
    context: &mut Context<'_>,
    device: &DeviceState,
    call: &d3d11::CopyResource,
    (destination, source): (&D3d11Resource, &D3d11Resource),
) -> HResult<()> {
    for (id, resource) in [(call.destination, destination), (call.source, source)] {
        if device.d3d11_memory.get(resource.memory.0).is_none() {
            let text = format_args!(
                "CopyResource: staging texture {} is for direct access and not bound: there is nothing to copy.",
                id.0
            );
            return context.refuse(HResultCode::E_INVALIDARG, id, text);
        }
    }
    if destination.memory == source.memory {
        let text = format_args!("CopyResource: source and destination are the same memory.");
        return context.refuse(HResultCode::E_INVALIDARG, call.destination, text);
    }
    if is_mapped(device, destination) {
        let text = format_args!("CopyResource: the destination's memory is mapped through another resource.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.destination, text);
    }
    if destination.direct_access || source.direct_access {
        let text = format_args!(
            "CopyResource: textures {} and {} are no pair created for direct access, staging texture first; this is an \
             ordinary copy.",
            call.destination.0, call.source.0
        );
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, call.destination.into(), text);
    }
    Ok(())
}

fn is_mapped(device: &DeviceState, resource: &D3d11Resource) -> bool {
    device.d3d11_memory.get(resource.memory.0).is_some_and(|memory| memory.maps > 0)
}

/// Formats of one family may be copied to one another.
fn alike(a: &D3d11DdiResourceDesc, b: &D3d11DdiResourceDesc) -> bool {
    let family = |desc: &D3d11DdiResourceDesc| desc.format.info().map(|info| info.family);
    (a.dimension, a.width, a.height, a.mip_levels, a.array_size)
        == (b.dimension, b.width, b.height, b.mip_levels, b.array_size)
        && family(a) == family(b)
}
