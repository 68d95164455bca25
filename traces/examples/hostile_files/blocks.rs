//! Blocks that state far more records or values than they have bytes.

use crate::by_hand::{Block, START, STOP, TEXT, file, put};

/// Code of `e`, a mark with one list.
pub const LIST: u16 = 5 << 2;
/// Code of `t`, a mark with one text.
pub const MARK_TEXT: u16 = 6 << 2;
/// Code of `n`, a mark without fields.
pub const NOTHING: u16 = 7 << 2;

const KINDS: u16 = 0xffff;
const STAMPS: u16 = 0xfffe;

/// Slots of texts' bytes, of counts, and of the list's values.
const BYTES: u16 = 0;
const COUNTS: u16 = 1;
const VALUES: u16 = 25;

/// Table with `e`, whose list has values of `value_bytes` bytes, `t` and `n`.
pub fn text(value_bytes: u8) -> String {
    text_named(value_bytes, "v")
}

/// Same as [`table`] with another name for the list's values.
fn text_named(value_bytes: u8, name: &str) -> String {
    let list = format!(
        r#",{{"code":{LIST},"name":"e","layer":"mark","opcode":"info","doc":"","fields":[{{"name":"list","doc":"","kind":{{"list":[{{"name":"{name}","width_bytes":{value_bytes},"role":"value","slot":{VALUES},"doc":""}}]}}}}]}}"#
    );
    let text = format!(
        r#",{{"code":{MARK_TEXT},"name":"t","layer":"mark","opcode":"info","doc":"","fields":[{{"name":"text","doc":"","kind":"text"}}]}}"#
    );
    let nothing = format!(r#",{{"code":{NOTHING},"name":"n","layer":"mark","opcode":"info","doc":"","fields":[]}}"#);
    TEXT.replacen("\n]},\"world\"", &format!("{list}{text}{nothing}\n]}},\"world\""), 1)
}

/// Column of planes that are one byte each.
fn constant(value: u64, planes: usize) -> Vec<u8> {
    let mut out = vec![0, planes as u8];
    (0..planes).for_each(|_| out.extend([0, 1, 0, 0, 0]));
    out.extend(&value.to_le_bytes()[..planes]);
    out
}

/// Stamps a tick apart, the first after `base`.
fn stamps(base: u64) -> Vec<u8> {
    let mut out = vec![1, 1];
    put(&mut out, 8, base);
    out.extend([0, 1, 0, 0, 0, 1]);
    out
}

/// Block of equal records of one code, whose columns are added by the caller.
fn block(thread: u32, number: u64, code: u16, records: u32, base: u64) -> Block {
    Block {
        thread,
        number,
        records,
        records_before: number * u64::from(records),
        stamps: (base + 1, base + u64::from(records)),
        row_bytes: 0,
        kinds: vec![(code, records)],
        columns: vec![(KINDS, records, vec![0, 0]), (STAMPS, records, stamps(base))],
        ..Block::sound()
    }
}

/// Records `e` with so many elements of `value_bytes` bytes each.
fn lists(thread: u32, number: u64, records: u32, elements: u32, value_bytes: u8) -> Block {
    let mut block = block(thread, number, LIST, records, 100 + number * u64::from(records));
    block.row_bytes = records * (4 + elements * u32::from(value_bytes));
    block.columns.push((COUNTS, records, constant(elements.into(), 4)));
    block.columns.push((VALUES, records * elements, constant(7, value_bytes.into())));
    block
}

/// Records `e` whose lists are together one zstd frame: the values 0 to 250, repeated.
pub fn zstd_lists(thread: u32, number: u64, records: u32, elements: u32) -> Block {
    let mut block = lists(thread, number, records, elements, 1);
    let plain: Vec<u8> = (0..records * elements).map(|at| (at % 251) as u8).collect();
    let frame = zstd::bulk::compress(&plain, 3).unwrap();
    let mut payload = vec![0, 1, 2];
    put(&mut payload, 4, frame.len() as u64);
    payload.extend(frame);
    block.columns[3].2 = payload;
    block
}

/// One record `t` with so many letters.
fn letters(number: u64, letters: u32) -> Block {
    let mut block = block(1, number, MARK_TEXT, 1, 100 + number);
    block.row_bytes = 4 + letters;
    block.columns.push((BYTES, letters, vec![0, b'a']));
    block.columns.push((COUNTS, 1, constant(letters.into(), 4)));
    block
}

/// A call `Make` with a text and a list, and its return.
fn call(number: u64, elements: u32) -> Block {
    let mut block = block(1, number, START, 2, 100 + 2 * number);
    block.row_bytes = 4 + (4 + 2) + (4 + 2 * elements) + 4;
    block.kinds = vec![(START, 1), (STOP, 1)];
    block.columns[0].2 = vec![1, 0, 1];
    let counts: Vec<u8> = (0..4).flat_map(|plane| [2u32.to_le_bytes()[plane], elements.to_le_bytes()[plane]]).collect();
    let planes = [&[0, 4][..], &[1, 2, 0, 0, 0].repeat(4), &counts].concat();
    block.columns.push((BYTES, 2, vec![1, b'a', b'b']));
    block.columns.push((COUNTS, 2, planes));
    block.columns.push((6, 1, constant(256, 2)));
    block.columns.push((20, 1, constant(0, 1)));
    block.columns.push((VALUES, elements, constant(7, 2)));
    block
}

fn plain(code: u16, number: u64, records: u32) -> Block {
    let mut block = block(1, number, code, records, 100 + number * u64::from(records));
    if code == START {
        block.depth = (number * u64::from(records)) as u32;
        block.open = vec![START; block.depth.min(1024) as usize];
        block.row_bytes = 12 * records;
        block.columns.push((COUNTS, 2 * records, constant(0, 1)));
        block.columns.push((6, records, constant(64, 1)));
    }
    block
}

fn above_i63() -> Vec<u8> {
    let base = 1u64 << 63;
    let mut block = Block { stamps: (base, base + 30), ..Block::sound() };
    block.columns[1].2[2..10].copy_from_slice(&base.to_le_bytes());
    file(TEXT, &[block])
}

/// Traces by file name.
pub fn traces() -> Vec<(&'static str, Vec<u8>)> {
    let blocks = |count: u64, make: &dyn Fn(u64) -> Block| (0..count).map(make).collect::<Vec<_>>();
    let of_threads = |count: u32, make: &dyn Fn(u32) -> Block| (0..count).map(make).collect::<Vec<_>>();
    vec![
        ("list_bomb_bytes.taut", file(&text(1), &blocks(200, &|at| lists(1, at, 1, 16_000_000, 1)))),
        ("list_bomb_words.taut", file(&text(2), &blocks(200, &|at| lists(1, at, 1, 8_000_000, 2)))),
        ("list_bomb_rows.taut", file(&text(1), &blocks(100, &|at| lists(1, at, 64_000, 250, 1)))),
        ("list_bomb_zstd.taut", file(&text(1), &blocks(20, &|at| zstd_lists(1, at, 1, 16_000_000)))),
        ("list_bomb_threads.taut", file(&text(1), &of_threads(64, &|thread| lists(thread, 0, 64, 250_000, 1)))),
        ("list_bomb_calls.taut", file(TEXT, &blocks(100, &|at| call(at, 4_000_000)))),
        ("text_bomb.taut", file(&text(1), &blocks(100, &|at| letters(at, 16_000_000)))),
        ("record_bomb.taut", file(&text(1), &blocks(200, &|at| plain(NOTHING, at, 1 << 16)))),
        ("long_names.taut", file(&text_named(1, &"n".repeat(1 << 20)), &[lists(1, 0, 1, 100_000, 1)])),
        ("many_threads.taut", file(&text(1), &of_threads(5000, &|thread| lists(thread, 0, 8, 4, 1)))),
        ("deep_calls.taut", file(TEXT, &blocks(16, &|at| plain(START, at, 1 << 16)))),
        ("stamp_above_i63.taut", above_i63()),
    ]
}
