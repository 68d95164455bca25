//! Boundary to the client's code: memory layout, pointers, objects, tables of functions. All `unsafe` code of the crate is
//! in this folder.
//!
//! The client is trusted to pass pointers that are null or point to what the headers document; all other errors are
//! answers.

#![allow(unsafe_code)]

mod client;
mod convention;
mod destruction;
mod event;
mod feature_levels;
mod foreign;
mod graveyard;
mod hooks;
mod hresult;
mod instance;
mod linked;
mod notifier;
mod plain;
mod pointer;
mod process;
mod unknown;
mod wide_text;
mod window;
mod windows_events;
mod windows_function;
mod windows_functions;

pub use client::{
    ClientAdapter, ClientAllocator, ClientDevice, ClientFence, ClientHeap, ClientList, ClientResource, client_adapter,
    client_device,
};
pub use convention::{Function, Tables};
pub use destruction::{DestructionCallback, DestructionCallbacks};
pub use event::{Event, duplicate_event};
pub use feature_levels::FeatureLevels;
pub use foreign::Reference;
#[cfg(test)]
pub use foreign::output;
pub use hooks::{Hooks, queried, set_hooks};
pub use hresult::{Hresult, Refusal};
pub use instance::{Class, Interface, TablePointer, create, enter, enter_function, give, query_interface_of, release};
pub use linked::*;
pub use notifier::notifier_table;
pub use plain::*;
pub use pointer::{In, Opaque, Out, OutPointer};
pub use process::{close_in_copies, close_parents_files, end_process, is_main_thread, leaked, monotonic_ns, on_fork};
pub use unknown::{IUnknown, IUnknownTable};
pub use wide_text::{WideText, wide_bytes, wide_text};
pub use window::{Pitches, Window};
pub(crate) use windows_function::windows_function;
pub use windows_functions::{WindowsFunctions, set_windows_functions};
