//! One thread of the game.

use super::Game;
use super::modes::Modes;
use super::scene::GameScene;
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::mode::{NULL, set_mode};
use crate::workloads::random::Random;
use crate::workloads::renderer::{Renderer, create_queue, release_queue};
use crate::workloads::rendezvous::Rendezvous;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Frames that the processor may be ahead of the graphics processor.
const FRAMES_AHEAD: u64 = 2;

/// One thread's part of the game.
pub(super) struct GameThread<'g> {
    game: &'g Game<'g>,
    thread: u32,
    random: Random,
    renderer: Renderer,
    modes: Modes,
    scene: Option<GameScene>,
}

impl<'g> GameThread<'g> {
    /// Creates what the thread draws with.
    pub fn new<C: Caller>(game: &'g Game<'g>, caller: &mut C, thread: u32) -> Result<GameThread<'g>, WorkloadError> {
        let random = Random::new(game.parameters.get("seed"), thread);
        let queue = if game.has_own_queue(thread) { create_queue(caller, game.device)? } else { game.queue };
        let renderer = Renderer::new(caller, game.device, queue)?;
        let modes = Modes::new(caller, game.device)?;
        Ok(GameThread { game, thread, random, renderer, modes, scene: None })
    }

    /// Draws all frames, or as many as there are until another thread gave up.
    pub fn play<C: Caller>(&mut self, caller: &mut C, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        for _ in 0..self.game.parameters.get("frames") {
            if rendezvous.is_given_up() {
                break;
            }
            self.frame(caller)?;
            // A frame ends with Present, where a thread gives way.
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
            && let Some(ahead) = shared.frame_of_another(&mut self.random, self.thread)
        {
            self.renderer.wait_on_queue(caller, ahead)?;
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

    /// The scene that is being drawn. When one is over, its pipeline states go as soon as no draw uses them.
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
        let extent = (parameters.get("pipelines"), parameters.count("scene"));
        GameScene::load(caller, *device, (materials, &mut self.random), extent)
    }

    /// Releases everything the thread has, right after a commit that nobody waits for.
    pub fn leave<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.renderer.wait_for(caller, 0)?;
        set_mode(caller, self.game.device, (Mode::ALLOWED, Action::COMMIT_RESULTS), NULL)?;
        if let Some(scene) = self.scene {
            scene.unload(caller)?;
        }
        self.modes.leave(caller)?;
        let queue = self.renderer.queue;
        self.renderer.release(caller)?;
        if queue == self.game.queue { Ok(()) } else { release_queue(caller, queue) }
    }
}
