//! Who can say what a resource would take.

use crate::{AdapterId, AllocationInfo, ResourceDesc};

/// A driver model under given rules, which can be asked about descriptions that no application made.
///
/// Who reads a trace knows no runtime; who knows one answers here. What is said is what the runtime would say of a
/// creation, so a description that gets an answer is accepted.
pub trait ResourceSizes: Send + Sync {
    /// What a placed resource takes on an adapter; `None` if its creation is refused.
    fn placed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo>;

    /// What the implicit heap of a committed resource takes; `None` if its creation is refused.
    fn committed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo>;
}
