//! The fields of creations, releases and names in one part of a trace.

use super::super::fields::{Numbers, Texts, ThreadFields};
use super::parts::Part;
use taut_schemas::format::Format;
use taut_schemas::{
    Dimension, EventCode, HeapDesc, HeapFlags, HeapId, HeapProperties, HeapType, MipRegion, Opcode, ResourceDesc,
    ResourceFlags, TextureLayout,
};

/// The columns of one API call that makes up the world.
#[derive(Debug)]
pub(super) struct CallColumns<'a> {
    /// Result of the call, by its stop record.
    pub hr: Numbers<'a>,
    /// The object, by the record that [holds it](Part::takes_object).
    pub object: Numbers<'a>,
    /// The name given.
    pub name: Texts<'a>,
    heap: Numbers<'a>,
    heap_offset_bytes: Numbers<'a>,
    heap_desc: HeapColumns<'a>,
    resource_desc: ResourceColumns<'a>,
}

impl<'a> CallColumns<'a> {
    /// The columns of the call with this start code.
    pub fn new(fields: &ThreadFields<'a>, start: EventCode, part: Part) -> CallColumns<'a> {
        let stop = EventCode::new(start.id(), Opcode::Stop);
        let of = |field| fields.numbers(start, field);
        CallColumns {
            hr: fields.numbers(stop, "hr"),
            object: fields.numbers(if part.takes_object() { start } else { stop }, part.object_field()),
            name: fields.texts(start, "name"),
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

    /// Heap and offset of a placed resource.
    pub fn place(&self, row: u32) -> (HeapId, u64) {
        (HeapId(self.heap.at(row)), self.heap_offset_bytes.at(row))
    }

    /// Description of a heap.
    pub fn heap_desc(&self, row: u32) -> HeapDesc {
        let HeapColumns { size_bytes, alignment_bytes, flags, heap_type } = self.heap_desc;
        HeapDesc {
            size_bytes: size_bytes.at(row),
            alignment_bytes: alignment_bytes.at(row),
            flags: HeapFlags(flags.at_u32(row)),
            properties: HeapProperties { heap_type: HeapType(heap_type.at_u32(row)), ..Default::default() },
        }
    }

    /// Description of a resource.
    pub fn resource_desc(&self, row: u32) -> (ResourceDesc, MipRegion) {
        let columns = &self.resource_desc;
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
