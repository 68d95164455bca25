//! DXGI: factories and the adapters of the session. Programs of Windows alone have them.

use super::dxcore::{MEMORY_BYTES, adapter_name, luid};
use super::private_data::PrivateData;
use crate::interfaces::*;
use crate::unsafe_abi::{
    Class, EventFd, Guid, Hresult, In, Interface, Luid, Opaque, Out, OutPointer, TablePointer, Tables, VideoMemoryInfo,
    give, wide_bytes,
};
use crate::world::World;
use taut_schemas::{AdapterId, DxgiFeature, HResult, HResultCode, dxgi};

/// IID of IDXGIDevice, for which CheckInterfaceSupport returns the version of the driver.
const DXGI_DEVICE: Guid = Guid::new(0x54ec77fa_1377_44e6_8c32_88fd5f44c84c);

/// Size of the text in an adapter's description, with an end.
const NAME_BYTES: usize = 256;

/// Methods of IDXGIObject of `$Class`, whose private data is in the field `data`; `$parent` gives its parent.
macro_rules! dxgi_object {
    ($Class:ident, parent $parent:expr) => {
        impl IDXGIObject for $Class {
            fn set_private_data(&self, id: In<Guid>, size: u32, bytes: In<u8>) -> Hresult {
                let Some(id) = id.get() else { return HResultCode::E_INVALIDARG.into() };
                let bytes = if bytes.is_null() { Ok(None) } else { bytes.list(size as usize).map(Some).ok_or(()) };
                bytes.map_or(HResultCode::E_OUTOFMEMORY, |bytes| self.data.set(id, bytes)).into()
            }

            fn set_private_data_interface(&self, id: In<Guid>, interface: Interface) -> Hresult {
                let Some(id) = id.get() else { return HResultCode::E_INVALIDARG.into() };
                self.data.set_interface(id, interface);
                HResultCode::S_OK.into()
            }

            fn get_private_data(&self, id: In<Guid>, size: Out<u32>, bytes: Out<u8>) -> Hresult {
                self.data.get(id, size, bytes).into()
            }

            fn get_parent(&self, id: In<Guid>, out: OutPointer) -> Hresult {
                let parent: fn(&$Class, In<Guid>, OutPointer) -> Hresult = $parent;
                parent(self, id, out)
            }
        }
    };
}

/// IDXGIFactory6.
pub struct DxgiFactory {
    world: &'static World,
    flags: u32,
    data: PrivateData,
}

impl DxgiFactory {
    /// Gives a new factory to the client.
    pub fn give(world: &'static World, flags: u32, id: Option<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        give(DxgiFactory { world, flags, data: PrivateData::default() }, id, out)
    }

    fn give_adapter(&self, adapter: AdapterId, id: Option<Guid>, out: OutPointer) -> Hresult {
        give(DxgiAdapter { world: self.world, adapter, data: PrivateData::default() }, id, out)
    }

    fn enumerate(&self, index: u32, id: Option<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        if out.is_null() {
            return HResultCode::DXGI_ERROR_INVALID_CALL.into();
        }
        match self.world.call(dxgi::EnumAdapters { index }) {
            Ok(found) => self.give_adapter(found.adapter, id, out),
            Err(code) => code.into(),
        }
    }
}

impl Class for DxgiFactory {
    const INTERFACES: &'static [Guid] = &[
        <Self as IDXGIObject>::IID,
        <Self as IDXGIFactory>::IID,
        <Self as IDXGIFactory1>::IID,
        <Self as IDXGIFactory2>::IID,
        <Self as IDXGIFactory3>::IID,
        <Self as IDXGIFactory4>::IID,
        <Self as IDXGIFactory5>::IID,
        <Self as IDXGIFactory6>::IID,
    ];

    fn table() -> TablePointer {
        static TABLES: Tables<IDXGIFactory6Table> = IDXGIFactory6Table::of::<DxgiFactory>();
        TablePointer::new(&TABLES)
    }
}

dxgi_object!(
    DxgiFactory,
    parent | _,
    _,
    out | {
        out.clear();
        HResultCode::E_NOINTERFACE.into()
    }
);

impl IDXGIFactory for DxgiFactory {
    fn enum_adapters(&self, index: u32, out: OutPointer) -> Hresult {
        self.enumerate(index, Some(<DxgiAdapter as IDXGIAdapter>::IID), out)
    }

    fn make_window_association(&self, _: usize, _: u32) -> Hresult {
        // No keys of a window are handled.
        HResultCode::S_OK.into()
    }

    fn get_window_association(&self, window: Out<usize>) -> Hresult {
        window.set(0);
        HResultCode::S_OK.into()
    }

    fn create_swap_chain(&self, _: Interface, _: Opaque, out: OutPointer) -> Hresult {
        out.clear();
        IDXGIFactoryTable::create_swap_chain().refuse()
    }

    fn create_software_adapter(&self, _: usize, out: OutPointer) -> Hresult {
        out.clear();
        HResultCode::DXGI_ERROR_UNSUPPORTED.into()
    }
}

impl IDXGIFactory1 for DxgiFactory {
    fn enum_adapters1(&self, index: u32, out: OutPointer) -> Hresult {
        self.enumerate(index, Some(<DxgiAdapter as IDXGIAdapter1>::IID), out)
    }

    fn is_current(&self) -> u32 {
        1
    }
}

impl IDXGIFactory2 for DxgiFactory {
    fn is_windowed_stereo_enabled(&self) -> u32 {
        0
    }

    fn create_swap_chain_for_hwnd(
        &self,
        _: Interface,
        _: usize,
        _: Opaque,
        _: Opaque,
        _: Interface,
        out: OutPointer,
    ) -> Hresult {
        out.clear();
        IDXGIFactory2Table::create_swap_chain_for_hwnd().refuse()
    }

    fn create_swap_chain_for_core_window(
        &self,
        _: Interface,
        _: Interface,
        _: Opaque,
        _: Interface,
        out: OutPointer,
    ) -> Hresult {
        out.clear();
        IDXGIFactory2Table::create_swap_chain_for_core_window().refuse()
    }

    fn get_shared_resource_adapter_luid(&self, _: EventFd, luid: Out<Luid>) -> Hresult {
        // No handle of a shared resource exists.
        luid.set(Luid::default());
        HResultCode::DXGI_ERROR_INVALID_CALL.into()
    }

    fn register_stereo_status_window(&self, _: usize, _: u32, cookie: Out<u32>) -> Hresult {
        registered(cookie)
    }

    fn register_stereo_status_event(&self, _: EventFd, cookie: Out<u32>) -> Hresult {
        registered(cookie)
    }

    fn unregister_stereo_status(&self, _: u32) {}

    fn register_occlusion_status_window(&self, _: usize, _: u32, cookie: Out<u32>) -> Hresult {
        registered(cookie)
    }

    fn register_occlusion_status_event(&self, _: EventFd, cookie: Out<u32>) -> Hresult {
        registered(cookie)
    }

    fn unregister_occlusion_status(&self, _: u32) {}

    fn create_swap_chain_for_composition(&self, _: Interface, _: Opaque, _: Interface, out: OutPointer) -> Hresult {
        out.clear();
        IDXGIFactory2Table::create_swap_chain_for_composition().refuse()
    }
}

/// Registers for a state that does not change.
fn registered(cookie: Out<u32>) -> Hresult {
    cookie.set(1);
    HResultCode::S_OK.into()
}

impl IDXGIFactory3 for DxgiFactory {
    fn get_creation_flags(&self) -> u32 {
        self.flags
    }
}

impl IDXGIFactory4 for DxgiFactory {
    fn enum_adapter_by_luid(&self, wanted: Luid, id: In<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        let count = self.world.adapters().profiles().count();
        match AdapterId::first(count).find(|adapter| luid(*adapter) == wanted) {
            Some(adapter) => self.give_adapter(adapter, id.get(), out),
            None => HResultCode::DXGI_ERROR_NOT_FOUND.into(),
        }
    }

    fn enum_warp_adapter(&self, _: In<Guid>, out: OutPointer) -> Hresult {
        // The session has no software adapter.
        out.clear();
        HResultCode::DXGI_ERROR_NOT_FOUND.into()
    }
}

impl IDXGIFactory5 for DxgiFactory {
    fn check_feature_support(&self, feature: u32, data: Out<u8>, size_bytes: u32) -> Hresult {
        let feature = DxgiFeature(feature);
        let supported: HResult<bool> = self.world.call(dxgi::CheckDxgiFeatureSupport { feature, size_bytes });
        supported.map(|supported| data.cast().set(u32::from(supported))).into()
    }
}

impl IDXGIFactory6 for DxgiFactory {
    fn enum_adapter_by_gpu_preference(&self, index: u32, _: u32, id: In<Guid>, out: OutPointer) -> Hresult {
        // Adapters have the order of the session.
        self.enumerate(index, id.get(), out)
    }
}

/// IDXGIAdapter4.
pub struct DxgiAdapter {
    world: &'static World,
    pub adapter: AdapterId,
    data: PrivateData,
}

impl DxgiAdapter {
    /// The description with these words after the LUID.
    fn description(&self, words: &[u32]) -> Vec<u8> {
        let mut bytes = wide_bytes(&adapter_name(self.world, self.adapter));
        // The end of a name that is too long is cut off.
        bytes.truncate(NAME_BYTES - 2);
        bytes.resize(NAME_BYTES, 0);
        let [dedicated, shared] = MEMORY_BYTES;
        let Luid { low, high } = luid(self.adapter);
        // Vendor, device, subsystem and revision: no vendor's.
        bytes.extend([0; 16]);
        [dedicated, 0, shared].iter().for_each(|size| bytes.extend(size.to_le_bytes()));
        bytes.extend([low.to_le_bytes(), high.to_le_bytes()].concat());
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes
    }

    fn describe(&self, out: Out<u8>, words: &[u32]) -> Hresult {
        if out.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        out.set_list(&self.description(words));
        HResultCode::S_OK.into()
    }
}

impl Class for DxgiAdapter {
    const INTERFACES: &'static [Guid] = &[
        <Self as IDXGIObject>::IID,
        <Self as IDXGIAdapter>::IID,
        <Self as IDXGIAdapter1>::IID,
        <Self as IDXGIAdapter2>::IID,
        <Self as IDXGIAdapter3>::IID,
        <Self as IDXGIAdapter4>::IID,
    ];

    fn table() -> TablePointer {
        static TABLES: Tables<IDXGIAdapter4Table> = IDXGIAdapter4Table::of::<DxgiAdapter>();
        TablePointer::new(&TABLES)
    }
}

dxgi_object!(DxgiAdapter, parent | adapter, id, out | DxgiFactory::give(adapter.world, 0, id.get(), out));

impl IDXGIAdapter for DxgiAdapter {
    fn enum_outputs(&self, _: u32, out: OutPointer) -> Hresult {
        // No display is connected.
        out.clear();
        HResultCode::DXGI_ERROR_NOT_FOUND.into()
    }

    fn get_desc(&self, desc: Out<u8>) -> Hresult {
        self.describe(desc, &[])
    }

    fn check_interface_support(&self, id: In<Guid>, version: Out<u64>) -> Hresult {
        if id.get() != Some(DXGI_DEVICE) {
            return HResultCode::DXGI_ERROR_UNSUPPORTED.into();
        }
        version.set(1);
        HResultCode::S_OK.into()
    }
}

// Flags of an adapter: hardware, as in DXCore. Preemption: between primitives and between dispatches, the coarsest.
impl IDXGIAdapter1 for DxgiAdapter {
    fn get_desc1(&self, desc: Out<u8>) -> Hresult {
        self.describe(desc, &[0, 0])
    }
}

impl IDXGIAdapter2 for DxgiAdapter {
    fn get_desc2(&self, desc: Out<u8>) -> Hresult {
        self.describe(desc, &[0, 0, 0, 0])
    }
}

impl IDXGIAdapter3 for DxgiAdapter {
    fn register_hardware_content_protection_teardown_status_event(&self, _: EventFd, cookie: Out<u32>) -> Hresult {
        registered(cookie)
    }

    fn unregister_hardware_content_protection_teardown_status(&self, _: u32) {}

    fn query_video_memory_info(&self, node: u32, group: u32, info: Out<VideoMemoryInfo>) -> Hresult {
        let Some(budget) = MEMORY_BYTES.get(group as usize).filter(|_| node == 0 && !info.is_null()) else {
            return HResultCode::E_INVALIDARG.into();
        };
        // A constant, as in DXCore.
        info.set(VideoMemoryInfo {
            budget: *budget,
            available_for_reservation: budget / 2,
            ..VideoMemoryInfo::default()
        });
        HResultCode::S_OK.into()
    }

    fn set_video_memory_reservation(&self, _: u32, _: u32, _: u64) -> Hresult {
        HResultCode::S_OK.into()
    }

    fn register_video_memory_budget_change_notification_event(&self, _: EventFd, cookie: Out<u32>) -> Hresult {
        // The budget does not change.
        registered(cookie)
    }

    fn unregister_video_memory_budget_change_notification(&self, _: u32) {}
}

impl IDXGIAdapter4 for DxgiAdapter {
    fn get_desc3(&self, desc: Out<u8>) -> Hresult {
        // The structure of version 2, with more values of its flags.
        self.get_desc2(desc)
    }
}
