//! Where an image's bytes are.

use super::document::Document;
use super::uri::{Named, follow};
use gltf::json::image::Image;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

/// As much of an image inside other data as is looked at: more than any head with its metadata has.
const HEAD_BYTES: usize = 256 << 10;

/// An image's first bytes, to be read.
pub(super) enum Source {
    /// A file of its own.
    File(BufReader<File>),
    /// The first bytes of one inside a buffer or a URI.
    Memory(Cursor<Vec<u8>>),
}

/// Opens an image; `None` if it cannot be had. Indices were checked by [`super::size`].
pub(super) fn open(document: &Document, folder: &Path, image: &Image) -> Option<Source> {
    if let Some(uri) = &image.uri {
        return match follow(uri, HEAD_BYTES) {
            Named::Data(bytes) => Some(Source::Memory(Cursor::new(bytes))),
            Named::File(path) => Some(Source::File(BufReader::new(File::open(folder.join(path)).ok()?))),
            Named::Elsewhere => None,
        };
    }
    let view = document.root.buffer_views.get(image.buffer_view?.value())?;
    let buffer = document.root.buffers.get(view.buffer.value())?;
    let offset = view.byte_offset.map_or(0, |offset| offset.0);
    let length = view.byte_length.0.min(HEAD_BYTES as u64);
    let (start, length) = (usize::try_from(offset).ok()?, usize::try_from(length).ok()?);
    let end = start.checked_add(length)?;
    let bytes = match buffer.uri.as_deref().map(|uri| follow(uri, end)) {
        None => document.blob.as_deref()?.get(start..end)?.to_vec(),
        Some(Named::Data(bytes)) => bytes.get(start..end)?.to_vec(),
        Some(Named::File(path)) => {
            let mut file = File::open(folder.join(path)).ok()?;
            file.seek(SeekFrom::Start(offset)).ok()?;
            let mut bytes = Vec::new();
            file.take(length as u64).read_to_end(&mut bytes).ok()?;
            bytes
        }
        Some(Named::Elsewhere) => return None,
    };
    Some(Source::Memory(Cursor::new(bytes)))
}
