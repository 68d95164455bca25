//! Errors that a driver may report from a call (rule H-72).

use crate::call::Call;
use crate::families::d3d11_context_ddi as ddi;
use crate::hresult::HResultCode;
use crate::rules::{Rule, rule};

/// The errors that a function's documentation allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorClass {
    /// No error at all, not even a removed device.
    NoErrors,
    /// A removed device; on a deferred context also out of memory.
    AllowDeviceRemoved,
    /// Out of memory.
    AllowOutOfMemory,
    /// The errors of Map: also memory in use.
    AllowMapErrors,
    /// The errors of GetData.
    AllowGetDataErrors,
    /// The errors of a counter's creation: also a counter in use by another client.
    AllowCounterCreationErrors,
    /// The errors of a query for a well-known counter.
    AllowWkCheckCounterErrors,
    /// The errors of a query for a device-dependent counter.
    AllowDdCheckCounterErrors,
    /// The function returns its error; the callback must not be used (rule H-77).
    ByResult,
}

/// The consequence of a reported error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorVerdict {
    /// The call returns the error.
    Returned,
    /// The context discards its recording; other contexts are not affected.
    LocalRemoval,
    /// The device is removed, with the driver's reason.
    Removal,
    /// The driver must not report this error here: the device is removed.
    Critical,
}

use ErrorClass as Class;
use ErrorVerdict as Verdict;
use HResultCode as Code;

/// The errors that may be reported: true for a deferred context, false for the immediate one; class; code; consequence.
/// All other errors are critical, S_OK among them.
pub const ERRORS: &[(bool, ErrorClass, HResultCode, ErrorVerdict)] = &[
    (false, Class::AllowDeviceRemoved, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (true, Class::AllowDeviceRemoved, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (true, Class::AllowDeviceRemoved, Code::E_OUTOFMEMORY, Verdict::LocalRemoval),
    (false, Class::AllowOutOfMemory, Code::E_OUTOFMEMORY, Verdict::Returned),
    (false, Class::AllowOutOfMemory, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (true, Class::AllowOutOfMemory, Code::E_OUTOFMEMORY, Verdict::LocalRemoval),
    (true, Class::AllowOutOfMemory, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (false, Class::AllowMapErrors, Code::DXGI_ERROR_WAS_STILL_DRAWING, Verdict::Returned),
    (false, Class::AllowMapErrors, Code::E_OUTOFMEMORY, Verdict::Returned),
    (false, Class::AllowMapErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (true, Class::AllowMapErrors, Code::E_OUTOFMEMORY, Verdict::LocalRemoval),
    (true, Class::AllowMapErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (false, Class::AllowGetDataErrors, Code::DXGI_ERROR_WAS_STILL_DRAWING, Verdict::Returned),
    (false, Class::AllowGetDataErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (false, Class::AllowCounterCreationErrors, Code::E_OUTOFMEMORY, Verdict::Returned),
    (false, Class::AllowCounterCreationErrors, Code::DXGI_ERROR_NONEXCLUSIVE, Verdict::Returned),
    (false, Class::AllowCounterCreationErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (false, Class::AllowWkCheckCounterErrors, Code::DXGI_ERROR_UNSUPPORTED, Verdict::Returned),
    (false, Class::AllowWkCheckCounterErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
    (false, Class::AllowDdCheckCounterErrors, Code::E_INVALIDARG, Verdict::Returned),
    (false, Class::AllowDdCheckCounterErrors, Code::DXGI_ERROR_DEVICE_REMOVED, Verdict::Removal),
];

impl ErrorClass {
    /// The class of a line of the DDI with handles per context.
    pub fn from_line(line: u16) -> ErrorClass {
        match line {
            ddi::CreateDevice::ID | ddi::RecycleCreateDeferredContext::ID | ddi::RecycleCreateCommandList::ID => {
                Class::ByResult
            }
            ddi::CreateDeferredContext::ID
            | ddi::CreateResource::ID
            | ddi::CreateShaderResourceView::ID
            | ddi::CreateRenderTargetView::ID
            | ddi::CreateDepthStencilView::ID
            | ddi::CreateUnorderedAccessView::ID
            | ddi::CreateBlendState::ID
            | ddi::CreateDepthStencilState::ID
            | ddi::CreateRasterizerState::ID
            | ddi::CreateSampler::ID
            | ddi::CreateShader::ID
            | ddi::CreateElementLayout::ID
            | ddi::CreateCommandList::ID
            | ddi::CommandListExecute::ID => Class::AllowOutOfMemory,
            // Counters are created by the same call as queries.
            ddi::CreateQuery::ID => Class::AllowOutOfMemory,
            ddi::StagingResourceMap::ID | ddi::DynamicResourceMap::ID => Class::AllowMapErrors,
            ddi::QueryGetData::ID => Class::AllowGetDataErrors,
            ddi::ResourceCopy::ID
            | ddi::DynamicResourceUnmap::ID
            | ddi::SetBlendState::ID
            | ddi::SetShaderResources::ID
            | ddi::SetConstantBuffers::ID
            | ddi::SetSamplers::ID
            | ddi::SetShader::ID
            | ddi::IaSetInputLayout::ID
            | ddi::IaSetVertexBuffers::ID
            | ddi::IaSetIndexBuffer::ID
            | ddi::IaSetTopology::ID
            | ddi::SetRasterizerState::ID
            | ddi::SetViewports::ID
            | ddi::SetScissorRects::ID
            | ddi::SetRenderTargets::ID
            | ddi::SetDepthStencilState::ID
            | ddi::CsSetUnorderedAccessViews::ID
            | ddi::SetPredication::ID
            | ddi::Draw::ID
            | ddi::DrawIndexed::ID
            | ddi::DrawInstanced::ID
            | ddi::DrawIndexedInstanced::ID
            | ddi::Dispatch::ID
            | ddi::ClearRenderTargetView::ID
            | ddi::ClearDepthStencilView::ID
            | ddi::ClearUnorderedAccessViewUint::ID
            | ddi::ResourceUpdateSubresource::ID
            | ddi::QueryBegin::ID
            | ddi::QueryEnd::ID
            | ddi::Flush::ID => Class::AllowDeviceRemoved,
            _ => Class::NoErrors,
        }
    }

    /// The rule that is broken by an error which a call of this line must not report.
    pub fn broken_rule(line: u16) -> &'static Rule {
        match line {
            ddi::CommandListExecute::ID => rule::H_60,
            ddi::CheckDeferredContextHandleSizes::ID => rule::H_28,
            _ if ErrorClass::from_line(line) == Class::ByResult => rule::H_77,
            _ => rule::H_72,
        }
    }

    /// The consequence of an error in a call of this class.
    pub fn verdict(self, is_deferred: bool, code: HResultCode) -> ErrorVerdict {
        let is =
            |row: &&(bool, ErrorClass, HResultCode, ErrorVerdict)| (row.0, row.1, row.2) == (is_deferred, self, code);
        ERRORS.iter().find(is).map_or(Verdict::Critical, |row| row.3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn h72_success_is_no_error_and_rows_are_unique() {
        assert!(ERRORS.iter().all(|row| row.2 != Code::S_OK && row.3 != Verdict::Critical));
        let keys: BTreeSet<_> = ERRORS.iter().map(|row| (row.0, row.1, row.2.0)).collect();
        assert_eq!(keys.len(), ERRORS.len());
        for deferred in [false, true] {
            assert_eq!(Class::AllowDeviceRemoved.verdict(deferred, Code::S_OK), Verdict::Critical);
        }
    }

    #[test]
    fn h72_x07_memory_may_run_out_in_deferred_contexts_only_where_nothing_is_created() {
        for class in [Class::AllowDeviceRemoved, Class::AllowOutOfMemory, Class::AllowMapErrors] {
            assert_eq!(class.verdict(true, Code::E_OUTOFMEMORY), Verdict::LocalRemoval);
        }
        assert_eq!(Class::AllowDeviceRemoved.verdict(false, Code::E_OUTOFMEMORY), Verdict::Critical);
        assert_eq!(Class::NoErrors.verdict(true, Code::E_OUTOFMEMORY), Verdict::Critical);
        assert_eq!(Class::NoErrors.verdict(true, Code::DXGI_ERROR_DEVICE_REMOVED), Verdict::Critical);
    }
}
