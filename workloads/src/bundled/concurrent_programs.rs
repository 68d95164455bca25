//! Several programs that present, executed by one thread in the order of simulated time.

use super::check_interrupted::check_interrupted;
use super::error::WorkloadError;
use super::presented_game::Game;
use super::refusal::required;
use taut_capture::Caller;

/// Program that works on a frame or waits for the return of Present1.
pub(super) struct Program {
    game: Game,
    is_presenting: bool,
    /// Simulated time of the program's next step.
    next_at_ns: u64,
}

impl Program {
    pub fn new<K: Caller>(caller: &mut K, mut game: Game) -> Result<Program, WorkloadError> {
        let next_at_ns = game.work(caller)?;
        Ok(Program { game, is_presenting: false, next_at_ns })
    }

    /// Executes the program's next step. Returns true if the step completes a Present1.
    fn step<K: Caller>(&mut self, caller: &mut K, now_ns: u64) -> Result<bool, WorkloadError> {
        self.game.now_ns = now_ns;
        if !self.is_presenting {
            required("Present1", self.game.present(caller))?;
            self.is_presenting = true;
        }
        if self.game.is_presented(caller)? {
            self.is_presenting = false;
            self.next_at_ns = self.game.work(caller)?;
            return Ok(true);
        }
        self.next_at_ns = self.game.advance(caller, now_ns)?;
        Ok(false)
    }
}

/// Programs in one simulation. The program with the earliest next step runs; the first program is the game.
pub(super) struct ConcurrentPrograms {
    pub programs: Vec<Program>,
    pub now_ns: u64,
}

impl ConcurrentPrograms {
    /// Creates the simulation at time 0, with the game as the only program.
    pub fn new<K: Caller>(caller: &mut K, game: Game) -> Result<ConcurrentPrograms, WorkloadError> {
        Ok(ConcurrentPrograms { programs: vec![Program::new(caller, game)?], now_ns: 0 })
    }

    /// Runs all programs until the game has presented this number of frames.
    pub fn play<K: Caller>(&mut self, caller: &mut K, frames: u64) -> Result<(), WorkloadError> {
        let mut remaining = frames;
        while remaining > 0 {
            check_interrupted(caller)?;
            // The index breaks ties, so that runs are reproducible.
            let next = self.programs.iter().enumerate().min_by_key(|(index, program)| (program.next_at_ns, *index));
            let Some((index, at_ns)) = next.map(|(index, program)| (index, program.next_at_ns)) else { return Ok(()) };
            let program = &mut self.programs[index];
            if at_ns > self.now_ns {
                program.game.advance(caller, at_ns)?;
                self.now_ns = at_ns;
            }
            if program.step(caller, self.now_ns)? && index == 0 {
                remaining -= 1;
                caller.step_done();
            }
        }
        Ok(())
    }

    /// Advances time until the last frames of all programs are displayed, and releases the programs.
    pub fn leave<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        for program in &mut self.programs {
            program.game.now_ns = self.now_ns;
            program.game.show_the_rest(caller)?;
            self.now_ns = program.game.now_ns;
        }
        self.programs.iter_mut().try_for_each(|program| program.game.release(caller))
    }
}
