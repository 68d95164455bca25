//! Errors of DXGI calls, and lookup of swap chains.

use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::{HResult, HResultCode, ObjectId, SwapChainId};

/// Reports an error, and returns DXGI_ERROR_INVALID_CALL.
pub(super) fn invalid_call<T>(context: &mut Context<'_>, text: std::fmt::Arguments<'_>) -> HResult<T> {
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}

/// Reports an error, and returns E_INVALIDARG.
pub(super) fn invalid_arg<T>(context: &mut Context<'_>, text: std::fmt::Arguments<'_>) -> HResult<T> {
    context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text)
}

/// Reports that the swap chain does not exist, and returns E_HANDLE.
pub(super) fn no_such_chain<T>(context: &mut Context<'_>, id: SwapChainId) -> HResult<T> {
    context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, format_args!("There is no swap chain {}.", id.0))
}

/// The swap chain that a call names.
pub(super) fn chain_mut<'d>(
    context: &mut Context<'_>,
    display: &'d mut DisplayState,
    id: SwapChainId,
) -> HResult<&'d mut SwapChain> {
    match display.presents.chain_mut(id) {
        Some(chain) => Ok(chain),
        None => no_such_chain(context, id),
    }
}

/// Validates an output parameter: `wanted` is false if the application passed NULL.
pub(super) fn require_out_param(context: &mut Context<'_>, wanted: bool) -> HResult<()> {
    if wanted { Ok(()) } else { invalid_arg(context, format_args!("There is no place for the answer.")) }
}
