//! Lines that create, destroy and name handles. All lines that create one begin with the same arguments.

use crate::call::Call;
use crate::d3d11_context_desc::{CreateHandle, HandleType};
use crate::desc::DriverHandle;
use crate::families::d3d11_context_ddi as ddi;
use crate::field::Field;
use crate::id::D3d11ContextId;
use crate::row::{CodecError, Decoder};

/// Handle types with a line that creates, a line that destroys, and an optional description.
const OBJECTS: [(HandleType, u16, u16); 11] = [
    (HandleType::SHADERRESOURCEVIEW, ddi::CreateShaderResourceView::ID, ddi::DestroyShaderResourceView::ID),
    (HandleType::RENDERTARGETVIEW, ddi::CreateRenderTargetView::ID, ddi::DestroyRenderTargetView::ID),
    (HandleType::DEPTHSTENCILVIEW, ddi::CreateDepthStencilView::ID, ddi::DestroyDepthStencilView::ID),
    (HandleType::UNORDEREDACCESSVIEW, ddi::CreateUnorderedAccessView::ID, ddi::DestroyUnorderedAccessView::ID),
    (HandleType::DEPTHSTENCILSTATE, ddi::CreateDepthStencilState::ID, ddi::DestroyDepthStencilState::ID),
    (HandleType::RASTERIZERSTATE, ddi::CreateRasterizerState::ID, ddi::DestroyRasterizerState::ID),
    (HandleType::SAMPLERSTATE, ddi::CreateSampler::ID, ddi::DestroySampler::ID),
    (HandleType::SHADER, ddi::CreateShader::ID, ddi::DestroyShader::ID),
    (HandleType::ELEMENTLAYOUT, ddi::CreateElementLayout::ID, ddi::DestroyElementLayout::ID),
    (HandleType::QUERY, ddi::CreateQuery::ID, ddi::DestroyQuery::ID),
    (HandleType::BLENDSTATE, ddi::CreateBlendState::ID, ddi::DestroyBlendState::ID),
];

/// The handle that a line of this table creates: its context, its type, its arguments, and true if it has a
/// description.
pub(super) fn created(
    line: u16,
    start: &[u8],
) -> Result<Option<(D3d11ContextId, HandleType, CreateHandle, bool)>, CodecError> {
    // A blend state's description is present even where the pointer is null.
    let is = |object: &&(HandleType, u16, u16)| object.1 == line && object.0 != HandleType::BLENDSTATE;
    let Some((handle_type, ..)) = OBJECTS.iter().find(is) else { return Ok(None) };
    let mut row = Decoder::new(start);
    let context = D3d11ContextId::decode(&mut row)?;
    DriverHandle::decode(&mut row)?;
    let handle = CreateHandle::decode(&mut row)?;
    Ok(Some((context, *handle_type, handle, bool::decode(&mut row)?)))
}

/// The handle that a line of this table destroys.
pub(super) fn destroyed(
    line: u16,
    start: &[u8],
) -> Result<Option<(D3d11ContextId, HandleType, DriverHandle)>, CodecError> {
    let Some((handle_type, ..)) = OBJECTS.iter().find(|object| object.2 == line) else { return Ok(None) };
    let mut row = Decoder::new(start);
    let context = D3d11ContextId::decode(&mut row)?;
    DriverHandle::decode(&mut row)?;
    Ok(Some((context, *handle_type, DriverHandle::decode(&mut row)?)))
}

/// Collects the handles that a call names from its arguments.
macro_rules! named {
    ($line:ident $start:ident; $( $Name:ident($call:ident) $handles:expr; )*) => {
        match $line {
            $( ddi::$Name::ID => {
                let $call = ddi::$Name::decode(&mut Decoder::new($start))?;
                Ok(Some(($call.context, $handles)))
            } )*
            _ => Ok(None),
        }
    };
}

/// The handles that a call on a context names, other than those that it creates or destroys.
pub(super) fn used(line: u16, start: &[u8]) -> Result<Option<(D3d11ContextId, Vec<DriverHandle>)>, CodecError> {
    named! { line start;
        ResourceCopy(call) vec![call.destination, call.source];
        ResourceUpdateSubresource(call) vec![call.resource];
        SetBlendState(call) vec![call.blend_state];
        SetShaderResources(call) call.views;
        SetConstantBuffers(call) call.buffers;
        SetSamplers(call) call.samplers;
        SetShader(call) vec![call.shader];
        IaSetInputLayout(call) vec![call.input_layout];
        IaSetVertexBuffers(call) call.buffers;
        IaSetIndexBuffer(call) vec![call.buffer];
        SetRasterizerState(call) vec![call.rasterizer_state];
        SetRenderTargets(call) call.render_targets.into_iter().chain([call.depth_stencil]).collect();
        CsSetUnorderedAccessViews(call) call.views;
        SetDepthStencilState(call) vec![call.depth_stencil_state];
        SetPredication(call) vec![call.query];
        ClearRenderTargetView(call) vec![call.view];
        ClearDepthStencilView(call) vec![call.view];
        ClearUnorderedAccessViewUint(call) vec![call.view];
        QueryBegin(call) vec![call.query];
        QueryEnd(call) vec![call.query];
        DynamicResourceMap(call) vec![call.resource];
        DynamicResourceUnmap(call) vec![call.resource];
    }
}

/// True for a command without a handle.
pub(super) fn names_nothing(line: u16) -> bool {
    let lines = [
        ddi::Draw::ID,
        ddi::DrawIndexed::ID,
        ddi::DrawInstanced::ID,
        ddi::DrawIndexedInstanced::ID,
        ddi::Dispatch::ID,
        ddi::IaSetTopology::ID,
        ddi::SetViewports::ID,
        ddi::SetScissorRects::ID,
    ];
    lines.contains(&line)
}

/// True if any thread may call the line through the immediate context's table, concurrent with that context's
/// recording: it creates an object.
pub(super) fn is_free_threaded(line: u16) -> bool {
    OBJECTS.iter().any(|(_, create, _)| *create == line)
        || [ddi::CreateResource::ID, ddi::CreateCommandList::ID, ddi::CreateDeferredContext::ID].contains(&line)
        || [ddi::RecycleCreateCommandList::ID, ddi::RecycleCreateDeferredContext::ID].contains(&line)
}

/// True for a view, whose handle depends on that of its resource.
pub(super) fn depends(handle_type: HandleType) -> bool {
    let views = [HandleType::SHADERRESOURCEVIEW, HandleType::RENDERTARGETVIEW, HandleType::DEPTHSTENCILVIEW];
    views.contains(&handle_type) || handle_type == HandleType::UNORDEREDACCESSVIEW
}

/// The lines that create and destroy objects.
pub(super) fn object_lines() -> impl Iterator<Item = u16> {
    OBJECTS.iter().flat_map(|(_, create, destroy)| [*create, *destroy])
}
