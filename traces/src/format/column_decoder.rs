//! Decoder of columns. Each value is stored at its field's width, so that a long list of small numbers takes no more
//! memory than its rows.

use crate::format::cell::ValueCell;
use crate::format::column::{CHUNK, ENTRY_BYTES, position_bits};
use crate::format::parse::{Parsed, miss};
use crate::format::plane::{CONSTANT, PlaneDecoder};
use crate::format::transform::{DICTIONARY_VALUES, add_delta};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32, le_u64};

/// Number of values above which a column is decoded plane by plane, which needs one plane buffer instead of up to
/// eight.
const MIN_PLANEWISE_VALUES: usize = 1 << 20;

/// Decoder of columns.
pub(crate) struct ColumnDecoder {
    planes: PlaneDecoder,
    plane: Vec<u8>,
    chunk: Vec<u64>,
}

/// Parsed planes of a column.
struct Planes<'a> {
    /// Number before the first, and whether differences have their sign in the lowest bit; `None` for plain numbers.
    deltas: Option<(u64, bool)>,
    /// Bits of the planes that are equal in all numbers.
    constant: u64,
    /// Coding, bytes and shift of the other planes.
    varying: Vec<(u8, &'a [u8], u32)>,
}

impl Planes<'_> {
    /// True if the planes cannot set a bit outside `mask`.
    fn are_within(&self, mask: u64) -> bool {
        self.constant & !mask == 0 && self.varying.iter().all(|(_, _, shift)| mask >> shift & 0xff != 0)
    }
}

impl ColumnDecoder {
    pub fn new() -> Self {
        Self { planes: PlaneDecoder::new(), plane: Vec::new(), chunk: vec![0; CHUNK] }
    }

    /// Decodes a column of `len` bytes into `out`. The caller has checked `len` against the limits.
    pub fn bytes<'a>(&mut self, input: &'a [u8], len: usize, out: &mut Vec<u8>) -> Parsed<'a, ()> {
        let (stored, coding) = le_u8(input)?;
        out.resize(len, 0);
        self.planes.read(coding, stored, out)
    }

    /// Decodes as many numbers as there are elements in `cells`; the caller has checked this count against the limits.
    /// `fits` is the expectation named in the damage if a number is wider than an element.
    pub fn numbers<'a, P: ValueCell>(
        &mut self,
        input: &'a [u8],
        cells: &mut [P],
        fits: &'static str,
    ) -> Parsed<'a, ()> {
        let end = &input[input.len()..];
        let (rest, (transform, count)) = (le_u8, le_u8).parse(input)?;
        if count == 0 || count > 8 {
            return miss(&input[1..], "1 to 8 planes", count);
        }
        let (_, fit) = match transform {
            0 => {
                let (end, column) = planes(rest, count, None)?;
                self.join(end, column, cells)?
            }
            1 | 2 => {
                let (rest, base) = le_u64(rest)?;
                let (end, column) = planes(rest, count, Some((base, transform == 2)))?;
                self.join(end, column, cells)?
            }
            3 if count == 1 => self.look_up(rest, cells)?,
            3 => return miss(&input[1..], "1 plane of positions", count),
            _ => return miss(input, "a transform from 0 to 3", transform),
        };
        if fit { Ok((end, ())) } else { miss(input, fits, "a wider one") }
    }

    /// Combines numbers from their planes; `false` if one does not fit its element.
    fn join<'a, P: ValueCell>(&mut self, end: &'a [u8], column: Planes<'a>, cells: &mut [P]) -> Parsed<'a, bool> {
        let fits = column.are_within(P::MASK);
        if cells.len() > MIN_PLANEWISE_VALUES {
            if fits || column.deltas.is_none() {
                return self.join_long(end, &column, cells);
            }
            // Differences may be wider than the numbers: the only columns that need more memory than their values.
            let mut words = vec![0u64; cells.len()];
            self.join_long(end, &column, &mut words)?;
            cells.iter_mut().zip(&words).for_each(|(cell, word)| *cell = P::from_number(*word));
            return Ok((end, words.iter().all(|word| word & !P::MASK == 0)));
        }
        let len = cells.len();
        self.plane.resize(column.varying.len() * len, 0);
        for ((coding, bytes, _), plane) in column.varying.iter().zip(self.plane.chunks_exact_mut(len.max(1))) {
            self.planes.read(*coding, bytes, plane)?;
        }
        let (mut sum, zigzag) = column.deltas.unwrap_or_default();
        let mut used = 0;
        for (cells, start) in cells.chunks_mut(CHUNK).zip((0..len).step_by(CHUNK)) {
            let planes = column.varying.iter().zip(self.plane.chunks_exact(len));
            let planes: Vec<(&[u8], u32)> =
                planes.map(|((_, _, shift), plane)| (&plane[start..start + cells.len()], *shift)).collect();
            if fits && column.deltas.is_none() {
                join_planes(column.constant, &planes, cells);
            } else if fits && P::BYTES == 8 {
                join_planes(column.constant, &planes, cells);
                add_up(cells, &mut sum, zigzag);
            } else {
                let chunk = &mut self.chunk[..cells.len()];
                join_planes(column.constant, &planes, chunk);
                if column.deltas.is_some() {
                    add_up(chunk, &mut sum, zigzag);
                }
                used = chunk.iter().fold(used, |used, number| used | number);
                cells.iter_mut().zip(chunk).for_each(|(cell, number)| *cell = P::from_number(*number));
            }
        }
        Ok((end, used & !P::MASK == 0))
    }

    /// Same as [`join`](Self::join) for a long column, one plane after another.
    fn join_long<'a, P: ValueCell>(&mut self, end: &'a [u8], column: &Planes<'a>, cells: &mut [P]) -> Parsed<'a, bool> {
        let mut fits = column.constant & !P::MASK == 0;
        cells.fill(P::from_number(column.constant));
        self.plane.resize(cells.len(), 0);
        for (coding, bytes, shift) in &column.varying {
            self.planes.read(*coding, bytes, &mut self.plane)?;
            if P::MASK >> shift & 0xff == 0 {
                fits &= self.plane.iter().all(|byte| *byte == 0);
                continue;
            }
            for (cell, byte) in cells.iter_mut().zip(&self.plane) {
                *cell = P::from_number(cell.number() | u64::from(*byte) << shift);
            }
        }
        if let Some((mut sum, zigzag)) = column.deltas {
            fits &= add_up(cells, &mut sum, zigzag) & !P::MASK == 0;
        }
        Ok((end, fits))
    }

    /// Decodes positions by the column's dictionary; `false` if a dictionary entry does not fit an element.
    fn look_up<'a, P: ValueCell>(&mut self, input: &'a [u8], cells: &mut [P]) -> Parsed<'a, bool> {
        let (mut rest, entries) = le_u16(input)?;
        if entries == 0 || usize::from(entries) > DICTIONARY_VALUES {
            return miss(input, "1 to 256 entries", entries);
        }
        let (mut table, mut used) = ([P::from_number(0); DICTIONARY_VALUES], 0);
        for cell in &mut table[..usize::from(entries)] {
            let entry;
            (rest, entry) = le_u64(rest)?;
            *cell = P::from_number(entry);
            used |= entry;
        }
        let (stored, (coding, length_bytes)) = (le_u8, le_u32).parse(rest)?;
        let (end, bytes) = take(length_bytes)(stored)?;
        if !end.is_empty() {
            return miss(end, "the end of the column", format!("{} more bytes", end.len()));
        }
        let bits = position_bits(entries.into());
        self.plane.resize(cells.len().div_ceil(8 / bits as usize), 0);
        self.planes.read(coding, bytes, &mut self.plane)?;
        let last = max_position(&self.plane, bits);
        if u16::from(last) >= entries {
            return miss(stored, format!("positions below {entries}"), last);
        }
        match bits {
            1 => look_up::<1, P>(&self.plane, &table, cells),
            2 => look_up::<2, P>(&self.plane, &table, cells),
            4 => look_up::<4, P>(&self.plane, &table, cells),
            _ => look_up::<8, P>(&self.plane, &table, cells),
        }
        Ok((end, used & !P::MASK == 0))
    }
}

/// Value of a valid number column whose planes are all constant.
pub(crate) fn equal_value(input: &[u8]) -> Option<u64> {
    let [0, count @ 1..=8, rest @ ..] = input else { return None };
    let (_, column) = planes(rest, *count, None).ok()?;
    column.varying.is_empty().then_some(column.constant)
}

/// Parses the entries of `count` planes and locates their bytes, which end the column.
fn planes(input: &[u8], count: u8, deltas: Option<(u64, bool)>) -> Parsed<'_, Planes<'_>> {
    let (mut stored, mut entries) = take(usize::from(count) * ENTRY_BYTES)(input)?;
    let mut column = Planes { deltas, constant: 0, varying: Vec::with_capacity(8) };
    for plane in 0..count {
        let (rest, (coding, length_bytes)) = (le_u8, le_u32).parse(entries)?;
        entries = rest;
        let (rest, bytes) = take(length_bytes)(stored)?;
        match (coding, bytes) {
            (CONSTANT, [byte]) => column.constant |= u64::from(*byte) << (8 * plane),
            _ => column.varying.push((coding, bytes, 8 * u32::from(plane))),
        }
        stored = rest;
    }
    if !stored.is_empty() {
        return miss(stored, "the end of the column", format!("{} more bytes", stored.len()));
    }
    Ok((stored, column))
}

/// Replaces differences by numbers, starting from `sum`, which becomes the last number. Returns the bits that occur in
/// any number.
fn add_up<P: ValueCell>(cells: &mut [P], sum: &mut u64, zigzag: bool) -> u64 {
    let mut used = 0;
    for cell in cells {
        *sum = add_delta(*sum, cell.number(), zigzag);
        used |= *sum;
        *cell = P::from_number(*sum);
    }
    used
}

/// Combines numbers from their constant bits and the varying planes with their shifts. Up to three planes are combined
/// per pass.
fn join_planes<P: ValueCell>(constant: u64, planes: &[(&[u8], u32)], cells: &mut [P]) {
    let at = |byte: &u8, shift: u32| u64::from(*byte) << shift;
    match *planes {
        [] => cells.fill(P::from_number(constant)),
        [(a, s)] => cells.iter_mut().zip(a).for_each(|(cell, a)| *cell = P::from_number(constant | at(a, s))),
        [(a, s), (b, t)] => {
            let cells = cells.iter_mut().zip(a).zip(b);
            cells.for_each(|((cell, a), b)| *cell = P::from_number(constant | at(a, s) | at(b, t)));
        }
        [(a, s), (b, t), (c, u), ref rest @ ..] => {
            let three = cells.iter_mut().zip(a).zip(b).zip(c);
            three.for_each(|(((cell, a), b), c)| *cell = P::from_number(constant | at(a, s) | at(b, t) | at(c, u)));
            for (plane, shift) in rest {
                let cells = cells.iter_mut().zip(*plane);
                cells.for_each(|(cell, byte)| *cell = P::from_number(cell.number() | at(byte, *shift)));
            }
        }
    }
}

/// Max of the packed positions, padding after the last one included.
fn max_position(packed: &[u8], bits: u32) -> u8 {
    let mask = (u16::MAX >> (16 - bits)) as u8;
    let highest = |shift| packed.iter().fold(0, |highest: u8, byte| highest.max((byte >> shift) & mask));
    (0..8).step_by(bits as usize).map(highest).max().unwrap_or_default()
}

/// Decodes packed positions of `BITS` bits each.
fn look_up<const BITS: u32, P: ValueCell>(packed: &[u8], table: &[P; DICTIONARY_VALUES], cells: &mut [P]) {
    let mask = (u16::MAX >> (16 - BITS)) as u8;
    for (cells, byte) in cells.chunks_mut(8 / BITS as usize).zip(packed) {
        let mut byte = u32::from(*byte);
        for cell in cells {
            *cell = table[usize::from(byte as u8 & mask)];
            byte >>= BITS;
        }
    }
}
