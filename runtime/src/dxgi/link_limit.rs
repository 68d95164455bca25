//! Warnings about display modes that exceed a link's bandwidth, emitted once per path choice instead of per frame.

use crate::context::Context;
use crate::kernel::{Presents, SwapChain};
use taut_schemas::{HybridPresentMode, MessageId, MessageSeverity, ObjectId, SwapChainId, mark};

/// Warns of each link on the path that cannot carry one frame per refresh.
pub(super) fn warn(
    context: &mut Context<'_>,
    presents: &Presents,
    id: SwapChainId,
    chain: &SwapChain,
    mode: HybridPresentMode,
) {
    // A chain on one adapter crosses no link.
    let Some(display) = presents.display(chain.display).filter(|_| mode != HybridPresentMode::NOT_HYBRID) else {
        return;
    };
    let refresh_millihertz = display.mode.refresh_millihertz;
    // 128 bits exclude overflow, whatever numbers a trace contains.
    let (payload, refreshes) = (u128::from(chain.payload_bytes()), u128::from(refresh_millihertz));
    let number = |wide: u128| u64::try_from(wide).unwrap_or(u64::MAX);
    // The first copy uses the link of the render adapter; the second copy, or scan-out, uses the display adapter's.
    for adapter in [chain.render, chain.display_adapter] {
        let Some(link_bytes_per_second) = presents.link_of(adapter) else { continue };
        let needed = payload * refreshes;
        if needed <= u128::from(link_bytes_per_second) * 1000 {
            continue;
        }
        let warning = mark::LinkTooSlow {
            swap_chain: id,
            adapter,
            needed_bytes_per_second: number(needed.div_ceil(1000)),
            link_bytes_per_second,
            refresh_millihertz,
            // At least 1, to exclude a division by zero.
            possible_millihertz: number(u128::from(link_bytes_per_second) * 1000 / payload.max(1)),
        };
        context.mark(&warning);
        let (width, height, format) = (chain.desc.width, chain.desc.height, chain.desc.format);
        let text = format_args!(
            "{width} by {height} in {format:?} at {} Hz needs {} GB/s; the link of adapter {} carries {}, which is {} Hz.",
            Thousandths(refresh_millihertz),
            Gigabytes(warning.needed_bytes_per_second),
            adapter.0,
            Gigabytes(link_bytes_per_second),
            Thousandths(warning.possible_millihertz),
        );
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, ObjectId::NULL, text);
    }
}

/// A rate in thousandths, formatted with one decimal place, rounded down.
struct Thousandths(u64);

impl std::fmt::Display for Thousandths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0 / 1000, self.0 % 1000 / 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, tenths) => write!(f, "{whole}.{tenths}"),
        }
    }
}

/// Bytes per second, formatted as GB/s with two decimal places.
struct Gigabytes(u64);

impl std::fmt::Display for Gigabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Half of the divisor is added to round to the nearest hundredth.
        let hundredths = (self.0 + 5_000_000) / 10_000_000;
        write!(f, "{}.{:02}", hundredths / 100, hundredths % 100)
    }
}
