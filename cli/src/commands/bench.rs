//! `taut bench`: benchmarks of this machine, each with a floor measured in the same run.

use crate::args::{
    Bench, BenchAbi, BenchCapture, BenchContexts, BenchEtl, BenchPresent, BenchRecord, BenchReplay, BenchTile, Common,
};
use serde_json::Value;
use taut_bench::BenchError;
use taut_bench::capture::{self, CaptureOptions};
use taut_bench::contexts::{self, ContextOptions};
use taut_bench::etl::{self, EtlOptions};
use taut_bench::overhead::{self, OverheadOptions};
use taut_bench::present::{self, PresentOptions};
use taut_bench::record::{self, RecordOptions};
use taut_bench::replay::{self, NamedTrace};
use taut_bench::tile::{self, TileOptions};
use taut_console::address_space;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json, unknown};
use taut_console::traces::{name, open};
use taut_replay::ReplayError;
use taut_workloads::{WORKLOADS, WorkloadError};

/// Runs a benchmark.
pub fn run(bench: &Bench, common: Common) -> Outcome {
    match bench {
        Bench::Abi(bench) => abi(bench, common),
        Bench::Capture(bench) => capture(*bench, common),
        Bench::Contexts(bench) => contexts(*bench, common),
        Bench::Etl(bench) => etl(bench, common),
        Bench::Present(bench) => present(*bench, common),
        Bench::Read(_) => super::tables::run(),
        Bench::Record(bench) => record(bench, common),
        Bench::Replay(bench) => replay(bench, common),
        Bench::Tile(bench) => tile(*bench, common),
    }
}

/// Prints the results. The status is [`Status::Found`] if they are not as they should be.
fn print_figures(
    json: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
    is_fine: bool,
    common: Common,
) -> Outcome {
    if common.json {
        print_json(&json())?;
    } else {
        print(&text())?;
    }
    Ok(if is_fine { Status::Fine } else { Status::Found })
}

#[cfg(not(target_os = "linux"))]
fn abi(_: &BenchAbi, _: Common) -> Outcome {
    Err(Failure::io(anyhow::anyhow!("taut bench abi needs Linux")))
}

#[cfg(target_os = "linux")]
fn abi(bench: &BenchAbi, common: Common) -> Outcome {
    use taut_bench::abi::{self, AbiOptions};
    let BenchAbi { repeat, pairs, seconds, client } = bench;
    if let Some(folder) = client {
        print_json(&abi::measure_calls(folder, *repeat).map_err(failure)?)?;
        return Ok(Status::Fine);
    }
    let own = std::env::current_exe()?;
    let repeated = repeat.to_string();
    let words = ["bench", "abi", "--repeat", &repeated, "--client"];
    let options = AbiOptions {
        library: super::run::library()?,
        client: std::iter::once(own).chain(words.map(Into::into)).collect(),
        rounds: *repeat,
        pairs: *pairs,
        seconds: *seconds,
    };
    let figures = abi::measure(&options).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), figures.is_identical(), common)
}

fn capture(bench: BenchCapture, common: Common) -> Outcome {
    let BenchCapture { presents, repeat } = bench;
    let figures = capture::measure(CaptureOptions { presents, rounds: repeat }).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), figures.is_identical(), common)
}

fn contexts(bench: BenchContexts, common: Common) -> Outcome {
    let BenchContexts { lists, repeat } = bench;
    let figures = contexts::measure(ContextOptions { lists, repeat }).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), true, common)
}

fn etl(bench: &BenchEtl, common: Common) -> Outcome {
    let BenchEtl { file, repeat, python } = bench;
    let options = EtlOptions { file: file.clone(), rounds: *repeat, python: python.clone() };
    let figures = etl::measure(&options).map_err(|error| failure(error).context(name(file)))?;
    print_figures(|| figures.json(), || figures.text(), figures.is_complete(), common)
}

fn present(bench: BenchPresent, common: Common) -> Outcome {
    let BenchPresent { seconds, fps } = bench;
    let figures = present::measure(PresentOptions { seconds, fps }).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), figures.is_identical(), common)
}

fn record(bench: &BenchRecord, common: Common) -> Outcome {
    if let Some(workload) = &bench.workload {
        let options =
            OverheadOptions { workload: workload.clone(), parameters: parameters(bench)?, repeat: bench.repeat };
        let figures = overhead::measure(&options).map_err(failure)?;
        return print_figures(|| figures.json(), || figures.text(), true, common);
    }
    if bench.threads.is_some() || !bench.set.is_empty() {
        return Err(Failure::usage("--threads and --set are for --workload NAME: there is none to set anything of"));
    }
    let options = RecordOptions { producers: bench.producers.clone(), events: bench.events, repeat: bench.repeat };
    let figures = record::measure(&options).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), !figures.has_lost_events(), common)
}

fn parameters(bench: &BenchRecord) -> Result<Vec<(String, String)>, Failure> {
    let mut parameters = Vec::new();
    parameters.extend(bench.threads.map(|threads| ("threads".to_owned(), threads.to_string())));
    for set in &bench.set {
        let pair = set.split_once('=').ok_or_else(|| Failure::usage(format!("--set {set}: expected KEY=VALUE")))?;
        parameters.push((pair.0.to_owned(), pair.1.to_owned()));
    }
    Ok(parameters)
}

fn replay(bench: &BenchReplay, common: Common) -> Outcome {
    let trace = match &bench.file {
        Some(file) => Some(NamedTrace { trace: open(file)?, name: name(file) }),
        None => {
            address_space::require(address_space::RECORDING_BYTES, "a recording")?;
            None
        }
    };
    let figures = replay::measure(trace.as_ref(), bench.repeat).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), figures.is_identical(), common)
}

fn tile(bench: BenchTile, common: Common) -> Outcome {
    let BenchTile { rounds, max_size } = bench;
    let figures = tile::measure(TileOptions { rounds, max_size }).map_err(failure)?;
    print_figures(|| figures.json(), || figures.text(), true, common)
}

fn failure(error: BenchError) -> Failure {
    match error {
        BenchError::UnknownWorkload(name) => {
            let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
            Failure::usage(unknown("workload", &name, &names))
        }
        BenchError::Workload(error @ WorkloadError::Thread { .. }) => Failure::limit(error),
        BenchError::System { what, source } => Failure::io(source).context(what),
        BenchError::Replay { trace, source: ReplayError::Read(error) } => Failure::from(error).context(trace),
        BenchError::Replay { trace, source } => Failure::input(source).context(trace),
        BenchError::Read(error) => error.into(),
        BenchError::Write(error) => error.into(),
        BenchError::Remove(_) | BenchError::Session(_) => Failure::io(error),
        BenchError::Analyze(error) => Failure::input(error),
        BenchError::Etl(error) => Failure::input(error),
        BenchError::Import(error) => crate::failure::failure(error),
        error => Failure::usage(error),
    }
}
