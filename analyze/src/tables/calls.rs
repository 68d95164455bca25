//! `calls`: API calls.

use super::Table;
use super::frame::Frame;
use super::wide::WideCalls;
use crate::analysis::Analysis;
use crate::columns::LineKind;
use crate::error::AnalyzeError;
use polars::prelude::DataFrame;
use taut_schemas::Layer;

pub(super) const TABLE: Table = Table {
    name: "calls",
    description: "One API call, start and stop joined, in the order of all threads; null where it never returned.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let wide = WideCalls::read(analysis, Layer::Api)?;
    let (mut places, mut seqs) = (Vec::new(), Vec::new());
    for line in &wide.records.lines.lines {
        if let LineKind::Call(index) = line.kind {
            places.push((line.thread_index, index));
            seqs.push(line.moment.seq);
        }
    }
    let mut frame = Frame::default();
    frame.column("call", (0..places.len() as u64).collect::<Vec<_>>());
    frame.column("seq", seqs);
    wide.columns(analysis, &places, &mut frame);
    frame.finish()
}
