//! What a Direct3D runtime and its driver say to each other, defined once.
//!
//! Every API call, DDI call and mark is one line in a list of its layer ([`for_each_api_call!`],
//! [`for_each_d3d11_call!`], [`for_each_task_call!`], [`for_each_ddi_call!`], [`for_each_ddi_callback!`],
//! [`for_each_mark!`]). From that line come the argument struct, its codec, its row in
//! the schema table that every trace carries, and the trait the runtime and the driver models implement.
//!
//! ```
//! use taut_schemas::{api, CodecError, Call, Decoder, Encoder, HeapDesc, HeapId, Field};
//!
//! let call = api::CreateHeap { device: Default::default(), desc: HeapDesc { size_bytes: 65536, ..Default::default() } };
//! let mut row = Vec::new();
//! call.encode(&mut Encoder::new(&mut row));
//! let back = api::CreateHeap::decode(&mut Decoder::new(&row))?;
//! assert_eq!(back, call);
//! assert_eq!(api::CreateHeap::NAME, "CreateHeap");
//! # Ok::<(), CodecError>(())
//! ```

mod api_list;
mod bind;
mod call;
mod callback_list;
mod code;
mod counted;
mod creates;
mod d3d11_desc;
mod d3d11_list;
mod ddi_list;
mod desc;
mod event;
mod execution_desc;
mod field;
mod hresult;
mod id;
mod mark_list;
mod message;
mod nearest;
mod row;
mod rules;
mod store_runs;
mod table;
mod task_list;
mod text;

pub mod format;

pub use api_list::api;
pub use bind::*;
pub use call::{Call, Layer, LockSet, Mark};
pub use callback_list::{BackgroundWork, Callbacks, GpuWork, WorkProduct, callback};
pub use code::*;
pub use counted::{counted, grouped};
pub use creates::{Created, Creates};
pub use d3d11_desc::*;
pub use d3d11_list::d3d11;
pub use ddi_list::{Driver, DriverLayer, ddi};
pub use desc::*;
pub use event::{EventCode, Opcode};
pub use execution_desc::*;
pub use field::{Bytes, Field, HandleMap};
pub use hresult::{HResult, HResultCode};
pub use id::*;
pub use mark_list::mark;
pub use message::*;
pub use nearest::nearest;
pub use row::{CodecError, Decoder, Encoder};
pub use rules::{Chapter, RULES, Rule, rule, rules_page};
pub use store_runs::{StoreFolder, StoreRun, StoreRuns, StoreRunsError};
pub use table::{EventSchema, FieldKind, FieldSchema, FieldSink, Role, ScalarSchema, SchemaTable, Slot};
pub use task_list::task;
