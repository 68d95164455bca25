//! The `windows` report: what an imported trace of Windows shows, and what it cannot show.

mod activity;
mod figures;
mod missing;
mod presents;
mod text;
mod text_cells;
mod text_queues;
mod undecoded;
mod verdict;

pub use figures::WindowsFigures;

use super::figures::FigureValue;
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::{InputHead, any_codes, lines};
use crate::imported::{Activity, PresentPath, Processes, is_imported, presents as imported_presents};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use taut_schemas::windows::{MultiPlaneSync, VerticalSync};
use undecoded::Counts;

/// Max points of the page's timeline for each group of presents.
const MAX_POINTS: usize = 2_000;

/// The `windows` report.
pub struct Windows;

impl Report for Windows {
    fn name(&self) -> &'static str {
        "windows"
    }

    fn title(&self) -> &'static str {
        "Windows trace"
    }

    fn description(&self) -> &'static str {
        "Presents, engines and memory that an imported trace of Windows shows, and what it lacks."
    }

    fn figures(&self) -> &'static [FigureLine] {
        WindowsFigures::LINES
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !is_imported(analysis.trace());
        Ok(none.then(|| "the trace was not imported from a trace of Windows".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = windows_figures(analysis)?;
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures, analysis.head()?), &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        let mut data = json!({ "timeline": timeline(analysis)? });
        for key in ["span_ns", "presents", "gpu", "queues", "segments", "process_memory", "swap_chains"] {
            data[key] = figures[key].clone();
        }
        Ok(data)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../page/assets/windows.js")]
    }
}

fn windows_figures(analysis: &Analysis) -> Result<WindowsFigures, AnalyzeError> {
    let (trace, source) = (analysis.trace(), analysis.source());
    let head = InputHead::new(trace);
    let parameter = |key: &str| head.workload().parameters.get(key);
    let (number, text) = (
        |key: &str| parameter(key).and_then(Value::as_u64),
        |key: &str| parameter(key).and_then(Value::as_str).map(str::to_owned),
    );
    let span_ns = head.span_ns().filter(|_| head.has_time());
    let (processes, names) = (Processes::new(trace), Processes::names(source)?);
    let has_display = {
        let schema = &trace.header().schema;
        let codes = lines::<VerticalSync>(schema).chain(lines::<MultiPlaneSync>(schema)).map(|line| line.code);
        any_codes(trace, &codes.collect::<Vec<_>>())
    };
    let found = imported_presents(source)?;
    let activity = Activity::new(source)?;
    let counts = Counts::new(trace);
    let workers = activity::Workers {
        analysis,
        processes: &processes,
        names: &names,
        runs: &activity.runs,
        presents: found.as_ref().map(|found| found.presents.as_slice()),
    };
    let background_work =
        activity.work.as_ref().map(|all| all.iter().map(|work| workers.figures(work)).collect::<Vec<_>>());
    let crossing = found.as_ref().and_then(|found| presents::cross_adapter(found.presents.iter()));
    Ok(WindowsFigures {
        file: head.workload().name.clone(),
        session: text("session"),
        windows_build: number("windows_build"),
        processors: number("processors"),
        start_utc: text("start_utc"),
        span_ns,
        events: head.summary().events,
        file_events: counts.file_events(),
        streams: trace.streams().len() as u64,
        processes: processes.count(),
        lost_events: number("events_lost"),
        lost_buffers: number("buffers_lost"),
        unknown_path_ratio: found.as_ref().and_then(|found| presents::unknown_path_ratio(&found.presents)),
        cross_adapter_ratio: crossing.map(|(crossing, known)| crossing as f64 / known as f64),
        pairs: found.as_ref().map(presents::pairs),
        presents: found.map(|found| presents::groups(analysis, &found, &names, has_display)),
        gpu: activity.engines.map(|groups| activity::gpu(analysis, &groups, &names, span_ns)),
        queues: activity.queues.map(|groups| activity::queues(analysis, &groups, &names)),
        residency: activity.residency.as_ref().map(|residency| activity::residency(analysis, residency)),
        swap_chains: activity
            .swap_chains
            .map(|chains| chains.iter().map(|chain| activity::swap_chain(analysis, chain, &names)).collect()),
        segments: activity
            .segments
            .map(|segments| segments.iter().map(|memory| activity::segment(analysis, memory)).collect()),
        process_memory: activity
            .processes
            .map(|all| all.iter().map(|memory| activity::process_memory(analysis, memory, &names)).collect()),
        allocations: activity.allocations.as_ref().map(activity::allocations),
        object_allocations: activity.object_allocations.map(activity::object_allocations),
        background_work,
        pipelines: activity.pipelines.map(|sums| activity::pipelines(analysis, sums)),
        undecoded: counts.undecoded(),
        missing: missing::missing(trace),
    })
}

/// Intervals of presents over time, by process and path: milliseconds since the first event, and of the interval.
fn timeline(analysis: &Analysis) -> Result<Value, AnalyzeError> {
    let Some(found) = imported_presents(analysis.source())? else { return Ok(Value::Null) };
    let mut groups = BTreeMap::<(u32, PresentPath), Vec<[f64; 2]>>::new();
    for present in &found.presents {
        let at_ns = analysis.elapsed_ns(present.start_stamp);
        let interval_ns = present.interval_ticks.and_then(|ticks| analysis.time_ns(ticks));
        if let (Some(at_ns), Some(interval_ns)) = (at_ns, interval_ns) {
            let points = groups.entry((present.process, present.path)).or_default();
            points.push([at_ns as f64 / 1e6, interval_ns as f64 / 1e6]);
        }
    }
    let group = |((process, path), points): ((u32, PresentPath), Vec<[f64; 2]>)| {
        let step = points.len().div_ceil(MAX_POINTS).max(1);
        let shown: Vec<_> = points.iter().step_by(step).collect();
        json!({ "process": process, "path": path.name(), "points": shown, "left_out": points.len() - shown.len() })
    };
    Ok(Value::Array(groups.into_iter().map(group).collect()))
}
