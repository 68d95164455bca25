//! Where each context's lock is: a table that only grows, read without a lock.

use super::{Padded, Stamped};
use crate::sync::Mutex;
use std::sync::{Arc, OnceLock};
use taut_runtime::ContextState;
use taut_schemas::{AdapterId, ObjectId};

/// Handles of one page.
const PAGE_HANDLES: u64 = 512;
/// Runs of pages, each as long as all before it and one: enough for every handle of an adapter.
const RUNS: usize = 40;

/// A context's lock, in memory of its own.
pub(super) type ContextLock = Padded<Mutex<Stamped<ContextState>>>;
type Page = Box<[OnceLock<Arc<ContextLock>>]>;
type Run = Box<[OnceLock<Page>]>;

/// Contexts by their handles, the immediate ones by their devices' as well. What stands in it stays: a context that is
/// released is an absent one.
pub(super) struct ContextTable {
    /// By adapter.
    adapters: Vec<[OnceLock<Run>; RUNS]>,
}

impl ContextTable {
    pub fn new(adapters: usize) -> ContextTable {
        let runs = || std::array::from_fn(|_| OnceLock::new());
        ContextTable { adapters: (0..adapters).map(|_| runs()).collect() }
    }

    /// The lock of the context to which a handle leads.
    pub fn get(&self, id: ObjectId) -> Option<&ContextLock> {
        let Place { adapter, run, page, handle } = Place::of(id);
        let page = self.adapters.get(adapter)?.get(run)?.get()?.get(page)?.get()?;
        page[handle].get().map(|lock| &**lock)
    }

    /// The locks to which handles lead, one for each handle.
    pub fn iter(&self) -> impl Iterator<Item = &ContextLock> {
        let runs = self.adapters.iter().flatten().filter_map(OnceLock::get);
        let pages = runs.flat_map(|run| run.iter().filter_map(OnceLock::get));
        pages.flat_map(|page| page.iter().filter_map(|lock| lock.get().map(|lock| &**lock)))
    }

    /// Puts a context where each of these handles leads; `stamp` is the last that was given on the way.
    pub fn insert(&self, names: &[ObjectId], context: ContextState, stamp: u64) {
        let lock = Arc::new(Padded(Mutex::new(Stamped { last_stamp: stamp, ..Stamped::new(context) })));
        for name in names {
            let Place { adapter, run, page, handle } = Place::of(*name);
            let Some(run_slot) = self.adapters.get(adapter).and_then(|runs| runs.get(run)) else { continue };
            let pages = run_slot.get_or_init(|| (0..1_usize << run).map(|_| OnceLock::new()).collect());
            let handles = pages[page].get_or_init(|| (0..PAGE_HANDLES).map(|_| OnceLock::new()).collect());
            // A handle is given out once.
            let _ = handles[handle].set(Arc::clone(&lock));
        }
    }
}

/// Where a handle stands.
struct Place {
    adapter: usize,
    run: usize,
    page: usize,
    handle: usize,
}

impl Place {
    fn of(id: ObjectId) -> Place {
        let (adapter, number) = AdapterId::split(id.0);
        let page = number / PAGE_HANDLES + 1;
        let run = page.ilog2();
        Place {
            adapter,
            run: run as usize,
            page: (page - (1 << run)) as usize,
            handle: (number % PAGE_HANDLES) as usize,
        }
    }
}
