//! One thread's creations and releases, with what the driver answered in them.

use super::fields::{Numbers, ThreadFields};
use super::join::{JoinedCall, JoinedThread};
use super::parts::{Part, Parts};
use crate::world::{Allocation, round_up};
use std::collections::HashMap;
use taut_schemas::format::Format;
use taut_schemas::{
    Dimension, EventCode, HResultCode, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType, MipRegion, Opcode,
    ResourceDesc, ResourceFlags, TextureLayout,
};

/// VidMm gives out memory in pages of this size.
const PAGE_BYTES: u64 = 4096;

/// The columns of one API call of one thread.
#[derive(Debug)]
pub(super) struct CallColumns<'a> {
    /// What the call does.
    pub part: Part,
    hr: Numbers<'a>,
    object: Numbers<'a>,
    heap: Numbers<'a>,
    heap_offset_bytes: Numbers<'a>,
    heap_desc: HeapColumns<'a>,
    resource_desc: ResourceColumns<'a>,
}

impl CallColumns<'_> {
    /// The object a call created or released, if it succeeded and there is one.
    pub fn object(&self, call: &JoinedCall) -> Option<u64> {
        let stop = call.stop?;
        let succeeded = HResultCode(self.hr.at_u32(stop.row)) == HResultCode::S_OK;
        let row = match self.part {
            Part::ReleaseHeap | Part::ReleaseResource => call.row,
            _ => stop.row,
        };
        self.object.get(row).filter(|object| succeeded && *object != 0)
    }

    /// Heap and offset of a placed resource.
    pub fn place(&self, call: &JoinedCall) -> (HeapId, u64) {
        (HeapId(self.heap.at(call.row)), self.heap_offset_bytes.at(call.row))
    }

    /// Description of a heap.
    pub fn heap_desc(&self, call: &JoinedCall) -> HeapDesc {
        let HeapColumns { size_bytes, alignment_bytes, flags, heap_type } = self.heap_desc;
        HeapDesc {
            size_bytes: size_bytes.at(call.row),
            alignment_bytes: alignment_bytes.at(call.row),
            flags: HeapFlags(flags.at_u32(call.row)),
            properties: HeapProperties { heap_type: HeapType(heap_type.at_u32(call.row)), ..Default::default() },
        }
    }

    /// Description of a resource.
    pub fn resource_desc(&self, call: &JoinedCall) -> (ResourceDesc, MipRegion) {
        let (columns, row) = (&self.resource_desc, call.row);
        let desc = ResourceDesc {
            dimension: Dimension(columns.dimension.at_u32(row)),
            alignment_bytes: columns.alignment_bytes.at(row),
            width: columns.width.at(row),
            height: columns.height.at_u32(row),
            depth_or_array_size: columns.depth_or_array_size.at_u16(row),
            mip_levels: columns.mip_levels.at_u16(row),
            format: Format(columns.format.at_u32(row)),
            sample_count: columns.sample_count.at_u32(row),
            sample_quality: columns.sample_quality.at_u32(row),
            layout: TextureLayout(columns.layout.at_u32(row)),
            flags: ResourceFlags(columns.flags.at_u32(row)),
        };
        let (width, height) = (columns.region_width.at_u32(row), columns.region_height.at_u32(row));
        (desc, MipRegion { width, height, depth: 0 })
    }
}

#[derive(Debug)]
struct HeapColumns<'a> {
    size_bytes: Numbers<'a>,
    alignment_bytes: Numbers<'a>,
    flags: Numbers<'a>,
    heap_type: Numbers<'a>,
}

#[derive(Debug)]
struct ResourceColumns<'a> {
    dimension: Numbers<'a>,
    alignment_bytes: Numbers<'a>,
    width: Numbers<'a>,
    height: Numbers<'a>,
    depth_or_array_size: Numbers<'a>,
    mip_levels: Numbers<'a>,
    format: Numbers<'a>,
    sample_count: Numbers<'a>,
    sample_quality: Numbers<'a>,
    layout: Numbers<'a>,
    flags: Numbers<'a>,
    region_width: Numbers<'a>,
    region_height: Numbers<'a>,
}

/// What the driver answered in a creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Answers {
    /// What GetResourceAllocationInfo says of the resource.
    pub allocation: Option<Allocation>,
    /// Size of the implicit heap, if the resource has one.
    pub implicit_heap_bytes: u64,
}

/// One thread's creations and releases.
#[derive(Debug)]
pub(super) struct ThreadCalls<'a> {
    thread: &'a JoinedThread,
    fields: &'a ThreadFields<'a>,
    parts: &'a Parts,
    columns: HashMap<EventCode, CallColumns<'a>>,
    check_size_bytes: Numbers<'a>,
    check_alignment_bytes: Numbers<'a>,
}

impl<'a> ThreadCalls<'a> {
    pub fn new(thread: &'a JoinedThread, fields: &'a ThreadFields<'a>, parts: &'a Parts) -> Self {
        let columns = parts.calls.iter().map(|(start, part)| (*start, columns(fields, *start, *part))).collect();
        let check = |field| parts.check.map(|(_, stop)| fields.numbers(stop, field)).unwrap_or_default();
        let (check_size_bytes, check_alignment_bytes) = (check("size_bytes"), check("alignment_bytes"));
        Self { thread, fields, parts, columns, check_size_bytes, check_alignment_bytes }
    }

    /// The call at `index` and its columns; `None` for a call that neither creates nor releases.
    pub fn call(&self, index: u32) -> Option<(&JoinedCall, &CallColumns<'a>)> {
        let call = self.thread.calls.get(index as usize)?;
        Some((call, self.columns.get(&call.code)?))
    }

    /// What the driver answered in the creation at `index`.
    ///
    /// A creation asks the driver once with the least alignment of placed resources, as GetResourceAllocationInfo
    /// does, and a committed one then with that of committed resources (4096), for its implicit heap
    /// (tight-alignment checklist A-21). SizeInBytes is the driver's size rounded up to its alignment.
    pub fn answers(&self, index: u32) -> Answers {
        let (mut first, mut last, mut heap_bytes) = (None, None, None);
        let check = self.parts.check.map(|(start, _)| start);
        for inner in self.thread.made_in(index) {
            if Some(inner.code) == check {
                last = self.answer(inner).or(last);
                first = first.or(last);
            } else if Some(inner.code) == self.parts.create_at_driver {
                heap_bytes = self.fields.optional(inner.code, "heap_desc", "size_bytes", inner.row);
            }
        }
        // CreateHeapAndResource is told the size; a trace may hold only one of the two.
        let heap_bytes = heap_bytes.max(last.map(|answer| answer.size_bytes)).unwrap_or_default();
        Answers { allocation: first, implicit_heap_bytes: round_up(heap_bytes, PAGE_BYTES) }
    }

    fn answer(&self, check: &JoinedCall) -> Option<Allocation> {
        let row = check.stop?.row;
        let alignment_bytes = self.check_alignment_bytes.get(row)?;
        let size_bytes = round_up(self.check_size_bytes.get(row)?, alignment_bytes);
        Some(Allocation { size_bytes, alignment_bytes })
    }
}

fn columns<'a>(fields: &ThreadFields<'a>, start: EventCode, part: Part) -> CallColumns<'a> {
    let stop = EventCode::new(start.id(), Opcode::Stop);
    let object_code = match part {
        Part::ReleaseHeap | Part::ReleaseResource => start,
        _ => stop,
    };
    let of = |field| fields.numbers(start, field);
    CallColumns {
        part,
        hr: fields.numbers(stop, "hr"),
        object: fields.numbers(object_code, part.object_field()),
        heap: of("heap"),
        heap_offset_bytes: of("heap_offset_bytes"),
        heap_desc: HeapColumns {
            size_bytes: of("desc.size_bytes"),
            alignment_bytes: of("desc.alignment_bytes"),
            flags: of("desc.flags"),
            heap_type: of("desc.properties.heap_type"),
        },
        resource_desc: ResourceColumns {
            dimension: of("desc.dimension"),
            alignment_bytes: of("desc.alignment_bytes"),
            width: of("desc.width"),
            height: of("desc.height"),
            depth_or_array_size: of("desc.depth_or_array_size"),
            mip_levels: of("desc.mip_levels"),
            format: of("desc.format"),
            sample_count: of("desc.sample_count"),
            sample_quality: of("desc.sample_quality"),
            layout: of("desc.layout"),
            flags: of("desc.flags"),
            region_width: of("mip_region.width"),
            region_height: of("mip_region.height"),
        },
    }
}
