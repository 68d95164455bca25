//! Exported functions of libd3d12.so and libdxcore.so.

// The attribute that exports a name counts as unsafe code.
#![allow(non_snake_case, unsafe_code)]

use crate::factory;
use crate::unsafe_abi::{
    Guid, Hresult, In, Interface, Opaque, OutPointer, RootSignatureDesc, VersionedRootSignatureDesc, enter_function,
};
use taut_schemas::HResultCode;

/// d3d12.h.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12CreateDevice(adapter: Interface, level: u32, id: In<Guid>, device: OutPointer) -> Hresult {
    enter_function(|| factory::create_device(adapter, level, id.get(), device))
}

/// d3d12.h. There is no debug layer of Direct3D's own form.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12GetDebugInterface(_: In<Guid>, debug: OutPointer) -> Hresult {
    debug.clear();
    HResultCode::E_NOINTERFACE.into()
}

/// d3d12.h. No class has interfaces of its own yet.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12GetInterface(_: In<Guid>, _: In<Guid>, interface: OutPointer) -> Hresult {
    interface.clear();
    HResultCode::E_NOINTERFACE.into()
}

/// d3d12.h. No experimental feature changes the simulation.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12EnableExperimentalFeatures(_: u32, _: In<Guid>, _: Opaque, _: In<u32>) -> Hresult {
    HResultCode::S_OK.into()
}

/// d3d12.h. Only version 1.0 has the description.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12SerializeRootSignature(
    desc: In<RootSignatureDesc>,
    version: u32,
    blob: OutPointer,
    error: OutPointer,
) -> Hresult {
    enter_function(|| factory::serialize_root_signature(version, desc.get().filter(|_| version == 1), blob, error))
}

/// d3d12.h.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12SerializeVersionedRootSignature(
    desc: In<VersionedRootSignatureDesc>,
    blob: OutPointer,
    error: OutPointer,
) -> Hresult {
    enter_function(|| {
        let desc = desc.get();
        let version = desc.map_or(0, |desc| desc.version);
        factory::serialize_root_signature(version, desc.map(|desc| desc.desc), blob, error)
    })
}

/// d3d12.h.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12CreateRootSignatureDeserializer(_: In<u8>, _: usize, _: In<Guid>, out: OutPointer) -> Hresult {
    enter_function(|| factory::create_deserializer(out))
}

/// d3d12.h.
#[unsafe(no_mangle)]
pub extern "C" fn D3D12CreateVersionedRootSignatureDeserializer(
    _: In<u8>,
    _: usize,
    _: In<Guid>,
    out: OutPointer,
) -> Hresult {
    enter_function(|| factory::create_deserializer(out))
}

/// dxcore.h.
#[unsafe(no_mangle)]
pub extern "C" fn DXCoreCreateAdapterFactory(id: In<Guid>, factory: OutPointer) -> Hresult {
    enter_function(|| factory::create_adapter_factory(id.get(), factory))
}
