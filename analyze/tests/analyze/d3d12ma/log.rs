//! Reads the call log.

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::OnceLock;
use taut_analyze::memory::{Allocation, Backing, Moment, NewResource, World, WorldBuilder, round_up};
use taut_schemas::format::Format;
use taut_schemas::{
    Dimension, HeapDesc, HeapId, HeapType, MipRegion, ResourceDesc, ResourceFlags, ResourceId, TextureLayout,
};

/// A line of the log.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Line {
    pub seq: u64,
    pub thread: u32,
    pub call: String,
    pub size: u64,
    pub alignment: u64,
    pub heap: u64,
    pub heap_type: u32,
    pub offset: u64,
    pub obj: Option<u64>,
    pub hr: u32,
    pub desc: Option<Desc>,
    pub descs: Vec<Desc>,
    pub info: Option<Info>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct Info {
    pub size: u64,
    pub alignment: u64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Desc {
    dimension: u32,
    alignment: u64,
    width: u64,
    height: u32,
    depth_or_array: u16,
    mips: u16,
    format: u32,
    sample_count: u32,
    sample_quality: u32,
    layout: u32,
    flags: u32,
    mip_region: [u32; 3],
}

impl Desc {
    pub fn resource_desc(&self) -> ResourceDesc {
        ResourceDesc {
            dimension: Dimension(self.dimension),
            alignment_bytes: self.alignment,
            width: self.width,
            height: self.height,
            depth_or_array_size: self.depth_or_array,
            mip_levels: self.mips,
            format: Format(self.format),
            sample_count: self.sample_count,
            sample_quality: self.sample_quality,
            layout: TextureLayout(self.layout),
            flags: ResourceFlags(self.flags),
        }
    }

    pub fn mip_region(&self) -> MipRegion {
        let [width, height, depth] = self.mip_region;
        MipRegion { width, height, depth }
    }
}

impl Line {
    pub fn heap_desc(&self) -> HeapDesc {
        HeapDesc { size_bytes: self.size, alignment_bytes: self.alignment, ..Default::default() }
    }

    pub fn creates_resource(&self) -> bool {
        self.info.is_some()
    }

    /// The driver's answer for the smallest alignment of placed resources.
    pub fn placed_answer(&self) -> (u64, u64) {
        let (desc, info) = (self.desc.unwrap().resource_desc(), self.info.unwrap());
        let size_bytes = if desc.dimension == Dimension::BUFFER { desc.width } else { info.size };
        (size_bytes, info.alignment)
    }

    /// The driver's answer for an alignment of 4096, as for an implicit heap.
    pub fn committed_answer(&self) -> (u64, u64) {
        let (size_bytes, alignment_bytes) = self.placed_answer();
        (size_bytes, alignment_bytes.max(4096))
    }

    fn new_resource(&self) -> NewResource {
        let (desc, info) = (self.desc.unwrap(), self.info.unwrap());
        let backing = if self.call.starts_with("CreatePlaced") {
            Backing::Placed { heap: HeapId(self.heap), heap_offset_bytes: self.offset }
        } else {
            let (size_bytes, alignment_bytes) = self.committed_answer();
            Backing::Committed {
                implicit_heap_bytes: round_up(size_bytes, alignment_bytes),
                heap_type: HeapType(self.heap_type),
            }
        };
        NewResource {
            id: ResourceId(self.obj.unwrap()),
            desc: desc.resource_desc(),
            mip_region: desc.mip_region(),
            backing,
            allocation: Some(Allocation { size_bytes: info.size, alignment_bytes: info.alignment }),
        }
    }
}

/// All lines except the header.
pub fn lines() -> &'static [Line] {
    static LINES: OnceLock<Vec<Line>> = OnceLock::new();
    LINES.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/d3d12ma-tight.jsonl.gz");
        let reader = BufReader::new(GzDecoder::new(File::open(path).unwrap()));
        reader.lines().skip(1).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
    })
}

/// The world of the log, built without a trace.
pub fn world() -> World {
    let mut builder = WorldBuilder::default();
    let mut end = Moment::default();
    for line in lines() {
        let moment = Moment { stamp: line.seq, thread: line.thread, seq: Some(line.seq) };
        match (line.call.as_str(), line.obj) {
            ("CreateHeap" | "CreateHeap1", Some(heap)) => builder.create_heap(moment, HeapId(heap), line.heap_desc()),
            ("ReleaseHeap", Some(heap)) => builder.release_heap(moment, HeapId(heap)),
            ("ReleaseResource", Some(resource)) => builder.release_resource(moment, ResourceId(resource)),
            _ if line.creates_resource() => builder.create_resource(moment, line.new_resource()),
            _ => {}
        }
        end = moment;
    }
    builder.finish(Moment::default(), end)
}
