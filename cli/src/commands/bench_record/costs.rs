//! What it costs to record an event of the standard stream.

use super::thread_time::thread_ns;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Instant;
use taut_capture::Clock;
use taut_console::outcome::Failure;
use taut_schemas::{Provider, ProviderSet};
use taut_traces::{Header, StandardStream, ThreadWriter, TraceWriter, WriteOptions, WriteSummary};

/// What was measured in one round: nanoseconds per event, which making the event is a part of.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// Processor time of a thread that reads a clock and stores 56 bytes.
    pub floor_ns: f64,
    /// Processor time of a thread that records.
    pub record_ns: f64,
    /// What it waited for buffers beside that.
    pub wait_ns: f64,
    /// Processor time of the thread that makes blocks.
    pub encode_ns: f64,
    /// Time on the wall from the first event until the file was on disk.
    pub durable_ns: f64,
    /// Processor time of a place that would record an event of a provider that is off.
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

/// What recording costs so many threads at once.
#[derive(Debug)]
pub struct Costs {
    pub producers: u32,
    /// Of all producers.
    pub events: u64,
    pub rounds: Vec<Round>,
    pub bytes_per_event: f64,
    pub lost_events: u64,
}

impl Costs {
    /// Measures floor, recording and encoding in turn, after a round that does not count. Files are made in the folder for
    /// temporary ones, and are gone afterwards.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn measure(producers: u32, events_each: u64, rounds: u32, clock: Clock) -> Result<Costs, Failure> {
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::io(error).context(format!("a folder in {}", std::env::temp_dir().display())))?;
        let path = folder.path().join("measured.taut");
        let events = events_each * u64::from(producers);
        let mut costs = Costs { producers, events, rounds: Vec::new(), bytes_per_event: 0.0, lost_events: 0 };
        for round in 0..=rounds {
            let floor_ns = floor(producers, events_each, clock);
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

/// Processor time and time on the wall that `work` takes on each of so many threads, which begin together, per event.
fn on_threads(producers: u32, events_each: u64, work: impl Fn(u32) + Sync) -> (f64, f64) {
    let begin = Barrier::new(producers as usize);
    let (ran_ns, took_ns) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 1..=producers {
            let (begin, work, ran_ns, took_ns) = (&begin, &work, &ran_ns, &took_ns);
            scope.spawn(move || {
                begin.wait();
                let (start, ran) = (Instant::now(), thread_ns());
                work(thread);
                ran_ns.fetch_add(thread_ns() - ran, Ordering::Relaxed);
                took_ns.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            });
        }
    });
    let per_event = |ns: AtomicU64| ns.into_inner() as f64 / (events_each * u64::from(producers)).max(1) as f64;
    (per_event(ran_ns), per_event(took_ns))
}

/// The floor: the same bytes, with the time, stored into a buffer that is never written anywhere.
fn floor(producers: u32, events: u64, clock: Clock) -> f64 {
    let store = |_| {
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
    on_threads(producers, events, store).0
}

/// Records so many events of the stream.
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
fn recorded(path: &Path, producers: u32, events: u64, clock: Clock) -> Result<(Round, WriteSummary), Failure> {
    let writer = TraceWriter::record(path, header(), WriteOptions::default())?;
    let start = Instant::now();
    let (record_ns, took_ns) =
        on_threads(producers, events, |number| record(&mut writer.thread(number), events, clock));
    let written = writer.finish()?;
    let durable_ns = start.elapsed().as_nanos() as f64 / (events * u64::from(producers)).max(1) as f64;
    std::fs::remove_file(path).map_err(Failure::io)?;
    let wait_ns = (took_ns - record_ns).max(0.0);
    let round = Round { floor_ns: 0.0, record_ns, wait_ns, encode_ns: 0.0, durable_ns, disabled_ns: 0.0 };
    Ok((round, written))
}

/// Processor time of the thread that makes blocks, which go nowhere.
fn encode_ns(producers: u32, events: u64, clock: Clock) -> Result<u64, Failure> {
    /// Notes how long the thread that writes to it has run.
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
    on_threads(producers, events, |number| record(&mut writer.thread(number), events, clock));
    writer.finish()?;
    Ok(timed.0.load(Ordering::Relaxed))
}

/// What a place costs that asks whether its provider is on, and records nothing as it is not: a loop with it beside one without.
fn disabled_ns(events: u64) -> Result<f64, Failure> {
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
