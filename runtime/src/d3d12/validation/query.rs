//! Description to validate, and its plan.

use crate::placement::{AlignmentRange, ResourceClass, Shape};
use taut_schemas::format::Format;
use taut_schemas::{MipRegion, ResourceDesc};

/// Intended kind of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// GetResourceAllocationInfo, which does not know the kind (rule A-21).
    Query,
    Placed,
    Committed,
    Reserved,
}

/// A description to validate, with the additional arguments of the newer calls.
pub(crate) struct AllocationQuery<'a> {
    pub desc: &'a ResourceDesc,
    pub mip_region: MipRegion,
    pub castable_formats: &'a [Format],
    pub visible_node_mask: u32,
    pub intent: Intent,
}

/// A valid description, ready for the driver query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// The application's description, with the tight flag only if it is in effect.
    pub desc: ResourceDesc,
    /// The resource's shape, with mip levels resolved.
    pub shape: Shape,
    pub class: ResourceClass,
    /// True if the resource is aligned tightly: it has the flag, and nothing overrides that.
    pub tight: bool,
    /// AlignmentRestriction for the driver, in bytes.
    pub restriction_bytes: u64,
    /// Valid alignments of the driver's answer.
    pub range: AlignmentRange,
    /// Alignment to which the runtime raises the driver's answer, in bytes: the floor of a placed tight resource (rule
    ///
    pub floor_bytes: u64,
    /// The one legal alignment outside the range, in bytes (rule A-12); 0 if there is none.
    pub large_page_bytes: u64,
    pub visible_node_mask: u32,
}
