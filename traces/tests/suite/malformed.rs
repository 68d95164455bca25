//! Handwritten files: valid ones are read as FORMAT.md states, and every check that it requires is tested.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::by_hand;
use crate::generate;

use by_hand::{Block, START, STOP, TEXT, file};
use generate::{Record, read};
use proptest::prelude::*;
use taut_schemas::EventCode;
use taut_traces::{Damage, ReadError, Selection, Trace};

fn expected_rows() -> Vec<Record> {
    let record =
        |stamp, code, payload: &[u8]| Record { stamp, thread: 5, code: EventCode(code), payload: payload.to_vec() };
    vec![
        record(100, START, b"\0\x01\0\0\x02\0\0\0ab\x02\0\0\0\x07\0\x08\0"),
        record(110, STOP, b"\0\0\0\0"),
        record(120, START, b"\x40\0\0\0\0\0\0\0\0\0\0\0"),
        record(130, STOP, b"\0\0\0\0"),
    ]
}

#[test]
fn a_file_written_from_the_description_is_read() {
    let trace = Trace::from_bytes(file(TEXT, &[Block::sound()])).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(trace.header().world.drivers(), "by hand");
    assert_eq!(read(&trace), expected_rows());
}

/// Reads the file in every way and returns its damage. No reader may panic, or accept records that `verify` rejects.
fn damage(bytes: Vec<u8>) -> String {
    let damage = damage_of(&Trace::from_bytes(bytes).unwrap());
    assert_ne!(damage, [], "nothing was noticed");
    damage.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn damage_of(trace: &Trace) -> Vec<Damage> {
    let names = ["size", "name", "list"].map(str::to_owned).to_vec();
    let events = vec![(EventCode(START), names), (EventCode(STOP), vec!["hr".to_owned()])];
    trace.extract(&Selection { events }).unwrap();
    read(trace);
    trace.verify()
}

fn damaged_by(change: impl FnOnce(&mut Block)) -> String {
    let mut block = Block::sound();
    change(&mut block);
    damage(file(TEXT, &[block]))
}

fn assert_reports(text: &str, wanted: &str) {
    assert!(text.contains(wanted), "expected `{wanted}` in: {text}");
}

#[test]
fn the_numbers_of_a_block_head_must_agree() {
    assert_reports(&damaged_by(|block| block.records = 3), "expected 4 records as its kinds say");
    assert_reports(&damaged_by(|block| block.zero = 1), "expected 0, found 1");
    assert_reports(&damaged_by(|block| block.depth = 1), "expected depth 0, found 1");
    assert_reports(&damaged_by(|block| block.key = Some(1)), "expected a block of this trace");
    assert_reports(&damaged_by(|block| block.row_bytes = u32::MAX), "at most 16777216 bytes of rows");
    assert_reports(&damaged_by(|block| block.row_bytes = 5), "expected at least 38 bytes of rows, found 5");
    assert_reports(&damaged_by(|block| block.row_bytes += 1), "rows that end with the last record");
    assert_reports(&damaged_by(|block| block.stamps.1 = 131), "(100, 131)");
}

#[test]
fn kinds_must_be_known_and_different_and_counted() {
    assert_reports(&damaged_by(|block| block.kinds[1].0 = 22), "expected codes of the schema table, found 22");
    assert_reports(&damaged_by(|block| block.kinds[1].0 = START), "each kind once");
    assert_reports(&damaged_by(|block| block.kinds.push((22, 0))), "expected codes of the schema table");
    assert_reports(&damaged_by(|block| block.columns[0].2[1] = 2), "expected 2 records of kind 0, found 1");
    assert_reports(&damaged_by(|block| block.columns[0].2[1] = 1), "expected 2 records of kind 0, found 1");
}

#[test]
fn columns_must_be_known_in_order_and_as_long_as_the_kinds_make_them() {
    assert_reports(&damaged_by(|block| block.columns.swap(0, 1)), "columns in order");
    assert_reports(&damaged_by(|block| block.columns[4].0 = 8), "columns of the block's kinds, found slot 8");
    assert_reports(&damaged_by(|block| drop(block.columns.remove(1))), "as long as the kinds make them");
    assert_reports(&damaged_by(|block| drop(block.columns.remove(5))), "as long as the kinds make them");
    assert_reports(&damaged_by(|block| block.columns[3].1 = 5), "as long as the kinds make them");
    assert_reports(&damaged_by(|block| block.columns[6].1 = 1 << 30), "bytes of rows");
    assert_reports(&damaged_by(|block| block.columns[2].1 = u32::MAX), "bytes of rows");
    // A list slot longer than the lists need, and a shorter one.
    assert_reports(
        &damaged_by(|block| {
            block.columns[6] = (25, 3, vec![0, 1, 1, 3, 0, 0, 0, 7, 8, 9]);
            block.row_bytes += 2;
        }),
        "end with the last record",
    );
    assert_reports(&damaged_by(|block| block.columns[6] = (25, 1, vec![0, 1, 0, 1, 0, 0, 0, 7])), "as many values");
}

#[test]
fn the_contents_of_a_column_must_be_valid() {
    let column = |payload: &[u8]| damaged_by(|block| block.columns[5].2 = payload.to_vec());
    assert_reports(&column(&[4, 1, 0, 1, 0, 0, 0, 0]), "a transform from 0 to 3, found 4");
    assert_reports(&column(&[0, 0]), "1 to 8 planes, found 0");
    assert_reports(&column(&[0, 9]), "1 to 8 planes, found 9");
    assert_reports(&column(&[0, 1, 3, 1, 0, 0, 0, 0]), "coded 0, 1 or 2, found 3");
    assert_reports(&column(&[0, 1, 1, 1, 0, 0, 0, 0]), "a plane of 2 bytes, found 1");
    assert_reports(&column(&[0, 1, 2, 1, 0, 0, 0, 0]), "a zstd frame of 2 bytes");
    assert_reports(&column(&[0, 1, 0, 2, 0, 0, 0, 0, 0]), "1 byte of a constant plane");
    assert_reports(&column(&[0, 1, 0, 1, 0, 0, 0, 0, 0]), "the end of the column, found 1 more bytes");
    assert_reports(&column(&[0, 1, 0, 9, 0, 0, 0, 0]), "more bytes");
    assert_reports(&column(&[0, 1]), "more bytes, found 0 bytes");
    assert_reports(&column(&[1, 1, 0]), "more bytes");
    assert_reports(&column(&[3, 2]), "1 plane of positions");
    assert_reports(&column(&[3, 1, 0, 0]), "1 to 256 entries, found 0");
    assert_reports(&column(&[3, 1, 1, 2]), "1 to 256 entries, found 513");
    let dictionary = [vec![3, 1, 1, 0], vec![0; 8], vec![1, 1, 0, 0, 0, 2]].concat();
    assert_reports(&column(&dictionary), "positions below 1, found 1");
    assert_reports(
        &column(&[0, 5, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
        "more bytes",
    );
}

#[test]
fn a_frame_must_have_the_size_of_its_plane() {
    let frame = zstd::bulk::compress(&[0; 100_000], 1).unwrap();
    let payload = [vec![0, 1, 2], (frame.len() as u32).to_le_bytes().to_vec(), frame].concat();
    assert_reports(&damaged_by(|block| block.columns[5].2 = payload), "a zstd frame of 2 bytes");
    let frame = zstd::bulk::compress(&[0], 1).unwrap();
    let payload = [vec![0, 1, 2], (frame.len() as u32).to_le_bytes().to_vec(), frame].concat();
    assert_reports(&damaged_by(|block| block.columns[5].2 = payload), "a frame of 2 bytes, found 1");
}

#[test]
fn values_must_fit_their_fields_and_counts_their_columns() {
    // Five bytes for an HRESULT of four.
    let wide = [vec![0, 5], [0, 1, 0, 0, 0].repeat(5), vec![0, 0, 0, 0, 1]].concat();
    assert_reports(&damaged_by(|block| block.columns[5].2 = wide), "value of its field's width");
    let count = |at: usize, value: u8| damaged_by(|block| block.columns[3].2[at] = value);
    assert_reports(&count(7, 3), "as many values as the record has");
    assert_reports(&count(7, 1), "end with the last record");
    assert_reports(&count(8, 255), "as many values as the record has");
    let huge = [vec![0, 8], [0, 1, 0, 0, 0].repeat(8), vec![255; 8]].concat();
    assert_reports(&damaged_by(|block| block.columns[3].2 = huge), "a count of 32 bits");
}

#[test]
fn blocks_of_a_thread_must_follow_each_other() {
    let mut second = Block::sound();
    (second.number, second.records_before, second.stamps) = (1, 4, (100, 130));
    let trace = Trace::from_bytes(file(TEXT, &[Block::sound(), second.clone()])).unwrap();
    assert_eq!(trace.verify(), []);
    let with = |change: &dyn Fn(&mut Block)| {
        let mut second = second.clone();
        change(&mut second);
        damage(file(TEXT, &[Block::sound(), second]))
    };
    assert_reports(&with(&|block| block.number = 2), "block 1 of its thread");
    assert_reports(&with(&|block| block.number = 0), "block 1 of its thread");
    assert_reports(
        &with(&|block| block.records_before = 9),
        "4 records before it, found block 1 of its thread, 9 records before it (5 events lost)",
    );
    assert_reports(&with(&|block| (block.depth, block.open) = (1, vec![START])), "0 open calls");
}

/// Applies `change` to a file's bytes from the footer on, and corrects the checksum.
fn mended(sound: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let block = Trace::from_bytes(sound.to_vec()).unwrap().blocks()[0].clone();
    let footer_at = block.offset as usize + block.length_bytes as usize;
    let end = sound.len() - 32;
    let mut footer = sound[footer_at..end].to_vec();
    change(&mut footer);
    footer.extend(by_hand::crc(&footer).to_le_bytes());
    let mut trailer = (footer_at as u64).to_le_bytes().to_vec();
    trailer.extend((footer.len() as u64).to_le_bytes());
    trailer.extend(by_hand::crc(&trailer).to_le_bytes());
    [&sound[..footer_at], &footer, &trailer, b"\xb1TAUTEND"].concat()
}

#[test]
fn the_footer_must_agree_with_the_blocks() {
    let sound = file(TEXT, &[Block::sound()]);
    let with = |at: usize, value: u8| damage(mended(&sound, |footer| footer[at] = value));
    assert_reports(&with(4, 9), "the footer of this trace");
    assert_reports(&with(8, 5), "4 events, as the blocks say, found 5");
    assert_reports(&with(16, 5), "0 events lost, as the blocks say, found 5");
    assert_reports(&with(24, 2), "more bytes");
    assert_reports(&with(24, 0), "the end of the entries");
    assert_reports(&with(28, 2), "flags 0 or 1, found 2");
    assert_reports(&with(32, 1), "a block at byte");
    assert_reports(&with(40, 1), "blocks up to byte");
    assert_reports(&with(48, 6), "a block like BlockInfo");
    assert_reports(&with(52, 6), "block 0 of its thread");
    assert_reports(&with(60, 5), "4 records, as the kinds say, found 5");
    assert_reports(&with(64, 5), "block 0 of its thread, 0 records before it");
    assert_reports(&with(80, 1), "a block like BlockInfo");
    assert_reports(&with(88, 1), "a block like BlockInfo");
    assert_reports(&with(97, 2), "at most 256 kinds, found 514");
    assert_reports(&with(98, 18), "a block like BlockInfo");
    assert_reports(&with(100, 1), "3 records, as the kinds say");
    // Only one flag is defined.
    let interrupted = Trace::from_bytes(mended(&sound, |footer| footer[28] = 1)).unwrap();
    assert_eq!(damage_of(&interrupted), []);
    assert!(interrupted.summary().interrupted && interrupted.summary().complete);
}

/// A valid block, one of an unknown kind, and another valid one of the same thread.
fn with_unknown_block(flags: u16, change: impl FnOnce(&mut Vec<u8>)) -> (Vec<u8>, Vec<(Block, Vec<u8>)>) {
    let key = by_hand::crc(TEXT.as_bytes());
    let first = Block::sound();
    let stranger = Block { kind: 90, flags, records: 0, number: 1, kinds: vec![], ..Block::sound() };
    let last = Block { number: 2, records_before: 4, ..Block::sound() };
    let mut bytes = by_hand::other(key, (90, flags), (5, 1), b"whatever", b"it may be");
    change(&mut bytes);
    let blocks = vec![(first.clone(), first.bytes(key)), (stranger, bytes), (last.clone(), last.bytes(key))];
    (by_hand::file_of(by_hand::head(TEXT), key, &blocks), blocks)
}

#[test]
fn blocks_of_unknown_kinds_are_skipped_and_reported() {
    for (flags, is_critical) in [(0, false), (1, true), (3, true), (2, false)] {
        let (whole, blocks) = with_unknown_block(flags, |_| {});
        let unfinished: usize = by_hand::head(TEXT).len() + blocks.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        for bytes in [whole.clone(), whole[..unfinished].to_vec()] {
            let is_whole = bytes.len() == whole.len();
            let trace = Trace::from_bytes(bytes).unwrap();
            assert_eq!(trace.damage().is_empty(), is_whole, "{:?}", trace.damage());
            assert_eq!(trace.verify(), trace.damage());
            assert_eq!(trace.check(), trace.damage());
            assert_eq!(read(&trace).len(), 8);
            let [stranger] = trace.unknown_blocks() else { panic!("{:?}", trace.unknown_blocks()) };
            assert_eq!((stranger.kind, stranger.is_critical), (90, is_critical));
            assert_eq!(stranger.length_bytes as usize, blocks[1].1.len());
        }
    }
}

#[test]
fn a_damaged_block_of_an_unknown_kind_is_noticed() {
    let at_the_end = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
    let trace = Trace::from_bytes(with_unknown_block(0, at_the_end).0).unwrap();
    assert_eq!((trace.damage(), read(&trace).len()), (&[][..], 8));
    assert_reports(&trace.verify()[0].to_string(), "block of an unknown kind");
    assert_eq!(trace.check(), trace.verify());
    // Without a footer, an invalid head costs the search for the next one.
    let (whole, blocks) = with_unknown_block(0, |bytes| bytes[33] ^= 1);
    let unfinished: usize = by_hand::head(TEXT).len() + blocks.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let trace = Trace::from_bytes(whole[..unfinished].to_vec()).unwrap();
    assert_eq!((trace.unknown_blocks(), read(&trace).len()), (&[][..], 8));
    assert!(trace.damage().len() > 1, "{:?}", trace.damage());
}

#[test]
fn a_head_of_an_unknown_kind_is_short() {
    let key = by_hand::crc(TEXT.as_bytes());
    let long = by_hand::other(key, (90, 0), (5, 0), &[0; 1000], b"");
    let trace = Trace::from_bytes([by_hand::head(TEXT), long].concat()).unwrap();
    assert_reports(&format!("{:?}", trace.damage()), "a head of 36 to 1024 bytes");
    let key = key.to_le_bytes();
    let head = |head_bytes: u32, length: u32| {
        let lengths = [head_bytes.to_le_bytes(), length.to_le_bytes()].concat();
        let bytes = [b"\xb1TB1", &lengths[..], &key, &[90, 0, 0, 0], &[0; 12]].concat();
        format!("{:?}", Trace::from_bytes([by_hand::head(TEXT), bytes].concat()).unwrap().damage())
    };
    assert_reports(&head(35, 100), "a head of 36 to 1024 bytes");
    assert_reports(&head(36, 39), "a block of at least 40 bytes");
    assert_reports(&head(36, 40), "more bytes");
}

/// One of three blocks of a thread is missing or repeated, and the footer agrees: the file was written that way.
#[test]
fn a_gap_or_a_repeated_block_is_noticed_by_every_reader() {
    let block = |number: u64| Block { number, records_before: 4 * number, ..Block::sound() };
    let missing = Trace::from_bytes(file(TEXT, &[block(0), block(2)])).unwrap();
    let [gap] = missing.damage() else { panic!("{:?}", missing.damage()) };
    assert_eq!((gap.what, gap.events_lost), ("block number", Some(4)));
    assert_eq!((read(&missing).len(), missing.summary().events, missing.rows().damage().len()), (8, 8, 1));
    assert_eq!(missing.extract(&Selection::default()).unwrap().damage, missing.damage());
    assert_eq!((missing.verify(), missing.check()), (missing.damage().to_vec(), missing.damage().to_vec()));
    let twice = Trace::from_bytes(file(TEXT, &[block(0), block(1), block(1)])).unwrap();
    let [repeated] = twice.damage() else { panic!("{:?}", twice.damage()) };
    assert_eq!((repeated.what, repeated.events_lost), ("block number", Some(0)));
    assert_eq!((read(&twice).len(), twice.summary().events, twice.blocks().len()), (8, 8, 2));
    assert_eq!(twice.verify(), twice.damage());
}

#[test]
fn losses_are_counted_from_a_threads_beginning() {
    let block = |number: u64, lost: u64| Block { number, records_before: 4 * number, lost, ..Block::sound() };
    let trace = Trace::from_bytes(file(TEXT, &[block(0, 3), block(1, 3), block(2, 10)])).unwrap();
    assert_eq!(trace.verify(), []);
    assert_eq!(trace.blocks().iter().map(|block| block.lost_before).collect::<Vec<_>>(), [3, 0, 7]);
    assert_eq!(trace.summary().lost_events, 10);
    // The middle block is missing; the losses before the last one are known nevertheless.
    let trace = Trace::from_bytes(file(TEXT, &[block(0, 3), block(2, 10)])).unwrap();
    assert_eq!((trace.summary().lost_events, trace.damage()[0].events_lost), (10, Some(4)));
}

#[test]
fn stamps_need_not_rise() {
    let mut block = Block::sound();
    // Differences with the sign in the lowest bit: 120, 100, 130, 110.
    let base = 120u64.to_le_bytes();
    block.columns[1].2 = [&[2, 1], &base[..], &[1, 4, 0, 0, 0, 0, 39, 60, 39]].concat();
    block.stamps = (100, 130);
    let trace = Trace::from_bytes(file(TEXT, &[block])).unwrap();
    assert_eq!(trace.verify(), []);
    let stamps: Vec<u64> = read(&trace).iter().map(|record| record.stamp).collect();
    assert_eq!(stamps, [120, 100, 130, 110]);
    assert_eq!((trace.summary().first_stamp, trace.summary().last_stamp), (Some(100), Some(130)));
}

#[test]
fn the_text_may_be_a_frame_that_states_its_size() {
    let frame = zstd::bulk::compress(TEXT.as_bytes(), 3).unwrap();
    let key = by_hand::crc(&frame);
    let block = Block::sound();
    let blocks = [(block.clone(), block.bytes(key))];
    let trace = Trace::from_bytes(by_hand::file_of(by_hand::head_of(&frame, 1), key, &blocks)).unwrap();
    assert_eq!((trace.verify(), read(&trace)), (vec![], expected_rows()));
    let refused = |text: &[u8], flags| Trace::from_bytes(by_hand::head_of(text, flags)).unwrap_err().to_string();
    assert_reports(&refused(&frame, 3), "at most flags 1, found 3");
    assert_reports(&refused(&frame, 0), "line 1, column");
    assert_reports(&refused(TEXT.as_bytes(), 1), "found a frame of no stated size");
    let zeros = zstd::bulk::compress(&vec![0; (4 << 20) + 1], 1).unwrap();
    assert_reports(&refused(&zeros, 1), "a frame of at most 4194304 bytes, found 4194305");
    assert_reports(&refused(&frame[..frame.len() - 1], 1), "a zstd frame of");
    // A frame that states less, or more, than it contains.
    let mut lying = zstd::bulk::compress(&[7; 1000], 3).unwrap();
    let at = lying.windows(2).position(|bytes| bytes == (1000u16 - 256).to_le_bytes()).unwrap();
    lying[at] -= 1;
    assert_reports(&refused(&lying, 1), "a zstd frame of 999 bytes");
}

#[test]
fn a_header_must_be_one() {
    let refused = |text: &str| match Trace::from_bytes(by_hand::head(text)) {
        Err(error @ ReadError::Header { offset: 24, .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_reports(&refused("{}"), "missing field `schema`");
    assert_reports(&refused("{\"schema\":"), "line 1, column");
    assert_reports(&refused(&TEXT.replace("\"stop\"", "\"info\"")), "the opcode that its code has");
    assert_reports(&refused(&TEXT.replace("\"code\":18", "\"code\":14")), "codes in rising order");
    assert_reports(&refused(&TEXT.replace("\"width_bytes\":4", "\"width_bytes\":3")), "a width of 1, 2, 4 or 8 bytes");
    assert_reports(&refused(&TEXT.replace("\"slot\":6", "\"slot\":7")), "an even slot from 2 on, found 7");
    assert_reports(&refused(&TEXT.replace("\"slot\":25", "\"slot\":24")), "an odd slot from 3 on");
    assert_reports(&refused(&TEXT.replace("\"slot\":6", "\"slot\":0")), "an even slot from 2 on");
    assert_reports(&refused(&TEXT.replace("\"name\":\"name\"", "\"name\":\"size\"")), "fields with different names");
}

#[test]
fn a_file_that_is_not_a_trace_is_refused() {
    let refused = |bytes: &[u8]| Trace::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    assert_reports(&refused(b""), "byte 0: file head");
    assert_reports(&refused(b"PK\x03\x04 and so on and so on"), "bytes 89 54 41 55");
    let mut newer = by_hand::head(TEXT);
    newer[8] = 2;
    let crc = by_hand::crc(&newer[..20]);
    newer[20..24].copy_from_slice(&crc.to_le_bytes());
    assert_reports(&refused(&newer), "format version 2: this reader knows versions up to 1");
    let mut huge = by_hand::head(TEXT);
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let crc = by_hand::crc(&huge[..20]);
    huge[20..24].copy_from_slice(&crc.to_le_bytes());
    assert_reports(&refused(&huge), "at most 4194304 bytes of header");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// With correct checksums, so that the parsers after them are reached.
    #[test]
    fn no_block_content_causes_a_panic(changes in prop::collection::vec((8usize..400, any::<u8>()), 1..6)) {
        let key = by_hand::crc(TEXT.as_bytes());
        let mut block = Block::sound().bytes(key);
        let head_bytes = u32::from_le_bytes([block[4], block[5], block[6], block[7]]) as usize;
        let end = block.len() - 4;
        for (at, value) in changes {
            // Excludes the length, and the size of the rows, which only decides how much memory is allocated.
            let at = at % end;
            if at > 12 && !(36..40).contains(&at) {
                block[at] = value;
            }
        }
        let crc = by_hand::crc(&block[..head_bytes - 4]).to_le_bytes();
        block[head_bytes - 4..head_bytes].copy_from_slice(&crc);
        let crc = by_hand::crc(&block[..end]).to_le_bytes();
        block[end..].copy_from_slice(&crc);
        let trace = Trace::from_bytes([by_hand::head(TEXT), block].concat()).unwrap();
        damage_of(&trace);
    }
}
