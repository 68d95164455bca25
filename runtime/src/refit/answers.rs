//! What the driver at hand says about descriptions, each asked for once.

use foldhash::{HashMap, HashMapExt};
use taut_schemas::{AllocationInfo, ResourceDesc, ResourceFlags, format::Format};

/// Asks the driver, without recording it, for the size and alignment of a resource with these castable formats: what
/// GetResourceAllocationInfo would answer. An invalid description has size `u64::MAX`.
pub type AskDriver<'a> = dyn Fn(&ResourceDesc, &[Format]) -> AllocationInfo + 'a;

/// Whether the driver takes the tight flag: what an application learns from CheckFeatureSupport.
pub fn supports_tight_alignment(answer: &AskDriver<'_>) -> bool {
    let buffer = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(1024) };
    answer(&buffer, &[]).size_bytes != u64::MAX
}

/// The driver's answers, each asked for once.
pub struct Answers<'a> {
    answer: &'a AskDriver<'a>,
    plain: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
}

impl<'a> Answers<'a> {
    /// Nothing asked yet.
    pub fn new(answer: &'a AskDriver<'a>) -> Self {
        Answers { answer, plain: HashMap::new(), castable: HashMap::new() }
    }

    /// The driver's answer.
    pub fn get(&mut self, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        if castable_formats.is_empty() {
            return *self.plain.entry(*desc).or_insert_with(|| (self.answer)(desc, &[]));
        }
        let key = (*desc, castable_formats.to_vec());
        *self.castable.entry(key).or_insert_with(|| (self.answer)(desc, castable_formats))
    }
}
