//! `taut bench contexts`: contexts recorded from two threads, beside two sessions that share nothing; what one recording call
//! costs; and the report on the accesses.

mod recorder;

use super::bench::quartile;
use super::bench::to_scratch;
use crate::args::{BenchContexts, Common};
use recorder::{Device, Kind, LIST_CALLS, Recorder};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs::File;
use std::sync::{Arc, Barrier};
use std::time::Instant;
use taut_analyze::handles::HandleReader;
use taut_analyze::render::{grouped, span};
use taut_analyze::{Analysis, Source};
use taut_capture::{Adapters, Clock, Session};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_console::traces::scratch;
use taut_runtime::Settings;
use taut_schemas::{Call, EventCode, Opcode, d3d11};
use taut_traces::Trace;

/// The driver model, which has handles per context.
const DRIVER: &str = "multi-size";
/// Threads beside one another.
const THREADS: usize = 2;

/// What was measured in pairs: the measure and its floor, in nanoseconds for one call or access, and their ratios.
struct Pairs {
    name: &'static str,
    unit: &'static str,
    floor_name: &'static str,
    target: Option<&'static str>,
    ns: Vec<f64>,
    floor_ns: Vec<f64>,
    ratios: Vec<f64>,
    waits: Option<[u64; 3]>,
}

impl Pairs {
    fn new(name: &'static str, floor_name: &'static str, target: Option<&'static str>) -> Pairs {
        let (ns, floor_ns, ratios) = (Vec::new(), Vec::new(), Vec::new());
        Pairs { name, unit: "call", floor_name, target, ns, floor_ns, ratios, waits: None }
    }

    /// One more pair. Where more is better the ratio is that of calls per second, not of time.
    fn add(&mut self, ns: f64, floor_ns: f64, more_is_better: bool) {
        self.ns.push(ns);
        self.floor_ns.push(floor_ns);
        let ratio = if more_is_better { floor_ns / ns.max(1e-9) } else { ns / floor_ns.max(1e-9) };
        self.ratios.push(ratio);
    }

    fn figures(&self) -> (f64, f64, [f64; 3]) {
        (middle(&self.ns), middle(&self.floor_ns), [1, 2, 3].map(|quarter| quartile(&self.ratios, quarter)))
    }

    fn json(&self) -> Value {
        let (ns, floor_ns, [low, ratio, high]) = self.figures();
        json!({
            "name": self.name,
            "of": self.unit,
            "floor": self.floor_name,
            "target": self.target,
            "ns_per_call": ns,
            "floor_ns_per_call": floor_ns,
            "ratio": ratio,
            "ratio_quartiles": [low, high],
            "waited_calls": self.waits.map(|waits| waits[0]),
            "calls": self.waits.map(|waits| waits[1]),
            "wait_ns": self.waits.map(|waits| waits[2]),
        })
    }

    fn text(&self) -> String {
        let (ns, floor_ns, [low, ratio, high]) = self.figures();
        let target = self.target.map_or_else(String::new, |target| format!("; target {target}"));
        let waits = self.waits.map_or_else(String::new, |[waited, calls, ns]| {
            format!("  of {} calls {} waited, {} in all\n", grouped(calls), grouped(waited), span(ns))
        });
        format!(
            "{}\n  {:>10.1} ns/{}   {:.2} (half of the pairs {low:.2} to {high:.2}){target}\n  {:>10.1} ns/{}   {}\n{waits}",
            self.name, ns, self.unit, ratio, floor_ns, self.unit, self.floor_name
        )
    }
}

fn middle(samples: &[f64]) -> f64 {
    quartile(samples, 2)
}

/// Measures contexts.
pub fn run(bench: &BenchContexts, common: Common) -> Outcome {
    let adapters = Adapters::named(DRIVER).ok_or_else(|| Failure::usage("the bundled driver model is missing"))?;
    let cases = [
        beside(bench, &adapters, false)?,
        beside(bench, &adapters, true)?,
        one_call(bench, &adapters)?,
        opening(bench, &adapters)?,
        accesses(bench, &adapters)?,
        report(bench, &adapters)?,
    ];
    if common.json {
        let cases: Vec<Value> = cases.iter().map(Pairs::json).collect();
        print_json(&json!({ "driver": DRIVER, "pairs": bench.repeat, "lists": bench.lists, "cases": cases }))?;
    } else {
        let (pairs, calls) = (bench.repeat, u64::from(bench.lists) * LIST_CALLS);
        let text: String = cases.iter().map(Pairs::text).collect();
        print(&format!("{DRIVER}: medians of {pairs} interleaved pairs, {calls} calls on each thread\n{text}"))?;
    }
    Ok(Status::Fine)
}

/// How a run is made.
#[derive(Clone, Copy)]
struct Run<'b> {
    /// Calls of the last run that waited for a lock, of how many, and nanoseconds in all.
    waits: &'b RefCell<[u64; 3]>,
    bench: &'b BenchContexts,
    adapters: &'b Adapters,
    is_recorded: bool,
    handle_accesses: bool,
    kind: Kind,
}

impl Run<'_> {
    fn settings(&self) -> Settings {
        Settings { handle_accesses: self.handle_accesses, ..Settings::default() }
    }

    /// Nanoseconds a call of threads that record side by side, each in a context of its own: of one session, or of a session
    /// each.
    fn time(&self, threads: usize, sessions: usize) -> Result<f64, Failure> {
        if self.is_recorded {
            let (ns, files) = self.recorded(threads, sessions)?;
            if let Some(file) = files.first().filter(|_| self.kind == Kind::Opening) {
                *self.waits.borrow_mut() = waits(&Trace::from_file(file, "temporary file")?);
            }
            return Ok(ns);
        }
        let open = || Session::unrecorded(self.adapters, self.settings(), Clock::best());
        let sessions: Vec<_> = (0..sessions).map(|_| open()).collect();
        let ns = self.on(&sessions, threads)?;
        sessions.iter().try_for_each(|session| session.end().map(drop)).map_err(super::recording::unrecorded)?;
        Ok(ns)
    }

    /// The same, and what was recorded.
    fn recorded(&self, threads: usize, sessions: usize) -> Result<(f64, Vec<File>), Failure> {
        let files: Vec<File> = (0..sessions).map(|_| scratch()).collect::<Result<_, _>>()?;
        let of = || taut_traces::Workload { name: "bench contexts".to_owned(), parameters: Default::default() };
        let open = |file| {
            Session::record(to_scratch(file), self.adapters, self.settings(), of(), Clock::best())
                .map_err(super::recording::unrecorded)
        };
        let sessions: Vec<Session> = files.iter().map(open).collect::<Result<_, _>>()?;
        let ns = self.on(&sessions, threads)?;
        sessions.iter().try_for_each(|session| session.finish().map(drop)).map_err(super::recording::unrecorded)?;
        Ok((ns, files))
    }

    fn on<R: taut_capture::Recorder>(&self, sessions: &[Session<R>], threads: usize) -> Result<f64, Failure> {
        let failed = |code| Failure::usage(format!("the benchmark's device cannot be made: {code:?}"));
        let devices: Vec<Device> = sessions.iter().map(Device::new).collect::<Result<_, _>>().map_err(failed)?;
        let places = (0..threads).map(|thread| thread % sessions.len());
        let recorders: Vec<Recorder<R>> = places
            .zip(0_u32..)
            .map(|(place, thread)| Recorder::new(&sessions[place], &devices[place], thread + 1))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        let start = Barrier::new(threads);
        let (lists, kind, start) = (self.bench.lists, self.kind, &start);
        let taken: Vec<f64> = std::thread::scope(|scope| {
            let made = recorders.into_iter().map(|mut recorder| {
                scope.spawn(move || {
                    start.wait();
                    let (ns, calls) = recorder.record(lists, kind);
                    ns as f64 / calls.max(1) as f64
                })
            });
            let made: Vec<_> = made.collect();
            made.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        // Calls per second together: what the threads make in a second is added up.
        let rate: f64 = taken.iter().map(|ns| 1.0 / ns.max(1e-9)).sum();
        Ok(threads as f64 / rate.max(1e-9))
    }
}

fn pairs(
    mut pairs: Pairs,
    repeat: u32,
    more_is_better: bool,
    of: &dyn Fn() -> Result<f64, Failure>,
    floor: &dyn Fn() -> Result<f64, Failure>,
) -> Result<Pairs, Failure> {
    for pair in 0..repeat {
        // Who runs second may find the machine warmer, or more tired.
        let first = (pair % 2 == 0).then(floor).transpose()?;
        let ns = of()?;
        let floor_ns = first.map_or_else(floor, Ok)?;
        pairs.add(ns, floor_ns, more_is_better);
    }
    Ok(pairs)
}

/// Two contexts of one session, beside two sessions.
fn beside(bench: &BenchContexts, adapters: &Adapters, is_recorded: bool) -> Result<Pairs, Failure> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, bench, adapters, is_recorded, handle_accesses: false, kind: Kind::Lists };
    let name = match is_recorded {
        true => "calls per second of two threads in two contexts of one session, recorded",
        false => "calls per second of two threads in two contexts of one session, unrecorded",
    };
    let made = Pairs::new(name, "two threads in two sessions that share nothing", Some("at least 0.9"));
    pairs(made, bench.repeat, true, &|| run.time(THREADS, 1), &|| run.time(THREADS, THREADS))
}

/// A call that opens nothing, recorded; the floor is what recording its four events takes of it.
fn one_call(bench: &BenchContexts, adapters: &Adapters) -> Result<Pairs, Failure> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, bench, adapters, is_recorded: true, handle_accesses: false, kind: Kind::Open };
    let unrecorded = Run { is_recorded: false, ..run };
    let floor_name = "its four events, by the same calls with the recorder and without";
    let mut made = Pairs::new("one recording call that opens nothing, recorded", floor_name, Some("at most 3"));
    let both = Pairs::new("", "", None);
    let both = pairs(both, bench.repeat, false, &|| run.time(1, 1), &|| unrecorded.time(1, 1))?;
    for (ns, without_ns) in both.ns.iter().zip(&both.floor_ns) {
        made.add(*ns, (ns - without_ns).max(1.0), false);
    }
    Ok(made)
}

/// A call that opens what it names, beside the same once that is open; on two threads, so that they may wait for one another.
fn opening(bench: &BenchContexts, adapters: &Adapters) -> Result<Pairs, Failure> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, bench, adapters, is_recorded: true, handle_accesses: false, kind: Kind::Opening };
    let again = Run { kind: Kind::Open, ..run };
    let made = Pairs::new(
        "a call that opens a view and its texture, on two threads",
        "the same call once they are open",
        None,
    );
    let mut made = pairs(made, bench.repeat, false, &|| run.time(THREADS, 1), &|| again.time(THREADS, 1))?;
    made.waits = Some(waits.take());
    Ok(made)
}

/// Of the calls that bind views: how many waited for a lock, how many there are, and how long they waited.
fn waits(trace: &Trace) -> [u64; 3] {
    let code = EventCode::new(d3d11::SetShaderResources::ID, Opcode::Start);
    let (mut rows, mut sum) = (trace.rows(), [0; 3]);
    while let Some(row) = rows.next_row() {
        if row.code == code {
            let wait_ns = row.payload.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            sum = [sum[0] + u64::from(wait_ns > 0), sum[1] + 1, sum[2] + wait_ns];
        }
    }
    sum
}

/// Recording with accesses to the memory of handles, beside recording without.
fn accesses(bench: &BenchContexts, adapters: &Adapters) -> Result<Pairs, Failure> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, bench, adapters, is_recorded: true, handle_accesses: true, kind: Kind::Open };
    let without = Run { handle_accesses: false, ..run };
    let made = Pairs::new("a recorded call with handle_accesses", "without", None);
    pairs(made, bench.repeat, false, &|| run.time(1, 1), &|| without.time(1, 1))
}

/// The report on handles over a trace with accesses, beside decoding what it reads.
fn report(bench: &BenchContexts, adapters: &Adapters) -> Result<Pairs, Failure> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, bench, adapters, is_recorded: true, handle_accesses: true, kind: Kind::Lists };
    let (_, files) = run.recorded(THREADS, 1)?;
    let Some(file) = files.first() else { return Err(Failure::usage("nothing was recorded")) };
    let source = Source::new(Trace::from_file(file, "temporary file")?);
    let count = RefCell::new(1);
    let of = || -> Result<f64, Failure> {
        let begun = Instant::now();
        let analysis = Analysis::new(Arc::clone(source.trace())).map_err(Failure::input)?;
        let handles = taut_analyze::report("handles").map_err(Failure::input)?;
        let figures = handles.run(&analysis).map_err(Failure::input)?.json;
        let taken = begun.elapsed();
        *count.borrow_mut() = figures["accesses"].as_u64().unwrap_or_default().max(1);
        Ok(taken.as_nanos() as f64 / *count.borrow() as f64)
    };
    let floor = || -> Result<f64, Failure> {
        let begun = Instant::now();
        HandleReader::new(&source).and_then(HandleReader::decode).map_err(Failure::input)?;
        Ok(begun.elapsed().as_nanos() as f64 / *count.borrow() as f64)
    };
    // How many accesses there are is known after the first report, which is not measured.
    of()?;
    let made = Pairs::new("the report on handles, all of it", "decoding the columns that it reads", Some("at most 2"));
    let made = Pairs { unit: "access", ..made };
    pairs(made, bench.repeat, false, &of, &floor)
}
