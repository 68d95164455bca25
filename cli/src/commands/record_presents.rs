//! `taut record` of real presents, as PresentMon prints them.

use super::recording::{Origin, clock, ended_early, opened, output, parameters, report, told, unrecorded};
use crate::args::{Common, Record};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use taut_analyze::Analysis;
use taut_analyze::reports::present::ended_frames;
use taut_capture::present_log::{self, Ended, PresentComparison, PresentLog, PresentPlan, PresentReading};
use taut_capture::workloads::WorkloadError;
use taut_capture::{Adapters, Session};
use taut_console::interrupt::ask_instead;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::tell;
use taut_console::progress;
use taut_console::traces::open;
use taut_runtime::Settings;
use taut_schemas::{SwapChainId, counted};
use taut_traces::Workload;

/// What each present of the log became.
type Frames = [Option<(SwapChainId, u64)>];

/// Records a log's presents, and tells how many were shown when the log says.
pub fn from_presents(record: &Record, path: &Path, adapters: &Adapters, settings: Settings, common: Common) -> Outcome {
    let given = parameters(record, present_log::PARAMETERS)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (outputs, output) = output(record, &stem, common)?;
    let PresentReading { log, left_out, fault } = read(path)?;
    let plan = present_log::plan(&log, given.get("fps") * 1000);
    let mut facts = given.values();
    facts.insert("presents".to_owned(), Value::from(log.presents.len()));
    let name = path.file_name().map_or(stem, |name| name.to_string_lossy().into_owned());
    let workload = Workload { name, parameters: facts };
    let session = Session::record(opened(record, &output), adapters, settings, workload, clock(record));
    let session = session.map_err(unrecorded)?;
    let (stop, watched) = (session.stop(), session.stop());
    let asking = ask_instead(move || stop.ask());
    let (steps, done) = (log.presents.len() as u64, || watched.steps_done());
    let ran = progress::beside(steps, "recording presents", common.quiet, done, || {
        present_log::run(&log, &plan, &session, &given)
    });
    let written = session.finish().map_err(unrecorded)?;
    drop(asking);
    let file = output.name().to_owned();
    output.finish()?;
    // What went to standard output cannot be read again.
    let compared = match &ran {
        Ok(frames) if file.is_file() => Some(compared(&file, (&log, &plan), frames)?),
        _ => None,
    };
    report(record, (&outputs, &file), adapters, written, Origin::Presents(compared.as_ref()), common)?;
    match ran {
        Err(WorkloadError::Interrupted) => return Ok(told(ended_early(&watched))),
        Err(error) => return Err(Failure::input(error).context(path.display().to_string())),
        Ok(_) => {}
    }
    let Some(fault) = fault else { return Ok(Status::Fine) };
    tell(format_args!("{fault}; {} left out", counted(left_out, "row")));
    Ok(Status::Incomplete)
}

fn read(path: &Path) -> Result<PresentReading, Failure> {
    let origin = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Failure::io(error).context(origin.clone()))?;
    let reading = PresentLog::parse(&String::from_utf8_lossy(&bytes), &origin).map_err(Failure::input)?;
    if reading.log.presents.is_empty() {
        let why =
            reading.fault.map_or_else(|| format!("{origin}: there is no present in it"), |fault| fault.to_string());
        return Err(Failure::input(std::io::Error::other(why)));
    }
    Ok(reading)
}

/// What the trace says became of the log's presents.
fn compared(
    file: &Path,
    (log, plan): (&PresentLog, &PresentPlan),
    frames: &Frames,
) -> Result<PresentComparison, Failure> {
    let analysis = Analysis::new(open(file)?).map_err(Failure::input)?;
    let ended = ended_frames(&analysis).map_err(Failure::input)?.into_iter();
    let ended: BTreeMap<(SwapChainId, u64), Ended> = ended
        .map(|end| ((end.swap_chain, end.present_count), Ended { fate: end.fate, ended_at_ns: end.ended_at_ns }))
        .collect();
    Ok(present_log::compare(log, plan, frames, &ended))
}
