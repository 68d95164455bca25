//! An unfinished trace is opened by its index blocks; if anything is wrong with them, by a scan of all blocks.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::by_hand;
use crate::generate;

use by_hand::{Block, Index, TEXT};
use generate::{Memory, Random, Record, read, records};
use std::io::{Seek, SeekFrom, Write};
use std::time::Instant;
use taut_schemas::SchemaTable;
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Trace of some blocks, with an index block after every `every` blocks.
fn trace(index_blocks: usize, blocks: usize) -> (Vec<u8>, Vec<Record>) {
    let (memory, mut table) = (Memory::default(), SchemaTable::current().without_docs());
    // No metadata blocks between those of records.
    table.providers.iter_mut().for_each(|provider| provider.defined_when_used = false);
    let header = Header { schema: table.clone(), ..Header::default() };
    let options = WriteOptions { index_blocks, ..WriteOptions::default() };
    let writer = TraceWriter::new(memory.clone(), &header, options).unwrap();
    let all = records(&mut Random(3), &table, 1, 20 * blocks);
    for run in all.chunks(20) {
        let mut thread = writer.thread(0);
        for record in run {
            thread.event(record.code, record.stamp, |encoder| record.payload.iter().for_each(|byte| encoder.u8(*byte)));
        }
    }
    writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, all)
}

/// The trace without footer and trailer.
fn unended(whole: &[u8]) -> Vec<u8> {
    let at = whole.len() - 28;
    let footer_at = u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
    whole[..footer_at].to_vec()
}

#[test]
fn a_trace_without_its_end_is_opened_by_its_index_blocks() {
    let (whole, all) = trace(3, 10);
    let sound = Trace::from_bytes(whole.clone()).unwrap();
    assert_eq!((sound.verify(), read(&sound)), (vec![], all.clone()));
    let bytes = unended(&whole);
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!((trace.blocks(), trace.damage().len()), (sound.blocks(), 1));
    assert_eq!((read(&trace), &trace.verify()[..]), (all, trace.damage()));
    // Blocks covered by an index are not checked at opening: a damaged head is detected when the block is read.
    let mut bytes = bytes;
    bytes[sound.blocks()[4].offset as usize + 9] ^= 1;
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!((trace.blocks(), trace.damage().len()), (sound.blocks(), 1));
    assert_eq!(trace.verify().len(), 2);
    // Blocks after the last index block are checked.
    bytes[sound.blocks()[9].offset as usize + 9] ^= 1;
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!((trace.blocks(), trace.damage().len()), (&sound.blocks()[..9], 2));
}

#[test]
fn blocks_are_found_despite_any_error_in_an_index_block() {
    let (whole, all) = trace(3, 10);
    let sound = unended(&whole);
    let indexes: Vec<usize> = (0..sound.len() - 18)
        .filter(|at| sound[*at..].starts_with(b"\xb1TB1") && sound[at + 16..at + 18] == [2, 0])
        .collect();
    assert_eq!(indexes.len(), 3);
    for (at, byte) in indexes.iter().flat_map(|at| [4, 8, 24, 33, 37, 45, 70, 80, 150].map(|byte| (*at, byte))) {
        let mut bytes = sound.clone();
        bytes[at + byte] ^= 0x10;
        let trace = Trace::from_bytes(bytes).unwrap();
        assert_eq!(read(&trace), all, "byte {byte} of the block at {at}");
        assert!(trace.verify().len() > 1, "byte {byte} of the block at {at}");
    }
}

/// Three blocks, an index block, two blocks and their index block, as in FORMAT.md.
fn by_hand_with(change: impl Fn(&mut [Index; 2])) -> Vec<u8> {
    let key = by_hand::crc(TEXT.as_bytes());
    let blocks: Vec<Block> =
        (0..5).map(|number| Block { number, records_before: 4 * number, ..Block::sound() }).collect();
    let mut file = by_hand::head(TEXT);
    let mut indexes = [Index::default(), Index::default()];
    let mut ends = [0, 0];
    for half in 0..2 {
        for block in if half == 0 { &blocks[..3] } else { &blocks[3..] } {
            indexes[half].entries.push((block.clone(), file.len() as u64, block.bytes(key).len() as u32));
            file.extend(block.bytes(key));
        }
        indexes[half].offset = file.len() as u64;
        indexes[half].before = if half == 0 { 0 } else { indexes[0].offset };
        indexes[half].number = half as u64;
        ends[half] = file.len();
        file.extend(indexes[half].bytes(key));
    }
    change(&mut indexes);
    let (first, second) = (indexes[0].bytes(key), indexes[1].bytes(key));
    let middle = ends[0] + indexes[0].bytes(key).len();
    [&file[..ends[0]], &first, &file[middle..ends[1]], &second].concat()
}

#[test]
fn index_blocks_written_from_the_description_are_followed() {
    let sound = Trace::from_bytes(by_hand_with(|_| {})).unwrap();
    assert_eq!((read(&sound).len(), sound.verify().len()), (20, 1));
    // Proof that the index blocks are used: these state other stamps.
    let lying = Trace::from_bytes(by_hand_with(|[_, second]| second.entries[0].0.stamps.1 += 1)).unwrap();
    assert_eq!((lying.damage().len(), read(&lying).len()), (1, 16));
    assert!(lying.verify()[1].to_string().contains("a block like BlockInfo"), "{:?}", lying.verify());
}

#[test]
fn index_blocks_that_do_not_fit_are_not_believed() {
    let with = |change: &dyn Fn(&mut [Index; 2])| {
        let trace = Trace::from_bytes(by_hand_with(change)).unwrap();
        assert_eq!((trace.blocks().len(), read(&trace).len()), (5, 20), "{:?}", trace.damage());
        assert!(trace.verify().len() > 1, "nothing was noticed");
    };
    with(&|[_, second]| second.offset += 1);
    with(&|[_, second]| second.before += 1);
    with(&|[_, second]| second.before = second.offset);
    with(&|[_, second]| second.before = u64::MAX);
    with(&|[_, second]| second.before = 0);
    with(&|[first, _]| first.before = 1);
    with(&|[_, second]| second.zero = 1);
    with(&|[_, second]| second.entries[0].1 += 1);
    with(&|[first, _]| first.entries[1].2 += 1);
    with(&|[first, _]| first.entries.swap(0, 1));
    with(&|[_, second]| second.count = Some(1));
    with(&|[_, second]| second.count = Some(u32::MAX));
    with(&|[_, second]| second.more = vec![0]);
    with(&|[first, _]| first.entries[0].0.records += 1);
}

/// Processor time of this thread, if the system reports it.
fn processor_ms() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    schedstat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1e6
}

/// 31,250 blocks of 320 KiB that are holes: any reader of one would find it damaged.
#[test]
#[ignore = "makes a file of 10 GB, nearly all of it holes"]
fn ten_gigabytes_are_opened_at_once() {
    const BLOCK_BYTES: u32 = 320 << 10;
    let (key, folder) = (by_hand::crc(TEXT.as_bytes()), tempfile::tempdir().unwrap());
    let path = folder.path().join("huge.taut");
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(&by_hand::head(TEXT)).unwrap();
    let mut at = by_hand::head(TEXT).len() as u64;
    let kinds: Vec<(u16, u32)> = (0..60).map(|code| (4 * code, 1000)).collect();
    let (mut footer, mut blocks, mut before) = (Vec::new(), 0u32, 0);
    for index in 0..31_250u64 / 205 {
        let mut entries = Vec::new();
        for number in (index * 205..).take(205) {
            let (thread, number) = ((number % 8) as u32, number / 8);
            let place = Block { thread, number, records: 60_000, records_before: 60_000 * number, ..Block::sound() };
            let block = Block { kinds: kinds.clone(), columns: vec![], stamps: (number, number), ..place };
            by_hand::put_entry(&mut footer, &block, at, BLOCK_BYTES);
            entries.push((block, at, BLOCK_BYTES));
            at += u64::from(BLOCK_BYTES);
        }
        blocks += entries.len() as u32 + 1;
        let records = entries.len() as u32;
        let bytes = Index { number: index, offset: at, before, entries, ..Index::default() }.bytes(key);
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&bytes).unwrap();
        let own = Block { kind: 2, thread: u32::MAX, number: index, records, records_before: at, ..Block::sound() };
        let own = Block { lost: before, stamps: (0, 0), kinds: vec![], ..own };
        by_hand::put_entry(&mut footer, &own, at, bytes.len() as u32);
        (before, at) = (at, at + bytes.len() as u64);
    }
    let opened = |what: &str, damage: usize| {
        let (began, before) = (Instant::now(), processor_ms());
        let trace = Trace::open(&path).unwrap();
        let (took, processor_ms) = (began.elapsed(), processor_ms() - before);
        println!(
            "{what}: {} blocks of {} bytes in {took:?}, {processor_ms:.1} ms of a processor",
            trace.blocks().len(),
            trace.summary().file_bytes
        );
        assert_eq!((trace.blocks().len(), trace.damage().len()), (31_250 / 205 * 205, damage), "{:?}", trace.damage());
    };
    opened("without its end", 1);
    let mut end = b"\xb1TF1".to_vec();
    by_hand::put(&mut end, 4, key.into());
    [60_000 * (31_250 / 205 * 205), 0].iter().for_each(|number| by_hand::put(&mut end, 8, *number));
    [blocks, 0].iter().for_each(|number| by_hand::put(&mut end, 4, u64::from(*number)));
    end.extend(footer);
    let crc = by_hand::crc(&end);
    by_hand::put(&mut end, 4, crc.into());
    let mut trailer = Vec::new();
    [at, end.len() as u64].iter().for_each(|number| by_hand::put(&mut trailer, 8, *number));
    let crc = by_hand::crc(&trailer);
    by_hand::put(&mut trailer, 4, crc.into());
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[end, trailer, b"\xb1TAUTEND".to_vec()].concat()).unwrap();
    opened("finished", 0);
}
