//! d3d12.h, ID3D12Device: capabilities, background processing, removal; ID3D12Object.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_device_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates the adapter's device, or returns the existing one. d3d12.h: D3D12CreateDevice.
            1 CreateDevice [device, display] = create_device(
                /// MinimumFeatureLevel, a D3D_FEATURE_LEVEL.
                minimum_feature_level: u32,
                /// pAdapter; null is the first.
                adapter: AdapterId,
            ) -> HResult<DeviceId>;

            /// Queries a feature of the driver. d3d12.h: ID3D12Device::CheckFeatureSupport.
            2 CheckFeatureSupport [device] = check_feature_support(
                /// The queried device.
                device: DeviceId,
                /// Feature.
                feature: Feature,
                /// pFeatureSupportData before the call, FeatureSupportDataSize bytes.
                data: Bytes,
            ) -> HResult<FeatureData>;

            /// Names an object for tools. d3d12.h: ID3D12Object::SetName.
            22 SetName [objects] = set_name(
                /// The object named.
                object: ObjectId,
                /// Name.
                name: String,
            ) -> HResult<()>;

            /// Sets the extent of the driver's measurements and optimisations in the background. d3d12.h:
            /// ID3D12Device6::SetBackgroundProcessingMode.
            32 SetBackgroundProcessingMode [device, queue, system] = set_background_processing_mode(
                /// The device.
                device: DeviceId,
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
                /// hEventToSignalUponCompletion; may be NULL.
                event: EventHandle,
                /// True if pbFurtherMeasurementsDesired is not NULL.
                want_further: bool,
            ) -> HResult<FurtherMeasurements>;

            /// Releases the application's reference to a device; returns the remaining count, which is that of the swap chains
            /// on its queues. The last reference begins its destruction. unknwn.h: IUnknown::Release.
            61 ReleaseDevice [device, queue, display, system] = release_device(
                /// The device.
                device: DeviceId,
            ) -> HResult<u32>;

            /// Ends the destruction of a device, once none of its background tasks is left.
            62 FinishReleaseDevice [device, queue, system] = finish_release_device(
                /// The device.
                device: DeviceId,
            ) -> HResult<()>;

            /// Returns the reason why the device was removed. d3d12.h: ID3D12Device::GetDeviceRemovedReason.
            63 GetDeviceRemovedReason [device] = get_device_removed_reason(
                /// The device.
                device: DeviceId,
            ) -> HResult<()>;
        }
    };
}
