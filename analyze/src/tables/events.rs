//! `events`: every record.

use super::Table;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::Selecting;
use crate::error::AnalyzeError;
use polars::prelude::DataFrame;
use std::collections::HashMap;
use taut_schemas::{EventCode, Layer, Opcode};

pub(super) const TABLE: Table = Table {
    name: "events",
    description: "One record: when, by which thread, and of which event; thread by thread, in the order of writing.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let extract = analysis.trace().extract(&Selecting::default().finish())?;
    let known = analysis.trace().header().schema.events.iter();
    let known: HashMap<EventCode, (&str, &str, &str)> = known
        .map(|event| (event.code, (event.name.as_str(), layer_name(event.layer), opcode_name(event.opcode))))
        .collect();
    let codes = || extract.threads.iter().flat_map(|thread| thread.codes.iter());
    let of = |code: &EventCode| known.get(code).copied().unwrap_or(("unknown", "unknown", "unknown"));
    let numbers = extract.threads.iter().flat_map(|thread| std::iter::repeat_n(thread.thread, thread.codes.len()));
    let mut frame = Frame::default();
    frame.column("stamp", extract.threads.iter().flat_map(|thread| thread.stamps.iter().copied()).collect::<Vec<_>>());
    frame.column("thread", numbers.collect::<Vec<u32>>());
    frame.column("code", codes().map(|code| u32::from(code.0)).collect::<Vec<_>>());
    frame.column("name", codes().map(|code| of(code).0).collect::<Vec<_>>());
    frame.column("layer", codes().map(|code| of(code).1).collect::<Vec<_>>());
    frame.column("opcode", codes().map(|code| of(code).2).collect::<Vec<_>>());
    frame.finish()
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
