//! The calls as they would be.

use super::sizes::Sizes;
use super::subject::{Home, Subject, edit};
use super::{Changes, WhatIf};
use taut_schemas::{AdapterId, CodecError, EventCode, ResourceDesc, format::Format};

/// A description as it would be. Reserved resources cannot be tight (rule A-15).
pub(super) fn desc(
    changes: &Changes,
    sizes: &mut Sizes,
    adapter: AdapterId,
    desc: &ResourceDesc,
    castable_formats: &[Format],
    home: &Home<'_>,
) -> ResourceDesc {
    match home {
        Home::Reserved => *desc,
        Home::Placed(..) | Home::Committed => changes.apply(sizes, adapter, desc, castable_formats),
    }
}

impl WhatIf {
    /// A call's start row as it would be; `None` if it stays as it is. `call_index` is its position among all API
    /// calls.
    pub(super) fn rewritten(
        &mut self,
        code: EventCode,
        call_index: u64,
        row: &[u8],
    ) -> Result<Option<Vec<u8>>, CodecError> {
        let WhatIf { changes, live, offsets_bytes, heaps, .. } = self;
        edit(code.id(), row, &mut |adapter, subject| match subject {
            Subject::Heap(heap) => {
                if let Some(changed) = heaps.get(&call_index) {
                    *heap = *changed;
                }
            }
            Subject::Resource(resource, castable_formats, home) => {
                *resource = desc(changes, live, adapter, resource, castable_formats, &home);
                if let Home::Placed(_, offset_bytes) = home
                    && let Some(changed) = offsets_bytes.get(&call_index)
                {
                    *offset_bytes = *changed;
                }
            }
            Subject::Query(descs, castable_counts, castable_formats) => {
                let mut formats = castable_formats;
                for (index, asked) in descs.iter_mut().enumerate() {
                    let count = castable_counts.get(index).map_or(0, |count| *count as usize).min(formats.len());
                    let (own, rest) = formats.split_at(count);
                    formats = rest;
                    *asked = changes.apply(live, adapter, asked, own);
                }
            }
        })
    }
}
