//! Read-write hazards. Each context resolves them for itself, before the driver gets any call (rule H-83): an object
//! bound for output is first unbound from inputs, and an object bound for output is not bound as input.

use super::context_state::ContextState;
use super::emit::emit;
use crate::context::Context;
use crate::state::{D3d11Kind, DeferredCommand};
use std::collections::BTreeSet;
use taut_schemas::{
    D3d11ResourceId, IndexBufferBinding, MessageId, MessageSeverity, ObjectId, RenderTargetBinding, ShaderStage,
    VertexBufferBinding,
};

/// The resource of a referenced view, or the object itself if it is no such view.
fn resource_of(state: &ContextState, object: ObjectId) -> ObjectId {
    match state.held.get(&object).map(|held| &held.object.kind) {
        Some(D3d11Kind::View(view)) => view.resource.into(),
        _ => object,
    }
}

/// Resolves the hazards of a Set command: unbinds conflicting objects, or replaces the command's own inputs by null.
pub(crate) fn resolve(context: &mut Context<'_>, state: &mut ContextState, deferred_command: &mut DeferredCommand) {
    match deferred_command {
        DeferredCommand::Targets(targets) => {
            // Targets and unordered access views are both outputs, and a resource may be bound as only one of the two.
            let views = targets.render_targets.iter().chain([&targets.depth_stencil]);
            let written = written(state, views.map(|view| (*view).into()));
            unbind_inputs(context, state, &written);
            for (slot, view) in state.bindings.unordered.clone() {
                if written.contains(&resource_of(state, view)) {
                    change(context, state, DeferredCommand::Unordered { start: slot, views: vec![ObjectId::NULL] });
                }
            }
        }
        DeferredCommand::Unordered { views, .. } => {
            let written = written(state, views.iter().copied());
            unbind_inputs(context, state, &written);
            let bound = state.bindings.targets.clone();
            let hit = |view: ObjectId| written.contains(&resource_of(state, view));
            let views = bound.render_targets.iter().chain([&bound.depth_stencil]);
            if views.map(|view| (*view).into()).any(hit) {
                change(context, state, DeferredCommand::Targets(RenderTargetBinding::default()));
            }
        }
        DeferredCommand::Views { views: inputs, .. } | DeferredCommand::Buffers { buffers: inputs, .. } => {
            let written = written(state, state.bindings.outputs());
            for input in inputs {
                refuse(context, state, &written, input);
            }
        }
        DeferredCommand::VertexBuffers { buffers, .. } => {
            let written = written(state, state.bindings.outputs());
            for bound in buffers {
                let mut input = bound.buffer.into();
                refuse(context, state, &written, &mut input);
                bound.buffer = D3d11ResourceId(input.0);
            }
        }
        DeferredCommand::IndexBuffer(bound) => {
            let written = written(state, state.bindings.outputs());
            let mut input = bound.buffer.into();
            refuse(context, state, &written, &mut input);
            bound.buffer = D3d11ResourceId(input.0);
        }
        _ => {}
    }
}

/// The resources of `views`.
fn written(state: &ContextState, views: impl Iterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
    views.filter(|view| *view != ObjectId::NULL).map(|view| resource_of(state, view)).collect()
}

/// Replaces an input by null, with a warning, if its resource is bound for output.
fn refuse(context: &mut Context<'_>, state: &ContextState, written: &BTreeSet<ObjectId>, input: &mut ObjectId) {
    let resource = resource_of(state, *input);
    if *input != ObjectId::NULL && written.contains(&resource) {
        let text = format_args!("Resource {} is bound to be written; nothing is bound to be read.", resource.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, *input, text);
        *input = ObjectId::NULL;
    }
}

fn change(context: &mut Context<'_>, state: &mut ContextState, deferred_command: DeferredCommand) {
    state.bindings.apply(&deferred_command);
    emit(context, state, deferred_command);
}

/// Unbinds all inputs that read one of the resources.
fn unbind_inputs(context: &mut Context<'_>, state: &mut ContextState, written: &BTreeSet<ObjectId>) {
    if written.is_empty() {
        return;
    }
    let null = vec![ObjectId::NULL];
    let bound = &state.bindings;
    let hit = |object: &ObjectId| written.contains(&resource_of(state, *object));
    let at = |key: &(u32, u32)| (ShaderStage(key.0), key.1);
    let views = bound.views.iter().filter(|(_, view)| hit(view));
    let mut deferred_commands: Vec<DeferredCommand> =
        views.map(|(key, _)| DeferredCommand::Views { at: at(key), views: null.clone() }).collect();
    let buffers = bound.constant_buffers.iter().filter(|(_, buffer)| hit(buffer));
    deferred_commands.extend(buffers.map(|(key, _)| DeferredCommand::Buffers { at: at(key), buffers: null.clone() }));
    let vertices = bound.vertex_buffers.iter().filter(|(_, bound)| hit(&bound.buffer.into()));
    let none = vec![VertexBufferBinding::default()];
    deferred_commands
        .extend(vertices.map(|(slot, _)| DeferredCommand::VertexBuffers { start: *slot, buffers: none.clone() }));
    if hit(&bound.index_buffer.buffer.into()) {
        deferred_commands.push(DeferredCommand::IndexBuffer(IndexBufferBinding::default()));
    }
    for deferred_command in deferred_commands {
        change(context, state, deferred_command);
    }
}
