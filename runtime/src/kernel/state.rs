//! What the graphics kernel keeps for a session.

use super::presents::Presents;
use super::shared::SharedAllocations;
use serde::{Deserialize, Serialize};
use taut_schemas::{AdapterId, CrossAdapterTier, DriverCaps, DriverInitializationData};

/// What a kernel-mode driver said when its adapter was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KernelAdapter {
    pub functions: DriverInitializationData,
    /// Without the bits that its version of the driver model does not have (rule C-02).
    pub caps: DriverCaps,
}

/// How an adapter stands to the graphics kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Adapter {
    /// Nothing was said of it: a session without a machine has no graphics kernel, and nothing depends on one.
    #[default]
    Unknown,
    /// It was found, and its start failed.
    Failed,
    /// It works.
    Started(KernelAdapter),
    /// It was there, and is gone.
    Stopped,
}

/// What the graphics kernel keeps for a session, whatever adapters it has.
#[derive(Debug)]
pub struct DisplayState {
    /// By the adapters' places.
    pub(super) adapters: Vec<Adapter>,
    pub(crate) presents: Presents,
    pub(crate) shared: SharedAllocations,
}

impl DisplayState {
    /// A machine with so many adapters, none of which has started.
    pub fn new(adapters: usize) -> DisplayState {
        DisplayState {
            adapters: vec![Adapter::Unknown; adapters.max(1)],
            presents: Presents::new(adapters),
            shared: SharedAllocations::default(),
        }
    }

    /// Nothing was said to the graphics kernel.
    pub(crate) fn is_new(&self) -> bool {
        let DisplayState { adapters, presents, shared } = self;
        adapters.iter().all(|adapter| *adapter == Adapter::Unknown) && presents.is_new() && shared.is_new()
    }

    /// The machine has such an adapter.
    pub(crate) fn has(&self, adapter: AdapterId) -> bool {
        self.adapter(adapter).is_some()
    }

    fn adapter(&self, adapter: AdapterId) -> Option<&Adapter> {
        // The null handle, and no other, is below every place.
        if adapter == AdapterId::NULL { None } else { self.adapters.get(adapter.index()) }
    }

    /// What an adapter's kernel-mode driver said, while it is started.
    pub(crate) fn started(&self, adapter: AdapterId) -> Option<&KernelAdapter> {
        match self.adapter(adapter)? {
            Adapter::Started(kernel) => Some(kernel),
            _ => None,
        }
    }

    /// Something was said of this adapter, and it does not work.
    pub(crate) fn is_down(&self, adapter: AdapterId) -> bool {
        matches!(self.adapter(adapter), Some(Adapter::Failed | Adapter::Stopped))
    }

    /// Every adapter of the machine.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = AdapterId> {
        (1..=self.adapters.len() as u64).map(AdapterId)
    }

    /// Adapters that are started.
    pub(crate) fn started_count(&self) -> u32 {
        self.adapters.iter().filter(|adapter| matches!(adapter, Adapter::Started(_))).count() as u32
    }

    /// An adapter's start came to this.
    pub(crate) fn set_started(&mut self, adapter: AdapterId, started: Option<KernelAdapter>) {
        if let Some(slot) = self.adapters.get_mut(adapter.index()) {
            *slot = started.map_or(Adapter::Failed, Adapter::Started);
        }
    }

    /// An adapter is gone.
    pub(crate) fn set_stopped(&mut self, adapter: AdapterId) {
        if let Some(slot) = self.adapters.get_mut(adapter.index()) {
            *slot = Adapter::Stopped;
        }
    }
}

impl KernelAdapter {
    /// What D3DKMT_CROSSADAPTERRESOURCE_SUPPORT says (rule C-03).
    pub fn tier(&self) -> CrossAdapterTier {
        self.caps.memory_management_caps.tier()
    }
}
