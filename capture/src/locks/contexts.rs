//! Table of the locks of all contexts. Entries are never removed, so the table is read without a lock.

use super::{Padded, Stamped};
use crate::sync::Mutex;
use std::sync::{Arc, OnceLock};
use taut_runtime::ContextState;
use taut_schemas::{AdapterId, ObjectId};

/// Number of ids per page.
const PAGE_IDS: u64 = 512;
/// Number of runs of pages. Run `n` has 2^n pages, so 40 runs cover every object id of an adapter (48 bits).
const RUNS: usize = 40;

/// Lock of a context, in cache lines of its own.
pub(super) type ContextLock = Padded<Mutex<Stamped<ContextState>>>;
type Page = Box<[OnceLock<Arc<ContextLock>>]>;
type Run = Box<[OnceLock<Page>]>;

/// Locks of contexts by id; of an immediate context also by its device's id. The entry of a released context remains,
/// with the state of a context that does not exist.
pub(super) struct ContextTable {
    /// Runs of pages, by adapter.
    adapters: Vec<[OnceLock<Run>; RUNS]>,
}

impl ContextTable {
    pub fn new(adapters: usize) -> ContextTable {
        let runs = || std::array::from_fn(|_| OnceLock::new());
        ContextTable { adapters: (0..adapters).map(|_| runs()).collect() }
    }

    /// Returns the lock of the context with this id.
    pub fn get(&self, id: ObjectId) -> Option<&ContextLock> {
        let TableIndex { adapter, run, page, slot } = TableIndex::from_id(id);
        let page = self.adapters.get(adapter)?.get(run)?.get()?.get(page)?.get()?;
        page[slot].get().map(|lock| &**lock)
    }

    /// Iterates over the locks of all ids; the lock of an immediate context occurs twice.
    pub fn iter(&self) -> impl Iterator<Item = &ContextLock> {
        let runs = self.adapters.iter().flatten().filter_map(OnceLock::get);
        let pages = runs.flat_map(|run| run.iter().filter_map(OnceLock::get));
        pages.flat_map(|page| page.iter().filter_map(|lock| lock.get().map(|lock| &**lock)))
    }

    /// Inserts a context under each of these ids; `stamp` is the last stamp of the creating call.
    pub fn insert(&self, ids: &[ObjectId], context: ContextState, stamp: u64) {
        let lock = Arc::new(Padded(Mutex::new(Stamped { last_stamp: stamp, ..Stamped::new(context) })));
        for id in ids {
            let TableIndex { adapter, run, page, slot } = TableIndex::from_id(*id);
            let Some(run_slot) = self.adapters.get(adapter).and_then(|runs| runs.get(run)) else { continue };
            let pages = run_slot.get_or_init(|| (0..1_usize << run).map(|_| OnceLock::new()).collect());
            let slots = pages[page].get_or_init(|| (0..PAGE_IDS).map(|_| OnceLock::new()).collect());
            // An id is assigned once, so the slot is empty.
            let _ = slots[slot].set(Arc::clone(&lock));
        }
    }
}

/// Position of an id in the table.
struct TableIndex {
    adapter: usize,
    run: usize,
    /// Index of the page in its run.
    page: usize,
    /// Index of the id's slot in its page.
    slot: usize,
}

impl TableIndex {
    fn from_id(id: ObjectId) -> TableIndex {
        let (adapter, number) = AdapterId::split(id.0);
        // Counted from 1, so that the run is the position of the highest set bit.
        let page = number / PAGE_IDS + 1;
        let run = page.ilog2();
        TableIndex {
            adapter,
            run: run as usize,
            page: (page - (1 << run)) as usize,
            slot: (number % PAGE_IDS) as usize,
        }
    }
}
