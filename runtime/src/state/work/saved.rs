//! Operations of the GPU as records of a rundown, from which a replay restores them.

use super::{Content, ContextWork, DrawEffect, ListWork, MAX_CONTENT_BYTES};
use crate::records::{RestoreError, invalid_value};
use taut_schemas::{
    Bytes, D3d11CommandListId, D3d11QueryId, D3d11ResourceId, ObjectId, QueryType, RecordedWork,
    RecordedWorkKind as Kind, state,
};

/// Max samples of a draw in a record. Render targets have fewer; the limit rejects corrupt records. Sums over draws
/// saturate.
const MAX_SAMPLES: u64 = 1 << 62;

impl ContextWork {
    /// Returns the record of this operation. A nested command list is recorded by its id alone; the list has records
    /// of its own, which precede this one because the list has a smaller id.
    pub(crate) fn save(&self) -> RecordedWork {
        let without_bytes = |work, ids: &[u64], numbers| RecordedWork {
            work,
            objects: ids.iter().map(|id| ObjectId(*id)).collect(),
            numbers,
            bytes: Bytes::default(),
        };
        match self {
            ContextWork::Fill { resource, content } => match content {
                Content::Colour(bits) => without_bytes(Kind::FILL, &[resource.0], bits.map(u64::from).to_vec()),
                Content::Unknown => without_bytes(Kind::FILL_UNKNOWN, &[resource.0], Vec::new()),
                Content::Bytes(bytes) => RecordedWork {
                    bytes: Bytes(bytes.to_vec()),
                    ..without_bytes(Kind::FILL_BYTES, &[resource.0], Vec::new())
                },
            },
            ContextWork::Copy { destination, source } => {
                without_bytes(Kind::COPY, &[destination.0, source.0], Vec::new())
            }
            ContextWork::Draw(DrawEffect { target, colour, write_mask, covers, samples }) => {
                let target = target.map(|target| target.0);
                let mut numbers = vec![(*write_mask).into(), (*covers).into(), *samples];
                numbers.extend(colour.iter().flatten().map(|bits| u64::from(*bits)));
                without_bytes(Kind::DRAW, target.as_slice(), numbers)
            }
            ContextWork::QueryBegin(query) => without_bytes(Kind::QUERY_BEGIN, &[query.0], Vec::new()),
            ContextWork::QueryEnd(query, query_type) => {
                without_bytes(Kind::QUERY_END, &[query.0], vec![query_type.0.into()])
            }
            ContextWork::Predicate(query, value) => without_bytes(Kind::PREDICATE, &[query.0], vec![(*value).into()]),
            ContextWork::List(list, _) => without_bytes(Kind::LIST, &[list.0], Vec::new()),
        }
    }

    /// Restores an operation from its record; `restored_list` returns the operations of a list that was restored
    /// before.
    pub(crate) fn restore(
        record: RecordedWork,
        restored_list: impl Fn(D3d11CommandListId) -> Option<ListWork>,
    ) -> Result<ContextWork, RestoreError> {
        let RecordedWork { work, objects, numbers, bytes } = record;
        let ids: Vec<u64> = objects.iter().map(|object| object.0).collect();
        let fill = |resource, content| ContextWork::Fill { resource: D3d11ResourceId(resource), content };
        let restored = match (work, &*ids, &*numbers) {
            (Kind::FILL, [resource], bits) => colour(bits).map(|bits| fill(*resource, Content::Colour(bits))),
            (Kind::FILL_UNKNOWN, [resource], []) => Some(fill(*resource, Content::Unknown)),
            (Kind::FILL_BYTES, [resource], []) => bounded_content(bytes).map(|content| fill(*resource, content)),
            (Kind::COPY, [destination, source], []) => {
                Some(ContextWork::Copy { destination: D3d11ResourceId(*destination), source: D3d11ResourceId(*source) })
            }
            (Kind::DRAW, targets, [write_mask, covers, samples, bits @ ..]) => {
                let target = targets.first().copied().map(D3d11ResourceId);
                let colour = if bits.is_empty() { Some(None) } else { colour(bits).map(Some) };
                let write_mask = u32::try_from(*write_mask).ok();
                let is_valid = targets.len() <= 1 && *covers <= 1 && *samples <= MAX_SAMPLES;
                colour.zip(write_mask).filter(|_| is_valid).map(|(colour, write_mask)| {
                    ContextWork::Draw(DrawEffect {
                        target,
                        colour,
                        write_mask,
                        covers: *covers == 1,
                        samples: *samples,
                    })
                })
            }
            (Kind::QUERY_BEGIN, [query], []) => Some(ContextWork::QueryBegin(D3d11QueryId(*query))),
            (Kind::QUERY_END, [query], [query_type]) => {
                let query_type = u32::try_from(*query_type).ok().map(QueryType);
                query_type.map(|query_type| ContextWork::QueryEnd(D3d11QueryId(*query), query_type))
            }
            (Kind::PREDICATE, [query], [value @ (0 | 1)]) => {
                Some(ContextWork::Predicate(D3d11QueryId(*query), *value == 1))
            }
            (Kind::LIST, [id], []) => {
                let id = D3d11CommandListId(*id);
                // A nested list has to be restored already, so a corrupt trace with a cycle of lists is rejected.
                restored_list(id).map(|work| ContextWork::List(id, work))
            }
            _ => None,
        };
        match restored {
            Some(work) => Ok(work),
            None => {
                let found = format_args!("{work:?} of {ids:?}");
                invalid_value::<_, state::RecordedEffect>("an operation with the operands of its kind", found)
            }
        }
    }
}

fn colour(bits: &[u64]) -> Option<[u32; 4]> {
    let bits: Vec<u32> = bits.iter().map(|bits| u32::try_from(*bits).ok()).collect::<Option<_>>()?;
    bits.try_into().ok()
}

/// Returns the bytes as contents; `None` if there are more than [`MAX_CONTENT_BYTES`].
fn bounded_content(Bytes(bytes): Bytes) -> Option<Content> {
    (bytes.len() <= MAX_CONTENT_BYTES).then(|| Content::Bytes(bytes.into()))
}

impl Content {
    /// Returns colour and bytes of a `ResourceContent` record; one of the two is empty.
    ///
    /// `Contents` never stores [`Content::Unknown`], so unknown contents have no record. Otherwise they would be
    /// restored as no bytes.
    pub(crate) fn save(&self) -> (Vec<u32>, Bytes) {
        match self {
            Content::Colour(bits) => (bits.to_vec(), Bytes::default()),
            Content::Bytes(bytes) => (Vec::new(), Bytes(bytes.to_vec())),
            Content::Unknown => {
                debug_assert!(false, "unknown contents have no record");
                Default::default()
            }
        }
    }

    /// Restores contents from colour and bytes of a record. `None` if the colour does not have four components, or if
    /// there are more than [`MAX_CONTENT_BYTES`].
    pub(crate) fn restore(bits: Vec<u32>, bytes: Bytes) -> Option<Content> {
        if bits.is_empty() { bounded_content(bytes) } else { bits.try_into().ok().map(Content::Colour) }
    }
}
