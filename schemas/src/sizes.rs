//! A source of the sizes and alignments that resources would have.

use crate::{AdapterId, AllocationInfo, ResourceDesc};

/// Answers queries about descriptions that no application created, for a driver model under given rules.
///
/// A reader of traces has no runtime; an implementation of this trait provides one. The answers are those of the
/// runtime for a creation, so a description with an answer is accepted.
pub trait ResourceSizes: Send + Sync {
    /// Size and alignment of a placed resource on an adapter; `None` if its creation is refused.
    fn placed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo>;

    /// Size and alignment of a committed resource's implicit heap; `None` if its creation is refused.
    fn committed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo>;
}
