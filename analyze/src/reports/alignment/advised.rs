//! What a resource would take if its description were another, by the answer of the driver model and rules at hand.

use crate::world::{Backing, Resource};
use serde::Serialize;
use taut_schemas::{AdapterId, Field, ResourceDesc, ResourceFlags, ResourceSizes};

/// The alignments that a small resource may ask for (checklist A-01): whether it may is the runtime's to say.
const SMALL_ALIGNMENTS_BYTES: [u64; 2] = [4 << 10, 64 << 10];

/// What a resource is to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdvisedKind {
    /// Placed in a heap.
    Placed,
    /// With a heap of its own.
    Committed,
}

/// A description that is accepted, and takes less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Advised {
    /// What the resource is to become.
    pub kind: AdvisedKind,
    /// Alignment of the description.
    #[serde(rename = "alignment")]
    pub alignment_bytes: u64,
    /// Flags of the description; all else of it stays.
    #[serde(serialize_with = "as_number")]
    pub flags: ResourceFlags,
    /// What such a resource takes.
    pub size_bytes: u64,
    /// How much less that is than what this one takes.
    pub saving_bytes: u64,
    /// The same over all that are alike.
    pub saving_alike_bytes: u64,
}

fn as_number<S: serde::Serializer>(flags: &ResourceFlags, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(flags.0)
}

impl Advised {
    /// The best that another description does for a resource; `alike` is how many like it there are and what they take
    /// together. None if nothing takes less.
    ///
    /// Of two changes the one that changes less is told unless the other saves an eighth more: a committed resource stays
    /// committed for a few bytes.
    pub(super) fn of(
        resource: &Resource,
        (alike, taken_alike_bytes): (u64, u128),
        sizes: &dyn ResourceSizes,
    ) -> Option<Advised> {
        resource.allocation?;
        let taken_bytes = resource.taken_bytes();
        let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
        let advised = candidates(resource).into_iter().filter_map(|(kind, desc)| {
            let answer = match kind {
                AdvisedKind::Placed => sizes.placed(adapter, &desc),
                AdvisedKind::Committed => sizes.committed(adapter, &desc),
            };
            let size_bytes = answer?.size_bytes;
            let saving_bytes = taken_bytes.checked_sub(size_bytes).filter(|saving| *saving > 0)?;
            let saving_alike_bytes = taken_alike_bytes.saturating_sub(u128::from(alike) * u128::from(size_bytes));
            Some(Advised {
                kind,
                alignment_bytes: desc.alignment_bytes,
                flags: desc.flags,
                size_bytes,
                saving_bytes,
                saving_alike_bytes: super::figures::narrow(saving_alike_bytes),
            })
        });
        let clearly_better =
            |best: &Advised, other: &Advised| u128::from(other.saving_bytes) * 8 > u128::from(best.saving_bytes) * 9;
        advised.reduce(|best, other| if clearly_better(&best, &other) { other } else { best })
    }

    /// It is the tight flag that is to be added.
    pub(super) fn adds_tight(&self, resource: &Resource) -> bool {
        self.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) && !resource.is_tight()
    }
}

/// Descriptions that may take less, those that change least first. None is known to be legal.
fn candidates(resource: &Resource) -> Vec<(AdvisedKind, ResourceDesc)> {
    let desc = resource.desc;
    let mut alone = Vec::new();
    if !resource.is_tight() {
        let flags = desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT;
        alone.push(ResourceDesc { flags, alignment_bytes: 0, ..desc });
        if !resource.is_buffer() {
            alone.extend(SMALL_ALIGNMENTS_BYTES.map(|alignment_bytes| ResourceDesc { alignment_bytes, ..desc }));
        }
    }
    match resource.backing {
        Backing::Placed { .. } => alone.into_iter().map(|desc| (AdvisedKind::Placed, desc)).collect(),
        Backing::Committed { .. } => {
            let committed = alone.iter().map(|desc| (AdvisedKind::Committed, *desc));
            let placed = [desc].into_iter().chain(alone.iter().copied()).map(|desc| (AdvisedKind::Placed, desc));
            committed.chain(placed).collect()
        }
        Backing::Reserved => Vec::new(),
    }
}
