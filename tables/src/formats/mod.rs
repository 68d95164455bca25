//! Files for data tools.

mod figures;
mod lake;
mod parquet;

pub use figures::flat_parquet;
pub use lake::{Lake, LakeFile, Told};
pub(crate) use parquet::{ParquetFile, write_parquet};
