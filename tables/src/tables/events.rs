//! `events`: all records.

use super::classes::{CLASS, Classes, PLACE, SelectedBlock, SelectedClasses, parts_at_a_time};
use super::column::columns;
use super::frame::Frame;
use super::parts::Map;
use super::{Make, Parts, Table};
use crate::error::TableError;
use polars::prelude::{Column, DataFrame, Int64Chunked, IntoColumn, UInt32Chunked};
use polars::series::IsSorted;
use rayon::prelude::*;
use taut_analyze::Analysis;
use taut_schemas::{EventSchema, Opcode, SchemaTable};
use taut_traces::{BlockEvents, BlockInfo, EventReader, KindStamps};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One row per record: stamp, thread and event. Rows are ordered by thread, then as recorded.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfClasses { make, classes, class_aggregate },
};

columns! {
    row of rows: &EventRows<'_>;
    stamp: I64, "Stamp, in ticks of the trace's clock; (`stamp`, `thread`) is the order of all records.", row.events.stamps[row.place];
    thread: I64, "Thread that wrote the record: an application thread, a worker (from 65536) or the GPU (131072).", row.events.thread;
    code: I64, "Event code: 4 × the event's number, plus 0 for a mark, 1 for a start, 2 for a stop.", u32::from(row.code());
    name: Text in &rows.words.of(|event| &event.name), "Name of the call or mark.", rows.words.places[usize::from(row.code())];
    provider: Text in &rows.words.of(|event| &event.provider), "Event family, such as `d3d12`, `d3d11`, `dxgi`, `win32`, `machine`, `d3d12_ddi`, `d3d11_ddi`, `d3d12_callbacks` or `mark`; names are unique per provider.", rows.words.places[usize::from(row.code())];
    layer: Text in &rows.words.of(|event| event.layer.name()), "`api`, `ddi`, `task` (work of workers and the GPU) or `mark`.", rows.words.places[usize::from(row.code())];
    opcode: Text in &rows.words.of(|event| opcode_name(event.opcode)), "`start`, `stop` or `info`.", rows.words.places[usize::from(row.code())];
}

/// Columns that follow from a record's code and thread: all except the stamp.
pub(super) fn of_classes() -> Vec<&'static str> {
    COLUMNS.iter().map(|column| column.name).filter(|name| *name != "stamp").collect()
}

/// Computes one row per class; the wanted columns are among [`of_classes`].
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
    let SelectedClasses { classes, selection } = match parts.selection {
        Some(selected) => selected,
        None => {
            own = Classes::read(analysis);
            SelectedClasses { classes: &own, selection: None }
        }
    };
    let (at_a_time, part_records) = parts_at_a_time();
    let some = classes.parts(selection, part_records);
    let (wanted, map) = (parts.wanted, parts.map);
    let read = |reader: &mut EventReader, part: &Vec<SelectedBlock<'_>>| {
        if stamps {
            check_stamps(analysis, part, reader)?;
        }
        let mut events = Vec::with_capacity(part.len());
        for block in part {
            match trace.block_events(block.block, block.selection, stamps, reader) {
                Ok(found) => events.push(found),
                Err(damage) => analysis.met(&[damage]),
            }
        }
        map(frame(wanted, &words, &events)?)
    };
    // Chunks are processed in batches: the results of one batch are passed on before the next is read, which bounds
    // memory.
    for few in some.chunks(at_a_time) {
        let results = few.par_iter().map_init(EventReader::default, read);
        let results: Vec<Result<DataFrame, TableError>> = results.collect();
        for results in results {
            if (parts.take)(results?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads the record columns of selected classes: the index of each record's class, ascending, its stamp, and its index
/// in its block if `places` is set. One chunk at a time, through `map`; all results are collected, so `map` must reduce
/// them.
pub(super) fn class_aggregate(
    analysis: &Analysis,
    selected: SelectedClasses<'_>,
    places: bool,
    map: &Map<'_>,
) -> Result<Vec<DataFrame>, TableError> {
    let trace = analysis.trace();
    let read = |reader: &mut EventReader, part: &Vec<SelectedBlock<'_>>| {
        check_stamps(analysis, part, reader)?;
        let records = part.iter().map(|block| block.records()).sum();
        let mut found = KindStamps::with_capacity(records, places);
        let mut numbers: Vec<u32> = Vec::with_capacity(records);
        for block in part {
            match trace.block_stamps(block.block, block.selection, reader, &mut found) {
                Ok(()) => block.classes().for_each(|(class, records)| {
                    numbers.resize(numbers.len() + records as usize, class);
                }),
                Err(damage) => analysis.met(&[damage]),
            }
        }
        let mut numbers = UInt32Chunked::from_vec(CLASS.into(), numbers);
        numbers.set_sorted_flag(IsSorted::Ascending);
        let mut columns = vec![numbers.into_column(), stamps(found.stamps)];
        columns.extend(found.places.map(|places| UInt32Chunked::from_vec(PLACE.into(), places).into_column()));
        map(DataFrame::new_infer_height(columns)?)
    };
    let (at_a_time, part_records) = parts_at_a_time();
    let parts = selected.classes.parts(selected.selection, part_records);
    let mut results = Vec::with_capacity(parts.len());
    // A pool thread that waits for polars' own tasks starts another chunk meanwhile; over all chunks it would start
    // them all at once.
    for few in parts.chunks(2 * at_a_time) {
        let few: Result<Vec<DataFrame>, TableError> =
            few.par_iter().with_max_len(1).map_init(EventReader::default, read).collect();
        results.extend(few?);
    }
    Ok(results)
}

/// Converts checked stamps to a column.
fn stamps(stamps: Vec<u64>) -> Column {
    let stamps: Vec<i64> = stamps.into_iter().map(|stamp| stamp as i64).collect();
    Int64Chunked::from_vec("stamp".into(), stamps).into_column()
}

/// Fails for blocks with a stamp above 2⁶³ − 1, which the column cannot hold; the error names the row of the first such
/// stamp.
fn check_stamps(analysis: &Analysis, part: &[SelectedBlock<'_>], reader: &mut EventReader) -> Result<(), TableError> {
    let is_too_large = |stamp: &u64| i64::try_from(*stamp).is_err();
    let Some(found) = part.iter().find(|block| is_too_large(&block.block.max_stamp)) else { return Ok(()) };
    // The block is read again without its selection, because the row number counts all records.
    let classes = Classes::read(analysis);
    let mut row = 0;
    for block in classes.parts(None, usize::MAX).iter().flatten() {
        if block.block != found.block {
            row += block.records() as u64;
            continue;
        }
        let events = analysis.trace().block_events(block.block, block.selection, true, reader);
        let stamps = events.map(|events| events.stamps).unwrap_or_default();
        let first = stamps.iter().position(is_too_large).unwrap_or_default();
        let value = stamps.get(first).unwrap_or(&found.block.max_stamp).to_string();
        row += first as u64 + 1;
        return Err(TableError::TooLarge { table: TABLE.name.to_owned(), row, column: "stamp".to_owned(), value });
    }
    Ok(())
}

/// Text values of columns that depend on the code.
struct Words<'a> {
    /// By code: index of the event in the schema table.
    places: Vec<u32>,
    events: &'a [EventSchema],
}

impl<'a> Words<'a> {
    fn new(schema: &'a SchemaTable) -> Words<'a> {
        let events = schema.events.as_slice();
        // Codes are 16 bits wide; the index after the last event stands for codes that are not in the schema table.
        let mut places = vec![events.len() as u32; 1 << 16];
        (0..).zip(events).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
        Words { places, events }
    }

    fn of(&self, word: fn(&EventSchema) -> &str) -> Vec<&str> {
        self.events.iter().map(word).chain(["unknown"]).collect()
    }
}

/// Records of several blocks.
struct EventRows<'a> {
    words: &'a Words<'a>,
    events: &'a [BlockEvents],
}

/// A record, by its index among the selected ones of its block.
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
