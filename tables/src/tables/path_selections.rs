//! `path_selections`: present path selection of swap chains.

use super::column::columns;
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::presents::{self, At, Decision, PresentEvent};
use taut_schemas::format::Format;
use taut_schemas::{CrossAdapterTier, FallbackReason, HybridPresentMode, PrimaryDriverFlags};

pub(super) const TABLE: Table = Table {
    name: "path_selections",
    description: "One row per present path selection of a swap chain, in order, with the inputs of the decision.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

columns! {
    row of rows: &DecisionRows<'_>;
    stamp: I64, "Time of the record, in ticks.", row.at.stamp;
    thread: I64, "Thread of the record.", row.at.thread;
    decided_at_ns: I64, "Simulated time, in nanoseconds since the session began.", row.decided_at_ns;
    swap_chain: U64, "Id of the swap chain.", row.decision.swap_chain.0;
    render_adapter: U64, "Rendering adapter.", row.decision.render_adapter.0;
    display_adapter: U64, "Adapter of the display.", row.decision.display_adapter.0;
    mode: Text, "HybridPresentMode.", rows.modes.of(&row.decision.mode);
    reason: Text, "Reason for more than one copy; `NONE` for one copy.", rows.reasons.of(&row.decision.reason);
    render_tier: Text, "Cross-adapter resource tier of the rendering adapter.", Some(rows.tiers.of(&row.decision.render_tier?));
    display_tier: Text, "Cross-adapter resource tier of the display adapter.", rows.tiers.of(&row.decision.cross_adapter_tier_support);
    opted_out: Bool, "True if the display adapter's driver set NO_SCANOUT at the creation of the primary.", Some(row.decision.primary_flags?.contains(PrimaryDriverFlags::NO_SCANOUT));
    static_check: Bool, "Result of the static check of the overlay; null without a check.", Some(row.decision.static_check_supported).filter(|_| row.decision.static_checked == Some(true));
    caso_fallback_reason: I64, "CASOFallbackReason as Windows would report it; the values are not public.", row.decision.caso_fallback_reason;
    width: I64, "Width in pixels.", row.decision.width;
    height: I64, "Height in pixels.", row.decision.height;
    format: Text, "DXGI_FORMAT without its prefix.", rows.formats.of(&row.decision.format);
    payload_bytes: I64, "Bytes of a frame's pixels.", row.decision.payload_bytes;
    allocation_bytes: I64, "Bytes of the cross-adapter resource.", row.decision.allocation_bytes;
}

struct DecisionRow {
    at: At,
    decided_at_ns: u64,
    decision: Decision,
}

struct DecisionRows<'a> {
    rows: Vec<DecisionRow>,
    modes: ValueNames<'a, HybridPresentMode>,
    reasons: ValueNames<'a, FallbackReason>,
    tiers: ValueNames<'a, CrossAdapterTier>,
    formats: ValueNames<'a, Format>,
}

impl DecisionRows<'_> {
    fn all(&self) -> impl Iterator<Item = &DecisionRow> {
        self.rows.iter()
    }
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let events = Events::new(&analysis.trace().header().schema);
    let (mut rows, mut decided_at_ns) = (Vec::new(), 0);
    presents::each(analysis.source(), |at, event| -> Result<_, TableError> {
        match event {
            PresentEvent::Advance(advance) => decided_at_ns = advance.until_at_ns.max(decided_at_ns),
            PresentEvent::Decision(decision) => rows.push(DecisionRow { at, decided_at_ns, decision }),
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let (modes, reasons) = (events.names(), events.names());
    let (tiers, formats) = (events.names(), events.names());
    let mut frame = parts.frame();
    fill(&DecisionRows { rows, modes, reasons, tiers, formats }, &mut frame)?;
    parts.give(frame).map(|_| ())
}
