//! How long a thread has run.

/// Nanoseconds that this thread has run; time on the wall where the system does not tell.
pub fn thread_ns() -> u64 {
    #[cfg(unix)]
    if let Ok(time) = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID) {
        return std::time::Duration::from(time).as_nanos() as u64;
    }
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_nanos() as u64
}
