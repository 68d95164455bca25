//! Enumerations, flags and structures of the kernel's side: d3dkmthk.h, d3dkmdt.h, d3dukmdt.h, d3dkmddi.h.
//!
//! Numbers are those of the public headers and bindings. Bit fields of the headers are flags here, one per member.

use crate::code::codes;
use crate::desc::descs;
use crate::field::{Bytes, Field, HandleMap};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `NTSTATUS` (ntstatus.h), restricted to the values that the kernel's side returns.
    code NtStatus {
        SUCCESS = 0, INVALID_HANDLE = 0xc000_0008, INVALID_PARAMETER = 0xc000_000d, NO_SUCH_DEVICE = 0xc000_000e,
        NOT_SUPPORTED = 0xc000_00bb, DEVICE_ALREADY_ATTACHED = 0xc000_0038, INVALID_DEVICE_STATE = 0xc000_0184,
    }

    /// `DXGK_WDDMVERSION`: the version of the driver model that a kernel-mode driver implements.
    code WddmVersion {
        WDDM_1_3 = 0x1300, WDDM_2_0 = 0x2000, WDDM_2_1 = 0x2100, WDDM_2_2 = 0x2200, WDDM_2_3 = 0x2300,
        WDDM_2_4 = 0x2400, WDDM_2_5 = 0x2500, WDDM_2_6 = 0x2600, WDDM_2_7 = 0x2700, WDDM_2_8 = 0x2800,
        WDDM_2_9 = 0x2900, WDDM_3_0 = 0x3000, WDDM_3_1 = 0x3100, WDDM_3_2 = 0x3200,
    }

    /// `DXGK_VIDMMCAPS`, of the members that scan-out depends on: the three tiers of cross-adapter resources.
    flags VidMmCaps {
        NONE = 0, CROSS_ADAPTER_RESOURCE = 0x10, CROSS_ADAPTER_RESOURCE_TEXTURE = 0x8000,
        CROSS_ADAPTER_RESOURCE_SCANOUT = 0x10000,
    }

    /// `DXGK_FLIPCAPS`.
    flags FlipCaps {
        NONE = 0, FLIP_ON_VSYNC_WITH_NO_WAIT = 0x1, FLIP_ON_VSYNC_MM_IO = 0x2, FLIP_INTERVAL = 0x4,
        FLIP_IMMEDIATE_MM_IO = 0x8, FLIP_INDEPENDENT = 0x10, DDI_PRESENT_FOR_I_FLIP = 0x20,
        FLIP_IMMEDIATE_ON_H_SYNC = 0x40,
    }

    /// `KMTQUERYADAPTERINFOTYPE`, restricted to the types that are answered.
    code KmtQueryAdapterInfoType { WDDM_1_3_CAPS = 22, CROSSADAPTERRESOURCE_SUPPORT = 76, }

    /// `D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER`. Each tier includes the one below it.
    code CrossAdapterTier { NONE = 0, COPY = 1, TEXTURE = 2, SCANOUT = 3, }

    /// `D3DKMT_WDDM_1_3_CAPS`.
    flags Wddm13Caps {
        NONE = 0, SUPPORT_MIRACAST = 0x1, IS_HYBRID_INTEGRATED_GPU = 0x2, IS_HYBRID_DISCRETE_GPU = 0x4,
        SUPPORT_POWER_MANAGEMENT_P_STATES = 0x8, SUPPORT_VIRTUAL_MODES = 0x10, SUPPORT_CROSS_ADAPTER_RESOURCE = 0x20,
    }
}

descs! {
    /// `DRIVER_INITIALIZATION_DATA`: a kernel-mode driver's argument of DxgkInitialize, restricted to the members in
    /// use.
    #[derive(Copy)]
    DriverInitializationData {
        /// DRIVER_INITIALIZATION_DATA::Version, as the corresponding version of the driver model.
        wddm_version: WddmVersion,
        /// True if DRIVER_INITIALIZATION_DATA::DxgkDdiCheckMultiPlaneOverlaySupport3 is not null.
        check_multiplane_overlay_support3: bool,
    }

    /// `DXGK_DRIVERCAPS`, restricted to the members on which cross-adapter resources and their scan-out depend.
    #[derive(Copy)]
    DriverCaps {
        /// DXGK_DRIVERCAPS::WDDMVersion.
        wddm_version: WddmVersion,
        /// DXGK_DRIVERCAPS::MemoryManagementCaps.
        memory_management_caps: VidMmCaps,
        /// DXGK_DRIVERCAPS::FlipCaps.
        flip_caps: FlipCaps,
        /// DXGK_DRIVERCAPS::HybridIntegrated.
        hybrid_integrated: bool,
        /// DXGK_DRIVERCAPS::HybridDiscrete.
        hybrid_discrete: bool,
    }

    /// The result of D3DKMTQueryAdapterInfo.
    QueriedAdapterInfo {
        /// The call's result.
        status: NtStatus,
        /// pPrivateDriverData after the call; empty where the call failed.
        private_driver_data: Bytes,
    }
}

impl VidMmCaps {
    /// The tier that the caps stand for (rule C-03): that of the highest bit, whatever is below it.
    pub fn tier(self) -> CrossAdapterTier {
        // From the highest tier down, because the first match decides.
        let tiers = [
            (VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT, CrossAdapterTier::SCANOUT),
            (VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE, CrossAdapterTier::TEXTURE),
            (VidMmCaps::CROSS_ADAPTER_RESOURCE, CrossAdapterTier::COPY),
        ];
        tiers.into_iter().find(|(cap, _)| self.contains(*cap)).map_or(CrossAdapterTier::NONE, |(_, tier)| tier)
    }

    /// The first tier below [`VidMmCaps::tier`] whose bit is missing (rule C-01).
    pub fn missing_tier(self) -> Option<CrossAdapterTier> {
        let below = [
            (VidMmCaps::CROSS_ADAPTER_RESOURCE, CrossAdapterTier::COPY),
            (VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE, CrossAdapterTier::TEXTURE),
        ];
        below.into_iter().find(|(cap, tier)| *tier < self.tier() && !self.contains(*cap)).map(|(_, tier)| tier)
    }
}
