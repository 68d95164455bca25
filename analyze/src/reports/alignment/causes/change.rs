//! Changes that remove a cause of waste.

use super::Cause;
use crate::memory::{Backing, Resource};
use taut_schemas::{ResourceDesc, ResourceFlags};

/// Creation parameters of a resource: kind and description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Creation {
    pub placed: bool,
    pub desc: ResourceDesc,
}

impl Creation {
    /// The parameters of a resource; `None` if it has no memory.
    pub fn of(resource: &Resource) -> Option<Creation> {
        match resource.backing {
            Backing::Placed { .. } => Some(Creation { placed: true, desc: resource.desc }),
            Backing::Committed { .. } => Some(Creation { placed: false, desc: resource.desc }),
            Backing::Reserved | Backing::Unknown => None,
        }
    }
}

/// A change that an application can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Use USE_TIGHT_ALIGNMENT without an explicit `Alignment`.
    Tight,
    /// Use an `Alignment` of 4 KiB.
    Alignment4Kib,
    /// Use an `Alignment` of 64 KiB.
    Alignment64Kib,
    /// Create as a placed instead of a committed resource.
    Placed,
    /// Create as a placed instead of a committed resource, with USE_TIGHT_ALIGNMENT.
    PlacedTight,
    /// Join several buffers into one.
    OneBuffer,
    /// Place the resources of a heap in descending order of alignment.
    FallingAlignment,
    /// Compact the resources of a heap.
    MovedTogether,
    /// Reduce heaps to the maximum extent of the resources placed in them.
    FittedHeaps,
    /// Destroy heaps while they are empty.
    NoEmptyHeaps,
}

impl Change {
    const ALL: [Change; 10] = [
        Change::Tight,
        Change::Alignment4Kib,
        Change::Alignment64Kib,
        Change::Placed,
        Change::PlacedTight,
        Change::OneBuffer,
        Change::FallingAlignment,
        Change::MovedTogether,
        Change::FittedHeaps,
        Change::NoEmptyHeaps,
    ];

    /// The change with this name in JSON.
    pub fn named(name: &str) -> Option<Change> {
        Change::ALL.into_iter().find(|change| change.name() == name)
    }

    /// Short form as the subject of a sentence, which "saves" can follow.
    pub fn in_brief(self) -> &'static str {
        match self {
            Change::Tight => "USE_TIGHT_ALIGNMENT",
            Change::Alignment4Kib => "an Alignment of 4 KiB",
            Change::Alignment64Kib => "an Alignment of 64 KiB",
            Change::Placed => "placement in shared heaps",
            Change::PlacedTight => "placement in shared heaps with USE_TIGHT_ALIGNMENT",
            Change::OneBuffer => "joining them into larger buffers",
            Change::FallingAlignment => "placement in order of decreasing alignment",
            Change::MovedTogether => "compaction of the resources in each heap",
            Change::FittedHeaps => "shrinking heaps to their resources",
            Change::NoEmptyHeaps => "destroying empty heaps",
        }
    }

    /// Name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Change::Tight => "tight",
            Change::Alignment4Kib => "alignment_4_kib",
            Change::Alignment64Kib => "alignment_64_kib",
            Change::Placed => "placed",
            Change::PlacedTight => "placed_tight",
            Change::OneBuffer => "one_buffer",
            Change::FallingAlignment => "falling_alignment",
            Change::MovedTogether => "moved_together",
            Change::FittedHeaps => "fitted_heaps",
            Change::NoEmptyHeaps => "no_empty_heaps",
        }
    }

    /// Recommendation as a sentence without a full stop.
    pub fn recommendation(self) -> &'static str {
        match self {
            Change::Tight => "Create the resources with USE_TIGHT_ALIGNMENT and Alignment 0",
            Change::Alignment4Kib => "Create the resources with an Alignment of 4 KiB",
            Change::Alignment64Kib => "Create the resources with an Alignment of 64 KiB",
            Change::Placed => "Place the resources in shared heaps",
            Change::PlacedTight => "Place the resources in shared heaps, with USE_TIGHT_ALIGNMENT",
            Change::OneBuffer => "Join buffers with equal heap type and flags into one buffer, at multiples of 256 B",
            Change::FallingAlignment => "Place the resources of each heap in order of decreasing alignment",
            Change::MovedTogether => "Compact the resources of each heap",
            Change::FittedHeaps => "Shrink each heap to the extent that its resources use, in steps of 64 KiB",
            Change::NoEmptyHeaps => "Destroy heaps while they are empty",
        }
    }

    /// Changes of resource descriptions that may remove a cause, ordered by effort.
    pub(super) fn candidates(cause: Cause) -> &'static [Change] {
        match cause {
            Cause::BuffersBelow256B | Cause::BuffersBelow4Kib | Cause::BuffersBelow64Kib | Cause::LargerBuffers => {
                &[Change::Tight, Change::PlacedTight, Change::OneBuffer]
            }
            Cause::CrossAdapterBuffers => &[Change::OneBuffer],
            Cause::MsaaTextures => &[Change::Tight, Change::Alignment64Kib, Change::PlacedTight],
            Cause::SmallTextures | Cause::TexturesBelowTheirTiles | Cause::TextureLayout => {
                &[Change::Tight, Change::Alignment4Kib, Change::PlacedTight]
            }
            Cause::CommittedGranularity => &[Change::Placed, Change::PlacedTight],
            Cause::OrderInHeaps | Cause::OtherPadding | Cause::Holes | Cause::Tails | Cause::EmptyHeaps => &[],
        }
    }

    /// Creation parameters after the change; `None` if the change does not concern descriptions or has no effect.
    pub(super) fn apply(self, Creation { placed, desc }: Creation) -> Option<Creation> {
        let tight = ResourceDesc { flags: desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT, alignment_bytes: 0, ..desc };
        let of = |placed, desc| Some(Creation { placed, desc });
        let changed = match self {
            Change::Tight => of(placed, tight),
            Change::Alignment4Kib => of(placed, ResourceDesc { alignment_bytes: 4 << 10, ..desc }),
            Change::Alignment64Kib => of(placed, ResourceDesc { alignment_bytes: 64 << 10, ..desc }),
            Change::Placed => of(true, desc),
            Change::PlacedTight => of(true, tight),
            Change::OneBuffer
            | Change::FallingAlignment
            | Change::MovedTogether
            | Change::FittedHeaps
            | Change::NoEmptyHeaps => None,
        };
        changed.filter(|changed| *changed != Creation { placed, desc })
    }
}
