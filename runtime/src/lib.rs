//! Simulated Direct3D runtime as a pure state machine, with its driver models.
//!
//! The crate uses no thread, clock, randomness, file or environment variable: equal calls in equal order give equal
//! driver calls, results, addresses and messages. [`Execute`] executes a call on the state that its line locks, with a
//! [`Context`] for everything besides its arguments. A [`Machine`] combines all of that; a shell with threads puts the
//! parts of the state under locks instead.
//!
//! ```
//! use std::sync::Arc;
//! use taut_runtime::{EventLog, Machine, Profile, Settings, driver};
//! use taut_schemas::{DeviceId, ResourceDesc, ResourceFlags, d3d12, d3d12_ddi};
//!
//! let driver = Arc::from(driver(&Profile::named("reference").ok_or("no such driver")?));
//! let mut machine: Machine = Machine::new(Settings::default(), driver);
//! let mut log = EventLog::default();
//!
//! let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
//! assert_eq!(machine.call(&create, &mut log), Ok(DeviceId(1)));
//!
//! let buffer = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(1000) };
//! let query = d3d12::GetResourceAllocationInfo { device: DeviceId(1), visible_mask: 0, descs: vec![buffer] };
//! let info = machine.call(&query, &mut log);
//! assert_eq!((info.size_bytes, info.alignment_bytes), (1024, 256));
//! assert_eq!(log.started::<d3d12_ddi::CheckResourceAllocationInfo>().len(), 1);
//! # Ok::<(), &'static str>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod inspect;
pub mod placement;
pub mod repack;

mod background;
mod context;
mod d3d11;
mod d3d12;
mod d3dkmt;
mod derived_input;
mod driver;
mod dxgi;
mod event_log;
mod execute;
mod executor;
mod frames;
mod hardware;
mod kernel;
mod machine;
mod memory;
mod panicked;
mod records;
mod revision;
mod rundown;
mod samples;
mod settings;
mod state;
mod submission;
mod toml_source;
mod violation;
mod wddm;
mod win32;

pub use background::{AtDestruction, TaskPolicy};
pub use context::{Context, Drivers, NullTap, Tap};
pub use d3d11::context_state::{ContextState, Contexts};
pub use d3d11::implicit_locks;
pub use d3d12::alloc_info::{AllocInfo, AllocationKind, alloc_info};
pub use driver::background_key::BackgroundKeyError;
pub use driver::background_profile::{Background, BackgroundKey};
pub use driver::caps::Caps;
pub use driver::contexts_profile::{ContextHandles, HandleLayout};
pub use driver::ddi_version::DdiVersion;
pub use driver::descriptors_profile::Descriptors;
pub use driver::direct_access::{DirectAccess, DirectTileFormat};
pub use driver::dlist_profile::DList;
pub use driver::faults::Faults;
pub use driver::kernel_profile::Kernel;
pub use driver::model::driver;
pub use driver::overlay_profile::Overlay;
pub use driver::pgo::SharedCode;
pub use driver::placement_setting::FieldPlacementError;
pub use driver::profile::{Profile, TextureSizeModel};
pub use event_log::EventLog;
pub use execute::{
    AdapterState, CpuRange, DueReleases, Execute, ExecuteWith, InputVisitor, Locked, Machine, RuntimeState,
    command_list_notice, removal, visit_inputs,
};
pub use executor::{Executor, InlineExecutor};
pub use hardware::{AdapterHardware, Display, Efficiency, Link, MachineProfile, MemoryKind};
pub use kernel::DisplayState;
pub use memory::effect as memory_effect;
pub use memory::space::MemoryChange;
pub use panicked::{catch, is_caught, panic_message, panicked};
pub use records::{RestoreError, RundownError, StateRecords};
pub use revision::Revision;
pub use rundown::{AdapterView, StateView};
pub use samples::Sample;
pub use settings::{
    DeveloperModeRefusal, KernelTierRefusal, ParseRuleSetError, RuleSet, SettingError, Settings, Severity,
};
pub use state::{DeviceState, Object, ObjectTable, Objects};
pub use submission::{Runnable, SubmissionState};
pub use toml_source::{ProfileError, Source as TomlSource};
pub use wddm::Wddm;
pub use win32::SystemState;
