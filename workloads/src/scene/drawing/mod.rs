//! Drawing of a scene with Direct3D 11: the draws of its default scene, and the calls that record them in deferred
//! contexts.

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
pub use left_out::DiscardedEvents;
pub use play::{PARAMETERS, run};
pub use summary::DrawingSummary;
