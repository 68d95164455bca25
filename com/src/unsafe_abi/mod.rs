//! Boundary to the client's code: memory layout, pointers, tables of functions, exported functions. All `unsafe` code of
//! the crate is in this folder.
//!
//! The client is trusted to pass pointers that are null or point to what the headers document; all other errors are
//! answers.

#![allow(unsafe_code)]

mod eventfd;
mod exports;
mod fork;
mod instance;
mod interface;
mod plain;
mod pointer;
mod unknown;
mod window;

pub use eventfd::duplicate;
pub use fork::{end_process, is_main_thread, leaked, on_fork};
pub use instance::{Class, Interface, TablePointer, create, enter, give, query_interface_of, release};
pub(crate) use interface::interface;
pub use plain::*;
pub use pointer::{In, Opaque, Out, OutPointer};
pub use unknown::{IUNKNOWN, IUnknown, IUnknownTable};
pub use window::Window;
