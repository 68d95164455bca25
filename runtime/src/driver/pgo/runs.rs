//! What draws did, kept by worlds that share code: most draw the same.

use foldhash::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use taut_shaders::{Grid, Run, Word};

/// What code did over a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    pub executed: u64,
    pub output_hash: u64,
}

impl Ran {
    pub fn of(run: &Run) -> Ran {
        Ran { executed: run.executed, output_hash: run.output_hash() }
    }
}

/// By constants, over which grid, and what was done.
type Known = HashMap<Box<[Word]>, (Arc<Grid>, Ran)>;

/// The runs of one shader's code.
pub(super) struct Runs {
    /// Runs follow from constants and grid, of which a pipeline state has one for each number of lanes.
    known: Mutex<Known>,
    /// Constants that there is room for, here and with all who share it.
    room: Arc<AtomicUsize>,
}

impl Runs {
    pub fn with(room: &Arc<AtomicUsize>) -> Runs {
        Runs { known: Mutex::default(), room: Arc::clone(room) }
    }

    /// What a run did: that of before with these constants over this grid, or `run`.
    pub fn known_or(&self, constants: &[Word], grid: &Arc<Grid>, run: impl FnOnce() -> Option<Ran>) -> Option<Ran> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(constants).cloned();
        if let Some((of, ran)) = known
            && (Arc::ptr_eq(&of, grid) || of == *grid)
        {
            return Some(ran);
        }
        let ran = run()?;
        // A key's own bytes count as some constants.
        let takes = constants.len() + 16;
        let fits = |room: usize| room.checked_sub(takes);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok() {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(constants.into(), (Arc::clone(grid), ran));
        }
        Some(ran)
    }
}
