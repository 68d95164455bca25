//! A scene: pipeline states, and constants that drift and then settle.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::pipeline::Pipeline;
use crate::workloads::random::Random;
use crate::workloads::renderer::Renderer;
use std::sync::Arc;
use taut_schemas::DeviceId;
use taut_shaders::Material;

/// Scenes begin with constants of one of so many frames.
const FIRST_FRAMES: u64 = 1 << 16;

/// A scene that is being drawn.
pub(super) struct GameScene {
    pipelines: Vec<Pipeline>,
    /// The frame whose constants it begins with.
    first_frame: u32,
    /// Frames drawn of it.
    drawn: u32,
    /// Frames of it in all.
    frames: u32,
}

impl GameScene {
    /// Creates the pipeline states of a scene of so many frames.
    pub fn load<C: Caller>(
        caller: &mut C,
        device: DeviceId,
        (materials, random): (&[Arc<Material>], &mut Random),
        (pipelines, frames): (u64, u32),
    ) -> Result<GameScene, WorkloadError> {
        let first = random.below(materials.len() as u64);
        let chosen = materials.iter().cycle().skip(first as usize).take(pipelines as usize);
        let created: Result<Vec<_>, _> =
            chosen.map(|material| Pipeline::new(caller, device, material, random.once_in(3))).collect();
        let first_frame = random.below(FIRST_FRAMES) as u32;
        Ok(GameScene { pipelines: created?, first_frame, drawn: 0, frames })
    }

    /// All its frames are drawn.
    pub fn is_over(&self) -> bool {
        self.drawn >= self.frames
    }

    /// Records the draws of its next frame.
    pub fn draw<C: Caller>(&mut self, caller: &mut C, renderer: &Renderer, draws: u32) -> Result<(), WorkloadError> {
        // In the second half, everything stands still.
        let frame = self.first_frame + self.drawn.min(self.frames / 2);
        for pipeline in &self.pipelines {
            renderer.draw(caller, pipeline, pipeline.constants(frame), draws)?;
        }
        self.drawn += 1;
        Ok(())
    }

    /// Releases its pipeline states, for which shaders may be under compilation.
    pub fn unload<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.pipelines.into_iter().try_for_each(|pipeline| pipeline.release(caller))
    }
}
