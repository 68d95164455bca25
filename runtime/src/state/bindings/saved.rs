//! What is bound, as the calls that bind it.

use super::{Bindings, StageSlot};
use crate::state::Token;
use taut_schemas::ShaderStage;

impl Bindings {
    /// The calls that bind all this where nothing is bound, what is there but binds no object included.
    pub(crate) fn save(&self) -> Vec<Token> {
        let Bindings { blend, views, constant_buffers, samplers, shaders, input_layout, vertex_buffers, .. } = self;
        let Bindings { index_buffer, topology, rasterizer, viewports, scissors, targets, unordered, .. } = self;
        let Bindings { depth_stencil, predication, .. } = self;
        let at = |key: &StageSlot| (ShaderStage(key.0), key.1);
        let views = views.iter().map(|(key, of)| Token::Views { at: at(key), views: vec![*of] });
        let buffers = constant_buffers.iter().map(|(key, of)| Token::Buffers { at: at(key), buffers: vec![*of] });
        let samplers = samplers.iter().map(|(key, of)| Token::Samplers { at: at(key), samplers: vec![*of] });
        let shaders = shaders.iter().map(|(stage, of)| Token::Shader { stage: ShaderStage(*stage), shader: *of });
        let vertices = vertex_buffers.iter();
        let vertices = vertices.map(|(start, of)| Token::VertexBuffers { start: *start, buffers: vec![*of] });
        let unordered = unordered.iter().map(|(start, of)| Token::Unordered { start: *start, views: vec![*of] });
        let default = Bindings::default();
        let alone = [
            (*blend != default.blend).then(|| Token::Blend(blend.clone())),
            (*input_layout != default.input_layout).then_some(Token::InputLayout(*input_layout)),
            (*index_buffer != default.index_buffer).then_some(Token::IndexBuffer(*index_buffer)),
            (*topology != default.topology).then_some(Token::Topology(*topology)),
            (*rasterizer != default.rasterizer).then_some(Token::Rasterizer(*rasterizer)),
            (*viewports != default.viewports).then(|| Token::Viewports(viewports.clone())),
            (*scissors != default.scissors).then(|| Token::Scissors(scissors.clone())),
            (*targets != default.targets).then(|| Token::Targets(targets.clone())),
            (*depth_stencil != default.depth_stencil).then_some(Token::DepthStencil(*depth_stencil)),
            (*predication != default.predication).then_some(Token::Predication(*predication)),
        ];
        let slots = views.chain(buffers).chain(samplers).chain(shaders).chain(vertices).chain(unordered);
        slots.chain(alone.into_iter().flatten()).collect()
    }
}
