//! SIGUSR1: request for a snapshot of the running recording.

/// Calls `request_snapshot` at each SIGUSR1 from now on. If the system does not allow a handler, the signal keeps its default
/// action.
#[cfg(unix)]
pub fn on_signal(request_snapshot: impl Fn() + Send + 'static) {
    use signal_hook::consts::SIGUSR1;
    use signal_hook::iterator::Signals;
    let Ok(mut signals) = Signals::new([SIGUSR1]) else { return };
    let thread = std::thread::Builder::new().name("taut-snapshot-signal".to_owned());
    // Without the thread the signal has no effect; `taut control FILE snapshot` makes the same request.
    let _ = thread.spawn(move || signals.forever().for_each(|_| request_snapshot()));
}

/// No-op: other systems have no such signal.
#[cfg(not(unix))]
pub fn on_signal(_: impl Fn() + Send + 'static) {}
