//! The kernel-mode driver model: a pure function of its profile, unless it is told to count adapters or to remember checks.

use super::profile::Profile;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_schemas::format::Format;
use taut_schemas::{
    DriverCaps, DriverInitializationData, MultiplaneOverlayFlags, NtStatus, OverlayCheck, OverlaySupport, PrimaryDesc,
    PrimaryDriverFlags, ScanOut, VidMmCaps, dxgkddi, pixel_bytes,
};

/// What a driver that is told to remembers of the checks before; a sound one keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct EarlierChecks {
    /// A plane is kept for what a static check asked about.
    is_kept: AtomicBool,
    /// The last frame's plane was refused.
    was_refused: AtomicBool,
}

impl EarlierChecks {
    /// Both, to be written down.
    pub fn save(&self) -> [bool; 2] {
        let EarlierChecks { is_kept, was_refused } = self;
        [is_kept, was_refused].map(|flag| flag.load(Ordering::Relaxed))
    }

    /// What [`EarlierChecks::save`] gave.
    pub fn restore(&self, [is_kept, was_refused]: [bool; 2]) {
        self.is_kept.store(is_kept, Ordering::Relaxed);
        self.was_refused.store(was_refused, Ordering::Relaxed);
    }
}

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

/// DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3: the resource itself is read, by its own pitch, unless the driver is told
/// otherwise.
pub(crate) fn scan_out(profile: &Profile, plane: &PrimaryDesc) -> ScanOut {
    let faults = &profile.faults;
    let tight_pitch_bytes = u64::from(plane.width) * pixel_bytes(plane.format);
    let copied = faults.copies_before_scan_out;
    ScanOut {
        status: NtStatus::SUCCESS,
        pitch_bytes: if faults.reads_rows_without_padding { tight_pitch_bytes } else { plane.pitch_bytes },
        // Its copy goes by blocks of 8 rows, and forgets those beyond.
        height: if copied { (plane.height / 8 * 8).max(1) } else { plane.height },
        bytes_copied: if copied { plane.payload_bytes() } else { 0 },
    }
}

/// DxgkDdiCheckMultiPlaneOverlaySupport3.
pub(crate) fn overlay_support(profile: &Profile, earlier: &EarlierChecks, check: &OverlayCheck) -> OverlaySupport {
    let faults = &profile.faults;
    let overlay = profile.overlay.clone().unwrap_or_default();
    let supported = if check.flags.contains(MultiplaneOverlayFlags::STATIC_CHECK) {
        if faults.keeps_static_checks {
            earlier.is_kept.store(true, Ordering::Relaxed);
        }
        overlay.supports(&judged_statically(profile, check)) && !earlier.was_refused.load(Ordering::Relaxed)
    } else {
        let supported = overlay.supports(check) && !earlier.is_kept.swap(false, Ordering::Relaxed);
        if faults.goes_by_frames {
            earlier.was_refused.store(!supported, Ordering::Relaxed);
        }
        supported
    };
    OverlaySupport { status: NtStatus::SUCCESS, supported }
}

/// What a static check goes by: what it is asked about, unless the driver is told to mistake it.
fn judged_statically(profile: &Profile, check: &OverlayCheck) -> OverlayCheck {
    let mut judged = *check;
    if profile.faults.checks_the_desktops_plane {
        (judged.width, judged.height) = (check.mode.width, check.mode.height);
        judged.format = Format::B8G8R8A8_UNORM;
    }
    if profile.faults.forgets_rotation {
        judged.mode.rotation_degrees = 0;
    }
    judged
}
