//! Execution of a batch on the simulated GPU.

use super::batch::Batch;
use super::saved::save_batch;
use std::hint::black_box;
use taut_schemas::{DrawRun, GpuWork, RunCode};

impl GpuWork for Batch {
    fn run(&self) -> Vec<DrawRun> {
        assert!(!self.panics, "the driver's draws panic");
        self.draws.iter().map(|draw| draw.run(self.constants.get(draw.constants.clone()).unwrap_or_default())).collect()
    }

    fn codes(&self, draw: usize) -> Vec<RunCode> {
        let draw = self.draws.get(draw).filter(|draw| draw.runs.is_some());
        draw.map_or_else(Vec::new, |draw| {
            let variant = draw.variant.is_some().then_some(RunCode::VARIANT);
            let counting = draw.counts.then_some(RunCode::INSTRUMENTED);
            [Some(RunCode::GENERIC), variant, counting].into_iter().flatten().collect()
        })
    }

    fn repeat(&self, draw: usize, code: RunCode) {
        let Some(draw) = self.draws.get(draw) else { return };
        let Some((generic, grid)) = &draw.runs else { return };
        let serves = draw.variant.as_ref().map_or(generic, |(_, code)| code);
        let constants = self.constants.get(draw.constants.clone()).unwrap_or_default();
        match code {
            // Results are unused, only the time counts: `black_box` keeps the runs from being optimised away.
            RunCode::INSTRUMENTED => drop(black_box(serves.run_counting(constants, grid))),
            RunCode::VARIANT => drop(black_box(serves.run(constants, grid))),
            _ => drop(black_box(generic.run(constants, grid))),
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        save_batch(self)
    }
}
