//! Bindings of a context, as the application set them.

mod saved;

use super::blend_binding::BlendBinding;
use super::deferred_command::DeferredCommand;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    D3d11InputLayoutId, D3d11Rect, D3d11ResourceId, D3d11ShaderId, D3d11StateId, D3d11ViewId, D3d11Viewport,
    DepthStencilStateBinding, IndexBufferBinding, ObjectId, PredicationBinding, PrimitiveTopology, RenderTargetBinding,
    ShaderStage, VertexBufferBinding,
};

/// Shader stage and slot of a binding.
pub(crate) type StageSlot = (u32, u32);

/// All bindings; a slot without an entry is not bound.
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

/// Sets consecutive slots, of which `key(0)` is the first; a null value clears its slot.
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
    /// Applies a command to the bindings. A command that binds nothing has no effect.
    pub fn apply(&mut self, deferred_command: &DeferredCommand) {
        match deferred_command {
            DeferredCommand::Blend(blend) => self.blend = blend.clone(),
            DeferredCommand::Views { at, views } => put(&mut self.views, |slot| (at.0.0, at.1 + slot), views, is_null),
            DeferredCommand::Buffers { at, buffers } => {
                put(&mut self.constant_buffers, |slot| (at.0.0, at.1 + slot), buffers, is_null);
            }
            DeferredCommand::Samplers { at, samplers } => {
                put(&mut self.samplers, |slot| (at.0.0, at.1 + slot), samplers, is_null);
            }
            DeferredCommand::Shader { stage, shader } => {
                put(&mut self.shaders, |_| stage.0, &[*shader], |shader| shader.0 == 0)
            }
            DeferredCommand::InputLayout(layout) => self.input_layout = *layout,
            DeferredCommand::VertexBuffers { start, buffers } => {
                put(&mut self.vertex_buffers, |slot| start + slot, buffers, |bound| bound.buffer.0 == 0);
            }
            DeferredCommand::IndexBuffer(buffer) => self.index_buffer = *buffer,
            DeferredCommand::Topology(topology) => self.topology = *topology,
            DeferredCommand::Rasterizer(state) => self.rasterizer = *state,
            DeferredCommand::Viewports(viewports) => self.viewports.clone_from(viewports),
            DeferredCommand::Scissors(rects) => self.scissors.clone_from(rects),
            DeferredCommand::Targets(targets) => self.targets = targets.clone(),
            DeferredCommand::Unordered { start, views } => {
                put(&mut self.unordered, |slot| start + slot, views, is_null)
            }
            DeferredCommand::DepthStencil(bound) => self.depth_stencil = *bound,
            DeferredCommand::Predication(bound) => self.predication = *bound,
            _ => {}
        }
    }

    /// Returns the commands that restore these bindings in a context without bindings.
    pub fn deferred_commands(&self) -> Vec<DeferredCommand> {
        self.each(|object| object, |binding| binding, self)
    }

    /// The commands that clear these bindings.
    pub fn clearing(&self) -> Vec<DeferredCommand> {
        self.each(|_| ObjectId::NULL, |_| VertexBufferBinding::default(), &Bindings::default())
    }

    /// Returns commands for all bindings. `slot` and `vertex` map the values in slots, `to` provides the other values.
    fn each(
        &self,
        slot: impl Fn(ObjectId) -> ObjectId,
        vertex: impl Fn(VertexBufferBinding) -> VertexBufferBinding,
        to: &Bindings,
    ) -> Vec<DeferredCommand> {
        let mut deferred_commands = Vec::new();
        let at = |key: &StageSlot| (ShaderStage(key.0), key.1);
        let default = Bindings::default();
        deferred_commands
            .extend(self.views.iter().map(|(key, of)| DeferredCommand::Views { at: at(key), views: vec![slot(*of)] }));
        let buffers = self.constant_buffers.iter();
        deferred_commands
            .extend(buffers.map(|(key, of)| DeferredCommand::Buffers { at: at(key), buffers: vec![slot(*of)] }));
        let mut alone = |differs: bool, deferred_command: DeferredCommand| {
            deferred_commands.extend(differs.then_some(deferred_command))
        };
        alone(self.blend != default.blend, DeferredCommand::Blend(to.blend.clone()));
        alone(self.input_layout.0 != 0, DeferredCommand::InputLayout(to.input_layout));
        alone(self.index_buffer.buffer.0 != 0, DeferredCommand::IndexBuffer(to.index_buffer));
        alone(self.topology != default.topology, DeferredCommand::Topology(to.topology));
        alone(self.rasterizer.0 != 0, DeferredCommand::Rasterizer(to.rasterizer));
        alone(!self.viewports.is_empty(), DeferredCommand::Viewports(to.viewports.clone()));
        alone(!self.scissors.is_empty(), DeferredCommand::Scissors(to.scissors.clone()));
        alone(self.targets != default.targets, DeferredCommand::Targets(to.targets.clone()));
        alone(self.depth_stencil != default.depth_stencil, DeferredCommand::DepthStencil(to.depth_stencil));
        alone(self.predication != default.predication, DeferredCommand::Predication(to.predication));
        let samplers = self.samplers.iter();
        deferred_commands
            .extend(samplers.map(|(key, of)| DeferredCommand::Samplers { at: at(key), samplers: vec![slot(*of)] }));
        deferred_commands.extend(self.shaders.iter().map(|(stage, shader)| DeferredCommand::Shader {
            stage: ShaderStage(*stage),
            shader: D3d11ShaderId(slot((*shader).into()).0),
        }));
        let vertices = self.vertex_buffers.iter();
        deferred_commands.extend(
            vertices.map(|(start, of)| DeferredCommand::VertexBuffers { start: *start, buffers: vec![vertex(*of)] }),
        );
        let unordered = self.unordered.iter();
        deferred_commands
            .extend(unordered.map(|(start, of)| DeferredCommand::Unordered { start: *start, views: vec![slot(*of)] }));
        deferred_commands
    }

    /// The bound objects.
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

    /// The bound views through which shaders write.
    pub fn outputs(&self) -> impl Iterator<Item = ObjectId> {
        let targets = self.targets.render_targets.iter().chain([&self.targets.depth_stencil]);
        let targets = targets.map(|view| ObjectId::from(*view));
        targets.chain(self.unordered.values().copied()).filter(|object| !is_null(object))
    }
}
