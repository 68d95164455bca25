//! Columns of numbers: a transform, and byte planes of what it makes of them. Writer and reader side by side.

use crate::parse::{Parsed, miss};
use crate::plane::{CONSTANT, PlaneDecoder, PlaneEncoder};
use crate::transform::{Chooser, DICTIONARY_VALUES, Dictionary, Transform, deltas, sums};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32, le_u64};

/// Size of a plane's entry in a column, in bytes: coding, length.
const ENTRY_BYTES: usize = 5;

/// Numbers worked on at a time, so that they stay in the first-level cache from step to step.
const CHUNK: usize = 2048;

/// Which bits occur in a column.
#[derive(Debug, Clone, Copy)]
struct Shape {
    first: u64,
    /// Set in some number.
    used: u64,
    /// Set in some numbers and not in others.
    varying: u64,
}

impl Shape {
    fn of(first: u64, numbers: impl Iterator<Item = u64>) -> Shape {
        let bits = |(used, varying), number| (used | number, varying | (number ^ first));
        let (used, varying) = numbers.fold((first, 0), bits);
        Shape { first, used, varying }
    }

    fn varies(self, plane: usize) -> bool {
        self.varying >> (8 * plane) & 0xff != 0
    }

    /// Planes up to the highest with a bit in it; at least one.
    fn planes(self) -> usize {
        (u64::BITS - self.used.leading_zeros()).div_ceil(8).max(1) as usize
    }
}

/// Writes columns.
pub(crate) struct ColumnEncoder {
    coder: PlaneEncoder,
    chooser: Chooser,
    dictionary: Dictionary,
    chunk: Vec<u64>,
    planes: [Vec<u8>; 8],
}

impl ColumnEncoder {
    pub fn new() -> Self {
        Self {
            coder: PlaneEncoder::new(),
            chooser: Chooser::new(),
            dictionary: Dictionary::new(),
            chunk: Vec::new(),
            planes: Default::default(),
        }
    }

    /// Appends a column of bytes.
    pub fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let coding_at = out.len();
        out.push(0);
        out[coding_at] = self.coder.write(bytes, out);
    }

    /// Appends a column of numbers.
    pub fn numbers(&mut self, numbers: &[u64], out: &mut Vec<u8>) {
        let Some(first) = numbers.first() else { return };
        let plain = Shape::of(*first, numbers.iter().copied());
        let transform = self.transform(numbers, plain);
        out.push(transform as u8);
        match transform {
            Transform::Plain => {
                out.push(plain.planes() as u8);
                self.split(numbers, plain, transform, out);
            }
            Transform::Delta | Transform::Zigzag => {
                let zigzag = transform == Transform::Zigzag;
                // The first difference is 0: the base is the first number.
                let changed = Shape::of(0, deltas(numbers, zigzag));
                out.push(changed.planes() as u8);
                out.extend_from_slice(&first.to_le_bytes());
                self.split(numbers, changed, transform, out);
            }
            Transform::Dictionary => {
                out.push(1);
                out.extend_from_slice(&(self.dictionary.entries.len() as u16).to_le_bytes());
                self.dictionary.entries.iter().for_each(|entry| out.extend_from_slice(&entry.to_le_bytes()));
                let entry_at = out.len();
                out.extend_from_slice(&[0; ENTRY_BYTES]);
                let plane = &mut self.planes[0];
                pack(&self.dictionary.positions, position_bits(self.dictionary.entries.len()), plane);
                write_plane(&mut self.coder, plane, entry_at, out);
            }
        }
    }

    fn transform(&mut self, numbers: &[u64], plain: Shape) -> Transform {
        match (0..8).filter(|plane| plain.varies(*plane)).count() {
            0 => Transform::Plain,
            1 => self.chooser.choose(numbers, None),
            _ => {
                let few = self.dictionary.build(numbers);
                self.chooser.choose(numbers, few.then_some(&self.dictionary))
            }
        }
    }

    /// Appends the entries and bytes of the planes; their number has been written. `shape` is that of the numbers
    /// after the transform.
    fn split(&mut self, numbers: &[u64], shape: Shape, transform: Transform, out: &mut Vec<u8>) {
        self.planes.iter_mut().for_each(Vec::clear);
        for start in (0..numbers.len()).step_by(CHUNK) {
            let end = (start + CHUNK).min(numbers.len());
            let chunk = match transform {
                Transform::Delta | Transform::Zigzag => {
                    self.chunk.clear();
                    self.chunk.extend((start == 0).then_some(0));
                    self.chunk.extend(deltas(&numbers[start.saturating_sub(1)..end], transform == Transform::Zigzag));
                    &self.chunk
                }
                Transform::Plain | Transform::Dictionary => &numbers[start..end],
            };
            for (index, plane) in self.planes.iter_mut().enumerate().filter(|(index, _)| shape.varies(*index)) {
                let shift = 8 * (index as u32 % 4);
                if index < 4 {
                    append_plane::<false>(chunk, shift, plane);
                } else {
                    append_plane::<true>(chunk, shift, plane);
                }
            }
        }
        let entries_at = out.len();
        out.resize(entries_at + shape.planes() * ENTRY_BYTES, 0);
        for index in 0..shape.planes() {
            let constant = [(shape.first >> (8 * index)) as u8];
            let plane = if shape.varies(index) { self.planes[index].as_slice() } else { &constant };
            write_plane(&mut self.coder, plane, entries_at + index * ENTRY_BYTES, out);
        }
    }
}

/// Appends a byte of each number to `plane`: that at `shift` of its upper or lower half.
///
/// By way of 32 bits and in sixteens, because baseline vector instructions narrow quickest from there.
#[inline(never)]
fn append_plane<const UPPER: bool>(numbers: &[u64], shift: u32, plane: &mut Vec<u8>) {
    let half = |number: u64| if UPPER { (number >> 32) as u32 } else { number as u32 };
    let start = plane.len();
    plane.resize(start + numbers.len(), 0);
    let (numbers, numbers_left) = numbers.as_chunks::<16>();
    let (places, places_left) = plane[start..].as_chunks_mut::<16>();
    for (numbers, places) in numbers.iter().zip(places) {
        for at in 0..16 {
            places[at] = (half(numbers[at]) >> shift) as u8;
        }
    }
    for (number, place) in numbers_left.iter().zip(places_left) {
        *place = (half(*number) >> shift) as u8;
    }
}

/// Appends one plane and fills its entry.
fn write_plane(coder: &mut PlaneEncoder, plane: &[u8], entry_at: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out[entry_at] = coder.write(plane, out);
    let length_bytes = (out.len() - start) as u32;
    out[entry_at + 1..entry_at + ENTRY_BYTES].copy_from_slice(&length_bytes.to_le_bytes());
}

/// Puts numbers together from their constant bits and the planes that vary, each with its shift. Several planes at
/// once, as far as that is quicker.
fn join_planes(constant: u64, planes: &[(&[u8], u32)], numbers: &mut [u64]) {
    let at = |byte: &u8, shift: u32| u64::from(*byte) << shift;
    match *planes {
        [] => numbers.fill(constant),
        [(a, s)] => numbers.iter_mut().zip(a).for_each(|(number, a)| *number = constant | at(a, s)),
        [(a, s), (b, t)] => {
            numbers.iter_mut().zip(a).zip(b).for_each(|((number, a), b)| *number = constant | at(a, s) | at(b, t));
        }
        [(a, s), (b, t), (c, u), ref rest @ ..] => {
            let places = numbers.iter_mut().zip(a).zip(b).zip(c);
            places.for_each(|(((number, a), b), c)| *number = constant | at(a, s) | at(b, t) | at(c, u));
            for (plane, shift) in rest {
                numbers.iter_mut().zip(*plane).for_each(|(number, byte)| *number |= at(byte, *shift));
            }
        }
    }
}

/// Bits of a position among `entries`.
fn position_bits(entries: usize) -> u32 {
    match entries {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    }
}

/// Packs positions of `bits` each into bytes, the first into the lowest bits.
fn pack(positions: &[u8], bits: u32, out: &mut Vec<u8>) {
    out.clear();
    let join = |positions: &[u8]| {
        positions.iter().rev().fold(0u32, |byte, position| byte << bits | u32::from(*position)) as u8
    };
    match bits {
        1 => out.extend(positions.chunks(8).map(join)),
        2 => out.extend(positions.chunks(4).map(join)),
        4 => out.extend(positions.chunks(2).map(join)),
        _ => out.extend_from_slice(positions),
    }
}

/// The greatest of packed positions, those behind the last one included.
fn greatest_position(packed: &[u8], bits: u32) -> u8 {
    let mask = (u16::MAX >> (16 - bits)) as u8;
    let greatest = |shift| packed.iter().fold(0, |greatest: u8, byte| greatest.max((byte >> shift) & mask));
    (0..8).step_by(bits as usize).map(greatest).max().unwrap_or_default()
}

/// Looks packed positions of `BITS` each up.
fn look_up<const BITS: u32>(packed: &[u8], table: &[u64; DICTIONARY_VALUES], numbers: &mut [u64]) {
    let mask = (u16::MAX >> (16 - BITS)) as u8;
    for (places, byte) in numbers.chunks_mut(8 / BITS as usize).zip(packed) {
        let mut byte = u32::from(*byte);
        for place in places {
            *place = table[usize::from(byte as u8 & mask)];
            byte >>= BITS;
        }
    }
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
        self.plane.resize(varying.len() * len, 0);
        for ((coding, bytes, _), plane) in varying.iter().zip(self.plane.chunks_exact_mut(len.max(1))) {
            self.planes.read(*coding, bytes, plane)?;
        }
        out.resize(len, 0);
        for (chunk, start) in out.chunks_mut(CHUNK).zip((0..len).step_by(CHUNK)) {
            let planes = varying.iter().zip(self.plane.chunks_exact(len));
            let planes: Vec<(&[u8], u32)> =
                planes.map(|((_, _, shift), plane)| (&plane[start..start + chunk.len()], *shift)).collect();
            join_planes(constant, &planes, chunk);
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
        let bits = position_bits(entries.into());
        self.plane.resize(len.div_ceil(8 / bits as usize), 0);
        self.planes.read(coding, bytes, &mut self.plane)?;
        let last = greatest_position(&self.plane, bits);
        if u16::from(last) >= entries {
            return miss(stored, format!("positions below {entries}"), last);
        }
        out.resize(len, 0);
        match bits {
            1 => look_up::<1>(&self.plane, &table, out),
            2 => look_up::<2>(&self.plane, &table, out),
            4 => look_up::<4>(&self.plane, &table, out),
            _ => look_up::<8>(&self.plane, &table, out),
        }
        Ok((end, ()))
    }
}
