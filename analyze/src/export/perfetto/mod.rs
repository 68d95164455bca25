//! Output for ui.perfetto.dev and Perfetto's trace processor: TrackEvent packets.
//!
//! Calls are nested slices on the tracks of their threads, with arguments and results as annotations. Background tasks,
//! submissions, frames and phases have tracks of their own; memory and variants are shown by counters. Simulated time is a
//! process of its own, in which a flow leads from each Present over drawing and copies to the display. All packets form one sequence in order of time: names and texts are interned, times are deltas, and packets
//! are compressed in chunks.

mod arguments;
mod counters;
mod flows;
mod frames;
mod interning;
mod memory;
mod packets;
mod phases;
mod scalar;
mod sequence;
mod slices;
mod spans;
mod tasks;
mod thread;
mod tracks;

use super::record_batch::RecordBatch;
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use counters::VariantsInUse;
use flows::Flows;
use memory::Memory;
use sequence::Sequence;
use slices::Slices;
use spans::Spans;
use std::io::Write;
use tracks::Tracks;

/// Max records of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// Writes the trace, a few of its blocks at a time.
///
/// # Errors
/// The trace cannot be read, or writing failed.
pub fn write_perfetto(analysis: &Analysis, mut out: impl Write + Send) -> Result<(), AnalyzeError> {
    let mut rows = analysis.trace().rows();
    let mut timeline = Timeline::new(analysis)?;
    let first_ns = since_start_ns(analysis, analysis.trace().summary().first_stamp.unwrap_or_default());
    rows.damage().iter().for_each(|damage| timeline.slices.damage(first_ns, damage, &mut timeline.sequence));
    let (mut batch, mut next) = (RecordBatch::default(), RecordBatch::default());
    batch.fill(&mut rows, BATCH_ROWS)?;
    loop {
        // The next rows are read while these are converted.
        let (read, packed) = rayon::join(|| next.fill(&mut rows, BATCH_ROWS), || timeline.batch(&batch));
        packed?.iter().try_for_each(|packed| out.write_all(packed))?;
        read?;
        if batch.len() == 0 {
            break;
        }
        std::mem::swap(&mut batch, &mut next);
    }
    analysis.met(rows.damage());
    timeline.finish()?.iter().try_for_each(|packed| out.write_all(packed))?;
    Ok(out.flush()?)
}

/// Time of a stamp; without a clock frequency, ticks are shown as nanoseconds and stamps are not shifted.
fn since_start_ns(analysis: &Analysis, stamp: u64) -> u64 {
    analysis.since_start_ns(stamp).unwrap_or(stamp)
}

/// All sources of events, in order of time.
struct Timeline<'a> {
    analysis: &'a Analysis,
    slices: Slices<'a>,
    spans: Spans,
    /// Slices in simulated time.
    frames: Spans,
    memory: Memory<'a>,
    variants: VariantsInUse,
    sequence: Sequence,
    now_ns: u64,
}

impl<'a> Timeline<'a> {
    fn new(analysis: &'a Analysis) -> Result<Timeline<'a>, AnalyzeError> {
        let (trace, background) = (analysis.trace(), analysis.background()?);
        let mut tracks = Tracks::new(&trace.header().world);
        let flows = Flows::new(background);
        let spans = tasks::lay(analysis, background, &flows, &mut tracks);
        let slices = Slices::new(trace, flows, &mut tracks);
        let memory = Memory::new(analysis.world()?, &mut tracks);
        let variants = VariantsInUse::new(background, &mut tracks);
        // Tracks of another process are added last, because new tracks belong to the last process.
        let frames = frames::lay(analysis, &mut tracks)?;
        let mut sequence = Sequence::new(slices.default_track());
        tracks.descriptors.into_iter().for_each(|track| sequence.track(track));
        Ok(Timeline { analysis, slices, spans, frames, memory, variants, sequence, now_ns: 0 })
    }

    /// Converts these records, and the events between them, to packets.
    fn batch(&mut self, batch: &RecordBatch) -> Result<Vec<Vec<u8>>, AnalyzeError> {
        let mut met = batch.met.iter().peekable();
        for (place, row) in batch.records(0, batch.len()).enumerate() {
            while let Some((_, damage)) = met.next_if(|(met, _)| *met <= place) {
                self.slices.damage(self.now_ns, damage, &mut self.sequence);
            }
            self.until(row.stamp);
            self.now_ns = since_start_ns(self.analysis, row.stamp);
            self.slices.row(self.now_ns, &row, &mut self.sequence)?;
        }
        met.for_each(|(_, damage)| self.slices.damage(self.now_ns, damage, &mut self.sequence));
        Ok(self.sequence.packed()?)
    }

    fn until(&mut self, stamp: u64) {
        self.frames.until_ns(since_start_ns(self.analysis, stamp), &mut self.sequence);
        self.spans.until(stamp, self.analysis, &mut self.sequence);
        self.memory.until(stamp, self.analysis, &mut self.sequence);
        self.variants.until(stamp, self.analysis, &mut self.sequence);
    }

    fn finish(mut self) -> Result<Vec<Vec<u8>>, AnalyzeError> {
        self.spans.until(u64::MAX, self.analysis, &mut self.sequence);
        self.memory.until(u64::MAX, self.analysis, &mut self.sequence);
        self.variants.until(u64::MAX, self.analysis, &mut self.sequence);
        self.slices.finish(self.now_ns, &mut self.sequence);
        // Simulated time may extend beyond the recording.
        self.frames.until_ns(u64::MAX, &mut self.sequence);
        Ok(self.sequence.finish()?)
    }
}
