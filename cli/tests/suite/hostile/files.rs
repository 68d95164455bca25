//! Files whose size is small and whose cost for readers is large.

use crate::hostile::by_hand::{Block, TEXT, file, head, head_of};
use std::fmt::Write;

/// Expected result of reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The file is sound.
    Sound,
    /// The file is reported as damaged.
    Damaged,
}

/// Kind of file that can be generated in any size.
pub struct Hostile {
    pub name: &'static str,
    pub verdict: Verdict,
    /// Size of the larger of two files; the smaller one is a quarter.
    pub size: usize,
    pub make: fn(usize) -> Vec<u8>,
    /// Bytes of rows that the largest block declares.
    pub rows: fn(usize) -> u64,
    /// True if the file is not dumped, because it declares too many rows.
    pub is_vast: bool,
}

pub const ALL: [Hostile; 8] = [
    hostile("a long list", Verdict::Sound, 1_000_000, long_list, list_bytes),
    Hostile { is_vast: true, ..hostile("long lists", Verdict::Sound, 8, long_lists, |_| list_bytes(8_000_000)) },
    hostile("a list beyond limits", Verdict::Damaged, 75_000_000, too_long, none),
    hostile("empty blocks", Verdict::Sound, 40_000, empty_blocks, none),
    hostile("empty blocks, wide", Verdict::Sound, 40_000, wide_blocks, none),
    hostile("beginnings of blocks", Verdict::Damaged, 1 << 18, beginnings, none),
    hostile("a header of columns", Verdict::Sound, 36_000, columns, none),
    hostile("a header beyond limits", Verdict::Damaged, 63 << 20, header, none),
];

const fn hostile(
    name: &'static str,
    verdict: Verdict,
    size: usize,
    make: fn(usize) -> Vec<u8>,
    rows: fn(usize) -> u64,
) -> Hostile {
    Hostile { name, verdict, size, make, rows, is_vast: false }
}

fn none(_: usize) -> u64 {
    0
}

/// Bytes of the rows of a block with such a list.
fn list_bytes(elements: usize) -> u64 {
    34 + 2 * elements as u64
}

/// A sound block whose first record has a list of `elements` equal elements, in few bytes.
fn block_of_list(thread: u32, elements: usize) -> Block {
    let base = 100 + 1000 * u64::from(thread);
    let mut block =
        Block { thread, stamps: (base, base + 30), row_bytes: list_bytes(elements) as u32, ..Block::sound() };
    block.columns[1].2[2..10].copy_from_slice(&base.to_le_bytes());
    let [low, middle, high, _] = (elements as u32).to_le_bytes();
    let raw = [1, 4, 0, 0, 0];
    let counts = [2, low, 0, 0, 0, middle, 0, 0, 0, high, 0, 0];
    block.columns[3] = (1, 4, [&[0, 3][..], &raw, &raw, &raw, &counts].concat());
    block.columns[6] = (25, elements as u32, vec![0, 1, 0, 1, 0, 0, 0, 7]);
    block
}

fn long_list(elements: usize) -> Vec<u8> {
    file(TEXT, &[block_of_list(1, elements)])
}

/// Such blocks of several threads, each with the maximum number of elements.
fn long_lists(threads: usize) -> Vec<u8> {
    let blocks: Vec<Block> = (1..=threads as u32).map(|thread| block_of_list(thread, 8_000_000)).collect();
    file(TEXT, &blocks)
}

/// A block whose list exceeds the maximum number of elements.
fn too_long(elements: usize) -> Vec<u8> {
    let elements = elements.max(9_000_000) as u32;
    let mut block = Block { row_bytes: 2 * elements, ..Block::sound() };
    block.columns[6] = (25, elements, vec![0, 1, 0, 1, 0, 0, 0, 7]);
    file(TEXT, &[block])
}

/// A block without records, with one lost event.
fn empty(thread: u32) -> Block {
    let (stamps, kinds, columns) = ((0, 0), vec![], vec![]);
    Block { thread, records: 0, lost: 1, stamps, row_bytes: 0, kinds, columns, ..Block::sound() }
}

fn empty_blocks(count: usize) -> Vec<u8> {
    file(TEXT, &(0..count as u32).map(empty).collect::<Vec<_>>())
}

/// Empty blocks in a trace whose table has a thousand slots.
fn wide_blocks(count: usize) -> Vec<u8> {
    file(&text_of_columns(1000), &(0..count as u32).map(empty).collect::<Vec<_>>())
}

/// Beginnings of blocks, whose heads would extend to the end of the file.
fn beginnings(count: usize) -> Vec<u8> {
    let mut bytes = head(TEXT);
    for _ in 0..count {
        bytes.extend(b"\xb1TB1");
        bytes.extend((1u32 << 20).to_le_bytes());
    }
    bytes
}

/// A table with one more event of `count` numbers, with slots of their own as far as slots suffice.
fn text_of_columns(count: usize) -> String {
    let mut event = r#",{"code":20,"name":"Wide","layer":"mark","opcode":"info","doc":"","fields":["#.to_owned();
    for number in 0..count {
        let comma = if number > 0 { "," } else { "" };
        let (kind, slot) =
            (r#""kind":{"scalar":{"name":"","width_bytes":1,"role":"size","doc":"","slot""#, number % 1900);
        let slot = 100 + 2 * slot;
        write!(event, r#"{comma}{{"name":"f{number}","doc":"",{kind}:{slot}}}}}}}"#).expect("text takes it");
    }
    event.push_str("]}");
    TEXT.replacen("\n]},\"world\"", &format!("{event}\n]}},\"world\""), 1)
}

fn columns(count: usize) -> Vec<u8> {
    file(&text_of_columns(count), &[Block::sound()])
}

/// A compressed frame of `bytes` bytes of JSON, which exceeds the maximum of a header.
fn header(bytes: usize) -> Vec<u8> {
    let text = format!("{{\"schema\":{{\"events\":[{}]}}}}", "[],".repeat(bytes / 3) + "[]");
    head_of(&zstd::bulk::compress(text.as_bytes(), 1).expect("a frame"), 1)
}
