//! Exported functions: the first objects that a client gets.

use crate::classes::{Adapter, AdapterFactory, Blob, Device, check_minimum};
use crate::unsafe_abi::{Guid, Hresult, Interface, Opaque, OutPointer, give};
use crate::unsupported::Method;
use crate::world;
use taut_schemas::{AdapterId, HResultCode, d3d12};

/// Name of the exporting library, for counts.
const LIBRARY: &str = "libd3d12.so";

/// Contents of each serialised root signature: the description is not read yet.
const ROOT_SIGNATURE: &[u8] = b"taut root signature\0";

/// D3D12CreateDevice. Without an output nothing is created.
pub fn create_device(adapter: Interface, minimum_feature_level: u32, id: Option<Guid>, out: OutPointer) -> Hresult {
    out.clear();
    let adapter = if adapter.is_null() {
        AdapterId::FIRST
    } else {
        match adapter.class::<Adapter>() {
            Some(adapter) => adapter.adapter,
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

/// D3D12SerializeRootSignature and D3D12SerializeVersionedRootSignature.
pub fn serialize_root_signature(desc: Opaque, blob: OutPointer, error: OutPointer) -> Hresult {
    static METHOD: Method = Method::new(LIBRARY, "D3D12SerializeRootSignature", 0);
    METHOD.count();
    error.clear();
    blob.clear();
    if desc.is_null() || blob.is_null() {
        return HResultCode::E_INVALIDARG.into();
    }
    give(Blob::new(ROOT_SIGNATURE.to_vec()), Some(Blob::ID), blob)
}

/// D3D12CreateRootSignatureDeserializer and its versioned form.
pub fn create_deserializer(out: OutPointer) -> Hresult {
    static METHOD: Method = Method::new(LIBRARY, "D3D12CreateRootSignatureDeserializer", 0);
    out.clear();
    METHOD.refuse()
}
