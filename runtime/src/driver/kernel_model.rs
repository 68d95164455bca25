//! The kernel-mode driver model: a pure function of its profile, unless it is told to count adapters.

use super::profile::Profile;
use taut_schemas::{
    DriverCaps, DriverInitializationData, NtStatus, OverlayCheck, OverlaySupport, PrimaryDesc, PrimaryDriverFlags,
    VidMmCaps, dxgkddi,
};

/// DriverEntry: the table of functions. A profile without a kernel-mode driver is never asked.
pub(crate) fn functions(profile: &Profile) -> DriverInitializationData {
    profile.kernel.as_ref().map(|kernel| kernel.functions()).unwrap_or_default()
}

/// DxgkDdiStartDevice.
pub(crate) fn start(profile: &Profile) -> NtStatus {
    if profile.kernel.is_some() { NtStatus::SUCCESS } else { NtStatus::NOT_SUPPORTED }
}

/// DxgkDdiQueryAdapterInfo with DXGKQAITYPE_DRIVERCAPS.
pub(crate) fn caps(profile: &Profile, call: &dxgkddi::DxgkDdiQueryAdapterInfo) -> DriverCaps {
    let mut caps = profile.kernel.as_ref().map(|kernel| kernel.caps()).unwrap_or_default();
    if profile.faults.scans_out_alone && call.adapters > 1 {
        caps.memory_management_caps = caps.memory_management_caps.without(VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT);
    }
    caps
}

/// pfnCreateResource with pPrimaryDesc: whether what was created can be scanned out.
pub(crate) fn primary_flags(profile: &Profile, desc: &PrimaryDesc) -> PrimaryDriverFlags {
    let scans_out = profile.overlay.clone().unwrap_or_default().scans_out(desc);
    if scans_out { PrimaryDriverFlags::NONE } else { PrimaryDriverFlags::NO_SCANOUT }
}

/// DxgkDdiCheckMultiPlaneOverlaySupport3.
pub(crate) fn overlay_support(profile: &Profile, check: &OverlayCheck) -> OverlaySupport {
    let supported = profile.overlay.clone().unwrap_or_default().supports(check);
    OverlaySupport { status: NtStatus::SUCCESS, supported }
}
