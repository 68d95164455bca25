//! An object's handle of the immediate context, of a driver with handles per context.

use std::sync::Arc;
use taut_schemas::DriverHandle;

/// An object's handle of the immediate context.
#[derive(Debug)]
pub(crate) struct IcHandle {
    pub address: DriverHandle,
    pub size_bytes: u64,
    /// How large its handles of deferred contexts are.
    pub deferred_bytes: u64,
    /// What its memory held when its creation was over: what deferred contexts see of it.
    pub image: Arc<[u8]>,
}
