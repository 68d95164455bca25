//! Invalid value of a profile.

/// Invalid value of a profile, and its key.
pub(crate) struct InvalidValue {
    pub key: &'static str,
    pub expected: String,
    pub found: String,
}

/// Maximum size of a handle or context in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 16;
