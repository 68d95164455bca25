//! Blend states. Equal descriptions, after what is not used has been set to its default, are one object (rule H-12).

use super::context_state::ContextKind;
use super::deferred_context::{count, facts};
use super::handle;
use super::open::{self, find};
use crate::context::Context;
use crate::state::{D3d11Kind, D3d11Object, DeviceState, Object, Objects};
use std::sync::Arc;
use taut_schemas::{
    Blend, BlendDesc, BlendOp, ColorWriteEnable, D3d11StateId, HResult, HResultCode, HandleType, RenderTargetBlendDesc,
    d3d11, d3d11_context_ddi as ddi,
};

/// D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT.
const RENDER_TARGETS: usize = 8;

/// ID3D11Device::CreateBlendState.
pub(crate) fn create_blend_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateBlendState,
) -> HResult<D3d11StateId> {
    let owner = call.device;
    open::device_undoing_mark(context, objects, owner)?;
    let Some(facts) = facts(device, owner) else {
        let text = format_args!("CreateBlendState: the adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, owner, text);
    };
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    let Some(desc) = normalised(&call.desc) else {
        let text = format_args!("CreateBlendState: an enumerator is none, or there are more than 8 render targets.");
        return context.refuse(HResultCode::E_INVALIDARG, owner, text);
    };
    let key = (owner.0, desc.clone());
    if let Some(same) = device.d3d11.states.get(&key).copied()
        && let Some(object) = find(objects, same.into())
    {
        object.count += 1;
        return Ok(same);
    }
    let (ic, device_handle) = (facts.immediate, facts.device_handle);
    let size = context.ddi(ddi::CalcPrivateBlendStateSize { context: ic, device: device_handle, desc: desc.clone() });
    let kind = (HandleType::BLENDSTATE, size);
    let (made, ()) = handle::create(context, device, &facts, kind, None, None, |context, handle, memory| {
        let create = ddi::CreateBlendState { context: ic, device: device_handle, handle, desc };
        context.ddi_on(memory, ContextKind::Immediate, create).ok()
    })?;
    let id = D3d11StateId(device.next_object().0);
    let kind = D3d11Kind::BlendState(());
    let object = D3d11Object { handle: Some(Arc::new(made)), ..D3d11Object::new(owner, kind) };
    objects.insert(id.into(), Object::d3d11(object));
    device.count_object();
    count(device, owner);
    device.d3d11.states.insert(key, id);
    Ok(id)
}

/// The object that a creation with this description gives, if there is one.
pub(crate) fn existing(device: &DeviceState, call: &d3d11::CreateBlendState) -> Option<D3d11StateId> {
    device.d3d11.states.get(&(call.device.0, normalised(&call.desc)?)).copied()
}

/// The description with what is not used set to its default. `None` if it is no description.
fn normalised(desc: &BlendDesc) -> Option<BlendDesc> {
    let opaque = RenderTargetBlendDesc {
        blend_enable: false,
        src_blend: Blend::ONE,
        dest_blend: Blend::ZERO,
        blend_op: BlendOp::ADD,
        src_blend_alpha: Blend::ONE,
        dest_blend_alpha: Blend::ZERO,
        blend_op_alpha: BlendOp::ADD,
        write_mask: ColorWriteEnable::ALL,
    };
    let is_known = |target: &RenderTargetBlendDesc| {
        let blends = [target.src_blend, target.dest_blend, target.src_blend_alpha, target.dest_blend_alpha];
        let known = |blend: &Blend| (1..=11).contains(&blend.0) || (14..=19).contains(&blend.0);
        let op = |op: BlendOp| (1..=5).contains(&op.0);
        !target.blend_enable || (blends.iter().all(known) && op(target.blend_op) && op(target.blend_op_alpha))
    };
    if desc.render_targets.len() > RENDER_TARGETS || !desc.render_targets.iter().all(is_known) {
        return None;
    }
    let used = if desc.independent_blend_enable { RENDER_TARGETS } else { 1 };
    let mut render_targets: Vec<_> = desc.render_targets.iter().take(used).copied().collect();
    for target in &mut render_targets {
        if !target.blend_enable {
            *target = RenderTargetBlendDesc { write_mask: target.write_mask, ..opaque };
        }
    }
    render_targets.resize(used, opaque);
    // Alike targets are what dependent ones are.
    let alike = render_targets.iter().all(|target| *target == render_targets[0]);
    render_targets.truncate(if alike { 1 } else { used });
    Some(BlendDesc {
        alpha_to_coverage_enable: desc.alpha_to_coverage_enable,
        independent_blend_enable: !alike,
        render_targets,
    })
}
