//! Finished lists that wait for somebody to execute them.

use crate::caller::Caller;
use crate::workloads::random::Random;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::D3d11CommandListId;

/// Lists, each with the stamp after which it was there. Whoever takes one has it alone.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<Vec<(D3d11CommandListId, u64)>>);

impl Shelf {
    fn lists(&self) -> MutexGuard<'_, Vec<(D3d11CommandListId, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a list there.
    pub fn put<C: Caller>(&self, caller: &C, list: D3d11CommandListId) {
        self.lists().push((list, caller.last_stamp()));
    }

    /// Takes any list, if there is one. What the caller does next comes after what its owner did.
    pub fn take<C: Caller>(&self, caller: &mut C, random: &mut Random) -> Option<D3d11CommandListId> {
        let mut lists = self.lists();
        let which = random.below(lists.len() as u64) as usize;
        let (list, stamp) = (which < lists.len()).then(|| lists.swap_remove(which))?;
        drop(lists);
        caller.observe(stamp);
        Some(list)
    }
}
