//! Which of the machine's processors a thread is on.

/// The processor that the calling thread is on now, from 1; 0 where the system does not say.
pub(super) fn current() -> u32 {
    system::current().and_then(|processor| u32::try_from(processor + 1).ok()).unwrap_or_default()
}

/// The calling thread stays on its processor as long as this lives, if the system allows it.
pub(super) struct Pinned(Option<system::Affinity>);

impl Pinned {
    /// On the processor that the thread is on now.
    pub fn here() -> Pinned {
        Pinned(system::stay())
    }

    /// It does stay.
    pub fn holds(&self) -> bool {
        self.0.is_some()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(system::leave);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use nix::unistd::Pid;

    /// Processors that a thread may be on.
    pub(super) type Affinity = CpuSet;

    pub(super) fn current() -> Option<usize> {
        sched_getcpu().ok()
    }

    /// The thread that calls.
    fn caller() -> Pid {
        Pid::from_raw(0)
    }

    /// Keeps the calling thread where it is; where it might be before.
    pub(super) fn stay() -> Option<Affinity> {
        let before = sched_getaffinity(caller()).ok()?;
        let mut here = CpuSet::new();
        here.set(current()?).ok()?;
        sched_setaffinity(caller(), &here).ok()?;
        Some(before)
    }

    pub(super) fn leave(before: Affinity) {
        // Where this is refused, the thread stays: slower, not wrong.
        let _ = sched_setaffinity(caller(), &before);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Nothing: threads are not held here.
    pub(super) enum Affinity {}

    pub(super) fn current() -> Option<usize> {
        None
    }

    pub(super) fn stay() -> Option<Affinity> {
        None
    }

    pub(super) fn leave(before: Affinity) {
        match before {}
    }
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nix::sched::sched_getaffinity;
    use nix::unistd::Pid;

    #[test]
    fn a_thread_is_let_go_again() {
        let before = sched_getaffinity(Pid::from_raw(0)).unwrap();
        {
            let pinned = Pinned::here();
            let allowed = sched_getaffinity(Pid::from_raw(0)).unwrap();
            let processors = (0..nix::sched::CpuSet::count()).filter(|one| allowed.is_set(*one).unwrap());
            assert!(!pinned.holds() || processors.collect::<Vec<_>>() == [current() as usize - 1]);
        }
        assert_eq!(sched_getaffinity(Pid::from_raw(0)).unwrap(), before);
        assert!(current() > 0);
    }
}
