//! `events`: every record.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Parts, Table};
use crate::error::TableError;
use polars::prelude::DataFrame;
use rayon::prelude::*;
use taut_analyze::Analysis;
use taut_analyze::columns::few;
use taut_schemas::{EventSchema, Opcode, SchemaTable};
use taut_traces::{Heads, Selection, ThreadExtract};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

columns! {
    row of rows: &EventRows<'_>;
    stamp: I64, "Ticks of the trace's clock; with `thread` the order of all records.", row.records.stamps[row.place];
    thread: I64, "The thread that wrote it: an application's, or from 65536 a worker's, or 131072, the graphics processor's.", row.records.thread;
    code: I64, "Number of the event: four times the number of its line, plus 0 for a mark, 1 for a start, 2 for a stop.", u32::from(row.code());
    name: Text in &rows.words.of(|event| &event.name), "Name of the call or mark.", rows.words.places[usize::from(row.code())];
    provider: Text in &rows.words.of(|event| &event.provider), "The family that it belongs to: `d3d12`, `d3d11`, `dxgi`, `win32`, `machine`, `d3d12_ddi`, `d3d11_ddi`, `d3d12_callbacks`, `mark`; names are unique per provider.", rows.words.places[usize::from(row.code())];
    layer: Text in &rows.words.of(|event| event.layer.name()), "`api`, `ddi`, `task` (what the machine does by itself) or `mark`.", rows.words.places[usize::from(row.code())];
    opcode: Text in &rows.words.of(|event| opcode_name(event.opcode)), "`start`, `stop` or `info`.", rows.words.places[usize::from(row.code())];
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let trace = analysis.trace();
    let words = Words::new(&trace.header().schema);
    let stamps = parts.frame().wants("stamp");
    let heads = if stamps { Heads::CodesAndStamps } else { Heads::Codes };
    let (wanted, map) = (parts.wanted, parts.map);
    let part = |records: &[ThreadExtract]| map(frame(wanted, &words, records)?);
    let mut blocks = trace.blocks().to_vec();
    // Those of a thread stay in their order.
    blocks.sort_by_key(|block| block.thread);
    let mut rest = blocks.as_slice();
    let mut first = true;
    while !rest.is_empty() || std::mem::take(&mut first) {
        first = false;
        let some;
        (some, rest) = rest.split_at(few(rest));
        let made = some.par_chunks(PART_BLOCKS.min(some.len().max(1))).map(|blocks| {
            let (records, damage) = trace.scan_blocks(&Selection::default(), blocks, heads, |records| records)?;
            analysis.met(&damage);
            part(&records)
        });
        let mut made: Vec<Result<DataFrame, TableError>> = made.collect();
        if made.is_empty() {
            // A trace without a record.
            made.push(part(&[]));
        }
        for made in made {
            if (parts.take)(made?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Blocks that make up a part.
const PART_BLOCKS: usize = 4;

/// What columns say of codes, in words.
struct Words<'a> {
    /// By code: the place of its event among those of the schema table.
    places: Vec<u32>,
    events: &'a [EventSchema],
}

impl<'a> Words<'a> {
    fn new(schema: &'a SchemaTable) -> Words<'a> {
        let events = schema.events.as_slice();
        // Codes are 16 bits wide; the last place stands for a code that the table does not have.
        let mut places = vec![events.len() as u32; 1 << 16];
        (0..).zip(events).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
        Words { places, events }
    }

    fn of(&self, word: fn(&EventSchema) -> &str) -> Vec<&str> {
        self.events.iter().map(word).chain(["unknown"]).collect()
    }
}

/// Records of some blocks.
struct EventRows<'a> {
    words: &'a Words<'a>,
    records: &'a [ThreadExtract],
}

/// A record, by its place among those of its block.
struct EventRow<'a> {
    records: &'a ThreadExtract,
    place: usize,
}

impl<'a> EventRows<'a> {
    fn all(&self) -> impl Iterator<Item = EventRow<'a>> {
        self.records.iter().flat_map(|records| (0..records.codes.len()).map(move |place| EventRow { records, place }))
    }
}

impl EventRow<'_> {
    fn code(&self) -> u16 {
        self.records.codes[self.place].0
    }
}

fn frame(wanted: Option<&[String]>, words: &Words<'_>, records: &[ThreadExtract]) -> Result<DataFrame, TableError> {
    let mut frame = Frame::new(wanted);
    fill(&EventRows { words, records }, &mut frame)?;
    frame.finish()
}

fn opcode_name(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Info => "info",
        Opcode::Start => "start",
        Opcode::Stop => "stop",
    }
}
