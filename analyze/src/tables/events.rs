//! `events`: every record.

use super::Table;
use super::column::columns;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::Selecting;
use crate::error::AnalyzeError;
use taut_schemas::{EventSchema, Opcode};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    columns: columns![
        stamp: U64, "Ticks of the trace's clock; with `thread` the order of all records.";
        thread: U32, "The thread that wrote it: an application's, or from 65536 a worker's, or 131072, the graphics processor's.";
        code: U32, "Number of the event: four times the number of its line, plus 0 for a mark, 1 for a start, 2 for a stop.";
        name: Text, "Name of the call or mark.";
        layer: Text, "`api`, `ddi`, `task` (what the machine does by itself) or `mark`.";
        opcode: Text, "`start`, `stop` or `info`.";
    ],
    fields_of: None,
    make,
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), AnalyzeError> {
    let extract = analysis.trace().extract(&Selecting::default().finish())?;
    analysis.met(&extract.damage);
    let known = &analysis.trace().header().schema.events;
    // Codes are 16 bits wide; the last place stands for a code that the table does not have.
    let mut places = vec![known.len() as u32; 1 << 16];
    (0..).zip(known).for_each(|(place, event)| places[usize::from(event.code.0)] = place);
    let words = |of: fn(&EventSchema) -> &str| known.iter().map(of).chain(["unknown"]).collect::<Vec<&str>>();
    let rows = || {
        let codes = extract.threads.iter().flat_map(|thread| &thread.codes);
        codes.map(|code| places[usize::from(code.0)]).collect::<Vec<u32>>()
    };
    let threads = || extract.threads.iter().flat_map(|thread| std::iter::repeat_n(thread.thread, thread.codes.len()));
    let stamps = || extract.threads.iter().flat_map(|thread| thread.stamps.iter().copied());
    let codes = || extract.threads.iter().flat_map(|thread| thread.codes.iter());
    frame.column("stamp", || stamps().collect::<Vec<u64>>());
    frame.column("thread", || threads().collect::<Vec<u32>>());
    frame.column("code", || codes().map(|code| u32::from(code.0)).collect::<Vec<u32>>());
    frame.words("name", &words(|event| &event.name), rows)?;
    frame.words("layer", &words(|event| event.layer.name()), rows)?;
    frame.words("opcode", &words(|event| opcode_name(event.opcode)), rows)
}

fn opcode_name(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Info => "info",
        Opcode::Start => "start",
        Opcode::Stop => "stop",
    }
}
