//! `events`: every record.

use super::Table;
use super::column::columns;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::Selecting;
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::collections::HashMap;
use taut_schemas::{EventCode, Layer, Opcode};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    columns: columns![
        stamp: U64, "Ticks of the trace's clock; with `thread` the order of all records.";
        thread: U32, "The application thread that wrote it.";
        code: U32, "Number of the event: four times the number of its line, plus 0 for a mark, 1 for a start, 2 for a stop.";
        name: Text, "Name of the call or mark.";
        layer: Text, "`api`, `ddi` or `mark`.";
        opcode: Text, "`start`, `stop` or `info`.";
    ],
    fields_of: None,
    make,
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), AnalyzeError> {
    let extract = analysis.trace().extract(&Selecting::default().finish())?;
    analysis.met(&extract.damage);
    let known = analysis.trace().header().schema.events.iter();
    let known: HashMap<EventCode, [&str; 3]> = known
        .map(|event| (event.code, [event.name.as_str(), layer_name(event.layer), opcode_name(event.opcode)]))
        .collect();
    // Codes are 16 bits wide.
    let names = |which: usize| {
        let of = |code: u32| known.get(&EventCode(code as u16)).map_or("unknown", |names| names[which]);
        let names: Vec<&str> = (0..1 << 16).map(of).collect();
        let codes = extract.threads.par_iter().flat_map_iter(|thread| &thread.codes);
        codes.map(|code| names[usize::from(code.0)]).collect::<Vec<&str>>()
    };
    let threads = || extract.threads.iter().flat_map(|thread| std::iter::repeat_n(thread.thread, thread.codes.len()));
    let stamps = || extract.threads.iter().flat_map(|thread| thread.stamps.iter().copied());
    let codes = || extract.threads.iter().flat_map(|thread| thread.codes.iter());
    frame.column("stamp", || stamps().collect::<Vec<u64>>());
    frame.column("thread", || threads().collect::<Vec<u32>>());
    frame.column("code", || codes().map(|code| u32::from(code.0)).collect::<Vec<u32>>());
    frame.column("name", || names(0));
    frame.column("layer", || names(1));
    frame.column("opcode", || names(2));
    Ok(())
}

fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Api => "api",
        Layer::Ddi => "ddi",
        Layer::Mark => "mark",
    }
}

fn opcode_name(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Info => "info",
        Opcode::Start => "start",
        Opcode::Stop => "stop",
    }
}
