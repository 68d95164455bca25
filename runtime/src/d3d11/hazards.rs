//! Resources that are read and written at once: each context settles that for itself, above the driver (rule H-83). What is bound
//! to be written is unbound where it was read, before; what is written is not bound to be read.

use super::context_state::ContextState;
use super::tell::tell;
use crate::context::Context;
use crate::state::{D3d11Kind, Token};
use std::collections::BTreeSet;
use taut_schemas::{
    D3d11ResourceId, IndexBufferBinding, MessageId, MessageSeverity, ObjectId, RenderTargetBinding, ShaderStage,
    VertexBufferBinding,
};

/// The resource of a view that the context holds, or the resource itself.
fn resource_of(state: &ContextState, object: ObjectId) -> ObjectId {
    match state.held.get(&object).map(|held| &held.object.kind) {
        Some(D3d11Kind::View(view)) => view.resource.into(),
        _ => object,
    }
}

/// Settles what a call that binds has for consequences: others are unbound, or some of its own are refused.
pub(crate) fn settle(context: &mut Context<'_>, state: &mut ContextState, token: &mut Token) {
    match token {
        Token::Targets(targets) => {
            let views = targets.render_targets.iter().chain([&targets.depth_stencil]);
            let written = written(state, views.map(|view| (*view).into()));
            unbind_inputs(context, state, &written);
            for (slot, view) in state.bindings.unordered.clone() {
                if written.contains(&resource_of(state, view)) {
                    change(context, state, Token::Unordered { start: slot, views: vec![ObjectId::NULL] });
                }
            }
        }
        Token::Unordered { views, .. } => {
            let written = written(state, views.iter().copied());
            unbind_inputs(context, state, &written);
            let bound = state.bindings.targets.clone();
            let hit = |view: ObjectId| written.contains(&resource_of(state, view));
            let views = bound.render_targets.iter().chain([&bound.depth_stencil]);
            if views.map(|view| (*view).into()).any(hit) {
                change(context, state, Token::Targets(RenderTargetBinding::default()));
            }
        }
        Token::Views { views: inputs, .. } | Token::Buffers { buffers: inputs, .. } => {
            let written = written(state, state.bindings.outputs());
            for input in inputs {
                refuse(context, state, &written, input);
            }
        }
        Token::VertexBuffers { buffers, .. } => {
            let written = written(state, state.bindings.outputs());
            for bound in buffers {
                let mut input = bound.buffer.into();
                refuse(context, state, &written, &mut input);
                bound.buffer = D3d11ResourceId(input.0);
            }
        }
        Token::IndexBuffer(bound) => {
            let written = written(state, state.bindings.outputs());
            let mut input = bound.buffer.into();
            refuse(context, state, &written, &mut input);
            bound.buffer = D3d11ResourceId(input.0);
        }
        _ => {}
    }
}

/// The resources behind views.
fn written(state: &ContextState, views: impl Iterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
    views.filter(|view| *view != ObjectId::NULL).map(|view| resource_of(state, view)).collect()
}

/// An input that is written is bound as nothing.
fn refuse(context: &mut Context<'_>, state: &ContextState, written: &BTreeSet<ObjectId>, input: &mut ObjectId) {
    let resource = resource_of(state, *input);
    if *input != ObjectId::NULL && written.contains(&resource) {
        let text = format_args!("Resource {} is bound to be written; nothing is bound to be read.", resource.0);
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, *input, text);
        *input = ObjectId::NULL;
    }
}

fn change(context: &mut Context<'_>, state: &mut ContextState, token: Token) {
    state.bindings.apply(&token);
    tell(context, state, token);
}

/// What is read of these resources is unbound.
fn unbind_inputs(context: &mut Context<'_>, state: &mut ContextState, written: &BTreeSet<ObjectId>) {
    if written.is_empty() {
        return;
    }
    let null = vec![ObjectId::NULL];
    let bound = &state.bindings;
    let hit = |object: &ObjectId| written.contains(&resource_of(state, *object));
    let at = |key: &(u32, u32)| (ShaderStage(key.0), key.1);
    let views = bound.views.iter().filter(|(_, view)| hit(view));
    let mut tokens: Vec<Token> = views.map(|(key, _)| Token::Views { at: at(key), views: null.clone() }).collect();
    let buffers = bound.constant_buffers.iter().filter(|(_, buffer)| hit(buffer));
    tokens.extend(buffers.map(|(key, _)| Token::Buffers { at: at(key), buffers: null.clone() }));
    let vertices = bound.vertex_buffers.iter().filter(|(_, bound)| hit(&bound.buffer.into()));
    let none = vec![VertexBufferBinding::default()];
    tokens.extend(vertices.map(|(slot, _)| Token::VertexBuffers { start: *slot, buffers: none.clone() }));
    if hit(&bound.index_buffer.buffer.into()) {
        tokens.push(Token::IndexBuffer(IndexBufferBinding::default()));
    }
    for token in tokens {
        change(context, state, token);
    }
}
