//! Parts of the runtime's state that the conformance kit reads and sets.

use crate::d3d11::context_state::ContextState;
use crate::d3d11::effect;
use crate::state::ContextWork;
use taut_schemas::D3d11ResourceId;

pub use crate::driver::checked_rules::CHECKED_RULES;
pub use crate::state::{Adapter, Content};

/// Returns the capabilities that the driver reported at the device's creation; `None` before the creation.
pub fn capabilities(device: &crate::DeviceState) -> Option<&Adapter> {
    device.adapter()
}

/// The content of a resource as the GPU's work of this context has left it.
pub fn content(context: &ContextState, resource: D3d11ResourceId) -> Content {
    context.contents.get(resource)
}

/// Sets the content of a resource, as initial data does.
pub fn set_content(context: &mut ContextState, resource: D3d11ResourceId, content: Content) {
    context.contents.set(resource, content);
}

/// Adds the work that an application's stores to mapped memory amount to: at once on the immediate context, in the
/// command list on a deferred one.
pub fn fill(context: &mut ContextState, resource: D3d11ResourceId, content: Content) {
    effect::work(context, ContextWork::Fill { resource, content });
}
