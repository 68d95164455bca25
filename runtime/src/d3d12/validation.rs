//! What the runtime checks before it asks the driver, topic by topic.

mod alignment;
mod castable;
mod clear;
mod dimension;
mod flags;
mod forbidden;
mod format;
pub(crate) mod heap;
mod layout;
pub(crate) mod placement;
mod sample;

pub(crate) use clear::check_clear_value;

use crate::context::Context;
use crate::placement::{AlignmentRange, ResourceClass, Shape};
use crate::state::Adapter;
use std::fmt;
use taut_schemas::format::Format;
use taut_schemas::{Dimension, HResult, HResultCode, MessageId, MipRegion, ResourceDesc};

/// What a resource is to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// GetResourceAllocationInfo, which cannot know (rule A-21).
    Query,
    Placed,
    Committed,
    Reserved,
}

/// A description to validate, with what the newer calls carry beside it.
pub(crate) struct Asked<'a> {
    pub desc: &'a ResourceDesc,
    pub mip_region: MipRegion,
    pub castable_formats: &'a [Format],
    pub visible_node_mask: u32,
    pub intent: Intent,
}

/// A valid description, ready to ask the driver about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// As given, but with the tight flag only if it counts.
    pub desc: ResourceDesc,
    /// With mip levels resolved.
    pub shape: Shape,
    pub class: ResourceClass,
    /// The resource is aligned tightly: it has the flag, and nothing overrides it.
    pub tight: bool,
    /// AlignmentRestriction for the driver.
    pub restriction_bytes: u64,
    /// What the driver's answer must lie in.
    pub range: AlignmentRange,
    /// The one alignment outside the range that is legal as well (rule A-12); 0 if there is none.
    pub large_page_bytes: u64,
    pub visible_node_mask: u32,
}

/// Validates a description.
///
/// # Errors
/// E_INVALIDARG, with a message that says why.
pub(crate) fn plan(context: &mut Context<'_>, adapter: &Adapter, asked: &Asked<'_>) -> HResult<Plan> {
    let mut shape = Shape::from(asked.desc);
    dimension::check(context, asked.desc, &shape)?;
    sample::check(context, asked.desc)?;
    if asked.desc.dimension != Dimension::BUFFER {
        shape.mip_levels = match asked.desc.mip_levels {
            0 => shape.full_mip_levels(),
            given => given,
        };
        format::check(context, asked.desc, &asked.mip_region)?;
    }
    castable::check(context, asked.desc, asked.castable_formats)?;
    flags::check(context, asked.desc, asked.castable_formats)?;
    forbidden::check(context, asked.desc, &shape)?;
    alignment::check_tight_flag(context, adapter, asked)?;
    layout::check(context, adapter, asked)?;
    alignment::plan(context, adapter, asked, shape)
}

/// Issues the message, and gives E_INVALIDARG.
fn invalid<T>(context: &mut Context<'_>, message_id: MessageId, description: fmt::Arguments<'_>) -> HResult<T> {
    context.error(message_id, description);
    Err(HResultCode::E_INVALIDARG)
}
