//! SetName.

use crate::context::{Context, no_such_object};
use crate::state::Objects;
use taut_schemas::{HResult, d3d12};

/// ID3D12Object::SetName. An empty name removes the name.
pub(crate) fn set_name(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::SetName) -> HResult<()> {
    match objects.get_mut(call.object) {
        Some(object) => {
            object.name = call.name.as_str().into();
            Ok(())
        }
        None => no_such_object(context, "object", call.object),
    }
}
