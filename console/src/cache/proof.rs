//! Proof that a cache file was written by `taut`, which is required before it is removed or replaced.

use crate::own_file::open_own;
use crate::parquet_footer::{BEFORE_FOOTER, Footer, PARQUET};
use std::fs::File;
use std::io::{Read, Result as IoResult, Seek, SeekFrom};
use std::path::Path;

/// Footer key that only cached tables have; its value is the trace and the program that the table was computed by.
const SOURCE_KEY: &[u8] = b"tautline.source";

/// The same key in tables of builds before version 0.1.0; without it they would stay in the cache forever.
const FORMER_SOURCE_KEY: &[u8] = b"tautline.made_of";

/// True if the file is a complete cached table of this user: magic numbers, key, and checksum of the footer.
pub(super) fn is_whole_table(path: &Path) -> bool {
    open_own(path).is_ok_and(|file| has_sound_footer(&file).unwrap_or(false))
}

/// True if the file may be replaced at a table's path: it belongs to this user, and is a complete table, a damaged one
/// that still has a marker or key, or empty (as a power cut leaves files).
pub(super) fn is_remnant_of_table(path: &Path) -> bool {
    let Ok(file) = open_own(path) else { return false };
    has_marks(&file).unwrap_or(false) || has_sound_footer(&file).unwrap_or(false)
}

/// True if the file is the beginning of an unfinished table.
pub(super) fn is_unfinished_table(path: &Path) -> bool {
    let Ok(mut file) = open_own(path) else { return false };
    let mut start = Vec::new();
    let read = Read::by_ref(&mut file).take(PARQUET.len() as u64).read_to_end(&mut start);
    read.is_ok() && PARQUET.starts_with(&start)
}

fn has_sound_footer(mut file: &File) -> IoResult<bool> {
    let mut start = [0; PARQUET.len()];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut start)?;
    Ok(start == *PARQUET && matches!(Footer::verify(file)?, Footer::Sound(footer) if holds_source_key(&footer)))
}

/// True if the file is empty, or has a table's marker or key near its end.
fn has_marks(mut file: &File) -> IoResult<bool> {
    /// Size of the searched part at the file's end.
    const TAIL_BYTES: u64 = 1 << 20;
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL_BYTES)))?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    Ok(bytes == 0 || holds(&tail, BEFORE_FOOTER) || holds_source_key(&tail))
}

fn holds_source_key(bytes: &[u8]) -> bool {
    holds(bytes, SOURCE_KEY) || holds(bytes, FORMER_SOURCE_KEY)
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|found| found == word)
}

/// Bytes of a complete table with `content` as its pages.
#[cfg(test)]
pub(super) fn sample(content: &[u8]) -> Vec<u8> {
    sample_with_footer(content, &[SOURCE_KEY, b"\x18\x0bsome trace"].concat())
}

/// Bytes of a complete table with these pages and this footer.
#[cfg(test)]
fn sample_with_footer(content: &[u8], footer: &[u8]) -> Vec<u8> {
    let length = (footer.len() as u32).to_le_bytes();
    let end = [footer, &length, PARQUET].concat();
    let sum = crc32c::crc32c(&end).to_le_bytes();
    [PARQUET, content, BEFORE_FOOTER, &[0; 4], &sum, &end].concat()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parquet_footer::{BEFORE_FOOTER_BYTES, ENDING_BYTES, MAX_FOOTER_BYTES};

    #[test]
    fn a_table_proves_itself_by_magic_key_and_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.table");
        let is_whole = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            is_whole_table(&path)
        };
        let sound = sample(&[7; 100]);
        assert!(is_whole(&sound));
        let footer = sound.len() - 50;
        for at in (0..4).chain(footer..sound.len()) {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x20;
            assert!(!is_whole(&damaged), "byte {at}");
        }
        (0..sound.len()).for_each(|length| assert!(!is_whole(&sound[..length]), "{length} bytes"));
        for theirs in [&b""[..], b"Dear diary", b"PAR1PAR1", &[b'P'; 4096]] {
            assert!(!is_whole(theirs));
        }
    }

    #[test]
    fn a_table_of_an_earlier_build_is_removed_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.table");
        std::fs::write(&path, sample_with_footer(b"pages", FORMER_SOURCE_KEY)).unwrap();
        assert!(is_whole_table(&path) && is_remnant_of_table(&path));
    }

    /// A table that the reader accepts and the cache does not would never be removed.
    #[test]
    fn a_footer_of_any_size_that_is_read_is_proof() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.table");
        let is_whole = |footer_bytes: u64| {
            let mut footer = SOURCE_KEY.to_vec();
            footer.resize(footer_bytes as usize, 0);
            std::fs::write(&path, sample_with_footer(b"", &footer)).unwrap();
            is_whole_table(&path)
        };
        let around = BEFORE_FOOTER_BYTES + ENDING_BYTES;
        assert!(is_whole(65 << 20) && is_whole(MAX_FOOTER_BYTES - around));
        assert!(!is_whole(MAX_FOOTER_BYTES - around + 1));
    }

    #[test]
    fn a_text_is_no_remnant_of_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.table");
        let is_remnant = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            is_remnant_of_table(&path)
        };
        let sound = sample(&[7; 100]);
        assert!(is_remnant(b"") && is_remnant(&sound) && is_remnant(&sound[..sound.len() - 1]));
        assert!(!is_remnant(b"Dear diary") && !is_remnant(b"PAR1 of somebody else"));
    }
}
