//! d3dcommon.h. Written by tools/interfaces.py.

use super::define::interface;
use crate::unsafe_abi::{IUnknown, IUnknownTable, Opaque};

interface! {
    /// ID3D10Blob.
    ID3D10Blob / ID3D10BlobTable: IUnknown / IUnknownTable = 0x8ba5fb08_5195_40e2_ac58_0d989c3a0102 {
        3 get_buffer_pointer GetBufferPointer() -> Opaque;
        4 get_buffer_size GetBufferSize() -> usize;
    }
}
