//! D3D11CreateDevice, and what every object of Direct3D 11 has.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_device_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a device and its immediate context; each call another. d3d11.h: D3D11CreateDevice.
            1040 D3D11CreateDevice [device, contexts, objects] creates D3d11DeviceAndContext = d3d11_create_device(
                /// The D3D_FEATURE_LEVEL wanted.
                feature_level: u32,
                /// pAdapter; null is the first.
                adapter: AdapterId,
                /// Flags.
                flags: CreateDeviceFlags,
            ) -> HResult<D3d11DeviceAndContext>;

            /// Counts one more reference; the public count is the answer. unknwn.h: IUnknown::AddRef.
            1041 AddRef [objects] = add_ref(
                /// Any object of Direct3D 11.
                object: ObjectId,
            ) -> HResult<u32>;

            /// Counts one reference less; the public count is the answer. What a context holds goes on living with the count
            /// 0. unknwn.h: IUnknown::Release.
            1042 Release [device, context, objects] = release(
                /// Any object of Direct3D 11.
                object: ObjectId,
            ) -> HResult<u32>;

            /// Creates a deferred context. d3d11.h: ID3D11Device::CreateDeferredContext.
            1043 CreateDeferredContext [device, contexts, objects] creates D3d11ContextId = create_deferred_context(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// ContextFlags; there is none.
                flags: u32 as Flags,
            ) -> HResult<D3d11ContextId>;

            /// Why the device was removed. d3d11.h: ID3D11Device::GetDeviceRemovedReason.
            1044 GetDeviceRemovedReason [device, objects] = get_device_removed_reason(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// What the device can do on several threads. d3d11.h: ID3D11Device::CheckFeatureSupport, of
            /// D3D11_FEATURE_THREADING.
            1045 CheckFeatureSupport [device, objects] = check_feature_support(
                /// The device.
                device: D3d11DeviceId,
                /// FeatureSupportDataSize, in bytes.
                size_bytes: u32 as Size,
                /// pFeatureSupportData is not null.
                want_data: bool,
            ) -> HResult<ThreadingSupport>;

            /// The immediate context, with one reference more. d3d11.h: ID3D11Device::GetImmediateContext, which returns
            /// nothing.
            1046 GetImmediateContext [device, context, objects] = get_immediate_context(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<D3d11ContextId>;

            /// The same object by another of its interfaces, with one reference more. unknwn.h: IUnknown::QueryInterface.
            1047 QueryInterface [objects] = query_interface(
                /// Any object of Direct3D 11 but a context.
                object: ObjectId,
                /// riid.
                interface: D3d11Interface,
            ) -> HResult<ObjectId>;

            /// The flags that a context was created with: there is none. d3d11.h: ID3D11DeviceContext::GetContextFlags.
            1048 GetContextFlags [context] = get_context_flags(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<u32>;

            /// Creates an object that keeps what a context binds while another is in its place. d3d11_1.h:
            /// ID3D11Device1::CreateDeviceContextState.
            1049 CreateDeviceContextState [device, objects] creates D3d11ContextStateId = create_device_context_state(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// Flags: D3D11_1_CREATE_DEVICE_CONTEXT_STATE_FLAG.
                flags: u32 as Flags,
                /// pFeatureLevels: the first that the device has is chosen.
                feature_levels: Vec<u32>,
            ) -> HResult<DeviceContextState>;
        }
    };
}
