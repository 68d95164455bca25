//! Recording and analysis of combinations, on every processor.

use crate::combinations::Combination;
use crate::consistency::contradictions;
use serde_json::Value;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_app::analyze::all_findings;
use taut_app::record::{Ended, Plan, RecordOptions, StopRequest};
use taut_app::world::{RulesOptions, WorldOptions};
use taut_app::{Error, NoProgress, advised};
use taut_capture::Clock;
use taut_traces::{Trace, TraceWriter, WriteOptions};

/// Result of a recording and its reports.
#[derive(Debug)]
pub enum Verdict {
    /// No report finds a broken rule: `taut analyze` ends with exit code 0.
    Kept,
    /// The recording is refused, with exit code 2 and this message.
    Refused(String),
    /// These rules are broken: `taut analyze` ends with exit code 1.
    Broken(Vec<String>),
    /// Verdicts that contradict the tables of their reports.
    Contradicts(Vec<String>),
    /// Any other error.
    Failed(String),
}

/// Verdicts of the combinations, in their order.
pub fn verdicts(combinations: &[Combination]) -> Vec<Verdict> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("a folder");
                let file = folder.path().join("run.taut");
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(combination) = combinations.get(number) else { break };
                    let verdict = verdict(combination, &file);
                    results.lock().expect("no panic").push((number, verdict));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no panic");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, verdict)| verdict).collect()
}

fn verdict(combination: &Combination, file: &Path) -> Verdict {
    let recorded = record(combination, file);
    match recorded {
        Ok(()) => {}
        Err(error) if is_usage(&error) => return Verdict::Refused(error.to_string()),
        // A faulty driver may make a required call fail; the trace is whole.
        Err(_) if !combination.faulty.is_empty() => {}
        Err(error) => return Verdict::Failed(error.to_string()),
    }
    match analyzed(file) {
        Ok(verdict) => verdict,
        Err(error) => Verdict::Failed(error),
    }
}

/// Records the combination as `taut record` does.
pub fn record(combination: &Combination, file: &Path) -> Result<(), Error> {
    let rules = RulesOptions { rules: "1.618".to_owned(), settings: combination.settings.clone() };
    let options = RecordOptions {
        workload: combination.workload.to_owned(),
        world: WorldOptions { driver: Some(combination.driver.clone()), rules },
        machine: None,
        seed: Some(combination.seed),
        threads: None,
        parameters: combination.parameters(),
        clock: Clock::best(),
    };
    let recording = Plan::new(&options)?.read(&NoProgress)?;
    let open = |header| TraceWriter::create(file, header, WriteOptions::default());
    let finished = recording.record(open, &StopRequest::default(), &NoProgress)?;
    match finished.ended? {
        Ended::Complete => Ok(()),
        Ended::Limit(_) | Ended::Interrupted => Err(Error::usage("the recording ended early")),
    }
}

fn is_usage(error: &Error) -> bool {
    match error {
        Error::Usage(_) | Error::UnknownName { .. } => true,
        Error::In { source, .. } => is_usage(source),
        _ => false,
    }
}

/// Runs every report that applies.
///
/// # Errors
/// The trace is damaged or incomplete, or cannot be analyzed.
fn analyzed(file: &Path) -> Result<Verdict, String> {
    let trace = Trace::open(file).map_err(|error| error.to_string())?;
    let analysis = advised(trace).map_err(|error| error.to_string())?;
    let findings = all_findings(&analysis).map_err(|error| error.to_string())?;
    if !findings.head.is_whole() || !analysis.damage_met().is_empty() {
        return Err(format!("the trace is not whole: {:?}", findings.head.losses()));
    }
    let reports = findings.reports();
    let contradictions = contradictions(&reports);
    if !contradictions.is_empty() {
        return Ok(Verdict::Contradicts(contradictions));
    }
    let audits = |report: &str| reports[report]["audits"].as_array().cloned().unwrap_or_default();
    let audits = ["handles", "present"].into_iter().flat_map(audits);
    let broken = audits.filter(|audit| audit["ok"] == Value::Bool(false));
    let rules = broken.map(|audit| audit["rule"].as_str().unwrap_or_default().to_owned()).collect();
    Ok(if findings.contradicts() { Verdict::Broken(rules) } else { Verdict::Kept })
}
