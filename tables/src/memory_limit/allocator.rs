//! Counting allocator that stops a thread whose allocation exceeds the limit.
#![allow(unsafe_code)] // `GlobalAlloc` is an unsafe trait; every call is handed on to `System` with its own arguments.

use super::GRACE;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicIsize, AtomicPtr, AtomicU8, Ordering};
use std::thread::Thread;

/// Bytes that a thread counts locally before it adds them to the total: with one shared counter, threads that allocate
/// small objects would contend for its cache line.
const BATCH_BYTES: isize = 16 << 10;

/// Size of the block that is freed when the system has no more memory, so that the reporter can allocate. Larger than
/// glibc's mmap threshold (128 KiB), so that it returns to the system at once.
const RESERVE_BYTES: usize = 1 << 20;

/// Reason why a thread was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The process would exceed its limit.
    Limit,
    /// The system returned no memory.
    System,
}

static TOTAL: AtomicIsize = AtomicIsize::new(0);
static LIMIT: AtomicIsize = AtomicIsize::new(isize::MAX);
/// 0 until the first failure, then 1 for [`Cause::Limit`] or 2 for [`Cause::System`].
static CAUSE: AtomicU8 = AtomicU8::new(0);
static RESERVE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static REPORTER: OnceLock<Thread> = OnceLock::new();

thread_local! {
    /// Bytes that this thread has not yet added to the total.
    static UNCOUNTED: Cell<isize> = const { Cell::new(0) };
    /// True in the reporter thread, which is never stopped.
    static IS_REPORTER: Cell<bool> = const { Cell::new(false) };
}

/// The program's global allocator.
pub struct CountingAllocator;

// SAFETY: every method passes its arguments to `System` unchanged and returns its result.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller upholds the contract of `alloc`.
        checked_allocation(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        checked_allocation(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: the caller upholds the contract of `realloc`.
        checked_allocation(unsafe { System.realloc(memory, layout, new_size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn count(bytes: isize) {
    let to_add = UNCOUNTED.try_with(|uncounted| {
        let sum = uncounted.get() + bytes;
        let is_batched = sum.abs() < BATCH_BYTES;
        uncounted.set(if is_batched { sum } else { 0 });
        if is_batched { 0 } else { sum }
    });
    // During thread exit the thread-local counter is already destroyed: count directly.
    let to_add = to_add.unwrap_or(bytes);
    if to_add == 0 {
        return;
    }
    let total = TOTAL.fetch_add(to_add, Ordering::Relaxed).saturating_add(to_add);
    // Freeing memory never stops a thread, even above the limit.
    if to_add > 0 && total > LIMIT.load(Ordering::Relaxed) {
        stop(Cause::Limit);
    }
}

fn checked_allocation(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        stop(Cause::System);
    }
    memory
}

/// Wakes the reporter and blocks this thread until the process has ended. Returns only in the reporter, and if there is
/// none.
#[cold]
fn stop(cause: Cause) {
    let Some(reporter) = REPORTER.get() else { return };
    if IS_REPORTER.try_with(Cell::get).unwrap_or(true) {
        return;
    }
    let number = if cause == Cause::Limit { 1 } else { 2 };
    let _ = CAUSE.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire);
    reporter.unpark();
    // The reporter ends the process in this time; the abort is for the case that it cannot.
    std::thread::sleep(GRACE);
    std::process::abort();
}

/// Reason why a thread was stopped, if one was.
fn cause() -> Option<Cause> {
    match CAUSE.load(Ordering::Acquire) {
        0 => None,
        1 => Some(Cause::Limit),
        _ => Some(Cause::System),
    }
}

/// The limit in bytes.
pub fn limit() -> u64 {
    LIMIT.load(Ordering::Acquire).unsigned_abs() as u64
}

/// Makes the calling thread the reporter, and waits until another thread is stopped.
pub fn wait_for_cause() -> Cause {
    IS_REPORTER.set(true);
    loop {
        if let Some(cause) = cause() {
            release_reserve();
            return cause;
        }
        std::thread::park();
    }
}

/// Allocated bytes, exact to [`BATCH_BYTES`] per thread.
pub fn allocated_bytes() -> u64 {
    u64::try_from(TOTAL.load(Ordering::Relaxed)).unwrap_or_default()
}

/// Sets the limit, and the thread to wake when it is exceeded.
pub fn enforce_bytes(bytes: u64, reporter: Thread) {
    // SAFETY: the size of the layout is not 0.
    let reserve = unsafe { System.alloc(reserve()) };
    RESERVE.store(reserve, Ordering::Release);
    // The limit is set last: before the reporter is known, nobody could be woken.
    if REPORTER.set(reporter).is_ok() {
        LIMIT.store(isize::try_from(bytes).unwrap_or(isize::MAX), Ordering::Release);
    }
}

fn reserve() -> Layout {
    Layout::new::<[u8; RESERVE_BYTES]>()
}

fn release_reserve() {
    let memory = RESERVE.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if !memory.is_null() {
        // SAFETY: the block was allocated by `System` with this layout, and the swap made this thread its only owner.
        unsafe { System.dealloc(memory, reserve()) };
    }
}
