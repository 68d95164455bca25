//! Which providers a recording takes right now: a word that its threads read at each call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use taut_schemas::ProviderSet;

/// A word on a cache line of its own: whoever writes beside it would cost every reader.
#[derive(Debug)]
#[repr(align(128))]
struct Word(AtomicU32);

/// The providers that a recording takes, which may change while it goes on.
#[derive(Debug, Clone)]
pub struct ProviderMask {
    word: Arc<Word>,
    /// What the header says.
    first: ProviderSet,
}

impl ProviderMask {
    pub(crate) fn new(first: ProviderSet) -> ProviderMask {
        ProviderMask { word: Arc::new(Word(AtomicU32::new(first.bits()))), first }
    }

    /// Those that the recording began with: what its header says.
    pub fn first(&self) -> ProviderSet {
        self.first
    }

    /// Those that are taken now: one relaxed load.
    #[inline]
    pub fn now(&self) -> ProviderSet {
        ProviderSet::of_bits(self.word.0.load(Ordering::Relaxed))
    }

    /// Takes these from now on. Who records says so in each stream before what it records next.
    pub fn set(&self, providers: ProviderSet) {
        self.word.0.store(providers.bits(), Ordering::Relaxed);
    }
}
