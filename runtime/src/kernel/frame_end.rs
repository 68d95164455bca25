//! A frame's end: what became of it, and what of it the display showed.

use crate::context::Context;
use crate::frames::{Fate, FrameEnd, Picture, Seen, Way};
use crate::violation;
use serde::{Deserialize, Serialize};
use taut_schemas::{
    AdapterId, FrameFate, HybridPresentMode, PrimaryDesc, ScanOut, SwapChainId, dxgkddi, mark, pixel_bytes, rule,
};

/// What a swap chain's frames look like, from its first one that is shown on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// Drawn whole for each frame that is looked at, so it is none of what is remembered.
    #[serde(skip)]
    picture: Option<Picture>,
    /// How the driver scans the cross-adapter resource out, once it was told to.
    scan_out: Option<ScanOut>,
    /// Somebody was told that frames are not shown as they are.
    is_told: bool,
}

/// What of a frame the display showed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Looked {
    pub first_row: u32,
    pub seen: Seen,
}

/// The way of a chain's frames, as far as their contents depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub desc: PrimaryDesc,
    pub mode: HybridPresentMode,
    pub display_adapter: AdapterId,
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

impl Shown {
    /// Compares what the display shows with what the frame is.
    pub(super) fn look_at(&mut self, context: &mut Context<'_>, end: &FrameEnd, route: Route) -> Looked {
        if end.fate == Fate::NeverShown {
            return Looked::default();
        }
        let desc = route.desc;
        let crosses = route.mode == HybridPresentMode::ONE_COPY_PATH_CASO && end.fate != Fate::Composed;
        let scan_out = if crosses { Some(self.scan_out(context, route)) } else { None };
        let row = |(since, period): (u64, u64)| u128::from(since) * u128::from(desc.height) / u128::from(period);
        let first_row = end.torn_at_ns.map_or(0, |at| row(at).min(u128::from(desc.height.saturating_sub(1))) as u32);
        let way = Way {
            copies: route.copies(),
            scan_out: scan_out.map(|scan_out| (scan_out.pitch_bytes, scan_out.height)),
            first_row,
        };
        let new = || Picture::new(desc.width, desc.height, pixel_bytes(desc.format));
        let seen = self.picture.get_or_insert_with(new).show(end.number, way);
        if seen.wrong > 0 && !self.is_told {
            self.is_told = true;
            let text = format_args!(
                "Of frame {} of swap chain {}, {} of {} pixels looked at are not the frame's where they are scanned out.",
                end.number, end.chain, seen.wrong, seen.probes
            );
            // What strict mode would remove is no device of this call's.
            let _ = violation::say(context, rule::C_20, (seen.wrong, 0, 0), text);
        }
        Looked { first_row, seen }
    }

    /// How the driver scans the resource out; it is told when the first frame is.
    fn scan_out(&mut self, context: &mut Context<'_>, route: Route) -> ScanOut {
        if let Some(known) = self.scan_out {
            return known;
        }
        let (adapter, plane) = (route.display_adapter, route.desc);
        let call = dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3 { adapter, plane };
        let scan_out = context.ddi_of(adapter, call);
        self.scan_out = Some(scan_out);
        if scan_out.bytes_copied > 0 {
            let bytes = scan_out.bytes_copied;
            let text = format_args!("Adapter {} copies {bytes} bytes again before it scans them out.", adapter.0);
            let _ = violation::say(context, rule::C_20, (bytes, 0, 0), text);
        }
        scan_out
    }
}

/// The mark of a frame's end.
pub(super) fn frame_ended(end: &FrameEnd, route: Route, looked: Looked) -> mark::FrameEnded {
    let stage = |place: usize| end.times.get(place).copied();
    let copy = |place: u64| stage(2 * place as usize - 1).filter(|_| route.copies() >= place);
    let (first, second) = (copy(1), copy(2));
    let copied = u64::from(first.is_some()) + u64::from(second.is_some());
    // Each copy has its fence behind it.
    let composition = stage(1 + 2 * route.copies() as usize);
    mark::FrameEnded {
        swap_chain: SwapChainId(end.chain),
        present_count: end.number,
        fate: match end.fate {
            Fate::Flipped => FrameFate::FLIPPED,
            Fate::Composed => FrameFate::COMPOSED,
            Fate::Torn => FrameFate::TORN,
            Fate::NeverShown => FrameFate::NEVER_SHOWN,
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
        first_row: looked.first_row,
        probes: looked.seen.probes,
        wrong_probes: looked.seen.wrong,
    }
}
