//! Reference of a context to an object.

use crate::state::D3d11Object;
use taut_schemas::DriverHandle;

/// A context's reference to an object, with a copy of the object's immutable part.
#[derive(Debug, Clone)]
pub(crate) struct ContextRef {
    pub object: D3d11Object,
    /// The object's context-local handle, while it is open in this deferred context.
    pub local: Option<DriverHandle>,
    /// True if this reference counts among the object's pins; false for a resource referenced only through a view.
    pub pinned: bool,
}
