//! Columns of numbers: a transform, and byte planes of what it makes of them. Writer and reader side by side.

use crate::parse::{Parsed, miss};
use crate::plane::{CONSTANT, PlaneDecoder, PlaneEncoder};
use crate::transform::{Chooser, DICTIONARY_VALUES, Dictionary, Transform, deltas, sums};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32, le_u64};

/// Size of a plane's entry in a column, in bytes: coding, length.
const ENTRY_BYTES: usize = 5;

/// Writes columns.
pub(crate) struct ColumnEncoder {
    planes: PlaneEncoder,
    chooser: Chooser,
    dictionary: Dictionary,
    changed: Vec<u64>,
    plane: Vec<u8>,
}

impl ColumnEncoder {
    pub fn new() -> Self {
        Self {
            planes: PlaneEncoder::new(),
            chooser: Chooser::new(),
            dictionary: Dictionary::new(),
            changed: Vec::new(),
            plane: Vec::new(),
        }
    }

    /// Appends a column of bytes.
    pub fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let coding_at = out.len();
        out.push(0);
        out[coding_at] = self.planes.write(bytes, out);
    }

    /// Appends a column of numbers.
    pub fn numbers(&mut self, numbers: &[u64], out: &mut Vec<u8>) {
        let Some(first) = numbers.first() else { return };
        let transform = self.transform(numbers);
        out.push(transform as u8);
        match transform {
            Transform::Plain => {
                out.push(significant_bytes(numbers));
                self.split(numbers, out);
            }
            Transform::Delta | Transform::Zigzag => {
                let mut changed = std::mem::take(&mut self.changed);
                deltas(numbers, &mut changed, transform == Transform::Zigzag);
                out.push(significant_bytes(&changed));
                out.extend_from_slice(&first.to_le_bytes());
                self.split(&changed, out);
                self.changed = changed;
            }
            Transform::Dictionary => {
                out.push(1);
                out.extend_from_slice(&(self.dictionary.entries.len() as u16).to_le_bytes());
                self.dictionary.entries.iter().for_each(|entry| out.extend_from_slice(&entry.to_le_bytes()));
                let entry_at = out.len();
                out.extend_from_slice(&[0; ENTRY_BYTES]);
                write_plane(&mut self.planes, &self.dictionary.positions, entry_at, out);
            }
        }
    }

    fn transform(&mut self, numbers: &[u64]) -> Transform {
        let varying = numbers.iter().fold(0, |bits, number| bits | (number ^ numbers[0]));
        let varying_planes = (0..8).filter(|plane| varying >> (8 * plane) & 0xff != 0).count();
        match varying_planes {
            0 => Transform::Plain,
            1 => self.chooser.choose(numbers, None),
            _ => {
                let few = self.dictionary.build(numbers);
                self.chooser.choose(numbers, few.then_some(&self.dictionary))
            }
        }
    }

    /// Appends the entries and bytes of the planes; their number has been written.
    fn split(&mut self, numbers: &[u64], out: &mut Vec<u8>) {
        let planes = usize::from(significant_bytes(numbers));
        let varying = numbers.iter().fold(0, |bits, number| bits | (number ^ numbers[0]));
        let entries_at = out.len();
        out.resize(entries_at + planes * ENTRY_BYTES, 0);
        for plane in 0..planes {
            let entry_at = entries_at + plane * ENTRY_BYTES;
            let shift = 8 * plane;
            if varying >> shift & 0xff == 0 {
                write_plane(&mut self.planes, &[(numbers[0] >> shift) as u8], entry_at, out);
            } else {
                self.plane.clear();
                self.plane.extend(numbers.iter().map(|number| (number >> shift) as u8));
                write_plane(&mut self.planes, &self.plane, entry_at, out);
            }
        }
    }
}

/// Appends one plane and fills its entry.
fn write_plane(planes: &mut PlaneEncoder, plane: &[u8], entry_at: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out[entry_at] = planes.write(plane, out);
    let length_bytes = (out.len() - start) as u32;
    out[entry_at + 1..entry_at + ENTRY_BYTES].copy_from_slice(&length_bytes.to_le_bytes());
}

/// Bytes up to the highest that is not zero in every number; at least one.
fn significant_bytes(numbers: &[u64]) -> u8 {
    let bits = numbers.iter().fold(0, |bits, number| bits | number);
    (u64::BITS - bits.leading_zeros()).div_ceil(8).max(1) as u8
}

/// Reads columns.
pub(crate) struct ColumnDecoder {
    planes: PlaneDecoder,
    plane: Vec<u8>,
}

impl ColumnDecoder {
    pub fn new() -> Self {
        Self { planes: PlaneDecoder::new(), plane: Vec::new() }
    }

    /// Reads a column of `len` bytes, which the caller has checked against the limits, into `out`.
    pub fn bytes<'a>(&mut self, input: &'a [u8], len: usize, out: &mut Vec<u8>) -> Parsed<'a, ()> {
        let (stored, coding) = le_u8(input)?;
        out.resize(len, 0);
        self.planes.read(coding, stored, out)
    }

    /// Reads a column of `len` numbers, which the caller has checked against the limits, into `out`.
    pub fn numbers<'a>(&mut self, input: &'a [u8], len: usize, out: &mut Vec<u64>) -> Parsed<'a, ()> {
        let (rest, (transform, planes)) = (le_u8, le_u8).parse(input)?;
        if planes == 0 || planes > 8 {
            return miss(&input[1..], "1 to 8 planes", planes);
        }
        out.clear();
        match transform {
            0 => self.join(rest, planes, len, out),
            1 | 2 => {
                let (rest, base) = le_u64(rest)?;
                let (rest, ()) = self.join(rest, planes, len, out)?;
                sums(out, base, transform == 2);
                Ok((rest, ()))
            }
            3 if planes == 1 => self.look_up(rest, len, out),
            3 => miss(&input[1..], "1 plane of positions", planes),
            _ => miss(input, "a transform from 0 to 3", transform),
        }
    }

    /// Puts numbers together from their planes.
    fn join<'a>(&mut self, input: &'a [u8], planes: u8, len: usize, out: &mut Vec<u64>) -> Parsed<'a, ()> {
        let (mut stored, mut entries) = take(usize::from(planes) * ENTRY_BYTES)(input)?;
        let mut constant = 0;
        let mut varying = Vec::with_capacity(8);
        for plane in 0..planes {
            let (rest, (coding, length_bytes)) = (le_u8, le_u32).parse(entries)?;
            entries = rest;
            let (rest, bytes) = take(length_bytes)(stored)?;
            match (coding, bytes) {
                (CONSTANT, [byte]) => constant |= u64::from(*byte) << (8 * plane),
                _ => varying.push((coding, bytes, 8 * u32::from(plane))),
            }
            stored = rest;
        }
        if !stored.is_empty() {
            return miss(stored, "the end of the column", format!("{} more bytes", stored.len()));
        }
        out.resize(len, constant);
        out.fill(constant);
        self.plane.resize(len, 0);
        for (coding, bytes, shift) in varying {
            self.planes.read(coding, bytes, &mut self.plane)?;
            out.iter_mut().zip(&self.plane).for_each(|(number, byte)| *number |= u64::from(*byte) << shift);
        }
        Ok((stored, ()))
    }

    /// Looks positions up in the column's dictionary.
    fn look_up<'a>(&mut self, input: &'a [u8], len: usize, out: &mut Vec<u64>) -> Parsed<'a, ()> {
        let (mut rest, entries) = le_u16(input)?;
        if entries == 0 || usize::from(entries) > DICTIONARY_VALUES {
            return miss(input, "1 to 256 entries", entries);
        }
        let mut table = [0; DICTIONARY_VALUES];
        for entry in &mut table[..usize::from(entries)] {
            (rest, *entry) = le_u64(rest)?;
        }
        let (stored, (coding, length_bytes)) = (le_u8, le_u32).parse(rest)?;
        let (end, bytes) = take(length_bytes)(stored)?;
        if !end.is_empty() {
            return miss(end, "the end of the column", format!("{} more bytes", end.len()));
        }
        self.plane.resize(len, 0);
        self.planes.read(coding, bytes, &mut self.plane)?;
        let last = self.plane.iter().fold(0, |last, position| last.max(*position));
        if u16::from(last) >= entries {
            return miss(stored, format!("positions below {entries}"), last);
        }
        out.extend(self.plane.iter().map(|position| table[usize::from(*position)]));
        Ok((end, ()))
    }
}
