//! D3D11CreateDevice, and the methods of every Direct3D 11 object.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_device_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a device and its immediate context; new ones for each call. d3d11.h: D3D11CreateDevice.
            1040 D3D11CreateDevice [device, contexts, objects] creates D3d11DeviceAndContext = d3d11_create_device(
                /// The requested D3D_FEATURE_LEVEL.
                feature_level: u32,
                /// pAdapter; null is the first.
                adapter: AdapterId,
                /// Flags.
                flags: CreateDeviceFlags,
            ) -> HResult<D3d11DeviceAndContext>;

            /// Adds a reference; returns the public count. unknwn.h: IUnknown::AddRef.
            1041 AddRef [objects] = add_ref(
                /// Any object of Direct3D 11.
                object: ObjectId,
            ) -> HResult<u32>;

            /// Releases a reference; returns the public count. An object that a context holds lives on with count 0.
            /// unknwn.h: IUnknown::Release.
            1042 Release [device, context, objects] = release(
                /// Any object of Direct3D 11.
                object: ObjectId,
            ) -> HResult<u32>;

            /// Creates a deferred context. d3d11.h: ID3D11Device::CreateDeferredContext.
            1043 CreateDeferredContext [device, contexts, objects] creates D3d11ContextId = create_deferred_context(
                /// The creating device.
                device: D3d11DeviceId,
                /// ContextFlags; none is defined.
                flags: u32 as Flags,
            ) -> HResult<D3d11ContextId>;

            /// Returns the reason why the device was removed. d3d11.h: ID3D11Device::GetDeviceRemovedReason.
            1044 GetDeviceRemovedReason [device, objects] = get_device_removed_reason(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// Returns the device's threading support. d3d11.h: ID3D11Device::CheckFeatureSupport, for
            /// D3D11_FEATURE_THREADING.
            1045 CheckFeatureSupport [device, objects] = check_feature_support(
                /// The device.
                device: D3d11DeviceId,
                /// FeatureSupportDataSize, in bytes.
                size_bytes: u32 as Size,
                /// True if pFeatureSupportData is not null.
                want_data: bool,
            ) -> HResult<ThreadingSupport>;

            /// Returns the immediate context, with an added reference. d3d11.h: ID3D11Device::GetImmediateContext,
            /// which returns nothing.
            1046 GetImmediateContext [device, context, objects] = get_immediate_context(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<D3d11ContextId>;

            /// Returns another interface of the object, with an added reference. unknwn.h: IUnknown::QueryInterface.
            1047 QueryInterface [objects] = query_interface(
                /// Any object of Direct3D 11 but a context.
                object: ObjectId,
                /// riid.
                interface: D3d11Interface,
            ) -> HResult<ObjectId>;

            /// Returns the flags that a context was created with: 0. d3d11.h: ID3D11DeviceContext::GetContextFlags.
            1048 GetContextFlags [context] = get_context_flags(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<u32>;

            /// Creates an object that stores a context's bindings while another one is in use. d3d11_1.h:
            /// ID3D11Device1::CreateDeviceContextState.
            1049 CreateDeviceContextState [device, objects] creates D3d11ContextStateId = create_device_context_state(
                /// The creating device.
                device: D3d11DeviceId,
                /// Flags: D3D11_1_CREATE_DEVICE_CONTEXT_STATE_FLAG.
                flags: u32 as Flags,
                /// pFeatureLevels: the first one that the device supports is chosen.
                feature_levels: Vec<u32>,
            ) -> HResult<DeviceContextState>;
        }
    };
}
