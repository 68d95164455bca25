//! CopyResource: copies, or binds the extension's pair (rule T-04).

use super::context_state::{ContextKind, ContextState};
use super::effect;
use super::held;
use super::memory;
use super::open;
use super::violation::violate_in;
use crate::context::Context;
use crate::state::{D3d11Resource, DeviceState, Objects, Token, Work};
use taut_schemas::{
    CopyKind, CopyOutcome, D3d11DdiResourceDesc, D3d11ResourceId, HResult, HResultCode, MessageId, MessageSeverity,
    Usage, d3d11, d3d11_context_ddi, d3d11_ddi, rule,
};

/// ID3D11DeviceContext::CopyResource, which returns nothing; here it says what it did.
///
/// The staging texture of a pair is the destination. It is bound anew by another copy; while it is mapped, by none.
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
    if !alike(&source.desc, &destination.desc) {
        let text = format_args!("CopyResource: dimension, extents, mip levels or format differ.");
        return context.refuse(HResultCode::E_INVALIDARG, call.destination, text);
    }
    let mapped = state.is_mapped(call.source) || state.is_mapped(call.destination);
    if mapped || is_mapped(extension.as_deref(), &source) {
        let text = format_args!("CopyResource: a resource is mapped.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.destination, text);
    }
    let pair = is_pair(&destination, &source);
    if !pair {
        check_ordinary(context, extension.as_deref(), call, (&destination, &source))?;
    }
    let (destination_id, source_id) = (call.destination, call.source);
    if state.facts.is_some() {
        return copy_by_handle(context, state, objects, call);
    }
    let copy = d3d11_ddi::ResourceCopy { destination: destination_id, source: source_id, direct_access_pair: pair };
    let CopyOutcome { kind } = context.ddi(copy);
    let wanted = if pair { CopyKind::BOUND } else { CopyKind::COPIED };
    if kind != wanted {
        let numbers = (kind.0.into(), wanted.0.into(), wanted.0.into());
        let text = format_args!("The driver answered ResourceCopy with {kind:?}.");
        violate_in(context, (extension.as_deref_mut(), state), rule::T_04, numbers, text)?;
    }
    match extension {
        Some(device) if pair => {
            memory::share(device, source.memory);
            memory::leave(context, device, destination.memory);
            if let Some(bound) = open::resource_mut(objects, destination_id) {
                bound.memory = source.memory;
            }
        }
        _ => drop(state.being_written.insert(destination.memory.0)),
    }
    Ok(CopyOutcome { kind: wanted })
}

/// The copy on a driver with handles per context.
fn copy_by_handle(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::CopyResource,
) -> HResult<CopyOutcome> {
    let work = Work::Copy { destination: call.destination, source: call.source };
    effect::work(state, work);
    if state.tokens.is_some() {
        for id in [call.destination, call.source] {
            held::hold(context, state, objects, (id.into(), "Direct3D 11 resource", |_| true))?;
        }
        state.keep_token(|| Token::Copy { destination: call.destination, source: call.source });
        return Ok(CopyOutcome { kind: CopyKind::COPIED });
    }
    let destination = held::pass(context, state, objects, call.destination.into())?;
    let source = held::pass(context, state, objects, call.source.into())?;
    let (of, device) = (state.id, state.device_handle);
    if let (Some(destination), Some(source)) = (destination, source) {
        state.record(context, d3d11_context_ddi::ResourceCopy { context: of, device, destination, source });
    }
    state.passed();
    if state.kind == ContextKind::Immediate {
        state.being_written.insert(call.destination.0);
    }
    Ok(CopyOutcome { kind: CopyKind::COPIED })
}

/// A staging texture and a texture, both created for direct access, in the order that binds them.
fn is_pair(destination: &D3d11Resource, source: &D3d11Resource) -> bool {
    let direct = destination.direct_access && source.direct_access;
    direct && destination.desc.usage == Usage::STAGING && source.desc.usage == Usage::DEFAULT
}

/// Refuses what cannot be copied, and says when a copy is ordinary though the extension was meant.
fn check_ordinary(
    context: &mut Context<'_>,
    extension: Option<&DeviceState>,
    call: &d3d11::CopyResource,
    (destination, source): (&D3d11Resource, &D3d11Resource),
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

/// The memory is mapped, through whichever resource, as far as an extension has to know.
fn is_mapped(extension: Option<&DeviceState>, resource: &D3d11Resource) -> bool {
    let memory = extension.and_then(|device| device.d3d11_memory.get(resource.memory.0));
    memory.is_some_and(|memory| memory.maps > 0)
}

/// Formats of one family may be copied to one another.
fn alike(a: &D3d11DdiResourceDesc, b: &D3d11DdiResourceDesc) -> bool {
    let family = |desc: &D3d11DdiResourceDesc| desc.format.info().map(|info| info.family);
    (a.dimension, a.width, a.height, a.mip_levels, a.array_size)
        == (b.dimension, b.width, b.height, b.mip_levels, b.array_size)
        && family(a) == family(b)
}
