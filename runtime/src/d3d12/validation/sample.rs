//! Validation of sample count and quality.

use super::invalid;
use crate::context::Context;
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc, ResourceFlags};

/// D3D12_STANDARD_MULTISAMPLE_PATTERN and D3D12_CENTER_MULTISAMPLE_PATTERN.
const PATTERNS: [u32; 2] = [0xffff_ffff, 0xffff_fffe];
/// Max sample count with a defined tile shape.
const MAX_SAMPLES: u32 = 16;

pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc) -> HResult<()> {
    let (count, quality) = (desc.sample_count, desc.sample_quality);
    let id = MessageId::CREATERESOURCE_INVALIDSAMPLEDESC;
    if !count.is_power_of_two() || count > MAX_SAMPLES {
        return invalid(context, id, format_args!("SampleDesc.Count is {count}; expected 1, 2, 4, 8 or 16."));
    }
    if count == 1 {
        return match quality {
            0 => Ok(()),
            _ => invalid(context, id, format_args!("SampleDesc.Quality is {quality} at 1 sample; expected 0.")),
        };
    }
    if quality != 0 && !PATTERNS.contains(&quality) {
        return invalid(context, id, format_args!("SampleDesc.Quality is {quality}; the driver has 1 quality level."));
    }
    if desc.dimension != Dimension::TEXTURE2D {
        return invalid(context, id, format_args!("A {:?} has {count} samples; expected 1.", desc.dimension));
    }
    let targets = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_DEPTH_STENCIL;
    if !desc.flags.intersects(targets) {
        let text = format_args!("A texture of {count} samples allows neither render target nor depth-stencil.");
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMISCFLAGS, text);
    }
    Ok(())
}
