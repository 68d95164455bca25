//! A scene drawn by Direct3D 11: what its default scene draws, and the calls that record it in deferred contexts.

mod content;
mod left_out;
mod material;
mod play;
mod primitive;
mod record;
mod stage;
mod summary;
mod walk;

pub use content::Drawing;
pub use left_out::LeftOut;
pub use play::{PARAMETERS, run};
pub use summary::DrawingSummary;
