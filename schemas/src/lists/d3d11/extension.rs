//! The instant-access extension's own header, and what stands for it that no header has.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_extension_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Makes the vendor's extensions ready; comes before any other of their calls (rule T-04).
            /// IGFXExtensionsHelper.h: Init.
            1025 InitExtensions [device, context, objects] = init_extensions(
                /// The device to be extended.
                device: D3d11DeviceId,
            ) -> HResult<AvailableExtensions>;

            /// Makes the device's next call, which has to create a texture, create one for direct access (rule T-04).
            /// IGFXExtensionsHelper.h: SetDirectAccessResourceExtension (the document spells Resouce).
            1026 SetDirectAccessResourceExtension [objects] = set_direct_access_resource_extension(
                /// The device that will create the texture.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// The graphics processor has done everything that the immediate context submitted. Not a call of d3d11.h but an
            /// input of the simulation: what an application learns when ID3D11DeviceContext::GetData of an event query
            /// returns S_OK.
            1034 GpuWorkCompleted [context, opens] = gpu_work_completed(
                /// The device whose work is done.
                device: D3d11DeviceId,
            ) -> HResult<()>;
        }
    };
}
