//! Shared parts of the fuzz targets: files whose checksums are correct whatever their contents, and calls of every
//! reader.

mod container;
mod folder;
mod read;
mod schema;
mod seeds;
mod sidecar;

pub use container::{file_of_block, file_of_text, mend};
pub use folder::folder;
pub use read::{begin, read_everything};
pub use schema::{block, records, table, trace};
pub use sidecar::{segment, sidecar, unfinished};
