//! Live side of the project: application threads, locks, real time, and the recorder.
//!
//! A [`Session`] is one simulated machine and the program that uses it. Any thread of the program may call it; calls
//! run in the runtime under the locks that their lines in the lists name, and are recorded to the trace. Data that a
//! program writes through mapped addresses is stored by its [`Memory`]. `examples/own_program.rs` is a minimal program.
//!
//! ```
//! use std::sync::Arc;
//! use taut_capture::{Clock, Pages, Profile, Session, Settings, Workload, WriteOptions};
//! use taut_schemas::{HeapProperties, HeapType, ResourceDesc, d3d12};
//!
//! let file = tempfile::NamedTempFile::new()?;
//! let profile = Profile::named("reference").ok_or("no driver model of this name")?;
//! let (settings, workload, options) = (Settings::default(), Workload::default(), WriteOptions::default());
//! let memory = Arc::new(Pages::default());
//! let session = Session::create(file.path(), &profile, settings, workload, Clock::best(), options)?
//!     .with_memory(Arc::clone(&memory));
//!
//! let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() })?;
//! let loader = std::thread::spawn({
//!     let (session, memory) = (session.clone(), Arc::clone(&memory));
//!     move || -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
//!         let heap_properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
//!         let desc = ResourceDesc::buffer(1000);
//!         let buffer = d3d12::CreateCommittedResource { device, heap_properties, desc, ..Default::default() };
//!         let resource = session.call(buffer)?;
//!         let mapped = session.map(d3d12::Map { resource, ..Default::default() })?;
//!         memory.write(mapped.address, b"what the shader will read")?;
//!         session.unmap(d3d12::Unmap { resource, ..Default::default() })?;
//!         Ok(resource)
//!     }
//! });
//! let resource = loader.join().map_err(|_| "the loader panicked")?.map_err(|error| error.to_string())?;
//! session.call(d3d12::ReleaseResource { resource })?;
//! session.release_device(device)?;
//! assert_eq!(session.finish()?.lost_events, 0);
//!
//! let trace = taut_traces::Trace::open(file.path())?;
//! let outcome = taut_replay::Replayer::new(&trace, Default::default()).run()?;
//! assert!(outcome.is_identical() && outcome.calls == 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod app_thread;
mod caller;
mod event_signals;
mod event_stream;
pub mod locks;
pub mod machine;
pub mod memory;
mod memory_call;
#[cfg(test)]
mod schedules;
mod session;
mod shell;
mod stop;
mod sync;

pub use app_thread::Rundown;
pub use caller::{Caller, Callers};
pub use event_signals::EventSignals;
pub use event_stream::EventSink;
pub use memory::{Memory, NotMapped, Pages};
pub use memory_call::{BoxCall, MemoryCall};
pub use session::{Adapters, Recorder, Session, SessionError, SessionThread, Unrecorded, header};
pub use stop::Stop;
pub use taut_runtime::{CpuRange, Execute, Profile, RundownError, Settings};
pub use taut_schemas::Mark;
pub use taut_traces::{Clock, Workload, WriteOptions, WriteSummary};
