//! Error of an invalid description.

use crate::context::Context;
use std::fmt;
use taut_schemas::{HResult, HResultCode, MessageId};

/// Emits the message, and returns E_INVALIDARG.
pub(super) fn invalid<T>(
    context: &mut Context<'_>,
    message_id: MessageId,
    description: fmt::Arguments<'_>,
) -> HResult<T> {
    context.error(message_id, description);
    Err(HResultCode::E_INVALIDARG)
}
