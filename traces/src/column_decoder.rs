//! Reads columns, each value into as much room as it needs: a long list of small numbers takes no more than its rows.

use crate::column::{CHUNK, ENTRY_BYTES, position_bits};
use crate::parse::{Parsed, miss};
use crate::place::Place;
use crate::plane::{CONSTANT, PlaneDecoder};
use crate::transform::{DICTIONARY_VALUES, add_delta};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32, le_u64};

/// A column with more values is read a plane at a time, for which there is room.
const LONG: usize = 1 << 20;

/// Reads columns.
pub(crate) struct ColumnDecoder {
    planes: PlaneDecoder,
    plane: Vec<u8>,
    chunk: Vec<u64>,
}

/// What a column of planes consists of.
struct Planes<'a> {
    /// The number before the first, and whether differences have their sign in the lowest bit; none of plain numbers.
    deltas: Option<(u64, bool)>,
    /// Bits of the planes that are the same in all numbers.
    constant: u64,
    /// The other planes: coding, bytes, shift.
    varying: Vec<(u8, &'a [u8], u32)>,
}

impl Planes<'_> {
    /// Whether no number of the planes is wider than so many bits.
    fn are_within(&self, mask: u64) -> bool {
        self.constant & !mask == 0 && self.varying.iter().all(|(_, _, shift)| mask >> shift & 0xff != 0)
    }
}

impl ColumnDecoder {
    pub fn new() -> Self {
        Self { planes: PlaneDecoder::new(), plane: Vec::new(), chunk: vec![0; CHUNK] }
    }

    /// Reads a column of `len` bytes, which the caller has checked against the limits, into `out`.
    pub fn bytes<'a>(&mut self, input: &'a [u8], len: usize, out: &mut Vec<u8>) -> Parsed<'a, ()> {
        let (stored, coding) = le_u8(input)?;
        out.resize(len, 0);
        self.planes.read(coding, stored, out)
    }

    /// Reads a column of as many numbers as there are places, which the caller has checked against the limits. `fits` is what is
    /// expected of each number: that there is room for it.
    pub fn numbers<'a, P: Place>(&mut self, input: &'a [u8], places: &mut [P], fits: &'static str) -> Parsed<'a, ()> {
        let end = &input[input.len()..];
        let (rest, (transform, count)) = (le_u8, le_u8).parse(input)?;
        if count == 0 || count > 8 {
            return miss(&input[1..], "1 to 8 planes", count);
        }
        let (_, fit) = match transform {
            0 => self.join(planes(rest, count, None)?, places)?,
            1 | 2 => {
                let (rest, base) = le_u64(rest)?;
                self.join(planes(rest, count, Some((base, transform == 2)))?, places)?
            }
            3 if count == 1 => self.look_up(rest, places)?,
            3 => return miss(&input[1..], "1 plane of positions", count),
            _ => return miss(input, "a transform from 0 to 3", transform),
        };
        if fit { Ok((end, ())) } else { miss(input, fits, "a wider one") }
    }

    /// Puts numbers together from their planes; `false` if there is no room for one.
    fn join<'a, P: Place>(&mut self, (end, column): (&'a [u8], Planes<'a>), places: &mut [P]) -> Parsed<'a, bool> {
        let fits = column.are_within(P::MASK);
        if places.len() > LONG {
            if fits || column.deltas.is_none() {
                return self.join_long((end, &column), places);
            }
            // Differences that are wider than the numbers: the only columns that take more room than these.
            let mut words = vec![0u64; places.len()];
            self.join_long((end, &column), &mut words)?;
            places.iter_mut().zip(&words).for_each(|(place, word)| *place = P::of(*word));
            return Ok((end, words.iter().all(|word| word & !P::MASK == 0)));
        }
        let len = places.len();
        self.plane.resize(column.varying.len() * len, 0);
        for ((coding, bytes, _), plane) in column.varying.iter().zip(self.plane.chunks_exact_mut(len.max(1))) {
            self.planes.read(*coding, bytes, plane)?;
        }
        let (mut sum, zigzag) = column.deltas.unwrap_or_default();
        let mut used = 0;
        for (places, start) in places.chunks_mut(CHUNK).zip((0..len).step_by(CHUNK)) {
            let planes = column.varying.iter().zip(self.plane.chunks_exact(len));
            let planes: Vec<(&[u8], u32)> =
                planes.map(|((_, _, shift), plane)| (&plane[start..start + places.len()], *shift)).collect();
            if fits && column.deltas.is_none() {
                join_planes(column.constant, &planes, places);
            } else if fits && P::BYTES == 8 {
                join_planes(column.constant, &planes, places);
                add_up(places, &mut sum, zigzag);
            } else {
                let chunk = &mut self.chunk[..places.len()];
                join_planes(column.constant, &planes, chunk);
                if column.deltas.is_some() {
                    add_up(chunk, &mut sum, zigzag);
                }
                used = chunk.iter().fold(used, |used, number| used | number);
                places.iter_mut().zip(chunk).for_each(|(place, number)| *place = P::of(*number));
            }
        }
        Ok((end, used & !P::MASK == 0))
    }

    /// The same of a long column: one plane after another.
    fn join_long<'a, P: Place>(
        &mut self,
        (end, column): (&'a [u8], &Planes<'a>),
        places: &mut [P],
    ) -> Parsed<'a, bool> {
        let mut fits = column.constant & !P::MASK == 0;
        places.fill(P::of(column.constant));
        self.plane.resize(places.len(), 0);
        for (coding, bytes, shift) in &column.varying {
            self.planes.read(*coding, bytes, &mut self.plane)?;
            if P::MASK >> shift & 0xff == 0 {
                fits &= self.plane.iter().all(|byte| *byte == 0);
                continue;
            }
            for (place, byte) in places.iter_mut().zip(&self.plane) {
                *place = P::of(place.number() | u64::from(*byte) << shift);
            }
        }
        if let Some((mut sum, zigzag)) = column.deltas {
            fits &= add_up(places, &mut sum, zigzag) & !P::MASK == 0;
        }
        Ok((end, fits))
    }

    /// Looks positions up in the column's dictionary; `false` if there is no room for one of its numbers.
    fn look_up<'a, P: Place>(&mut self, input: &'a [u8], places: &mut [P]) -> Parsed<'a, bool> {
        let (mut rest, entries) = le_u16(input)?;
        if entries == 0 || usize::from(entries) > DICTIONARY_VALUES {
            return miss(input, "1 to 256 entries", entries);
        }
        let (mut table, mut used) = ([P::of(0); DICTIONARY_VALUES], 0);
        for place in &mut table[..usize::from(entries)] {
            let entry;
            (rest, entry) = le_u64(rest)?;
            *place = P::of(entry);
            used |= entry;
        }
        let (stored, (coding, length_bytes)) = (le_u8, le_u32).parse(rest)?;
        let (end, bytes) = take(length_bytes)(stored)?;
        if !end.is_empty() {
            return miss(end, "the end of the column", format!("{} more bytes", end.len()));
        }
        let bits = position_bits(entries.into());
        self.plane.resize(places.len().div_ceil(8 / bits as usize), 0);
        self.planes.read(coding, bytes, &mut self.plane)?;
        let last = greatest_position(&self.plane, bits);
        if u16::from(last) >= entries {
            return miss(stored, format!("positions below {entries}"), last);
        }
        match bits {
            1 => look_up::<1, P>(&self.plane, &table, places),
            2 => look_up::<2, P>(&self.plane, &table, places),
            4 => look_up::<4, P>(&self.plane, &table, places),
            _ => look_up::<8, P>(&self.plane, &table, places),
        }
        Ok((end, used & !P::MASK == 0))
    }
}

/// Reads the entries of `count` planes and finds their bytes, which end the column.
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

/// Makes numbers of differences, the first from `sum`, which becomes the last. Gives the bits that occur in any.
fn add_up<P: Place>(places: &mut [P], sum: &mut u64, zigzag: bool) -> u64 {
    let mut used = 0;
    for place in places {
        *sum = add_delta(*sum, place.number(), zigzag);
        used |= *sum;
        *place = P::of(*sum);
    }
    used
}

/// Puts numbers together from their constant bits and the planes that vary, each with its shift. Several planes at
/// once, as far as that is quicker.
fn join_planes<P: Place>(constant: u64, planes: &[(&[u8], u32)], places: &mut [P]) {
    let at = |byte: &u8, shift: u32| u64::from(*byte) << shift;
    match *planes {
        [] => places.fill(P::of(constant)),
        [(a, s)] => places.iter_mut().zip(a).for_each(|(place, a)| *place = P::of(constant | at(a, s))),
        [(a, s), (b, t)] => {
            let places = places.iter_mut().zip(a).zip(b);
            places.for_each(|((place, a), b)| *place = P::of(constant | at(a, s) | at(b, t)));
        }
        [(a, s), (b, t), (c, u), ref rest @ ..] => {
            let three = places.iter_mut().zip(a).zip(b).zip(c);
            three.for_each(|(((place, a), b), c)| *place = P::of(constant | at(a, s) | at(b, t) | at(c, u)));
            for (plane, shift) in rest {
                let places = places.iter_mut().zip(*plane);
                places.for_each(|(place, byte)| *place = P::of(place.number() | at(byte, *shift)));
            }
        }
    }
}

/// The greatest of packed positions, those behind the last one included.
fn greatest_position(packed: &[u8], bits: u32) -> u8 {
    let mask = (u16::MAX >> (16 - bits)) as u8;
    let greatest = |shift| packed.iter().fold(0, |greatest: u8, byte| greatest.max((byte >> shift) & mask));
    (0..8).step_by(bits as usize).map(greatest).max().unwrap_or_default()
}

/// Looks packed positions of `BITS` each up.
fn look_up<const BITS: u32, P: Place>(packed: &[u8], table: &[P; DICTIONARY_VALUES], places: &mut [P]) {
    let mask = (u16::MAX >> (16 - BITS)) as u8;
    for (places, byte) in places.chunks_mut(8 / BITS as usize).zip(packed) {
        let mut byte = u32::from(*byte);
        for place in places {
            *place = table[usize::from(byte as u8 & mask)];
            byte >>= BITS;
        }
    }
}
