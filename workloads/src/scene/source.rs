//! Access to an image's bytes.

use super::document::Document;
use super::uri::{UriTarget, resolve};
use gltf::json::image::Image;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use taut_traces::open_regular;

/// Number of bytes read of an image inside other data: more than any header with its metadata has.
const HEAD_BYTES: usize = 256 << 10;

/// First bytes of an image, as a reader.
pub(super) enum Source {
    /// Separate file.
    File(BufReader<File>),
    /// First bytes of an image in a buffer or a URI.
    Memory(Cursor<Vec<u8>>),
}

/// Opens an image; `None` if it is not available. Indices were checked by [`super::size`].
pub(super) fn open(document: &Document, folder: &Path, image: &Image) -> Option<Source> {
    if let Some(uri) = &image.uri {
        return match resolve(uri, HEAD_BYTES) {
            UriTarget::Data(bytes) => Some(Source::Memory(Cursor::new(bytes))),
            UriTarget::File(path) => Some(Source::File(BufReader::new(open_regular(folder.join(path)).ok()?))),
            UriTarget::Unavailable => None,
        };
    }
    let view = document.root.buffer_views.get(image.buffer_view?.value())?;
    let buffer = document.root.buffers.get(view.buffer.value())?;
    let offset = view.byte_offset.map_or(0, |offset| offset.0);
    let length = view.byte_length.0.min(HEAD_BYTES as u64);
    let (start, length) = (usize::try_from(offset).ok()?, usize::try_from(length).ok()?);
    let end = start.checked_add(length)?;
    let bytes = match buffer.uri.as_deref().map(|uri| resolve(uri, end)) {
        None => document.blob.as_deref()?.get(start..end)?.to_vec(),
        Some(UriTarget::Data(bytes)) => bytes.get(start..end)?.to_vec(),
        Some(UriTarget::File(path)) => {
            let mut file = open_regular(folder.join(path)).ok()?;
            file.seek(SeekFrom::Start(offset)).ok()?;
            let mut bytes = Vec::new();
            file.take(length as u64).read_to_end(&mut bytes).ok()?;
            bytes
        }
        Some(UriTarget::Unavailable) => return None,
    };
    Some(Source::Memory(Cursor::new(bytes)))
}
