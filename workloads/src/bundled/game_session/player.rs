//! Thread of the game.

use super::game::Game;
use super::modes::Modes;
use super::scene::{GameScene, SceneSize};
use crate::bundled::WorkloadError;
use crate::bundled::mode::{NULL, set_mode};
use crate::bundled::random::Random;
use crate::bundled::renderer::{Renderer, create_queue, release_queue};
use crate::bundled::thread_barrier::ThreadBarrier;
use taut_capture::Caller;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Number of frames by which the CPU may be ahead of the GPU.
const FRAMES_AHEAD: u64 = 2;

/// State of one thread of the game.
pub(super) struct GameThread<'g> {
    game: &'g Game<'g>,
    thread: u32,
    random: Random,
    renderer: Renderer,
    modes: Modes,
    scene: Option<GameScene>,
}

impl<'g> GameThread<'g> {
    /// Creates the objects with which the thread draws.
    pub fn new<C: Caller>(game: &'g Game<'g>, caller: &mut C, thread: u32) -> Result<GameThread<'g>, WorkloadError> {
        let random = Random::new(game.parameters.get("seed"), thread);
        let queue = if game.has_own_queue(thread) { create_queue(caller, game.device)? } else { game.queue };
        let renderer = Renderer::new(caller, game.device, queue)?;
        let modes = Modes::new(caller, game.device)?;
        Ok(GameThread { game, thread, random, renderer, modes, scene: None })
    }

    /// Draws all frames, or until another thread fails.
    pub fn play<C: Caller>(&mut self, caller: &mut C, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        for _ in 0..self.game.parameters.get("frames") {
            if barrier.is_cancelled() {
                break;
            }
            self.frame(caller)?;
            // A frame ends with Present, which yields the processor.
            std::thread::yield_now();
        }
        Ok(())
    }

    fn frame<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let Game { parameters, device, shared, .. } = self.game;
        let mut scene = self.next_scene(caller)?;
        self.renderer.begin(caller)?;
        scene.draw(caller, &self.renderer, parameters.count("draws"))?;
        self.scene = Some(scene);
        if self.random.once_in(8)
            && let Some((fence, value)) = shared.frame_of_another(&mut self.random, self.thread)
        {
            self.renderer.wait_on_queue(caller, fence, value)?;
        }
        self.renderer.submit(caller)?;
        shared.submitted(self.thread, &self.renderer);
        self.renderer.wait_for(caller, FRAMES_AHEAD)?;
        if self.random.once_in(parameters.get("calm")) {
            self.modes.change(caller, &mut self.random)?;
        }
        self.modes.look(caller, &mut self.random)?;
        if self.random.below(100) < parameters.get("races") {
            shared.touch(caller, *device, &mut self.renderer, &mut self.random)?;
        }
        Ok(())
    }

    /// Returns the current scene. When a scene is over, its pipeline states are released once no draw uses them.
    fn next_scene<C: Caller>(&mut self, caller: &mut C) -> Result<GameScene, WorkloadError> {
        let Game { parameters, materials, device, .. } = self.game;
        match self.scene.take() {
            Some(scene) if !scene.is_over() => return Ok(scene),
            Some(over) => {
                self.renderer.wait_for(caller, 0)?;
                over.unload(caller)?;
            }
            None => {}
        }
        let size = SceneSize { pipelines: parameters.get("pipelines"), frames: parameters.count("scene") };
        GameScene::load(caller, *device, materials, &mut self.random, size)
    }

    /// Releases all objects of the thread, directly after a commit without a wait.
    pub fn leave<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.wait_for(caller, 0)?;
        set_mode(caller, self.game.device, Mode::ALLOWED, Action::COMMIT_RESULTS, NULL)?;
        if let Some(scene) = self.scene {
            scene.unload(caller)?;
        }
        self.modes.leave(caller)?;
        let queue = self.renderer.queue;
        self.renderer.release(caller)?;
        if queue == self.game.queue { Ok(()) } else { release_queue(caller, queue) }
    }
}
