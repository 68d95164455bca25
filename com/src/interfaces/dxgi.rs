//! dxgi.h to dxgi1_6.h, factories and adapters. Written by tools/interfaces.py.

use super::define::interface;
use crate::unsafe_abi::{
    EventFd, Guid, Hresult, IUnknown, IUnknownTable, In, Interface, Luid, Opaque, Out, OutPointer, VideoMemoryInfo,
};

interface! {
    /// IDXGIObject.
    IDXGIObject / IDXGIObjectTable: IUnknown / IUnknownTable = 0xaec22fb8_76f3_4639_9be0_28eb43a67a2e {
        3 set_private_data SetPrivateData(guid: In<Guid>, data_size: u32, data: In<u8>) -> Hresult;
        4 set_private_data_interface SetPrivateDataInterface(guid: In<Guid>, object: Interface) -> Hresult;
        5 get_private_data GetPrivateData(guid: In<Guid>, data_size: Out<u32>, data: Out<u8>) -> Hresult;
        6 get_parent GetParent(riid: In<Guid>, parent: OutPointer) -> Hresult;
    }
}

interface! {
    /// IDXGIFactory.
    IDXGIFactory / IDXGIFactoryTable: IDXGIObject / IDXGIObjectTable = 0x7b7166ec_21c7_44ae_b21a_c9ae321ae369 {
        7 enum_adapters EnumAdapters(adapter_idx: u32, adapter: OutPointer) -> Hresult;
        8 make_window_association MakeWindowAssociation(window: usize, flags: u32) -> Hresult;
        9 get_window_association GetWindowAssociation(window: Out<usize>) -> Hresult;
        10 create_swap_chain CreateSwapChain(device: Interface, desc: Opaque, swapchain: OutPointer) -> Hresult;
        11 create_software_adapter CreateSoftwareAdapter(swrast: usize, adapter: OutPointer) -> Hresult;
    }
}

interface! {
    /// IDXGIFactory1.
    IDXGIFactory1 / IDXGIFactory1Table: IDXGIFactory / IDXGIFactoryTable = 0x770aae78_f26f_4dba_a829_253c83d1b387 {
        12 enum_adapters1 EnumAdapters1(adapter: u32, pp_adapter: OutPointer) -> Hresult;
        13 is_current IsCurrent() -> u32;
    }
}

interface! {
    /// IDXGIFactory2.
    IDXGIFactory2 / IDXGIFactory2Table: IDXGIFactory1 / IDXGIFactory1Table = 0x50c83a1c_e072_4c48_87b0_3630fa36a6d0 {
        14 is_windowed_stereo_enabled IsWindowedStereoEnabled() -> u32;
        15 create_swap_chain_for_hwnd CreateSwapChainForHwnd(p_device: Interface, h_wnd: usize, p_desc: Opaque, p_fullscreen_desc: Opaque, p_restrict_to_output: Interface, pp_swap_chain: OutPointer) -> Hresult;
        16 create_swap_chain_for_core_window CreateSwapChainForCoreWindow(p_device: Interface, p_window: Interface, p_desc: Opaque, p_restrict_to_output: Interface, pp_swap_chain: OutPointer) -> Hresult;
        17 get_shared_resource_adapter_luid GetSharedResourceAdapterLuid(h_resource: EventFd, p_luid: Out<Luid>) -> Hresult;
        18 register_stereo_status_window RegisterStereoStatusWindow(window_handle: usize, w_msg: u32, pdw_cookie: Out<u32>) -> Hresult;
        19 register_stereo_status_event RegisterStereoStatusEvent(h_event: EventFd, pdw_cookie: Out<u32>) -> Hresult;
        20 unregister_stereo_status UnregisterStereoStatus(dw_cookie: u32) -> ();
        21 register_occlusion_status_window RegisterOcclusionStatusWindow(window_handle: usize, w_msg: u32, pdw_cookie: Out<u32>) -> Hresult;
        22 register_occlusion_status_event RegisterOcclusionStatusEvent(h_event: EventFd, pdw_cookie: Out<u32>) -> Hresult;
        23 unregister_occlusion_status UnregisterOcclusionStatus(dw_cookie: u32) -> ();
        24 create_swap_chain_for_composition CreateSwapChainForComposition(p_device: Interface, p_desc: Opaque, p_restrict_to_output: Interface, pp_swap_chain: OutPointer) -> Hresult;
    }
}

interface! {
    /// IDXGIFactory3.
    IDXGIFactory3 / IDXGIFactory3Table: IDXGIFactory2 / IDXGIFactory2Table = 0x25483823_cd46_4c7d_86ca_47aa95b837bd {
        25 get_creation_flags GetCreationFlags() -> u32;
    }
}

interface! {
    /// IDXGIFactory4.
    IDXGIFactory4 / IDXGIFactory4Table: IDXGIFactory3 / IDXGIFactory3Table = 0x1bc6ea02_ef36_464f_bf0c_21ca39e5168a {
        26 enum_adapter_by_luid EnumAdapterByLuid(luid: Luid, iid: In<Guid>, adapter: OutPointer) -> Hresult;
        27 enum_warp_adapter EnumWarpAdapter(iid: In<Guid>, adapter: OutPointer) -> Hresult;
    }
}

interface! {
    /// IDXGIFactory5.
    IDXGIFactory5 / IDXGIFactory5Table: IDXGIFactory4 / IDXGIFactory4Table = 0x7632e1f5_ee65_4dca_87fd_84cd75f8838d {
        28 check_feature_support CheckFeatureSupport(feature: u32, support_data: Out<u8>, support_data_size: u32) -> Hresult;
    }
}

interface! {
    /// IDXGIFactory6.
    IDXGIFactory6 / IDXGIFactory6Table: IDXGIFactory5 / IDXGIFactory5Table = 0xc1b6694f_ff09_44a9_b03c_77900a0a1d17 {
        29 enum_adapter_by_gpu_preference EnumAdapterByGpuPreference(adapter_idx: u32, gpu_preference: u32, iid: In<Guid>, adapter: OutPointer) -> Hresult;
    }
}

interface! {
    /// IDXGIAdapter.
    IDXGIAdapter / IDXGIAdapterTable: IDXGIObject / IDXGIObjectTable = 0x2411e7e1_12ac_4ccf_bd14_9798e8534dc0 {
        7 enum_outputs EnumOutputs(output_idx: u32, output: OutPointer) -> Hresult;
        8 get_desc GetDesc(desc: Out<u8>) -> Hresult;
        9 check_interface_support CheckInterfaceSupport(guid: In<Guid>, umd_version: Out<u64>) -> Hresult;
    }
}

interface! {
    /// IDXGIAdapter1.
    IDXGIAdapter1 / IDXGIAdapter1Table: IDXGIAdapter / IDXGIAdapterTable = 0x29038f61_3839_4626_91fd_086879011a05 {
        10 get_desc1 GetDesc1(p_desc: Out<u8>) -> Hresult;
    }
}

interface! {
    /// IDXGIAdapter2.
    IDXGIAdapter2 / IDXGIAdapter2Table: IDXGIAdapter1 / IDXGIAdapter1Table = 0x0aa1ae0a_fa0e_4b84_8644_e05ff8e5acb5 {
        11 get_desc2 GetDesc2(p_desc: Out<u8>) -> Hresult;
    }
}

interface! {
    /// IDXGIAdapter3.
    IDXGIAdapter3 / IDXGIAdapter3Table: IDXGIAdapter2 / IDXGIAdapter2Table = 0x645967a4_1392_4310_a798_8053ce3e93fd {
        12 register_hardware_content_protection_teardown_status_event RegisterHardwareContentProtectionTeardownStatusEvent(event: EventFd, cookie: Out<u32>) -> Hresult;
        13 unregister_hardware_content_protection_teardown_status UnregisterHardwareContentProtectionTeardownStatus(cookie: u32) -> ();
        14 query_video_memory_info QueryVideoMemoryInfo(node_index: u32, segment_group: u32, memory_info: Out<VideoMemoryInfo>) -> Hresult;
        15 set_video_memory_reservation SetVideoMemoryReservation(node_index: u32, segment_group: u32, reservation: u64) -> Hresult;
        16 register_video_memory_budget_change_notification_event RegisterVideoMemoryBudgetChangeNotificationEvent(event: EventFd, cookie: Out<u32>) -> Hresult;
        17 unregister_video_memory_budget_change_notification UnregisterVideoMemoryBudgetChangeNotification(cookie: u32) -> ();
    }
}

interface! {
    /// IDXGIAdapter4.
    IDXGIAdapter4 / IDXGIAdapter4Table: IDXGIAdapter3 / IDXGIAdapter3Table = 0x3c8d99d1_4fbf_4181_a82c_af66bf7bd24e {
        18 get_desc3 GetDesc3(desc: Out<u8>) -> Hresult;
    }
}
