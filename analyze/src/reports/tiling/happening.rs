//! What a trace says of mapped textures, in one order over all threads.

use crate::analysis::Analysis;
use crate::columns::{Events, Selecting, ThreadFields};
use crate::error::AnalyzeError;
use std::collections::HashMap;
use taut_schemas::{EventCode, EventSchema, Opcode, StoreRun};
use taut_traces::{Extract, Trace};

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

/// The events that are looked for; by name, whatever the trace's version.
const EVENTS: [(&str, Opcode, &[&str]); 10] = [
    ("CreateTexture2D", Opcode::Start, &["desc.width", "desc.height", "desc.format"]),
    ("CreateTexture2D", Opcode::Stop, &["hr", "resource"]),
    ("D3D11CopyResource", Opcode::Start, &["destination", "source"]),
    ("D3D11CopyResource", Opcode::Stop, &["hr", "kind"]),
    ("D3D11Map", Opcode::Start, &["resource"]),
    ("D3D11Map", Opcode::Stop, &["hr", "tile_format", "pitch_bytes", "x_offset_bytes", "y_offset_rows", "size_bytes"]),
    ("D3D11Unmap", Opcode::Start, &["resource"]),
    ("MappedWrites", Opcode::Info, &["resource", "runs"]),
    ("MappedReads", Opcode::Info, &["resource", "runs"]),
    ("MemoryFence", Opcode::Info, &["resource"]),
];

fn events(trace: &Trace) -> impl Iterator<Item = (&EventSchema, &'static [&'static str])> {
    let schema = &trace.header().schema;
    EVENTS.iter().filter_map(|(name, opcode, fields)| Some((schema.named(name, *opcode)?, *fields)))
}

/// Whether the trace has any map, or any recorded access. Reads nothing.
pub(super) fn any(trace: &Trace) -> bool {
    let looked_for = ["D3D11Map", "MappedWrites", "MappedReads"];
    let codes: Vec<_> = events(trace).filter(|(event, _)| looked_for.contains(&event.name.as_str())).collect();
    // A trace that was cut off has no counts.
    !codes.is_empty()
        && (!trace.summary().complete
            || trace.summary().codes.iter().any(|(code, _)| codes.iter().any(|(event, _)| event.code == *code)))
}

/// Everything that happened, in order, with its stamp.
pub(super) fn happenings(analysis: &Analysis) -> Result<Vec<(u64, Happening)>, AnalyzeError> {
    let trace = analysis.trace();
    let mut selecting = Selecting::default();
    for (event, fields) in events(trace) {
        selecting.required(event, fields)?;
    }
    let extract = trace.extract(&selecting.finish())?;
    analysis.met(&extract.damage);
    let mut found = of_threads(&extract, Events::new(&trace.header().schema));
    found.sort_by_key(|(stamp, thread, _)| (*stamp, *thread));
    Ok(found.into_iter().map(|(stamp, _, happening)| (stamp, happening)).collect())
}

fn of_threads(extract: &Extract, events: Events<'_>) -> Vec<(u64, u32, Happening)> {
    let mut found = Vec::new();
    for thread in &extract.threads {
        let mut reader = Reader { fields: ThreadFields::new(thread), rows: HashMap::new(), started: None };
        let wanted: HashMap<EventCode, &str> = thread
            .columns
            .iter()
            .filter_map(|columns| Some((columns.code, events.event(columns.code)?.name.as_str())))
            .collect();
        for (code, stamp) in thread.codes.iter().zip(&thread.stamps) {
            let Some(name) = wanted.get(code) else { continue };
            let happening = reader.event(name, *code);
            found.extend(happening.map(|happening| (*stamp, thread.thread, happening)));
        }
    }
    found
}

/// Reads one thread's events one after another.
struct Reader<'a> {
    fields: ThreadFields<'a>,
    /// Records of each code so far.
    rows: HashMap<EventCode, u32>,
    /// The call that began last: its code and record.
    started: Option<(EventCode, u32)>,
}

impl Reader<'_> {
    fn event(&mut self, name: &str, code: EventCode) -> Option<Happening> {
        let next = self.rows.entry(code).or_default();
        let row = *next;
        *next += 1;
        match code.opcode() {
            Some(Opcode::Start) if name != "D3D11Unmap" => {
                self.started = Some((code, row));
                None
            }
            Some(Opcode::Stop) => {
                let (start, argument_row) = self.started.take().filter(|(start, _)| start.id() == code.id())?;
                if self.number(code, "hr", row) != 0 {
                    return None;
                }
                self.returned(name, (start, argument_row), (code, row))
            }
            _ => self.at_once(name, code, row),
        }
    }

    fn number(&self, code: EventCode, field: &str, row: u32) -> u64 {
        self.fields.numbers(code, field).at(row)
    }

    /// A call that succeeded.
    fn returned(&self, name: &str, start: (EventCode, u32), stop: (EventCode, u32)) -> Option<Happening> {
        let argument = |field: &str| self.number(start.0, field, start.1);
        let result = |field: &str| self.number(stop.0, field, stop.1);
        Some(match name {
            "CreateTexture2D" => Happening::Created {
                resource: result("resource"),
                width: argument("desc.width") as u32,
                height: argument("desc.height") as u32,
                format: argument("desc.format") as u32,
            },
            "D3D11CopyResource" if result("kind") == u64::from(taut_schemas::CopyKind::BOUND.0) => {
                Happening::Bound { resource: argument("destination"), texture: argument("source") }
            }
            "D3D11Map" => Happening::Mapped {
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

    /// A mark, or the start of Unmap, whose buffers drain before anything else.
    fn at_once(&self, name: &str, code: EventCode, row: u32) -> Option<Happening> {
        let resource = self.number(code, "resource", row);
        Some(match name {
            "D3D11Unmap" => Happening::Unmapped { resource },
            "MappedWrites" => Happening::Written { resource, runs: self.runs(code, row) },
            "MappedReads" => Happening::Read { resource, runs: self.runs(code, row) },
            "MemoryFence" => Happening::Fenced { resource },
            _ => return None,
        })
    }

    fn runs(&self, code: EventCode, row: u32) -> Vec<StoreRun> {
        let column = |element: &str| self.fields.list(code, "runs", element, row);
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
}
