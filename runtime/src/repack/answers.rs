//! Cache of the current driver's allocation queries.

use foldhash::{HashMap, HashMapExt};
use taut_schemas::{AllocationInfo, ResourceDesc, ResourceFlags, format::Format};

/// Unrecorded driver query for size and alignment of a resource with these castable formats, as
/// GetResourceAllocationInfo returns them. An invalid description has size `u64::MAX`.
pub type DriverQuery<'a> = dyn Fn(&ResourceDesc, &[Format]) -> AllocationInfo + 'a;

/// True if the driver supports tight alignment, as an application learns from CheckFeatureSupport.
pub fn supports_tight_alignment(answer: &DriverQuery<'_>) -> bool {
    let buffer = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(1024) };
    answer(&buffer, &[]).size_bytes != u64::MAX
}

/// Cache of a driver's answers, one query per description.
pub struct Answers<'a> {
    answer: &'a DriverQuery<'a>,
    plain: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
}

impl<'a> Answers<'a> {
    /// Creates an empty cache.
    pub fn new(answer: &'a DriverQuery<'a>) -> Self {
        Answers { answer, plain: HashMap::new(), castable: HashMap::new() }
    }

    /// Returns the driver's answer.
    pub fn get(&mut self, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        if castable_formats.is_empty() {
            return *self.plain.entry(*desc).or_insert_with(|| (self.answer)(desc, &[]));
        }
        let key = (*desc, castable_formats.to_vec());
        *self.castable.entry(key).or_insert_with(|| (self.answer)(desc, castable_formats))
    }
}
