//! Check C-07: functions that check and present planes; support of several planes and of their post composition.

use super::bench::Bench;
use super::kernel::{ADAPTERS, Kernel};
use super::tally::{NotApplicable, Tally};
use taut_schemas::format::Format;
use taut_schemas::{
    DisplayMode, DriverCall, HResult, MultiplaneOverlayFlags, OverlayCheck, OverlayPlane, OverlayPlanes, PlaneRect,
    PostComposition, PostCompositionFlags, PrimaryDesc, VidMmCaps, dxgi_ddi, dxgkddi,
};

/// Mode of the display: the maximum of tier 3's minimum.
const MODE: DisplayMode = DisplayMode {
    width: 1920,
    height: 1080,
    refresh_millihertz: 60_000,
    rotation_degrees: 0,
    variable_refresh_from_millihertz: 0,
};

/// Returns a plane that covers the display.
fn plane(layer_index: u32, format: Format) -> OverlayPlane {
    OverlayPlane {
        layer_index,
        flags: MultiplaneOverlayFlags::NONE,
        width: MODE.width,
        height: MODE.height,
        format,
        cross_adapter: layer_index > 0,
        destination: PlaneRect::new(MODE.width, MODE.height),
    }
}

/// Queries pfnCheckMultiplaneOverlaySupport.
fn query(kernel: &Kernel<'_>, planes: &[OverlayPlane], post_composition: &[PostComposition]) -> HResult<bool> {
    let check = OverlayPlanes {
        planes: planes.to_vec(),
        post_composition: post_composition.to_vec(),
        mode: MODE,
        other_displays_bytes_per_second: 0,
    };
    dxgi_ddi::CheckMultiplaneOverlaySupport { adapter: ADAPTERS[0], check }.dispatch(kernel.driver)
}

/// C-07: tier 3 requires the functions that DXGI and the compositor call, and their answers cover every plane.
pub(super) fn scan_out_can_be_checked(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let kernel = Kernel::new(bench)?;
    let functions = dxgkddi::DriverEntry {}.dispatch(kernel.driver);
    let caps = kernel.caps().memory_management_caps;
    let scans_out = caps.contains(VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT);
    let mut tally = Tally::default();
    for (provided, function) in [
        (functions.check_multiplane_overlay_support3, "DxgkDdiCheckMultiPlaneOverlaySupport3"),
        (kernel.driver.dxgi_ddi().is_some(), "pfnCreateResource for DXGI"),
    ] {
        let what = || format!("tier 3 without {function}; expected it to be given");
        tally.count_result((scans_out && !provided).then(what));
    }
    if scans_out && tally.failures == 0 {
        count_answers(&kernel, &mut tally);
    }
    Ok(tally)
}

/// Counts the answers of a driver of tier 3 whose two tables are complete.
fn count_answers(kernel: &Kernel<'_>, tally: &mut Tally) {
    let pair = [plane(0, Format::B8G8R8A8_UNORM), plane(1, Format::B8G8R8A8_UNORM)];
    count_agreement(kernel, &pair, tally);
    count_every_plane(kernel, &pair, tally);
    count_post_compositions(kernel, &pair, tally);
    count_presents(kernel, &pair, tally);
}

/// The kernel-mode driver gives the same answer about the upper one of two planes.
fn count_agreement(kernel: &Kernel<'_>, pair: &[OverlayPlane; 2], tally: &mut Tally) {
    let check = OverlayCheck {
        planes: 2,
        flags: MultiplaneOverlayFlags::NONE,
        width: pair[1].width,
        height: pair[1].height,
        format: pair[1].format,
        cross_adapter: true,
        mode: MODE,
        other_displays_bytes_per_second: 0,
        from_application: false,
    };
    let call = dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3 { adapter: ADAPTERS[0], check };
    let (expected, found) = (call.dispatch(kernel.driver).supported, query(kernel, pair, &[]));
    let what = || {
        format!(
            "pfnCheckMultiplaneOverlaySupport for two planes: {found:?}; DxgkDdiCheckMultiPlaneOverlaySupport3: {expected}"
        )
    };
    tally.count_result((found != Ok(expected)).then(what));
}

/// No set of planes is supported of which one cannot be shown, wherever it is.
fn count_every_plane(kernel: &Kernel<'_>, pair: &[OverlayPlane; 2], tally: &mut Tally) {
    let unshown = [
        ("in a format that no display scans out", OverlayPlane { format: Format::BC1_UNORM, ..pair[1] }),
        ("without pixels", OverlayPlane { destination: PlaneRect::default(), ..pair[1] }),
        ("beyond the display", OverlayPlane { destination: PlaneRect::new(MODE.width + 1, MODE.height), ..pair[1] }),
    ];
    for (property, unshown) in unshown {
        for place in 0..2 {
            let mut planes = *pair;
            planes[place] = OverlayPlane { layer_index: place as u32, ..unshown };
            let found = query(kernel, &planes, &[]);
            let what = || format!("two planes, number {place} {property}: {found:?}; expected no support");
            tally.count_result((found == Ok(true)).then(what));
        }
    }
    let found = query(kernel, &[], &[]);
    tally.count_result((found == Ok(true)).then(|| format!("no plane: {found:?}; expected no support")));
}

/// A post composition that changes nothing changes no answer; one that no display can show is not supported.
fn count_post_compositions(kernel: &Kernel<'_>, pair: &[OverlayPlane; 2], tally: &mut Tally) {
    let whole = PlaneRect::new(MODE.width, MODE.height);
    let unchanged = PostComposition { flags: PostCompositionFlags::NONE, source: whole, destination: whole };
    let (plain, found) = (query(kernel, pair, &[]), query(kernel, pair, &[unchanged]));
    let what = || format!("with a post composition that changes nothing: {found:?}; without it: {plain:?}");
    tally.count_result((found != plain).then(what));
    let outside = PlaneRect::new(MODE.width, MODE.height + 1);
    for (what, post_composition) in [
        ("to a place beyond the display", PostComposition { destination: outside, ..unchanged }),
        ("to no pixel", PostComposition { destination: PlaneRect::default(), ..unchanged }),
        ("from no pixel", PostComposition { source: PlaneRect::default(), ..unchanged }),
    ] {
        let found = query(kernel, pair, &[post_composition]);
        let what = || format!("a post composition {what}: {found:?}; expected no support");
        tally.count_result((found == Ok(true)).then(what));
    }
}

/// The presenting functions present what is supported.
fn count_presents(kernel: &Kernel<'_>, pair: &[OverlayPlane; 2], tally: &mut Tally) {
    let adapter = ADAPTERS[0];
    let planes = dxgi_ddi::PresentMultiplaneOverlay { adapter, planes: vec![pair[1]] }.dispatch(kernel.driver);
    let what = || format!("pfnPresentMultiplaneOverlay: {planes:?}; expected S_OK");
    tally.count_result(planes.is_err().then(what));
    let surface = PrimaryDesc::new(MODE.width, MODE.height, Format::B8G8R8A8_UNORM);
    for sync_interval in 0..=4 {
        let presented = dxgi_ddi::Present1 { adapter, surface, sync_interval }.dispatch(kernel.driver);
        let what = || format!("pfnPresent1 with interval {sync_interval}: {presented:?}; expected S_OK");
        tally.count_result(presented.is_err().then(what));
    }
}
