//! Records that one thread splits and another interprets: each takes about half of the time of reading a capture.

use csv::ByteRecord;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::Builder;

/// Maximum number of records of a batch.
const BATCH_RECORDS: usize = 512;
/// Number of bytes of cells after which a batch ends.
const BATCH_BYTES: usize = 128 << 10;
/// Number of batches that wait to be interpreted.
const WAITING_BATCHES: usize = 2;

/// Records with their memory, of which the first `used` are filled.
#[derive(Default)]
struct Batch {
    records: Vec<ByteRecord>,
    used: usize,
}

impl Batch {
    /// Fills the batch with records from `next`, which returns false at the end. Returns true if there may be more.
    fn fill(&mut self, next: &mut impl FnMut(&mut ByteRecord) -> io::Result<bool>) -> io::Result<bool> {
        self.used = 0;
        let mut bytes = 0;
        while self.used < BATCH_RECORDS && bytes < BATCH_BYTES {
            if self.used == self.records.len() {
                self.records.push(ByteRecord::new());
            }
            let record = &mut self.records[self.used];
            if !next(record)? {
                return Ok(false);
            }
            bytes += record.as_slice().len();
            self.used += 1;
        }
        // A batch of long records gives their memory back.
        if bytes > 2 * BATCH_BYTES {
            self.records.truncate(self.used);
            self.records.shrink_to_fit();
        }
        Ok(true)
    }
}

/// Passes each record of `next` to `interpret`, in order. `next` returns false at the end, and runs on a thread of its own
/// if there are more records than one batch has.
///
/// # Errors
/// `next` failed, or the system has no thread; the records before were interpreted.
pub(super) fn in_batches(
    mut next: impl FnMut(&mut ByteRecord) -> io::Result<bool> + Send,
    mut interpret: impl FnMut(&ByteRecord),
) -> io::Result<()> {
    let mut batch = Batch::default();
    let filled = batch.fill(&mut next);
    batch.records[..batch.used].iter().for_each(&mut interpret);
    if !filled? {
        return Ok(());
    }
    let (filled_batches, batches) = sync_channel(WAITING_BATCHES);
    let (empty_batches, spare_batches) = channel();
    std::thread::scope(|scope| {
        let splitter = Builder::new().name("capture rows".to_owned());
        let splitter = splitter.spawn_scoped(scope, move || split(&mut next, &filled_batches, &spare_batches))?;
        for batch in batches {
            let Batch { records, used } = &batch;
            records[..*used].iter().for_each(&mut interpret);
            // The splitter has ended if nobody receives the batch.
            let _ = empty_batches.send(batch);
        }
        splitter.join().unwrap_or_else(|_| Err(io::Error::other("the thread that splits rows panicked")))
    })
}

/// Fills batches until the end of the records or the first error.
fn split(
    next: &mut impl FnMut(&mut ByteRecord) -> io::Result<bool>,
    filled_batches: &SyncSender<Batch>,
    spare_batches: &Receiver<Batch>,
) -> io::Result<()> {
    loop {
        let mut batch = spare_batches.try_recv().unwrap_or_default();
        let filled = batch.fill(next);
        // The interpreting thread receives until this thread drops the sender.
        let _ = filled_batches.send(batch);
        if !filled? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interprets `count` records of `bytes` bytes, of which number `fails_at` cannot be read; returns the numbers seen.
    fn seen(count: usize, bytes: usize, fails_at: Option<usize>) -> (Vec<usize>, io::Result<()>) {
        let mut number = 0;
        let next = |record: &mut ByteRecord| {
            if fails_at == Some(number) {
                return Err(io::Error::other("unreadable"));
            }
            record.clear();
            record.push_field(format!("{number}{}", " ".repeat(bytes)).as_bytes());
            number += 1;
            Ok(number <= count)
        };
        let mut numbers = Vec::new();
        let result = in_batches(next, |record| {
            numbers.push(String::from_utf8_lossy(&record[0]).trim().parse().unwrap());
        });
        (numbers, result)
    }

    #[test]
    fn every_record_is_interpreted_once_and_in_order() {
        for count in [0, 1, BATCH_RECORDS - 1, BATCH_RECORDS, BATCH_RECORDS + 1, 10 * BATCH_RECORDS] {
            let (numbers, result) = seen(count, 8, None);
            assert!(result.is_ok());
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
        let (numbers, _) = seen(40, BATCH_BYTES, None);
        assert_eq!(numbers, (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn records_before_an_error_are_interpreted() {
        for fails_at in [0, 3, BATCH_RECORDS, 5 * BATCH_RECORDS + 7] {
            let (numbers, result) = seen(100 * BATCH_RECORDS, 8, Some(fails_at));
            assert_eq!(result.unwrap_err().to_string(), "unreadable");
            assert_eq!(numbers, (0..fails_at).collect::<Vec<_>>());
        }
    }
}
