//! d3d12.h, ID3D12Device: views of resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_view_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a descriptor of a constant buffer. d3d12.h: ID3D12Device::CreateConstantBufferView.
            26 CreateConstantBufferView [device] = create_constant_buffer_view(
                /// The creating device.
                device: DeviceId,
                /// pDesc; NULL makes a null descriptor.
                desc: Option<ConstantBufferViewDesc>,
            ) -> HResult<()>;

            /// Creates a descriptor for reads in shaders. d3d12.h: ID3D12Device::CreateShaderResourceView.
            27 CreateShaderResourceView [device, objects] = create_shader_resource_view(
                /// The creating device.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<ShaderResourceViewDesc>,
            ) -> HResult<()>;

            /// Creates a descriptor for reads and writes in shaders. d3d12.h: ID3D12Device::CreateUnorderedAccessView.
            28 CreateUnorderedAccessView [device, objects] = create_unordered_access_view(
                /// The creating device.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pCounterResource.
                counter_resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<UnorderedAccessViewDesc>,
            ) -> HResult<()>;

            /// Creates a descriptor of a render target. d3d12.h: ID3D12Device::CreateRenderTargetView.
            65 CreateRenderTargetView [device, objects] = create_render_target_view(
                /// The creating device.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// D3D12_RENDER_TARGET_VIEW_DESC::Format; UNKNOWN is the resource's own.
                format: Format,
            ) -> HResult<()>;
        }
    };
}
