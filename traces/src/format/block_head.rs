//! The head of a block of records: thread, counts per kind and column table. Encoder and parser are in this file so
//! that they stay in step.

use crate::format::block_info::BlockInfo;
use crate::format::envelope::{CRC_BYTES, ENVELOPE_BYTES, Envelope, RECORDS};
use crate::format::file_head::VERSION;
use crate::format::limit;
use crate::format::parse::{Parsed, checksum, miss};
use nom::bytes::complete::take;
use nom::multi::count;
use nom::number::complete::{le_u16, le_u32, le_u64};
use nom::{IResult, Parser};
use taut_schemas::EventCode;

/// Size of a head without its tables and its checksum, in bytes.
pub(crate) const FIXED_BYTES: usize = ENVELOPE_BYTES + 52;

/// Slot number of the kind column, above every slot of a schema table.
pub(crate) const KINDS: u16 = 0xffff;
/// Slot number of the stamp column, above every slot of a schema table.
pub(crate) const STAMPS: u16 = 0xfffe;

/// One column of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnEntry {
    /// Slot number, or [`KINDS`] or [`STAMPS`].
    pub slot: u16,
    pub values: u32,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
}

/// The head of a block of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct BlockHead {
    /// Format version of the file.
    pub version: u16,
    /// Size of the head, in bytes.
    pub head_bytes: u32,
    /// Size of the whole block, head and both checksums included, in bytes.
    pub length_bytes: u32,
    /// [`FileHead::key`](crate::format::file_head::FileHead::key) of its file.
    pub key: u32,
    pub thread: u32,
    pub records: u32,
    /// Number of the block among the blocks of its thread, from 0.
    pub number: u64,
    /// Records of the thread in the blocks before.
    pub records_before: u64,
    /// Events of the thread that the recorder lost before these records: since the thread began; in version 0, since
    /// the block before.
    pub lost: u64,
    /// Min and max stamp; in version 0, the stamps of the first and the last record.
    pub stamps: (u64, u64),
    /// Sum of the sizes of the records' rows, in bytes.
    pub row_bytes: u32,
    /// Number of open calls before the first record.
    pub depth: u32,
    /// Codes of the open calls' start records, outermost first; of a deep stack, the innermost.
    pub open: Vec<EventCode>,
    /// Codes that occur, in order of their first record, and how often each occurs.
    pub kinds: Vec<(EventCode, u32)>,
    pub columns: Vec<ColumnEntry>,
}

impl BlockHead {
    /// Index entry of the block at `offset`.
    pub fn info(&self, offset: u64) -> BlockInfo {
        let BlockHead { length_bytes, thread, number, records, records_before, .. } = *self;
        let (min_stamp, max_stamp) = self.stamps;
        let (lost_before, lost_since_begin) = if self.version == 0 { (self.lost, 0) } else { (0, self.lost) };
        let kinds = self.kinds.as_slice().into();
        let place = BlockInfo { offset, length_bytes, thread, number, records, records_before, ..BlockInfo::default() };
        BlockInfo { lost_before, lost_since_begin, min_stamp, max_stamp, kinds, ..place }
    }

    /// True if an index entry agrees with this head.
    pub fn agrees(&self, info: &BlockInfo) -> bool {
        let (mut own, mut known) = (self.info(info.offset), info.clone());
        // Each version stores one of the two loss counts; the other was computed when the file was opened.
        for info in [&mut own, &mut known] {
            *(if self.version == 0 { &mut info.lost_since_begin } else { &mut info.lost_before }) = 0;
        }
        own == known
    }

    /// Appends the head of a block with `payload_bytes` bytes of payload; returns the size of the whole block in bytes.
    pub fn write(&self, payload_bytes: usize, out: &mut Vec<u8>) -> u32 {
        let start = out.len();
        let head_bytes = FIXED_BYTES + table_bytes(self.lengths()) + CRC_BYTES;
        let length_bytes = (head_bytes + payload_bytes + CRC_BYTES) as u32;
        let (head_bytes, key, stream) = (head_bytes as u32, self.key, self.thread);
        Envelope { head_bytes, length_bytes, key, kind: RECORDS, flags: 0, stream, number: self.number }.write(out);
        for number in [self.records, self.row_bytes] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.records_before, self.lost, self.stamps.0, self.stamps.1] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.depth.to_le_bytes());
        let [open, kinds, columns] = self.lengths();
        for number in [open, kinds, columns, 0] {
            out.extend_from_slice(&(number as u16).to_le_bytes());
        }
        self.open.iter().for_each(|code| out.extend_from_slice(&code.0.to_le_bytes()));
        for (code, records) in &self.kinds {
            out.extend_from_slice(&code.0.to_le_bytes());
            out.extend_from_slice(&records.to_le_bytes());
        }
        for column in &self.columns {
            out.extend_from_slice(&column.slot.to_le_bytes());
            out.extend_from_slice(&column.values.to_le_bytes());
            out.extend_from_slice(&column.length_bytes.to_le_bytes());
        }
        let crc = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&crc.to_le_bytes());
        length_bytes
    }

    /// Parses a head whose envelope (of a block of records) lies at the beginning of `input` and has been parsed.
    /// Checks the checksum and everything that needs no schema table.
    pub fn parse<'a>(input: &'a [u8], envelope: &Envelope) -> Parsed<'a, BlockHead> {
        let (rest, _) = take(ENVELOPE_BYTES)(input)?;
        let Envelope { head_bytes, length_bytes, key, stream: thread, number, .. } = *envelope;
        let (rest, (records, row_bytes, records_before, lost)) = (le_u32, le_u32, le_u64, le_u64).parse(rest)?;
        let (rest, (min_stamp, max_stamp, depth)) = (le_u64, le_u64, le_u32).parse(rest)?;
        let place = BlockHead { version: VERSION, head_bytes, length_bytes, key, thread, number, ..Default::default() };
        let stamps = (min_stamp, max_stamp);
        let head = BlockHead { records, row_bytes, records_before, lost, stamps, depth, ..place };
        head.tables(input, rest, FIXED_BYTES)
    }

    /// Parses the table lengths at `rest` and the tables, which begin `fixed_bytes` after the beginning of `input`.
    pub fn tables<'a>(mut self, input: &'a [u8], rest: &'a [u8], fixed_bytes: usize) -> Parsed<'a, BlockHead> {
        let (rest, (open, kinds, columns, zero)) = (le_u16, le_u16, le_u16, le_u16).parse(rest)?;
        if zero != 0 {
            return miss(&input[fixed_bytes - 2..], "0", zero);
        }
        let lengths = [usize::from(open), usize::from(kinds), usize::from(columns)];
        let limits = [limit::BLOCK_OPEN_CALLS, limit::BLOCK_KINDS, limit::BLOCK_COLUMNS];
        if lengths.iter().zip(limits).any(|(length, limit)| *length > limit) {
            let text =
                |[open, kinds, columns]: [usize; 3]| format!("{open} open calls, {kinds} kinds, {columns} columns");
            return miss(&input[fixed_bytes - 8..], format!("at most {}", text(limits)), text(lengths));
        }
        // The length is bounded before a checksum is computed over it: damaged bytes may contain many apparent heads.
        let whole = fixed_bytes + table_bytes(lengths) + CRC_BYTES;
        if self.head_bytes as usize != whole {
            return miss(&input[4..], format!("a head of {whole} bytes"), self.head_bytes);
        }
        let (_, covered) = take(whole - CRC_BYTES)(input)?;
        checksum(&input[covered.len()..], covered)?;
        let (rest, open) = count(code, usize::from(open)).parse(rest)?;
        let (rest, kinds) = count((code, le_u32), usize::from(kinds)).parse(rest)?;
        let (rest, columns) = count(column, usize::from(columns)).parse(rest)?;
        (self.open, self.kinds, self.columns) = (open, kinds, columns);
        self.check(input)?;
        Ok((&rest[CRC_BYTES.min(rest.len())..], self))
    }

    fn lengths(&self) -> [usize; 3] {
        [self.open.len(), self.kinds.len(), self.columns.len()]
    }

    /// Checks that the counts and sizes of the head agree with each other.
    fn check<'a>(&self, input: &'a [u8]) -> Parsed<'a, ()> {
        let sum = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(u64::from).sum::<u64>();
        let columns_bytes = sum(&mut self.columns.iter().map(|column| column.length_bytes));
        let whole = u64::from(self.head_bytes) + columns_bytes + CRC_BYTES as u64;
        if whole != u64::from(self.length_bytes) {
            return miss(&input[8..], format!("a block of {whole} bytes"), self.length_bytes);
        }
        let records = sum(&mut self.kinds.iter().map(|kind| kind.1));
        if records != u64::from(self.records) || self.records as usize > limit::BLOCK_RECORDS {
            let expected = format!("{records} records as its kinds say, at most {}", limit::BLOCK_RECORDS);
            return miss(input, expected, self.records);
        }
        if self.row_bytes as usize > limit::BLOCK_ROW_BYTES {
            return miss(input, format!("at most {} bytes of rows", limit::BLOCK_ROW_BYTES), self.row_bytes);
        }
        if self.open.len() != (self.depth as usize).min(limit::BLOCK_OPEN_CALLS) {
            return miss(input, format!("depth {}", self.open.len()), self.depth);
        }
        Ok((input, ()))
    }
}

/// Size of the tables for these numbers of open calls, kinds and columns, in bytes.
fn table_bytes([open, kinds, columns]: [usize; 3]) -> usize {
    2 * open + 6 * kinds + 10 * columns
}

fn code<'a, E: nom::error::ParseError<&'a [u8]>>(input: &'a [u8]) -> IResult<&'a [u8], EventCode, E> {
    le_u16(input).map(|(rest, code)| (rest, EventCode(code)))
}

fn column<'a, E: nom::error::ParseError<&'a [u8]>>(input: &'a [u8]) -> IResult<&'a [u8], ColumnEntry, E> {
    let (rest, (slot, values, length_bytes)) = (le_u16, le_u32, le_u32).parse(input)?;
    Ok((rest, ColumnEntry { slot, values, length_bytes }))
}
