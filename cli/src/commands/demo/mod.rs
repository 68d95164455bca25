//! `taut demo`: records, replays and analyzes a bundled workload, and prints the results on one screen.

mod screen;
mod written_files;

use super::analyze::origin;
use crate::args::{Common, Demo};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use screen::Screen;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::{Analysis, Findings};
use taut_app::analyze::all_findings;
use taut_app::record::{Ended, Finished, Plan, RecordOptions, StopRequest};
use taut_app::replay::{RepeatOptions, Replay, ReplayLimits, add_what_if_parameter};
use taut_app::world::{RulesOptions, WorldOptions};
use taut_app::{NoProgress, advised};
use taut_capture::Clock;
use taut_console::address_space;
use taut_console::interrupt::handle_interrupt;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Output, Outputs, is_stdio};
use taut_console::printing::{print, print_json};
use taut_console::traces::{name, open};
use taut_replay::Tight;
use taut_runtime::RuleSet;
use taut_traces::Trace;
use taut_workloads::WORKLOADS;
use written_files::WrittenFiles;

/// Driver model of the demo.
const DRIVER: &str = "reference";
/// What-if traces of the workload: name, and value of the tight flag.
const WORLDS: [(&str, Tight); 2] = [("classic", Tight::Off), ("tight", Tight::On)];

/// Divergences of which the demo keeps the details; it shows none.
const MAX_DIVERGENCES: usize = 10;

/// File name of the page.
const PAGE: &str = "page.html";

/// Records the first bundled workload, replays it as recorded, without and with tight alignment, and writes the page.
pub fn run(demo: &Demo, common: Common) -> Outcome {
    if demo.output.as_deref().is_some_and(is_stdio) {
        return Err(Failure::usage("`-` is standard output, and the demo writes into a folder: say -o DIR"));
    }
    let folder = folder(demo.output.as_deref())?;
    let mut outputs = Outputs::new([], common.force);
    let workload = &WORKLOADS[0];
    let mut files = written_files(&folder, workload.name, common.force)?;
    let file = folder.join(format!("{}.taut", workload.name));
    let page = folder.join(PAGE);
    let page_output = outputs.open_inside(&page, Kind::Page)?;
    let recorded = {
        let output = outputs.open_inside(&file, Kind::Trace)?;
        let Finished { recorded, ended } = record(workload.name, &output, common)?;
        output.finish()?;
        files.add(&format!("{}.taut", workload.name))?;
        if ended.map_err(failure)? == Ended::Interrupted {
            return Ok(Status::Interrupted);
        }
        recorded.written
    };
    let trace = open(&file)?;
    let limits = ReplayLimits { until: None, max_divergences: MAX_DIVERGENCES };
    let replayed = Replay::new(name(&file), &trace, limits).map_err(failure)?;
    let options = RepeatOptions { repeat: 1, ..RepeatOptions::default() };
    let outcome = replayed.repeat(&options, None, &NoProgress).map_err(failure)?;
    let worlds = what_ifs(&replayed, &trace, &mut outputs, &mut files)?;
    let traces: Vec<(String, &Analysis, &Findings)> =
        worlds.iter().map(|(name, analysis, findings)| (name.clone(), analysis, findings)).collect();
    let is_repeatable = worlds.iter().all(|(_, analysis, _)| analysis.ticks_to_ns(1).is_none());
    let html = taut_analyze::page::page(&traces, &origin(is_repeatable)?).map_err(Failure::input)?;
    page_output.finish_with(html.as_bytes())?;
    files.add(PAGE)?;
    let status = if outcome.is_identical() { Status::Fine } else { Status::Found };
    if common.json {
        let analysis = advised(trace).map_err(Failure::input)?;
        print_json(&json!({
            "file": file.to_string_lossy(),
            "page": page.to_string_lossy(),
            "events": recorded.events,
            "calls": outcome.calls,
            "identical": outcome.is_identical(),
            "reports": all_findings(&analysis).map_err(failure)?.reports(),
        }))?;
        return Ok(status);
    }
    let [classic, tight] = [0, 1].map(|place| worlds.get(place).map(|(.., findings)| findings.reports()));
    let screen = Screen {
        workload: workload.name,
        driver: DRIVER,
        recorded: &recorded,
        replayed: &outcome,
        classic: classic.unwrap_or_default(),
        tight: tight.unwrap_or_default(),
        file: &file,
        page: &page,
    };
    print(&screen.text())?;
    Ok(status)
}

/// Writes the traces of the what-ifs, and analyzes them.
fn what_ifs(
    replayed: &Replay<'_>,
    trace: &Trace,
    outputs: &mut Outputs,
    files: &mut WrittenFiles,
) -> Result<Vec<(String, Analysis, Findings)>, Failure> {
    let mut worlds = Vec::with_capacity(WORLDS.len());
    for (name, tight) in WORLDS {
        let (mut world, path) = (trace.header().world.clone(), files.folder().join(format!("{name}.taut")));
        add_what_if_parameter(&mut world, tight);
        let output = outputs.open_inside(&path, Kind::Trace)?;
        replayed.changed(&world, tight, Some(&|header| output.trace_writer(header))).map_err(failure)?;
        output.finish()?;
        files.add(&format!("{name}.taut"))?;
        let analysis = advised(open(&path)?).map_err(Failure::input)?;
        let findings = all_findings(&analysis).map_err(failure)?;
        worlds.push((name.to_owned(), analysis, findings));
    }
    Ok(worlds)
}

/// Records the bundled workload.
fn record(workload: &str, output: &Output, common: Common) -> Result<Finished, Failure> {
    let rules = RulesOptions { rules: RuleSet::default().name().to_owned(), settings: Vec::new() };
    let options = RecordOptions {
        workload: workload.to_owned(),
        world: WorldOptions { driver: Some(DRIVER.to_owned()), rules },
        machine: None,
        seed: None,
        threads: None,
        parameters: Vec::new(),
        clock: Clock::best(),
    };
    let progress = ProgressBar { quiet: common.quiet };
    let recording = Plan::new(&options).and_then(|plan| plan.read(&progress)).map_err(failure)?;
    address_space::require(address_space::RECORDING_BYTES, "a recording")?;
    let stop = Arc::new(StopRequest::default());
    let request = Arc::clone(&stop);
    let _interrupt_guard = handle_interrupt(move || request.request());
    recording.record(|header| output.trace_writer(header), &stop, &progress).map_err(failure)
}

/// Reads the manifest of the files that earlier demos wrote into the folder, and checks that the demo would replace no
/// other file. With `force` the demo may replace any file.
fn written_files(folder: &Path, workload: &str, force: bool) -> Result<WrittenFiles, Failure> {
    if force {
        return Ok(WrittenFiles::read(folder).unwrap_or_else(|_| WrittenFiles::empty(folder)));
    }
    let files = WrittenFiles::read(folder)?;
    let names = [workload, WORLDS[0].0, WORLDS[1].0].map(|name| format!("{name}.taut"));
    for name in names.iter().map(String::as_str).chain([PAGE]) {
        files.check(name)?;
    }
    Ok(files)
}

/// Output folder: the one that the user names, or a new temporary folder, which is not removed.
fn folder(output: Option<&Path>) -> Result<PathBuf, Failure> {
    match output {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::io(error).context(folder.display().to_string()))?;
            Ok(folder.to_owned())
        }
        None => Ok(tempfile::Builder::new().prefix("taut-demo-").tempdir()?.keep()),
    }
}
