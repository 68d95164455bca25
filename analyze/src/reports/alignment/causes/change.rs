//! Changes that remove a cause of waste.

use super::Cause;
use crate::world::{Backing, Resource};
use taut_schemas::{ResourceDesc, ResourceFlags};

/// What a resource is created as: placed or committed, and with which description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Creation {
    pub placed: bool,
    pub desc: ResourceDesc,
}

impl Creation {
    /// That of a resource; none if it has no memory.
    pub fn of(resource: &Resource) -> Option<Creation> {
        match resource.backing {
            Backing::Placed { .. } => Some(Creation { placed: true, desc: resource.desc }),
            Backing::Committed { .. } => Some(Creation { placed: false, desc: resource.desc }),
            Backing::Reserved => None,
        }
    }
}

/// A change that an application can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// USE_TIGHT_ALIGNMENT, and no `Alignment` of their own.
    Tight,
    /// `Alignment` of 4 KiB.
    Alignment4Kib,
    /// `Alignment` of 64 KiB.
    Alignment64Kib,
    /// Placed instead of committed.
    Placed,
    /// Placed instead of committed, and USE_TIGHT_ALIGNMENT.
    PlacedTight,
    /// Several buffers as parts of one.
    OneBuffer,
    /// Resources of a heap in order of falling alignment.
    FallingAlignment,
    /// Resources of a heap moved together.
    MovedTogether,
    /// Heaps no larger than what is ever placed in them.
    FittedHeaps,
    /// Heaps that live only while something lies in them.
    NoEmptyHeaps,
}

impl Change {
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

    /// What to do, as a sentence without its end.
    pub fn what_to_do(self) -> &'static str {
        match self {
            Change::Tight => "Create them with USE_TIGHT_ALIGNMENT and no Alignment",
            Change::Alignment4Kib => "Create them with an Alignment of 4 KiB",
            Change::Alignment64Kib => "Create them with an Alignment of 64 KiB",
            Change::Placed => "Place them in heaps with others",
            Change::PlacedTight => "Place them in heaps with others, with USE_TIGHT_ALIGNMENT",
            Change::OneBuffer => "Make those of one heap type and flags parts of one buffer, at multiples of 256 B",
            Change::FallingAlignment => "Place the resources of a heap in order of falling alignment",
            Change::MovedTogether => "Move the resources of a heap together",
            Change::FittedHeaps => "Make heaps no larger than what is ever placed in them, in steps of 64 KiB",
            Change::NoEmptyHeaps => "Keep heaps only while something lies in them",
        }
    }

    /// The changes that may remove a cause of resources, those first that ask for least.
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

    /// A resource as it is to be created; none if the change is none of descriptions, or has been made.
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
