//! Text that may be compressed with gzip.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// First bytes of a gzip stream (RFC 1952, section 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Size in bytes of the read buffers.
const BUFFER_BYTES: usize = 256 << 10;

/// Source with its content, and whether it is compressed.
pub(crate) struct Decompressed {
    pub source: Box<dyn BufRead + Send>,
    pub is_gzip: bool,
}

/// Returns the content of a source, which is decompressed if it begins like a gzip stream.
pub(crate) fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Decompressed> {
    let mut magic = Vec::with_capacity(MAGIC.len());
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    let is_gzip = magic == MAGIC;
    // The bytes read to detect the format are chained in front of the rest.
    let whole = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(magic).chain(source));
    let source: Box<dyn BufRead + Send> = match is_gzip {
        true => Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(whole))),
        false => Box::new(whole),
    };
    Ok(Decompressed { source, is_gzip })
}
