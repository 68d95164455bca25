//! What each key of the tiling report means.

use crate::reports::Definition;
use crate::reports::definition::definitions;

pub(super) const DEFINITIONS: &[Definition] = definitions![
    surfaces: "Textures that the processor wrote or read through a map into tiled memory, in the order of their first map.";
    resource: "Handle of the resource that was mapped.";
    texture: "Handle of the texture whose memory it is; null if the trace does not say.";
    at_stamp: "Stamp of the first map's end, in ticks of the trace's clock.";
    maps: "How often it was mapped. The figures of a surface are of all its maps together.";
    layout: "How its bytes are arranged, as Map reports it; layouts are named as `taut tile-info` names them.";
    pitch_bytes: "Bytes from one row to the next.";
    width_bytes: "Bytes of a row: of the texture without padding; of a region, its width.";
    rows: "Rows, of blocks for block-compressed formats: of the texture; of a region, its height.";
    order: "The order of the stores. Of a surface it is recognised: the stores are exactly those that this order makes in the rectangle they fill. `mixed` if its maps differ, `unknown` if no order makes them, `none` without a store.";
    store_bytes: "Bytes of each store of that order, where the rectangle's edges leave room; null if it is not recognised.";
    bytes: "Bytes written.";
    stores: "Stores.";
    buffers: "Write-combining buffers of the model. A surface's own figures are for the 4 that a program can count on.";
    full_lines: "Lines of 64 bytes that left a buffer whole: one transaction each.";
    partial_evictions: "Lines that left in pieces, because another line needed the buffer, or at a fence or Unmap.";
    partial_transactions: "Transactions of those, one for each 8 bytes of which any was written.";
    transactions: "Transactions on the bus: of whole lines and of pieces.";
    ideal_transactions: "What the same bytes take if every line is finished before the next is begun.";
    transactions_ratio: "`transactions` per one of `ideal_transactions`; null without a store.";
    by_buffers: "The model's figures for other numbers of buffers: 4 are guaranteed, 10 and 12 are common.";
    orders: "What the same rectangles would take in other orders, with 4 buffers.";
    reads: "Loads from the mapped memory. It is not cached: each goes to memory by itself.";
    read_bytes: "Bytes of those.";
    wrong_swizzle: "The layout by whose rule the surface was written, where that is not the one Map reports; null otherwise. Tile order has the same addresses by either rule: there the mistake does not show.";
    outside_stores: "Stores that reach beyond the mapped memory.";
    untouched_bytes: "Bytes of the texture that no store touched in any map.";
    untouched: "Rectangles of those, in bytes and rows from the texture's corner: the first 16.";
    x_bytes: "Left edge of a rectangle.";
    y: "Its top edge.";
    linear_maps: "Maps of memory that is not tiled; they are not in `surfaces`.";
    unread_runs: "Recorded stores and loads that are not shown, because they are damaged or more than 4,294,967,296.";
];
