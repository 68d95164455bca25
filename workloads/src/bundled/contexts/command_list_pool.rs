//! Pool of finished command lists that have not been executed yet.

use crate::bundled::random::Random;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::Caller;
use taut_schemas::D3d11CommandListId;

/// Command lists, each with the stamp after which it existed. A list that is taken has a single user.
#[derive(Debug, Default)]
pub(super) struct CommandListPool(Mutex<Vec<(D3d11CommandListId, u64)>>);

impl CommandListPool {
    fn lists(&self) -> MutexGuard<'_, Vec<(D3d11CommandListId, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a list.
    pub fn put<C: Caller>(&self, caller: &C, list: D3d11CommandListId) {
        self.lists().push((list, caller.last_stamp()));
    }

    /// Takes a random list, if there is one, and orders the caller's later events after the events of the thread that
    /// added it.
    pub fn take<C: Caller>(&self, caller: &mut C, random: &mut Random) -> Option<D3d11CommandListId> {
        let mut lists = self.lists();
        let which = random.below(lists.len() as u64) as usize;
        let (list, stamp) = (which < lists.len()).then(|| lists.swap_remove(which))?;
        drop(lists);
        caller.observe(stamp);
        Some(list)
    }
}
