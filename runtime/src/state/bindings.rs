//! What a context has bound, as the application sees it.

mod saved;

use super::token::Token;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    D3d11InputLayoutId, D3d11Rect, D3d11ResourceId, D3d11ShaderId, D3d11StateId, D3d11ViewId, D3d11Viewport,
    DepthStencilStateBinding, IndexBufferBinding, ObjectId, PredicationBinding, PrimitiveTopology, RenderTargetBinding,
    ShaderStage, VertexBufferBinding,
};

/// A slot of a stage.
pub(crate) type StageSlot = (u32, u32);

/// The blend state bound, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlendBinding {
    /// Null is the default.
    pub state: D3d11StateId,
    /// The bits of four floats; none is four times 1.
    pub factor: Vec<u32>,
    pub sample_mask: u32,
}

impl Default for BlendBinding {
    fn default() -> Self {
        BlendBinding { state: D3d11StateId::NULL, factor: Vec::new(), sample_mask: u32::MAX }
    }
}

/// Everything bound; what is not there is not bound.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bindings {
    pub blend: BlendBinding,
    pub views: BTreeMap<StageSlot, ObjectId>,
    pub constant_buffers: BTreeMap<StageSlot, ObjectId>,
    pub samplers: BTreeMap<StageSlot, ObjectId>,
    pub shaders: BTreeMap<u32, D3d11ShaderId>,
    pub input_layout: D3d11InputLayoutId,
    pub vertex_buffers: BTreeMap<u32, VertexBufferBinding>,
    pub index_buffer: IndexBufferBinding,
    pub topology: PrimitiveTopology,
    pub rasterizer: D3d11StateId,
    pub viewports: Vec<D3d11Viewport>,
    pub scissors: Vec<D3d11Rect>,
    pub targets: RenderTargetBinding,
    pub unordered: BTreeMap<u32, ObjectId>,
    pub depth_stencil: DepthStencilStateBinding,
    pub predication: PredicationBinding,
}

/// Puts these into the slots from one on; what is null leaves its slot empty.
fn put<K: Ord, T: Copy>(bound: &mut BTreeMap<K, T>, key: impl Fn(u32) -> K, new: &[T], is_null: impl Fn(&T) -> bool) {
    for (slot, object) in (0..).zip(new) {
        match is_null(object) {
            true => drop(bound.remove(&key(slot))),
            false => drop(bound.insert(key(slot), *object)),
        }
    }
}

fn is_null(object: &ObjectId) -> bool {
    *object == ObjectId::NULL
}

impl Bindings {
    /// Binds what a call binds; one that binds nothing changes nothing.
    pub fn apply(&mut self, token: &Token) {
        match token {
            Token::Blend(blend) => self.blend = blend.clone(),
            Token::Views { at, views } => put(&mut self.views, |slot| (at.0.0, at.1 + slot), views, is_null),
            Token::Buffers { at, buffers } => {
                put(&mut self.constant_buffers, |slot| (at.0.0, at.1 + slot), buffers, is_null);
            }
            Token::Samplers { at, samplers } => {
                put(&mut self.samplers, |slot| (at.0.0, at.1 + slot), samplers, is_null);
            }
            Token::Shader { stage, shader } => put(&mut self.shaders, |_| stage.0, &[*shader], |shader| shader.0 == 0),
            Token::InputLayout(layout) => self.input_layout = *layout,
            Token::VertexBuffers { start, buffers } => {
                put(&mut self.vertex_buffers, |slot| start + slot, buffers, |bound| bound.buffer.0 == 0);
            }
            Token::IndexBuffer(buffer) => self.index_buffer = *buffer,
            Token::Topology(topology) => self.topology = *topology,
            Token::Rasterizer(state) => self.rasterizer = *state,
            Token::Viewports(viewports) => self.viewports.clone_from(viewports),
            Token::Scissors(rects) => self.scissors.clone_from(rects),
            Token::Targets(targets) => self.targets = targets.clone(),
            Token::Unordered { start, views } => put(&mut self.unordered, |slot| start + slot, views, is_null),
            Token::DepthStencil(bound) => self.depth_stencil = *bound,
            Token::Predication(bound) => self.predication = *bound,
            _ => {}
        }
    }

    /// The calls that bind all this where nothing is bound.
    pub fn tokens(&self) -> Vec<Token> {
        self.each(|object| object, |binding| binding, self)
    }

    /// The calls that leave nothing of this bound.
    pub fn clearing(&self) -> Vec<Token> {
        self.each(|_| ObjectId::NULL, |_| VertexBufferBinding::default(), &Bindings::default())
    }

    /// A call for everything bound: `slot` and `vertex` say what is to be in a slot, `to` what stands alone.
    fn each(
        &self,
        slot: impl Fn(ObjectId) -> ObjectId,
        vertex: impl Fn(VertexBufferBinding) -> VertexBufferBinding,
        to: &Bindings,
    ) -> Vec<Token> {
        let mut tokens = Vec::new();
        let at = |key: &StageSlot| (ShaderStage(key.0), key.1);
        let default = Bindings::default();
        tokens.extend(self.views.iter().map(|(key, of)| Token::Views { at: at(key), views: vec![slot(*of)] }));
        let buffers = self.constant_buffers.iter();
        tokens.extend(buffers.map(|(key, of)| Token::Buffers { at: at(key), buffers: vec![slot(*of)] }));
        let mut alone = |differs: bool, token: Token| tokens.extend(differs.then_some(token));
        alone(self.blend != default.blend, Token::Blend(to.blend.clone()));
        alone(self.input_layout.0 != 0, Token::InputLayout(to.input_layout));
        alone(self.index_buffer.buffer.0 != 0, Token::IndexBuffer(to.index_buffer));
        alone(self.topology != default.topology, Token::Topology(to.topology));
        alone(self.rasterizer.0 != 0, Token::Rasterizer(to.rasterizer));
        alone(!self.viewports.is_empty(), Token::Viewports(to.viewports.clone()));
        alone(!self.scissors.is_empty(), Token::Scissors(to.scissors.clone()));
        alone(self.targets != default.targets, Token::Targets(to.targets.clone()));
        alone(self.depth_stencil != default.depth_stencil, Token::DepthStencil(to.depth_stencil));
        alone(self.predication != default.predication, Token::Predication(to.predication));
        let samplers = self.samplers.iter();
        tokens.extend(samplers.map(|(key, of)| Token::Samplers { at: at(key), samplers: vec![slot(*of)] }));
        tokens.extend(self.shaders.iter().map(|(stage, shader)| Token::Shader {
            stage: ShaderStage(*stage),
            shader: D3d11ShaderId(slot((*shader).into()).0),
        }));
        let vertices = self.vertex_buffers.iter();
        tokens.extend(vertices.map(|(start, of)| Token::VertexBuffers { start: *start, buffers: vec![vertex(*of)] }));
        let unordered = self.unordered.iter();
        tokens.extend(unordered.map(|(start, of)| Token::Unordered { start: *start, views: vec![slot(*of)] }));
        tokens
    }

    /// The objects bound.
    pub fn objects(&self) -> BTreeSet<ObjectId> {
        let slots = [&self.views, &self.constant_buffers, &self.samplers];
        let slots = slots.into_iter().flat_map(|slots| slots.values()).chain(self.unordered.values()).copied();
        let shaders = self.shaders.values().map(|shader| ObjectId::from(*shader));
        let vertices = self.vertex_buffers.values().map(|of| of.buffer);
        let buffers = vertices.chain([self.index_buffer.buffer]).map(|buffer: D3d11ResourceId| ObjectId::from(buffer));
        let targets = self.targets.render_targets.iter().chain([&self.targets.depth_stencil]);
        let targets = targets.map(|view: &D3d11ViewId| ObjectId::from(*view));
        let states = [self.blend.state, self.rasterizer, self.depth_stencil.depth_stencil_state].map(ObjectId::from);
        let rest = [self.input_layout.into(), self.predication.predicate.into()];
        let all = slots.chain(shaders).chain(buffers).chain(targets).chain(states).chain(rest);
        all.filter(|object| !is_null(object)).collect()
    }

    /// The views bound that are written.
    pub fn outputs(&self) -> impl Iterator<Item = ObjectId> {
        let targets = self.targets.render_targets.iter().chain([&self.targets.depth_stencil]);
        let targets = targets.map(|view| ObjectId::from(*view));
        targets.chain(self.unordered.values().copied()).filter(|object| !is_null(object))
    }
}
