//! Graphics kernel state of a session.

use super::presents::Presents;
use super::shared::SharedAllocations;
use serde::{Deserialize, Serialize};
use taut_schemas::{AdapterId, CrossAdapterTier, DriverCaps, DriverInitializationData};

/// Properties that a kernel-mode driver reported when its adapter started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KernelAdapter {
    pub functions: DriverInitializationData,
    /// Capabilities, without the bits that are reserved in the driver's WDDM version (rule C-02).
    pub caps: DriverCaps,
}

/// State of an adapter in the graphics kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum AdapterState {
    /// Never started: a session without a machine has no graphics kernel, and no call depends on it.
    #[default]
    Unknown,
    /// The start failed.
    Failed,
    /// Started.
    Started(KernelAdapter),
    /// Removed after a successful start.
    Stopped,
}

/// Graphics kernel state of a session, for any number of adapters.
#[derive(Debug)]
pub struct DisplayState {
    /// States by adapter index.
    pub(super) adapters: Vec<AdapterState>,
    pub(crate) presents: Presents,
    pub(crate) shared: SharedAllocations,
}

impl DisplayState {
    /// Creates the state of a machine whose adapters have not started.
    pub fn new(adapters: usize) -> DisplayState {
        DisplayState {
            adapters: vec![AdapterState::Unknown; adapters.max(1)],
            presents: Presents::new(adapters),
            shared: SharedAllocations::default(),
        }
    }

    /// True if no input changed the state so far.
    pub(crate) fn is_new(&self) -> bool {
        let DisplayState { adapters, presents, shared } = self;
        adapters.iter().all(|adapter| *adapter == AdapterState::Unknown) && presents.is_new() && shared.is_new()
    }

    /// True if the machine has this adapter.
    pub(crate) fn has(&self, adapter: AdapterId) -> bool {
        self.adapter(adapter).is_some()
    }

    fn adapter(&self, adapter: AdapterId) -> Option<&AdapterState> {
        // The null handle has the index of the first adapter, so it is excluded here.
        if adapter == AdapterId::NULL { None } else { self.adapters.get(adapter.index()) }
    }

    /// Properties of an adapter's kernel-mode driver, while the adapter is started.
    pub(crate) fn started(&self, adapter: AdapterId) -> Option<&KernelAdapter> {
        match self.adapter(adapter)? {
            AdapterState::Started(kernel) => Some(kernel),
            _ => None,
        }
    }

    /// True if the adapter's start failed or the adapter was removed.
    pub(crate) fn is_down(&self, adapter: AdapterId) -> bool {
        matches!(self.adapter(adapter), Some(AdapterState::Failed | AdapterState::Stopped))
    }

    /// All adapters of the machine.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = AdapterId> {
        (1..=self.adapters.len() as u64).map(AdapterId)
    }

    /// Number of adapters that are started.
    pub(crate) fn started_count(&self) -> u32 {
        self.adapters.iter().filter(|adapter| matches!(adapter, AdapterState::Started(_))).count() as u32
    }

    /// Stores the result of an adapter's start.
    pub(crate) fn set_started(&mut self, adapter: AdapterId, started: Option<KernelAdapter>) {
        if let Some(slot) = self.adapters.get_mut(adapter.index()) {
            *slot = started.map_or(AdapterState::Failed, AdapterState::Started);
        }
    }

    /// Marks an adapter as removed.
    pub(crate) fn set_stopped(&mut self, adapter: AdapterId) {
        if let Some(slot) = self.adapters.get_mut(adapter.index()) {
            *slot = AdapterState::Stopped;
        }
    }
}

impl KernelAdapter {
    /// The tier in D3DKMT_CROSSADAPTERRESOURCE_SUPPORT (rule C-03).
    pub fn tier(&self) -> CrossAdapterTier {
        self.caps.memory_management_caps.tier()
    }
}
