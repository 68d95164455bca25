//! Driver models, and the profiles that describe them.

pub(crate) mod caps;
pub(crate) mod model;
pub(crate) mod profile;
mod profile_text;
mod size;
