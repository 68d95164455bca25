//! Handwritten files of format version 0, as in FORMAT-0.md: they stay readable and are checked.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::by_hand_0;
use crate::generate;

use by_hand_0::{Block, START, TEXT, crc, file, head};
use generate::read;
use taut_traces::{Damage, Selection, Trace};

#[test]
fn a_file_of_version_0_is_read() {
    let trace = Trace::from_bytes(file(TEXT, &[Block::sound()])).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(trace.summary().version, 0);
    assert_eq!(trace.header().world.drivers(), "by hand");
    assert_eq!(trace.header().identity, Default::default());
    let found: Vec<(u64, usize)> = read(&trace).iter().map(|record| (record.stamp, record.payload.len())).collect();
    assert_eq!(found, [(100, 18), (110, 4), (120, 12), (130, 4)]);
    // Without a footer, the blocks are found by a scan.
    let sound = file(TEXT, &[Block::sound()]);
    let unfinished = Trace::from_bytes(sound[..sound.len() - 1].to_vec()).unwrap();
    assert_eq!((unfinished.summary().events, unfinished.summary().complete), (4, false));
}

fn damage(blocks: &[Block]) -> Vec<Damage> {
    let trace = Trace::from_bytes(file(TEXT, blocks)).unwrap();
    trace.extract(&Selection::default()).unwrap();
    read(&trace);
    trace.verify()
}

#[track_caller]
fn assert_reports(damage: &[Damage], wanted: &str) {
    assert!(damage.iter().any(|damage| damage.to_string().contains(wanted)), "expected `{wanted}` in: {damage:?}");
}

#[test]
fn a_block_of_version_0_must_agree_with_itself() {
    let damaged_by = |change: &dyn Fn(&mut Block)| {
        let mut block = Block::sound();
        change(&mut block);
        damage(&[block])
    };
    assert_reports(&damaged_by(&|block| block.records = 3), "expected 4 records as its kinds say");
    assert_reports(&damaged_by(&|block| block.zero = 1), "expected 0, found 1");
    assert_reports(&damaged_by(&|block| block.key = Some(1)), "expected a block of this trace");
    assert_reports(&damaged_by(&|block| block.stamps.1 = 131), "(100, 131)");
    assert_reports(&damaged_by(&|block| block.row_bytes = u32::MAX), "at most 16777216 bytes of rows");
}

#[test]
fn blocks_of_a_thread_follow_each_other_in_version_0() {
    let block = |number: u64| Block { number, records_before: 4 * number, ..Block::sound() };
    assert_eq!(damage(&[block(0), block(1)]), []);
    assert_reports(&damage(&[block(0), block(2)]), "block 1 of its thread");
    assert_reports(&damage(&[block(0), block(0)]), "block 1 of its thread");
    assert_reports(&damage(&[block(0), Block { depth: 1, open: vec![START], ..block(1) }]), "0 open calls");
    // Losses are stated since the previous block.
    let lost = |number, lost_before| Block { lost_before, ..block(number) };
    let trace = Trace::from_bytes(file(TEXT, &[lost(0, 3), lost(1, 0), lost(2, 7)])).unwrap();
    assert_eq!((trace.verify(), trace.summary().lost_events), (vec![], 10));
    assert_eq!(trace.blocks().iter().map(|block| block.lost_since_begin).collect::<Vec<_>>(), [3, 3, 10]);
}

#[test]
fn a_footer_of_version_0_must_agree_with_the_blocks() {
    let sound = file(TEXT, &[Block::sound()]);
    let block = Trace::from_bytes(sound.clone()).unwrap().blocks()[0].clone();
    let footer_at = block.offset as usize + block.length_bytes as usize;
    let with = |at: usize, value: u8| {
        let mut bytes = sound.clone();
        bytes[footer_at + at] = value;
        let end = bytes.len() - 32;
        let crc = crc(&bytes[footer_at..end]);
        bytes[end..end + 4].copy_from_slice(&crc.to_le_bytes());
        Trace::from_bytes(bytes).unwrap().verify()
    };
    assert_reports(&with(4, 9), "the footer of this trace");
    assert_reports(&with(8, 5), "4 events and 0 lost, as the tables say, found 5 and 0");
    assert_reports(&with(24, 2), "tables that make");
    assert_reports(&with(32, 2), "flags 0 or 1, found 2");
    assert_reports(&with(36, 1), "a block at byte");
    assert_reports(&with(48, 6), "a block like BlockInfo");
    assert_reports(&with(64, 1), "a block like BlockInfo");
    assert_reports(&with(80, 18), "codes in rising order");
    assert_reports(&with(80, 16), "as the blocks say");
}

#[test]
fn a_damaged_head_of_version_0_costs_its_records_alone() {
    let second = Block { number: 1, records_before: 4, ..Block::sound() };
    let third = Block { number: 2, records_before: 8, ..Block::sound() };
    let sound = file(TEXT, &[Block::sound(), second, third]);
    let at = Trace::from_bytes(sound.clone()).unwrap().blocks()[1].offset as usize;
    let mut bytes = sound;
    bytes[at + 30] ^= 1;
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!((trace.damage(), read(&trace).len()), (&[][..], 8));
    let [damage] = &trace.verify()[..] else { panic!("{:?}", trace.verify()) };
    assert_eq!((damage.what, damage.events_lost), ("block head", Some(4)));
}

#[test]
fn a_flag_that_version_0_does_not_have_is_refused() {
    let mut bytes = head(TEXT);
    bytes[10] = 1;
    let crc = crc(&bytes[..20]);
    bytes[20..24].copy_from_slice(&crc.to_le_bytes());
    let error = Trace::from_bytes(bytes).unwrap_err().to_string();
    assert!(error.contains("at most flags 0, found 1"), "{error}");
}
