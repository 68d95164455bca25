//! The calls between an application, the Direct3D runtime and its drivers, each defined once.
//!
//! Every API call, DDI call and mark is one line in a list of its family ([`for_each_family!`]). From that line come
//! the argument struct, its codec, its row in the schema table that every trace carries, and the functions of the
//! runtime and of the driver models.
//!
//! ```
//! use taut_schemas::{d3d12, CodecError, Call, Decoder, Encoder, HeapDesc, HeapId, Field};
//!
//! let call = d3d12::CreateHeap { device: Default::default(), desc: HeapDesc { size_bytes: 65536, ..Default::default() } };
//! let mut row = Vec::new();
//! call.encode(&mut Encoder::new(&mut row));
//! let back = d3d12::CreateHeap::decode(&mut Decoder::new(&row))?;
//! assert_eq!(back, call);
//! assert_eq!(d3d12::CreateHeap::NAME, "CreateHeap");
//! # Ok::<(), CodecError>(())
//! ```

mod adapter;
mod appended;
mod bind;
mod buffer_binding;
mod buffer_use;
mod call;
mod chain_desc;
mod choices;
mod code;
mod counted;
mod creates;
mod d3d11_context_desc;
mod d3d11_desc;
mod d3d11_pipeline_desc;
mod d3d11_state_desc;
mod define;
mod desc;
mod error_class;
mod etw_attributes;
mod event;
mod event_docs;
mod execution_desc;
mod families;
mod family;
mod field;
mod field_ref;
mod former;
mod former_field;
mod former_names;
mod handle_fields;
mod handle_memory;
mod handle_pool;
pub mod handle_rules;
mod hresult;
mod id;
mod identity;
mod kernel_desc;
mod level;
mod list_desc;
mod lists;
mod lock;
mod message;
mod nearest;
mod own_events;
mod plane_desc;
mod present_desc;
mod provider;
mod provider_schema;
mod requested;
mod rounding_cause;
mod row;
mod rules;
mod rules_page;
mod schema;
mod shared;
mod sizes;
mod state_desc;
mod store_runs;
mod table;
mod table_part;
mod text;
mod thread_role;
mod view;
pub mod windows;
mod work;

pub mod format;

pub use appended::EventAppender;
pub use bind::*;
pub use buffer_binding::{BindsBuffers, BoundBuffer};
pub use buffer_use::{BufferUse, MAX_FLOOR_BYTES, floor_bytes};
pub use call::{Call, EventVisitor, Input, Mark};
pub use chain_desc::*;
pub use choices::{CHOICES, choice};
pub use code::*;
pub use counted::{counted, grouped};
pub use creates::{Created, Creates};
pub use d3d11_context_desc::*;
pub use d3d11_desc::*;
pub use d3d11_pipeline_desc::*;
pub use d3d11_state_desc::*;
pub use desc::*;
pub use error_class::{ERRORS, ErrorClass, ErrorVerdict};
pub use etw_attributes::EtwAttributes;
pub use event::{EventCode, Opcode};
pub use event_docs::EventDocs;
pub use execution_desc::*;
pub use families::*;
pub use family::{Family, Layer, RUNDOWN_PROVIDER};
pub use field::{Bytes, Field, HandleMap};
pub use field_ref::{EventRef, FieldRef, WAIT_FIELD, enumeration_of};
pub use former_field::{FormerCode, FormerField};
pub use former_names::{FormerEvent, FormerNames};
pub use handle_fields::{
    FieldPlacement, FieldPlaces, HandleField, PADDED_LINE_BYTES, ParsePlacementError, SEPARATE_AREA,
    SEPARATE_AREA_BYTES, TypeLayout,
};
pub use handle_memory::HandleMemory;
pub use handle_pool::{HandleAllocator, HandlePool};
pub use hresult::{HResult, HResultCode};
pub use id::*;
pub use identity::{AdapterId, IdSpace, ObjectId};
pub use kernel_desc::*;
pub use level::Level;
pub use list_desc::*;
pub use lock::LockSet;
pub use message::*;
pub use nearest::{nearest, nearest_few, unknown_name};
pub use own_events::{EventList, ListVisitor, OwnEvent, own_code};
pub use plane_desc::*;
pub use present_desc::*;
pub use provider::{Provider, ProviderSet};
pub use provider_schema::{ProviderSchema, uuid_of_name, uuid_text};
pub use requested::requested_bytes;
pub use rounding_cause::RoundingCause;
pub use row::{CodecError, Decoder, Encoder};
pub use rules::{Chapter, RULES, Rule, rule};
pub use rules_page::{every_chapter, rules_page};
pub use schema::{CodeSchema, FieldKind, FieldSchema, FieldSink, Role, ScalarSchema, Slot, UNNAMED_FIELD};
pub use shared::Shared;
pub use sizes::ResourceSizes;
pub use state_desc::*;
pub use store_runs::{StoreFolder, StoreRun, StoreRuns, StoreRunsError};
pub use table::{EventSchema, SchemaTable};
pub use thread_role::ThreadRole;
pub use view::{info, start, stop};
pub use work::{BackgroundWork, GpuWork, Product, SubmissionResult, TaskResult, WorkProduct};
