//! Objects that a recording created.

/// Object that the recording created.
#[derive(Clone, Copy)]
pub(super) struct Creation {
    /// Position of the creating call among all API calls.
    pub call_index: u64,
    pub sizes: CreatedSizes,
}

/// Size of an object, recorded and now.
#[derive(Clone, Copy)]
pub(super) enum CreatedSizes {
    Heap {
        recorded_bytes: u64,
        live_bytes: u64,
    },
    Resource {
        recorded_bytes: u64,
        live_bytes: u64,
        /// Index into the outcome's resources, until those without a difference are removed.
        change: Option<usize>,
    },
}
