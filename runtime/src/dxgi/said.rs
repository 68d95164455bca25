//! What is said where a call names nothing, or does not fit.

use crate::context::Context;
use crate::kernel::{DisplayState, SwapChain};
use taut_schemas::{HResult, HResultCode, ObjectId, SwapChainId};

/// DXGI_ERROR_INVALID_CALL, and why.
pub(super) fn invalid<T>(context: &mut Context<'_>, text: std::fmt::Arguments<'_>) -> HResult<T> {
    context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text)
}

/// E_INVALIDARG, and why.
pub(super) fn bad_argument<T>(context: &mut Context<'_>, text: std::fmt::Arguments<'_>) -> HResult<T> {
    context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text)
}

/// There is no such swap chain.
pub(super) fn no_chain<T>(context: &mut Context<'_>, id: SwapChainId) -> HResult<T> {
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
        None => no_chain(context, id),
    }
}

/// Where the answer would be is null.
pub(super) fn want(context: &mut Context<'_>, wanted: bool) -> HResult<()> {
    if wanted { Ok(()) } else { bad_argument(context, format_args!("There is no place for the answer.")) }
}
