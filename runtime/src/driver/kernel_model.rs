//! Kernel-mode driver model: a pure function of its profile, except for faults that depend on the number of adapters or
//! on earlier checks.

use super::profile::Profile;
use std::sync::atomic::{AtomicBool, Ordering};
use taut_schemas::format::Format;
use taut_schemas::{
    DriverCaps, DriverInitializationData, MultiplaneOverlayFlags, NtStatus, OverlayCheck, OverlayPlane, OverlayPlanes,
    OverlaySupport, PostComposition, PrimaryDesc, PrimaryDriverFlags, ScanOut, VidMmCaps, dxgkddi, pixel_bytes,
};

/// KeGetCurrentIrql of a thread, and of one that holds a spin lock (wdm.h).
const PASSIVE_LEVEL: u32 = 0;
const DISPATCH_LEVEL: u32 = 2;

/// State of faulty drivers that depends on earlier overlay checks; a conforming driver never uses it.
#[derive(Debug, Default)]
pub(crate) struct EarlierChecks {
    /// A plane is reserved for the subject of a static check.
    plane_reserved: AtomicBool,
    /// The last frame's plane was refused.
    was_refused: AtomicBool,
    /// The caps were queried since the adapter started.
    caps_queried: AtomicBool,
}

impl EarlierChecks {
    /// Returns the flags for serialisation.
    pub fn save(&self) -> [bool; 3] {
        let EarlierChecks { plane_reserved, was_refused, caps_queried } = self;
        [plane_reserved, was_refused, caps_queried].map(|flag| flag.load(Ordering::Relaxed))
    }

    /// Restores the flags of [`EarlierChecks::save`].
    pub fn restore(&self, flags: [bool; 3]) {
        let EarlierChecks { plane_reserved, was_refused, caps_queried } = self;
        for (flag, saved) in [plane_reserved, was_refused, caps_queried].into_iter().zip(flags) {
            flag.store(saved, Ordering::Relaxed);
        }
    }
}

/// Implements DriverEntry: returns the table of functions. Never called for a profile without a kernel-mode driver.
pub(crate) fn functions(profile: &Profile) -> DriverInitializationData {
    profile.kernel.as_ref().map(|kernel| kernel.functions()).unwrap_or_default()
}

/// Implements DxgkDdiStartDevice.
pub(crate) fn start(profile: &Profile, earlier: &EarlierChecks) -> NtStatus {
    earlier.caps_queried.store(false, Ordering::Relaxed);
    if profile.kernel.is_some() { NtStatus::SUCCESS } else { NtStatus::NOT_SUPPORTED }
}

/// Implements DxgkDdiQueryAdapterInfo with DXGKQAITYPE_DRIVERCAPS.
pub(crate) fn caps(profile: &Profile, earlier: &EarlierChecks, call: &dxgkddi::DxgkDdiQueryAdapterInfo) -> DriverCaps {
    let mut caps = profile.kernel.as_ref().map(|kernel| kernel.caps()).unwrap_or_default();
    let faults = &profile.faults;
    // Only the faulty driver stores that it was queried, so the state of others is unchanged.
    let is_later = faults.reports_fewer_tiers_later && earlier.caps_queried.swap(true, Ordering::Relaxed);
    if is_later || faults.scans_out_alone && call.adapters > 1 {
        caps.memory_management_caps = caps.memory_management_caps.without(VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT);
    }
    caps
}

/// Implements pfnCreateResource with pPrimaryDesc: reports whether the resource can be scanned out.
pub(crate) fn primary_flags(profile: &Profile, desc: &PrimaryDesc) -> PrimaryDriverFlags {
    let scans_out = profile.overlay.clone().unwrap_or_default().scans_out(desc);
    if scans_out { PrimaryDriverFlags::NONE } else { PrimaryDriverFlags::NO_SCANOUT }
}

/// Implements DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3: the resource itself is read with its own pitch,
/// unless the profile injects a fault.
pub(crate) fn scan_out(
    profile: &Profile,
    call: &dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3,
) -> ScanOut {
    let (faults, plane) = (&profile.faults, &call.plane);
    let caps = profile.kernel.as_ref().map(|kernel| kernel.caps()).unwrap_or_default();
    if !caps.flip_caps.contains(call.flip) {
        return ScanOut { status: NtStatus::NOT_SUPPORTED, ..ScanOut::default() };
    }
    let tight_pitch_bytes = u64::from(plane.width) * pixel_bytes(plane.format);
    let copied = faults.copies_before_scan_out;
    ScanOut {
        status: NtStatus::SUCCESS,
        pitch_bytes: if faults.reads_rows_without_padding { tight_pitch_bytes } else { plane.pitch_bytes },
        // The copy is made in blocks of 8 rows and drops the rest.
        height: if copied { (plane.height / 8 * 8).max(1) } else { plane.height },
        bytes_copied: if copied { plane.payload_bytes() } else { 0 },
    }
}

/// Implements pfnCheckMultiplaneOverlaySupport: every plane and the post composition have to be supported.
pub(crate) fn planes_supported(profile: &Profile, check: &OverlayPlanes) -> bool {
    let (overlay, faults) = (profile.overlay.clone().unwrap_or_default(), &profile.faults);
    let mut judged = check.clone();
    let is_marked = |plane: &OverlayPlane| plane.flags.contains(MultiplaneOverlayFlags::STATIC_CHECK);
    // Faults of static checks are those of the kernel-mode driver.
    if faults.forgets_rotation && judged.planes.iter().any(is_marked) {
        judged.mode.rotation_degrees = 0;
    }
    if faults.checks_the_desktops_plane {
        for plane in judged.planes.iter_mut().filter(|plane| is_marked(plane)) {
            (plane.width, plane.height) = (check.mode.width, check.mode.height);
            plane.format = Format::B8G8R8A8_UNORM;
        }
    }
    let judged_count = if faults.checks_the_first_plane_alone { 1 } else { usize::MAX };
    let has_planes = !judged.planes.is_empty() && judged.planes.len() <= overlay.planes as usize;
    let is_transformed = |one: &PostComposition| faults.ignores_post_composition || overlay.transforms(one, &judged);
    has_planes
        && judged.post_composition.iter().all(is_transformed)
        && judged.planes.iter().take(judged_count).all(|plane| overlay.shows(plane, &judged))
}

/// Implements DxgkDdiCheckMultiPlaneOverlaySupport3.
pub(crate) fn overlay_support(profile: &Profile, earlier: &EarlierChecks, check: &OverlayCheck) -> OverlaySupport {
    let faults = &profile.faults;
    let overlay = profile.overlay.clone().unwrap_or_default();
    let supported = if check.flags.contains(MultiplaneOverlayFlags::STATIC_CHECK) {
        if faults.keeps_static_checks {
            earlier.plane_reserved.store(true, Ordering::Relaxed);
        }
        overlay.supports(&static_check_input(profile, check)) && !earlier.was_refused.load(Ordering::Relaxed)
    } else {
        // The next frame consumes the reserved plane, and is refused for it.
        let supported = overlay.supports(check) && !earlier.plane_reserved.swap(false, Ordering::Relaxed);
        if faults.depends_on_frames {
            earlier.was_refused.store(!supported, Ordering::Relaxed);
        }
        supported
    };
    let plane_bytes_per_second = check.mode.scan_out_bytes_per_second(pixel_bytes(check.format));
    OverlaySupport {
        status: NtStatus::SUCCESS,
        supported,
        moved_bytes_per_second: if faults.raises_bandwidth { plane_bytes_per_second } else { 0 },
        irql: if faults.checks_under_a_spin_lock { DISPATCH_LEVEL } else { PASSIVE_LEVEL },
    }
}

/// Returns the configuration for a static check: the configuration of the query, unless the profile injects a fault.
fn static_check_input(profile: &Profile, check: &OverlayCheck) -> OverlayCheck {
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
