//! Modes that a link cannot carry: said when a chain's path is decided, not found out frame by frame.

use crate::context::Context;
use crate::kernel::{Presents, SwapChain};
use taut_schemas::{HybridPresentMode, MessageId, MessageSeverity, ObjectId, SwapChainId, mark};

/// Says of each link on the path whether so many frames as the display has refreshes go through it.
pub(super) fn tell(
    context: &mut Context<'_>,
    presents: &Presents,
    (id, chain): (SwapChainId, &SwapChain),
    mode: HybridPresentMode,
) {
    let Some(display) = presents.display(chain.display).filter(|_| mode != HybridPresentMode::NOT_HYBRID) else {
        return;
    };
    let refresh_millihertz = display.mode.refresh_millihertz;
    let (payload, refreshes) = (u128::from(chain.payload_bytes()), u128::from(refresh_millihertz));
    let number = |wide: u128| u64::try_from(wide).unwrap_or(u64::MAX);
    // The first copy goes through the link of the adapter that renders; the second, or scan-out, through the other one's.
    for adapter in [chain.render, chain.display_adapter] {
        let Some(link_bytes_per_second) = presents.link_of(adapter) else { continue };
        let needed = payload * refreshes;
        if needed <= u128::from(link_bytes_per_second) * 1000 {
            continue;
        }
        let told = mark::LinkTooSlow {
            swap_chain: id,
            adapter,
            needed_bytes_per_second: number(needed.div_ceil(1000)),
            link_bytes_per_second,
            refresh_millihertz,
            possible_millihertz: number(u128::from(link_bytes_per_second) * 1000 / payload.max(1)),
        };
        context.mark(&told);
        let (width, height, format) = (chain.desc.width, chain.desc.height, chain.desc.format);
        let text = format_args!(
            "{width} by {height} in {format:?} at {} Hz needs {} GB/s; the link of adapter {} carries {}, which is {} Hz.",
            Thousandths(refresh_millihertz),
            Gigabytes(told.needed_bytes_per_second),
            adapter.0,
            Gigabytes(link_bytes_per_second),
            Thousandths(told.possible_millihertz),
        );
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, ObjectId::NULL, text);
    }
}

/// A rate of so many thousandths, in tenths, rounded down.
struct Thousandths(u64);

impl std::fmt::Display for Thousandths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0 / 1000, self.0 % 1000 / 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, tenths) => write!(f, "{whole}.{tenths}"),
        }
    }
}

/// Bytes a second as GB/s, in hundredths.
struct Gigabytes(u64);

impl std::fmt::Display for Gigabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = (self.0 + 5_000_000) / 10_000_000;
        write!(f, "{}.{:02}", hundredths / 100, hundredths % 100)
    }
}
