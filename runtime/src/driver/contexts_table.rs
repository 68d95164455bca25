//! Function tables (`D3D11DDI_DEVICEFUNCS`) that a driver model fills for immediate and deferred contexts.

use taut_schemas::{Call, EventVisitor, FunctionTable, Mark, ShaderStage, d3d11_context_ddi as ddi};

/// Collects the slots of a function table; the flag is true for the immediate context's table. Functions that the WDK
/// excludes for deferred contexts (rule H-42) are in the immediate context's table only.
struct Lines(Vec<u32>, bool);

impl EventVisitor for Lines {
    fn call<C: Call>(&mut self) {
        let immediate_only = [
            ddi::GetThreadingCaps::ID,
            ddi::CalcPrivateDeviceSize::ID,
            ddi::CreateDevice::ID,
            ddi::CheckDeferredContextHandleSizes::ID,
            ddi::CalcDeferredContextHandleSize::ID,
            ddi::CalcPrivateDeferredContextSize::ID,
            ddi::CreateDeferredContext::ID,
            ddi::RecycleCreateDeferredContext::ID,
            ddi::CalcPrivateResourceSize::ID,
            ddi::CalcPrivateShaderResourceViewSize::ID,
            ddi::CalcPrivateBlendStateSize::ID,
            ddi::CalcPrivateCommandListSize::ID,
            ddi::RecycleCreateCommandList::ID,
            ddi::RecycleDestroyCommandList::ID,
            ddi::CalcPrivateRenderTargetViewSize::ID,
            ddi::CalcPrivateDepthStencilViewSize::ID,
            ddi::CalcPrivateUnorderedAccessViewSize::ID,
            ddi::CalcPrivateDepthStencilStateSize::ID,
            ddi::CalcPrivateRasterizerStateSize::ID,
            ddi::CalcPrivateSamplerSize::ID,
            ddi::CalcPrivateShaderSize::ID,
            ddi::CalcPrivateElementLayoutSize::ID,
            ddi::CalcPrivateQuerySize::ID,
            ddi::StagingResourceMap::ID,
            ddi::StagingResourceUnmap::ID,
            ddi::QueryGetData::ID,
            ddi::Flush::ID,
        ];
        let deferred_only = [ddi::RecycleCommandList::ID, ddi::AbandonCommandList::ID];
        let absent = if self.1 { deferred_only.contains(&C::ID) } else { immediate_only.contains(&C::ID) };
        if absent {
            return;
        }
        let staged =
            [ddi::SetShaderResources::ID, ddi::SetConstantBuffers::ID, ddi::SetSamplers::ID, ddi::SetShader::ID];
        if staged.contains(&C::ID) {
            self.0.extend((0..6).map(|stage| FunctionTable::stage_slot(C::ID, ShaderStage(stage))));
        } else {
            self.0.push(FunctionTable::slot(C::ID));
        }
    }

    fn mark<M: Mark>(&mut self) {}
}

/// Returns the function table of an immediate or a deferred context.
pub(crate) fn table(is_immediate: bool) -> FunctionTable {
    let mut lines = Lines(Vec::new(), is_immediate);
    ddi::visit(&mut lines);
    FunctionTable { slots: lines.0 }
}
