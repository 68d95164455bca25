//! The instant-access extension's own header, and an input without a header.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_extension_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Initialises the vendor's extensions; has to precede their other calls (rule T-04).
            /// IGFXExtensionsHelper.h: Init.
            1025 InitExtensions [device, context, objects] = init_extensions(
                /// The device to be extended.
                device: D3d11DeviceId,
            ) -> HResult<AvailableExtensions>;

            /// Makes the device's next call, which has to create a texture, create one for direct access (rule T-04).
            /// IGFXExtensionsHelper.h: SetDirectAccessResourceExtension (the document spells it Resouce).
            1026 SetDirectAccessResourceExtension [objects] = set_direct_access_resource_extension(
                /// The device that will create the texture.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// The GPU has completed all work that the immediate context submitted. Not a call of
            /// d3d11.h but an input of the simulation: the state in which ID3D11DeviceContext::GetData of an event
            /// query returns S_OK.
            1034 GpuWorkCompleted [context, unpinned] = gpu_work_completed(
                /// The device of the work.
                device: D3d11DeviceId,
            ) -> HResult<()>;
        }
    };
}
