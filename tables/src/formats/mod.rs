//! Files for data tools.

mod figures;
mod lake;
mod parquet;

pub use figures::flat_parquet;
pub use lake::{LakeFile, write_lake};
pub(crate) use parquet::{ParquetFile, write_parquet};
