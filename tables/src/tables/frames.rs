//! `frames`: frames of swap chains, from present to display.

use super::column::columns;
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::presents::{self, At, Frame, PresentEvent};
use taut_schemas::FrameOutcome;

pub(super) const TABLE: Table = Table {
    name: "frames",
    description: "One row per displayed or dropped frame of a swap chain, in order of the end. Columns `…_at_ns` are \
                  simulated times, in nanoseconds since the session began; null without a time.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

/// Rows per chunk.
const ROWS: usize = 1 << 16;

columns! {
    row of rows: &FrameRows<'_>;
    stamp: I64, "Time of the record of the end, in ticks.", row.0.stamp;
    thread: I64, "Thread of the record.", row.0.thread;
    swap_chain: U64, "Id of the swap chain.", row.1.swap_chain.0;
    frame: I64, "Number of the frame in the swap chain, from 1.", row.1.present_count;
    outcome: Text, "Outcome: `FLIPPED`, `COMPOSED`, `TORN` or `NEVER_SHOWN`.", rows.outcomes.of(&row.1.outcome);
    copies: I64, "Number of copies between adapters.", row.1.copies();
    bytes_copied: I64, "Bytes moved by the copies.", row.1.bytes_copied;
    presented_at_ns: I64, "Time of the Present.", row.1.presented_at_ns;
    rendered_at_ns: I64, "End of rendering.", time(row.1.rendered_at_ns);
    copy_1_started_at_ns: I64, "Begin of the first copy.", time(row.1.copy_1_started_at_ns);
    copy_1_ended_at_ns: I64, "End of the first copy.", time(row.1.copy_1_ended_at_ns);
    copy_2_started_at_ns: I64, "Begin of the second copy.", time(row.1.copy_2_started_at_ns);
    copy_2_ended_at_ns: I64, "End of the second copy.", time(row.1.copy_2_ended_at_ns);
    ready_at_ns: I64, "Time from which the frame could be displayed.", time(row.1.ready_at_ns);
    composition_started_at_ns: I64, "Begin of composition.", time(row.1.composition_started_at_ns?);
    composition_ended_at_ns: I64, "End of composition.", time(row.1.composition_ended_at_ns?);
    ended_at_ns: I64, "Time of display or drop.", row.1.ended_at_ns;
    latency_ns: I64, "Time from Present to display; null if the frame was dropped.", row.1.is_shown().then(|| row.1.ended_at_ns.saturating_sub(row.1.presented_at_ns));
}

/// Returns a time; 0 means that there is none.
fn time(at_ns: u64) -> Option<u64> {
    (at_ns > 0).then_some(at_ns)
}

struct FrameRows<'a> {
    rows: &'a [(At, Frame)],
    outcomes: &'a ValueNames<'a, FrameOutcome>,
}

impl<'a> FrameRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a (At, Frame)> {
        self.rows.iter()
    }
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let outcomes = Events::new(&analysis.trace().header().schema).names();
    let mut rows = Vec::new();
    let mut flow = ControlFlow::Continue(());
    let mut give = |rows: &mut Vec<(At, Frame)>| -> Result<ControlFlow<()>, TableError> {
        let mut frame = parts.frame();
        fill(&FrameRows { rows, outcomes: &outcomes }, &mut frame)?;
        rows.clear();
        parts.give(frame)
    };
    presents::each(analysis.source(), |at, event| -> Result<_, TableError> {
        if let PresentEvent::Frame(frame) = event {
            rows.push((at, frame));
        }
        if rows.len() >= ROWS {
            flow = give(&mut rows)?;
        }
        Ok(flow)
    })?;
    // A table has at least one chunk, so an empty one is emitted if there are no rows.
    if flow.is_continue() {
        let _ = give(&mut rows)?;
    }
    Ok(())
}
