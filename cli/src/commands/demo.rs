//! `taut demo`: the whole way, on a bundled workload.

use super::analyze::{findings, report_text};
use super::record::generated;
use crate::args::{Common, Demo};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::render::{binary_bytes, grouped};
use taut_capture::Clock;
use taut_capture::workloads::{Parameters, WORKLOADS};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{bold, print, print_json};
use taut_replay::{Options, Replayer};
use taut_runtime::{Profile, Settings};
use taut_traces::Trace;

/// The demo's driver model.
const DRIVER: &str = "reference";

/// Records, replays and analyzes the first bundled workload.
pub fn run(demo: &Demo, common: Common) -> Outcome {
    if demo.output.as_deref().is_some_and(is_stdio) {
        return Err(Failure::usage("`-` is standard output, and the demo writes into a folder: say -o DIR"));
    }
    let scratch = Scratch::new(demo.output.as_deref())?;
    let workload = &WORKLOADS[0];
    let file = scratch.folder.join(format!("{}.taut", workload.name));
    let profile = Profile::named(DRIVER).ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    let parameters = Parameters::new(workload.parameters, [].into()).map_err(Failure::usage)?;
    let written = {
        let output = Outputs::new([], common.force).open(&file, Kind::Trace)?;
        let world = (Settings::default(), Clock::best());
        let (written, status) =
            generated(workload.name, &parameters, &profile, world, |header| output.trace_writer(header))?;
        output.finish()?;
        if status == Status::Interrupted {
            return Ok(status);
        }
        written
    };
    let trace = Arc::new(Trace::open(&file)?);
    let outcome =
        Replayer::new(&trace, Options::default()).run().map_err(|error| super::replay::failure(error, &file))?;
    let analysis = Analysis::new(trace.clone()).map_err(Failure::input)?;
    let status = if outcome.is_identical() { Status::Fine } else { Status::Found };
    if common.json {
        print_json(&json!({
            "file": demo.output.as_ref().map(|_| &file),
            "events": written.events,
            "calls": outcome.calls,
            "identical": outcome.is_identical(),
            "reports": findings(&analysis, &[])?.reports(),
        }))?;
        return Ok(status);
    }
    let same = if outcome.is_identical() { "every argument and result was the same" } else { "there were differences" };
    print(&format!(
        "{}\n  {}\n  {} events in {}, driver model `{DRIVER}`.\n\n\
         {}\n  {} API calls and {} DDI calls made again from the trace: {same}.\n\n\
         {}\n",
        bold(&format!("1. Recorded `{}`", workload.name)),
        workload.description,
        grouped(written.events),
        binary_bytes(written.bytes),
        bold("2. Replayed it"),
        grouped(outcome.calls),
        grouped(outcome.ddi_calls),
        bold("3. Analyzed it"),
    ))?;
    print(&report_text(&findings(&analysis, &["alignment".to_owned()])?))?;
    print(&scratch.farewell(&file))?;
    Ok(status)
}

/// Where the trace goes: the user's directory, or one that is removed again.
struct Scratch {
    folder: PathBuf,
    temporary: bool,
}

impl Scratch {
    fn new(output: Option<&Path>) -> Result<Scratch, Failure> {
        let temporary = output.is_none();
        let folder = match output {
            Some(folder) => folder.to_owned(),
            None => std::env::temp_dir().join(format!("taut-demo-{}", std::process::id())),
        };
        std::fs::create_dir_all(&folder).map_err(|error| Failure::io(error).context(folder.display().to_string()))?;
        Ok(Scratch { folder, temporary })
    }

    fn farewell(&self, file: &Path) -> String {
        if self.temporary {
            return "\nNext: taut demo -o DIR keeps the trace; taut dump, taut info and taut replay look into it.\n"
                .to_owned();
        }
        let file = file.display();
        format!("\nNext: taut info {file}; taut dump {file} --limit 20; taut replay {file} --repeat 20\n")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.temporary {
            // Left behind only if the system will not remove it, and then in its own temporary directory.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
