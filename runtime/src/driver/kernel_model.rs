//! The kernel-mode driver model: a pure function of its profile, unless it is told to count adapters.

use super::profile::Profile;
use taut_schemas::{DriverCaps, DriverInitializationData, NtStatus, VidMmCaps, dxgkddi};

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
