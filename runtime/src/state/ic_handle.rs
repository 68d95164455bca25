//! Immediate-context handles: for a driver with handles per context, each object has such a handle, and one in each
//! deferred context that uses the object.

use std::sync::Arc;
use taut_schemas::DriverHandle;

/// An object's immediate-context handle.
#[derive(Debug)]
pub(crate) struct IcHandle {
    pub address: DriverHandle,
    pub size_bytes: u64,
    /// Size of the object's handles in deferred contexts, in bytes.
    pub deferred_bytes: u64,
    /// Contents of the handle's memory at the end of creation. Deferred contexts see these, not later writes.
    pub image: Arc<[u8]>,
}
