//! Callbacks that a pool calls once.

use crate::format::error::WriteError;
use std::fmt;

/// Callback for a failure of the output.
pub(super) struct OnFailure(pub(super) Box<dyn FnOnce(&WriteError) + Send>);

impl fmt::Debug for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnFailure")
    }
}

/// Callback for slots that cannot be created in the sidecar.
pub(super) struct OnNotPersistent(pub(super) Box<dyn FnOnce(&str) + Send>);

impl fmt::Debug for OnNotPersistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnNotPersistent")
    }
}
