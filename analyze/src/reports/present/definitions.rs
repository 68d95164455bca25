//! What each key of the present report means.

use crate::reports::Definition;
use crate::reports::definition::definitions;

pub(super) const DEFINITIONS: &[Definition] = definitions![
    compression_ratio: "What is left of scan-out reads where the target of a second copy is compressed; 1 unless something else is known.";
    swap_chains: "Swap chains, in order of their creation.";
    swap_chain: "Handle of the swap chain.";
    render_adapter: "The adapter that renders.";
    display_adapter: "The adapter that the display hangs on.";
    width: "Pixels across.";
    height: "Pixels down.";
    format: "Format of the buffers.";
    path: "How frames come to the display: `one copy` into a resource that the display adapter scans out, `two copies`, or `same adapter`.";
    reason: "Why there is more than one copy: the first step of the decision that failed; NONE where there is one.";
    display_tier: "Tier of cross-adapter resources of the display adapter.";
    static_check: "What the static check of the overlay answered; null where the decision did not come to it.";
    payload_bytes: "Bytes of a frame's pixels: what each copy moves.";
    allocation_bytes: "Bytes of the cross-adapter resource, whose rows are 128 bytes apart or a multiple.";
    frames: "Frames that were shown or given up.";
    flipped: "Of those, scanned out by the display adapter without being drawn again.";
    composed: "Of those, drawn by the compositor.";
    torn: "Of those, shown from the middle of a refresh on.";
    never_shown: "Of those, never shown: another took their place.";
    copies: "Copies of each frame between adapters.";
    copies_made: "Copies of all frames together; a frame that was given up may lack some.";
    bytes_copied: "Bytes that copies moved, of all frames.";
    frames_per_s: "Frames over the time from the first present to the last; null with one frame.";
    refreshes_per_s: "Refreshes a second of the display adapter's first display.";
    dram_gb_per_s: "Traffic of the system's memory by copies, composition and scan-out, in GB (10⁹ bytes) a second; null where the trace does not describe the machine.";
    dram_bytes_per_s: "The same in bytes.";
    link_gb_per_s: "Traffic of the rendering adapter's link by copies; null without a link.";
    link_limit_gb_per_s: "What that link carries, after line coding and the efficiency that the machine states.";
    link_efficiency_ratio: "What packet headers and flow control leave of that link, as the machine states it; null where no machine is in the header.";
    caso_saving_gb_per_s: "What one copy saves against two: of the system's memory where the display adapter shares it, else of the link, where it is negative if the display refreshes more often than frames come. Null on one adapter.";
    latency: "From Present to the display, of frames that were shown.";
    copy_1: "The first copy, from the rendering adapter.";
    copy_2: "The second copy, by the display adapter.";
    engine_wait: "Waiting for copy engines and fences before copies begin.";
    refresh_wait: "From being ready to the display: the refresh, and composition.";
    median_ns: "Half are at most this, in nanoseconds of simulated time.";
    p95_ns: "95 of 100 are at most this.";
    p99_ns: "99 of 100 are at most this.";
    worst_ns: "The longest.";
    copy_1_budget_ratio: "Median of the first copy by the time between two frames.";
];
