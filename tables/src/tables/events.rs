//! `events`: every record.

use super::classes::{CLASS, Classes, KeptBlock, PLACE, parts_at_a_time};
use super::column::columns;
use super::frame::Frame;
use super::{Make, Parts, Table};
use crate::error::TableError;
use polars::prelude::{Column, DataFrame, DataType, Int64Chunked, IntoColumn, UInt32Chunked, UInt64Chunked};
use polars::series::IsSorted;
use rayon::prelude::*;
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, Opcode, SchemaTable};
use taut_traces::{BlockEvents, BlockInfo, EventReader, KindStamps};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfClasses { make, classes, by_class },
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
    let (at_a_time, part_records) = parts_at_a_time();
    let some = classes.parts(kept, part_records);
    let (wanted, map) = (parts.wanted, parts.map);
    let read = |reader: &mut EventReader, part: &Vec<KeptBlock<'_>>| {
        let mut events = Vec::with_capacity(part.len());
        for block in part {
            match trace.block_events(block.block, block.kept, stamps, reader) {
                Ok(found) => events.push(found),
                Err(damage) => analysis.met(&[damage]),
            }
        }
        map(frame(wanted, &words, &events)?)
    };
    // What is made of one after another of these parts is given on before the next are read.
    for few in some.chunks(at_a_time) {
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

/// What of kept records does not follow from their classes: the number of each record's class, in rising order, its stamp, and
/// its place in its block, if `places` are asked for. A part at a time, through `map`; what comes of them is small.
pub(super) fn by_class(
    analysis: &Analysis,
    (classes, kept): (&Classes, Option<&[bool]>),
    places: bool,
    map: &(dyn Fn(DataFrame) -> Result<DataFrame, TableError> + Sync),
) -> Result<Vec<DataFrame>, TableError> {
    let trace = analysis.trace();
    let read = |reader: &mut EventReader, part: &Vec<KeptBlock<'_>>| {
        let records = part.iter().map(|block| block.records()).sum();
        let mut found = KindStamps::with_capacity(records, places);
        let mut numbers: Vec<u32> = Vec::with_capacity(records);
        for block in part {
            match trace.block_stamps(block.block, block.kept, reader, &mut found) {
                Ok(()) => block.classes().for_each(|(class, records)| {
                    numbers.resize(numbers.len() + records as usize, class);
                }),
                Err(damage) => analysis.met(&[damage]),
            }
        }
        let mut numbers = UInt32Chunked::from_vec(CLASS.into(), numbers);
        numbers.set_sorted_flag(IsSorted::Ascending);
        let mut columns = vec![numbers.into_column(), stamps(found.stamps, part)?];
        columns.extend(found.places.map(|places| UInt32Chunked::from_vec(PLACE.into(), places).into_column()));
        map(DataFrame::new_infer_height(columns)?)
    };
    let (at_a_time, part_records) = parts_at_a_time();
    let parts = classes.parts(kept, part_records);
    let mut made = Vec::with_capacity(parts.len());
    // A thread that waits for polars' own threads begins with another part meanwhile: of all parts it would begin with all.
    for few in parts.chunks(2 * at_a_time) {
        let few: Result<Vec<DataFrame>, TableError> =
            few.par_iter().with_max_len(1).map_init(EventReader::default, read).collect();
        made.extend(few?);
    }
    Ok(made)
}

/// Stamps as a table has them: null above 2⁶³ − 1.
fn stamps(stamps: Vec<u64>, part: &[KeptBlock<'_>]) -> Result<Column, TableError> {
    if part.iter().all(|block| i64::try_from(block.block.greatest_stamp).is_ok()) {
        let stamps: Vec<i64> = stamps.into_iter().map(|stamp| stamp as i64).collect();
        return Ok(Int64Chunked::from_vec("stamp".into(), stamps).into_column());
    }
    Ok(UInt64Chunked::from_vec("stamp".into(), stamps).into_column().cast(&DataType::Int64)?)
}

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
