//! Events that Windows reports: of each, the provider, the ids in ETW, and the fields that analyses read.
//!
//! The events of an imported trace keep the names of Windows. A line has the same meaning in all versions of its event;
//! a field that a version lacks is `None`, or empty.

mod define;
mod lists;

pub use define::{WindowsEvent, WindowsField, WindowsFields};
pub use lists::*;
