//! Sidecars and segments with holes, next to traces without an end.

use crate::by_hand::{Block, TEXT, crc, file, head, put};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

const PAGE_BYTES: u64 = 4096;

/// Offset of the number of slots in the control page, and the place for which it is sealed.
const SLOTS_AT: usize = 64;
const SLOTS_PLACE: u64 = 20;

/// Value of a line with the proof of its place, as in FORMAT.md.
fn seal(value: u64, place: u64) -> u64 {
    let mixed = (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value | ((mixed >> 47) & 0xffff | 1) << 48
}

fn seal_end(end: u32, place: u32) -> u64 {
    u64::from(end) | u64::from((!place).wrapping_sub(end)) << 32
}

/// Control page of a sidecar.
fn control_page(key: u32, slot_bytes: u32, slots: u64) -> Vec<u8> {
    let mut page = b"\x89TAUTLV\n".to_vec();
    [3, key, u32::MAX >> 1, slot_bytes].iter().for_each(|number| put(&mut page, 4, u64::from(*number)));
    [1, 0].iter().for_each(|number| put(&mut page, 8, *number));
    [0, 0, 0].iter().for_each(|number| put(&mut page, 4, *number));
    let sum = crc(&page);
    put(&mut page, 4, sum.into());
    page.resize(SLOTS_AT, 0);
    put(&mut page, 8, seal(slots, SLOTS_PLACE));
    page.resize(PAGE_BYTES as usize, 0);
    page
}

/// Line of a slot of stream `stream` with so many committed bytes.
fn line(stream: u32, turn: u64, committed: u32) -> Vec<u8> {
    let words = [
        seal(stream.into(), 0),
        seal(turn, 1),
        seal(0, 2),
        seal_end(committed, 3),
        seal_end(committed, 4),
        seal(0, 5),
        seal(0, 6),
        seal(0, 7),
    ];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Sidecar with lines of so many slots, and holes.
fn sidecar(path: &Path, key: u32, slot_bytes: u32, stated: u64, taken: u32, size_bytes: u64) {
    let mut file = File::create(path).unwrap();
    file.write_all(&control_page(key, slot_bytes, stated)).unwrap();
    for slot in 0..taken {
        file.seek(SeekFrom::Start(PAGE_BYTES + u64::from(slot) * u64::from(slot_bytes))).unwrap();
        file.write_all(&line(slot % 3, u64::from(slot) + 1, slot_bytes - 128)).unwrap();
    }
    file.set_len(size_bytes).unwrap();
}

/// Trace of one block without a footer.
fn unfinished() -> Vec<u8> {
    [head(TEXT), Block::sound().bytes(crc(TEXT.as_bytes()))].concat()
}

fn segment(path: &Path, key: u32, size_bytes: u64) {
    let mut bytes = b"\xb1TR1".to_vec();
    put(&mut bytes, 4, key.into());
    [0, 0, 0].iter().for_each(|number| put(&mut bytes, 8, *number));
    let sum = crc(&bytes);
    put(&mut bytes, 4, sum.into());
    bytes.extend(Block::sound().bytes(key));
    let mut file = File::create(path).unwrap();
    file.write_all(&bytes).unwrap();
    file.set_len(size_bytes).unwrap();
}

/// Writes the files; returns the names of the traces.
pub fn write(folder: &Path) -> Vec<&'static str> {
    let key = crc(TEXT.as_bytes());
    let at = |name: &str| folder.join(name);
    for name in ["unfinished.taut", "sparse_sidecar.taut", "sparse_slots.taut"] {
        fs::write(at(name), unfinished()).unwrap();
    }
    fs::write(at("sparse_complete.taut"), file(TEXT, &[Block::sound()])).unwrap();
    fs::write(at("sparse_ring.taut"), head(TEXT)).unwrap();
    sidecar(&at("sparse_sidecar.taut.live"), key, 1 << 18, 4_194_300, 1, 1 << 40);
    for name in ["sparse_slots.taut.live", "sparse_complete.taut.live"] {
        sidecar(&at(name), key, 1 << 30, 16, 16, PAGE_BYTES + (16 << 30));
    }
    fs::create_dir_all(at("sparse_ring.taut.ring")).unwrap();
    segment(&at("sparse_ring.taut.ring/0"), key, 64 << 30);
    vec!["unfinished.taut", "sparse_sidecar.taut", "sparse_slots.taut", "sparse_complete.taut", "sparse_ring.taut"]
}
