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
