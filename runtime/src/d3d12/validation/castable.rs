//! Validation of castable formats (d3d12.h: ID3D12Device10::CreateCommittedResource3).

use super::invalid;
use crate::context::Context;
use taut_schemas::format::{Format, FormatInfo};
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc};

/// Validates the formats. A cast keeps the size of a unit: a block may be read as a texel, but no texel as a block. A
/// buffer, whose format is UNKNOWN, casts to UNKNOWN only.
pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc, castable_formats: &[Format]) -> HResult<()> {
    let base = match desc.dimension {
        Dimension::BUFFER => None,
        _ => desc.format.info(),
    };
    for &castable in castable_formats {
        let legal = match (base, castable.info()) {
            (Some(base), Some(cast)) => is_castable(base, cast),
            (None, None) => castable == Format::UNKNOWN,
            _ => false,
        };
        if !legal {
            let text = format_args!("Format {:?} cannot be cast to {castable:?}.", desc.format);
            return invalid(context, MessageId::CREATERESOURCE_INVALIDFORMAT, text);
        }
    }
    Ok(())
}

fn is_castable(base: &FormatInfo, cast: &FormatInfo) -> bool {
    let same_unit = base.unit_texels == cast.unit_texels;
    let block_as_texel = base.is_block_compressed() && cast.unit_texels == (1, 1);
    base.unit_bits == cast.unit_bits && (same_unit || block_as_texel)
}
