//! A checked block of a file, with its columns decoded on demand.

use crate::format::block_head::{BlockHead, ColumnEntry, KINDS, STAMPS};
use crate::format::block_info::BlockInfo;
use crate::format::block_whole::{check_whole, payload};
use crate::format::column_decoder::{ColumnDecoder, equal_value};
use crate::format::envelope::Envelope;
use crate::format::error::Damage;
use crate::format::head;
use crate::format::other_block::{OtherBlock, parse_head};
use crate::format::parse::{Parsed, miss, run};
use crate::format::walk::{Walks, Widths};
use taut_schemas::Slot;

/// Bytes and head values that blocks are read from.
#[derive(Clone, Copy)]
pub(crate) struct BlockSource<'a> {
    pub file: &'a [u8],
    /// Recovered blocks, addressed as if they followed the file.
    pub tail: &'a [u8],
    pub key: u32,
    pub version: u16,
    pub walks: &'a Walks,
}

/// A block whose checksum is correct and whose counts agree with each other and with the schema table.
pub(crate) struct Block<'a> {
    pub head: BlockHead,
    pub offset: u64,
    /// Index of each kind's walk.
    pub walks: Vec<usize>,
    /// Union of the field widths that the block's kinds have on each slot, by slot index.
    pub widths: Vec<Widths>,
    bytes: &'a [u8],
}

impl<'a> BlockSource<'a> {
    /// Bytes at an offset; `None` if the range is not within the file or the tail.
    pub fn bytes(&self, offset: u64, length_bytes: u32) -> Option<&'a [u8]> {
        let offset = usize::try_from(offset).ok()?;
        let (part, at) = match offset.checked_sub(self.file.len()) {
            Some(at) => (self.tail, at),
            None => (self.file, offset),
        };
        part.get(at..)?.get(..length_bytes as usize)
    }
}

impl<'a> BlockSource<'a> {
    /// Payload of a block without records, after a check that the block matches its index entry. Empty for a kind
    /// unknown to this crate.
    pub fn payload(&self, block: &OtherBlock) -> Result<&'a [u8], Damage> {
        let bytes = self.bytes(block.offset, block.length_bytes).unwrap_or_default();
        let what = if block.is_known() { "block" } else { "block of an unknown kind" };
        run(block.offset, what, bytes, |input| {
            let (_, envelope) = Envelope::parse(input, self.key)?;
            let (_, control_block) = parse_head(input, &envelope)?;
            let found = OtherBlock::from_head(block.offset, &envelope, control_block);
            // The index of an unknown kind may carry numbers that its head has no known layout for, so they are not
            // compared.
            let stated = if block.is_known() { *block } else { OtherBlock { control_block, ..*block } };
            if found != stated {
                return miss(input, format!("a block like {stated:?}"), format!("{found:?}"));
            }
            if block.is_known() { payload(input) } else { check_whole(input).map(|(rest, ())| (rest, &[][..])) }
        })
    }
}

/// Width of decoded numbers.
#[derive(Clone, Copy, Debug)]
pub struct ValueWidth {
    /// Bytes of each number.
    pub width_bytes: usize,
    /// Bytes after the last number.
    pub slack_bytes: usize,
}

impl<'a> Block<'a> {
    /// Reads and checks the block that `info` describes.
    ///
    /// # Errors
    /// The damage found; its loss is the whole block.
    pub fn read(source: BlockSource<'a>, info: &BlockInfo) -> Result<Block<'a>, Damage> {
        let lost = |damage: Damage| Damage { events_lost: Some(info.records.into()), ..damage };
        let bytes = source.bytes(info.offset, info.length_bytes).unwrap_or_default();
        let head = run(info.offset, "block head", bytes, |input| {
            let (rest, head) = head::parse_records(input, source.key, source.version)?;
            if !head.agrees(info) {
                return miss(input, format!("a block like {info:?}"), format!("{:?}", head.info(info.offset)));
            }
            Ok((rest, head))
        });
        let head = head.map_err(lost)?;
        run(info.offset, "block", bytes, |input| check_whole(input)).map_err(lost)?;
        let kinds = run(info.offset, "block", bytes, |input| kinds(input, &head, source.walks)).map_err(lost)?;
        let (walks, widths) = kinds;
        Ok(Block { head, offset: info.offset, walks, widths, bytes })
    }

    /// Entry, file offset and stored bytes of a column; `None` if the block has no such column.
    fn column(&self, slot: u16) -> Option<(ColumnEntry, u64, &'a [u8])> {
        let mut at = self.head.head_bytes as usize;
        for entry in &self.head.columns {
            let end = at + entry.length_bytes as usize;
            if entry.slot == slot {
                return Some((*entry, self.offset + at as u64, self.bytes.get(at..end)?));
            }
            at = end;
        }
        None
    }

    /// Decodes a column of numbers into `out`; `out` is empty if the block has no such column.
    pub fn numbers(&self, slot: u16, decoder: &mut ColumnDecoder, out: &mut Vec<u64>) -> Result<(), Damage> {
        out.clear();
        let Some((entry, at, stored)) = self.column(slot) else { return Ok(()) };
        out.resize(entry.values as usize, 0);
        run(at, "column", stored, |input| decoder.numbers(input, out, "a number of 64 bits"))
            .map_err(|damage| self.lost(damage))
    }

    /// Decodes a column of numbers into `out`, `width_bytes` each, followed by `slack_bytes` bytes; `out` is empty if
    /// the block has no such column. `fits` is the expectation named in the damage if a number is wider.
    pub fn narrow(
        &self,
        slot: u16,
        width: ValueWidth,
        fits: &'static str,
        decoder: &mut ColumnDecoder,
        out: &mut Vec<u8>,
    ) -> Result<(), Damage> {
        let ValueWidth { width_bytes, slack_bytes } = width;
        let Some((entry, at, stored)) = self.column(slot) else {
            out.clear();
            return Ok(());
        };
        let bytes = entry.values as usize * width_bytes;
        out.resize(bytes + slack_bytes, 0);
        let out = &mut out[..bytes];
        let decoded = run(at, "column", stored, |input| match width_bytes {
            1 => decoder.numbers(input, out.as_chunks_mut::<1>().0, fits),
            2 => decoder.numbers(input, out.as_chunks_mut::<2>().0, fits),
            4 => decoder.numbers(input, out.as_chunks_mut::<4>().0, fits),
            _ => decoder.numbers(input, out.as_chunks_mut::<8>().0, fits),
        });
        decoded.map_err(|damage| self.lost(damage))
    }

    /// Value and number of values of a column whose values are all equal and stored once; `None` for any other column
    /// and for a damaged one.
    pub fn equal(&self, slot: u16) -> Option<(u64, usize)> {
        let (entry, _, stored) = self.column(slot)?;
        Some((equal_value(stored)?, entry.values as usize))
    }

    /// Decodes a column of bytes into `out`; `out` is empty if the block has no such column.
    pub fn bytes(&self, slot: u16, decoder: &mut ColumnDecoder, out: &mut Vec<u8>) -> Result<(), Damage> {
        out.clear();
        let Some((entry, at, stored)) = self.column(slot) else { return Ok(()) };
        run(at, "column", stored, |input| decoder.bytes(input, entry.values as usize, out))
            .map_err(|damage| self.lost(damage))
    }

    /// Decodes the kind column: for each record, an index into [`Block::walks`].
    pub fn kinds(&self, decoder: &mut ColumnDecoder, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.bytes(KINDS, decoder, out)?;
        let mut counts = [0u32; 256];
        out.iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        let stated = self.head.kinds.iter().map(|kind| kind.1).chain(std::iter::repeat(0));
        match stated.zip(counts).position(|(stated, count)| stated != count) {
            None => Ok(()),
            Some(kind) => {
                let stated = self.head.kinds.get(kind).map_or(0, |kind| kind.1);
                Err(self.damage("kinds", format!("{stated} records of kind {kind}"), counts[kind].to_string()))
            }
        }
    }

    /// Decodes the stamp column.
    pub fn stamps(&self, decoder: &mut ColumnDecoder, out: &mut Vec<u64>) -> Result<(), Damage> {
        self.numbers(STAMPS, decoder, out)?;
        let ends = if self.head.version == 0 {
            (out.first().copied(), out.last().copied())
        } else {
            (out.iter().min().copied(), out.iter().max().copied())
        };
        let (found, stated) = ((ends.0.unwrap_or_default(), ends.1.unwrap_or_default()), self.head.stamps);
        if found == stated { Ok(()) } else { Err(self.damage("stamps", format!("{stated:?}"), format!("{found:?}"))) }
    }

    /// Returns damage that makes all records of this block unreadable.
    pub fn damage(&self, what: &'static str, expected: String, found: String) -> Damage {
        self.lost(Damage { offset: self.offset, what, expected, found, events_lost: None })
    }

    fn lost(&self, damage: Damage) -> Damage {
        Damage { events_lost: Some(self.head.records.into()), ..damage }
    }
}

/// Looks the kinds up in the schema table and checks that the columns have the lengths that these kinds imply.
fn kinds<'a>(input: &'a [u8], head: &BlockHead, walks: &Walks) -> Parsed<'a, (Vec<usize>, Vec<Widths>)> {
    let mut found = Vec::with_capacity(head.kinds.len());
    let mut widths = vec![Widths::default(); walks.slots.len()];
    let mut numbers = vec![0u64; walks.slots.len()];
    let (mut counts, mut row_bytes) = (0u64, 0u64);
    for (code, records) in &head.kinds {
        let Some(index) = walks.index(*code) else {
            return miss(input, "codes of the schema table", code.0);
        };
        if found.contains(&index) || *records == 0 {
            return miss(input, "each kind once, with its records", format!("code {}, {records} records", code.0));
        }
        let walk = walks.walk(index);
        let records = u64::from(*records);
        walk.plain_slots.iter().for_each(|(slot, each)| numbers[usize::from(*slot)] += records * u64::from(*each));
        walk.widths.iter().for_each(|(slot, of_walk)| widths[usize::from(*slot)].join(*of_walk));
        counts += records * walk.counts as u64;
        row_bytes += records * walk.min_bytes as u64;
        found.push(index);
    }
    // Kinds and stamps come first, then the slots in rising order. The XOR swaps the ranks of 0xfffe and 0xffff.
    let rank = |slot: u16| (slot < STAMPS, slot ^ u16::from(slot >= STAMPS));
    let mut last = None;
    let mut stated = vec![0u64; walks.slots.len()];
    let (mut stated_counts, mut stated_records) = (0, [0u64; 2]);
    for column in &head.columns {
        let values = u64::from(column.values);
        let known = walks.slots.binary_search(&column.slot);
        match (column.slot, known) {
            (KINDS, _) => stated_records[0] = values,
            (STAMPS, _) => stated_records[1] = values,
            (slot, _) if slot == Slot::COUNTS.0 => stated_counts = values,
            (_, Ok(index)) if !walks.is_in_list(index) => stated[index] = values,
            // Each value on these slots occupies at least one byte (or the narrowest width) of some row.
            (slot, _) if slot == Slot::BYTES.0 => row_bytes += values,
            (_, Ok(index)) if widths[index].widest > 0 => row_bytes += values * u64::from(widths[index].narrowest),
            (slot, _) => return miss(input, "columns of the block's kinds", format!("slot {slot}, {values} values")),
        }
        let rank = rank(column.slot);
        if last.is_some_and(|last| last >= rank) || values == 0 {
            return miss(input, "columns in order, without empty ones", format!("slot {}", column.slot));
        }
        last = Some(rank);
    }
    let records = u64::from(head.records);
    if stated != numbers || stated_counts != counts || stated_records != [records; 2] {
        return miss(input, "columns as long as the kinds make them", format!("{:?}", head.columns));
    }
    if row_bytes > u64::from(head.row_bytes) {
        return miss(input, format!("at least {row_bytes} bytes of rows"), head.row_bytes);
    }
    Ok((input, (found, widths)))
}
