//! Container of a .glb file: a header, then chunks (glTF 2.0, 4.4).

use super::error::SceneError;

/// Size in bytes of the header: magic, version and length, four bytes each.
pub(super) const GLB_HEAD_BYTES: usize = 12;
/// Size in bytes of a chunk's header: length and type.
const CHUNK_HEAD_BYTES: usize = 8;
const MAGIC: &[u8] = b"glTF";
/// Version of the container, equal to the version of glTF.
const VERSION: u32 = 2;

/// Parts of a file.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// Content of the binary chunk.
    pub blob: Option<&'a [u8]>,
    /// Bytes after the length that the header declares.
    pub trailing_bytes: u64,
}

/// Returns the size that the header of a .glb file declares; `None` for other files.
pub(super) fn glb_bytes(head: &[u8]) -> Option<u64> {
    head.strip_prefix(MAGIC).and_then(|rest| word(rest, 4)).map(u64::from)
}

impl<'a> Container<'a> {
    /// Finds the chunks of a .glb file; a .gltf file is its JSON.
    ///
    /// # Errors
    /// The version is not 2, a length goes beyond the file or the container, or the first chunk is not JSON.
    pub(super) fn new(bytes: &'a [u8], origin: &str) -> Result<Container<'a>, SceneError> {
        if !bytes.starts_with(MAGIC) {
            return Ok(Container { json: bytes, blob: None, trailing_bytes: 0 });
        }
        let wrong =
            |expected: String, found: String| SceneError::Container { origin: origin.to_owned(), expected, found };
        let file = || format!("a file of {} bytes", bytes.len());
        let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
            return Err(wrong(format!("a .glb head of {GLB_HEAD_BYTES} bytes"), file()));
        };
        if version == 1 {
            return Err(wrong("glTF 2.x".to_owned(), "glTF 1.0 (KHR_binary_glTF), which is not read".to_owned()));
        }
        if version != VERSION {
            return Err(wrong(format!("a .glb of version {VERSION}"), format!("version {version}")));
        }
        let whole = bytes.get(..length as usize).filter(|whole| whole.len() >= GLB_HEAD_BYTES);
        let Some(whole) = whole else {
            return Err(wrong(format!("the {length} bytes that the .glb head states"), file()));
        };
        let (mut json, mut blob, mut at) = (None, None, GLB_HEAD_BYTES);
        while at < whole.len() {
            let (size, kind) = match (word(whole, at), whole.get(at + 4..at + CHUNK_HEAD_BYTES)) {
                (Some(size), Some(kind)) => (size as usize, kind),
                _ => {
                    let found = format!("{} at byte {at}", taut_schemas::counted((whole.len() - at) as u64, "byte"));
                    return Err(wrong(format!("a chunk's head of {CHUNK_HEAD_BYTES} bytes"), found));
                }
            };
            let begin = at + CHUNK_HEAD_BYTES;
            let left = whole.len() - begin;
            let Some(chunk) = whole[begin..].get(..size) else {
                let found = format!("one of {size} bytes at byte {at}");
                return Err(wrong(format!("a chunk of at most {left} bytes"), found));
            };
            match (kind, at) {
                (b"JSON", GLB_HEAD_BYTES) => json = Some(chunk),
                (_, GLB_HEAD_BYTES) => {
                    return Err(wrong("a JSON chunk first".to_owned(), format!("a chunk \"{}\"", kind.escape_ascii())));
                }
                (b"BIN\0", _) if blob.is_none() => blob = Some(chunk),
                // Clients must ignore chunks of other types (4.4.3.1).
                _ => {}
            }
            at = begin + size;
        }
        let json = json.ok_or_else(|| wrong("a JSON chunk".to_owned(), "a .glb without chunks".to_owned()))?;
        Ok(Container { json, blob, trailing_bytes: (bytes.len() - whole.len()) as u64 })
    }
}

/// Returns the little-endian word at a position, if the bytes have it.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word))
}
