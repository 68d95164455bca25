//! Upload of a scene's textures by the CPU, every store recorded.

use super::content::Scene;
use crate::bundled::texture_upload::{self, UPLOAD_DRIVER, UPLOAD_PARAMETERS};
use crate::bundled::{Parameter, Parameters, WorkloadError};
use taut_capture::Callers;
use taut_schemas::ResourceDesc;

/// Parameters of an upload.
pub const PARAMETERS: &[Parameter] = UPLOAD_PARAMETERS;

/// Default driver: one that maps textures in GPU memory.
pub const DRIVER: &str = UPLOAD_DRIVER;

/// Writes the top level of each of the scene's textures into mapped memory, in the order of the parameter `mode`.
///
/// # Errors
/// A required call failed, or the system cannot create a thread.
pub fn run<C: Callers>(scene: &Scene, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
    texture_upload::upload(callers, parameters, textures(scene))
}

/// Number of texture writes.
pub fn steps(scene: &Scene, parameters: &Parameters) -> u64 {
    (textures(scene).count() as u64).saturating_mul(parameters.get("uploads"))
}

fn textures(scene: &Scene) -> impl Iterator<Item = &ResourceDesc> {
    scene.images.iter().filter_map(|image| image.texture.as_ref().ok())
}
