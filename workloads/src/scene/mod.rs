//! glTF scenes as workloads: their content, and the calls that load them.
//!
//! [`read`] returns the scene with every size checked; [`run`] creates what an application would: a buffer per buffer
//! view or accessor, a constant buffer per node and per material, a texture per image. Only the scene's JSON and the
//! first bytes of its images are read, because the data itself does not affect memory use. [`drawing`] draws the scene
//! with Direct3D 11, [`upload`] records the stores into its textures.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod change;
mod compression;
mod container;
mod content;
mod document;
pub mod drawing;
mod error;
mod extent;
mod heap_layout;
mod image;
mod item_name;
mod json_path;
mod lenient_json;
mod load;
mod memory;
mod merged;
mod size;
mod source;
mod summary;
mod texels;
pub mod upload;
mod uri;
mod users;
mod version;

pub use change::check_changes;
pub use compression::CompressedGeometry;
pub use content::{Item, Scene, read};
pub use error::SceneError;
pub use image::{Image, ImageFault, ImageFormat};
pub use load::{PARAMETERS, run};
pub use summary::SceneSummary;

#[cfg(test)]
mod tests;
