//! Objects that a recording created.

/// Object that the recording created.
#[derive(Clone, Copy)]
pub(super) struct Creation {
    /// Position of the creating call among all API calls.
    pub call_index: u64,
    pub sizes: CreatedSizes,
}

/// Sizes of an object in bytes, in the recorded world and in the what-if's world.
#[derive(Clone, Copy)]
pub(super) enum CreatedSizes {
    Heap {
        recorded_bytes: u64,
        other_bytes: u64,
    },
    Resource {
        recorded_bytes: u64,
        other_bytes: u64,
        /// Index into the outcome's resources; invalid once the resources without a difference are removed.
        change: Option<usize>,
    },
}
