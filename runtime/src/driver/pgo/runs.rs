//! Cache of draw results, shared by worlds that share code: most worlds draw the same.

use foldhash::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use taut_shaders::{Grid, Run, Word};

/// Result of a run over a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunResult {
    pub executed: u64,
    pub output_hash: u64,
}

impl RunResult {
    pub fn of(run: &Run) -> RunResult {
        RunResult { executed: run.executed, output_hash: run.output_hash() }
    }
}

/// Results by constants; the grid is compared when a result is found.
type Known = HashMap<Box<[Word]>, (Arc<Grid>, RunResult)>;

/// Cached runs of one shader's code.
pub(super) struct Runs {
    /// Results depend on constants and grid; a pipeline state has one grid per lane count.
    known: Mutex<Known>,
    /// Remaining capacity in constants, shared by all caches.
    room: Arc<AtomicUsize>,
}

impl Runs {
    pub fn with(room: &Arc<AtomicUsize>) -> Runs {
        Runs { known: Mutex::default(), room: Arc::clone(room) }
    }

    /// Returns the cached result for these constants and this grid, or the result of `run`.
    pub fn known_or(
        &self,
        constants: &[Word],
        grid: &Arc<Grid>,
        run: impl FnOnce() -> Option<RunResult>,
    ) -> Option<RunResult> {
        // The lock is released before the run, which may take long.
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(constants).cloned();
        if let Some((of, ran)) = known
            && (Arc::ptr_eq(&of, grid) || of == *grid)
        {
            return Some(ran);
        }
        let ran = run()?;
        // The fixed size of an entry counts as 16 constants.
        let takes = constants.len() + 16;
        let fits = |room: usize| room.checked_sub(takes);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok() {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(constants.into(), (Arc::clone(grid), ran));
        }
        Some(ran)
    }
}
