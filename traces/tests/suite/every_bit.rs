//! Every bit of a larger trace and of the side files of a recording is flipped, and every length is cut. Only the
//! affected parts are read each time, because reading everything would take too long.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::blocks;
use crate::generate;
use crate::left;

use blocks::{is_part_of, quarter_of_a_mebibyte};
use generate::{Random, Record, read_rows};
use left::{UnfinishedRecording, check};
use std::collections::BTreeMap;
use taut_traces::Trace;

/// A trace, with the end of each block by its beginning, and its records.
struct Sound {
    bytes: Vec<u8>,
    blocks: BTreeMap<u64, (u64, Vec<Record>)>,
}

fn sound() -> Sound {
    let (bytes, ..) = quarter_of_a_mebibyte();
    let trace = Trace::from_bytes(bytes.clone()).unwrap();
    let blocks = trace.blocks().iter().map(|block| {
        let records = read_rows(trace.rows_of(|other| other.offset == block.offset));
        (block.offset, (block.offset + u64::from(block.length_bytes), records))
    });
    let blocks = blocks.collect();
    Sound { bytes, blocks }
}

impl Sound {
    /// Checks the trace with one bit flipped: the change is detected, no other event changes, at most one block is
    /// lost, and its events are counted. Blocks without the bit are unchanged, so their events are not compared.
    fn flip(&self, bit: usize) {
        let mut flipped = self.bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let Ok(trace) = Trace::from_bytes(flipped) else { return };
        let damage = trace.check();
        assert_ne!(damage, [], "bit {bit}");
        let mut lost: BTreeMap<u64, usize> = self.blocks.iter().map(|(at, (_, all))| (*at, all.len())).collect();
        for block in trace.blocks() {
            let (end, all) = self.blocks.get(&block.offset).unwrap_or_else(|| panic!("bit {bit}: {block:?}"));
            assert_eq!((block.offset + u64::from(block.length_bytes), block.records as usize), (*end, all.len()));
            let mut found = all.len();
            if (block.offset..*end).contains(&(bit as u64 / 8)) {
                let records = read_rows(trace.rows_of(|other| other.offset == block.offset));
                assert!(is_part_of(&records, all), "bit {bit}");
                found = records.len();
            }
            lost.insert(block.offset, all.len() - found);
        }
        assert!(lost.values().filter(|lost| **lost > 0).count() <= 1, "bit {bit}: {lost:?}");
        let reported: u64 = damage.iter().filter_map(|damage| damage.events_lost).sum();
        assert_eq!(reported, lost.values().sum::<usize>() as u64, "bit {bit}: {damage:?}");
    }

    /// Checks the trace cut to a length: the cut is detected, and every whole block is present.
    fn cut(&self, length: usize) {
        let Ok(trace) = Trace::from_bytes(self.bytes[..length].to_vec()) else { return };
        assert_ne!(trace.damage(), [], "{length} bytes");
        let whole = self.blocks.iter().filter(|(_, (end, _))| *end <= length as u64);
        let found = trace.blocks().iter().map(|block| block.offset);
        assert!(whole.clone().map(|(at, _)| *at).eq(found), "{length} bytes");
        let events: usize = whole.clone().map(|(_, (_, all))| all.len()).sum();
        assert_eq!(trace.summary().events, events as u64, "{length} bytes");
        // The last bytes are those next to the cut.
        if let Some((last, (_, all))) = whole.clone().next_back() {
            assert!(read_rows(trace.rows_of(|block| block.offset == *last)) == *all, "{length} bytes");
        }
    }
}

/// Runs a check for each number, starting at `TAUT_FIRST`, and reports progress.
fn each(end: usize, what: &str, mut act: impl FnMut(usize)) {
    let first = std::env::var("TAUT_FIRST").map_or(0, |first| first.parse().expect("a number"));
    for number in first..end {
        if number % (end / 64) == 0 {
            println!("{what}: up to {number} of {end}");
        }
        act(number);
    }
}

#[test]
fn bits_and_cuts_of_a_larger_trace_cost_max_one_block() {
    let (sound, mut random) = (sound(), Random(8));
    for _ in 0..200 {
        sound.flip(random.below(8 * sound.bytes.len() as u64) as usize);
        sound.cut(random.below(sound.bytes.len() as u64) as usize);
    }
}

#[test]
#[ignore = "two million of them"]
fn every_bit_of_a_larger_trace_costs_max_one_block() {
    let sound = sound();
    each(8 * sound.bytes.len(), "bits of a trace", |bit| sound.flip(bit));
}

#[test]
#[ignore = "a quarter of a million of them"]
fn every_cut_of_a_larger_trace_costs_max_one_block() {
    let sound = sound();
    each(sound.bytes.len(), "cuts of a trace", |length| sound.cut(length));
}

#[test]
#[ignore = "half a million of them"]
fn every_sidecar_bit_changes_no_event() {
    let left = UnfinishedRecording::new();
    let place = left.place();
    each(8 * left.sidecar.len(), "bits of a sidecar", |bit| {
        place.write(bit / 8, &[left.sidecar[bit / 8] ^ 1 << (bit % 8)]);
        check(&left.all, &place.open(), &format!("bit {bit}"));
        place.write(bit / 8, &left.sidecar[bit / 8..][..1]);
    });
}

#[test]
#[ignore = "tens of thousands of them"]
fn every_sidecar_cut_is_detected() {
    let left = UnfinishedRecording::new();
    let place = left.place();
    let end = left.sidecar.len();
    // Runs from the end, so that bytes cut off need not be restored.
    each(end, "cuts of a sidecar", |less| {
        place.cut(end - 1 - less);
        check(&left.all, &place.open(), &format!("cut to {} bytes", end - 1 - less));
    });
}
