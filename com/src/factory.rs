//! Exported functions: the first objects that a client gets.

use crate::classes::{Adapter, AdapterFactory, Blob, Device, DxgiAdapter, DxgiFactory, check_minimum};
use crate::root_signature;
use crate::unsafe_abi::{Guid, Hresult, Interface, OutPointer, RootSignatureDesc, give};
use crate::unsupported::Method;
use crate::world;
use taut_schemas::{AdapterId, HResultCode, d3d12};

/// Name of the exporting library, for counts.
const LIBRARY: &str = "libd3d12.so";

/// Text of the error of a description that is no root signature, with an end.
const INVALID_ROOT_SIGNATURE: &[u8] =
    b"expected version 1 to 3, at most 64 parameters of types 0 to 4, and arrays that are not NULL\0";

/// D3D12CreateDevice. Without an output nothing is created.
pub fn create_device(adapter: Interface, minimum_feature_level: u32, id: Option<Guid>, out: OutPointer) -> Hresult {
    out.clear();
    let adapter = if adapter.is_null() {
        AdapterId::FIRST
    } else {
        let found = adapter.class::<Adapter>().map(|adapter| adapter.adapter);
        match found.or_else(|| adapter.class::<DxgiAdapter>().map(|adapter| adapter.adapter)) {
            Some(adapter) => adapter,
            None => return HResultCode::E_INVALIDARG.into(),
        }
    };
    if let Err(code) = check_minimum(minimum_feature_level) {
        return code.into();
    }
    if out.is_null() {
        return HResultCode::S_FALSE.into();
    }
    match world::begin() {
        Ok(world) => {
            let create_device = d3d12::CreateDevice { minimum_feature_level, adapter };
            Device::give(world, create_device, id, out)
        }
        Err(code) => code.into(),
    }
}

/// DXCoreCreateAdapterFactory.
pub fn create_adapter_factory(id: Option<Guid>, out: OutPointer) -> Hresult {
    out.clear();
    match world::begin() {
        Ok(world) => give(AdapterFactory { world }, id, out),
        Err(code) => code.into(),
    }
}

/// CreateDXGIFactory2, and with the flags 0 its earlier forms.
pub fn create_dxgi_factory(flags: u32, id: Option<Guid>, out: OutPointer) -> Hresult {
    out.clear();
    match world::begin() {
        Ok(world) => DxgiFactory::give(world, flags, id, out),
        Err(code) => code.into(),
    }
}

/// D3D12SerializeRootSignature and, with the description's version, D3D12SerializeVersionedRootSignature.
pub fn serialize_root_signature(
    version: u32,
    desc: Option<RootSignatureDesc>,
    blob: OutPointer,
    error: OutPointer,
) -> Hresult {
    error.clear();
    blob.clear();
    if blob.is_null() {
        return HResultCode::E_INVALIDARG.into();
    }
    match desc.and_then(|desc| root_signature::serialize(version, desc)) {
        Some(bytes) => give(Blob::new(bytes), Some(Blob::ID), blob),
        None => {
            if !error.is_null() {
                let _ = give(Blob::new(INVALID_ROOT_SIGNATURE.to_vec()), Some(Blob::ID), error);
            }
            HResultCode::E_INVALIDARG.into()
        }
    }
}

/// D3D12CreateRootSignatureDeserializer and its versioned form.
pub fn create_deserializer(out: OutPointer) -> Hresult {
    static METHOD: Method = Method::new(LIBRARY, "D3D12CreateRootSignatureDeserializer", 0);
    out.clear();
    METHOD.refuse()
}
