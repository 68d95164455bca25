//! `taut dump`: prints events, as text or JSON lines.

mod follow;
mod line;

use crate::args::{Common, Dump};
use crate::failure::failure;
use line::Printer;
use std::collections::VecDeque;
use taut_app::dump::{Around, DumpOptions, SelectedRows};
use taut_console::outcome::{Outcome, Status};
use taut_console::traces::{open, report_damage};

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
    let limit = options.limit.unwrap_or(usize::MAX);
    let mut shown = 0;
    let mut before = VecDeque::new();
    let around = options.around();
    let mut after = around.map_or(usize::MAX, |around| around.half.max(1));
    let SelectedRows { mut rows, open_calls } = options.rows(&trace);
    open_calls.iter().for_each(|(thread, calls)| out.set_open_calls(*thread, calls));
    let status = loop {
        let Some(row) = rows.next_row() else { break Status::Fine };
        if options.is_after(&row) || shown >= limit || after == 0 {
            break Status::Fine;
        }
        // Every row is formatted, even if it is not printed: the indentation depends on all calls before it.
        let line = out.line(&trace, &row)?;
        let wanted = options.selects(&trace, &row);
        match around {
            _ if !wanted => {}
            Some(Around { stamp, half }) if row.stamp < stamp => {
                before.push_back(line);
                if before.len() > half {
                    before.pop_front();
                }
            }
            _ => {
                after = if around.is_some() { after - 1 } else { after };
                shown += before.len() + 1;
                before.drain(..).try_for_each(|line| out.add(&trace, &line))?;
                out.add(&trace, &line)?;
            }
        }
    };
    before.drain(..).try_for_each(|line| out.add(&trace, &line))?;
    out.print()?;
    Ok(status.max(report_damage(&dump.file, &trace, rows.damage())))
}
