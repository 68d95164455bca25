//! Bindings as deferred commands.

use super::{Bindings, StageSlot};
use crate::state::DeferredCommand;
use taut_schemas::ShaderStage;

impl Bindings {
    /// Returns the commands that restore these bindings in a context with nothing bound. They include bindings whose
    /// object is null, if other values differ from the default.
    pub(crate) fn save(&self) -> Vec<DeferredCommand> {
        let Bindings { blend, views, constant_buffers, samplers, shaders, input_layout, vertex_buffers, .. } = self;
        let Bindings { index_buffer, topology, rasterizer, viewports, scissors, targets, unordered, .. } = self;
        let Bindings { depth_stencil, predication, .. } = self;
        let at = |key: &StageSlot| (ShaderStage(key.0), key.1);
        let views = views.iter().map(|(key, view)| DeferredCommand::Views { at: at(key), views: vec![*view] });
        let buffers = constant_buffers
            .iter()
            .map(|(key, buffer)| DeferredCommand::Buffers { at: at(key), buffers: vec![*buffer] });
        let samplers =
            samplers.iter().map(|(key, sampler)| DeferredCommand::Samplers { at: at(key), samplers: vec![*sampler] });
        let shaders = shaders
            .iter()
            .map(|(stage, shader)| DeferredCommand::Shader { stage: ShaderStage(*stage), shader: *shader });
        let vertices = vertex_buffers
            .iter()
            .map(|(slot, buffer)| DeferredCommand::VertexBuffers { start: *slot, buffers: vec![*buffer] });
        let unordered =
            unordered.iter().map(|(slot, view)| DeferredCommand::Unordered { start: *slot, views: vec![*view] });
        let default = Bindings::default();
        let states = [
            (*blend != default.blend).then(|| DeferredCommand::Blend(blend.clone())),
            (*input_layout != default.input_layout).then_some(DeferredCommand::InputLayout(*input_layout)),
            (*index_buffer != default.index_buffer).then_some(DeferredCommand::IndexBuffer(*index_buffer)),
            (*topology != default.topology).then_some(DeferredCommand::Topology(*topology)),
            (*rasterizer != default.rasterizer).then_some(DeferredCommand::Rasterizer(*rasterizer)),
            (*viewports != default.viewports).then(|| DeferredCommand::Viewports(viewports.clone())),
            (*scissors != default.scissors).then(|| DeferredCommand::Scissors(scissors.clone())),
            (*targets != default.targets).then(|| DeferredCommand::Targets(targets.clone())),
            (*depth_stencil != default.depth_stencil).then_some(DeferredCommand::DepthStencil(*depth_stencil)),
            (*predication != default.predication).then_some(DeferredCommand::Predication(*predication)),
        ];
        let slots = views.chain(buffers).chain(samplers).chain(shaders).chain(vertices).chain(unordered);
        slots.chain(states.into_iter().flatten()).collect()
    }
}
