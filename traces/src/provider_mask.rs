//! What a recording wants of its threads right now: words that they read at each call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use taut_schemas::ProviderSet;

/// Words on a line of the cache of their own: whoever writes beside them would cost every reader.
#[derive(Debug)]
#[repr(align(128))]
struct Words {
    providers: AtomicU32,
    /// How often threads were asked to hand over what they have.
    handovers: AtomicU32,
}

/// The providers that a recording takes, which may change while it goes on.
#[derive(Debug, Clone)]
pub struct ProviderMask {
    words: Arc<Words>,
    /// What the header says.
    first: ProviderSet,
}

impl ProviderMask {
    pub(crate) fn new(first: ProviderSet) -> ProviderMask {
        let words = Words { providers: AtomicU32::new(first.bits()), handovers: AtomicU32::new(0) };
        ProviderMask { words: Arc::new(words), first }
    }

    /// Those that the recording began with: what its header says.
    pub fn first(&self) -> ProviderSet {
        self.first
    }

    /// Those that are taken now: one relaxed load.
    #[inline]
    pub fn now(&self) -> ProviderSet {
        ProviderSet::of_bits(self.words.providers.load(Ordering::Relaxed))
    }

    /// Takes these from now on. Who records says so in each stream before what it records next.
    pub fn set(&self, providers: ProviderSet) {
        self.words.providers.store(providers.bits(), Ordering::Relaxed);
    }

    /// Changes those that are taken.
    pub(crate) fn change(&self, to: impl Fn(ProviderSet) -> ProviderSet) -> ProviderSet {
        let changed = |bits| Some(to(ProviderSet::of_bits(bits)).bits());
        let _ = self.words.providers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
        self.now()
    }

    /// How often threads were asked to hand over what they have.
    #[inline]
    pub(crate) fn handovers(&self) -> u32 {
        self.words.handovers.load(Ordering::Relaxed)
    }

    /// Asks threads to hand over what they have, each before its next call.
    pub(crate) fn ask_for_handover(&self) {
        self.words.handovers.fetch_add(1, Ordering::Relaxed);
    }
}
