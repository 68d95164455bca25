//! Get calls of bindings. Each returned object gets a reference, even if the application had released all of its
//! references (rule H-13).

use super::context_state::ContextState;
use super::held::begin;
use super::open::find;
use crate::context::Context;
use crate::state::Objects;
use std::collections::BTreeMap;
use taut_schemas::{
    BlendStateBinding, D3d11ContextId, D3d11InputLayoutId, D3d11Rect, D3d11ResourceId, D3d11ShaderId, D3d11StateId,
    D3d11ViewId, D3d11Viewport, DepthStencilStateBinding, Field, HResult, HResultCode, IndexBufferBinding, ObjectId,
    PredicationBinding, PrimitiveTopology, RenderTargetBinding, ShaderStage, VertexBufferBinding, d3d11,
};

/// Max slots of a query (D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT), checked for every kind of slot.
const SLOTS: u32 = 128;

macro_rules! gets {
    ($( $(#[$doc:meta])+ $method:ident $Name:ident($call:ident, $state:ident) $Output:ty: $found:expr; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $method(
            context: &mut Context<'_>,
            $state: &mut ContextState,
            objects: &mut dyn Objects,
            $call: &d3d11::$Name,
        ) -> HResult<$Output> {
            has_bindings(context, $state, $call.context)?;
            let found: $Output = $found;
            // The application now owns a reference to each object it got.
            found.visit_objects(&mut |object| {
                if let Some(object) = find(objects, object) {
                    object.count += 1;
                }
            });
            Ok(found)
        }
    )* };
}

fn has_bindings(context: &mut Context<'_>, state: &ContextState, id: D3d11ContextId) -> HResult<()> {
    begin(context, state, id)
}

/// The objects in a range of slots of a shader stage.
fn slots_of_stage(
    bound: &BTreeMap<(u32, u32), ObjectId>,
    stage: ShaderStage,
    start: u32,
    count: u32,
) -> HResult<Vec<ObjectId>> {
    let slots = slots(start, count)?;
    Ok(slots.map(|slot| bound.get(&(stage.0, slot)).copied().unwrap_or_default()).collect())
}

fn slots(start: u32, count: u32) -> HResult<std::ops::Range<u32>> {
    let end = start.checked_add(count).filter(|end| *end <= SLOTS);
    end.map(|end| start..end).ok_or(HResultCode::E_INVALIDARG)
}

gets! {
    /// ID3D11DeviceContext::VSGetShaderResources and so on.
    get_shader_resources GetShaderResources(call, state) Vec<D3d11ViewId>: {
        let found = slots_of_stage(&state.bindings.views, call.stage, call.start_slot, call.count)?;
        found.into_iter().map(|view| D3d11ViewId(view.0)).collect()
    };
    /// ID3D11DeviceContext::VSGetConstantBuffers and so on.
    get_constant_buffers GetConstantBuffers(call, state) Vec<D3d11ResourceId>: {
        let found = slots_of_stage(&state.bindings.constant_buffers, call.stage, call.start_slot, call.count)?;
        found.into_iter().map(|buffer| D3d11ResourceId(buffer.0)).collect()
    };
    /// ID3D11DeviceContext::VSGetSamplers and so on.
    get_samplers GetSamplers(call, state) Vec<D3d11StateId>: {
        let found = slots_of_stage(&state.bindings.samplers, call.stage, call.start_slot, call.count)?;
        found.into_iter().map(|sampler| D3d11StateId(sampler.0)).collect()
    };
    /// ID3D11DeviceContext::VSGetShader and so on.
    get_shader GetShader(call, state) D3d11ShaderId:
        state.bindings.shaders.get(&call.stage.0).copied().unwrap_or_default();
    /// ID3D11DeviceContext::IAGetInputLayout.
    ia_get_input_layout IAGetInputLayout(call, state) D3d11InputLayoutId: state.bindings.input_layout;
    /// ID3D11DeviceContext::IAGetVertexBuffers.
    ia_get_vertex_buffers IAGetVertexBuffers(call, state) Vec<VertexBufferBinding>: {
        let bound = &state.bindings.vertex_buffers;
        slots(call.start_slot, call.count)?.map(|slot| bound.get(&slot).copied().unwrap_or_default()).collect()
    };
    /// ID3D11DeviceContext::IAGetIndexBuffer.
    ia_get_index_buffer IAGetIndexBuffer(call, state) IndexBufferBinding: state.bindings.index_buffer;
    /// ID3D11DeviceContext::IAGetPrimitiveTopology.
    ia_get_primitive_topology IAGetPrimitiveTopology(call, state) PrimitiveTopology: state.bindings.topology;
    /// ID3D11DeviceContext::RSGetState.
    rs_get_state RSGetState(call, state) D3d11StateId: state.bindings.rasterizer;
    /// ID3D11DeviceContext::RSGetViewports.
    rs_get_viewports RSGetViewports(call, state) Vec<D3d11Viewport>: state.bindings.viewports.clone();
    /// ID3D11DeviceContext::RSGetScissorRects.
    rs_get_scissor_rects RSGetScissorRects(call, state) Vec<D3d11Rect>: state.bindings.scissors.clone();
    /// ID3D11DeviceContext::OMGetRenderTargets.
    om_get_render_targets OMGetRenderTargets(call, state) RenderTargetBinding: {
        let mut targets = state.bindings.targets.clone();
        targets.render_targets.resize(slots(0, call.count)?.len(), D3d11ViewId::NULL);
        targets
    };
    /// ID3D11DeviceContext::OMGetBlendState.
    om_get_blend_state OMGetBlendState(call, state) BlendStateBinding: BlendStateBinding {
        blend_state: state.bindings.blend.state,
        blend_factor: state.bindings.blend.factor.clone(),
        sample_mask: state.bindings.blend.sample_mask,
    };
    /// ID3D11DeviceContext::OMGetDepthStencilState.
    om_get_depth_stencil_state OMGetDepthStencilState(call, state) DepthStencilStateBinding:
        state.bindings.depth_stencil;
    /// ID3D11DeviceContext::CSGetUnorderedAccessViews.
    cs_get_unordered_access_views CSGetUnorderedAccessViews(call, state) Vec<D3d11ViewId>: {
        let bound = &state.bindings.unordered;
        let slots = slots(call.start_slot, call.count)?;
        slots.map(|slot| D3d11ViewId(bound.get(&slot).copied().unwrap_or_default().0)).collect()
    };
    /// ID3D11DeviceContext::GetPredication.
    get_predication GetPredication(call, state) PredicationBinding: state.bindings.predication;
}
