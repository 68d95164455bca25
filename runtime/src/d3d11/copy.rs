//! CopyResource: an ordinary copy, or the binding of an instant-access pair (rule T-04).

use super::context_state::{ContextKind, ContextState};
use super::effect;
use super::held;
use super::held::HoldTarget;
use super::memory;
use super::open;
use super::violation::{LockedContext, violate_in};
use crate::context::Context;
use crate::state::{ContextWork, D3d11Resource, DeferredCommand, DeviceState, Objects};
use crate::violation::ObservedValue;
use taut_schemas::{
    CopyKind, CopyOutcome, D3d11DdiResourceDesc, D3d11ResourceId, HResult, HResultCode, MessageId, MessageSeverity,
    Usage, d3d11, d3d11_context_ddi, d3d11_ddi, rule,
};

/// ID3D11DeviceContext::CopyResource. The API returns nothing; the outcome returned here is recorded.
///
/// The staging texture of a pair is the destination. Another copy binds it to another texture, unless it is mapped.
pub(crate) fn copy_resource(
    context: &mut Context<'_>,
    mut extension: Option<&mut DeviceState>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::CopyResource,
) -> HResult<CopyOutcome> {
    open::begin(context, state, objects, call.context)?;
    let source = held::resource(context, state, objects, call.source)?;
    let destination = held::resource(context, state, objects, call.destination)?;
    if !is_copy_compatible(&source.desc, &destination.desc) {
        let text = format_args!("CopyResource: dimension, extents, mip levels or format differ.");
        return context.refuse(HResultCode::E_INVALIDARG, call.destination, text);
    }
    let mapped = state.is_mapped(call.source) || state.is_mapped(call.destination);
    // Without an extension, each resource has memory of its own, so the context's own maps suffice.
    if mapped || is_mapped(extension.as_deref(), &source) {
        let text = format_args!("CopyResource: a resource is mapped.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.destination, text);
    }
    let pair = is_pair(&destination, &source);
    if !pair {
        check_ordinary(context, extension.as_deref(), call, &destination, &source)?;
    }
    let (destination_id, source_id) = (call.destination, call.source);
    if state.facts.is_some() {
        return copy_by_handle(context, state, objects, call);
    }
    let copy = d3d11_ddi::ResourceCopy { destination: destination_id, source: source_id, direct_access_pair: pair };
    let CopyOutcome { kind } = context.ddi(copy);
    // The driver must copy an ordinary pair and bind a direct-access pair (rule T-04).
    let wanted = if pair { CopyKind::BOUND } else { CopyKind::COPIED };
    if kind != wanted {
        let (found, wanted) = (kind.0.into(), wanted.0.into());
        let observed = ObservedValue { found, min: wanted, max: wanted };
        let text = format_args!("The driver answered ResourceCopy with {kind:?}.");
        let locked = LockedContext { device: extension.as_deref_mut(), state };
        violate_in(context, locked, rule::T_04, observed, text)?;
    }
    // Binding shares the source's memory and drops the destination's former one, which another copy may have bound.
    match extension {
        Some(device) if pair => {
            memory::share(device, source.memory);
            memory::drop_user(context, device, destination.memory);
            if let Some(bound) = open::resource_mut(objects, destination_id) {
                bound.memory = source.memory;
            }
        }
        _ => drop(state.being_written.insert(destination.memory.0)),
    }
    Ok(CopyOutcome { kind: wanted })
}

/// CopyResource on a driver with handles per context.
fn copy_by_handle(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::CopyResource,
) -> HResult<CopyOutcome> {
    let work = ContextWork::Copy { destination: call.destination, source: call.source };
    effect::work(state, work);
    if state.deferred_commands.is_some() {
        for id in [call.destination, call.source] {
            held::hold(
                context,
                state,
                objects,
                HoldTarget { id: id.into(), kind: "Direct3D 11 resource", is: |_| true },
            )?;
        }
        state.defer(|| DeferredCommand::Copy { destination: call.destination, source: call.source });
        return Ok(CopyOutcome { kind: CopyKind::COPIED });
    }
    let destination = held::handle_for_call(context, state, objects, call.destination.into())?;
    let source = held::handle_for_call(context, state, objects, call.source.into())?;
    let (of, device) = (state.id, state.device_handle);
    if let (Some(destination), Some(source)) = (destination, source) {
        state.record(context, d3d11_context_ddi::ResourceCopy { context: of, device, destination, source });
    }
    state.forget_passed_handles();
    if state.kind == ContextKind::Immediate {
        state.being_written.insert(call.destination.0);
    }
    Ok(CopyOutcome { kind: CopyKind::COPIED })
}

/// True for a staging texture and a default texture, both created for direct access, in the order that binds them.
fn is_pair(destination: &D3d11Resource, source: &D3d11Resource) -> bool {
    let direct = destination.direct_access && source.direct_access;
    direct && destination.desc.usage == Usage::STAGING && source.desc.usage == Usage::DEFAULT
}

/// Validates an ordinary copy, and warns if a direct-access texture takes part in it.
fn check_ordinary(
    context: &mut Context<'_>,
    extension: Option<&DeviceState>,
    call: &d3d11::CopyResource,
    destination: &D3d11Resource,
    source: &D3d11Resource,
) -> HResult<()> {
    for (id, resource) in [(call.destination, destination), (call.source, source)] {
        if resource.memory == D3d11ResourceId::NULL {
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
    if is_mapped(extension, destination) {
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

/// True if the memory is mapped through any resource. Always false without an extension: no memory is shared then.
fn is_mapped(extension: Option<&DeviceState>, resource: &D3d11Resource) -> bool {
    let memory = extension.and_then(|device| device.d3d11_memory.get(resource.memory.0));
    memory.is_some_and(|memory| memory.maps > 0)
}

/// True if both descriptions have the same extents and formats of one family, so that they can be copied.
fn is_copy_compatible(a: &D3d11DdiResourceDesc, b: &D3d11DdiResourceDesc) -> bool {
    let family = |desc: &D3d11DdiResourceDesc| desc.format.info().map(|info| info.family);
    (a.dimension, a.width, a.height, a.mip_levels, a.array_size)
        == (b.dimension, b.width, b.height, b.mip_levels, b.array_size)
        && family(a) == family(b)
}
