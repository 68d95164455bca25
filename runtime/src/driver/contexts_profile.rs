//! Handles per context of a Direct3D 11 driver: the profile table `[contexts]`.

use serde::{Deserialize, Serialize};
use taut_schemas::{
    BindFlags, FieldPlacement, HandleField, HandleSize, HandleType, SEPARATE_AREA, SEPARATE_AREA_BYTES, ThreadingCaps,
    TypeLayout,
};

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
    /// Read-only fields follow written ones without padding to a cache line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    packs_fields: bool,
    /// The driver's data of each object, beyond the words that the model always uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<HandleField>,
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
            let handle_type = layout.handle_type()?;
            Some(HandleSize { handle_type, size_bytes: self.with_fields(handle_type, layout.size_bytes) })
        };
        self.handles.iter().filter_map(size).collect()
    }

    /// Returns the handle size for an object with these bind flags; 0 for a type without a line.
    pub fn size_of(&self, handle_type: HandleType, bind_flags: BindFlags) -> u64 {
        self.with_fields(handle_type, self.listed_size_of(handle_type, bind_flags))
    }

    /// Raises the size of a handle of a deferred context to the end of its fields. A size of 0 is an error of the driver,
    /// which fields do not hide.
    fn with_fields(&self, handle_type: HandleType, size_bytes: u64) -> u64 {
        if self.fields.is_empty() || size_bytes == 0 {
            return size_bytes;
        }
        self.layout(handle_type).deferred_bytes.max(size_bytes)
    }

    /// Returns the size of an object's handle of the immediate context.
    pub fn immediate_size_of(&self, handle_type: HandleType) -> u64 {
        if self.fields.is_empty() {
            return self.immediate_handle_bytes;
        }
        self.layout(handle_type).immediate_bytes.max(self.immediate_handle_bytes)
    }

    /// Returns the size of a deferred context's memory, with the area of separate fields if there are any.
    pub fn deferred_context_bytes(&self) -> u64 {
        let has_area = self.fields.iter().any(|field| field.placement == FieldPlacement::Separate);
        let area_end = if has_area { SEPARATE_AREA + SEPARATE_AREA_BYTES } else { 0 };
        self.context_bytes.max(area_end)
    }

    /// Returns the fields of a type.
    pub fn fields_of(&self, handle_type: HandleType) -> impl Iterator<Item = &HandleField> + Clone {
        let name = HandleType::NAMES.iter().find(|(value, _)| *value == handle_type.0).map_or("", |(_, name)| name);
        self.fields.iter().filter(move |field| field.handle_type == name)
    }

    /// Returns the places of the fields of a type.
    pub fn layout(&self, handle_type: HandleType) -> TypeLayout {
        let of_type = self.handles.iter().filter(|layout| layout.handle_type() == Some(handle_type));
        let min_bytes = of_type.map(|layout| layout.size_bytes).min().unwrap_or_default();
        TypeLayout::new(self.fields_of(handle_type), min_bytes, !self.packs_fields)
    }

    /// Returns the listed handle size, without fields, for an object with these bind flags.
    pub(crate) fn listed_size_of(&self, handle_type: HandleType, bind_flags: BindFlags) -> u64 {
        let fits = |layout: &&HandleLayout| {
            let of_flags = layout.bind_flags == 0 || bind_flags.intersects(BindFlags(layout.bind_flags));
            layout.handle_type() == Some(handle_type) && of_flags
        };
        self.handles.iter().find(fits).map_or(0, |layout| layout.size_bytes)
    }
}
