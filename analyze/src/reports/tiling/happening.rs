//! What a trace says of mapped textures, in one order over all threads.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::story::{self, At, Call, Record, Told, Wanted};
use taut_schemas::{HResultCode, Opcode, StoreRun};
use taut_traces::Trace;

/// Something that happened to a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Happening {
    /// A texture was created: its extent in texels and its format.
    Created { resource: u64, width: u32, height: u32, format: u32 },
    /// A staging texture was bound to the memory of another.
    Bound { resource: u64, texture: u64 },
    /// It was mapped.
    Mapped { resource: u64, data: MapData },
    /// It was unmapped.
    Unmapped { resource: u64 },
    /// The processor wrote it.
    Written { resource: u64, runs: Vec<StoreRun> },
    /// The processor read it.
    Read { resource: u64, runs: Vec<StoreRun> },
    /// A fence.
    Fenced { resource: u64 },
}

/// What Map returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct MapData {
    pub tile_format: u32,
    pub pitch_bytes: u64,
    pub x_offset_bytes: u64,
    pub y_offset_rows: u64,
    pub size_bytes: u64,
}

const EVENTS: Wanted = &[
    ("CreateTexture2D", Opcode::Start, &["desc.width", "desc.height", "desc.format"]),
    ("CreateTexture2D", Opcode::Stop, &["hr", "resource"]),
    ("d3d11:CopyResource", Opcode::Start, &["destination", "source"]),
    ("d3d11:CopyResource", Opcode::Stop, &["hr", "kind"]),
    ("d3d11:Map", Opcode::Start, &["resource"]),
    ("d3d11:Map", Opcode::Stop, &["hr", "tile_format", "pitch_bytes", "x_offset_bytes", "y_offset_rows", "size_bytes"]),
    ("d3d11:Unmap", Opcode::Start, &["resource"]),
    ("d3d11:Unmap", Opcode::Stop, &[]),
    ("MappedWrites", Opcode::Info, &["resource", "runs"]),
    ("MappedReads", Opcode::Info, &["resource", "runs"]),
    ("MemoryFence", Opcode::Info, &["resource"]),
];

/// Whether the trace has any map, or any recorded access. Reads nothing.
pub(super) fn any(trace: &Trace) -> bool {
    story::any(trace, EVENTS, &["Map", "MappedWrites", "MappedReads"])
}

/// Everything that happened, in order.
pub(super) fn happenings(analysis: &Analysis) -> Result<Vec<(At, Happening)>, AnalyzeError> {
    story::happenings(analysis, EVENTS, |name, told| match told {
        // Its buffers drain before anything else.
        Told::Began(start) if name == "Unmap" => Some(Happening::Unmapped { resource: start.number("resource") }),
        Told::Began(_) => None,
        Told::Returned(call) => returned(name, call),
        Told::Said(mark) => said(name, mark),
    })
}

/// A call that has returned; one that failed tells nothing.
fn returned(name: &str, Call { start, stop }: Call<'_>) -> Option<Happening> {
    let start = start.filter(|_| stop.number("hr") == u64::from(HResultCode::S_OK.0))?;
    let (argument, result) = (|field: &str| start.number(field), |field: &str| stop.number(field));
    Some(match name {
        "CreateTexture2D" => Happening::Created {
            resource: result("resource"),
            width: argument("desc.width") as u32,
            height: argument("desc.height") as u32,
            format: argument("desc.format") as u32,
        },
        "CopyResource" if result("kind") == u64::from(taut_schemas::CopyKind::BOUND.0) => {
            Happening::Bound { resource: argument("destination"), texture: argument("source") }
        }
        "Map" => Happening::Mapped {
            resource: argument("resource"),
            data: MapData {
                tile_format: result("tile_format") as u32,
                pitch_bytes: result("pitch_bytes"),
                x_offset_bytes: result("x_offset_bytes"),
                y_offset_rows: result("y_offset_rows"),
                size_bytes: result("size_bytes"),
            },
        },
        _ => return None,
    })
}

/// A mark.
fn said(name: &str, mark: Record<'_>) -> Option<Happening> {
    let resource = mark.number("resource");
    Some(match name {
        "MappedWrites" => Happening::Written { resource, runs: runs(mark) },
        "MappedReads" => Happening::Read { resource, runs: runs(mark) },
        "MemoryFence" => Happening::Fenced { resource },
        _ => return None,
    })
}

fn runs(mark: Record<'_>) -> Vec<StoreRun> {
    let column = |element: &str| mark.list("runs", element);
    let (offsets, sizes, repeats) = (column("offset_bytes"), column("size_bytes"), column("repeat_count"));
    let (strides, bodies) = (column("stride"), column("body_count"));
    let at = |column: &[u64], index: usize| column.get(index).copied().unwrap_or_default();
    let run = |index: usize| StoreRun {
        offset_bytes: at(offsets, index),
        size_bytes: at(sizes, index) as u32,
        repeat_count: at(repeats, index),
        stride: at(strides, index),
        body_count: at(bodies, index) as u32,
    };
    (0..offsets.len()).map(run).collect()
}
