//! `presents`: presents of an imported trace.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::imported::{self, ImportedPresent, Processes};

pub(super) const TABLE: Table = Table {
    name: "presents",
    description: "One row per present that Windows reported, in order of the start. Empty unless the trace was imported \
                  from a trace of Windows. A value that depends on events that the trace lacks is null.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfTrace(make),
};

columns! {
    row of rows: &PresentRows<'_>;
    process: I64, "Number of the process.", row.process;
    process_name: Text, "File name of the process; null if the trace does not have it.", rows.name(row);
    thread: I64, "Thread, as in `events`.", row.stream;
    swap_chain: U64, "Address of the swap chain; null without an event of DXGI or Direct3D 9.", row.swap_chain;
    window: U64, "Handle of the window; null without one.", row.window;
    source: I64, "VidPnSourceId of a flip; null for other presents.", row.source;
    start_stamp: I64, "Time of the first event, in ticks.", row.start_stamp;
    shown_stamp: I64, "Time of the display, in ticks; null if the trace does not show it.", row.shown_stamp;
    submission: Text, "Operation: `flip`, `blit`, `redirected_blit`, `token` (for the compositor), or `api` without an event of the kernel.", row.submission.name();
    path: Text, "Path to the display, `unknown` if the events that decide it are absent.", row.path.name();
    interval_ms: F64, "Time since the start of the previous present of the same process, swap chain, window and source; null for the first.", rows.milliseconds(row.interval_ticks);
    cross_adapter: Bool, "True if the present goes to another adapter; null if the event of its end has no flags.", row.is_cross_adapter;
}

struct PresentRows<'a> {
    analysis: &'a Analysis,
    presents: &'a [ImportedPresent],
    names: BTreeMap<u32, String>,
}

impl<'a> PresentRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a ImportedPresent> {
        self.presents.iter()
    }

    fn name(&self, row: &ImportedPresent) -> Option<&str> {
        self.names.get(&row.process).map(String::as_str)
    }

    fn milliseconds(&self, ticks: Option<u64>) -> Option<f64> {
        self.analysis.time_ns(ticks?).map(|ns| ns as f64 / 1e6)
    }
}

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let found = imported::presents(analysis.source())?.unwrap_or_default();
    let names = match frame.wants("process_name") && !found.presents.is_empty() {
        true => Processes::names(analysis.source())?,
        false => BTreeMap::new(),
    };
    fill(&PresentRows { analysis, presents: &found.presents, names }, frame)
}
