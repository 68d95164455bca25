//! d3d12.h, pipelines, signatures and query heaps. Written by tools/interfaces.py.

use super::define::interface;
use super::{ID3D12DeviceChild, ID3D12DeviceChildTable};
use super::{ID3D12Pageable, ID3D12PageableTable};
use crate::unsafe_abi::{Hresult, OutPointer};

interface! {
    /// ID3D12RootSignature.
    ID3D12RootSignature / ID3D12RootSignatureTable: ID3D12DeviceChild / ID3D12DeviceChildTable = 0xc54a6b66_72df_4ee8_8be5_a946a1429214 {
    }
}

interface! {
    /// ID3D12PipelineState.
    ID3D12PipelineState / ID3D12PipelineStateTable: ID3D12Pageable / ID3D12PageableTable = 0x765a30f3_f624_4c6f_a828_ace948622445 {
        8 get_cached_blob GetCachedBlob(pp_blob: OutPointer) -> Hresult;
    }
}

interface! {
    /// ID3D12QueryHeap.
    ID3D12QueryHeap / ID3D12QueryHeapTable: ID3D12Pageable / ID3D12PageableTable = 0x0d9658ae_ed45_469e_a61d_970ec583cab4 {
    }
}

interface! {
    /// ID3D12CommandSignature.
    ID3D12CommandSignature / ID3D12CommandSignatureTable: ID3D12Pageable / ID3D12PageableTable = 0xc36a797c_ec80_4f0a_8985_a7b2475082d1 {
    }
}
