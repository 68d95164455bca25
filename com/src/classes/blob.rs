//! Blobs: bytes that the library gives to its client.

use crate::interfaces::{ID3D10Blob, ID3D10BlobTable};
use crate::unsafe_abi::{Class, Guid, Opaque, TablePointer, Tables};

/// ID3DBlob.
pub struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// IID of the blob.
    pub const ID: Guid = <Blob as ID3D10Blob>::IID;

    /// Creates a blob.
    pub fn new(bytes: Vec<u8>) -> Blob {
        Blob { bytes }
    }
}

impl Class for Blob {
    const INTERFACES: &'static [Guid] = &[<Blob as ID3D10Blob>::IID];

    fn table() -> TablePointer {
        static TABLES: Tables<ID3D10BlobTable> = ID3D10BlobTable::of::<Blob>();
        TablePointer::new(&TABLES)
    }
}

impl ID3D10Blob for Blob {
    fn get_buffer_pointer(&self) -> Opaque {
        Opaque::to(&self.bytes)
    }

    fn get_buffer_size(&self) -> usize {
        self.bytes.len()
    }
}
