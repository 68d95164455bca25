//! Files for data tools.

mod checked;
mod figures;
mod lake;
mod parquet;
mod part_sums;
mod row_group;
mod stored;

pub(crate) use checked::Footer;
pub use figures::flat_parquet;
pub use lake::{Lake, LakeError, LakeFile, ReadLake, Told};
pub(crate) use lake::{LakeTable, layout};
pub(crate) use parquet::{ParquetFile, write_parquet};
pub(crate) use row_group::Packing;
pub(crate) use stored::StoredTable;
