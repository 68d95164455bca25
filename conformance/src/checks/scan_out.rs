//! Checks C-10, C-20 to C-22 and C-26: scan-out of cross-adapter resources, and planes.

use super::bench::Bench;
use super::kernel::{ADAPTERS, Kernel};
use super::tally::{NotApplicable, Tally};
use taut_schemas::format::Format;
use taut_schemas::{
    CrossAdapterTier, DisplayMode, DriverCall, FlipCaps, MultiplaneOverlayFlags, NtStatus, OverlayCheck,
    OverlaySupport, PrimaryDesc, PrimaryDriverFlags, SCAN_OUT_FORMATS, ScanOut, WddmVersion, dxgi_ddi, dxgkddi,
};

/// Sizes within the minimum of tier 3, the maximum one first.
const SIZES: [(u32, u32); 4] = [(1920, 1080), (1366, 768), (640, 480), (1, 1)];

/// Flips by which the system shows a plane: at a vertical synchronisation, at once, and without the compositor.
const FLIPS: [FlipCaps; 3] =
    [FlipCaps::FLIP_ON_VSYNC_MM_IO, FlipCaps::FLIP_IMMEDIATE_MM_IO, FlipCaps::FLIP_INDEPENDENT];

/// Creates a machine whose tested adapter can scan out.
fn scanning_out<'d>(bench: &Bench<'d>) -> Result<Kernel<'d>, NotApplicable> {
    let mut kernel = Kernel::started(bench)?;
    let tier = kernel.tier(ADAPTERS[0]);
    if tier == CrossAdapterTier::SCANOUT {
        return Ok(kernel);
    }
    Err(NotApplicable(format!("the adapter has tier {tier:?}, and scans no cross-adapter resource out")))
}

/// C-10: within the minimum of tier 3, every primary can be scanned out, by every flip.
pub(super) fn scans_out_minimum(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let kernel = scanning_out(bench)?;
    if kernel.driver.dxgi_ddi().is_none() {
        return Err(NotApplicable("the driver has no functions for DXGI".to_owned()));
    }
    let adapter = ADAPTERS[0];
    let mut tally = Tally::default();
    for (format, (width, height)) in SCAN_OUT_FORMATS.into_iter().flat_map(|format| SIZES.map(|size| (format, size))) {
        let desc = PrimaryDesc::new(width, height, format);
        let created = dxgi_ddi::CreateResource { adapter, desc }.dispatch(kernel.driver);
        if created.is_ok() {
            // The driver's answer is irrelevant.
            let _ = dxgi_ddi::DestroyResource { adapter }.dispatch(kernel.driver);
        }
        let what = || format!("{width} by {height} in {format:?}: {created:?}; expected no NO_SCANOUT");
        tally.count_result((created != Ok(PrimaryDriverFlags::NONE)).then(what));
    }
    let plane = PrimaryDesc::new(SIZES[0].0, SIZES[0].1, SCAN_OUT_FORMATS[0]);
    for flip in FLIPS {
        let call = dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 { adapter, plane, flip };
        let status = call.dispatch(kernel.driver).status;
        let what = || format!("a flip by {flip:?}: {status:?}; expected SUCCESS");
        tally.count_result((status != NtStatus::SUCCESS).then(what));
    }
    Ok(tally)
}

/// C-20: with one-copy presents, the display reads the cross-adapter resource itself, every row with its pitch.
pub(super) fn scans_the_resource_itself_out(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let kernel = scanning_out(bench)?;
    let adapter = ADAPTERS[0];
    let mut tally = Tally::default();
    for (format, (width, height)) in SCAN_OUT_FORMATS.into_iter().flat_map(|format| SIZES.map(|size| (format, size))) {
        let plane = PrimaryDesc::new(width, height, format);
        let flip = FlipCaps::NONE;
        let call = dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 { adapter, plane, flip };
        let found = call.dispatch(kernel.driver);
        let expected = ScanOut {
            status: NtStatus::SUCCESS,
            pitch_bytes: plane.pitch_bytes,
            height: plane.height,
            bytes_copied: 0,
        };
        let what = || {
            format!(
                "{width} by {height} in {format:?}: {} rows are read, {} bytes apart, after {} bytes were copied again; \
                 expected {height} rows, {} bytes apart, and no copy",
                found.height, found.pitch_bytes, found.bytes_copied, plane.pitch_bytes
            )
        };
        tally.count_result((found != expected).then(what));
    }
    Ok(tally)
}

/// Driver with overlay queries.
struct Planes<'d>(Kernel<'d>);

impl<'d> Planes<'d> {
    fn new(bench: &Bench<'d>) -> Result<Planes<'d>, NotApplicable> {
        let kernel = scanning_out(bench)?;
        let version = kernel.caps().wddm_version;
        if version < WddmVersion::WDDM_3_0 {
            return Err(NotApplicable(format!("{version:?} has no static check")));
        }
        let functions = dxgkddi::DriverEntry {}.dispatch(kernel.driver);
        match functions.check_multiplane_overlay_support3 {
            true => Ok(Planes(kernel)),
            false => Err(NotApplicable("the driver has no DxgkDdiCheckMultiPlaneOverlaySupport3".to_owned())),
        }
    }

    fn answer(&self, check: OverlayCheck) -> OverlaySupport {
        let adapter = ADAPTERS[0];
        dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3 { adapter, check }.dispatch(self.0.driver)
    }

    fn query(&self, check: OverlayCheck) -> bool {
        self.answer(check).supported
    }

    /// Queries as the compositor does at a refresh.
    fn query_frame(&self, plane: OverlayCheck) -> bool {
        self.query(plane)
    }

    /// Queries as DXGI does in the application's process, with the desktop's primary as a second plane.
    fn query_statically(&self, plane: OverlayCheck) -> bool {
        let flags = MultiplaneOverlayFlags::STATIC_CHECK;
        self.query(OverlayCheck { planes: 2, flags, from_application: true, ..plane })
    }
}

/// Returns the maximum plane of tier 3's minimum, on a panel of its size with this rotation, with other displays that
/// use this bandwidth.
fn plane(rotation_degrees: u32, other_displays_bytes_per_second: u64) -> OverlayCheck {
    OverlayCheck {
        planes: 1,
        flags: MultiplaneOverlayFlags::NONE,
        width: 1920,
        height: 1080,
        format: Format::B8G8R8A8_UNORM,
        cross_adapter: true,
        mode: DisplayMode {
            width: 1920,
            height: 1080,
            refresh_millihertz: 60_000,
            rotation_degrees,
            variable_refresh_from_millihertz: 0,
        },
        other_displays_bytes_per_second,
        from_application: false,
    }
}

/// Returns a plane in a format that no display scans out.
fn no_plane() -> OverlayCheck {
    OverlayCheck { format: Format::BC1_UNORM, ..plane(0, 0) }
}

/// C-21: a static check judges its marked plane, and affects no later query.
pub(super) fn static_check_leaves_nothing(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let planes = Planes::new(bench)?;
    let mut tally = Tally::default();
    let before = planes.query_frame(plane(0, 0));
    planes.query_statically(plane(0, 0));
    let after = planes.query_frame(plane(0, 0));
    let what = || format!("a frame's plane is supported: {before}; after a static check: {after}");
    tally.count_result((before != after).then(what));
    let wrong = planes.query_statically(no_plane());
    let what = || "a static check supports a plane of BC1_UNORM; expected the marked plane to be judged".to_owned();
    tally.count_result(wrong.then(what));
    Ok(tally)
}

/// C-22: neither a static check nor one of a frame moves bandwidth, whatever it answers, and each runs at PASSIVE_LEVEL.
pub(super) fn check_moves_no_bandwidth(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let planes = Planes::new(bench)?;
    let mut tally = Tally::default();
    for query in OTHERS.map(|others| plane(0, others)).into_iter().chain([no_plane(), plane(90, 0)]) {
        for flags in [MultiplaneOverlayFlags::NONE, MultiplaneOverlayFlags::STATIC_CHECK] {
            let from_application = flags != MultiplaneOverlayFlags::NONE;
            let answer = planes.answer(OverlayCheck { planes: 2, flags, from_application, ..query });
            let OverlaySupport { moved_bytes_per_second, irql, .. } = answer;
            let what = || {
                format!(
                    "a check with {flags:?} moves {moved_bytes_per_second} bytes a second at IRQL {irql}; expected 0 at \
                     PASSIVE_LEVEL, 0"
                )
            };
            tally.count_result((moved_bytes_per_second != 0 || irql != 0).then(what));
        }
    }
    Ok(tally)
}

/// Bandwidths of other displays in bytes per second: none, that of another display in the same mode, and more than any
/// adapter has.
const OTHERS: [u64; 3] = [0, 497_664_000, 1 << 50];

/// C-26: the result of a static check depends only on the configuration. A plane that passes it must pass in some frame.
pub(super) fn static_check_depends_on_configuration(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let planes = Planes::new(bench)?;
    let mut tally = Tally::default();
    planes.query_frame(plane(0, 0));
    let before = planes.query_statically(plane(0, 0));
    planes.query_frame(no_plane());
    let after = planes.query_statically(plane(0, 0));
    let what = || format!("a static check answers {before}, and {after} once another frame's plane was refused");
    tally.count_result((before != after).then(what));
    for (degrees, others) in [0, 90, 180, 270].into_iter().flat_map(|turned| OTHERS.map(|others| (turned, others))) {
        let query = plane(degrees, others);
        let promised = planes.query_statically(query);
        // A first query absorbs a state left by the static check, which rule C-21 covers.
        planes.query_frame(query);
        let what = || {
            format!(
                "turned by {degrees} degrees, with {others} bytes a second for other displays: supported by the static \
                 check, and refused frame after frame"
            )
        };
        tally.count_result((promised && !planes.query_frame(query)).then(what));
    }
    Ok(tally)
}
