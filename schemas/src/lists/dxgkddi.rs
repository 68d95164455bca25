//! d3dkmddi.h and dispmprt.h: from the graphics kernel to the kernel-mode driver.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! dxgkddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Loads the driver, which returns its table of functions. dispmprt.h: DxgkInitialize, called by the
            /// driver's DriverEntry.
            4608 DriverEntry = driver_entry() -> DriverInitializationData;

            /// Starts the adapter. dispmprt.h: DXGKDDI_START_DEVICE.
            4609 DxgkDdiStartDevice = start_device() -> NtStatus;

            /// Queries DXGK_DRIVERCAPS. d3dkmddi.h: DXGKDDI_QUERYADAPTERINFO with DXGKQAITYPE_DRIVERCAPS.
            4610 DxgkDdiQueryAdapterInfo = query_adapter_info(
                /// Number of adapters of the machine at this time. No member of the header's structure: a driver could
                /// find it out by itself, and must not depend on it (rule C-06).
                adapters: u32 as Count,
            ) -> DriverCaps;

            /// Stops the adapter. dispmprt.h: DXGKDDI_STOP_DEVICE.
            4611 DxgkDdiStopDevice = stop_device() -> NtStatus;

            /// Queries support for the scan-out of planes. d3dkmddi.h: DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3.
            4612 DxgkDdiCheckMultiPlaneOverlaySupport3 = check_multiplane_overlay_support3(
                /// hAdapter.
                adapter: AdapterId,
                /// The planes.
                check: OverlayCheck,
            ) -> OverlaySupport;

            /// Starts the scan-out of a display's plane from a cross-adapter resource, for its first frame. d3dkmddi.h:
            /// DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3.
            4613 DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 = set_vidpn_source_address_with_multiplane_overlay3(
                /// hAdapter.
                adapter: AdapterId,
                /// The plane's allocation.
                plane: PrimaryDesc,
                /// The flip: a flag of DXGK_FLIPCAPS that the driver has, or none for the only frame.
                flip: FlipCaps,
            ) -> ScanOut;
        }
    };
}
