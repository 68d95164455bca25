//! A trace without its end is opened by its index blocks; where anything is wrong with them, by a look at every block.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod by_hand;
mod generate;

use by_hand::{Block, Index, TEXT};
use generate::{Memory, Random, Record, read, records};
use taut_schemas::SchemaTable;
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// A trace of some blocks, with an index block after so many.
fn trace(index_blocks: usize, blocks: usize) -> (Vec<u8>, Vec<Record>) {
    let (memory, table) = (Memory::default(), SchemaTable::current().without_docs());
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

/// The same without footer and trailer.
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
    // No block is looked at that they tell of: a head that is not sound comes to light when it is read.
    let mut bytes = bytes;
    bytes[sound.blocks()[4].offset as usize + 9] ^= 1;
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    assert_eq!((trace.blocks(), trace.damage().len()), (sound.blocks(), 1));
    assert_eq!(trace.verify().len(), 2);
    // One behind the last index block is looked at.
    bytes[sound.blocks()[9].offset as usize + 9] ^= 1;
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!((trace.blocks(), trace.damage().len()), (&sound.blocks()[..9], 2));
}

#[test]
fn whatever_is_wrong_with_an_index_block_the_blocks_are_found() {
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

/// Three blocks, an index block, two blocks and an index block of these, as the description says.
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
    // It is they that are believed: these say the same of other stamps.
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
