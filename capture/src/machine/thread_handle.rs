//! Handle of another thread, used to set its scheduling priority.

use std::thread::JoinHandle;
use taut_schemas::WorkPriority;

/// Thread of this process, identified independently of the thread that uses the handle.
#[derive(Debug, Clone)]
pub(super) struct ThreadHandle(system::Handle);

impl ThreadHandle {
    /// Creates the handle of a thread that has not been joined; `None` if the system does not duplicate it.
    pub fn new(thread: &JoinHandle<()>) -> Option<ThreadHandle> {
        system::handle(thread).map(ThreadHandle)
    }

    /// Sets the thread's priority; `false` if the system rejects it.
    pub fn set_priority(&self, priority: WorkPriority) -> bool {
        system::set_priority(&self.0, priority)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::{JoinHandle, WorkPriority};
    use std::os::unix::thread::JoinHandleExt;
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadId, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    };

    pub type Handle = ThreadId;

    pub fn handle(thread: &JoinHandle<()>) -> Option<Handle> {
        Some(thread.as_pthread_t())
    }

    pub fn set_priority(thread: &Handle, priority: WorkPriority) -> bool {
        let policy = match priority {
            WorkPriority::IDLE => NormalThreadSchedulePolicy::Idle,
            _ => NormalThreadSchedulePolicy::Other,
        };
        // Level 48 of 99 is niceness 0, which is set in addition to the policy.
        let Ok(level) = 48_u8.try_into() else { return false };
        let level = ThreadPriority::Crossplatform(level);
        set_thread_priority_and_policy(*thread, level, ThreadSchedulePolicy::Normal(policy)).is_ok()
    }
}

#[cfg(windows)]
#[allow(unsafe_code)]
mod system {
    use super::{JoinHandle, WorkPriority};
    use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
    use std::sync::Arc;
    use windows_sys::Win32::System::Threading::{SetThreadPriority, THREAD_PRIORITY_IDLE, THREAD_PRIORITY_NORMAL};

    /// Duplicated handle: GetCurrentThread returns a pseudo handle, which refers to whichever thread uses it.
    pub type Handle = Arc<OwnedHandle>;

    pub fn handle(thread: &JoinHandle<()>) -> Option<Handle> {
        thread.as_handle().try_clone_to_owned().ok().map(Arc::new)
    }

    pub fn set_priority(thread: &Handle, priority: WorkPriority) -> bool {
        let priority = match priority {
            WorkPriority::IDLE => THREAD_PRIORITY_IDLE,
            _ => THREAD_PRIORITY_NORMAL,
        };
        // SAFETY: the handle is open, because `thread` owns it; the call changes no memory of this process.
        unsafe { SetThreadPriority(thread.as_raw_handle(), priority) != 0 }
    }

    #[cfg(test)]
    #[allow(clippy::unwrap_used)]
    mod tests {
        use super::*;
        use windows_sys::Win32::Foundation::{GetHandleInformation, HANDLE};
        use windows_sys::Win32::System::Threading::GetThreadPriority;

        fn priority(thread: HANDLE) -> i32 {
            // SAFETY: the caller's handle is open; the call changes no memory of this process.
            unsafe { GetThreadPriority(thread) }
        }

        fn is_open(thread: HANDLE) -> bool {
            let mut flags = 0;
            // SAFETY: an invalid handle is an error of the call, which writes to `flags` alone.
            unsafe { GetHandleInformation(thread, &mut flags) != 0 }
        }

        #[test]
        fn another_thread_gets_idle_priority_and_its_former_one_and_its_handle_is_closed_once() {
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let thread = std::thread::spawn(move || {
                let _ = ended.recv();
            });
            let owned = handle(&thread).unwrap();
            let raw = owned.as_raw_handle();
            assert!(raw != thread.as_handle().as_raw_handle(), "a handle of its own");
            assert!(set_priority(&owned, WorkPriority::IDLE));
            assert_eq!(priority(raw), THREAD_PRIORITY_IDLE);
            assert!(set_priority(&owned, WorkPriority::ABOVE_IDLE));
            assert_eq!(priority(raw), THREAD_PRIORITY_NORMAL);
            let other = Arc::clone(&owned);
            drop(owned);
            assert!(is_open(raw), "the last owner closes it");
            drop(other);
            assert!(!is_open(raw) && is_open(thread.as_handle().as_raw_handle()));
            drop(end);
            thread.join().unwrap();
        }
    }
}

// Other systems change the policy of another thread only for privileged processes.
#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    use super::{JoinHandle, WorkPriority};

    pub type Handle = ();

    pub fn handle(_: &JoinHandle<()>) -> Option<Handle> {
        Some(())
    }

    pub fn set_priority(_: &Handle, _: WorkPriority) -> bool {
        false
    }
}
