//! Processor time of a thread.

/// Processor time of this thread in nanoseconds; wall-clock time if the system does not report it.
pub fn thread_ns() -> u64 {
    #[cfg(unix)]
    if let Ok(time) = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID) {
        return std::time::Duration::from(time).as_nanos() as u64;
    }
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_nanos() as u64
}
