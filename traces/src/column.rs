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
    fn of(mut numbers: impl Iterator<Item = u64>) -> Shape {
        let first = numbers.next().unwrap_or_default();
        let (used, varying) =
            numbers.fold((first, 0), |(used, varying), number| (used | number, varying | (number ^ first)));
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
        let plain = Shape::of(numbers.iter().copied());
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
                let changed = Shape::of(std::iter::once(0).chain(deltas(numbers, zigzag)));
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
                write_plane(&mut self.coder, &self.dictionary.positions, entry_at, out);
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
                append_plane(chunk, index, plane);
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

/// Appends byte `index` of each number to `plane`.
fn append_plane(numbers: &[u64], index: usize, plane: &mut Vec<u8>) {
    // By way of 32 bits and in sixteens: baseline vector instructions narrow quickest from there.
    let (half, shift) = (32 * (index / 4), 8 * (index % 4));
    let byte = |number: u64| ((number >> half) as u32 >> shift) as u8;
    let start = plane.len();
    plane.resize(start + numbers.len(), 0);
    let (numbers, numbers_left) = numbers.as_chunks::<16>();
    let (places, places_left) = plane[start..].as_chunks_mut::<16>();
    if half == 0 {
        for (places, numbers) in places.iter_mut().zip(numbers) {
            (0..16).for_each(|at| places[at] = (numbers[at] as u32 >> shift) as u8);
        }
    } else {
        for (places, numbers) in places.iter_mut().zip(numbers) {
            (0..16).for_each(|at| places[at] = byte(numbers[at]));
        }
    }
    places_left.iter_mut().zip(numbers_left).for_each(|(place, number)| *place = byte(*number));
}

/// Appends one plane and fills its entry.
fn write_plane(coder: &mut PlaneEncoder, plane: &[u8], entry_at: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out[entry_at] = coder.write(plane, out);
    let length_bytes = (out.len() - start) as u32;
    out[entry_at + 1..entry_at + ENTRY_BYTES].copy_from_slice(&length_bytes.to_le_bytes());
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
        out.resize(len, constant);
        for (chunk, start) in out.chunks_mut(CHUNK).zip((0..len).step_by(CHUNK)) {
            for ((_, _, shift), plane) in varying.iter().zip(self.plane.chunks_exact(len)) {
                let plane = &plane[start..start + chunk.len()];
                chunk.iter_mut().zip(plane).for_each(|(number, byte)| *number |= u64::from(*byte) << shift);
            }
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
