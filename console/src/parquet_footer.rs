//! Footer of the Parquet files that `taut-tables` writes, with its checksum: a marker stands before the footer, then the
//! length of the page indices in front of the marker (u32), then the CRC-32C of these indices and the footer.

use std::fs::File;
use std::io::{Read, Result as IoResult, Seek, SeekFrom};

/// First and last bytes of a Parquet file.
pub(crate) const PARQUET: &[u8; 4] = b"PAR1";

/// Marker directly before the footer, whose integrity polars assumes.
pub const BEFORE_FOOTER: &[u8; 8] = b"TAUTSUM\n";

/// Size of the marker with the length and the checksum after it.
pub(crate) const BEFORE_FOOTER_BYTES: u64 = 16;

/// Size of the footer's length field and the closing magic `PAR1`.
pub const ENDING_BYTES: u64 = 8;

/// Maximum size of a footer with page indices. A footer grows with columns and row groups, and 1,000 of each take less;
/// a sparse file may claim 8 GiB. Readers and the cache have one limit: a cached table that is read can be removed.
pub const MAX_FOOTER_BYTES: u64 = 256 << 20;

/// Result of verifying a file's footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Footer {
    /// The footer matches its checksum; its bytes from after the checksum to the file's end.
    Sound(Vec<u8>),
    Damaged,
    /// The file has no checksum: another program wrote it, or an earlier version of this one.
    WithoutSum,
}

impl Footer {
    /// Verifies a file's footer.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn verify(mut file: &File) -> IoResult<Footer> {
        let bytes = file.seek(SeekFrom::End(0))?;
        let Some(ending) = bytes.checked_sub(ENDING_BYTES) else { return Ok(Footer::Damaged) };
        let footer_length = footer_bytes(&read_at(file, ending)?);
        let start = footer_length.and_then(|length| bytes.checked_sub(length + BEFORE_FOOTER_BYTES));
        let Some(start) = start else { return Ok(Footer::Damaged) };
        let before = read_at::<{ BEFORE_FOOTER_BYTES as usize }>(file, start)?;
        let Some([a, b, c, d, sum @ ..]) = before.strip_prefix(BEFORE_FOOTER) else { return Ok(Footer::WithoutSum) };
        let indices = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
        let Some(first) = start.checked_sub(indices).filter(|first| bytes - first <= MAX_FOOTER_BYTES) else {
            return Ok(Footer::Damaged);
        };
        file.seek(SeekFrom::Start(first))?;
        let mut found = Vec::new();
        file.take(bytes - first).read_to_end(&mut found)?;
        let after = (start - first + BEFORE_FOOTER_BYTES) as usize;
        // The file may have become shorter meanwhile.
        let Some((indices, footer)) = found.split_at_checked(after) else { return Ok(Footer::Damaged) };
        let indices = &indices[..after - BEFORE_FOOTER_BYTES as usize];
        Ok(if sum == sum_of(indices, footer) { Footer::Sound(footer.to_vec()) } else { Footer::Damaged })
    }

    /// True if the footer matches its checksum.
    pub fn is_sound(&self) -> bool {
        matches!(self, Footer::Sound(_))
    }
}

/// CRC-32C of a file's page indices and footer.
pub fn sum_of(indices: &[u8], footer: &[u8]) -> [u8; 4] {
    crc32c::crc32c_append(crc32c::crc32c(indices), footer).to_le_bytes()
}

/// Size of a footer with its length field and magic; `None` if the file does not end as Parquet does.
pub fn footer_bytes(ending: &[u8; ENDING_BYTES as usize]) -> Option<u64> {
    let [a, b, c, d, b'P', b'A', b'R', b'1'] = ending else { return None };
    Some(u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + ENDING_BYTES)
}

fn read_at<const N: usize>(mut file: &File, at: u64) -> IoResult<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
