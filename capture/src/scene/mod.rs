//! glTF scenes as workloads: what a scene is made of, and the calls that load it.
//!
//! [`read`] gives the scene with every size checked; [`run`] creates what an application would: a buffer per buffer view
//! or accessor, a constant buffer per node and per material, a texture per image. Only the scene's JSON and the first
//! bytes of its images are read; contents do not matter to memory. [`drawing`] draws the scene by Direct3D 11.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod change;
mod content;
mod document;
pub mod drawing;
mod error;
mod extent;
mod heap_layout;
mod image;
mod joined;
mod json_path;
mod load;
mod memory;
mod size;
mod source;
mod summary;
mod texels;
mod uri;
mod users;

pub use content::{Item, Scene, read};
pub use error::SceneError;
pub use image::{Image, ImageFault, ImageFormat};
pub use load::{PARAMETERS, run};
pub use summary::SceneSummary;

#[cfg(test)]
mod tests;
