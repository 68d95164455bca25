//! Client of the library, for measurements: it loads the library by name and calls functions of the objects' tables, as a
//! program does.

use super::hresult::Hresult;
use super::instance::Interface;
use super::plain::{Guid, HeapDesc, HeapProperties, ResourceDesc};
use super::pointer::{In, Out, OutPointer};
use std::ffi::{CStr, c_void};
use std::io;
use taut_schemas::{HResult, HResultCode};

/// D3D_FEATURE_LEVEL_11_0, D3D12_HEAP_TYPE_DEFAULT, and D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS.
const FEATURE_LEVEL: u32 = 0xb000;
const HEAP_TYPE_DEFAULT: u32 = 1;
const ONLY_BUFFERS: u32 = 0xc0;

/// DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS, and DXCoreAdapterState::AdapterMemoryBudget.
const D3D12_GRAPHICS: Guid = Guid::new(0x0c9ece4d_2f6e_4f01_8c96_e89e331b47b1);
const MEMORY_BUDGET: u32 = 1;

impl Interface {
    /// The function at a slot of the object's table.
    ///
    /// # Safety
    /// The object is alive, and `F` is the type of the function.
    unsafe fn function<F: Copy>(self, slot: usize) -> F {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        let table = self.table().unwrap_or(std::ptr::null());
        // SAFETY: objects of this file are not NULL, and callers name the slot's type.
        unsafe { table.cast::<F>().add(slot).read() }
    }
}

/// Declares interfaces with the slots that the client calls. An object is released when it is dropped.
macro_rules! called {
    ($( $(#[$meta:meta])* $Name:ident = $iid:literal {
        $( $slot:literal $method:ident($($argument:ident: $Type:ty),*) -> $Returned:ty; )*
    } )*) => { $(
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $Name(Interface);

        impl $Name {
            const IID: Guid = Guid::new($iid);

            fn from_output(call: impl FnOnce(In<Guid>, OutPointer) -> Hresult) -> HResult<$Name> {
                let mut pointer = std::ptr::null_mut();
                let result = HResultCode::from(call(In::to(&Self::IID), OutPointer::to(&mut pointer)));
                if result == HResultCode::S_OK { Ok($Name(Interface::from_pointer(pointer))) } else { Err(result) }
            }

            $(
                #[allow(clippy::too_many_arguments)]
                fn $method(&self, $($argument: $Type),*) -> $Returned {
                    type Function = extern "C" fn(Interface, $($Type),*) -> $Returned;
                    // SAFETY: the object has this interface, whose function at this slot has this type; the client has
                    // a reference to the object.
                    let function = unsafe { self.0.function::<Function>($slot) };
                    function(self.0, $($argument),*)
                }
            )*
        }

        impl Drop for $Name {
            fn drop(&mut self) {
                self.0.release();
            }
        }
    )* };
}

called! {
    /// ID3D12Device.
    ClientDevice = 0x189819f1_1db6_4b57_be54_1821339b85f7 {
        9 create_command_allocator(kind: u32, id: In<Guid>, out: OutPointer) -> Hresult;
        12 create_command_list(
            node: u32, kind: u32, allocator: Interface, state: Interface, id: In<Guid>, out: OutPointer
        ) -> Hresult;
        28 create_heap(desc: In<HeapDesc>, id: In<Guid>, out: OutPointer) -> Hresult;
        29 create_placed_resource(
            heap: Interface, offset: u64, desc: In<ResourceDesc>, state: u32, clear: In<u8>, id: In<Guid>,
            out: OutPointer
        ) -> Hresult;
        36 create_fence(value: u64, flags: u32, id: In<Guid>, out: OutPointer) -> Hresult;
    }
    /// ID3D12Heap.
    ClientHeap = 0x6b3b2502_6e51_45b3_90ee_9884265e8df3 {}
    /// ID3D12Resource.
    ClientResource = 0x696442be_a72e_4059_bc79_5b5c98040fad {
        10 get_desc() -> ResourceDesc;
        11 get_gpu_virtual_address() -> u64;
    }
    /// ID3D12Fence.
    ClientFence = 0x0a753dcf_c4d8_4b91_adf6_be5a60d95a76 {
        8 get_completed_value() -> u64;
    }
    /// ID3D12CommandAllocator.
    ClientAllocator = 0x6102dee4_af59_4b09_b999_b44d73f09b24 {}
    /// ID3D12GraphicsCommandList.
    ClientList = 0x5b160d0f_ac1b_4185_8ba8_b3ae42a5a455 {
        9 close_list() -> Hresult;
        10 reset_list(allocator: Interface, state: Interface) -> Hresult;
        15 copy_buffer_region(dst: Interface, dst_offset: u64, src: Interface, src_offset: u64, bytes: u64) -> ();
        20 ia_set_primitive_topology(topology: u32) -> ();
        38 set_graphics_root_constant_buffer_view(parameter: u32, address: u64) -> ();
    }
    /// IDXCoreAdapterFactory.
    ClientFactory = 0x78ee5945_c36e_4b13_a669_005dd11c0f06 {
        3 create_adapter_list(count: u32, attributes: In<Guid>, id: In<Guid>, out: OutPointer) -> Hresult;
    }
    /// IDXCoreAdapterList.
    ClientAdapterList = 0x526c7776_40e9_459b_b711_f32ad76dfc28 {
        3 get_adapter(index: u32, id: In<Guid>, out: OutPointer) -> Hresult;
    }
    /// IDXCoreAdapter.
    ClientAdapter = 0xf0db4c7f_fe5a_42a2_bd62_f2a6cf6fc83e {
        9 query_state(state: u32, input_size: usize, input: In<u8>, size: usize, output: Out<u8>) -> Hresult;
    }
}

impl ClientDevice {
    /// A heap for buffers.
    ///
    /// # Errors
    /// As the method.
    pub fn heap(&self, size: u64) -> HResult<ClientHeap> {
        let properties = HeapProperties { heap_type: HEAP_TYPE_DEFAULT, ..HeapProperties::default() };
        let desc = HeapDesc { size, properties, flags: ONLY_BUFFERS, ..HeapDesc::default() };
        ClientHeap::from_output(|id, out| self.create_heap(In::to(&desc), id, out))
    }

    /// A buffer in a heap.
    ///
    /// # Errors
    /// As the method.
    pub fn placed_buffer(&self, heap: &ClientHeap, offset: u64, width: u64) -> HResult<ClientResource> {
        let desc = ResourceDesc {
            dimension: 1,
            width,
            height: 1,
            depth_or_array_size: 1,
            mip_levels: 1,
            sample_count: 1,
            layout: 1,
            ..ResourceDesc::default()
        };
        ClientResource::from_output(|id, out| {
            self.create_placed_resource(heap.0, offset, In::to(&desc), 0, In::NULL, id, out)
        })
    }

    /// A fence with the value 0.
    ///
    /// # Errors
    /// As the method.
    pub fn fence(&self) -> HResult<ClientFence> {
        ClientFence::from_output(|id, out| self.create_fence(0, 0, id, out))
    }

    /// An allocator of direct lists.
    ///
    /// # Errors
    /// As the method.
    pub fn allocator(&self) -> HResult<ClientAllocator> {
        ClientAllocator::from_output(|id, out| self.create_command_allocator(0, id, out))
    }

    /// An open direct list.
    ///
    /// # Errors
    /// As the method.
    pub fn list(&self, allocator: &ClientAllocator) -> HResult<ClientList> {
        ClientList::from_output(|id, out| self.create_command_list(0, 0, allocator.0, Interface::NULL, id, out))
    }
}

impl ClientResource {
    /// Width of GetDesc.
    pub fn width(&self) -> u64 {
        self.get_desc().width
    }

    /// GetGPUVirtualAddress.
    pub fn address(&self) -> u64 {
        self.get_gpu_virtual_address()
    }
}

impl ClientFence {
    /// GetCompletedValue.
    pub fn completed_value(&self) -> u64 {
        self.get_completed_value()
    }
}

impl ClientList {
    /// Close.
    ///
    /// # Errors
    /// As the method.
    pub fn close(&self) -> HResult<()> {
        checked(self.close_list())
    }

    /// Reset.
    ///
    /// # Errors
    /// As the method.
    pub fn reset(&self, allocator: &ClientAllocator) -> HResult<()> {
        checked(self.reset_list(allocator.0, Interface::NULL))
    }

    /// CopyBufferRegion within a buffer.
    pub fn copy(&self, buffer: &ClientResource, dst_offset: u64, src_offset: u64, bytes: u64) {
        self.copy_buffer_region(buffer.0, dst_offset, buffer.0, src_offset, bytes);
    }

    /// IASetPrimitiveTopology.
    pub fn set_topology(&self, topology: u32) {
        self.ia_set_primitive_topology(topology);
    }

    /// SetGraphicsRootConstantBufferView of parameter 0.
    pub fn set_constant_buffer(&self, address: u64) {
        self.set_graphics_root_constant_buffer_view(0, address);
    }
}

impl ClientAdapter {
    /// Budget of the adapter's local memory, by QueryState.
    pub fn budget(&self) -> u64 {
        let (input, mut output) = ([0_u64; 1], [0_u64; 4]);
        let (input, size) = (In::of(&input[0]), size_of_val(&output));
        let result = self.query_state(MEMORY_BUDGET, size_of::<u64>(), input, size, Out::to(&mut output));
        if HResultCode::from(result) == HResultCode::S_OK { output[0] } else { 0 }
    }
}

fn checked(result: Hresult) -> HResult<()> {
    let code = HResultCode::from(result);
    if code == HResultCode::S_OK { Ok(()) } else { Err(code) }
}

/// Loads libd3d12.so and creates the device of the first adapter.
///
/// # Errors
/// The system cannot load the library, or the library refuses the device.
pub fn client_device() -> io::Result<ClientDevice> {
    type CreateDevice = extern "C" fn(Interface, u32, In<Guid>, OutPointer) -> Hresult;
    // SAFETY: d3d12.h declares the function with this type.
    let create = unsafe { function::<CreateDevice>(c"libd3d12.so", c"D3D12CreateDevice")? };
    let device = ClientDevice::from_output(|id, out| create(Interface::NULL, FEATURE_LEVEL, id, out));
    device.map_err(|code| io::Error::other(format!("D3D12CreateDevice: {code:?}")))
}

/// Loads libdxcore.so and returns the first adapter.
///
/// # Errors
/// The system cannot load the library, or the library has no adapter.
pub fn client_adapter() -> io::Result<ClientAdapter> {
    type CreateFactory = extern "C" fn(In<Guid>, OutPointer) -> Hresult;
    // SAFETY: dxcore.h declares the function with this type.
    let create = unsafe { function::<CreateFactory>(c"libdxcore.so", c"DXCoreCreateAdapterFactory")? };
    let adapter = ClientFactory::from_output(|id, out| create(id, out)).and_then(|factory| {
        let list =
            ClientAdapterList::from_output(|id, out| factory.create_adapter_list(1, In::to(&D3D12_GRAPHICS), id, out))?;
        ClientAdapter::from_output(|id, out| list.get_adapter(0, id, out))
    });
    adapter.map_err(|code| io::Error::other(format!("no DXCore adapter: {code:?}")))
}

/// A function of a library, which is loaded and stays.
///
/// # Safety
/// `F` is the type of the function.
unsafe fn function<F: Copy>(library: &CStr, name: &CStr) -> io::Result<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: both names are texts with an end. The library's initialisation has no condition.
    let address = unsafe {
        let library = libc::dlopen(library.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if library.is_null() { std::ptr::null_mut() } else { libc::dlsym(library, name.as_ptr()) }
    };
    if address.is_null() {
        return Err(io::Error::other(format!("{}: {}", library.to_string_lossy(), name.to_string_lossy())));
    }
    // SAFETY: the address is that of the function, whose type the caller names.
    Ok(unsafe { std::mem::transmute_copy(&address) })
}
