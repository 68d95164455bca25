//! Contributions of resources and heaps to a figure that is a sum over them.

use crate::memory::{FreeRanges, Layout, Resource};

/// A heap at a moment, or without its resources where a figure has no moment.
#[derive(Debug, Clone, Copy)]
pub(in crate::reports) struct HeapState {
    pub size_bytes: u64,
    pub layout: Layout,
    pub free: FreeRanges,
}

impl HeapState {
    /// True if no resource lies in the heap.
    pub fn is_empty(&self) -> bool {
        self.layout.covered_bytes == 0
    }
}

/// Amount by which one object adds to a figure.
type Amount<T> = Option<fn(&T) -> i128>;

/// Amounts by which resources and heaps add up to a figure.
#[derive(Debug, Clone, Copy)]
pub(in crate::reports) struct Parts {
    /// `None` if the figure does not depend on resources.
    pub resource: Amount<Resource>,
    /// `None` if the figure does not depend on heaps.
    pub heap: Amount<HeapState>,
    /// True if the padding before placed resources adds to the figure.
    pub has_padding: bool,
    /// True if the figure is waste, so that a contributor gets an advice.
    pub is_waste: bool,
}

impl Parts {
    const NONE: Parts = Parts { resource: None, heap: None, has_padding: false, is_waste: false };

    /// Sum over resources.
    pub const fn resources(amount: fn(&Resource) -> i128) -> Parts {
        Parts { resource: Some(amount), ..Parts::NONE }
    }

    /// Sum over heaps.
    pub const fn heaps(amount: fn(&HeapState) -> i128) -> Parts {
        Parts { heap: Some(amount), ..Parts::NONE }
    }

    /// Sum over resources and heaps.
    pub const fn both(resource: fn(&Resource) -> i128, heap: fn(&HeapState) -> i128) -> Parts {
        Parts { resource: Some(resource), heap: Some(heap), ..Parts::NONE }
    }

    /// Waste of resources.
    pub const fn waste(amount: fn(&Resource) -> i128) -> Parts {
        Parts { resource: Some(amount), is_waste: true, ..Parts::NONE }
    }

    /// Padding before placed resources, with the waste of the resources themselves if there is one.
    pub const fn padding(resource: Amount<Resource>) -> Parts {
        Parts { resource, has_padding: true, is_waste: true, ..Parts::NONE }
    }
}
