//! Spaces of ids, and the two ids that every field knows: objects and adapters.

use serde::{Deserialize, Serialize};

/// The space of an id. Ids of two spaces may have the same number and mean different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdSpace {
    /// Objects of an application, of all kinds, per adapter in order of creation. Replay and comparison match them.
    Object,
    /// Adapters, from 1, and their singleton devices: the same in every run.
    Adapter,
    /// Events of the operating system, in order of creation.
    Event,
    /// Work items that drivers queued, per adapter in order of acceptance.
    Task,
    /// Commits of background processing, per adapter in order.
    Commit,
    /// Specialised shaders of a pipeline state, in the driver's own numbering.
    Variant,
    /// Swap chains, in order of creation.
    SwapChain,
}

impl IdSpace {
    /// Every space.
    pub const ALL: [IdSpace; 7] = [
        IdSpace::Object,
        IdSpace::Adapter,
        IdSpace::Event,
        IdSpace::Task,
        IdSpace::Commit,
        IdSpace::Variant,
        IdSpace::SwapChain,
    ];

    /// The space's name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            IdSpace::Object => "object",
            IdSpace::Adapter => "adapter",
            IdSpace::Event => "event",
            IdSpace::Task => "task",
            IdSpace::Commit => "commit",
            IdSpace::Variant => "variant",
            IdSpace::SwapChain => "swap_chain",
        }
    }

    /// Finds the space of this name.
    pub fn named(name: &str) -> Option<IdSpace> {
        Self::ALL.into_iter().find(|space| space.name() == name)
    }

    /// True if numbers follow the order of creation, so that two runs may assign one object two numbers.
    pub fn differs_by_run(self) -> bool {
        !matches!(self, IdSpace::Adapter | IdSpace::Variant)
    }
}

/// Any object: a heap, a resource, a fence, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ObjectId(pub u64);

/// An `IDXGIAdapter`. Null stands for the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct AdapterId(pub u64);
