//! Parquet files.

use crate::error::AnalyzeError;
use polars::prelude::DataFrame;
use polars_io::parquet::write::{KeyValueMetadata, ParquetCompression, ParquetWriter};
use std::io::Write;

/// Rows of a row group: enough to compress well, few enough to skip by.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// Writes a frame as a Parquet file, zstd-compressed, with key-value metadata.
///
/// # Errors
/// Writing failed.
pub(crate) fn write_parquet(
    mut frame: DataFrame,
    out: impl Write,
    keys: Vec<(String, String)>,
) -> Result<(), AnalyzeError> {
    let writer = ParquetWriter::new(out)
        .with_compression(ParquetCompression::Zstd(None))
        .with_row_group_size(Some(ROW_GROUP_ROWS))
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(keys)));
    writer.finish(&mut frame)?;
    Ok(())
}
