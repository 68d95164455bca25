//! What calls have the graphics processor do, as records.

use super::{Content, DrawEffect, KEPT_BYTES, ListWork, Work};
use crate::records::{RestoreError, unsound};
use taut_schemas::{
    Bytes, D3d11CommandListId, D3d11QueryId, D3d11ResourceId, ObjectId, QueryType, RecordedWork,
    RecordedWorkKind as Kind, state,
};

/// Pixels that a draw covers at most: both sides of its target are 32 bits long.
const MOST_SAMPLES: u64 = 1 << 62;

impl Work {
    /// It as a record has it. What a list within does stands with that list, whose number is less.
    pub(crate) fn save(&self) -> RecordedWork {
        let objects = |objects: &[u64]| objects.iter().map(|object| ObjectId(*object)).collect();
        let bare =
            |work, of: &[u64], numbers| RecordedWork { work, objects: objects(of), numbers, bytes: Bytes::default() };
        match self {
            Work::Fill { resource, content } => match content {
                Content::Colour(bits) => bare(Kind::FILL, &[resource.0], bits.map(u64::from).to_vec()),
                Content::Unknown => bare(Kind::FILL_UNKNOWN, &[resource.0], Vec::new()),
                Content::Bytes(bytes) => {
                    RecordedWork { bytes: Bytes(bytes.to_vec()), ..bare(Kind::FILL_BYTES, &[resource.0], Vec::new()) }
                }
            },
            Work::Copy { destination, source } => bare(Kind::COPY, &[destination.0, source.0], Vec::new()),
            Work::Draw(DrawEffect { target, colour, write_mask, covers, samples }) => {
                let target = target.map(|target| target.0);
                let mut numbers = vec![(*write_mask).into(), (*covers).into(), *samples];
                numbers.extend(colour.iter().flatten().map(|bits| u64::from(*bits)));
                bare(Kind::DRAW, target.as_slice(), numbers)
            }
            Work::QueryBegin(query) => bare(Kind::QUERY_BEGIN, &[query.0], Vec::new()),
            Work::QueryEnd(query, kind) => bare(Kind::QUERY_END, &[query.0], vec![kind.0.into()]),
            Work::Predicate(query, value) => bare(Kind::PREDICATE, &[query.0], vec![(*value).into()]),
            Work::List(list, _) => bare(Kind::LIST, &[list.0], Vec::new()),
        }
    }

    /// That of a record; `list` gives what a list does that is there already.
    pub(crate) fn restore(
        record: RecordedWork,
        list: impl Fn(D3d11CommandListId) -> Option<ListWork>,
    ) -> Result<Work, RestoreError> {
        let RecordedWork { work, objects, numbers, bytes } = record;
        let objects: Vec<u64> = objects.iter().map(|object| object.0).collect();
        let fill = |resource, content| Work::Fill { resource: D3d11ResourceId(resource), content };
        let restored = match (work, &*objects, &*numbers) {
            (Kind::FILL, [resource], bits) => colour(bits).map(|bits| fill(*resource, Content::Colour(bits))),
            (Kind::FILL_UNKNOWN, [resource], []) => Some(fill(*resource, Content::Unknown)),
            (Kind::FILL_BYTES, [resource], []) => kept(bytes).map(|content| fill(*resource, content)),
            (Kind::COPY, [destination, source], []) => {
                Some(Work::Copy { destination: D3d11ResourceId(*destination), source: D3d11ResourceId(*source) })
            }
            (Kind::DRAW, target, [write_mask, covers, samples, bits @ ..]) => {
                let (target, is_known) = (target.first().copied().map(D3d11ResourceId), target.len() < 2);
                let colour = if bits.is_empty() { Some(None) } else { colour(bits).map(Some) };
                let write_mask = u32::try_from(*write_mask).ok();
                let sound = is_known && *covers < 2 && *samples <= MOST_SAMPLES;
                colour.zip(write_mask).filter(|_| sound).map(|(colour, write_mask)| {
                    Work::Draw(DrawEffect { target, colour, write_mask, covers: *covers == 1, samples: *samples })
                })
            }
            (Kind::QUERY_BEGIN, [query], []) => Some(Work::QueryBegin(D3d11QueryId(*query))),
            (Kind::QUERY_END, [query], [kind]) => {
                u32::try_from(*kind).ok().map(|kind| Work::QueryEnd(D3d11QueryId(*query), QueryType(kind)))
            }
            (Kind::PREDICATE, [query], [value @ (0 | 1)]) => Some(Work::Predicate(D3d11QueryId(*query), *value == 1)),
            (Kind::LIST, [id], []) => {
                let id = D3d11CommandListId(*id);
                list(id).map(|work| Work::List(id, work))
            }
            _ => None,
        };
        match restored {
            Some(work) => Ok(work),
            None => {
                let found = format_args!("{work:?} of {objects:?}");
                unsound::<_, state::RecordedEffect>("work with what it is about", found)
            }
        }
    }
}

fn colour(bits: &[u64]) -> Option<[u32; 4]> {
    let bits: Vec<u32> = bits.iter().map(|bits| u32::try_from(*bits).ok()).collect::<Option<_>>()?;
    bits.try_into().ok()
}

/// Bytes that are not too many to be kept.
fn kept(Bytes(bytes): Bytes) -> Option<Content> {
    (bytes.len() <= KEPT_BYTES).then(|| Content::Bytes(bytes.into()))
}

impl Content {
    /// As a record has it: a colour or bytes.
    pub(crate) fn save(&self) -> (Vec<u32>, Bytes) {
        match self {
            Content::Colour(bits) => (bits.to_vec(), Bytes::default()),
            Content::Bytes(bytes) => (Vec::new(), Bytes(bytes.to_vec())),
            Content::Unknown => Default::default(),
        }
    }

    /// That of a record.
    pub(crate) fn restore(bits: Vec<u32>, bytes: Bytes) -> Option<Content> {
        if bits.is_empty() { kept(bytes) } else { bits.try_into().ok().map(Content::Colour) }
    }
}
