//! `taut record`: runs a workload and records it to a trace.

use super::recording::{check_target, open_output, options, print_summary, status, trace_opener};
use crate::args::{Common, Record};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use std::path::PathBuf;
use std::sync::Arc;
use taut_app::record::{Finished, Plan, StopRequest, Summary};
use taut_console::address_space;
use taut_console::interrupt::handle_interrupt;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::print_message;

/// Records the workload.
pub fn run(record: &Record, common: Common) -> Outcome {
    let progress = ProgressBar { quiet: common.quiet };
    let plan = Plan::new(&options(record)).map_err(failure)?;
    let path = record.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.taut", plan.name())));
    check_target(record, &path)?;
    let (mut outputs, output) = open_output(record, &path, common)?;
    let recording = plan.read(&progress).map_err(failure)?;
    outputs.add_inputs(recording.files())?;
    address_space::require(address_space::RECORDING_BYTES, "a recording")?;
    let stop = Arc::new(StopRequest::default());
    let request = Arc::clone(&stop);
    let interrupt_guard = handle_interrupt(move || request.request());
    let finished = recording.record(trace_opener(record, &output), &stop, &progress);
    drop(interrupt_guard);
    let Finished { recorded, ended } = finished.map_err(failure)?;
    if let Some(why) = &recorded.no_rundown {
        print_message(format_args!(
            "without what the runtime remembered, a recording whose begin is gone cannot be replayed: {why}"
        ));
    }
    let file = output.name().to_owned();
    // The trace of a failed workload is finished too, because it shows which call failed.
    output.finish()?;
    let ended = match ended {
        // Of generated calls there is nothing to report but the error.
        Err(error) if matches!(recorded.summary, Summary::Generated) => return Err(failure(error)),
        ended => ended.map_err(failure),
    };
    print_summary(&outputs, &file, &recorded, common)?;
    if record.tables {
        super::tables::build_tables(&file);
    }
    if let Some(left_out) = &recorded.left_out {
        print_message(left_out);
    }
    let status = status(ended?);
    if status != Status::Fine {
        return Ok(status);
    }
    // Rows that could not be read outweigh presents that differ.
    if let Some(fault) = &recorded.fault {
        print_message(fault);
        return Ok(Status::Incomplete);
    }
    let is_poor = recorded.presents().is_some_and(|presents| presents.agreement.is_poor());
    Ok(if is_poor { Status::Found } else { Status::Fine })
}
