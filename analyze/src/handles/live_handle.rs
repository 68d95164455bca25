//! A handle that lives, and what was done to its memory.

use crate::event_reader::At;
use taut_schemas::{DriverHandle, HandleAccess, HandleType};

/// Accesses are counted by words of so many bytes.
const WORD_BYTES: u64 = 8;
/// Words that are told apart; what lies behind is not looked at.
const WORDS: u64 = 1 << 10;
/// Of a word: it was written after the handle's creation. The other bits count its accesses.
const WRITTEN: u32 = 1 << 31;
/// A word is rarely accessed if the most accessed one of the handle is so many times as often.
const RARELY: u64 = 8;

/// An access of the immediate context's memory that the rules have heard: by a deferred context, a write, its offset and size.
pub(super) type Heard = (bool, bool, u64, u32);

/// A handle, when it is gone or the trace ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandleRecord {
    /// Its context.
    pub context: u64,
    /// The context is an immediate one.
    pub is_immediate: bool,
    /// Its type.
    pub handle_type: HandleType,
    /// Its address.
    pub handle: u64,
    /// Bytes of its memory.
    pub size_bytes: u64,
    /// The object's handle of the immediate context: its own, if it is that.
    pub ic_handle: u64,
    /// The handle of what it depends on; 0 if of nothing.
    pub dependency: u64,
    /// Its memory was another handle's before, in the same context.
    pub recycled: bool,
    /// When the call that made it was over, and the thread.
    pub created: (u64, u32),
    /// When that which destroyed it was over; none if it lives at the end.
    pub destroyed: Option<u64>,
    /// How often its memory was read and written.
    pub accesses: (u64, u64),
}

/// A handle that lives.
#[derive(Debug)]
pub(super) struct LiveHandle {
    /// Place of its context.
    pub owner: u32,
    pub handle_type: HandleType,
    pub size_bytes: u64,
    pub ic: u64,
    pub dependency: u64,
    pub recycled: bool,
    pub created: At,
    /// Reads and writes.
    pub accesses: (u64, u64),
    /// Where what was accessed ends.
    pub reach_bytes: u64,
    words: Vec<u32>,
    /// Of a handle of the immediate context: what there is of its object.
    pub object: Option<Box<LiveObject>>,
}

/// An object, by its handle of the immediate context.
#[derive(Debug, Default)]
pub(super) struct LiveObject {
    /// Deferred contexts that have it open.
    pub open: u64,
    /// Bytes of its handles there.
    pub deferred_bytes: u64,
    /// Places of the deferred contexts that have had it open.
    pub known_in: Vec<u32>,
    /// In which contexts it would be, were the lists dealt anew.
    pub dealt: u32,
    /// What the rules have heard of its memory.
    heard: Vec<Heard>,
}

impl LiveObject {
    /// Whether the rules are to hear of an access. What they have heard before breaks none, unless they have heard something new
    /// since.
    pub fn is_new(&mut self, heard: Heard) -> bool {
        if self.heard.contains(&heard) {
            return false;
        }
        self.heard.clear();
        true
    }

    /// They have heard of it, and no rule is broken.
    pub fn heard(&mut self, heard: Heard) {
        self.heard.push(heard);
    }
}

impl LiveHandle {
    pub fn new(owner: u32, handle_type: HandleType, size_bytes: u64, created: At) -> LiveHandle {
        LiveHandle {
            owner,
            handle_type,
            size_bytes,
            ic: 0,
            dependency: 0,
            recycled: false,
            created,
            accesses: (0, 0),
            reach_bytes: 0,
            words: Vec::new(),
            object: None,
        }
    }

    /// Whether an access is one of its memory.
    pub fn holds(&self, access: &HandleAccess) -> bool {
        let end = access.offset_bytes.checked_add(access.size_bytes.into());
        end.is_some_and(|end| end <= self.size_bytes)
    }

    /// Counts an access, and says whether any of it was written since the handle's creation, of which it may be a part.
    pub fn touch(&mut self, access: &HandleAccess, is_creation: bool) -> bool {
        let count = if access.is_write { &mut self.accesses.1 } else { &mut self.accesses.0 };
        *count += 1;
        self.reach_bytes = self.reach_bytes.max(access.offset_bytes + u64::from(access.size_bytes));
        let words = self.size_bytes.div_ceil(WORD_BYTES).min(WORDS) as usize;
        if self.words.is_empty() {
            self.words = vec![0; words];
        }
        let first = access.offset_bytes / WORD_BYTES;
        let last = (access.offset_bytes + u64::from(access.size_bytes.max(1)) - 1) / WORD_BYTES;
        let mut is_mutable = false;
        for word in self.words.iter_mut().take(last as usize + 1).skip(first as usize) {
            is_mutable |= *word & WRITTEN != 0;
            if *word & !WRITTEN < !WRITTEN {
                *word += 1;
            }
            if access.is_write && !is_creation {
                *word |= WRITTEN;
            }
        }
        is_mutable
    }

    /// Bytes of words, without those behind the handle's end.
    fn bytes_of(&self, is: impl Fn(usize, u32) -> bool) -> u64 {
        let bytes = |word: usize| WORD_BYTES.min(self.size_bytes - word as u64 * WORD_BYTES);
        self.words.iter().enumerate().filter(|(place, word)| is(*place, **word)).map(|(place, _)| bytes(place)).sum()
    }

    /// Bytes that were not written since its creation.
    pub fn unwritten_bytes(&self) -> u64 {
        match self.words.is_empty() {
            true => self.size_bytes,
            false => self.bytes_of(|_, word| word & WRITTEN == 0),
        }
    }

    /// Bytes beyond the first line that are accessed rarely, compared with the word that is accessed most.
    pub fn cold_bytes(&self, line_bytes: u64) -> u64 {
        let most = self.words.iter().map(|word| u64::from(word & !WRITTEN)).max().unwrap_or_default();
        let beyond = (line_bytes / WORD_BYTES) as usize;
        self.bytes_of(|place, word| place >= beyond && u64::from(word & !WRITTEN) * RARELY < most)
    }

    /// It as a record.
    pub fn record(
        &self,
        handle: DriverHandle,
        (context, is_immediate): (u64, bool),
        destroyed: Option<u64>,
    ) -> HandleRecord {
        HandleRecord {
            context,
            is_immediate,
            handle_type: self.handle_type,
            handle: handle.0,
            size_bytes: self.size_bytes,
            ic_handle: if is_immediate { handle.0 } else { self.ic },
            dependency: self.dependency,
            recycled: self.recycled,
            created: (self.created.stamp, self.created.thread),
            destroyed,
            accesses: self.accesses,
        }
    }
}
