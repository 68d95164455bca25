//! Handles per context as a driver of Direct3D 11 has them: a table of its profile.

use serde::{Deserialize, Serialize};
use taut_schemas::{BindFlags, HandleSize, HandleType, ThreadingCaps};

/// How large handles of a type are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandleLayout {
    /// The type, by its name in the header: `RESOURCE`.
    pub handle_type: String,
    /// Bytes of a handle of a deferred context.
    pub size_bytes: u64,
    /// Of resources, those with one of these bind flags alone; the first line that fits counts.
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
        /// A driver's handles per context.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct ContextHandles {
            $( $(#[$meta])+ pub $key: $ty, )*
        }

        impl ContextHandles {
            /// The table's keys.
            pub(crate) const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];
        }
    };
}

keys! {
    /// The bits of D3D11DDI_THREADING_CAPS::Caps.
    threading_caps: u32,
    /// Bytes of the memory behind a context's handle.
    context_bytes: u64,
    /// Bytes of the memory behind an object's handle of the immediate context.
    immediate_handle_bytes: u64,
    /// Bytes of the memory behind a command list's.
    command_list_bytes: u64,
    /// Bytes that a deferred context may take between its creation and FinishCommandList; 0 is no limit (rule H-46).
    #[serde(default, skip_serializing_if = "is_none")]
    budget_bytes: u64,
    /// Bytes of them that a recorded call takes.
    #[serde(default, skip_serializing_if = "is_none")]
    call_bytes: u64,
    /// Bytes of them that opening a handle takes.
    #[serde(default, skip_serializing_if = "is_none")]
    open_bytes: u64,
    /// Beyond the budget it says that the device is gone, instead of that memory is out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    budget_removes_device: bool,
    /// Which deferred context fails, by its number in the order in which contexts are created, immediate ones included, from 1.
    #[serde(default, skip_serializing_if = "is_none")]
    fails_in_context: u64,
    /// At which of those calls about it that may: a command, the opening of a handle, the making of a list, a recycling; 0 is none.
    #[serde(default, skip_serializing_if = "is_none")]
    fails_at_call: u64,
    /// It says there that the device is gone, instead of that memory is out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    failure_removes_device: bool,
    /// Sizes of the handles of deferred contexts, in the order in which they are told.
    handles: Vec<HandleLayout>,
}

impl HandleLayout {
    /// The type; none if there is none of that name.
    pub fn handle_type(&self) -> Option<HandleType> {
        HandleType::NAMES.iter().find(|(_, name)| *name == self.handle_type).map(|(value, _)| HandleType(*value))
    }
}

impl ContextHandles {
    /// The bits of its threading caps.
    pub fn caps(&self) -> ThreadingCaps {
        ThreadingCaps(self.threading_caps)
    }

    /// What CheckDeferredContextHandleSizes tells.
    pub fn sizes(&self) -> Vec<HandleSize> {
        let size = |layout: &HandleLayout| {
            layout.handle_type().map(|handle_type| HandleSize { handle_type, size_bytes: layout.size_bytes })
        };
        self.handles.iter().filter_map(size).collect()
    }

    /// How large the handles of an object with these bind flags are; 0 of one that it does not know.
    pub fn size_of(&self, handle_type: HandleType, bind_flags: BindFlags) -> u64 {
        let fits = |layout: &&HandleLayout| {
            let of_flags = layout.bind_flags == 0 || bind_flags.intersects(BindFlags(layout.bind_flags));
            layout.handle_type() == Some(handle_type) && of_flags
        };
        self.handles.iter().find(fits).map_or(0, |layout| layout.size_bytes)
    }
}
