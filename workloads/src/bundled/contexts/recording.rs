//! Recording of calls that bind state and draw, selected by random numbers.

use super::bound_objects::{BoundObjects, SIDE};
use crate::bundled::WorkloadError;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use taut_capture::Caller;
use taut_schemas::{
    Bytes, D3d11ContextId, D3d11ViewId, D3d11Viewport, HResultCode, MapFlags, MapType, PrimitiveTopology, ShaderStage,
    VertexBufferBinding, d3d11,
};

/// Opaque black, as bits of floats.
const BLACK: [u32; 4] = [0, 0, 0, 0x3f80_0000];

/// Binds one object of each kind.
pub(super) fn bind<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    bound_objects: &BoundObjects,
    random: &mut Random,
) -> Result<(), WorkloadError> {
    let stage = ShaderStage(random.below(6) as u32);
    let start_slot = random.below(4) as u32;
    let side = (SIDE as f32).to_bits();
    let viewports = vec![D3d11Viewport { width: side, height: side, ..Default::default() }];
    let (render_targets, depth_stencil) = (vec![bound_objects.target], D3d11ViewId::NULL);
    let vertex_buffers =
        vec![VertexBufferBinding { buffer: bound_objects.vertices, stride_bytes: 16, offset_bytes: 0 }];
    let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
    let topology = PrimitiveTopology::TRIANGLELIST;
    let bound = [
        caller.call(d3d11::OMSetRenderTargets { context, render_targets, depth_stencil }),
        caller.call(d3d11::RSSetViewports { context, viewports }),
        caller.call(d3d11::RSSetState { context, rasterizer_state: bound_objects.rasterizer }),
        caller.call(d3d11::OMSetBlendState { context, blend_state: bound_objects.blend, blend_factor, sample_mask }),
        caller.call(d3d11::IASetPrimitiveTopology { context, topology }),
        caller.call(d3d11::IASetVertexBuffers { context, start_slot: 0, vertex_buffers }),
        caller.call(d3d11::SetShader { context, stage: ShaderStage::PIXEL, shader: bound_objects.shader }),
        caller.call(d3d11::SetSamplers { context, stage, start_slot, samplers: vec![bound_objects.sampler] }),
        caller.call(d3d11::SetShaderResources { context, stage, start_slot, views: vec![bound_objects.input] }),
        caller.call(d3d11::SetConstantBuffers { context, stage, start_slot, buffers: vec![bound_objects.constants] }),
    ];
    bound.into_iter().try_for_each(|bound| required("a call that binds", bound))
}

/// Makes this many draws, some preceded by a clear, a copy, an update or a write of constants.
pub(super) fn draw<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    bound_objects: &BoundObjects,
    random: &mut Random,
    draws: u64,
) -> Result<(), WorkloadError> {
    for _ in 0..draws {
        match random.below(8) {
            0 => {
                let clear = d3d11::ClearRenderTargetView { context, view: bound_objects.target, color: BLACK.to_vec() };
                required("ClearRenderTargetView", caller.call(clear))?;
            }
            1 => {
                let (destination, source) = (bound_objects.texture, bound_objects.canvas);
                required("CopyResource", caller.call(d3d11::CopyResource { context, destination, source }))?;
            }
            2 => {
                let data = Bytes(vec![random.below(256) as u8; 64]);
                let update =
                    d3d11::UpdateSubresource { context, resource: bound_objects.vertices, subresource: 0, data };
                required("UpdateSubresource", caller.call(update))?;
            }
            3 | 4 => write_constants(caller, context, bound_objects, random.below(3))?,
            _ => {}
        }
        let drawn = match random.below(3) {
            0 => caller.call(d3d11::DrawInstanced {
                context,
                vertex_count_per_instance: 3,
                instance_count: 4,
                ..Default::default()
            }),
            _ => caller.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }),
        };
        required("a draw", drawn)?;
    }
    Ok(())
}

/// Maps the constant buffer, first with WRITE_DISCARD and `more` times with WRITE_NO_OVERWRITE. If memory has run out,
/// the constants are not written.
fn write_constants<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    bound_objects: &BoundObjects,
    more: u64,
) -> Result<(), WorkloadError> {
    for turn in 0..=more {
        let map_type = if turn == 0 { MapType::WRITE_DISCARD } else { MapType::WRITE_NO_OVERWRITE };
        let (resource, subresource, map_flags) = (bound_objects.constants, 0, MapFlags::NONE);
        match caller.call(d3d11::Map { context, resource, subresource, map_type, map_flags }) {
            Err(HResultCode::E_OUTOFMEMORY) => return Ok(()),
            mapped => required("Map", mapped)?,
        };
        required("Unmap", caller.call(d3d11::Unmap { context, resource, subresource }))?;
    }
    Ok(())
}

/// Begins a query that may stay open, in which case FinishCommandList ends it.
pub(super) fn query<C: Caller>(
    caller: &mut C,
    context: D3d11ContextId,
    bound_objects: &BoundObjects,
    ends: bool,
) -> Result<(), WorkloadError> {
    let query = bound_objects.query;
    required("Begin", caller.call(d3d11::Begin { context, query }))?;
    required("Draw", caller.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }))?;
    if ends {
        required("End", caller.call(d3d11::End { context, query }))?;
    }
    Ok(())
}
