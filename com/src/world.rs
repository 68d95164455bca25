//! The process's session: created with the first device or adapter factory, and never ended by the library.

use crate::client_events::ClientEvents;
use crate::process::{self, generation};
use crate::run_folder::RunFolder;
use crate::threads::{Registration, Thread};
use crate::unsafe_abi::{Guid, Hooks, Hresult, Window, end_process, leaked, set_hooks};
use crate::unsupported::{Receivers, count_query as count, count_unknown_after_release, report_to};
use crate::views::Views;
use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use taut_capture::machine::without_signals;
use taut_capture::{
    Adapters, BoxCall, Clock, CpuRange, Execute, Mark, Profile, Session, Settings, Unrecorded, Workload,
};
use taut_runtime::memory_effect::{Extent, Rows};
use taut_schemas::mark::{InterfaceQuery, ReleasedObjectCall, UnsupportedCall};
use taut_schemas::{Call, DeviceId, EventHandle, HResult, HResultCode, ThreadRole, d3d12};
use taut_traces::TraceWriter;

/// Driver of an unrecorded process.
const DEFAULT_DRIVER: &str = "reference";

/// The session of this process, if there is one. Leaked: threads of the program may make calls until its last moment.
static CURRENT: AtomicPtr<World> = AtomicPtr::new(std::ptr::null_mut());

/// The process's session.
pub struct World {
    /// Number of forks before the process of the session.
    pub generation: u32,
    session: AnySession,
    /// Number of the next thread.
    next_thread: AtomicU32,
    /// Memory of mapped resources.
    pub window: Arc<Window>,
    /// Events of the client.
    pub events: Arc<ClientEvents>,
    /// Views that clears use.
    pub views: Views,
    adapters: Adapters,
    behaviour: Behaviour,
}

/// Handling of unsupported calls.
#[derive(Debug, Clone, Copy, Default)]
struct Behaviour {
    /// The first unsupported call ends the program.
    is_strict: bool,
    /// The first call of each unsupported method is reported on stderr.
    prints: bool,
}

enum AnySession {
    Recorded(Session),
    Unrecorded(Session<Unrecorded>),
}

thread_local! {
    static REGISTRATION: RefCell<Option<Registration>> = const { RefCell::new(None) };
}

/// The session of this process, if a device or a factory was created.
pub fn current() -> Option<&'static World> {
    let world = leaked(CURRENT.load(Ordering::Acquire));
    // In a copy of the process the session belongs to the parent.
    world.filter(|world| world.generation == generation())
}

/// The session of this process, created by the first call.
///
/// # Errors
/// E_FAIL: the trace cannot be begun, or the configuration cannot be read.
pub fn begin() -> HResult<&'static World> {
    if let Some(world) = current() {
        return Ok(world);
    }
    // A copy of the process waits for nobody: a lock that another thread held during the fork stays held.
    static BEGINNING: [Mutex<()>; 2] = [Mutex::new(()), Mutex::new(())];
    let lock = &BEGINNING[usize::from(generation() > 0)];
    let _guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(world) = current() {
        return Ok(world);
    }
    process::watch();
    report_to(Receivers { unsupported: report_unsupported, released: report_released, queried: report_query });
    set_hooks(Hooks { queried: count_query, released: count_unknown_after_release });
    let world = without_signals(World::create).map_err(|error| {
        if let Some(folder) = RunFolder::from_environment().filter(|_| generation() == 0) {
            folder.announce_failure();
        }
        let _ = writeln!(std::io::stderr(), "taut: no recording: {error}");
        HResultCode::E_FAIL
    })?;
    CURRENT.store(Box::into_raw(Box::new(world)), Ordering::Release);
    current().ok_or(HResultCode::E_FAIL)
}

/// Records a count of unsupported calls. The first one is reported on stderr.
fn report_unsupported(call: UnsupportedCall) {
    let Some(world) = current() else { return };
    if call.count == 1 && world.behaviour.prints {
        let _ = writeln!(std::io::stderr(), "taut: {}::{} is not executed", call.interface, call.method);
    }
    world.mark(call);
    if world.behaviour.is_strict {
        end_process(1);
    }
}

/// Records a count of calls of released objects. The first one of a method is reported on stderr.
fn report_released(call: ReleasedObjectCall) {
    let Some(world) = current() else { return };
    if call.count == 1 && world.behaviour.prints {
        let ReleasedObjectCall { interface, method, .. } = &call;
        let _ = writeln!(std::io::stderr(), "taut: {interface}::{method} was called on a released object");
    }
    world.mark(call);
}

/// Records a count of queries of an interface.
fn report_query(query: InterfaceQuery) {
    if let Some(world) = current() {
        world.mark(query);
    }
}

/// Counts a query of an interface in the process of the session: in a copy of it, another thread may have had the lock of
/// the counts during the fork.
fn count_query(id: Guid, result: Hresult) {
    if current().is_some_and(|world| world.generation == 0) {
        count(id, result);
    }
}

/// Path of the file with the recording's lock.
fn sidecar(trace: &Path) -> PathBuf {
    let mut path = fs::canonicalize(trace).unwrap_or_else(|_| trace.to_owned()).into_os_string();
    path.push(".live");
    path.into()
}

impl World {
    fn create() -> Result<World, Box<dyn std::error::Error>> {
        // A copy of a recorded process is not recorded: its parent's trace has the name.
        let folder = if generation() == 0 { RunFolder::from_environment() } else { None };
        match folder {
            Some(folder) => World::recorded(&folder),
            None => {
                if generation() > 0 && RunFolder::from_environment().is_some() {
                    let process = std::process::id();
                    let _ = writeln!(std::io::stderr(), "taut: process {process} is a copy and is not recorded");
                }
                let profile = Profile::named(DEFAULT_DRIVER).ok_or("the default driver is missing")?;
                let adapters = Adapters::from(&profile);
                let session = Session::unrecorded(&adapters, Settings::default(), Clock::best());
                Ok(World::new(adapters, Behaviour::default(), |window, events| {
                    AnySession::Unrecorded(session.with_memory(window).with_events(events))
                }))
            }
        }
    }

    fn recorded(folder: &RunFolder) -> Result<World, Box<dyn std::error::Error>> {
        let config = folder.config()?;
        let adapters = config.adapters().ok_or("the configuration has no driver")?;
        let path = folder.trace_path(&config);
        let workload = Workload::of_program(&config.program);
        let create = |header| TraceWriter::record(&path, header, config.writing.options());
        let session = Session::record(create, &adapters, config.settings.clone(), workload, Clock::best())?;
        folder.announce(&path)?;
        folder.use_until_end();
        process::close_in_forks(&sidecar(&path));
        if !config.quiet {
            let _ = writeln!(
                std::io::stderr(),
                "taut: recording {}; draws and dispatches are recorded, not executed",
                path.display()
            );
        }
        let behaviour = Behaviour { is_strict: config.strict, prints: !config.quiet };
        Ok(World::new(adapters, behaviour, |window, events| {
            AnySession::Recorded(session.with_memory(window).with_events(events))
        }))
    }

    fn new(
        adapters: Adapters,
        behaviour: Behaviour,
        session: impl FnOnce(Arc<Window>, Arc<ClientEvents>) -> AnySession,
    ) -> World {
        let (window, events) = (Arc::new(Window::reserve()), Arc::<ClientEvents>::default());
        World {
            generation: generation(),
            session: session(Arc::clone(&window), Arc::clone(&events)),
            next_thread: AtomicU32::new(0),
            window,
            events,
            views: Views::default(),
            adapters,
            behaviour,
        }
    }

    /// The adapters.
    pub fn adapters(&self) -> &Adapters {
        &self.adapters
    }

    /// Executes a call. A copy of the process gets DXGI_ERROR_DEVICE_REMOVED for objects of its parent.
    ///
    /// # Errors
    /// As the call.
    pub fn call<C: Execute + Call<Output = HResult<T>>, T>(&self, call: C) -> HResult<T> {
        self.query(call)?
    }

    /// Executes a call whose result is no HRESULT.
    ///
    /// # Errors
    /// DXGI_ERROR_DEVICE_REMOVED in a copy of the process.
    pub fn query<C: Execute>(&self, call: C) -> HResult<C::Output> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.call(call),
            Thread::Unrecorded(thread) => thread.call(call),
        })
    }

    /// Maps a resource, and returns its range.
    ///
    /// # Errors
    /// As the call.
    pub fn map(&self, map: d3d12::Map) -> HResult<CpuRange> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.map(map),
            Thread::Unrecorded(thread) => thread.map(map),
        })?
    }

    /// Unmaps a resource.
    ///
    /// # Errors
    /// As the call.
    pub fn unmap(&self, unmap: d3d12::Unmap) -> HResult<()> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.unmap(unmap),
            Thread::Unrecorded(thread) => thread.unmap(unmap),
        })?
    }

    /// Executes a call that reads or writes a box of a subresource, and returns its place.
    ///
    /// # Errors
    /// As the call.
    pub fn access<C: BoxCall>(&self, call: C) -> HResult<Option<(Rows, Extent)>> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.access(call),
            Thread::Unrecorded(thread) => thread.access(call),
        })?
    }

    /// Waits for an event of the session.
    ///
    /// # Errors
    /// As the call.
    pub fn wait(&self, event: EventHandle) -> HResult<()> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.wait(event, u32::MAX),
            Thread::Unrecorded(thread) => thread.wait(event, u32::MAX),
        })?
        .map(drop)
    }

    /// Releases a device and waits for its background tasks to end.
    ///
    /// # Errors
    /// As the calls.
    pub fn release_device(&self, device: DeviceId) -> HResult<()> {
        self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.release_device(device),
            Thread::Unrecorded(thread) => thread.release_device(device),
        })?
    }

    /// Records a mark.
    pub fn mark<M: Mark>(&self, mark: M) {
        // In a copy of the process nothing is recorded.
        let _ = self.on_thread(|thread| match thread {
            Thread::Recorded(thread) => thread.mark(mark),
            Thread::Unrecorded(_) => (),
        });
    }

    /// Runs `run` on the calling thread's thread of the session.
    fn on_thread<T>(&self, run: impl FnOnce(&mut Thread) -> T) -> HResult<T> {
        if self.generation != generation() {
            return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
        }
        let mut run = Some(run);
        let ran = REGISTRATION.try_with(|registration| {
            let mut registration = registration.try_borrow_mut().ok()?;
            let is_own = registration.as_ref().is_some_and(|thread| thread.generation == self.generation);
            if !is_own {
                *registration = Some(Registration::new(self.generation, self.thread()));
            }
            let thread = registration.as_mut()?.thread()?;
            run.take().map(|run| run(thread))
        });
        match (ran, run) {
            (Ok(Some(result)), _) => Ok(result),
            // The thread's locals are being destroyed: the call has a thread of its own.
            (_, Some(run)) => Ok(run(&mut self.thread())),
            (_, None) => Err(HResultCode::E_FAIL),
        }
    }

    fn thread(&self) -> Thread {
        let next = |number| Some(ThreadRole::application_after(number));
        let number = self.next_thread.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or_default();
        match &self.session {
            AnySession::Recorded(session) => Thread::Recorded(session.thread(number)),
            AnySession::Unrecorded(session) => Thread::Unrecorded(session.thread(number)),
        }
    }
}
