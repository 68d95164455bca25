//! A live handle, and the accesses to its memory.

use super::context_scaling::ProjectedContexts;
use super::context_state::ContextState;
use crate::events::At;
use taut_schemas::{DriverHandle, HandleAccess, HandleType};

/// Size of the words by which accesses are counted.
const WORD_BYTES: u64 = 8;
/// Max counted words per handle (8 KiB). Bytes after them are in neither the unwritten nor the cold bytes.
const WORDS: u64 = 1 << 10;
/// Bit of a word that was written after the handle's creation. The other bits count its accesses.
const WRITTEN: u32 = 1 << 31;
/// A word is cold if it has less than 1 / `RARELY` of the accesses of the handle's most accessed word.
const RARELY: u64 = 8;

/// An access to the immediate context's memory that was checked: true for a deferred context, true for a write, offset,
/// size.
pub(super) type CheckedAccess = (bool, bool, u64, u32);

/// A handle at its destruction, or at the end of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandleRecord {
    /// Id of the context.
    pub context: u64,
    /// True if the context is an immediate one.
    pub is_immediate: bool,
    pub handle_type: HandleType,
    /// Address of the handle.
    pub handle: u64,
    pub size_bytes: u64,
    /// The object's handle of the immediate context, which may be this one.
    pub ic_handle: u64,
    /// Handle that this handle depends on; 0 without a dependency.
    pub dependency: u64,
    /// True if its memory was another handle's before, in the same context.
    pub recycled: bool,
    /// Stamp of the return of the call that created it, and the thread.
    pub created: (u64, u32),
    /// Stamp of the return of the call that destroyed the handle; `None` if the handle exists at the end of the trace.
    pub destroyed: Option<u64>,
    /// Number of reads and writes.
    pub accesses: (u64, u64),
}

/// A live handle.
#[derive(Debug)]
pub(super) struct LiveHandle {
    /// Index of the context.
    pub owner: u32,
    pub handle_type: HandleType,
    pub size_bytes: u64,
    pub ic: u64,
    pub dependency: u64,
    pub recycled: bool,
    pub created: At,
    /// Numbers of reads and writes.
    pub accesses: (u64, u64),
    /// End of the accessed bytes.
    pub reach_bytes: u64,
    words: Vec<u32>,
    /// State of the object, for a handle of the immediate context.
    pub object: Option<Box<LiveObject>>,
}

/// An object, stored with its handle of the immediate context.
#[derive(Debug, Default)]
pub(super) struct LiveObject {
    /// Number of deferred contexts that have it open.
    pub open: u64,
    /// Openings in deferred contexts; those in the recording after one that had it open, too, and their bytes.
    pub opened: u64,
    pub reopened: u64,
    pub reopened_bytes: u64,
    /// Indices of the deferred contexts that have had it open.
    pub known_in: Vec<u32>,
    /// Contexts that would open it in the projection to other numbers of contexts.
    pub projected: ProjectedContexts,
    /// The last access that the rules checked and that broke none: at most one.
    checked: Vec<CheckedAccess>,
}

impl LiveObject {
    /// True if the rules have to check an access. A repeated access breaks no rule, unless another one was checked in
    /// between.
    pub fn is_new(&mut self, checked: CheckedAccess) -> bool {
        if self.checked.contains(&checked) {
            return false;
        }
        self.checked.clear();
        true
    }

    /// Stores an access that was checked and broke no rule.
    pub fn checked(&mut self, checked: CheckedAccess) {
        self.checked.push(checked);
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

    /// True if an access is within the handle's memory.
    pub fn holds(&self, access: &HandleAccess) -> bool {
        let end = access.offset_bytes.checked_add(access.size_bytes.into());
        end.is_some_and(|end| end <= self.size_bytes)
    }

    /// Counts an access. Returns true if an earlier access wrote one of its words after the creation. Writes with
    /// `leaves_words` do not count as such: those of the creating call, and a deferred context's to that of the immediate
    /// context's handle.
    pub fn touch(&mut self, access: &HandleAccess, leaves_words: bool) -> bool {
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
            // The count saturates below the flag bit.
            if *word & !WRITTEN < !WRITTEN {
                *word += 1;
            }
            if access.is_write && !leaves_words {
                *word |= WRITTEN;
            }
        }
        is_mutable
    }

    /// Bytes of words, without those after the handle's end.
    fn bytes_of(&self, is: impl Fn(usize, u32) -> bool) -> u64 {
        let bytes = |word: usize| WORD_BYTES.min(self.size_bytes - word as u64 * WORD_BYTES);
        self.words.iter().enumerate().filter(|(place, word)| is(*place, **word)).map(|(place, _)| bytes(place)).sum()
    }

    /// Bytes of the first [`WORDS`] words that were not written after the creation; the whole size without any access.
    pub fn unwritten_bytes(&self) -> u64 {
        match self.words.is_empty() {
            true => self.size_bytes,
            false => self.bytes_of(|_, word| word & WRITTEN == 0),
        }
    }

    /// Bytes after the first cache line that are cold, in comparison with the word accessed most.
    pub fn cold_bytes(&self, line_bytes: u64) -> u64 {
        let max = self.words.iter().map(|word| u64::from(word & !WRITTEN)).max().unwrap_or_default();
        let beyond = (line_bytes / WORD_BYTES) as usize;
        self.bytes_of(|place, word| place >= beyond && u64::from(word & !WRITTEN) * RARELY < max)
    }

    /// Converts the handle to a record.
    pub fn record(&self, handle: DriverHandle, owner: &ContextState, destroyed: Option<u64>) -> HandleRecord {
        HandleRecord {
            context: owner.id,
            is_immediate: owner.is_immediate,
            handle_type: self.handle_type,
            handle: handle.0,
            size_bytes: self.size_bytes,
            ic_handle: if owner.is_immediate { handle.0 } else { self.ic },
            dependency: self.dependency,
            recycled: self.recycled,
            created: (self.created.stamp, self.created.thread),
            destroyed,
            accesses: self.accesses,
        }
    }
}
