//! The Perfetto export contains the events of the trace. The file is decoded by code that is independent of the
//! exporter.

mod contents;
mod expected;
mod losses;
mod reading;
mod wire;

use crate::golden::trace;
use reading::File;
use taut_analyze::Analysis;
use taut_analyze::export::write_perfetto;
use taut_traces::Trace;

fn exported(analysis: &Analysis) -> (File, usize) {
    let mut bytes = Vec::new();
    write_perfetto(analysis, &mut bytes).unwrap();
    (File::read(&bytes), bytes.len())
}

/// A small trace with all kinds of events, and a trace of a real scene.
fn traces() -> [Analysis; 2] {
    let real = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/pix-single-frame.taut");
    [trace(), Trace::open(real).unwrap()].map(|trace| Analysis::new(trace).unwrap())
}
