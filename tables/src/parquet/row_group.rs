//! Row groups of Parquet files: encoded and compressed column by column, on all cores.

use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{ChunkedArray, Column, CompatLevel, DataFrame, DataType, PolarsNumericType};
use polars_parquet::write::{
    CompressedPage, CompressionOptions, DynIter, DynStreamingIterator, Encoding, FileWriter, ParquetType,
    StatisticsOptions, Version, WriteOptions, array_to_columns, compress, fallible_streaming_iterator,
};
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::Hash;
use std::io::Write;

/// Trade-off between size and speed of a Parquet file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Smallest size, for files that are stored or sent.
    Small,
    /// Uncompressed, for cache files that are soon read back.
    Quick,
}

/// Number of values sampled to choose a column's encoding.
const SAMPLE: usize = 1024;

impl Packing {
    pub fn options(self) -> WriteOptions {
        let (compression, statistics) = match self {
            Packing::Small => (CompressionOptions::Zstd(None), StatisticsOptions::default()),
            Packing::Quick => (CompressionOptions::Uncompressed, StatisticsOptions::empty()),
        };
        WriteOptions { statistics, version: Version::V1, compression, data_page_size: None }
    }

    /// Returns the encoding of a column of numbers; `None` for the default of its type.
    fn encoding_of(self, column: &Column) -> Option<Encoding> {
        let series = column.as_materialized_series();
        let many_values = match column.dtype() {
            DataType::Int64 => has_many_values(series.i64().ok()?),
            DataType::UInt64 => has_many_values(series.u64().ok()?),
            _ => return None,
        };
        match self {
            Packing::Quick => Some(Encoding::Plain),
            // Stamps, counters and handles mostly grow by small steps, which delta encoding stores in a few bits.
            Packing::Small if many_values => Some(Encoding::DeltaBinaryPacked),
            Packing::Small => None,
        }
    }
}

/// True if more than a quarter of the sampled values are distinct.
fn has_many_values<T: PolarsNumericType<Native: Hash + Eq>>(values: &ChunkedArray<T>) -> bool {
    let sample = values.slice(0, SAMPLE);
    let different: HashSet<_> = sample.iter().flatten().collect();
    different.len() > sample.len() / 4
}

/// Writes one row group.
///
/// # Errors
/// The rows cannot be encoded or written.
pub(super) fn write<W: Write>(
    writer: &mut FileWriter<W>,
    packing: Packing,
    encodings: &[Vec<Encoding>],
    rows: &DataFrame,
) -> PolarsResult<()> {
    let types: Vec<ParquetType> = writer.parquet_schema().fields().to_vec();
    let own: Vec<Vec<Encoding>> = rows
        .columns()
        .iter()
        .zip(encodings)
        .map(|(column, of_type)| packing.encoding_of(column).map_or_else(|| of_type.clone(), |encoding| vec![encoding]))
        .collect();
    let options = packing.options();
    for batch in rows.iter_chunks(CompatLevel::newest(), false).filter(|batch| !batch.is_empty()) {
        let encode = |((array, kind), encodings): ((_, &ParquetType), &Vec<Encoding>)| -> PolarsResult<_> {
            let columns = array_to_columns(array, kind.clone(), options, encodings)?;
            let pages = columns.into_iter().map(|pages| {
                pages
                    .map(|page| Ok(compress(page?, Vec::new(), options.compression)?))
                    .collect::<PolarsResult<Vec<_>>>()
            });
            pages.collect::<PolarsResult<Vec<Vec<CompressedPage>>>>()
        };
        let encoded = batch.columns().par_iter().zip(types.par_iter()).zip(own.par_iter()).map(encode);
        let encoded: Vec<Vec<Vec<CompressedPage>>> = encoded.collect::<PolarsResult<_>>()?;
        let columns = encoded.iter().flatten().map(|pages| {
            let pages = fallible_streaming_iterator::convert(pages.iter().map(PolarsResult::Ok));
            Ok::<_, PolarsError>(DynStreamingIterator::new(pages))
        });
        writer.write(batch.len() as u64, DynIter::new(columns))?;
    }
    Ok(())
}
