//! Processor on which a thread runs.

/// Number of the processor that runs the calling thread, from 1; 0 where the system does not report it.
pub(super) fn current() -> u32 {
    system::current().and_then(|processor| u32::try_from(processor + 1).ok()).unwrap_or_default()
}

/// Keeps the calling thread on its processor while this value lives, if the system allows it.
pub(super) struct Pinned(Option<system::Affinity>);

impl Pinned {
    /// Pins the calling thread to its current processor.
    pub fn here() -> Pinned {
        Pinned(system::stay())
    }

    /// True if the thread is pinned.
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

    /// Set of processors on which a thread may run.
    pub(super) type Affinity = CpuSet;

    pub(super) fn current() -> Option<usize> {
        sched_getcpu().ok()
    }

    /// Pid 0, which stands for the calling thread.
    fn caller() -> Pid {
        Pid::from_raw(0)
    }

    /// Pins the calling thread to its current processor and returns its previous affinity.
    pub(super) fn stay() -> Option<Affinity> {
        let before = sched_getaffinity(caller()).ok()?;
        let mut here = CpuSet::new();
        here.set(current()?).ok()?;
        sched_setaffinity(caller(), &here).ok()?;
        Some(before)
    }

    pub(super) fn leave(before: Affinity) {
        // If the system rejects this, the thread remains pinned: slower, but still correct.
        let _ = sched_setaffinity(caller(), &before);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Uninhabited: threads are not pinned on this system.
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
    fn a_pinned_thread_is_unpinned() {
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
