//! Functions that DLLs of Wine export. Wine's loader finds the table of them under its name.

// The attribute that exports a name counts as unsafe code.
#![allow(unsafe_code)]

use crate::exports::*;
use crate::factory::create_dxgi_factory;
use crate::unsafe_abi::{
    Function, Guid, Hresult, In, Interface, Opaque, OutPointer, RootSignatureDesc, VersionedRootSignatureDesc,
    WindowsFunctions, enter_function, set_windows_functions,
};
use taut_schemas::HResultCode;

/// Function that a DLL exports; the functions of all DLLs have one order.
#[derive(Debug, Clone, Copy)]
pub struct WindowsExport {
    /// Name of the DLL without its ending.
    pub library: &'static str,
    /// Name of the function.
    pub name: &'static str,
}

macro_rules! windows_exports {
    ($( $library:ident: $function:ident($($argument:ident: $Type:ty),*); )*) => {
        /// Exported functions. Their addresses follow that of a DLL's initialisation in the table.
        pub const WINDOWS_EXPORTS: &[WindowsExport] = &[
            $( WindowsExport { library: stringify!($library), name: stringify!($function) }, )*
        ];

        /// The table.
        #[unsafe(no_mangle)]
        pub static __wine_unix_call_funcs: [Function; 1 + WINDOWS_EXPORTS.len()] = [
            Function::new(initialise as *const ()),
            $( {
                extern "win64" fn function($($argument: $Type),*) -> Hresult {
                    $function($($argument),*)
                }
                Function::new(function as *const ())
            }, )*
        ];
    };
}

windows_exports! {
    d3d12: D3D12CreateDevice(adapter: Interface, level: u32, id: In<Guid>, device: OutPointer);
    d3d12: D3D12GetDebugInterface(id: In<Guid>, debug: OutPointer);
    d3d12: D3D12GetInterface(class: In<Guid>, id: In<Guid>, interface: OutPointer);
    d3d12: D3D12EnableExperimentalFeatures(count: u32, ids: In<Guid>, structures: Opaque, sizes: In<u32>);
    d3d12: D3D12SerializeRootSignature(desc: In<RootSignatureDesc>, version: u32, blob: OutPointer, error: OutPointer);
    d3d12: D3D12SerializeVersionedRootSignature(desc: In<VersionedRootSignatureDesc>, blob: OutPointer, error: OutPointer);
    d3d12: D3D12CreateRootSignatureDeserializer(blob: In<u8>, size: usize, id: In<Guid>, out: OutPointer);
    d3d12: D3D12CreateVersionedRootSignatureDeserializer(blob: In<u8>, size: usize, id: In<Guid>, out: OutPointer);
    dxgi: CreateDXGIFactory(id: In<Guid>, factory: OutPointer);
    dxgi: CreateDXGIFactory1(id: In<Guid>, factory: OutPointer);
    dxgi: CreateDXGIFactory2(flags: u32, id: In<Guid>, factory: OutPointer);
    dxgi: DXGIGetDebugInterface1(flags: u32, id: In<Guid>, debug: OutPointer);
    dxgi: DXGIDeclareAdapterRemovalSupport();
}

/// dxgi.h, which Linux lacks.
#[allow(non_snake_case)]
fn CreateDXGIFactory(id: In<Guid>, factory: OutPointer) -> Hresult {
    enter_function(|| create_dxgi_factory(0, id.get(), factory))
}

#[allow(non_snake_case)]
fn CreateDXGIFactory1(id: In<Guid>, factory: OutPointer) -> Hresult {
    enter_function(|| create_dxgi_factory(0, id.get(), factory))
}

#[allow(non_snake_case)]
fn CreateDXGIFactory2(flags: u32, id: In<Guid>, factory: OutPointer) -> Hresult {
    enter_function(|| create_dxgi_factory(flags, id.get(), factory))
}

/// There is no debug layer of DXGI's own form.
#[allow(non_snake_case)]
fn DXGIGetDebugInterface1(_: u32, _: In<Guid>, debug: OutPointer) -> Hresult {
    debug.clear();
    HResultCode::E_NOINTERFACE.into()
}

/// Adapters are not removed.
#[allow(non_snake_case)]
fn DXGIDeclareAdapterRemovalSupport() -> Hresult {
    HResultCode::S_OK.into()
}

/// Called once by each DLL with the functions of Windows that it imports.
extern "win64" fn initialise(functions: Option<&WindowsFunctions>) {
    if let Some(functions) = functions {
        set_windows_functions(functions);
    }
}
