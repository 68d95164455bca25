//! Validation that precedes the driver query, one module per subject.

mod alignment;
mod castable;
mod clear;
mod combinations;
mod dimension;
mod flags;
mod format;
pub(crate) mod heap;
mod invalid;
mod layout;
pub(crate) mod placement;
mod query;
mod sample;

pub(crate) use clear::check_clear_value;
pub(crate) use query::{AllocationQuery, Intent, Plan};

use crate::context::Context;
use crate::placement::Shape;
use crate::state::Adapter;
use invalid::invalid;
use taut_schemas::{Dimension, HResult};

/// Validates a description. Returns the plan for the driver query: resolved mip levels, tight or classic alignment, and
/// the valid alignments of the driver's answer.
///
/// # Errors
/// E_INVALIDARG, with a message that gives the reason.
pub(crate) fn plan(context: &mut Context<'_>, adapter: &Adapter, requested: &AllocationQuery<'_>) -> HResult<Plan> {
    let mut shape = Shape::from(requested.desc);
    // The order decides which message comes first for a description with several errors. Resolving the mip levels needs
    // valid extents.
    dimension::check(context, requested.desc, &shape)?;
    sample::check(context, requested.desc)?;
    if requested.desc.dimension != Dimension::BUFFER {
        shape.mip_levels = match requested.desc.mip_levels {
            0 => shape.full_mip_levels(),
            explicit => explicit,
        };
        format::check(context, requested.desc, &requested.mip_region)?;
        format::check_blocks(context, adapter, requested.desc)?;
    }
    castable::check(context, requested.desc, requested.castable_formats)?;
    flags::check(context, requested.desc, requested.castable_formats)?;
    combinations::check(context, requested.desc, &shape)?;
    alignment::check_tight_flag(context, adapter, requested)?;
    layout::check(context, adapter, requested)?;
    alignment::plan(context, adapter, requested, shape)
}
