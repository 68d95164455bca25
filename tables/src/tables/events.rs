//! `events`: every record.

use super::classes::Classes;
use super::column::columns;
use super::frame::Frame;
use super::{Make, Parts, Table};
use crate::error::TableError;
use polars::prelude::DataFrame;
use rayon::prelude::*;
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, Opcode, SchemaTable};
use taut_traces::{BlockEvents, BlockInfo, EventReader};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfClasses { make, classes },
};

columns! {
    row of rows: &EventRows<'_>;
    stamp: I64, "Ticks of the trace's clock; with `thread` the order of all records.", row.events.stamps[row.place];
    thread: I64, "The thread that wrote it: an application's, or from 65536 a worker's, or 131072, the graphics processor's.", row.events.thread;
    code: I64, "Number of the event: four times the number of its line, plus 0 for a mark, 1 for a start, 2 for a stop.", u32::from(row.code());
    name: Text in &rows.words.of(|event| &event.name), "Name of the call or mark.", rows.words.places[usize::from(row.code())];
    provider: Text in &rows.words.of(|event| &event.provider), "The family that it belongs to: `d3d12`, `d3d11`, `dxgi`, `win32`, `machine`, `d3d12_ddi`, `d3d11_ddi`, `d3d12_callbacks`, `mark`; names are unique per provider.", rows.words.places[usize::from(row.code())];
    layer: Text in &rows.words.of(|event| event.layer.name()), "`api`, `ddi`, `task` (what the machine does by itself) or `mark`.", rows.words.places[usize::from(row.code())];
    opcode: Text in &rows.words.of(|event| opcode_name(event.opcode)), "`start`, `stop` or `info`.", rows.words.places[usize::from(row.code())];
}

/// The columns that follow from a record's code and thread: all but its stamp.
pub(super) fn of_classes() -> Vec<&'static str> {
    COLUMNS.iter().map(|column| column.name).filter(|name| *name != "stamp").collect()
}

/// The classes, a row each: the wanted columns, which are among [`of_classes`].
fn classes(analysis: &Analysis, classes: &Classes, wanted: &[String]) -> Result<DataFrame, TableError> {
    let one_of_each = |(block, codes): &(BlockInfo, Vec<_>)| BlockEvents {
        thread: block.thread,
        codes: codes.iter().map(|(code, _)| *code).collect(),
        // A block has at most 256 codes.
        kinds: (0..codes.len()).map(|kind| kind as u8).collect(),
        stamps: Vec::new(),
    };
    let events: Vec<BlockEvents> = classes.blocks().iter().map(one_of_each).collect();
    frame(Some(wanted), &Words::new(&analysis.trace().header().schema), &events)
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let trace = analysis.trace();
    let words = Words::new(&trace.header().schema);
    let stamps = parts.frame().wants("stamp");
    let own;
    let (classes, kept) = match parts.kept {
        Some((classes, kept)) => (classes, Some(kept)),
        None => {
            own = Classes::of(analysis);
            (&own, None)
        }
    };
    let some = classes.parts(kept);
    let (wanted, map) = (parts.wanted, parts.map);
    let read = |reader: &mut EventReader, part: &Vec<(&BlockInfo, &[bool])>| {
        let mut events = Vec::with_capacity(part.len());
        for (block, kept) in part {
            match trace.block_events(block, kept, stamps, reader) {
                Ok(found) => events.push(found),
                Err(damage) => analysis.met(&[damage]),
            }
        }
        map(frame(wanted, &words, &events)?)
    };
    // What is made of one after another of these parts is given on before the next are read.
    for few in some.chunks(PARTS_AT_A_TIME) {
        let made = few.par_iter().map_init(EventReader::default, read);
        let made: Vec<Result<DataFrame, TableError>> = made.collect();
        for made in made {
            if (parts.take)(made?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Parts that are read side by side.
const PARTS_AT_A_TIME: usize = 8;

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
    events: &'a [BlockEvents],
}

/// A record, by its place among the kept ones of its block.
struct EventRow<'a> {
    events: &'a BlockEvents,
    place: usize,
}

impl<'a> EventRows<'a> {
    fn all(&self) -> impl Iterator<Item = EventRow<'a>> {
        self.events.iter().flat_map(|events| (0..events.kinds.len()).map(move |place| EventRow { events, place }))
    }
}

impl EventRow<'_> {
    fn code(&self) -> u16 {
        self.events.codes[usize::from(self.events.kinds[self.place])].0
    }
}

fn frame(wanted: Option<&[String]>, words: &Words<'_>, events: &[BlockEvents]) -> Result<DataFrame, TableError> {
    let mut frame = Frame::new(wanted);
    fill(&EventRows { words, events }, &mut frame)?;
    frame.finish()
}

fn opcode_name(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Info => "info",
        Opcode::Start => "start",
        Opcode::Stop => "stop",
    }
}
