//! Parquet files: writer, reader, checksums; and lakes of them.

mod checked;
mod figures;
mod file;
mod lake;
mod part_sums;
mod row_group;
mod stored;

pub use figures::flat_parquet;
pub(crate) use file::{ParquetFile, write_parquet};
pub use lake::{Lake, LakeError, LakeFile, ReadLake, TraceSource};
pub(crate) use lake::{LakeTable, layout};
pub(crate) use row_group::Packing;
pub(crate) use stored::StoredTable;
