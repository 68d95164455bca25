//! SIGUSR1: a wish for a snapshot of what is being recorded.

/// Has `wish` be called at each SIGUSR1 from now on. Where the system lets nobody listen, the signal is what it was.
#[cfg(unix)]
pub fn on_signal(wish: impl Fn() + Send + 'static) {
    use signal_hook::consts::SIGUSR1;
    use signal_hook::iterator::Signals;
    let Ok(mut signals) = Signals::new([SIGUSR1]) else { return };
    let thread = std::thread::Builder::new().name("taut-snapshot-signal".to_owned());
    // Without a thread nobody would hear of it: `taut control FILE snapshot` asks as well.
    let _ = thread.spawn(move || signals.forever().for_each(|_| wish()));
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub fn on_signal(_: impl Fn() + Send + 'static) {}
