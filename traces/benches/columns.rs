//! The choice of a column's coding: what the alternatives cost on the stream, in blocks of 64 Ki records.
//!
//! Prints processor time and size per event of all seven columns together, best of five runs.
#![allow(missing_docs, clippy::unwrap_used)]

mod stream;

use std::hint::black_box;
use stream::{Stream, thread_ns};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound};

const RECORDS: usize = 1 << 16;

/// The seven columns of a block: stamps and handles and frames as differences, the rest as they are.
fn columns(stream: &mut Stream) -> Vec<Vec<u64>> {
    let mut columns: Vec<Vec<u64>> = (0..7).map(|_| Vec::with_capacity(RECORDS)).collect();
    let mut last = [0u64; 7];
    for _ in 0..RECORDS {
        let event = stream.next();
        let [handle, size, frame, bits, hr] = event.arguments;
        let values = [event.stamp, u64::from(event.code.0), handle, size, frame, bits, hr];
        for (index, value) in values.into_iter().enumerate() {
            let delta = value.wrapping_sub(last[index]);
            last[index] = value;
            let stored = match index {
                0 => delta,
                2 | 4 => (delta << 1) ^ ((delta as i64 >> 63) as u64),
                _ => value,
            };
            columns[index].push(stored);
        }
    }
    columns
}

/// A coding of a column: bytes, to be compressed as frames that end at the ends given.
type Coding = fn(&[u64], &mut Vec<u8>, &mut Vec<usize>);

fn words(numbers: &[u64], out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    ends.push(out.len());
}

fn varints(numbers: &[u64], out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    for number in numbers {
        let mut left = *number;
        while left >= 0x80 {
            out.push(left as u8 | 0x80);
            left >>= 7;
        }
        out.push(left as u8);
    }
    ends.push(out.len());
}

fn each_plane(numbers: &[u64], out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    let varying = numbers.iter().fold(0, |bits, number| bits | (number ^ numbers[0]));
    for shift in (0..64).step_by(8).filter(|shift| varying >> shift & 0xff != 0) {
        out.extend(numbers.iter().map(|number| (number >> shift) as u8));
        ends.push(out.len());
    }
}

fn all_planes(numbers: &[u64], out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    each_plane(numbers, out, ends);
    ends.clear();
    ends.push(out.len());
}

/// Positions in a table of the values that occur, where they are at most 256; planes otherwise.
fn dictionary(numbers: &[u64], out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    let mut table = std::collections::HashMap::<u64, u8>::new();
    for number in numbers {
        let next = table.len();
        if next == 256 && !table.contains_key(number) {
            out.clear();
            return each_plane(numbers, out, ends);
        }
        out.push(*table.entry(*number).or_insert(next as u8));
    }
    ends.push(out.len());
}

fn main() {
    let blocks = (stream::events() as usize / RECORDS).clamp(1, 40);
    let mut stream = Stream::new();
    let blocks: Vec<_> = (0..blocks).map(|_| columns(&mut stream)).collect();
    println!("{} blocks; zstd-1; columns of stamp, kind and five arguments", blocks.len());
    println!("{:<42} {:>12} {:>12} {:>12}", "coding", "bytes/event", "encode ns", "inflate ns");
    let codings: [(&str, Coding); 5] = [
        ("words, one frame a column", words),
        ("varints, one frame a column", varints),
        ("planes, one frame a column", all_planes),
        ("planes, one frame a plane", each_plane),
        ("planes, and dictionaries (by hash map)", dictionary),
    ];
    for (name, coding) in codings {
        let results: Vec<_> = (0..5).map(|_| measure(&blocks, coding)).collect();
        let best = |pick: fn(&(f64, f64, f64)) -> f64| results.iter().map(pick).fold(f64::INFINITY, f64::min);
        println!("{name:<42} {:>12.3} {:>12.1} {:>12.1}", best(|r| r.0), best(|r| r.1), best(|r| r.2));
    }
}

/// Bytes, encoding and decompression time per event.
fn measure(blocks: &[Vec<Vec<u64>>], coding: Coding) -> (f64, f64, f64) {
    let (mut compress, mut decompress) = (CCtx::create(), DCtx::create());
    compress.set_parameter(CParameter::CompressionLevel(1)).unwrap();
    compress.set_parameter(CParameter::MinMatch(7)).unwrap();
    let (mut coded, mut ends, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    let start = thread_ns();
    for column in blocks.iter().flatten() {
        coded.clear();
        ends.clear();
        coding(column, &mut coded, &mut ends);
        let mut start = 0;
        for end in &ends {
            let mut frame = Vec::with_capacity(compress_bound(end - start));
            compress.compress2(&mut frame, &coded[start..*end]).unwrap();
            frames.push((frame, end - start));
            start = *end;
        }
    }
    let encoded = thread_ns() - start;
    let start = thread_ns();
    for (frame, bytes) in &frames {
        let mut plain = Vec::with_capacity(*bytes);
        decompress.decompress(&mut plain, frame).unwrap();
        black_box(&plain);
    }
    let decoded = thread_ns() - start;
    let events = (blocks.len() * RECORDS) as f64;
    let bytes: usize = frames.iter().map(|(frame, _)| frame.len()).sum();
    (bytes as f64 / events, encoded as f64 / events, decoded as f64 / events)
}
