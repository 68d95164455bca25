//! Scene of the game: pipeline states, with constants that first drift and then settle.

use crate::bundled::WorkloadError;
use crate::bundled::pipeline::Pipeline;
use crate::bundled::random::Random;
use crate::bundled::renderer::Renderer;
use std::sync::Arc;
use taut_capture::Caller;
use taut_schemas::DeviceId;
use taut_shaders::Material;

/// Number of different frames with whose constants a scene can start.
const FIRST_FRAMES: u64 = 1 << 16;

/// Scene that is being drawn.
pub(super) struct GameScene {
    pipelines: Vec<Pipeline>,
    /// Frame number of the scene's first constants.
    first_frame: u32,
    /// Number of frames drawn so far.
    drawn: u32,
    /// Number of frames of the scene.
    frames: u32,
}

/// Number of pipelines and frames of a scene.
pub(super) struct SceneSize {
    pub pipelines: u64,
    pub frames: u32,
}

impl GameScene {
    /// Creates the pipeline states of a scene.
    pub fn load<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        materials: &[Arc<Material>],
        random: &mut Random,
        size: SceneSize,
    ) -> Result<GameScene, WorkloadError> {
        let SceneSize { pipelines, frames } = size;
        let first = random.below(materials.len() as u64);
        let chosen = materials.iter().cycle().skip(first as usize).take(pipelines as usize);
        let created: Result<Vec<_>, _> =
            chosen.map(|material| Pipeline::new(caller, device, material, random.once_in(3))).collect();
        let first_frame = random.below(FIRST_FRAMES) as u32;
        Ok(GameScene { pipelines: created?, first_frame, drawn: 0, frames })
    }

    /// True if all frames were drawn.
    pub fn is_over(&self) -> bool {
        self.drawn >= self.frames
    }

    /// Records the draws of the next frame.
    pub fn draw<C: Caller>(&mut self, caller: &mut C, renderer: &Renderer, draws: u32) -> Result<(), WorkloadError> {
        // In the second half of the scene the constants do not change.
        let frame = self.first_frame + self.drawn.min(self.frames / 2);
        for pipeline in &self.pipelines {
            renderer.draw(caller, pipeline, pipeline.constants(frame), draws)?;
        }
        self.drawn += 1;
        Ok(())
    }

    /// Releases the pipeline states, whose shaders may still be compiling.
    pub fn unload<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.pipelines.into_iter().try_for_each(|pipeline| pipeline.release(caller))
    }
}
