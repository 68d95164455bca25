//! Handles per context of a Direct3D 11 driver: the profile table `[contexts]`.

use serde::{Deserialize, Serialize};
use taut_schemas::{BindFlags, HandleSize, HandleType, ThreadingCaps};

/// Size of the handles of one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandleLayout {
    /// Handle type by its name in d3d11umddi.h, such as `RESOURCE`.
    pub handle_type: String,
    /// Size in bytes of a handle of a deferred context.
    pub size_bytes: u64,
    /// For resources, the bind flags of which one must be set; the first matching line is used.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bind_flags: u32,
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

fn is_none(value: &u64) -> bool {
    *value == 0
}

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// Handles per context of a driver.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct ContextHandles {
            $( $(#[$meta])+ pub $key: $ty, )*
        }

        impl ContextHandles {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];
        }
    };
}

keys! {
    /// The bits of D3D11DDI_THREADING_CAPS::Caps.
    threading_caps: u32,
    /// Bytes of a context's private memory.
    context_bytes: u64,
    /// Bytes of an object's private memory in the immediate context.
    immediate_handle_bytes: u64,
    /// Bytes of a command list's private memory.
    command_list_bytes: u64,
    /// Byte budget of a deferred context between its creation and FinishCommandList; 0 is no limit (rule H-46).
    #[serde(default, skip_serializing_if = "is_none")]
    budget_bytes: u64,
    /// Bytes of the budget that a recorded call uses.
    #[serde(default, skip_serializing_if = "is_none")]
    call_bytes: u64,
    /// Bytes of the budget that opening a handle uses.
    #[serde(default, skip_serializing_if = "is_none")]
    open_bytes: u64,
    /// Beyond the budget, the driver reports a removed device instead of E_OUTOFMEMORY.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    budget_removes_device: bool,
    /// Number of the deferred context that fails, from 1, in creation order of all contexts with immediate ones.
    #[serde(default, skip_serializing_if = "is_none")]
    fails_in_context: u64,
    /// Number of the call at which that context fails, counting commands, opened handles, list creations and
    /// recyclings; 0 is none.
    #[serde(default, skip_serializing_if = "is_none")]
    fails_at_call: u64,
    /// The driver reports a removed device at that call instead of E_OUTOFMEMORY.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    failure_removes_device: bool,
    /// Handle sizes of deferred contexts, in the order in which CheckDeferredContextHandleSizes reports them.
    handles: Vec<HandleLayout>,
}

impl HandleLayout {
    /// Returns the handle type; `None` for an unknown name.
    pub fn handle_type(&self) -> Option<HandleType> {
        HandleType::NAMES.iter().find(|(_, name)| *name == self.handle_type).map(|(value, _)| HandleType(*value))
    }
}

impl ContextHandles {
    /// Returns the threading caps.
    pub fn caps(&self) -> ThreadingCaps {
        ThreadingCaps(self.threading_caps)
    }

    /// Returns the handle sizes that CheckDeferredContextHandleSizes reports.
    pub fn sizes(&self) -> Vec<HandleSize> {
        let size = |layout: &HandleLayout| {
            layout.handle_type().map(|handle_type| HandleSize { handle_type, size_bytes: layout.size_bytes })
        };
        self.handles.iter().filter_map(size).collect()
    }

    /// Returns the handle size for an object with these bind flags; 0 for a type without a line.
    pub fn size_of(&self, handle_type: HandleType, bind_flags: BindFlags) -> u64 {
        let fits = |layout: &&HandleLayout| {
            let of_flags = layout.bind_flags == 0 || bind_flags.intersects(BindFlags(layout.bind_flags));
            layout.handle_type() == Some(handle_type) && of_flags
        };
        self.handles.iter().find(fits).map_or(0, |layout| layout.size_bytes)
    }
}
