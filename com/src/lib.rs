//! The simulated Direct3D 12 runtime as `libd3d12.so` and `libdxcore.so`, for programs that were not written for it.
//!
//! A client gets objects with the tables of functions that DirectX-Headers declares for Linux, or under Wine with those of
//! Windows. A method with a line in
//! the schema lists makes this call on the process's session ([`taut_capture::Session`]); other methods are counted as
//! unsupported and change nothing. `taut run` passes the session's configuration in a folder ([`RunFolder`]); without it
//! nothing is recorded. `docs/run.md` describes the behaviour for users.

#![cfg(target_os = "linux")]

mod classes;
mod client_events;
mod convert;
mod convert_list;
mod exports;
mod factory;
mod interface_names;
mod interfaces;
mod process;
mod root_signature;
mod run_folder;
mod threads;
mod unsafe_abi;
mod unsupported;
mod views;
mod windows_exports;
pub mod wine;
mod world;

pub use run_folder::{FOLDER_VARIABLE, RunConfig, RunFolder, Writing};
pub use unsafe_abi::{
    ClientAdapter, ClientAllocator, ClientDevice, ClientFence, ClientHeap, ClientList, ClientResource, client_adapter,
    client_device,
};
