//! dxcore_interface.h. Written by tools/interfaces.py.

use super::define::interface;
use crate::unsafe_abi::{Guid, Hresult, IUnknown, IUnknownTable, In, Interface, Luid, Opaque, Out, OutPointer};

interface! {
    /// IDXCoreAdapterFactory.
    IDXCoreAdapterFactory / IDXCoreAdapterFactoryTable: IUnknown / IUnknownTable = 0x78ee5945_c36e_4b13_a669_005dd11c0f06 {
        3 create_adapter_list CreateAdapterList(num_attributes: u32, filter_attributes: In<Guid>, riid: In<Guid>, ppv_adapter_list: OutPointer) -> Hresult;
        4 get_adapter_by_luid GetAdapterByLuid(adapter_luid: In<Luid>, riid: In<Guid>, ppv_adapter: OutPointer) -> Hresult;
        5 is_notification_type_supported IsNotificationTypeSupported(notification_type: u32) -> bool;
        6 register_event_notification RegisterEventNotification(dx_core_object: Interface, notification_type: u32, callback_function: Opaque, callback_context: Out<u8>, event_cookie: Out<u32>) -> Hresult;
        7 unregister_event_notification UnregisterEventNotification(event_cookie: u32) -> Hresult;
    }
}

interface! {
    /// IDXCoreAdapterList.
    IDXCoreAdapterList / IDXCoreAdapterListTable: IUnknown / IUnknownTable = 0x526c7776_40e9_459b_b711_f32ad76dfc28 {
        3 get_adapter GetAdapter(index: u32, riid: In<Guid>, ppv_adapter: OutPointer) -> Hresult;
        4 get_adapter_count GetAdapterCount() -> u32;
        5 is_stale IsStale() -> bool;
        6 get_factory GetFactory(riid: In<Guid>, ppv_factory: OutPointer) -> Hresult;
        7 sort Sort(num_preferences: u32, preferences: Opaque) -> Hresult;
        8 is_adapter_preference_supported IsAdapterPreferenceSupported(preference: u32) -> bool;
    }
}

interface! {
    /// IDXCoreAdapter.
    IDXCoreAdapter / IDXCoreAdapterTable: IUnknown / IUnknownTable = 0xf0db4c7f_fe5a_42a2_bd62_f2a6cf6fc83e {
        3 is_valid IsValid() -> bool;
        4 is_attribute_supported IsAttributeSupported(attribute_guid: In<Guid>) -> bool;
        5 is_property_supported IsPropertySupported(property: u32) -> bool;
        6 get_property GetProperty(property: u32, buffer_size: usize, property_data: Out<u8>) -> Hresult;
        7 get_property_size GetPropertySize(property: u32, buffer_size: Out<usize>) -> Hresult;
        8 is_query_state_supported IsQueryStateSupported(property: u32) -> bool;
        9 query_state QueryState(state: u32, input_state_details_size: usize, input_state_details: In<u8>, output_buffer_size: usize, output_buffer: Out<u8>) -> Hresult;
        10 is_set_state_supported IsSetStateSupported(property: u32) -> bool;
        11 set_state SetState(state: u32, input_state_details_size: usize, input_state_details: In<u8>, input_data_size: usize, input_data: In<u8>) -> Hresult;
        12 get_factory GetFactory(riid: In<Guid>, ppv_factory: OutPointer) -> Hresult;
    }
}
