//! What the driver at hand says about the log's descriptions.

use serde::Serialize;
use std::collections::HashMap;
use taut_schemas::{AllocationInfo, Dimension, ResourceDesc, ResourceFlags, TextureLayout, format::Format};

/// Asks the driver, without recording it, for the size and alignment of a resource with these castable formats: what
/// GetResourceAllocationInfo would answer. An invalid description has size `u64::MAX`.
pub type Answer<'a> = dyn Fn(&ResourceDesc, &[Format]) -> AllocationInfo + 'a;

/// Differences that are kept; the others are only counted.
const KEPT: usize = 16;

/// Whether the driver takes the tight flag: what an application learns from CheckFeatureSupport.
pub(super) fn supports_tight_alignment(answer: &Answer<'_>) -> bool {
    let buffer = ResourceDesc {
        dimension: Dimension::BUFFER,
        width: 1024,
        height: 1,
        depth_or_array_size: 1,
        mip_levels: 1,
        sample_count: 1,
        layout: TextureLayout::ROW_MAJOR,
        flags: ResourceFlags::USE_TIGHT_ALIGNMENT,
        ..ResourceDesc::default()
    };
    answer(&buffer, &[]).size_bytes != u64::MAX
}

/// The driver's answers, each asked for once.
pub(super) struct Answers<'a> {
    answer: &'a Answer<'a>,
    plain: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(answer: &'a Answer<'a>) -> Self {
        Answers { answer, plain: HashMap::new(), castable: HashMap::new() }
    }

    /// The driver's answer.
    pub(super) fn get(&mut self, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        if castable_formats.is_empty() {
            return *self.plain.entry(*desc).or_insert_with(|| (self.answer)(desc, &[]));
        }
        let key = (*desc, castable_formats.to_vec());
        *self.castable.entry(key).or_insert_with(|| (self.answer)(desc, castable_formats))
    }
}

/// One answer that is not the log's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The log's line.
    pub seq: u64,
    /// What the log says.
    pub logged: AllocationInfo,
    /// What the driver at hand says.
    pub live: AllocationInfo,
}

/// Answers compared with the log's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Answers that are the log's.
    pub equal: u64,
    /// Answers that are not.
    pub different: u64,
    /// The first of those that are not.
    pub first: Vec<Difference>,
}

impl Comparison {
    /// Counts an answer; `equal` may know of more than the two values say.
    pub(super) fn add(&mut self, seq: u64, logged: AllocationInfo, live: AllocationInfo, equal: bool) {
        if equal {
            self.equal += 1;
            return;
        }
        self.different += 1;
        if self.first.len() < KEPT {
            self.first.push(Difference { seq, logged, live });
        }
    }
}
