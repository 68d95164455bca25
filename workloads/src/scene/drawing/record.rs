//! Recording of one context's draws of a frame; each draw binds only the state that differs from the previous one's.

use super::content::{Draw, Drawing};
use super::primitive::Source;
use super::stage::{Stage, TARGET};
use crate::bundled::WorkloadError;
use crate::bundled::refusal::required;
use taut_capture::Caller;
use taut_runtime::Execute;
use taut_schemas::{
    Call, D3d11ContextId, D3d11ResourceId, D3d11Viewport, HResult, MapFlags, MapType, PrimitiveTopology, ShaderStage,
    VertexBufferBinding, d3d11, format::Format,
};

/// Recording in progress.
pub(super) struct Run<'a, C: Caller> {
    pub caller: &'a mut C,
    pub context: D3d11ContextId,
    pub drawing: &'a Drawing,
    pub stage: &'a Stage,
    bound: Bound<'a>,
}

/// State that is bound in the context.
#[derive(Default)]
struct Bound<'a> {
    node: Option<usize>,
    material: Option<usize>,
    layout: Option<&'a str>,
    topology: Option<PrimitiveTopology>,
    attributes: Option<&'a [Source]>,
    indices: Option<(Source, Format)>,
    /// True for each material whose constants were written in this frame.
    written: Vec<bool>,
}

impl<'a, C: Caller> Run<'a, C> {
    /// Starts a recording with no state bound.
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
        self.make_call(d3d11::OMSetRenderTargets { context, render_targets, depth_stencil })?;
        let [width, height] = [TARGET.0, TARGET.1].map(|side| (side as f32).to_bits());
        let viewport = D3d11Viewport { width, height, max_depth: 1.0_f32.to_bits(), ..Default::default() };
        self.make_call(d3d11::RSSetViewports { context, viewports: vec![viewport] })?;
        for draw in draws {
            self.bind_node(draw.node)?;
            self.bind_material(draw.material)?;
            self.bind_shape(draw)?;
            self.draw(draw)?;
            self.caller.step_done();
        }
        Ok(())
    }

    fn make_call<K>(&mut self, call: K) -> Result<(), WorkloadError>
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
        self.make_call(d3d11::SetConstantBuffers { context, stage, start_slot: 0, buffers: vec![constants] })
    }

    fn bind_material(&mut self, material: usize) -> Result<(), WorkloadError> {
        if self.bound.material == Some(material) {
            return Ok(());
        }
        self.bound.material = Some(material);
        let Some(material_objects) = self.stage.objects_by_material.get(material).copied() else { return Ok(()) };
        // The constants of a material do not change within a frame.
        if let Some(written) = self.bound.written.get_mut(material)
            && !std::mem::replace(written, true)
        {
            self.write(material_objects.constants)?;
        }
        let (context, stage, start_slot) = (self.context, ShaderStage::PIXEL, 0);
        self.make_call(d3d11::SetConstantBuffers {
            context,
            stage,
            start_slot,
            buffers: vec![material_objects.constants],
        })?;
        self.make_call(d3d11::SetShaderResources {
            context,
            stage,
            start_slot,
            views: material_objects.views.to_vec(),
        })?;
        self.make_call(d3d11::SetSamplers {
            context,
            stage,
            start_slot,
            samplers: material_objects.samplers.to_vec(),
        })?;
        self.make_call(d3d11::SetShader { context, stage, shader: material_objects.shader })?;
        let (blend_state, blend_factor, sample_mask) = (material_objects.blend, Vec::new(), u32::MAX);
        self.make_call(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask })?;
        self.make_call(d3d11::RSSetState { context, rasterizer_state: material_objects.rasterizer })
    }

    fn bind_shape(&mut self, draw: &'a Draw) -> Result<(), WorkloadError> {
        let (context, shape) = (self.context, &draw.shape);
        if self.bound.layout != Some(&shape.layout)
            && let Some(input) = self.stage.input_of(&shape.layout)
        {
            self.bound.layout = Some(&shape.layout);
            self.make_call(d3d11::IASetInputLayout { context, input_layout: input.layout })?;
            self.make_call(d3d11::SetShader { context, stage: ShaderStage::VERTEX, shader: input.shader })?;
        }
        if self.bound.topology != Some(shape.topology) {
            self.bound.topology = Some(shape.topology);
            self.make_call(d3d11::IASetPrimitiveTopology { context, topology: shape.topology })?;
        }
        if self.bound.attributes != Some(&shape.attributes) {
            self.bound.attributes = Some(&shape.attributes);
            let vertex_buffers = shape.attributes.iter().map(|source| self.vertex_buffer(*source)).collect();
            self.make_call(d3d11::IASetVertexBuffers { context, start_slot: 0, vertex_buffers })?;
        }
        if let Some((source, format)) = shape.indices
            && self.bound.indices != shape.indices
        {
            self.bound.indices = shape.indices;
            let (index_buffer, offset_bytes) = self.stage.buffer_of(source);
            self.make_call(d3d11::IASetIndexBuffer { context, index_buffer, format, offset_bytes })?;
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
            self.make_call(d3d11::DrawIndexed { context, index_count, start_index_location, base_vertex_location })
        } else {
            self.make_call(d3d11::Draw { context, vertex_count: count, start_vertex_location: 0 })
        }
    }

    /// Writes constants after discarding their previous content.
    fn write(&mut self, resource: D3d11ResourceId) -> Result<(), WorkloadError> {
        let (context, subresource) = (self.context, 0);
        let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
        let map = d3d11::Map { context, resource, subresource, map_type, map_flags };
        required("Map", self.caller.call(map))?;
        self.make_call(d3d11::Unmap { context, resource, subresource })
    }
}
