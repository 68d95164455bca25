//! The simulated Direct3D runtime, as a pure state machine, and the driver models behind it.
//!
//! Nothing here has a thread, a clock, randomness, a file or an environment variable: the same calls in the same
//! order give the same driver calls, results, addresses and messages. A [`Context`] carries what a call needs besides
//! its arguments; [`Execute`] makes one, on the state that the call's line says it locks.
//!
//! ```
//! use taut_runtime::{Context, DeviceState, Execute, Locked, ObjectTable, Profile, Settings, Silent, driver};
//! use taut_schemas::{AdapterId, DeviceId, ResourceDesc, ResourceFlags, d3d12};
//!
//! let settings = Settings::default();
//! let driver = driver(&Profile::named("reference").ok_or("no such driver")?);
//! let (mut device, mut objects) = (DeviceState::new(AdapterId::FIRST), ObjectTable::default());
//! let mut tap = Silent;
//! let mut context = Context::new(&settings, &*driver, &mut tap);
//!
//! let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
//! let id = create.execute(&mut context, Locked { device: Some(&mut device), ..Locked::default() });
//! assert_eq!(id, Ok(DeviceId(1)));
//!
//! let buffer = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(1000) };
//! let query = d3d12::GetResourceAllocationInfo { device: DeviceId(1), visible_mask: 0, descs: vec![buffer] };
//! let info = query.execute(&mut context, Locked { device: Some(&mut device), ..Locked::default() });
//! assert_eq!((info.size_bytes, info.alignment_bytes), (1024, 256));
//! # Ok::<(), &'static str>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod conformance;
pub mod placement;
pub mod refit;

mod background;
mod context;
mod d3d11;
mod d3d12;
mod driver;
mod dxgi;
mod execute;
mod labour;
mod machine;
mod memory;
mod objects;
mod queue;
mod settings;
mod win32;

pub use background::{AtDestruction, TaskPolicy};
pub use context::{Context, Silent, Tap};
pub use d3d11::also_locks;
pub use d3d11::context_state::{ContextState, Contexts};
pub use d3d12::alloc_info::{AllocInfo, AllocationKind, alloc_info};
pub use d3d12::device::DeviceState;
pub use driver::background_profile::Background;
pub use driver::caps::Caps;
pub use driver::contexts_profile::{ContextHandles, HandleLayout};
pub use driver::direct_access::{DirectAccess, DirectTileFormat};
pub use driver::faults::Faults;
pub use driver::model::driver;
pub use driver::profile::{DdiVersion, Profile, ProfileError, TextureSizeModel};
pub use driver::samples::Sample;
pub use execute::{AdapterState, Execute, InputVisitor, Locked, RuntimeState, visit_inputs};
pub use labour::{AtOnce, Labour};
pub use memory::cpu_range::CpuRange;
pub use objects::{Object, ObjectTable, Objects};
pub use queue::{QueueState, Runnable};
pub use settings::{DeveloperModeRefusal, ParseRuleSetError, RuleSet, SettingError, Settings, Severity};
pub use win32::SystemState;
