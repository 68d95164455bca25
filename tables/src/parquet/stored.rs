//! Reader of Parquet files written by this crate: one row group at a time, several in parallel, and only the wanted
//! columns.

use super::checked::{KEY, Sum};
use super::part_sums::{self, PartSums};
use crate::error::TableError;
use crate::tables::{ColumnKind, Map, TableColumn, Take};
use polars::error::PolarsResult;
use polars::prelude::{DataFrame, DataType, Schema, SchemaExt};
use polars_io::SerReader;
use polars_io::parquet::read::{FileMetadata, ParallelStrategy, ParquetReader};
use rayon::prelude::*;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use taut_console::parquet_footer::Footer;

/// Number of row groups read in parallel. Bounds the memory that they take.
const GROUPS_AT_A_TIME: usize = 8;

/// An open file whose footer has been read and verified.
#[derive(Debug)]
pub(crate) struct StoredTable {
    file: File,
    metadata: Arc<FileMetadata>,
    columns: Vec<TableColumn>,
}

impl StoredTable {
    /// Opens a file; `None` if it is damaged, was not written by this crate, or has column types that no table has.
    pub fn open(file: File) -> Option<StoredTable> {
        if !Footer::verify(&file).ok()?.is_sound() {
            return None;
        }
        let mut reader = ParquetReader::new(file.try_clone().ok()?);
        let schema = Schema::from_arrow_schema(reader.schema().ok()?.as_ref());
        let metadata = reader.get_metadata().ok()?.clone();
        let columns: Option<Vec<TableColumn>> =
            schema.iter().map(|(name, kind)| TableColumn::from_data_type(name.as_str(), kind)).collect();
        Some(StoredTable { file, metadata, columns: columns? })
    }

    /// Returns the value of a metadata key.
    pub fn key(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata.key_value_metadata().iter().flatten();
        pairs.filter(|pair| pair.key == key).find_map(|pair| pair.value.as_deref())
    }

    /// True if the pages match their checksum.
    pub fn is_sound(&self) -> bool {
        let sum = self.key(KEY).and_then(Sum::from_text);
        sum.is_some_and(|sum| sum.is_of(&self.file).unwrap_or(false))
    }

    /// True if the named columns match their checksums. Verifies the whole file if it has no checksums per chunk.
    pub fn are_sound(&self, wanted: &[String]) -> bool {
        let (Some(sum), Some(parts)) = (self.key(KEY).and_then(Sum::from_text), self.key(part_sums::KEY)) else {
            return self.is_sound();
        };
        let Some(parts) = PartSums::from_text(parts, sum.bytes()) else { return false };
        let chunks = self.metadata.row_groups.iter().flat_map(|group| group.parquet_columns());
        let is_wanted = |name: &str| wanted.iter().any(|wanted| wanted == name);
        let own = chunks.filter(|chunk| chunk.descriptor().path_in_schema.first().is_some_and(|name| is_wanted(name)));
        parts.are_of(&self.file, own.map(|chunk| chunk.byte_range())).unwrap_or(false)
    }

    /// Columns of the file.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// Row range of each row group.
    pub fn groups(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let of = |rows: usize| {
            let from = at;
            at += rows;
            from..at
        };
        self.metadata.row_groups.iter().map(|group| group.num_rows()).map(of).collect()
    }

    /// Reads the named columns of a range of rows.
    ///
    /// # Errors
    /// The rows cannot be read.
    pub fn read(&self, wanted: &[String], rows: &Range<usize>, parallel: ParallelStrategy) -> PolarsResult<DataFrame> {
        let mut reader = ParquetReader::new(self.file.try_clone()?);
        reader.set_metadata(self.metadata.clone());
        reader
            .with_columns(Some(wanted.to_vec()))
            .with_slice(Some((rows.start, rows.len())))
            .read_parallel(parallel)
            .finish()
    }

    /// Reads the named columns in chunks, at least one. Each chunk goes through `map`, possibly several at once, and
    /// then in order to `take`, until `take` breaks.
    ///
    /// # Errors
    /// The rows cannot be read, or `map` or `take` failed.
    pub fn parts(&self, wanted: &[String], map: &Map<'_>, take: &mut Take<'_>) -> Result<(), TableError> {
        let groups = self.groups();
        if let [] | [_] = groups.as_slice() {
            let all = groups.first().cloned().unwrap_or_default();
            let _ = take(map(self.read(wanted, &all, ParallelStrategy::Columns)?)?)?;
            return Ok(());
        }
        for some in groups.chunks(GROUPS_AT_A_TIME) {
            let read = |rows: &Range<usize>| map(self.read(wanted, rows, ParallelStrategy::None)?);
            let results: Vec<Result<DataFrame, TableError>> = some.par_iter().map(read).collect();
            for part in results {
                if take(part?)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl TableColumn {
    /// Creates a column from a polars type; `None` for a type that no table has.
    fn from_data_type(name: &str, kind: &DataType) -> Option<TableColumn> {
        let single = |kind: &DataType| {
            Some(match kind {
                DataType::UInt64 => ColumnKind::U64,
                DataType::Int64 => ColumnKind::I64,
                DataType::Float64 => ColumnKind::F64,
                DataType::Boolean => ColumnKind::Bool,
                DataType::String => ColumnKind::Text,
                _ => return None,
            })
        };
        let DataType::List(element) = kind else { return Some(TableColumn::new(name, single(kind)?, "")) };
        let elements = match element.as_ref() {
            DataType::Struct(fields) => {
                let field = |field: &polars::prelude::Field| Some((field.name().to_string(), single(field.dtype())?));
                fields.iter().map(field).collect::<Option<Vec<_>>>()?
            }
            kind => vec![(String::new(), single(kind)?)],
        };
        Some(TableColumn { elements, ..TableColumn::new(name, ColumnKind::List, "") })
    }
}
