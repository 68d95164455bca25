//! Rewriting of the calls that a what-if changes.

use super::call_arguments::{CallArguments, ResourceLocation, edit};
use super::sizes::Sizes;
use super::{Changes, WhatIf};
use taut_schemas::{AdapterId, CodecError, EventCode, ResourceDesc, format::Format};

/// Returns the description of a resource after `changes`; `sizes` are those of the what-if's world. The description of a
/// reserved resource is unchanged, because it cannot be tight (rule A-15).
pub(super) fn desc(
    changes: &Changes,
    sizes: &mut Sizes,
    adapter: AdapterId,
    desc: &ResourceDesc,
    castable_formats: &[Format],
    location: &ResourceLocation<'_>,
) -> ResourceDesc {
    match location {
        ResourceLocation::Reserved => *desc,
        ResourceLocation::Placed(..) | ResourceLocation::Committed => {
            changes.apply(sizes, adapter, desc, castable_formats)
        }
    }
}

impl WhatIf {
    /// Returns the changed start row of a call; `None` if the call is unchanged. `call_index` is the call's position
    /// among all API calls.
    pub(super) fn rewritten(
        &mut self,
        code: EventCode,
        call_index: u64,
        row: &[u8],
    ) -> Result<Option<Vec<u8>>, CodecError> {
        let WhatIf { changes, other, offsets_bytes, heaps, .. } = self;
        if let Some(machine) = changes.machine_mut()
            && let Some(changed) = machine.rewritten(code.id(), row)?
        {
            return Ok(Some(changed));
        }
        edit(code.id(), row, &mut |adapter, call_arguments| match call_arguments {
            CallArguments::Heap(heap) => {
                if let Some(changed) = heaps.get(&call_index) {
                    *heap = *changed;
                }
            }
            CallArguments::Resource(resource, castable_formats, location) => {
                *resource = desc(changes, other, adapter, resource, castable_formats, &location);
                if let ResourceLocation::Placed(_, offset_bytes) = location
                    && let Some(changed) = offsets_bytes.get(&call_index)
                {
                    *offset_bytes = *changed;
                }
            }
            CallArguments::Query(descs, castable_counts, castable_formats) => {
                // The formats of all descriptions are concatenated; each description takes its own from the front.
                let mut formats = castable_formats;
                for (index, queried_desc) in descs.iter_mut().enumerate() {
                    let count = castable_counts.get(index).map_or(0, |count| *count as usize).min(formats.len());
                    let (own, rest) = formats.split_at(count);
                    formats = rest;
                    *queried_desc = changes.apply(other, adapter, queried_desc, own);
                }
            }
        })
    }
}
