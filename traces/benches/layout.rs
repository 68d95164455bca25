//! Size and speed of the layout, and what recording costs beside a plain store.
//!
//! Prints a summary (best of several runs), then runs the same as divan benchmarks. `TAUT_BENCH_EVENTS` sets the
//! number of events.
#![allow(missing_docs, clippy::unwrap_used)]

mod stream;

use divan::Bencher;
use std::hint::black_box;
use std::sync::atomic::Ordering;
use std::time::Instant;
use stream::{Count, Stream, header, one_buffer, record, thread_ns, trace};
use taut_traces::{EventReader, KindStamps, Selection, Trace, TraceWriter, WriteOptions};

fn main() {
    summary();
    divan::main();
}

/// Nanoseconds per event of the fastest of five runs, each of which tells its own.
fn best(mut run: impl FnMut() -> u64) -> f64 {
    (0..5).map(|_| run() as f64 / stream::events() as f64).fold(f64::INFINITY, f64::min)
}

fn summary() {
    let events = stream::events();
    let generate = best(generate_ns);
    println!("{events} events of the stream; nanoseconds of processor time per event, best of 5");
    println!("generate {generate:.1}");
    println!("store    {:.1} (56 bytes into a buffer)", best(store_ns) - generate);
    println!("record   {:.1} (ThreadWriter::event, no back-pressure)", best(record_ns) - generate);
    println!("encode   {:.1} (the block writer, compression included)", best(encode_ns));
    let bytes = trace(events);
    println!("size     {:.3} bytes per event", bytes.len() as f64 / events as f64);
    let trace = Trace::from_bytes(bytes).unwrap();
    println!("decode   {:.1} (rows)", best(|| timed(|| count_rows(&trace))));
    println!(
        "heads    {:.3} (events of each block and their numbers, checksums included)",
        best(|| often(|| heads(&trace)))
    );
    println!("stamps   {:.1} (stamps of each block, kind by kind)", best(|| often(|| stamps(&trace))));
    let fixed = fixed(&trace);
    println!(
        "fixed    {:.2} (records of 16 bytes in memory, counted by event and thread)",
        best(|| often(|| counted(&fixed)))
    );
    let wall = |run: &dyn Fn() -> u64| {
        best(|| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_nanos() as u64
        })
    };
    println!("on the wall, all processors:");
    println!("durable  {:.1} (record and encode side by side)", wall(&durable));
    println!("verify   {:.1}", wall(&|| trace.verify().len() as u64));
    println!("scan     {:.1} (sum of one field by event)", wall(&|| scan(&trace)));
    println!("extract  {:.1} (one field of every event)", wall(&|| extract(&trace)));
}

fn timed(run: impl FnOnce() -> u64) -> u64 {
    let start = thread_ns();
    black_box(run());
    thread_ns() - start
}

/// The same of what takes less time than the system's clock of processors tells.
fn often(run: impl Fn() -> u64) -> u64 {
    const TIMES: u64 = 32;
    timed(|| (0..TIMES).map(|_| black_box(run())).fold(0, |all, one| all ^ one)) / TIMES
}

fn generate_ns() -> u64 {
    timed(|| {
        let mut stream = Stream::new();
        (0..stream::events()).fold(0, |sum, _| {
            let event = stream.next();
            sum ^ event.stamp ^ u64::from(event.code.0) ^ event.arguments.iter().fold(0, |sum, value| sum ^ value)
        })
    })
}

/// The floor: the same bytes stored into a buffer that is never written anywhere.
fn store_ns() -> u64 {
    let mut buffer = vec![1u8; 1 << 18];
    timed(|| {
        let mut stream = Stream::new();
        let mut at = 0;
        for _ in 0..stream::events() {
            let event = stream.next();
            if at + 56 > buffer.len() {
                at = 0;
            }
            let record = &mut buffer[at..at + 56];
            record[..8].copy_from_slice(&event.stamp.to_le_bytes());
            record[8..16].copy_from_slice(&u64::from(event.code.0).to_le_bytes());
            for (index, value) in event.arguments.iter().enumerate() {
                record[16 + 8 * index..24 + 8 * index].copy_from_slice(&value.to_le_bytes());
            }
            at += 56;
        }
        u64::from(black_box(&buffer)[0])
    })
}

/// Time to record everything into one buffer, and then to encode it.
fn record_ns() -> u64 {
    let events = stream::events();
    let writer = TraceWriter::new(Count::default(), header(), one_buffer(events)).unwrap();
    let mut thread = writer.thread(1);
    let start = thread_ns();
    let mut stream = Stream::new();
    for _ in 0..events {
        let event = stream.next();
        thread.event(event.code, event.stamp, |encoder| {
            event.arguments.iter().for_each(|value| encoder.u64(*value));
        });
    }
    let recorded = thread_ns() - start;
    drop(thread);
    writer.finish().unwrap();
    recorded
}

fn encode_ns() -> u64 {
    let count = Count::default();
    let writer = TraceWriter::new(count.clone(), header(), WriteOptions::default()).unwrap();
    record(&writer, stream::events());
    writer.finish().unwrap();
    count.writer_ns.load(Ordering::Relaxed)
}

fn durable() -> u64 {
    let writer = TraceWriter::new(Count::default(), header(), WriteOptions::default()).unwrap();
    record(&writer, stream::events());
    writer.finish().unwrap().bytes
}

fn count_rows(trace: &Trace) -> u64 {
    let mut rows = trace.rows();
    let mut sum = 0;
    while let Some(row) = rows.next_row() {
        sum ^= row.stamp ^ row.payload.len() as u64 ^ u64::from(row.payload[8]);
    }
    sum
}

fn heads(trace: &Trace) -> u64 {
    let codes = trace.blocks().iter().map(|block| trace.block_codes(block).unwrap());
    codes.map(|codes| codes.iter().map(|(_, records)| u64::from(*records)).sum::<u64>()).sum()
}

/// In parts of some 16 blocks, as tables are made.
fn stamps(trace: &Trace) -> u64 {
    let mut reader = EventReader::default();
    let mut max_stamp = 0;
    for blocks in trace.blocks().chunks(16) {
        let mut part = KindStamps::with_capacity(16 << 16, false);
        blocks.iter().for_each(|block| trace.block_stamps(block, &[], &mut reader, &mut part).unwrap());
        max_stamp = part.stamps.iter().fold(max_stamp, |max_stamp, stamp| max_stamp.max(*stamp));
    }
    max_stamp
}

/// The records as a table of fixed width would have them: stamp, event, thread.
fn fixed(trace: &Trace) -> Vec<(u64, u32, u32)> {
    let mut rows = trace.rows();
    let mut fixed = Vec::new();
    while let Some(row) = rows.next_row() {
        fixed.push((row.stamp, u32::from(row.code.0), row.thread));
    }
    fixed
}

/// The most records that one event has on one thread.
fn counted(fixed: &[(u64, u32, u32)]) -> u64 {
    const CODES: usize = 1 << 12;
    let mut counts = vec![0u64; CODES * 2];
    fixed
        .iter()
        .for_each(|(_, code, thread)| counts[(*thread as usize & 1) * CODES + (*code as usize & (CODES - 1))] += 1);
    counts.into_iter().max().unwrap_or_default()
}

fn sizes() -> Selection {
    Selection { events: header().schema.events.iter().map(|event| (event.code, vec!["size".to_owned()])).collect() }
}

fn scan(trace: &Trace) -> u64 {
    let sums = |part: taut_traces::ThreadExtract| -> Vec<u64> {
        part.columns.iter().map(|event| event.fields[0].1.numbers().iter().sum()).collect()
    };
    let (parts, _) = trace.scan(&sizes(), sums).unwrap();
    parts.iter().flatten().sum()
}

fn extract(trace: &Trace) -> u64 {
    trace.extract(&sizes()).unwrap().threads[0].codes.len() as u64
}

#[divan::bench(sample_count = 5)]
fn encode(bencher: Bencher<'_, '_>) {
    let events = stream::events();
    let full = || {
        let writer = TraceWriter::new(Count::default(), header(), one_buffer(events)).unwrap();
        record(&writer, events);
        writer
    };
    let counter = divan::counter::ItemsCount::new(events);
    bencher.counter(counter).with_inputs(full).bench_values(|writer| writer.finish().unwrap());
}

#[divan::bench(sample_count = 5)]
fn decode(bencher: Bencher<'_, '_>) {
    let trace = Trace::from_bytes(trace(stream::events())).unwrap();
    bencher.counter(divan::counter::ItemsCount::new(stream::events())).bench(|| count_rows(&trace));
}
