//! Hostile and damaged files.

use proptest::prelude::*;
use taut_etl::{Error, Etl, XpressError, decompress};

use crate::synthetic::{buffer, event, head, order};

/// Damages of the headers and of the content, as text.
fn damages(file: &Etl) -> Vec<String> {
    let mut events = file.events();
    while events.next_record().is_some() {}
    let all = file.damage().stored().iter().chain(events.damage().stored());
    all.map(ToString::to_string).collect()
}

fn open(parts: &[Vec<u8>]) -> Etl {
    Etl::from_bytes(parts.concat()).unwrap()
}

#[test]
fn a_file_of_another_format_is_named() {
    for (bytes, name) in [(&b"PK\x03\x04...."[..], ".zip"), (b"ElfFile\0", ".evtx"), (b"\x89TAUT\r\n\x1a", ".taut")] {
        let mut bytes = bytes.to_vec();
        bytes.resize(4096, 0);
        let error = Etl::from_bytes(bytes).err().unwrap();
        assert!(matches!(error, Error::NotEtl { .. }));
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(Etl::from_bytes(Vec::new()).err().unwrap().to_string().contains("found 0 bytes"));
}

#[test]
fn a_buffer_size_of_zero_ends_the_walk_with_its_offset() {
    let mut bad = buffer(0, 1, 0, 0, &event(0x13, 1, 5, &[], &[]));
    bad[..4].fill(0);
    let first = head(1, 0);
    let offset = first.len();
    let damages = damages(&open(&[first, bad]));
    let expected =
        format!("at offset {offset:#x} expected a BufferSize between 72 and the rest of the file, found 0 with");
    assert!(damages.len() == 1 && damages[0].starts_with(&expected), "{damages:?}");
}

#[test]
fn the_records_of_a_truncated_buffer_are_read_and_the_rest_is_reported() {
    let content = [event(0x13, 1, 5, &[], &[]), event(0x13, 2, 6, &[], &[])].concat();
    let mut bytes = [head(1, 0), buffer(0, 1, 0, 0, &content)].concat();
    bytes.truncate(bytes.len() - 8);
    let file = Etl::from_bytes(bytes).unwrap();
    assert_eq!(order(&file), [(0, 1, 5)]);
    assert_eq!(damages(&file).len(), 3);
}

#[test]
fn an_unknown_record_type_drops_the_rest_of_its_buffer_only() {
    let mut content = event(0x13, 1, 5, &[], &[]);
    content.extend([16, 0, 0x77, 0xC0, 0, 0, 0, 0]);
    let file = open(&[head(1, 0), buffer(0, 1, 0, 0, &content), buffer(0, 2, 0, 0, &event(0x13, 2, 6, &[], &[]))]);
    assert_eq!(order(&file), [(0, 1, 5), (0, 2, 6)]);
    let damages = damages(&file);
    assert!(damages.len() == 1 && damages[0].contains("type 0x77"), "{damages:?}");
}

#[test]
fn a_record_size_of_zero_does_not_loop() {
    let file = open(&[head(1, 0), buffer(0, 1, 0, 0, &[0, 0, 0x13, 0xC0, 0, 0, 0, 0])]);
    assert_eq!(order(&file), []);
    assert!(damages(&file)[0].contains("found 0 for EVENT64"));
}

#[test]
fn a_chain_of_items_that_leaves_the_record_is_damage() {
    let mut record = event(0x13, 1, 5, &[(1, &[0; 16])], &[]);
    record[80 + 6..80 + 8].fill(0xFF);
    let file = open(&[head(1, 0), buffer(0, 1, 0, 0, &record)]);
    assert_eq!(order(&file), []);
    assert!(damages(&file)[0].contains("extended items"));
}

#[test]
fn a_second_session_in_the_file_is_reported() {
    assert!(damages(&open(&[head(1, 0), head(1, 0)]))[0].contains("two sessions"));
}

#[test]
fn compressed_content_is_limited_by_the_buffer_size_of_the_header() {
    let mut bad = buffer(0, 1, 0x40, 0, &[0; 64]);
    bad[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(damages(&open(&[head(0x0400_0000, 3), bad]))[0].contains("at most 65536"));
}

#[test]
fn compressed_content_is_limited_by_its_bytes_on_disk() {
    let mut first = head(0x0400_0000, 3);
    // The logfile header's BufferSize: 16 MiB.
    first[104..108].copy_from_slice(&(16_u32 << 20).to_le_bytes());
    let mut bomb = buffer(0, 1, 0x40, 0, &[0; 64]);
    bomb[4..8].copy_from_slice(&(8_u32 << 20).to_le_bytes());
    let limit = (64 << 10) + 64 * 1_000;
    assert!(damages(&open(&[first, bomb]))[0].contains(&format!("at most {limit}")));
}

#[test]
fn lznt1_and_xpress_huffman_are_named_in_the_damage() {
    for (state, name) in [(2, "LZNT1"), (4, "XPRESS_HUFF"), (9, "unknown")] {
        let damages = damages(&open(&[head(0x0400_0000, state), buffer(0, 1, 0x40, 0, &[0; 64])]));
        assert!(damages.len() == 1 && damages[0].contains(name), "{damages:?}");
    }
}

#[test]
fn xpress_refuses_matches_outside_the_output() {
    let before = [&0x8000_0000_u32.to_le_bytes()[..], &0_u16.to_le_bytes()].concat();
    assert_eq!(decompress(&before, &mut [0; 8]), Err(XpressError::MatchBeforeStart { distance: 1, written: 0 }));
    let long = [&0x4000_0000_u32.to_le_bytes()[..], b"a", &5_u16.to_le_bytes()].concat();
    let error = decompress(&long, &mut [0; 4]);
    assert_eq!(error, Err(XpressError::OutputEnds { length: 8, written: 1, expected: 4 }));
    assert_eq!(decompress(&[0; 5], &mut [0; 9]), Err(XpressError::InputEnds { written: 1, expected: 9 }));
}

proptest! {
    #[test]
    fn ticks_at_both_ends_of_i64_keep_their_order(ticks in proptest::collection::vec(any::<i64>(), 1..20)) {
        let mut parts = vec![head(1, 0)];
        for (processor, tick) in ticks.iter().chain(&[i64::MIN, i64::MAX]).enumerate() {
            parts.push(buffer(processor as u16 + 1, 1, 0, 0, &event(0x13, 1, *tick, &[], &[])));
        }
        let order: Vec<i64> = order(&open(&parts)).iter().map(|event| event.2).collect();
        prop_assert!(order.is_sorted());
        prop_assert_eq!(order.len(), ticks.len() + 2);
    }

    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let content = [event(0x13, 1, 5, &[(1, &[0; 16])], &[]), event(0x12, 2, 6, &[], &[1, 2, 3])].concat();
        let mut bytes = [head(0x0400_0000, 3), buffer(0, 1, 0, 0, &content), buffer(1, 1, 0x40, 0, &content)].concat();
        for (index, value) in changes {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(file) = Etl::from_bytes(bytes) {
            let mut events = file.events();
            let mut records = 0;
            while events.next_record().is_some() {
                records += 1;
            }
            prop_assert!(records < 1_000);
        }
    }
}
