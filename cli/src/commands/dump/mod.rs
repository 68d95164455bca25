//! `taut dump`: prints events, as text or JSON lines.

mod follow;
mod line;

use crate::args::{Common, Dump};
use crate::failure::failure;
use line::Printer;
use std::cell::RefCell;
use taut_app::dump::{DumpOptions, SelectedRows};
use taut_console::outcome::Outcome;
use taut_console::traces::{open, report_damage};
use taut_traces::Row;

/// Prints events.
pub fn run(dump: &Dump, common: Common) -> Outcome {
    let options = DumpOptions {
        from: dump.from,
        to: dump.to,
        around: dump.around,
        thread: dump.thread,
        event: dump.event.clone(),
        limit: dump.limit,
    };
    options.check_stamps().map_err(failure)?;
    if dump.follow {
        return follow::run(&dump.file, &options, common);
    }
    let trace = open(&dump.file)?;
    options.check_event(&trace).map_err(failure)?;
    let mut out = Printer::new(common.json);
    let SelectedRows { rows, open_calls } = options.rows(&trace);
    open_calls.iter().for_each(|(thread, calls)| out.set_open_calls(*thread, calls));
    let out = RefCell::new(out);
    let line = |row: &Row<'_>| out.borrow_mut().line(&trace, row);
    let damage = options.each(&trace, rows, line, |line| out.borrow_mut().add(&trace, line))?;
    out.borrow_mut().print()?;
    Ok(report_damage(&dump.file, &trace, &damage))
}
