//! Validation of optimized clear values.

use super::invalid;
use crate::context::Context;
use taut_schemas::format::Format;
use taut_schemas::{ClearValue, Dimension, HResult, MessageId, ResourceDesc, ResourceFlags};

/// Validates a clear value: only render targets and depth-stencils have one, in a format of the texture's family or of
/// a castable format's family.
pub(crate) fn check_clear_value(
    context: &mut Context<'_>,
    desc: &ResourceDesc,
    castable_formats: &[Format],
    clear_value: Option<&ClearValue>,
) -> HResult<()> {
    let Some(clear) = clear_value else { return Ok(()) };
    let targets = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_DEPTH_STENCIL;
    if desc.dimension == Dimension::BUFFER || !desc.flags.intersects(targets) {
        let text = format_args!(
            "pOptimizedClearValue must be NULL for a {:?} with flags 0x{:x}.",
            desc.dimension, desc.flags.0
        );
        return invalid(context, MessageId::CREATERESOURCE_INVALIDCLEARVALUE, text);
    }
    let Some(info) = clear.format.info() else {
        let text = format_args!("pOptimizedClearValue has format {:?}.", clear.format);
        return invalid(context, MessageId::CREATERESOURCE_UNRECOGNIZEDCLEARVALUEFORMAT, text);
    };
    let mut formats = std::iter::once(desc.format).chain(castable_formats.iter().copied());
    if formats.any(|format| format.info().is_some_and(|seen| seen.family == info.family)) {
        return Ok(());
    }
    let text = format_args!("pOptimizedClearValue has format {:?}, the texture {:?}.", clear.format, desc.format);
    invalid(context, MessageId::CREATERESOURCE_INVALIDCLEARVALUEFORMAT, text)
}
