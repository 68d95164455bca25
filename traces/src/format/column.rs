//! Encoder of number columns: a transform, then byte planes of the transformed numbers. The decoder is
//! `column_decoder`.

use crate::format::plane::PlaneEncoder;
use crate::format::slot_column::SlotColumn;
use crate::format::transform::{Dictionary, Transform, TransformEstimate, deltas};

/// Size of a plane's entry in a column (coding, length), in bytes.
pub(crate) const ENTRY_BYTES: usize = 5;

/// Count of numbers processed at a time, so that they stay in the L1 cache from step to step.
pub(crate) const CHUNK: usize = 2048;

/// Bits that occur in a column.
#[derive(Debug, Clone, Copy)]
struct Shape {
    first: u64,
    /// Bits set in at least one number.
    used: u64,
    /// Bits that are set in some numbers and clear in others.
    varying: u64,
}

impl Shape {
    fn new(first: u64, numbers: impl Iterator<Item = u64>) -> Shape {
        let bits = |(used, varying), number| (used | number, varying | (number ^ first));
        let (used, varying) = numbers.fold((first, 0), bits);
        Shape { first, used, varying }
    }

    fn varies(self, plane: usize) -> bool {
        self.varying >> (8 * plane) & 0xff != 0
    }

    /// Number of planes up to the highest that has a bit set; at least one.
    fn planes(self) -> usize {
        (u64::BITS - self.used.leading_zeros()).div_ceil(8).max(1) as usize
    }
}

/// Encoder of columns.
pub(crate) struct ColumnEncoder {
    coder: PlaneEncoder,
    chooser: TransformEstimate,
    dictionary: Dictionary,
    chunk: Vec<u64>,
    /// Scratch buffer for the numbers of a slot.
    words: Vec<u64>,
    planes: [Vec<u8>; 8],
}

impl ColumnEncoder {
    pub fn new() -> Self {
        Self {
            coder: PlaneEncoder::new(),
            chooser: TransformEstimate::new(),
            dictionary: Dictionary::new(),
            chunk: Vec::new(),
            words: Vec::new(),
            planes: Default::default(),
        }
    }

    /// Appends a column of bytes.
    pub fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let coding_at = out.len();
        out.push(0);
        out[coding_at] = self.coder.write(bytes, out);
    }

    /// Appends the numbers of a slot.
    pub fn slot(&mut self, column: &SlotColumn, out: &mut Vec<u8>) {
        let mut words = std::mem::take(&mut self.words);
        self.numbers(column.widened(&mut words), out);
        self.words = words;
    }

    /// Appends a column of numbers.
    pub fn numbers(&mut self, numbers: &[u64], out: &mut Vec<u8>) {
        let Some(first) = numbers.first() else { return };
        let plain = Shape::new(*first, numbers.iter().copied());
        let transform = self.transform(numbers, plain);
        out.push(transform as u8);
        match transform {
            Transform::Plain => {
                out.push(plain.planes() as u8);
                self.split(numbers, plain, transform, out);
            }
            Transform::Delta | Transform::Zigzag => {
                let zigzag = transform == Transform::Zigzag;
                // The base is the first number, so the first difference is 0.
                let changed = Shape::new(0, deltas(numbers, zigzag));
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

    /// Appends the entries and bytes of the planes; their count has been written. `shape` is the shape of the
    /// transformed numbers.
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

/// Appends the byte at `shift` of each number's upper or lower half to `plane`.
///
/// Goes through 32-bit halves in groups of 16, from which baseline vector instructions narrow fastest.
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

/// Size of a position among `entries` dictionary entries, in bits.
pub(crate) fn position_bits(entries: usize) -> u32 {
    match entries {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    }
}

/// Packs positions of `bits` bits each into bytes, the first into the lowest bits.
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
