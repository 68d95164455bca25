//! Reader of the segments of a ring recording, which may be active.

use crate::format::error::Damage;
use crate::format::parse::run;
use crate::live::regular_file::open_regular_no_follow;
use crate::live::segment::{SEGMENT_HEAD_BYTES, SegmentHead, segment_path};
use crate::live::sparse::{read_at, size_before_hole};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Name of the structure in damage.
const SEGMENT: &str = "segment";

/// Max number of attempts to open the segments while the recorder removes the oldest one.
const MAX_ATTEMPTS: usize = 100;

/// Segments of a recording.
#[derive(Debug)]
pub(crate) struct Segments {
    /// Blocks of all segments, oldest first.
    pub blocks: Vec<u8>,
    /// Head of the oldest segment.
    pub oldest: SegmentHead,
    /// Holes in segments; offsets are within the segment.
    pub damage: Vec<Damage>,
}

/// Reads the segments of the trace with key `key` in `folder`; `None` if there is no such folder.
///
/// # Errors
/// The segments cannot be read, or belong to another trace.
pub(crate) fn read_segments(folder: &Path, key: u32) -> Result<Option<Segments>, Damage> {
    let damage = |expected: &str, found: String| Damage {
        offset: 0,
        what: SEGMENT,
        expected: expected.to_owned(),
        found,
        events_lost: None,
    };
    for _ in 0..MAX_ATTEMPTS {
        let numbers = match numbers(folder) {
            Ok(numbers) => numbers,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damage("a folder that can be read", error.to_string())),
        };
        let mut segments: Option<Segments> = None;
        let mut is_gone = false;
        for number in numbers {
            let (bytes, size_bytes) = match read_segment(&segment_path(folder, number)) {
                Ok(read) => read,
                Err(error) if is_removed(&error) => {
                    is_gone = true;
                    break;
                }
                Err(error) => return Err(damage("a file that can be read", error.to_string())),
            };
            if bytes.len() < SEGMENT_HEAD_BYTES {
                // The newest segment, whose head is not written yet.
                continue;
            }
            let head = run(0, SEGMENT, &bytes, SegmentHead::parse)?;
            if (head.key, head.sequence) != (key, number) {
                let found = format!("number {} of a trace with key {:#010x}", head.sequence, head.key);
                return Err(damage(&format!("number {number} of the trace with key {key:#010x}"), found));
            }
            let segments =
                segments.get_or_insert_with(|| Segments { blocks: Vec::new(), oldest: head, damage: Vec::new() });
            if (bytes.len() as u64) < size_bytes {
                let damage = damage(&format!("{size_bytes} bytes of segment {number}"), "a hole".to_owned());
                segments.damage.push(Damage { offset: bytes.len() as u64, ..damage });
            }
            segments.blocks.extend_from_slice(&bytes[SEGMENT_HEAD_BYTES..]);
        }
        if !is_gone {
            return Ok(segments);
        }
    }
    Err(damage("segments that stay while they are read", "others each time".to_owned()))
}

/// True if the error is that of a removed file. Windows refuses to open one that another reader has open.
fn is_removed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound || (cfg!(windows) && error.kind() == ErrorKind::PermissionDenied)
}

/// Bytes of a segment up to its first hole, and its size. A recorder only appends, so a hole is not part of a
/// recording.
fn read_segment(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let file = open_regular_no_follow(path)?;
    let size_bytes = file.metadata()?.len();
    let read_bytes = usize::try_from(size_before_hole(&file)?).map_err(io::Error::other)?;
    Ok((read_at(&file, 0, read_bytes)?, size_bytes))
}

/// Numbers of the segments in a folder, ascending: the last run of consecutive numbers.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        numbers.extend(entry?.file_name().to_string_lossy().parse::<u64>().ok());
    }
    numbers.sort_unstable();
    let gap = numbers.windows(2).rposition(|pair| matches!(pair, [before, after] if before + 1 != *after));
    Ok(numbers.split_off(gap.map_or(0, |gap| gap + 1)))
}
