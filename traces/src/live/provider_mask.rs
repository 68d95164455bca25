//! Provider mask and handover counter of a recording, which its threads read at each call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use taut_schemas::ProviderSet;

/// Atomics on cache lines of their own: a write to adjacent data would invalidate the line for every reader.
#[derive(Debug)]
#[repr(align(128))]
struct Words {
    providers: AtomicU32,
    /// Number of handover requests so far.
    handovers: AtomicU32,
}

/// Set of providers that are recorded, which may change during the recording.
#[derive(Debug, Clone)]
pub struct ProviderMask {
    words: Arc<Words>,
    /// Providers at the begin of the recording.
    first: ProviderSet,
}

impl ProviderMask {
    pub(crate) fn new(first: ProviderSet) -> ProviderMask {
        let words = Words { providers: AtomicU32::new(first.bits()), handovers: AtomicU32::new(0) };
        ProviderMask { words: Arc::new(words), first }
    }

    /// Providers at the begin of the recording, as in its header.
    pub fn first(&self) -> ProviderSet {
        self.first
    }

    /// Providers recorded now; one relaxed load.
    #[inline]
    pub fn now(&self) -> ProviderSet {
        ProviderSet::from_bits(self.words.providers.load(Ordering::Relaxed))
    }

    /// Sets the providers recorded from now on. The recorder marks the change in each stream before its next record.
    pub fn set(&self, providers: ProviderSet) {
        self.words.providers.store(providers.bits(), Ordering::Relaxed);
    }

    /// Changes the recorded providers atomically; returns the new set.
    pub(crate) fn change(&self, to: impl Fn(ProviderSet) -> ProviderSet) -> ProviderSet {
        let changed = |bits| Some(to(ProviderSet::from_bits(bits)).bits());
        let _ = self.words.providers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
        self.now()
    }

    /// Number of handover requests so far.
    #[inline]
    pub(crate) fn handovers(&self) -> u32 {
        self.words.handovers.load(Ordering::Relaxed)
    }

    /// Requests that all threads hand over their records, each before its next call.
    pub(crate) fn request_handover(&self) {
        self.words.handovers.fetch_add(1, Ordering::Relaxed);
    }
}
