//! A block's head: whose records it holds, how many of which kind, and where its columns lie. Writer and reader side
//! by side.

use crate::footer::BlockInfo;
use crate::limit;
use crate::parse::{Parsed, checksum, constant, miss};
use nom::bytes::complete::take;
use nom::multi::count;
use nom::number::complete::{le_u16, le_u32, le_u64};
use nom::{IResult, Parser};
use taut_schemas::EventCode;

pub(crate) const MAGIC: &[u8] = b"\xb1TB0";

/// Size of a head without its tables, in bytes.
pub(crate) const FIXED_BYTES: usize = 80;

/// Size of a checksum, in bytes.
pub(crate) const CRC_BYTES: usize = 4;

/// Column numbers beyond every slot: the records' kinds and stamps.
pub(crate) const KINDS: u16 = 0xffff;
pub(crate) const STAMPS: u16 = 0xfffe;

/// One column of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnEntry {
    /// Its slot, or [`KINDS`] or [`STAMPS`].
    pub slot: u16,
    /// Values in it.
    pub values: u32,
    /// Its size in the file.
    pub length_bytes: u32,
}

/// A block's head.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct BlockHead {
    /// Size of the whole block, head and both checksums included.
    pub length_bytes: u32,
    /// [`FileHead::key`](crate::file_head::FileHead::key) of its file.
    pub key: u32,
    pub thread: u32,
    pub records: u32,
    /// Number of the block among those of its thread, from 0.
    pub number: u64,
    /// Records of the thread in the blocks before.
    pub records_before: u64,
    /// Events of the thread that the recorder lost between the block before and this one.
    pub lost_before: u64,
    pub first_stamp: u64,
    pub last_stamp: u64,
    /// Sum of the sizes of the records' rows.
    pub row_bytes: u32,
    /// Open calls before the first record.
    pub depth: u32,
    /// Codes of their start records, outermost first; of a deep stack, the innermost.
    pub open: Vec<EventCode>,
    /// Codes that occur, in order of their first record, and how often.
    pub kinds: Vec<(EventCode, u32)>,
    pub columns: Vec<ColumnEntry>,
}

impl BlockHead {
    /// Size of the head with its tables and its checksum, in bytes.
    pub fn head_bytes(&self) -> usize {
        whole_bytes([self.open.len(), self.kinds.len(), self.columns.len()])
    }

    /// The block's entry in an index.
    pub fn info(&self, offset: u64) -> BlockInfo {
        let BlockHead { length_bytes, thread, records, lost_before, first_stamp, last_stamp, .. } = *self;
        BlockInfo { offset, length_bytes, thread, records, lost_before, first_stamp, last_stamp }
    }

    /// Appends the head. `length_bytes` must be set.
    pub fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(MAGIC);
        for number in [self.head_bytes() as u32, self.length_bytes, self.key, self.thread, self.records] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let wide = [self.number, self.records_before, self.lost_before, self.first_stamp, self.last_stamp];
        wide.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out.extend_from_slice(&self.row_bytes.to_le_bytes());
        out.extend_from_slice(&self.depth.to_le_bytes());
        for number in [self.open.len(), self.kinds.len(), self.columns.len(), 0] {
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
    }

    /// Reads a head from bytes that begin at its magic. Checks its checksum and everything that can be checked
    /// without the schema table.
    pub fn parse<'a>(input: &'a [u8], key: u32) -> Parsed<'a, BlockHead> {
        let (rest, ()) = constant(input, MAGIC)?;
        let (rest, head_bytes) = le_u32(rest)?;
        let (rest, mut head) = fixed(rest)?;
        if head.key != key {
            let expected = format!("a block of this trace, key {key:#010x}");
            return miss(&input[12..], expected, format!("{:#010x}", head.key));
        }
        let (rest, (open, kinds, columns, zero)) = (le_u16, le_u16, le_u16, le_u16).parse(rest)?;
        if zero != 0 {
            return miss(&input[FIXED_BYTES - 2..], "0", zero);
        }
        let lengths = [usize::from(open), usize::from(kinds), usize::from(columns)];
        let limits = [limit::BLOCK_OPEN_CALLS, limit::BLOCK_KINDS, limit::BLOCK_COLUMNS];
        if lengths.iter().zip(limits).any(|(length, limit)| *length > limit) {
            let text =
                |[open, kinds, columns]: [usize; 3]| format!("{open} open calls, {kinds} kinds, {columns} columns");
            return miss(&input[FIXED_BYTES - 8..], format!("at most {}", text(limits)), text(lengths));
        }
        // A checksum is computed over a length that is known to be small: many heads may seem to begin in a file.
        let whole = whole_bytes(lengths);
        if head_bytes as usize != whole {
            return miss(&input[4..], format!("a head of {whole} bytes"), head_bytes);
        }
        let (_, covered) = take(whole - CRC_BYTES)(input)?;
        checksum(&input[covered.len()..], covered)?;
        let (rest, open) = count(code, usize::from(open)).parse(rest)?;
        let (rest, kinds) = count((code, le_u32), usize::from(kinds)).parse(rest)?;
        let (rest, columns) = count(column, usize::from(columns)).parse(rest)?;
        (head.open, head.kinds, head.columns) = (open, kinds, columns);
        head.check(input)?;
        Ok((&rest[CRC_BYTES.min(rest.len())..], head))
    }

    /// Checks that the numbers of the head agree with each other.
    fn check<'a>(&self, input: &'a [u8]) -> Parsed<'a, ()> {
        let sum = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(u64::from).sum::<u64>();
        let columns_bytes = sum(&mut self.columns.iter().map(|column| column.length_bytes));
        let whole = self.head_bytes() as u64 + columns_bytes + CRC_BYTES as u64;
        if whole != u64::from(self.length_bytes) {
            return miss(&input[8..], format!("a block of {whole} bytes"), self.length_bytes);
        }
        let records = sum(&mut self.kinds.iter().map(|kind| kind.1));
        if records != u64::from(self.records) || self.records as usize > limit::BLOCK_RECORDS {
            let expected = format!("{records} records as its kinds say, at most {}", limit::BLOCK_RECORDS);
            return miss(&input[20..], expected, self.records);
        }
        if self.row_bytes as usize > limit::BLOCK_ROW_BYTES {
            return miss(&input[64..], format!("at most {} bytes of rows", limit::BLOCK_ROW_BYTES), self.row_bytes);
        }
        if self.open.len() != (self.depth as usize).min(limit::BLOCK_OPEN_CALLS) {
            return miss(&input[68..], format!("depth {}", self.open.len()), self.depth);
        }
        Ok((input, ()))
    }
}

/// Size of a head with tables of so many open calls, kinds and columns, and its checksum.
fn whole_bytes([open, kinds, columns]: [usize; 3]) -> usize {
    FIXED_BYTES + 2 * open + 6 * kinds + 10 * columns + CRC_BYTES
}

fn fixed(input: &[u8]) -> Parsed<'_, BlockHead> {
    let (rest, (length_bytes, key, thread, records)) = (le_u32, le_u32, le_u32, le_u32).parse(input)?;
    let (rest, (number, records_before, lost_before)) = (le_u64, le_u64, le_u64).parse(rest)?;
    let (rest, (first_stamp, last_stamp, row_bytes, depth)) = (le_u64, le_u64, le_u32, le_u32).parse(rest)?;
    let counts = BlockHead { length_bytes, key, thread, records, number, records_before, ..Default::default() };
    Ok((rest, BlockHead { lost_before, first_stamp, last_stamp, row_bytes, depth, ..counts }))
}

fn code<'a, E: nom::error::ParseError<&'a [u8]>>(input: &'a [u8]) -> IResult<&'a [u8], EventCode, E> {
    le_u16(input).map(|(rest, code)| (rest, EventCode(code)))
}

fn column<'a, E: nom::error::ParseError<&'a [u8]>>(input: &'a [u8]) -> IResult<&'a [u8], ColumnEntry, E> {
    let (rest, (slot, values, length_bytes)) = (le_u16, le_u32, le_u32).parse(input)?;
    Ok((rest, ColumnEntry { slot, values, length_bytes }))
}
