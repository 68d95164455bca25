//! End of frames: their outcome, and comparison of the scanned-out image with the frame.

use crate::context::Context;
use crate::frames::{ChainSurfaces, FrameEnd, FramePath, ProbeResult, SimulatedOutcome};
use crate::revision::Revision;
use crate::violation;
use crate::violation::ObservedValue;
use serde::{Deserialize, Serialize};
use taut_schemas::{
    AdapterId, FlipCaps, FrameOutcome, HybridPresentMode, MultiplaneOverlayFlags, OverlayPlane, PlaneRect, PrimaryDesc,
    ScanOut, SwapChainId, dxgi_ddi, dxgkddi, mark, pixel_bytes, rule,
};

/// State of the comparison of a chain's shown frames.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct FrameComparer {
    /// Redrawn completely for each compared frame, so it is not saved.
    #[serde(skip)]
    picture: Option<ChainSurfaces>,
    /// The driver's scan-out of the cross-adapter resource, once it was set.
    scan_out: Option<ScanOut>,
    /// True once a wrong image was reported, so that it is reported once per chain.
    #[serde(rename = "is_told")]
    is_reported: bool,
}

/// Result of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Comparison {
    pub first_row: u32,
    pub seen: ProbeResult,
}

/// The part of a chain's path that affects frame contents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub desc: PrimaryDesc,
    pub mode: HybridPresentMode,
    pub display_adapter: AdapterId,
    /// The part of the display that a flipped frame covers.
    pub destination: PlaneRect,
}

impl Route {
    fn copies(&self) -> u64 {
        match self.mode {
            HybridPresentMode::TWO_COPY_PATH => 2,
            HybridPresentMode::ONE_COPY_PATH_CASO => 1,
            _ => 0,
        }
    }
}

impl FrameComparer {
    /// Compares the image on the display with the frame.
    pub(super) fn compare(&mut self, context: &mut Context<'_>, end: &FrameEnd, route: Route) -> Comparison {
        if end.outcome == SimulatedOutcome::Dropped {
            return Comparison::default();
        }
        let desc = route.desc;
        // A composed frame was read by the compositor, not by scan-out of the cross-adapter resource.
        let crosses = route.mode == HybridPresentMode::ONE_COPY_PATH_CASO && end.outcome != SimulatedOutcome::Composed;
        let scan_out = if crosses { Some(self.scan_out(context, route)) } else { None };
        // The torn position in the image follows from the time since the refresh.
        let row = |(since, period): (u64, u64)| u128::from(since) * u128::from(desc.height) / u128::from(period);
        let first_row = end.torn_at_ns.map_or(0, |at| row(at).min(u128::from(desc.height.saturating_sub(1))) as u32);
        let way = FramePath {
            copies: route.copies(),
            scan_out: scan_out.map(|scan_out| (scan_out.pitch_bytes, scan_out.height)),
            first_row,
        };
        let new = || ChainSurfaces::new(desc.width, desc.height, pixel_bytes(desc.format));
        let seen = self.picture.get_or_insert_with(new).show(end.number, way);
        if seen.wrong > 0 && !self.is_reported {
            self.is_reported = true;
            let text = format_args!(
                "Of frame {} of swap chain {}, {} of {} pixels looked at are not the frame's where they are scanned out.",
                end.number, end.chain, seen.wrong, seen.probes
            );
            // Strict mode would remove a device, but this input has none, so the result does not matter.
            let _ = violation::record_violation(
                context,
                rule::C_20,
                ObservedValue { found: seen.wrong, min: 0, max: 0 },
                text,
            );
        }
        Comparison { first_row, seen }
    }

    /// The driver's scan-out of the resource; the driver gets the plane's address at the first frame.
    fn scan_out(&mut self, context: &mut Context<'_>, route: Route) -> ScanOut {
        if let Some(known) = self.scan_out {
            return known;
        }
        let (adapter, plane) = (route.display_adapter, route.desc);
        if context.settings.revision >= Revision::OVERLAY_FUNCTIONS {
            present_plane(context, route);
        }
        // The first frame of a plane replaces no other one.
        let flip = FlipCaps::NONE;
        let call = dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 { adapter, plane, flip };
        let scan_out = context.ddi_of(adapter, call);
        self.scan_out = Some(scan_out);
        if scan_out.bytes_copied > 0 {
            let bytes = scan_out.bytes_copied;
            let text = format_args!("Adapter {} copies {bytes} bytes again before it scans them out.", adapter.0);
            let _ =
                violation::record_violation(context, rule::C_20, ObservedValue { found: bytes, min: 0, max: 0 }, text);
        }
        scan_out
    }
}

/// Presents the cross-adapter resource of a chain's first frame that is scanned out as the display's only plane.
fn present_plane(context: &mut Context<'_>, route: Route) {
    let (adapter, resource) = (route.display_adapter, route.desc);
    let plane = OverlayPlane {
        layer_index: 0,
        flags: MultiplaneOverlayFlags::NONE,
        width: resource.width,
        height: resource.height,
        format: resource.format,
        cross_adapter: true,
        destination: route.destination,
    };
    // An error has no consequence here: the kernel-mode driver's scan-out decides what the display shows.
    let _ = context.ddi_of(adapter, dxgi_ddi::PresentMultiplaneOverlay { adapter, planes: vec![plane] });
}

/// The mark of a frame's end.
pub(super) fn frame_ended(end: &FrameEnd, route: Route, comparison: Comparison) -> mark::FrameEnded {
    let stage = |place: usize| end.times.get(place).copied();
    let copy = |place: u64| stage(2 * place as usize - 1).filter(|_| route.copies() >= place);
    let (first, second) = (copy(1), copy(2));
    let copied = u64::from(first.is_some()) + u64::from(second.is_some());
    // Each copy is followed by its fence, so a copy takes two stages.
    let composition = stage(1 + 2 * route.copies() as usize);
    mark::FrameEnded {
        swap_chain: SwapChainId(end.chain),
        present_count: end.number,
        outcome: match end.outcome {
            SimulatedOutcome::Flipped => FrameOutcome::FLIPPED,
            SimulatedOutcome::Composed => FrameOutcome::COMPOSED,
            SimulatedOutcome::Torn => FrameOutcome::TORN,
            SimulatedOutcome::Dropped => FrameOutcome::NEVER_SHOWN,
        },
        presented_at_ns: end.presented_at_ns,
        rendered_at_ns: stage(0).map_or(0, |times| times.ended_at_ns),
        copy_1_started_at_ns: first.map_or(0, |times| times.started_at_ns),
        copy_1_ended_at_ns: first.map_or(0, |times| times.ended_at_ns),
        copy_2_started_at_ns: second.map_or(0, |times| times.started_at_ns),
        copy_2_ended_at_ns: second.map_or(0, |times| times.ended_at_ns),
        ready_at_ns: end.ready_at_ns.unwrap_or(0),
        ended_at_ns: end.ended_at_ns,
        bytes_copied: copied * route.desc.payload_bytes(),
        composition_started_at_ns: composition.map_or(0, |times| times.started_at_ns),
        composition_ended_at_ns: composition.map_or(0, |times| times.ended_at_ns),
        first_row: comparison.first_row,
        probes: comparison.seen.probes,
        wrong_probes: comparison.seen.wrong,
    }
}
