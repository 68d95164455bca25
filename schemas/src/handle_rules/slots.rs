//! The slots that a deferred context's function table must have.

use super::lines;
use crate::call::Call;
use crate::d3d11_context_desc::{FunctionTable, ShaderStage};
use crate::families::d3d11_context_ddi as ddi;

/// The slots that the driver must fill in a deferred context's table (rule H-42).
pub(super) fn required() -> Vec<u32> {
    let once = [
        ddi::CreateResource::ID,
        ddi::DestroyResource::ID,
        ddi::CreateCommandList::ID,
        ddi::DestroyCommandList::ID,
        ddi::ResourceCopy::ID,
        ddi::DynamicResourceMap::ID,
        ddi::DynamicResourceUnmap::ID,
        ddi::SetBlendState::ID,
        ddi::IaSetInputLayout::ID,
        ddi::IaSetVertexBuffers::ID,
        ddi::IaSetIndexBuffer::ID,
        ddi::IaSetTopology::ID,
        ddi::SetRasterizerState::ID,
        ddi::SetViewports::ID,
        ddi::SetScissorRects::ID,
        ddi::SetRenderTargets::ID,
        ddi::SetDepthStencilState::ID,
        ddi::CsSetUnorderedAccessViews::ID,
        ddi::SetPredication::ID,
        ddi::Draw::ID,
        ddi::DrawIndexed::ID,
        ddi::DrawInstanced::ID,
        ddi::DrawIndexedInstanced::ID,
        ddi::Dispatch::ID,
        ddi::ClearRenderTargetView::ID,
        ddi::ClearDepthStencilView::ID,
        ddi::ClearUnorderedAccessViewUint::ID,
        ddi::ResourceUpdateSubresource::ID,
        ddi::QueryBegin::ID,
        ddi::QueryEnd::ID,
        ddi::CommandListExecute::ID,
        ddi::AbandonCommandList::ID,
        ddi::RecycleCommandList::ID,
        ddi::DestroyDevice::ID,
    ];
    let staged = [ddi::SetShaderResources::ID, ddi::SetConstantBuffers::ID, ddi::SetSamplers::ID, ddi::SetShader::ID];
    let stages =
        staged.iter().flat_map(|line| (0..6).map(|stage| FunctionTable::stage_slot(*line, ShaderStage(stage))));
    once.iter().copied().chain(lines::object_lines()).map(FunctionTable::slot).chain(stages).collect()
}
