//! What the fuzz targets share: files whose checksums are right whatever is in them, and everything that can be asked of a
//! trace.

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
pub use sidecar::{sidecar, unfinished};
