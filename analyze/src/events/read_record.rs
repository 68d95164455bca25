//! Conversion of records to the values of a reader.

use taut_traces::ThreadExtract;

/// Converts a record to a value, from the index of its call's start and its own index among the records of their
/// events. The start's index is present for a stop only, and not if the start was lost.
pub(super) type RecordReader<'a, T> = Box<dyn Fn(Option<u32>, u32) -> Option<T> + 'a>;

/// Converts the records of one event to values.
pub(super) trait ReadRecord<T>: Send + Sync {
    /// Binds the reader to the records of a thread.
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> RecordReader<'a, T>;
}
