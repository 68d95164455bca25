//! Bytes behind the addresses that Map gives out.
//!
//! The runtime only decides addresses: they are the same in every recording of the same calls, and nothing lies there. A
//! front end whose program writes through them keeps the bytes itself. It may reserve a run of its own address space as
//! large as the adapter's and take an address's place in it, or use [`Pages`].

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_runtime::CpuRange;
use taut_schemas::CpuAddress;
use thiserror::Error;

/// Who keeps the bytes behind a session's addresses. Ranges of resources that share memory overlap, and have the same bytes
/// where they do.
///
/// Each is told under the locks of the call that brings it about, so in the order of these calls, whichever threads make
/// them: a range is released before its addresses are given out again. So nothing here may call the session.
pub trait Memory: Send + Sync {
    /// The resource at this range is mapped, perhaps once more: until the Unmap its bytes can be read and written.
    fn map(&self, range: CpuRange);

    /// One Map of it is undone. Its bytes stay.
    fn unmap(&self, range: CpuRange);

    /// This memory is gone, and its bytes with it: a committed resource's, or a heap's and of all that lay in it. Some of
    /// it may still be mapped, and much of it has never been.
    fn release(&self, range: CpuRange);
}

/// Bytes that are not mapped, or not all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("address 0x{:x}: expected {size_bytes} bytes that are mapped", address.0)]
pub struct NotMapped {
    /// The first.
    pub address: CpuAddress,
    /// How many.
    pub size_bytes: u64,
}

/// What the addresses' own pages hold, in bytes: what is released never shares one with what is not.
const PAGE_BYTES: u64 = 4096;

/// Bytes in this process, a page at a time as they are written; 0 until then. Every access looks its bytes up, under a
/// lock: a program that only wants to see what it wrote needs no more, and what is not mapped is refused.
#[derive(Debug, Default)]
pub struct Pages {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How often each range is mapped, by first byte and end.
    mapped: BTreeMap<(u64, u64), u32>,
    /// By number.
    pages: BTreeMap<u64, Box<[u8]>>,
}

impl Pages {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is whole by the time the lock is given up.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what lies at an address.
    ///
    /// # Errors
    /// No resource that is mapped has all of these bytes.
    pub fn read(&self, address: CpuAddress, bytes: &mut [u8]) -> Result<(), NotMapped> {
        let state = self.state();
        state.check(address, bytes.len())?;
        for (page, at, part) in parts(address, bytes.len()) {
            match state.pages.get(&page) {
                Some(page) => bytes[part.clone()].copy_from_slice(&page[at..at + part.len()]),
                None => bytes[part].fill(0),
            }
        }
        Ok(())
    }

    /// Writes to an address.
    ///
    /// # Errors
    /// No resource that is mapped has all of these bytes; none is written.
    pub fn write(&self, address: CpuAddress, bytes: &[u8]) -> Result<(), NotMapped> {
        let mut state = self.state();
        state.check(address, bytes.len())?;
        for (page, at, part) in parts(address, bytes.len()) {
            let page = state.pages.entry(page).or_insert_with(|| vec![0; PAGE_BYTES as usize].into());
            page[at..at + part.len()].copy_from_slice(&bytes[part]);
        }
        Ok(())
    }

    /// How many bytes are kept.
    pub fn size_bytes(&self) -> u64 {
        self.state().pages.len() as u64 * PAGE_BYTES
    }
}

impl State {
    fn check(&self, address: CpuAddress, len: usize) -> Result<(), NotMapped> {
        let (first, size_bytes) = (address.0, len as u64);
        let end = first.checked_add(size_bytes);
        let before = self.mapped.range(..=(first, u64::MAX)).rev();
        let covers = |end: u64| before.map(|((_, mapped), _)| *mapped).any(|mapped| end <= mapped);
        if end.is_some_and(covers) { Ok(()) } else { Err(NotMapped { address, size_bytes }) }
    }
}

/// The pages of so many bytes from an address on: each one's number, where in it they begin, and which of them lie there.
fn parts(address: CpuAddress, len: usize) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let next = address.0 + done as u64;
        let at = (next % PAGE_BYTES) as usize;
        let part = done..len.min(done + PAGE_BYTES as usize - at);
        done = part.end;
        (!part.is_empty()).then_some((next / PAGE_BYTES, at, part))
    })
}

fn key(range: CpuRange) -> (u64, u64) {
    (range.address.0, range.address.0.saturating_add(range.size_bytes))
}

impl Memory for Pages {
    fn map(&self, range: CpuRange) {
        *self.state().mapped.entry(key(range)).or_default() += 1;
    }

    fn unmap(&self, range: CpuRange) {
        let mut state = self.state();
        if let Some(count) = state.mapped.get_mut(&key(range)) {
            *count -= 1;
            if *count == 0 {
                state.mapped.remove(&key(range));
            }
        }
    }

    fn release(&self, range: CpuRange) {
        let ((first, end), mut state) = (key(range), self.state());
        let of_pages = first / PAGE_BYTES..end.div_ceil(PAGE_BYTES);
        let gone: Vec<u64> = state.pages.range(of_pages).map(|(page, _)| *page).collect();
        for page in gone {
            state.pages.remove(&page);
        }
        let gone: Vec<(u64, u64)> = state.mapped.range((first, 0)..(end, 0)).map(|(range, _)| *range).collect();
        for range in gone {
            state.mapped.remove(&range);
        }
    }
}
