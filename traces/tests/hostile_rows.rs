//! Concurrent blocks that state far more rows than their bytes: rows are returned in order, in bounded memory.
#![allow(clippy::unwrap_used, dead_code)]
#![cfg(target_os = "linux")]

#[path = "../examples/hostile_files/blocks.rs"]
mod blocks;
#[path = "suite/by_hand/mod.rs"]
mod by_hand;

use blocks::{text, zstd_lists};
use by_hand::file;
use taut_traces::Trace;

const THREADS: u32 = 12;
const RECORDS: u32 = 16;
const ELEMENTS: u32 = 1_000_000;

/// A single test, because the peak is that of the whole process.
#[test]
fn blocks_of_the_same_time_are_decoded_within_a_limit_and_give_every_row_once_in_order() {
    let blocks: Vec<_> = (0..THREADS).map(|thread| zstd_lists(thread, 0, RECORDS, ELEMENTS)).collect();
    let trace = Trace::from_bytes(file(&text(1), &blocks)).unwrap();
    let mut rows = trace.rows();
    let mut number = 0;
    while let Some(row) = rows.next_row() {
        // All threads have the same stamps, so their records alternate.
        assert_eq!((row.stamp, row.thread), (101 + u64::from(number / THREADS), number % THREADS));
        assert_eq!(row.payload[..4], ELEMENTS.to_le_bytes());
        let first = number / THREADS * ELEMENTS;
        for element in [0, 1, ELEMENTS - 1] {
            assert_eq!(u32::from(row.payload[4 + element as usize]), (first + element) % 251);
        }
        number += 1;
    }
    assert_eq!((number, rows.damage()), (THREADS * RECORDS, &[][..]));
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_mib = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10;
    println!("{peak_mib} MiB");
    // The blocks state 192 MB in total.
    assert!(peak_mib < 160, "{peak_mib} MiB");
}
