//! d3d12.h, interfaces that all objects share. Written by tools/interfaces.py.

use super::define::interface;
use crate::unsafe_abi::{Guid, Hresult, IUnknown, IUnknownTable, In, Interface, Out, OutPointer, WideText};

interface! {
    /// ID3D12Object.
    ID3D12Object / ID3D12ObjectTable: IUnknown / IUnknownTable = 0xc4fec28f_7966_4e95_9f94_f431cb56c3b8 {
        3 get_private_data GetPrivateData(guid: In<Guid>, p_data_size: Out<u32>, p_data: Out<u8>) -> Hresult;
        4 set_private_data SetPrivateData(guid: In<Guid>, data_size: u32, p_data: In<u8>) -> Hresult;
        5 set_private_data_interface SetPrivateDataInterface(guid: In<Guid>, p_data: Interface) -> Hresult;
        6 set_name SetName(name: WideText) -> Hresult;
    }
}

interface! {
    /// ID3D12DeviceChild.
    ID3D12DeviceChild / ID3D12DeviceChildTable: ID3D12Object / ID3D12ObjectTable = 0x905db94b_a00c_4140_9df5_2b64ca9ea357 {
        7 get_device GetDevice(riid: In<Guid>, ppv_device: OutPointer) -> Hresult;
    }
}

interface! {
    /// ID3D12Pageable.
    ID3D12Pageable / ID3D12PageableTable: ID3D12DeviceChild / ID3D12DeviceChildTable = 0x63ee58fb_1268_4835_86da_f008ce62f0d6 {
    }
}
