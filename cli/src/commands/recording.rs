//! Steps of `taut record` around the recording: options, output, and the summary at the end.

use crate::args::{Common, IdentityChoice, Record};
use std::io;
use std::path::Path;
use taut_analyze::render::{binary_bytes, grouped};
use taut_app::record::{Ended, RecordOptions, Recorded, check_replaced};
use taut_app::world::parts;
use taut_console::outcome::{Failure, Status};
use taut_console::output::{Kind, Output, Outputs, is_stdio};
use taut_console::printing::{folded, print_message};
use taut_console::snapshot_signal;
use taut_schemas::counted;
use taut_traces::{Header, HostInfo, Snapshot, TraceWriter, WriteError};

/// Options of the recording.
pub fn options(record: &Record) -> RecordOptions {
    RecordOptions {
        workload: record.workload.clone(),
        world: record.world.options(),
        machine: record.machine.clone(),
        seed: Some(record.seed),
        threads: record.threads,
        parameters: record.set.clone(),
        clock: record.clock.clock(),
    }
}

/// Checks that the target of the trace fits the options.
pub fn check_target(record: &Record, path: &Path) -> Result<(), Failure> {
    record.writing.check(path)?;
    if record.tables && is_stdio(path) {
        return Err(Failure::usage("--tables: of a trace on standard output no tables are kept; say -o FILE"));
    }
    Ok(())
}

/// Opens the output of the trace. The inputs of the recording are refused.
pub fn open_output(record: &Record, path: &Path, common: Common) -> Result<(Outputs, Output), Failure> {
    let values = record.set.iter().filter_map(|set| Some(set.split_once('=')?.1));
    let drivers = record.world.driver.as_deref().map(parts);
    let drivers = drivers.into_iter().flat_map(|(first, others)| std::iter::once(first).chain(others));
    let inputs = values.chain(drivers).chain(record.machine.as_deref()).chain([record.workload.as_str()]);
    let mut outputs = Outputs::new(inputs.filter(|input| *input != "-").map(Path::new), common.force);
    let output = outputs.open(path, Kind::Trace)?;
    Ok((outputs, output))
}

/// Returns the function that starts the trace at `output`, with the requested identity, options and snapshot triggers.
pub fn trace_opener<'a>(
    record: &Record,
    output: &'a Output,
) -> impl FnOnce(Header) -> Result<TraceWriter, WriteError> + use<'a> {
    let host_info = (record.identity == IdentityChoice::Full).then(host_info);
    let options = record.writing.write_options();
    move |mut header| {
        if let Some(path) = output.replaces() {
            check_replaced(path, output.name(), &header)?;
        }
        header.identity.host_info = host_info;
        let writer = output.recorder(header, options)?;
        let requests = writer.snapshot_requests();
        snapshot_signal::on_signal(move || requests.request());
        writer.on_snapshot(report_snapshot);
        Ok(writer)
    }
}

fn report_snapshot(taken: &io::Result<Snapshot>) {
    match taken {
        Ok(Snapshot { path, written }) => {
            print_message(format_args!("snapshot {}: {}", path.display(), counted(written.events, "event")));
        }
        Err(error) => print_message(format_args!("no snapshot: {error}")),
    }
}

fn host_info() -> HostInfo {
    // The names of these variables differ between systems.
    let of = |names: &[&str]| names.iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
    let host = host().unwrap_or_else(|| of(&["COMPUTERNAME", "HOSTNAME"]));
    let command_line = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    HostInfo { host, user: of(&["USER", "LOGNAME", "USERNAME"]), command_line }
}

#[cfg(unix)]
fn host() -> Option<String> {
    nix::unistd::gethostname().ok().map(|name| name.to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    None
}

/// Status of a recording by its end, which is reported on stderr unless all calls were made.
pub fn status(ended: Ended) -> Status {
    match ended {
        Ended::Complete => Status::Fine,
        // A recording that reached its size or time limit is complete.
        Ended::Limit(cause) => {
            print_message(format_args!("the recording ended before its workload: {cause}"));
            Status::Fine
        }
        Ended::Interrupted => {
            print_message("interrupted; what was recorded until then is whole");
            Status::Interrupted
        }
    }
}

/// Prints what a quiet recording reports: lost events, and a capture that the recording does not represent.
fn print_losses(name: &str, recorded: &Recorded) {
    if recorded.written.lost_events > 0 {
        print_message(format_args!("recorded {name}: {} lost", counted(recorded.written.lost_events, "event")));
    }
    if let Some(presents) = recorded.presents().filter(|presents| presents.agreement.is_poor()) {
        print_message(format_args!("recorded {name}: {}", presents.agreement));
    }
}

/// Prints the summary of the recording; of a quiet one, only losses.
pub fn print_summary(outputs: &Outputs, file: &Path, recorded: &Recorded, common: Common) -> Result<(), Failure> {
    if common.json {
        return outputs.print_json_message(&recorded.json(&file.to_string_lossy()));
    }
    let presents = recorded.presents();
    let name = if outputs.has_stdout() { "to standard output".into() } else { file.display().to_string() };
    if common.quiet {
        print_losses(&name, recorded);
        return Ok(());
    }
    let name = match presents {
        // Agreement with the capture is the result; the size of the trace comes after it.
        Some(presents) => format!("{name}: {}\n", presents.agreement),
        None => format!("{name}: "),
    };
    let mut text = format!(
        "recorded {name}{}, {}, {} lost; driver {}\n",
        counted(recorded.written.events, "event"),
        binary_bytes(recorded.written.bytes),
        grouped(recorded.written.lost_events),
        recorded.drivers,
    );
    for summary in recorded.summary_text().into_iter().chain(presents.map(ToString::to_string)) {
        text += &format!("{summary}\n");
    }
    outputs.print_message(&folded(&text))
}
