//! GPU work of context calls: done at once on the immediate context, recorded in the list on a deferred one.

use super::context_state::{ContextKind, ContextState};
use crate::state::{Content, ContextWork, D3d11Kind, D3d11View, DrawEffect, StateDesc};
use taut_schemas::{D3d11ResourceId, D3d11ViewId, ObjectId, PredicationBinding, RenderTargetBlendDesc, ShaderStage};

/// D3D11_COLOR_WRITE_ENABLE_ALL.
const ALL: u32 = 15;

/// Adds GPU work: applies it now, or records it for the execution of the list.
pub(crate) fn work(state: &mut ContextState, work: ContextWork) {
    match state.kind {
        ContextKind::Immediate => state.contents.apply(&work),
        // Rule H-74: a recording that ran out of memory is discarded, and so is its work.
        _ if state.skips_driver() => {}
        _ => state.work.push(work),
    }
}

/// Makes the work that follows depend on a predicate.
pub(crate) fn predicate(state: &mut ContextState, bound: &PredicationBinding) {
    if state.bindings.predication != *bound {
        work(state, ContextWork::Predicate(bound.predicate, bound.value));
    }
}

/// The work of filling a view. Only the first mip level's contents are modelled; other levels give unknown contents.
pub(crate) fn filled(view: &D3d11View, content: Content) -> ContextWork {
    ContextWork::Fill { resource: view.resource, content: if view.mip == 0 { content } else { Content::Unknown } }
}

/// Adds the work of a draw with the current bindings.
pub(crate) fn draw(state: &mut ContextState, is_anything: bool) {
    let target = state.bindings.targets.render_targets.first().copied().unwrap_or_default();
    let Some((resource, extents)) = target_of(state, target) else { return };
    let (covers, samples) = coverage(state, extents);
    let blend = blend(state);
    let shader = state.bindings.shaders.get(&ShaderStage::PIXEL.0).map(|shader| ObjectId::from(*shader));
    let colour = shader.and_then(|shader| match &state.held.get(&shader)?.object.kind {
        D3d11Kind::Shader(desc) if desc.is_constant => {
            Some([desc.output_red, desc.output_green, desc.output_blue, desc.output_alpha])
        }
        _ => None,
    });
    let effect = DrawEffect {
        target: Some(resource),
        colour: colour.filter(|_| blend.is_some()),
        write_mask: blend.unwrap_or(ALL),
        covers,
        samples: if is_anything { samples } else { 0 },
    };
    work(state, ContextWork::Draw(effect));
}

/// A render target's resource and extents, if the view is of the first mip level.
fn target_of(state: &ContextState, view: D3d11ViewId) -> Option<(D3d11ResourceId, [u32; 2])> {
    let D3d11Kind::View(view) = &state.held.get(&view.into())?.object.kind else { return None };
    let D3d11Kind::Resource(resource) = &view.resource_object.kind else { return None };
    (view.mip == 0).then_some((view.resource, [resource.desc.width, resource.desc.height]))
}

/// True if the first viewport covers the whole target, with the number of covered pixels.
fn coverage(state: &ContextState, [width, height]: [u32; 2]) -> (bool, u64) {
    let Some(viewport) = state.bindings.viewports.first() else { return (false, 0) };
    let side = |first: u32, length: u32, whole: u32| {
        let (first, length) = (f32::from_bits(first), f32::from_bits(length));
        let end = (first + length).clamp(0.0, whole as f32);
        (end - first.clamp(0.0, end)) as u64
    };
    let wide = side(viewport.top_left_x, viewport.width, width);
    let high = side(viewport.top_left_y, viewport.height, height);
    (wide == u64::from(width) && high == u64::from(height), wide * high)
}

/// The channels that a draw writes; `None` if it blends or uses alpha to coverage.
fn blend(state: &ContextState) -> Option<u32> {
    let id = ObjectId::from(state.bindings.blend.state);
    let Some(held) = state.held.get(&id) else { return Some(ALL) };
    let D3d11Kind::State(desc) = &held.object.kind else { return None };
    let StateDesc::Blend(desc) = &**desc else { return None };
    let merely = |target: &RenderTargetBlendDesc| (!target.blend_enable).then_some(target.write_mask.0 & ALL);
    match desc.render_targets.first() {
        // A colour is only known if blending does not mix it with the old contents.
        Some(target) => merely(target).filter(|_| !desc.alpha_to_coverage_enable),
        None => Some(ALL),
    }
}
