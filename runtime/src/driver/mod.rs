//! Driver models and the profiles that describe them.

pub(crate) mod background_key;
pub(crate) mod background_profile;
mod bundled;
pub(crate) mod caps;
pub(crate) mod checked_rules;
mod contexts_failure;
mod contexts_faults;
mod contexts_lines;
mod contexts_model;
pub(crate) mod contexts_profile;
mod contexts_table;
mod d3d11_model;
pub(crate) mod ddi_version;
pub(crate) mod direct_access;
pub(crate) mod faults;
mod former_keys;
mod invalid_value;
mod kernel_model;
pub(crate) mod kernel_profile;
pub(crate) mod model;
pub(crate) mod overlay_profile;
mod panicking;
pub(crate) mod pgo;
pub(crate) mod profile;
mod profile_text;
mod size;
mod texture_view;
