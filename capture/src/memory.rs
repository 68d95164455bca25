//! Storage for the addresses that Map returns.
//!
//! The runtime only assigns addresses: they are the same in every recording of the same calls and have no memory of
//! their own. A front end whose program writes through them stores the bytes itself. It may reserve a range of its own
//! address space as large as the adapter's and use the same offsets in it, or use [`Pages`].

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_runtime::CpuRange;
use taut_schemas::CpuAddress;
use thiserror::Error;

/// Storage for a session's addresses. Ranges of resources that share memory overlap and must have the same bytes there.
///
/// Each method is called under the locks of the call that causes it, hence in the order of these calls, on any thread:
/// a range is released before its addresses are reused. Implementations must not call the session.
pub trait Memory: Send + Sync {
    /// Called when the range becomes the memory of a committed resource, or of a heap with all of its resources. A failed
    /// creation releases it again. The default allocates on use.
    fn allocate(&self, range: CpuRange) {
        let _ = range;
    }

    /// Called when the resource at this range is mapped, which can be nested: until the matching Unmap its bytes can be
    /// read and written.
    fn map(&self, range: CpuRange);

    /// Called when one Map of the range is undone. The bytes remain.
    fn unmap(&self, range: CpuRange);

    /// Called when the memory of a committed resource, or of a heap with all of its resources, is freed. Parts of it
    /// may still be mapped, and parts may never have been.
    fn release(&self, range: CpuRange);

    /// Reads bytes for a GPU command, mapped or not; bytes that were never written are 0. The default
    /// has no bytes. Called without locks, after the operation was taken and before it completes.
    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        let _ = address;
        bytes.fill(0);
    }

    /// Writes bytes for a GPU command, mapped or not. The default has no bytes. Called as
    /// [`load`](Self::load).
    fn store(&self, address: CpuAddress, bytes: &[u8]) {
        let _ = (address, bytes);
    }

    /// Copies bytes, if that takes less time than [`load`](Self::load) and [`store`](Self::store); false without an effect.
    fn copy(&self, dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> bool {
        let _ = (dst, src, size_bytes);
        false
    }

    /// Time of the GPU, for time stamp queries.
    fn timestamp(&self) -> u64 {
        0
    }
}

/// Error of accessing bytes that are not all mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("address 0x{:x}: expected {size_bytes} mapped bytes", address.0)]
pub struct NotMapped {
    /// Address of the first byte.
    pub address: CpuAddress,
    /// Number of bytes.
    pub size_bytes: u64,
}

/// Page size in bytes. Allocations never share a page, so releasing one never affects another.
const PAGE_BYTES: u64 = 4096;

/// Storage in this process, allocated page by page on the first write; unwritten bytes are 0. Every access checks its
/// range under a lock, which is fast enough for programs that only verify written contents; access to unmapped bytes is
/// an error.
#[derive(Debug, Default)]
pub struct Pages {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of nested maps per range (first byte, end).
    mapped: BTreeMap<(u64, u64), u32>,
    /// By page number.
    pages: BTreeMap<u64, Box<[u8]>>,
}

impl Pages {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is complete, so a poisoned lock is still consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads bytes at an address.
    ///
    /// # Errors
    /// No mapped resource contains the whole range.
    pub fn read(&self, address: CpuAddress, bytes: &mut [u8]) -> Result<(), NotMapped> {
        let state = self.state();
        state.check(address, bytes.len())?;
        state.load(address, bytes);
        Ok(())
    }

    /// Writes bytes at an address.
    ///
    /// # Errors
    /// No mapped resource contains the whole range. No byte is written.
    pub fn write(&self, address: CpuAddress, bytes: &[u8]) -> Result<(), NotMapped> {
        let mut state = self.state();
        state.check(address, bytes.len())?;
        state.store(address, bytes);
        Ok(())
    }

    /// Size in bytes of all allocated pages.
    pub fn size_bytes(&self) -> u64 {
        self.state().pages.len() as u64 * PAGE_BYTES
    }
}

impl State {
    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        for (page, at, part) in parts(address, bytes.len()) {
            match self.pages.get(&page) {
                Some(page) => bytes[part.clone()].copy_from_slice(&page[at..at + part.len()]),
                None => bytes[part].fill(0),
            }
        }
    }

    fn store(&mut self, address: CpuAddress, bytes: &[u8]) {
        for (page, at, part) in parts(address, bytes.len()) {
            let page = self.pages.entry(page).or_insert_with(|| vec![0; PAGE_BYTES as usize].into());
            page[at..at + part.len()].copy_from_slice(&bytes[part]);
        }
    }

    fn check(&self, address: CpuAddress, len: usize) -> Result<(), NotMapped> {
        let (first, size_bytes) = (address.0, len as u64);
        let end = first.checked_add(size_bytes);
        // Ranges of resources that share memory overlap, so any range that starts at or before the address may cover
        // it.
        let before = self.mapped.range(..=(first, u64::MAX)).rev();
        let covers = |end: u64| before.map(|((_, mapped), _)| *mapped).any(|mapped| end <= mapped);
        if end.is_some_and(covers) { Ok(()) } else { Err(NotMapped { address, size_bytes }) }
    }
}

/// Splits a range into pages: the page number, the offset in it, and the part of the range.
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
    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        self.state().load(address, bytes);
    }

    fn store(&self, address: CpuAddress, bytes: &[u8]) {
        self.state().store(address, bytes);
    }

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
