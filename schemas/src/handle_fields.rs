//! Fields of a driver's data per object, and their places in the memory of handles.
//!
//! A driver profile lists the fields. The driver model, which accesses them, and the analysis of a recording, which
//! computes other places, use the same layout.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Bytes at the beginning of an immediate context's handle that the driver model uses without a field.
const IMMEDIATE_HEADER_BYTES: u64 = 40;
/// Alignment of a field: the word of a 64-bit processor.
const WORD_BYTES: u64 = 8;
/// Cache line by which a driver pads its data. The value of x86 processors and of most Arm ones.
pub const PADDED_LINE_BYTES: u64 = 64;
/// Offset in a deferred context's memory of the area of separate fields. The words before it are the context's own.
pub const SEPARATE_AREA: u64 = 128;
/// Size of the area of separate fields: 256 objects with a line each.
pub const SEPARATE_AREA_BYTES: u64 = 16 << 10;

/// Place of a field in a deferred context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldPlacement {
    /// In each context's own handle.
    PerContext,
    /// In memory of the object's handle of the immediate context only.
    Shared,
    /// In the deferred context's memory, apart from the handle, which has a pointer to it.
    Separate,
}

impl FieldPlacement {
    /// All placements.
    pub const ALL: [FieldPlacement; 3] = [FieldPlacement::PerContext, FieldPlacement::Shared, FieldPlacement::Separate];

    /// Returns the name in profiles and settings.
    pub const fn name(self) -> &'static str {
        match self {
            FieldPlacement::PerContext => "per_context",
            FieldPlacement::Shared => "shared",
            FieldPlacement::Separate => "separate",
        }
    }
}

impl fmt::Display for FieldPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error for an unknown placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected per_context, shared or separate, found {found}")]
pub struct ParsePlacementError {
    pub found: String,
}

impl FromStr for FieldPlacement {
    type Err = ParsePlacementError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = FieldPlacement::ALL.into_iter().find(|placement| placement.name() == name);
        known.ok_or_else(|| ParsePlacementError { found: name.to_owned() })
    }
}

/// Field of a driver's data of each object of one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandleField {
    /// Handle type by its name in d3d11umddi.h, such as `RESOURCE`.
    pub handle_type: String,
    /// Name of the field, unique in its type.
    pub name: String,
    /// Min offset in bytes from the beginning of its area; the field follows the previous one of the area.
    #[serde(default, alias = "offset", skip_serializing_if = "is_zero")]
    pub offset_bytes: u64,
    /// Size of the field.
    #[serde(alias = "bytes")]
    pub size_bytes: u64,
    pub placement: FieldPlacement,
    /// Names of the calls that read the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_by: Vec<String>,
    /// Names of the calls that write the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written_by: Vec<String>,
    /// The calls access the field only if the number of the context's earlier commands is a multiple of this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub every_n: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn is_one(value: &u64) -> bool {
    *value == 1
}

fn one() -> u64 {
    1
}

impl HandleField {
    /// True if calls write the field after its creation.
    pub fn is_mutable(&self) -> bool {
        !self.written_by.is_empty()
    }
}

/// Places of one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPlaces {
    pub size_bytes: u64,
    pub is_mutable: bool,
    pub placement: FieldPlacement,
    /// Offset in the object's handle of the immediate context, which has every field.
    pub immediate_offset: u64,
    /// Offset in a deferred context's handle, or of a separate field in its object's block. A shared field has none
    /// but the immediate one.
    pub deferred_offset: u64,
}

/// Places of the fields of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeLayout {
    /// Places in the order of the fields.
    pub fields: Vec<FieldPlaces>,
    /// End of the fields in a handle of the immediate context.
    pub immediate_bytes: u64,
    /// End of the fields in a handle of a deferred context.
    pub deferred_bytes: u64,
    /// Size of the block of an object's separate fields, in whole cache lines; 0 without separate fields.
    pub block_bytes: u64,
    /// Offset in a deferred context's handle of the pointer to the block, if there is one.
    pub pointer_offset: u64,
}

/// Next place in an area.
struct Cursor(u64);

impl Cursor {
    fn place(&mut self, min_offset: u64, size_bytes: u64) -> u64 {
        let offset = self.0.max(min_offset).next_multiple_of(WORD_BYTES);
        self.0 = offset + size_bytes;
        offset
    }
}

impl TypeLayout {
    /// Places the fields of one type. The area in a deferred context's handle begins after the words that the driver
    /// model uses: one, or two if handles have `min_handle_bytes` for the handle of a dependency. In the immediate
    /// context's handle, written fields come first, then the ones that are never written; with `pads`, each part begins
    /// at a cache line.
    pub fn new<'f>(fields: impl Iterator<Item = &'f HandleField> + Clone, min_handle_bytes: u64, pads: bool) -> Self {
        let own_area = if min_handle_bytes >= 2 * WORD_BYTES { 2 * WORD_BYTES } else { WORD_BYTES };
        let is_separate = |field: &HandleField| field.placement == FieldPlacement::Separate;
        let pointer_bytes = if fields.clone().any(is_separate) { WORD_BYTES } else { 0 };
        let (mut own, mut block) = (Cursor(own_area + pointer_bytes), Cursor(0));
        let begin = |offset: u64| if pads { offset.next_multiple_of(PADDED_LINE_BYTES) } else { offset };
        let mut immediate = Cursor(begin(IMMEDIATE_HEADER_BYTES));
        let mut places: Vec<FieldPlaces> = fields
            .clone()
            .map(|field| FieldPlaces {
                size_bytes: field.size_bytes,
                is_mutable: field.is_mutable(),
                placement: field.placement,
                immediate_offset: 0,
                deferred_offset: match field.placement {
                    FieldPlacement::PerContext => own.place(own_area + field.offset_bytes, field.size_bytes),
                    FieldPlacement::Separate => block.place(field.offset_bytes, field.size_bytes),
                    FieldPlacement::Shared => 0,
                },
            })
            .collect();
        for is_mutable in [true, false] {
            let area = begin(immediate.0);
            immediate.0 = area;
            for (field, place) in fields.clone().zip(&mut places).filter(|(_, place)| place.is_mutable == is_mutable) {
                let is_shared = place.placement == FieldPlacement::Shared;
                let min_offset = if is_shared { area + field.offset_bytes } else { area };
                place.immediate_offset = immediate.place(min_offset, place.size_bytes);
            }
        }
        TypeLayout {
            deferred_bytes: if own.0 > own_area { own.0 } else { 0 },
            immediate_bytes: if places.is_empty() { 0 } else { immediate.0 },
            block_bytes: block.0.next_multiple_of(PADDED_LINE_BYTES),
            pointer_offset: own_area,
            fields: places,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn field(placement: FieldPlacement, is_mutable: bool, size_bytes: u64) -> HandleField {
        HandleField {
            handle_type: "RESOURCE".to_owned(),
            name: "field".to_owned(),
            offset_bytes: 0,
            size_bytes,
            placement,
            read_by: Vec::new(),
            written_by: if is_mutable { vec!["ResourceCopy".to_owned()] } else { Vec::new() },
            every_n: 1,
        }
    }

    proptest! {
        /// Rule H-31, and no byte of two fields in any area.
        #[test]
        fn h31_fields_overlap_nowhere_and_padding_separates_written_ones(
            parts in prop::collection::vec((0_usize..3, any::<bool>(), 1_u64..100, 0_u64..80), 1..8),
            min_handle_bytes in prop::sample::select(vec![8_u64, 16, 64]),
        ) {
            let fields: Vec<HandleField> = parts
                .iter()
                .map(|(placement, is_mutable, size_bytes, offset_bytes)| HandleField {
                    offset_bytes: *offset_bytes,
                    ..field(FieldPlacement::ALL[*placement], *is_mutable, *size_bytes)
                })
                .collect();
            let layout = TypeLayout::new(fields.iter(), min_handle_bytes, true);
            let places = &layout.fields;
            let apart = |a: u64, a_bytes: u64, b: u64, b_bytes: u64| a + a_bytes <= b || b + b_bytes <= a;
            for (index, one) in places.iter().enumerate() {
                prop_assert!(one.immediate_offset >= PADDED_LINE_BYTES);
                prop_assert!(one.immediate_offset + one.size_bytes <= layout.immediate_bytes);
                for other in &places[index + 1..] {
                    let (a, b) = (one.immediate_offset, other.immediate_offset);
                    prop_assert!(apart(a, one.size_bytes, b, other.size_bytes));
                    if one.placement == other.placement && one.placement != FieldPlacement::Shared {
                        let (a, b) = (one.deferred_offset, other.deferred_offset);
                        prop_assert!(apart(a, one.size_bytes, b, other.size_bytes));
                    }
                    if one.is_mutable != other.is_mutable {
                        let lines = |at: u64, bytes: u64| (at / PADDED_LINE_BYTES, (at + bytes - 1) / PADDED_LINE_BYTES);
                        let (x, y) = (lines(a, one.size_bytes), lines(b, other.size_bytes));
                        prop_assert!(x.1 < y.0 || y.1 < x.0);
                    }
                }
            }
        }
    }

    #[test]
    fn without_padding_read_only_fields_follow_written_ones() {
        let fields = [field(FieldPlacement::Shared, false, 8), field(FieldPlacement::PerContext, true, 8)];
        let layout = TypeLayout::new(fields.iter(), 8, false);
        assert_eq!(layout.fields.iter().map(|place| place.immediate_offset).collect::<Vec<_>>(), [48, 40]);
        assert_eq!((layout.immediate_bytes, layout.deferred_bytes), (56, 16));
    }

    #[test]
    fn separate_fields_have_a_pointer_in_the_handle() {
        let fields = [field(FieldPlacement::Separate, true, 24), field(FieldPlacement::PerContext, true, 8)];
        let layout = TypeLayout::new(fields.iter(), 16, true);
        assert_eq!((layout.pointer_offset, layout.block_bytes, layout.deferred_bytes), (16, 64, 32));
        assert_eq!(layout.fields.iter().map(|place| place.deferred_offset).collect::<Vec<_>>(), [0, 24]);
    }
}
