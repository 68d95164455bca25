//! d3dkmddi.h and dispmprt.h: from the graphics kernel to the kernel-mode driver.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! dxgkddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The driver is loaded, and gives the kernel its table of functions. dispmprt.h: DxgkInitialize, which the
            /// driver's DriverEntry calls.
            4608 DriverEntry = driver_entry() -> DriverInitializationData;

            /// The adapter is to begin its work. dispmprt.h: DXGKDDI_START_DEVICE.
            4609 DxgkDdiStartDevice = start_device() -> NtStatus;

            /// Asks for DXGK_DRIVERCAPS. d3dkmddi.h: DXGKDDI_QUERYADAPTERINFO with DXGKQAITYPE_DRIVERCAPS.
            4610 DxgkDdiQueryAdapterInfo = query_adapter_info(
                /// Adapters that the machine has at the time. No member of the header's structure: what a driver could find
                /// out by itself, and must not go by (rule C-06).
                adapters: u32 as Count,
            ) -> DriverCaps;

            /// The adapter's work is over. dispmprt.h: DXGKDDI_STOP_DEVICE.
            4611 DxgkDdiStopDevice = stop_device() -> NtStatus;

            /// Asks whether planes can be scanned out. d3dkmddi.h: DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3.
            4612 DxgkDdiCheckMultiPlaneOverlaySupport3 = check_multiplane_overlay_support3(
                /// hAdapter.
                adapter: AdapterId,
                /// The planes.
                check: OverlayCheck,
            ) -> OverlaySupport;

            /// A display's plane is to be scanned out from a cross-adapter resource, the first time. d3dkmddi.h:
            /// DXGKDDI_SETVIDPNSOURCEADDRESSWITHMULTIPLANEOVERLAY3.
            4613 DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 = set_vidpn_source_address_with_multiplane_overlay3(
                /// hAdapter.
                adapter: AdapterId,
                /// The plane's allocation.
                plane: PrimaryDesc,
            ) -> ScanOut;
        }
    };
}
