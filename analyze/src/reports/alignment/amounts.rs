//! Amounts by which a resource adds to the sums of the report.

use crate::memory::Resource;

pub(super) fn placed(resource: &Resource) -> i128 {
    resource.extent().is_some().into()
}

pub(super) fn committed(resource: &Resource) -> i128 {
    resource.extent().is_none().into()
}

/// SizeInBytes.
pub(super) fn allocated_bytes(resource: &Resource) -> i128 {
    resource.allocation.map_or(0, |allocation| allocation.size_bytes.into())
}

/// SizeInBytes of a placed resource.
pub(super) fn placed_bytes(resource: &Resource) -> i128 {
    resource.extent().map_or(0, |_| allocated_bytes(resource))
}

/// SizeInBytes of a committed resource.
pub(super) fn committed_bytes(resource: &Resource) -> i128 {
    if resource.extent().is_none() { allocated_bytes(resource) } else { 0 }
}

/// Implicit heap of a committed resource.
pub(super) fn implicit_heap_bytes(resource: &Resource) -> i128 {
    if resource.extent().is_none() { in_use_bytes(resource) } else { 0 }
}

pub(super) fn in_use_bytes(resource: &Resource) -> i128 {
    resource.in_use_bytes().into()
}

pub(super) fn requested_bytes(resource: &Resource) -> i128 {
    resource.requested_bytes.into()
}

pub(super) fn padded_64k_bytes(resource: &Resource) -> i128 {
    resource.padded_64k_bytes().into()
}

pub(super) fn guaranteed_saving_bytes(resource: &Resource) -> i128 {
    resource.guaranteed_saving_bytes().into()
}

/// Rounding and granularity.
pub(super) fn waste_bytes(resource: &Resource) -> i128 {
    resource.rounding_bytes() + resource.granularity_bytes()
}
