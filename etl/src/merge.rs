//! Merge of the processors' buffers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Range;

use crate::buffer::{BufferHeader, Compression, HEADER_BYTES};
use crate::damage::DamageList;
use crate::file::{BufferPlace, Etl};
use crate::record::{Defect, Record};
use crate::xpress;

/// ETW's own limit of a buffer.
const MAX_BUFFER_BYTES: usize = 16 << 20;
/// Decompressed buffers in memory at a time, one per processor. A server of 256 processors with buffers of 1 MiB fits.
const MAX_RESIDENT_BYTES: usize = 512 << 20;

/// Content of a buffer beyond `RATIO_FREE_BYTES`, per byte on disk. XPRESS itself has no limit: without one, a small
/// file takes hours.
const MAX_RATIO: usize = 1_000;
/// A buffer of the usual size may have any ratio.
const RATIO_FREE_BYTES: usize = 64 << 10;

/// Records of a file in the order of (tick, processor, position).
pub struct Events<'a> {
    file: &'a Etl,
    cursors: Vec<Cursor<'a>>,
    /// Ticks of the cursors at a record, without the current one.
    heap: BinaryHeap<Reverse<(i64, usize)>>,
    /// Cursor of the record that the last call returned. It advances at the next call.
    current: Option<usize>,
    resident_bytes: usize,
    damage: DamageList,
}

impl Etl {
    /// All records, in the order of (tick, processor, position).
    pub fn events(&self) -> Events<'_> {
        Events::new(self)
    }
}

/// Position within one processor's buffers.
struct Cursor<'a> {
    processor: u16,
    buffers: std::slice::Iter<'a, BufferPlace>,
    content: Content<'a>,
    /// Offset of the current buffer in the file.
    offset: u64,
    next: usize,
    /// The record before `next`, without its slices.
    record: Record<'static>,
    payload: Range<usize>,
    items: Range<usize>,
}

impl Cursor<'_> {
    /// The record before `next`.
    #[inline]
    fn record(&self) -> Record<'_> {
        let content = self.content.as_slice();
        let slice = |range: &Range<usize>| content.get(range.clone()).unwrap_or_default();
        Record { payload: slice(&self.payload), items: slice(&self.items), ..self.record }
    }
}

enum Content<'a> {
    Mapped(&'a [u8]),
    Decompressed(Vec<u8>),
}

impl Content<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Decompressed(bytes) => bytes,
        }
    }
}

impl<'a> Events<'a> {
    fn new(file: &'a Etl) -> Self {
        let cursors = file.processors().iter().map(|(processor, buffers)| Cursor {
            processor: *processor,
            buffers: buffers.iter(),
            content: Content::Mapped(&[]),
            offset: 0,
            next: 0,
            record: Record::at(*processor, file.header().tick),
            payload: 0..0,
            items: 0..0,
        });
        let mut events = Self {
            file,
            cursors: cursors.collect(),
            heap: BinaryHeap::new(),
            current: None,
            resident_bytes: 0,
            damage: DamageList::default(),
        };
        for index in 0..events.cursors.len() {
            if let Some(tick) = events.advance(index) {
                events.heap.push(Reverse((tick, index)));
            }
        }
        events
    }

    /// Damage of the content of the buffers read so far.
    pub fn damage(&self) -> &DamageList {
        &self.damage
    }

    /// The next record. `None` at the end of the file.
    #[inline]
    pub fn next_record(&mut self) -> Option<Record<'_>> {
        let advanced = match self.current {
            Some(index) => self.advance(index).map(|tick| (tick, index)),
            None => None,
        };
        let index = self.first(advanced)?;
        self.current = Some(index);
        Some(self.cursors[index].record())
    }

    /// Cursor of the first record: `advanced`, which is not in the heap, or one of the heap, which it replaces there.
    #[inline]
    fn first(&mut self, advanced: Option<(i64, usize)>) -> Option<usize> {
        let top = self.heap.peek_mut();
        match (advanced, top) {
            (None, None) => {
                self.current = None;
                None
            }
            (None, Some(top)) => Some(PeekMut::pop(top).0.1),
            (Some((_, index)), None) => Some(index),
            // Mostly the processor's next record follows its previous one.
            (Some(own), Some(top)) if own < top.0 => Some(own.1),
            (Some(own), Some(mut top)) => Some(std::mem::replace(&mut *top, Reverse(own)).0.1),
        }
    }

    /// Moves a cursor to its next valid record and returns its tick. `None` after the last one.
    #[inline]
    fn advance(&mut self, index: usize) -> Option<i64> {
        loop {
            let cursor = &mut self.cursors[index];
            let at = cursor.next;
            let content = cursor.content.as_slice();
            let rest = content.get(at..).unwrap_or_default();
            if rest.len() < 8 || rest.starts_with(&[0xFF; 4]) {
                if !self.next_buffer(index) {
                    return None;
                }
                continue;
            }
            match Record::parse(rest, cursor.processor, cursor.record.tick) {
                Ok((record, size)) => {
                    let (start, end) = (at, at + size);
                    // The payload ends where the record does, and the items end where the payload starts.
                    cursor.payload = end - record.payload.len()..end;
                    cursor.items = cursor.payload.start - record.items.len()..cursor.payload.start;
                    debug_assert!(cursor.items.start >= start);
                    cursor.record = Record { payload: &[], items: &[], ..record };
                    cursor.next = at + size.next_multiple_of(8);
                    return Some(cursor.record.tick);
                }
                Err(defect) => self.damaged(index, at, defect),
            }
        }
    }

    /// Reports a record that cannot be read. The rest of the buffer has no known start of a record.
    #[cold]
    fn damaged(&mut self, index: usize, at: usize, defect: Defect) {
        let cursor = &mut self.cursors[index];
        cursor.next = usize::MAX;
        let within = match cursor.content {
            Content::Mapped(_) => HEADER_BYTES + at,
            Content::Decompressed(_) => 0,
        };
        self.damage.push(cursor.offset + within as u64, defect.expected, defect.found);
    }

    /// Loads the cursor's next buffer. False at the last.
    fn next_buffer(&mut self, index: usize) -> bool {
        let cursor = &mut self.cursors[index];
        if let Content::Decompressed(bytes) = &cursor.content {
            self.resident_bytes -= bytes.len();
        }
        cursor.content = Content::Mapped(&[]);
        cursor.next = 0;
        let Some(place) = cursor.buffers.next() else { return false };
        cursor.offset = place.offset;
        let bytes = &self.file.bytes()[place.offset as usize..];
        // The walk over the headers has parsed this one.
        let Some(header) = BufferHeader::parse(bytes) else { return true };
        let bytes = &bytes[..(header.size_bytes as usize).min(bytes.len())];
        let Some(payload) = bytes.get(HEADER_BYTES..) else {
            self.damage.push(place.offset, "a whole buffer header", format!("{} bytes", bytes.len()));
            return true;
        };
        let content = if header.is_compressed() {
            self.decompressed(place.offset, &header, payload)
        } else {
            let end = header.offset as usize;
            if end > bytes.len() {
                self.damage.push(
                    place.offset + 0x30,
                    "an Offset inside the buffer",
                    format!("{end} of {}", bytes.len()),
                );
            }
            Some(Content::Mapped(bytes.get(HEADER_BYTES..end.min(bytes.len())).unwrap_or_default()))
        };
        if let Some(content) = content {
            self.cursors[index].content = content;
        }
        true
    }

    fn decompressed(&mut self, offset: u64, header: &BufferHeader, input: &[u8]) -> Option<Content<'a>> {
        if self.file.compression() != Some(Compression::Xpress) {
            let found = match self.file.compression() {
                Some(format) => format!("{} {format:?}", format.name()),
                None => "a compressed buffer in a file without the mode bit of compression".to_owned(),
            };
            self.damage.push(offset, "plain XPRESS, the only compression that is supported", found);
            return None;
        }
        let size = (header.saved_offset as usize).saturating_sub(HEADER_BYTES);
        let ratio_limit = RATIO_FREE_BYTES + input.len() * MAX_RATIO;
        let limit = MAX_BUFFER_BYTES.min(self.file.header().buffer_bytes as usize).min(ratio_limit);
        if size > limit || self.resident_bytes + size > MAX_RESIDENT_BYTES {
            let found = format!("{size} bytes of at most {limit}, with {} in use", self.resident_bytes);
            self.damage.push(offset + 4, "content no larger than a buffer, and 512 MiB of all processors", found);
            return None;
        }
        let mut output = vec![0; size];
        if let Err(error) = xpress::decompress(input, &mut output) {
            self.damage.push(offset, "a buffer that XPRESS decompresses to its size", error.to_string());
            return None;
        }
        self.resident_bytes += size;
        Some(Content::Decompressed(output))
    }
}
