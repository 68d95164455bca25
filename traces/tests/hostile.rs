//! Files made to cost their readers much: the cost is limited by their size.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "suite/by_hand/mod.rs"]
mod by_hand;
#[path = "suite/generate/mod.rs"]
mod generate;

use by_hand::{Block, START, STOP, TEXT, file, head};
use generate::read;
use std::fmt::Write;
use taut_traces::Trace;

/// Peak resident size of this process so far, in bytes; `None` if the system does not report it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes << 10)
}

const MIB: u64 = 1 << 20;

fn empty(thread: u32) -> Block {
    Block {
        thread,
        records: 0,
        lost: 1,
        stamps: (0, 0),
        row_bytes: 0,
        kinds: vec![],
        columns: vec![],
        ..Block::sound()
    }
}

/// Table with an additional event that has `fields` numbers on separate slots.
fn text_with_slots(fields: usize) -> String {
    let mut event = r#",{"code":20,"name":"Wide","layer":"mark","opcode":"info","doc":"","fields":["#.to_owned();
    for field in 0..fields {
        let comma = if field > 0 { "," } else { "" };
        let slot = 100 + 2 * field;
        write!(
            event,
            r#"{comma}{{"name":"f{field}","doc":"","kind":{{"scalar":{{"name":"f{field}","width_bytes":4,"role":"size","slot":{slot},"doc":""}}}}}}"#
        )
        .unwrap();
    }
    event.push_str("]}");
    TEXT.replacen("\n]},\"world\"", &format!("{event}\n]}},\"world\""), 1)
}

/// Valid block of 16 MB of rows: one list of so many equal elements.
fn long_list(thread: u32, elements: u32) -> Block {
    let [low, middle, high, _] = elements.to_le_bytes();
    let base = 100 + 1000 * u64::from(thread);
    let mut block = Block { thread, stamps: (base, base + 30), row_bytes: 34 + 2 * elements, ..Block::sound() };
    let raw = [1, 4, 0, 0, 0];
    block.columns[1].2[2..10].copy_from_slice(&base.to_le_bytes());
    let counts = [2, low, 0, 0, 0, middle, 0, 0, 0, high, 0, 0];
    block.columns[3] = (1, 4, [&[0, 3][..], &raw, &raw, &raw, &counts].concat());
    block.columns[6] = (25, elements, vec![0, 1, 0, 1, 0, 0, 0, 7]);
    block
}

/// A single test, because the peak is that of the whole process.
#[test]
fn small_files_take_little_memory() {
    // Regression: each thread had a table of all slots, 40,000 times 32 KiB.
    let blocks: Vec<Block> = (0..40_000).map(empty).collect();
    let trace = Trace::from_bytes(file(&text_with_slots(1000), &blocks)).unwrap();
    assert_eq!(read(&trace), []);
    assert_eq!(trace.verify(), []);
    assert_eq!(trace.summary().lost_events, 40_000);

    // A list of equal elements is a few bytes in the file, and 8 for each element in memory.
    let mut block = Block::sound();
    let elements = 75_000_000u32;
    block.columns[6] = (25, elements, vec![0, 1, 0, 1, 0, 0, 0, 7]);
    block.columns[3] = (1, 4, vec![0, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    block.row_bytes = 2 * elements;
    let damage = Trace::from_bytes(file(TEXT, &[block])).unwrap().verify();
    assert!(damage[0].to_string().contains("at most 16777216 bytes of rows"), "{damage:?}");

    // Regression: values of 2 bytes took 8, and each thread had a decoded block from the begin on, 16 times 64 MB and
    // more.
    let blocks: Vec<Block> = (0..16).map(|thread| long_list(thread, 8_000_000)).collect();
    let trace = Trace::from_bytes(file(TEXT, &blocks)).unwrap();
    assert_eq!(trace.verify(), []);
    let (mut rows, mut bytes) = (trace.rows(), 0);
    while let Some(row) = rows.next_row() {
        bytes += row.payload.len();
    }
    assert_eq!(bytes, 16 * 16_000_034);

    match peak_bytes() {
        Some(peak) => assert!(peak < 256 * MIB, "{peak} bytes"),
        None => println!("small_files_take_little_memory: skipped, the system does not tell the size of a process"),
    }
}

/// Regression: a checksum over a length of up to the file's was computed at each apparent head.
#[test]
fn a_file_of_block_beginnings_is_scanned_once() {
    let mut bytes = head(TEXT);
    // Each head states that it extends to the end of the file.
    let count = 1 << 19;
    for _ in 0..count {
        bytes.extend(b"\xb1TB1");
        bytes.extend((1u32 << 20).to_le_bytes());
    }
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!(trace.blocks(), []);
    assert!(!trace.damage().is_empty());
}

#[test]
fn a_head_is_summed_up_only_where_its_length_is_that_of_its_tables() {
    let sound = file(TEXT, &[Block::sound()]);
    let at = head(TEXT).len();
    for (offset, number, expected) in [(4, 1 << 30, "a head of"), (4, 0, "a head of"), (12, 7, "a block of this trace")]
    {
        let mut bytes = sound.clone();
        bytes[at + offset..][..4].copy_from_slice(&u32::to_le_bytes(number));
        let damage = Trace::from_bytes(bytes).unwrap().verify();
        assert!(damage.iter().any(|damage| damage.to_string().contains(expected)), "{expected}: {damage:?}");
    }
}

#[test]
fn tables_of_many_columns_are_read() {
    // A list whose elements have 30,000 columns in two alternating slots, and a row of 8,000 numbers on one slot.
    let columns: Vec<String> = (0..30_000)
        .map(|at| format!(r#"{{"name":"c{at}","width_bytes":1,"role":"value","slot":{},"doc":""}}"#, 25 + 2 * (at % 2)))
        .collect();
    let list = format!(r#"{{"name":"wide","doc":"","kind":{{"list":[{}]}}}},{{"name":"list","#, columns.join(","));
    let text = TEXT.replacen(r#"{"name":"list","#, &list, 1);
    // The rows of START have an additional count; none is in this file.
    let trace = Trace::from_bytes(file(&text, &[])).unwrap();
    assert_eq!(trace.header().schema.events.len(), 2);
    assert_eq!((START, STOP), (17, 18));
}
