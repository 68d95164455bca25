//! One context's part of a frame: a run of draws, each binding what the one before has not bound.

use super::content::{Draw, Drawing};
use super::primitive::Source;
use super::stage::{Stage, TARGET};
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::refusal::required;
use taut_runtime::Execute;
use taut_schemas::{
    Call, D3d11ContextId, D3d11ResourceId, D3d11Viewport, HResult, MapFlags, MapType, PrimitiveTopology, ShaderStage,
    VertexBufferBinding, d3d11, format::Format,
};

/// A recording.
pub(super) struct Run<'a, C: Caller> {
    pub caller: &'a mut C,
    pub context: D3d11ContextId,
    pub drawing: &'a Drawing,
    pub stage: &'a Stage,
    bound: Bound<'a>,
}

/// What is bound.
#[derive(Default)]
struct Bound<'a> {
    node: Option<usize>,
    material: Option<usize>,
    layout: Option<&'a str>,
    topology: Option<PrimitiveTopology>,
    attributes: Option<&'a [Source]>,
    indices: Option<(Source, Format)>,
    /// Materials whose constants have been written.
    written: Vec<bool>,
}

impl<'a, C: Caller> Run<'a, C> {
    /// A recording in which nothing is bound.
    pub fn new(caller: &'a mut C, context: D3d11ContextId, drawing: &'a Drawing, stage: &'a Stage) -> Run<'a, C> {
        let bound = Bound { written: vec![false; drawing.materials.len()], ..Bound::default() };
        Run { caller, context, drawing, stage, bound }
    }

    /// Records the draws, if there are any.
    pub fn record(mut self, draws: &'a [Draw]) -> Result<(), WorkloadError> {
        if draws.is_empty() {
            return Ok(());
        }
        let (context, stage) = (self.context, self.stage);
        let (render_targets, depth_stencil) = (vec![stage.target], stage.depth);
        self.made(d3d11::OMSetRenderTargets { context, render_targets, depth_stencil })?;
        let [width, height] = [TARGET.0, TARGET.1].map(|side| (side as f32).to_bits());
        let viewport = D3d11Viewport { width, height, max_depth: 1.0_f32.to_bits(), ..Default::default() };
        self.made(d3d11::RSSetViewports { context, viewports: vec![viewport] })?;
        for draw in draws {
            self.bind_node(draw.node)?;
            self.bind_material(draw.material)?;
            self.bind_shape(draw)?;
            self.draw(draw)?;
            self.caller.step_done();
        }
        Ok(())
    }

    fn made<K>(&mut self, call: K) -> Result<(), WorkloadError>
    where
        K: Execute + Call<Output = HResult<()>>,
    {
        required(K::NAME, self.caller.call(call))
    }

    fn bind_node(&mut self, node: usize) -> Result<(), WorkloadError> {
        if self.bound.node == Some(node) {
            return Ok(());
        }
        self.bound.node = Some(node);
        let Some(constants) = self.stage.nodes.get(node).copied() else { return Ok(()) };
        self.write(constants)?;
        let (context, stage) = (self.context, ShaderStage::VERTEX);
        self.made(d3d11::SetConstantBuffers { context, stage, start_slot: 0, buffers: vec![constants] })
    }

    fn bind_material(&mut self, material: usize) -> Result<(), WorkloadError> {
        if self.bound.material == Some(material) {
            return Ok(());
        }
        self.bound.material = Some(material);
        let Some(dress) = self.stage.dresses.get(material).copied() else { return Ok(()) };
        // Constants are the same all over a frame.
        if let Some(written) = self.bound.written.get_mut(material)
            && !std::mem::replace(written, true)
        {
            self.write(dress.constants)?;
        }
        let (context, stage, start_slot) = (self.context, ShaderStage::PIXEL, 0);
        self.made(d3d11::SetConstantBuffers { context, stage, start_slot, buffers: vec![dress.constants] })?;
        self.made(d3d11::SetShaderResources { context, stage, start_slot, views: dress.views.to_vec() })?;
        self.made(d3d11::SetSamplers { context, stage, start_slot, samplers: dress.samplers.to_vec() })?;
        self.made(d3d11::SetShader { context, stage, shader: dress.shader })?;
        let (blend_state, blend_factor, sample_mask) = (dress.blend, Vec::new(), u32::MAX);
        self.made(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask })?;
        self.made(d3d11::RSSetState { context, rasterizer_state: dress.rasterizer })
    }

    fn bind_shape(&mut self, draw: &'a Draw) -> Result<(), WorkloadError> {
        let (context, shape) = (self.context, &draw.shape);
        if self.bound.layout != Some(&shape.layout)
            && let Some(input) = self.stage.input_of(&shape.layout)
        {
            self.bound.layout = Some(&shape.layout);
            self.made(d3d11::IASetInputLayout { context, input_layout: input.layout })?;
            self.made(d3d11::SetShader { context, stage: ShaderStage::VERTEX, shader: input.shader })?;
        }
        if self.bound.topology != Some(shape.topology) {
            self.bound.topology = Some(shape.topology);
            self.made(d3d11::IASetPrimitiveTopology { context, topology: shape.topology })?;
        }
        if self.bound.attributes != Some(&shape.attributes) {
            self.bound.attributes = Some(&shape.attributes);
            let vertex_buffers = shape.attributes.iter().map(|source| self.vertex_buffer(*source)).collect();
            self.made(d3d11::IASetVertexBuffers { context, start_slot: 0, vertex_buffers })?;
        }
        if let Some((source, format)) = shape.indices
            && self.bound.indices != shape.indices
        {
            self.bound.indices = shape.indices;
            let (index_buffer, offset_bytes) = self.stage.buffer_of(source);
            self.made(d3d11::IASetIndexBuffer { context, index_buffer, format, offset_bytes })?;
        }
        Ok(())
    }

    fn vertex_buffer(&self, source: Source) -> VertexBufferBinding {
        let (buffer, offset_bytes) = self.stage.buffer_of(source);
        let stride_bytes = self.stage.stride_bytes(source, self.drawing.element_bytes(source));
        VertexBufferBinding { buffer, stride_bytes, offset_bytes }
    }

    fn draw(&mut self, draw: &Draw) -> Result<(), WorkloadError> {
        let context = self.context;
        let count = u32::try_from(draw.shape.count).unwrap_or(u32::MAX);
        if draw.shape.indices.is_some() {
            let (index_count, start_index_location, base_vertex_location) = (count, 0, 0);
            self.made(d3d11::DrawIndexed { context, index_count, start_index_location, base_vertex_location })
        } else {
            self.made(d3d11::Draw { context, vertex_count: count, start_vertex_location: 0 })
        }
    }

    /// Writes constants anew: what they held is discarded.
    fn write(&mut self, resource: D3d11ResourceId) -> Result<(), WorkloadError> {
        let (context, subresource) = (self.context, 0);
        let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
        let map = d3d11::Map { context, resource, subresource, map_type, map_flags };
        required("Map", self.caller.call(map))?;
        self.made(d3d11::Unmap { context, resource, subresource })
    }
}
