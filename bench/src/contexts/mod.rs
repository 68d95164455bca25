//! Two threads in contexts of one session against two separate sessions, the cost of one recording call, and the report
//! on accesses.

mod recorder;

use crate::BenchError;
use crate::pairs::Pairs;
use crate::scratch::{scratch, to_scratch};
use crate::start_gate::StartGate;
use recorder::{Device, Kind, LIST_CALLS, Recorder};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;
use taut_analyze::handles::HandleReader;
use taut_analyze::{Analysis, Source};
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::Settings;
use taut_schemas::{Call, EventCode, Opcode, d3d11};
use taut_traces::Trace;

/// Driver model of the benchmark: one with handles per context.
const DRIVER: &str = "multi-size";
/// Number of threads that record concurrently.
const THREADS: usize = 2;

/// Options of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct ContextOptions {
    /// Lists that each thread records in a run.
    pub lists: u32,
    /// Pairs of runs of each measurement.
    pub repeat: u32,
}

/// Results of the benchmark.
pub struct ContextFigures {
    options: ContextOptions,
    cases: Vec<Pairs>,
}

impl ContextFigures {
    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let cases: Vec<Value> = self.cases.iter().map(Pairs::json).collect();
        json!({ "driver": DRIVER, "pairs": self.options.repeat, "lists": self.options.lists, "cases": cases })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let (pairs, calls) = (self.options.repeat, u64::from(self.options.lists) * LIST_CALLS);
        let text: String = self.cases.iter().map(Pairs::text).collect();
        format!("{DRIVER}: medians of {pairs} interleaved pairs, {calls} calls on each thread\n{text}")
    }
}

/// Measures contexts.
///
/// # Errors
/// A device cannot be created, or a trace cannot be written or read.
pub fn measure(options: ContextOptions) -> Result<ContextFigures, BenchError> {
    let adapters = Adapters::named(DRIVER).ok_or(BenchError::MissingDriver)?;
    let cases = vec![
        concurrent_contexts(options, &adapters, false)?,
        concurrent_contexts(options, &adapters, true)?,
        measure_one_call(options, &adapters)?,
        measure_opening(options, &adapters)?,
        accesses(options, &adapters)?,
        report(options, &adapters)?,
    ];
    Ok(ContextFigures { options, cases })
}

/// Configuration of a run.
#[derive(Clone, Copy)]
struct Run<'b> {
    /// Bind calls of the last run: number of calls that waited for a lock, number of all calls, and total wait in
    /// nanoseconds.
    waits: &'b RefCell<[u64; 3]>,
    options: ContextOptions,
    adapters: &'b Adapters,
    is_recorded: bool,
    handle_accesses: bool,
    kind: Kind,
}

impl Run<'_> {
    fn settings(&self) -> Settings {
        Settings { handle_accesses: self.handle_accesses, ..Settings::default() }
    }

    /// Runs threads concurrently, each with its own context, distributed over `sessions` sessions. Returns nanoseconds
    /// per call, as the harmonic mean of the threads.
    fn time(&self, threads: usize, sessions: usize) -> Result<f64, BenchError> {
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
        sessions.iter().try_for_each(|session| session.end().map(drop))?;
        Ok(ns)
    }

    /// Runs recorded sessions. Returns nanoseconds per call, and the files of the traces.
    fn recorded(&self, threads: usize, sessions: usize) -> Result<(f64, Vec<File>), BenchError> {
        let files: Vec<File> = (0..sessions).map(|_| scratch()).collect::<Result<_, _>>()?;
        let of = || taut_traces::Workload { name: "bench contexts".to_owned(), parameters: Default::default() };
        let open = |file| Session::record(to_scratch(file), self.adapters, self.settings(), of(), Clock::best());
        let sessions: Vec<Session> = files.iter().map(open).collect::<Result<_, _>>()?;
        let ns = self.on(&sessions, threads)?;
        sessions.iter().try_for_each(|session| session.finish().map(drop))?;
        Ok((ns, files))
    }

    fn on<R: taut_capture::Recorder>(&self, sessions: &[Session<R>], threads: usize) -> Result<f64, BenchError> {
        let devices: Vec<Device> =
            sessions.iter().map(Device::new).collect::<Result<_, _>>().map_err(BenchError::Device)?;
        let places = (0..threads).map(|thread| thread % sessions.len());
        let recorders: Vec<Recorder<R>> = places
            .zip(0_u32..)
            .map(|(place, thread)| Recorder::new(&sessions[place], &devices[place], thread + 1))
            .collect::<Result<_, _>>()
            .map_err(BenchError::Device)?;
        let start = StartGate::new(threads);
        let (lists, kind, start) = (self.options.lists, self.kind, &start);
        let taken: std::io::Result<Vec<f64>> = std::thread::scope(|scope| {
            let created = recorders.into_iter().map(|mut recorder| {
                std::thread::Builder::new().spawn_scoped(scope, move || {
                    if !start.wait() {
                        return None;
                    }
                    let (ns, calls) = recorder.record(lists, kind);
                    Some(ns as f64 / calls.max(1) as f64)
                })
            });
            let created: std::io::Result<Vec<_>> = created.collect();
            start.decide(created.is_ok());
            Ok(created?.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect())
        });
        let taken =
            taken.map_err(|source| BenchError::System { what: "a thread of the benchmark".to_owned(), source })?;
        // The rates of concurrent threads add up; their times do not.
        let rate: f64 = taken.iter().map(|ns| 1.0 / ns.max(1e-9)).sum();
        Ok(threads as f64 / rate.max(1e-9))
    }
}

fn pairs(
    mut pairs: Pairs,
    repeat: u32,
    more_is_better: bool,
    of: &dyn Fn() -> Result<f64, BenchError>,
    floor: &dyn Fn() -> Result<f64, BenchError>,
) -> Result<Pairs, BenchError> {
    for pair in 0..repeat {
        // The order alternates, because the second run may find warm caches or a hotter, slower processor.
        let first = (pair % 2 == 0).then(floor).transpose()?;
        let ns = of()?;
        let floor_ns = first.map_or_else(floor, Ok)?;
        pairs.add(ns, floor_ns, more_is_better);
    }
    Ok(pairs)
}

/// Two threads in contexts of one session, against two threads in separate sessions.
fn concurrent_contexts(options: ContextOptions, adapters: &Adapters, is_recorded: bool) -> Result<Pairs, BenchError> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, options, adapters, is_recorded, handle_accesses: false, kind: Kind::Lists };
    let name = match is_recorded {
        true => "calls per second of two threads in two contexts of one session, recorded",
        false => "calls per second of two threads in two contexts of one session, unrecorded",
    };
    let created = Pairs::new(name, "two threads in two sessions that share nothing", Some("at least 0.9"));
    pairs(created, options.repeat, true, &|| run.time(THREADS, 1), &|| run.time(THREADS, THREADS))
}

/// Measures a recorded call that opens no handle. The floor is the cost of recording its four events, which is the
/// difference from the same call without a recorder.
fn measure_one_call(options: ContextOptions, adapters: &Adapters) -> Result<Pairs, BenchError> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, options, adapters, is_recorded: true, handle_accesses: false, kind: Kind::Open };
    let unrecorded = Run { is_recorded: false, ..run };
    let floor_name = "its four events, by the same calls with the recorder and without";
    let mut created = Pairs::new("one recording call that opens nothing, recorded", floor_name, Some("at most 3"));
    let both = Pairs::new("", "", None);
    let both = pairs(both, options.repeat, false, &|| run.time(1, 1), &|| unrecorded.time(1, 1))?;
    for (ns, without_ns) in both.ns.iter().zip(&both.floor_ns) {
        created.add(*ns, (ns - without_ns).max(1.0), false);
    }
    Ok(created)
}

/// Measures a call that opens handles on two threads, which contend for locks. The floor is the same call with open
/// handles.
fn measure_opening(options: ContextOptions, adapters: &Adapters) -> Result<Pairs, BenchError> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, options, adapters, is_recorded: true, handle_accesses: false, kind: Kind::Opening };
    let open_run = Run { kind: Kind::Open, ..run };
    let created = Pairs::new(
        "a call that opens a view and its texture, on two threads",
        "the same call once they are open",
        None,
    );
    let mut created = pairs(created, options.repeat, false, &|| run.time(THREADS, 1), &|| open_run.time(THREADS, 1))?;
    created.waits = Some(waits.take());
    Ok(created)
}

/// Number of bind calls that waited for a lock, number of all bind calls, and total wait in nanoseconds.
fn waits(trace: &Trace) -> [u64; 3] {
    let code = EventCode::new(d3d11::SetShaderResources::ID, Opcode::Start);
    let (mut rows, mut sum) = (trace.rows(), [0; 3]);
    while let Some(row) = rows.next_row() {
        if row.code == code {
            // The first field of the row is the time that the call waited for locks.
            let wait_ns = row.payload.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            sum = [sum[0] + u64::from(wait_ns > 0), sum[1] + 1, sum[2] + wait_ns];
        }
    }
    sum
}

/// Recording with accesses to handle memory, against recording without.
fn accesses(options: ContextOptions, adapters: &Adapters) -> Result<Pairs, BenchError> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, options, adapters, is_recorded: true, handle_accesses: true, kind: Kind::Open };
    let without = Run { handle_accesses: false, ..run };
    let created = Pairs::new("a recorded call with handle_accesses", "without", None);
    pairs(created, options.repeat, false, &|| run.time(1, 1), &|| without.time(1, 1))
}

/// The report on handles of a trace with accesses, against decoding the columns that it reads.
fn report(options: ContextOptions, adapters: &Adapters) -> Result<Pairs, BenchError> {
    let waits = RefCell::default();
    let run = Run { waits: &waits, options, adapters, is_recorded: true, handle_accesses: true, kind: Kind::Lists };
    let (_, files) = run.recorded(THREADS, 1)?;
    let Some(file) = files.first() else { return Err(BenchError::NothingRecorded) };
    let source = Source::new(Trace::from_file(file, "temporary file")?);
    let count = RefCell::new(1);
    let of = || -> Result<f64, BenchError> {
        let begun = Instant::now();
        let analysis = Analysis::new(Arc::clone(source.trace()))?;
        let handles = taut_analyze::report("handles")?;
        let figures = handles.run(&analysis)?.json;
        let taken = begun.elapsed();
        *count.borrow_mut() = figures["accesses"].as_u64().unwrap_or_default().max(1);
        Ok(taken.as_nanos() as f64 / *count.borrow() as f64)
    };
    let floor = || -> Result<f64, BenchError> {
        let begun = Instant::now();
        HandleReader::new(&source).and_then(HandleReader::decode)?;
        Ok(begun.elapsed().as_nanos() as f64 / *count.borrow() as f64)
    };
    // The first report only counts the accesses, so that the floor can divide by them; its time is not used.
    of()?;
    let created =
        Pairs::new("the report on handles, all of it", "decoding the columns that it reads", Some("at most 2"));
    let created = Pairs { unit: "access", ..created };
    pairs(created, options.repeat, false, &of, &floor)
}
