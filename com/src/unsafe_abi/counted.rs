//! Allocator of tests, which counts the allocations of the calling thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

// SAFETY: the system's allocator does the work; a count of a thread's own allocates nothing.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Without a count at the end of a thread.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller states.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller states.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of the calling thread so far.
pub fn allocations() -> u64 {
    COUNT.with(Cell::get)
}
