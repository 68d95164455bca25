//! Cost of recording an event of the standard stream.

use crate::BenchError;
use crate::start_gate::StartGate;
use crate::thread_time::thread_ns;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use taut_capture::Clock;
use taut_schemas::{Provider, ProviderSet};
use taut_traces::{Header, StandardStream, ThreadWriter, TraceWriter, WriteOptions, WriteSummary};

/// Results of one round, in nanoseconds per event. Each includes the generation of the event.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// Processor time of a thread that reads a clock and stores 56 bytes.
    pub floor_ns: f64,
    /// Processor time of a thread that records.
    pub record_ns: f64,
    /// Wall-clock time of that thread beyond its processor time: waiting for buffers.
    pub wait_ns: f64,
    /// Processor time of the thread that encodes blocks.
    pub encode_ns: f64,
    /// Wall-clock time from the first event until the file was synced to disk.
    pub durable_ns: f64,
    /// Processor time of a call site that would record an event of a disabled provider.
    pub disabled_ns: f64,
}

impl Round {
    pub fn record_over_floor(&self) -> f64 {
        self.record_ns / self.floor_ns
    }

    pub fn durable_over_floor(&self) -> f64 {
        self.durable_ns / self.floor_ns
    }
}

/// Cost of recording from several threads at once.
#[derive(Debug)]
pub struct Costs {
    pub producers: u32,
    /// Events of all producers in a round.
    pub events: u64,
    pub rounds: Vec<Round>,
    pub bytes_per_event: f64,
    pub lost_events: u64,
}

impl Costs {
    /// Measures floor, recording and encoding in turn. The first round is a warm-up and does not count. Files are
    /// written to the system's temporary folder and removed.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn measure(producers: u32, events_each: u64, rounds: u32, clock: Clock) -> Result<Costs, BenchError> {
        let what = || format!("a folder in {}", std::env::temp_dir().display());
        let folder = tempfile::tempdir().map_err(|source| BenchError::System { what: what(), source })?;
        let path = folder.path().join("measured.taut");
        let events = events_each * u64::from(producers);
        let mut costs = Costs { producers, events, rounds: Vec::new(), bytes_per_event: 0.0, lost_events: 0 };
        for round in 0..=rounds {
            let floor_ns = floor(producers, events_each, clock)?;
            let (recording, written) = recorded(&path, producers, events_each, clock)?;
            let encode_ns = encode_ns(producers, events_each, clock)? as f64 / events as f64;
            let disabled_ns = disabled_ns(events_each)?;
            if round > 0 {
                costs.rounds.push(Round { floor_ns, encode_ns, disabled_ns, ..recording });
            }
            costs.bytes_per_event = written.bytes as f64 / written.events.max(1) as f64;
            costs.lost_events += written.lost_events;
        }
        Ok(costs)
    }
}

/// Runs `work` on each of `producers` threads, which start together. Returns processor time and wall-clock time in
/// nanoseconds per event.
///
/// # Errors
/// A thread cannot be created.
fn on_threads(producers: u32, events_each: u64, work: impl Fn(u32) + Sync) -> Result<(f64, f64), BenchError> {
    let begin = StartGate::new(producers as usize);
    let (ran_ns, took_ns) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 1..=producers {
            let (begin, work, ran_ns, took_ns) = (&begin, &work, &ran_ns, &took_ns);
            let run = move || {
                if !begin.wait() {
                    return;
                }
                let (start, ran) = (Instant::now(), thread_ns());
                work(thread);
                ran_ns.fetch_add(thread_ns() - ran, Ordering::Relaxed);
                took_ns.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, run) {
                begin.decide(false);
                return Err(error);
            }
        }
        begin.decide(true);
        Ok(())
    })
    .map_err(|source| BenchError::System { what: "a thread of the benchmark".to_owned(), source })?;
    let per_event = |ns: AtomicU64| ns.into_inner() as f64 / (events_each * u64::from(producers)).max(1) as f64;
    Ok((per_event(ran_ns), per_event(took_ns)))
}

/// Measures the floor: a clock read, and the bytes of the event stored into a buffer that is never written to a file.
fn floor(producers: u32, events: u64, clock: Clock) -> Result<f64, BenchError> {
    let store = |_| {
        // As large as the default buffer of a recording thread.
        let mut buffer = vec![1u8; 1 << 18];
        let (mut stream, mut at) = (StandardStream::default(), 0);
        for _ in 0..events {
            let event = stream.event();
            let stamp = clock.now();
            if at + 56 > buffer.len() {
                at = 0;
            }
            let Some(record) = buffer.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<56>) else { return };
            let words = [stamp, u64::from(event.code.0)].into_iter().chain(event.arguments);
            for (word, value) in record.as_chunks_mut::<8>().0.iter_mut().zip(words) {
                *word = value.to_le_bytes();
            }
            at += 56;
        }
        black_box(&buffer);
    };
    on_threads(producers, events, store).map(|(ran_ns, _)| ran_ns)
}

/// Records `events` events of the stream.
fn record(thread: &mut ThreadWriter, events: u64, clock: Clock) {
    let (mut stream, mut last) = (StandardStream::default(), 0);
    for _ in 0..events {
        let event = stream.event();
        last = clock.stamp(last);
        thread.event(event.code, last, |encoder| encoder.u64s(event.arguments));
    }
}

fn header() -> Header {
    Header { schema: StandardStream::schema(), ..Header::default() }
}

/// Records to a file as `taut record` does.
fn recorded(path: &Path, producers: u32, events: u64, clock: Clock) -> Result<(Round, WriteSummary), BenchError> {
    let writer = TraceWriter::record(path, header(), WriteOptions::default())?;
    let start = Instant::now();
    let (record_ns, took_ns) =
        on_threads(producers, events, |number| record(&mut writer.thread(number), events, clock))?;
    let written = writer.finish()?;
    let durable_ns = start.elapsed().as_nanos() as f64 / (events * u64::from(producers)).max(1) as f64;
    std::fs::remove_file(path).map_err(BenchError::Remove)?;
    let wait_ns = (took_ns - record_ns).max(0.0);
    let round = Round { floor_ns: 0.0, record_ns, wait_ns, encode_ns: 0.0, durable_ns, disabled_ns: 0.0 };
    Ok((round, written))
}

/// Processor time of the thread that encodes blocks, in nanoseconds. The blocks are discarded.
fn encode_ns(producers: u32, events: u64, clock: Clock) -> Result<u64, BenchError> {
    /// Sink that stores the processor time of the thread that writes to it.
    #[derive(Clone, Default)]
    struct Timed(Arc<AtomicU64>);
    impl Write for Timed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.store(thread_ns(), Ordering::Relaxed);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let timed = Timed::default();
    let writer = TraceWriter::new(timed.clone(), header(), WriteOptions::default())?;
    on_threads(producers, events, |number| record(&mut writer.thread(number), events, clock))?;
    writer.finish()?;
    Ok(timed.0.load(Ordering::Relaxed))
}

/// Cost in nanoseconds of the check for a disabled provider: a loop with the check against one without.
fn disabled_ns(events: u64) -> Result<f64, BenchError> {
    let off = WriteOptions { providers: ProviderSet::ALL.without(Provider::Ddi), ..WriteOptions::default() };
    let writer = TraceWriter::new(io::sink(), header(), off)?;
    let mut thread = writer.thread(1);
    let code = StandardStream::default().event().code;
    let begun = thread_ns();
    for number in 0..events {
        black_box(number);
    }
    let without = thread_ns() - begun;
    let begun = thread_ns();
    for number in 0..events {
        black_box(number);
        if thread.providers().now().has(Provider::Ddi) {
            thread.event(code, number, |encoder| encoder.u64(number));
        }
    }
    let with = thread_ns() - begun;
    drop(thread);
    writer.finish()?;
    Ok(with.saturating_sub(without) as f64 / events.max(1) as f64)
}
