//! `taut demo`: the whole way, on a bundled workload, told on one screen.

mod screen;

use super::analyze::{findings, origin};
use super::record::generated;
use super::what_if::{note, written};
use crate::analysis::advised;
use crate::args::{Common, Demo};
use screen::Screen;
use serde_json::json;
use std::path::{Path, PathBuf};
use taut_analyze::{Analysis, Findings, html};
use taut_capture::workloads::{Parameters, WORKLOADS};
use taut_capture::{Adapters, Clock};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Outputs, is_stdio};
use taut_console::printing::{print, print_json};
use taut_console::traces::open;
use taut_replay::{Options, Replayer, Tight};
use taut_runtime::{Profile, Settings};

/// The demo's driver model.
const DRIVER: &str = "reference";
/// The same workload in two worlds: the name of each, and what becomes of the tight flag in it.
const WORLDS: [(&str, Tight); 2] = [("classic", Tight::Off), ("tight", Tight::On)];

/// Records the first bundled workload, replays it, asks what it takes without and with tight alignment, and writes the page.
pub fn run(demo: &Demo, common: Common) -> Outcome {
    if demo.output.as_deref().is_some_and(is_stdio) {
        return Err(Failure::usage("`-` is standard output, and the demo writes into a folder: say -o DIR"));
    }
    let folder = folder(demo.output.as_deref())?;
    let mut outputs = Outputs::new([], common.force);
    let workload = &WORKLOADS[0];
    let file = folder.join(format!("{}.taut", workload.name));
    let profile = Profile::named(DRIVER).ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    let parameters = Parameters::new(workload.parameters, [].into()).map_err(Failure::usage)?;
    let page = folder.join("page.html");
    let page_output = outputs.open(&page, Kind::Page)?;
    let recorded = {
        let output = outputs.open(&file, Kind::Trace)?;
        let world = (Settings::default(), Clock::best());
        let open = |header| output.trace_writer(header);
        let (written, ended) =
            generated(workload.name, &parameters, &Adapters::from(&profile), world, open, common.quiet)?;
        output.finish()?;
        if ended? == Status::Interrupted {
            return Ok(Status::Interrupted);
        }
        written
    };
    let trace = open(&file)?;
    let replayer = Replayer::new(&trace, Options::default());
    let outcome = replayer.run().map_err(|error| super::replay::failure(error, &file))?;
    let mut worlds = Vec::with_capacity(WORLDS.len());
    for (name, tight) in WORLDS {
        let (mut world, path) = (trace.header().world.clone(), folder.join(format!("{name}.taut")));
        note(&mut world, tight);
        written((&trace, &replayer), &world, tight, &file, outputs.open(&path, Kind::Trace)?)?;
        let analysis = advised(open(&path)?).map_err(Failure::input)?;
        let found = findings(&analysis, &[])?;
        worlds.push((name.to_owned(), analysis, found));
    }
    let traces: Vec<(String, &Analysis, &Findings)> =
        worlds.iter().map(|(name, analysis, findings)| (name.clone(), analysis, findings)).collect();
    let html = html::page(&traces, &origin(worlds.iter().map(|(_, analysis, _)| analysis))?).map_err(Failure::input)?;
    page_output.finish_with(html.as_bytes())?;
    let status = if outcome.is_identical() { Status::Fine } else { Status::Found };
    if common.json {
        let analysis = advised(trace).map_err(Failure::input)?;
        print_json(&json!({
            "file": file.to_string_lossy(),
            "page": page.to_string_lossy(),
            "events": recorded.events,
            "calls": outcome.calls,
            "identical": outcome.is_identical(),
            "reports": findings(&analysis, &[])?.reports(),
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

/// Where everything goes: the user's folder, or a new one among the system's temporary files, which stays.
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
