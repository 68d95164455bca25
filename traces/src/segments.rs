//! The segments of a recording that keeps only its last, read; it may still be going on.

use crate::error::Damage;
use crate::parse::run;
use crate::segment::{SEGMENT_HEAD_BYTES, SegmentHead, segment_path};
use std::io::{self, ErrorKind};
use std::path::Path;

/// What sentences call one.
const SEGMENT: &str = "segment";

/// Times that a folder is looked at again whose oldest segment went meanwhile.
const LOOKS: usize = 100;

/// The segments that are there.
#[derive(Debug)]
pub(crate) struct Segments {
    /// Their blocks, oldest first.
    pub blocks: Vec<u8>,
    /// What the oldest begins with.
    pub oldest: SegmentHead,
}

/// Reads those of the trace with this key in `folder`; none if there is no such folder.
///
/// # Errors
/// They cannot be read, or are of another trace.
pub(crate) fn read_segments(folder: &Path, key: u32) -> Result<Option<Segments>, Damage> {
    let damage = |expected: &str, found: String| Damage {
        offset: 0,
        what: SEGMENT,
        expected: expected.to_owned(),
        found,
        events_lost: None,
    };
    for _ in 0..LOOKS {
        let numbers = match numbers(folder) {
            Ok(numbers) => numbers,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damage("a folder that can be read", error.to_string())),
        };
        let mut segments: Option<Segments> = None;
        let mut is_gone = false;
        for number in numbers {
            let bytes = match std::fs::read(segment_path(folder, number)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    is_gone = true;
                    break;
                }
                Err(error) => return Err(damage("a file that can be read", error.to_string())),
            };
            if bytes.len() < SEGMENT_HEAD_BYTES {
                // The newest, of which nothing is there yet.
                continue;
            }
            let head = run(0, SEGMENT, &bytes, SegmentHead::parse)?;
            if (head.key, head.sequence) != (key, number) {
                let found = format!("number {} of a trace with key {:#010x}", head.sequence, head.key);
                return Err(damage(&format!("number {number} of the trace with key {key:#010x}"), found));
            }
            let segments = segments.get_or_insert_with(|| Segments { blocks: Vec::new(), oldest: head });
            segments.blocks.extend_from_slice(&bytes[SEGMENT_HEAD_BYTES..]);
        }
        if !is_gone {
            return Ok(segments);
        }
    }
    Err(damage("segments that stay while they are read", "others each time".to_owned()))
}

/// The numbers of the segments in a folder, rising: the last of those that follow each other.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        numbers.extend(entry?.file_name().to_string_lossy().parse::<u64>().ok());
    }
    numbers.sort_unstable();
    let gap = numbers.windows(2).rposition(|pair| matches!(pair, [before, after] if before + 1 != *after));
    Ok(numbers.split_off(gap.map_or(0, |gap| gap + 1)))
}
