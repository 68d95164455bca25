//! Processes: copies made by fork, files that they do not have, and an immediate end.

use std::sync::atomic::{AtomicI32, Ordering};

/// Calls `in_child` in each copy of the process that fork makes, before the copy continues.
pub fn on_fork(in_child: extern "C" fn()) {
    // SAFETY: the function is part of a library that is never unloaded. An error leaves the process without the
    // handler, which only a lack of memory can cause.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// Ends the process without running its destructors, which the program's threads may still depend on.
pub fn end_process(code: i32) -> ! {
    // SAFETY: the call has no precondition.
    unsafe { libc::_exit(code) }
}

/// Time of the system's monotonic clock, in nanoseconds.
pub fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives as long as the call, which cannot fail for this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// True on the first thread of the process.
pub fn is_main_thread() -> bool {
    // SAFETY: the calls have no precondition.
    unsafe { libc::gettid() == libc::getpid() }
}

/// The value at a pointer that `Box::into_raw` returned and nobody frees; `None` for null.
pub fn leaked<T>(pointer: *mut T) -> Option<&'static T> {
    // SAFETY: callers pass the pointer of a box that was leaked, or null.
    unsafe { pointer.as_ref() }
}

/// Numbers of files that copies of the process close; negative without one.
static PARENTS_FILES: [AtomicI32; 4] = [const { AtomicI32::new(-1) }; 4];

/// Marks files that only the parent of a copy uses.
pub fn close_in_copies(numbers: impl Iterator<Item = i32>) {
    PARENTS_FILES.iter().zip(numbers).for_each(|(file, number)| file.store(number, Ordering::Relaxed));
}

/// Closes the marked files, in a copy of the process.
pub fn close_parents_files() {
    for file in &PARENTS_FILES {
        let number = file.swap(-1, Ordering::Relaxed);
        if number >= 0 {
            // SAFETY: in a copy of the process nothing uses the recorder that owns the file, and nothing drops it. The
            // call is permitted between fork and the copy's first call.
            unsafe { libc::close(number) };
        }
    }
}
