//! Thread of the world.

use super::level::StreamedLevel;
use super::shared_handles::SharedHandles;
use super::textures::Textures;
use super::transients::StreamingTransients;
use crate::bundled::allocator::Allocator;
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::{Parameters, WorkloadError};
use std::collections::VecDeque;
use taut_capture::Caller;
use taut_schemas::d3d12;

/// Number of frames between two replacements of a level.
const LEVEL_FRAMES: u64 = 64;

/// State of one thread of the world.
pub(super) struct WorldThread<'w> {
    allocator: &'w Allocator,
    shared: &'w SharedHandles,
    parameters: &'w Parameters,
    thread: u32,
    random: Random,
    transients: Option<StreamingTransients>,
    textures: Option<Textures>,
    /// Loaded levels, oldest first.
    levels: VecDeque<StreamedLevel>,
    levels_loaded: u64,
}

impl<'w> WorldThread<'w> {
    /// Creates a thread without objects.
    pub(super) fn new(
        allocator: &'w Allocator,
        shared: &'w SharedHandles,
        parameters: &'w Parameters,
        thread: u32,
    ) -> WorldThread<'w> {
        let random = Random::new(parameters.get("seed"), thread);
        let (transients, textures, levels, levels_loaded) = (None, None, VecDeque::new(), 0);
        WorldThread { allocator, shared, parameters, thread, random, transients, textures, levels, levels_loaded }
    }

    /// Plays all frames, or until another thread fails.
    pub(super) fn play<C: Caller>(&mut self, caller: &mut C, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let (allocator, parameters, thread) = (self.allocator, self.parameters, self.thread);
        self.transients = Some(StreamingTransients::new(allocator, caller, parameters.get("transients"), thread)?);
        self.textures = Some(Textures::new(allocator, caller, &mut self.random, parameters.get("scale"), thread)?);
        for _ in 0..parameters.get("levels") {
            self.load(caller)?;
        }
        for frame in 0..parameters.get("frames") {
            if barrier.is_cancelled() {
                break;
            }
            check_interrupted(caller)?;
            self.frame(caller, frame)?;
            caller.step_done();
            // A frame ends with Present, which yields the processor.
            std::thread::yield_now();
        }
        Ok(())
    }

    fn frame<C: Caller>(&mut self, caller: &mut C, frame: u64) -> Result<(), WorkloadError> {
        // The offset spreads the threads' replacements over different frames.
        if (frame + u64::from(self.thread) * 7) % LEVEL_FRAMES == LEVEL_FRAMES - 1 {
            if let Some(level) = self.levels.pop_front() {
                level.unload(self.allocator, caller, self.random.once_in(4))?;
            }
            self.load(caller)?;
        }
        if let Some(transients) = &mut self.transients {
            transients.frame(self.allocator, caller, &mut self.random, frame)?;
        }
        if self.random.once_in(2)
            && let Some(textures) = &mut self.textures
        {
            textures.stream(self.allocator, caller, &mut self.random)?;
        }
        self.query_descriptions(caller)?;
        if self.random.below(100) < self.parameters.get("races") {
            self.shared.touch(self.allocator, caller, &mut self.random, frame)?;
        }
        Ok(())
    }

    fn load<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let name = format!("thread {} level {}", self.thread, self.levels_loaded);
        self.levels_loaded += 1;
        let scale = self.parameters.get("scale");
        self.levels.push_back(StreamedLevel::load(self.allocator, caller, &mut self.random, scale, &name)?);
        Ok(())
    }

    /// Sometimes queries descriptions of existing objects.
    fn query_descriptions<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        if self.random.once_in(4) {
            let level = self.random.below(self.levels.len() as u64) as usize;
            if let Some(resource) = self.levels.get(level).and_then(|level| level.any(&mut self.random)) {
                required("GetDesc", caller.call(d3d12::GetDesc { resource }))?;
            }
        }
        let Some(textures) = &self.textures else { return Ok(()) };
        if self.random.once_in(8)
            && let Some(resource) = textures.any(&mut self.random)
        {
            required("GetDesc", caller.call(d3d12::GetDesc { resource }))?;
        }
        if self.random.once_in(32) {
            required("GetHeapDesc", caller.call(d3d12::GetHeapDesc { heap: textures.heap() }))?;
        }
        Ok(())
    }

    /// Releases all objects of the thread.
    pub(super) fn leave<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(level) = self.levels.pop_front() {
            level.unload(self.allocator, caller, false)?;
        }
        if let Some(mut textures) = self.textures.take() {
            textures.leave(self.allocator, caller)?;
        }
        match self.transients.take() {
            Some(mut transients) => transients.leave(self.allocator, caller),
            None => Ok(()),
        }
    }
}
