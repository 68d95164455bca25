//! Alternative resource descriptions that need less memory, according to a driver model and rules.

use crate::memory::{Backing, Resource};
use crate::reports::figures::{figures, single_values};
use serde::Serialize;
use taut_schemas::{AdapterId, Field, ResourceDesc, ResourceFlags, ResourceSizes};

/// Alignments that a small resource may request (checklist A-01). The runtime decides whether it may.
const SMALL_ALIGNMENTS_BYTES: [u64; 2] = [4 << 10, 64 << 10];

/// Recommended kind of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdvisedKind {
    Placed,
    /// Committed, with an implicit heap.
    Committed,
}

single_values!(AdvisedKind, ResourceFlags);

figures! {
    /// A valid description of a resource that needs less memory.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Advised {
        kind: AdvisedKind, Text, same;
        alignment: u64, Bytes, "D3D12_RESOURCE_DESC::Alignment of the description.";
        #[serde(serialize_with = "as_number")] flags: ResourceFlags, Id, "D3D12_RESOURCE_DESC::Flags of the description; other members are unchanged.";
        size_bytes: u64, Bytes, "Memory of a resource with this description: SizeInBytes if placed, the implicit heap if committed.";
        saving_bytes: u64, Bytes, "Reduction from the resource's present memory; of a change of a cause, its saving at the peak if made alone.";
        group_saving_bytes: u64, Bytes, "Saving of the whole group.";
    }
}

fn as_number<S: serde::Serializer>(flags: &ResourceFlags, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(flags.0)
}

impl Advised {
    /// Returns the best alternative description for a resource, or `None` if none is smaller. `group_count` is the
    /// number of resources in its group, and `group_in_use_bytes` their total size.
    ///
    /// Candidates with fewer changes are preferred unless another saves at least an eighth more, so that a committed
    /// resource does not become placed for a few bytes.
    pub(super) fn of(
        resource: &Resource,
        group_count: u64,
        group_in_use_bytes: u128,
        sizes: &dyn ResourceSizes,
    ) -> Option<Advised> {
        resource.allocation?;
        let in_use_bytes = resource.in_use_bytes();
        let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
        let advised = candidates(resource).into_iter().filter_map(|(kind, desc)| {
            let answer = match kind {
                AdvisedKind::Placed => sizes.placed(adapter, &desc),
                AdvisedKind::Committed => sizes.committed(adapter, &desc),
            };
            let size_bytes = answer?.size_bytes;
            let saving_bytes = in_use_bytes.checked_sub(size_bytes).filter(|saving| *saving > 0)?;
            let group_saving_bytes =
                group_in_use_bytes.saturating_sub(u128::from(group_count) * u128::from(size_bytes));
            Some(Advised {
                kind,
                alignment: desc.alignment_bytes,
                flags: desc.flags,
                size_bytes,
                saving_bytes,
                group_saving_bytes: super::figures::narrow(group_saving_bytes),
            })
        });
        let clearly_better =
            |best: &Advised, other: &Advised| u128::from(other.saving_bytes) * 8 > u128::from(best.saving_bytes) * 9;
        advised.reduce(|best, other| if clearly_better(&best, &other) { other } else { best })
    }

    /// True if the description adds the tight alignment flag.
    pub(super) fn adds_tight(&self, resource: &Resource) -> bool {
        self.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) && !resource.is_tight()
    }
}

/// Candidate descriptions, ordered by the extent of the change. They are not checked for validity.
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
        Backing::Reserved | Backing::Unknown => Vec::new(),
    }
}
