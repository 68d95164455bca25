//! What a trace says of presents.

use crate::error::AnalyzeError;
use crate::event_reader::{self, EventReader};
use crate::source::Source;
use crate::view;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CrossAdapterTier, FallbackReason, FrameFate, HybridPresentMode, SwapChainId, info, machine, mark,
};
use taut_traces::Trace;

/// Something that tells of presents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PresentEvent {
    Adapter(Adapter),
    Display(Display),
    Decision(Decision),
    Frame(Frame),
}

view! {
    /// An adapter was described.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Adapter of start machine::DescribeAdapter {
        adapter: AdapterId,
        uses_system_memory: bool = parts.uses_system_memory,
        link_bytes_per_second: u64 = parts.link_bytes_per_second,
    }
}
view! {
    /// A display appeared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Display of start machine::ConnectDisplay {
        adapter: AdapterId,
        width: u32 = mode.width,
        height: u32 = mode.height,
        refresh_millihertz: u64 = mode.refresh_millihertz,
    }
}
view! {
    /// A swap chain's path was decided.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Decision of info mark::HybridPresentDecision {
        swap_chain: SwapChainId,
        render_adapter: AdapterId,
        display_adapter: AdapterId,
        mode: HybridPresentMode,
        cross_adapter_tier_support: CrossAdapterTier,
        reason: FallbackReason,
        static_check_supported: bool,
        width: u32 = desc.width,
        height: u32 = desc.height,
        format: Format = desc.format,
        payload_bytes: u64,
        allocation_bytes: u64,
    }
}
view! {
    /// A frame ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Frame of info mark::FrameEnded {
        swap_chain: SwapChainId,
        present_count: u64,
        fate: FrameFate,
        presented_at_ns: u64,
        rendered_at_ns: u64,
        copy_1_started_at_ns: u64,
        copy_1_ended_at_ns: u64,
        copy_2_started_at_ns: u64,
        copy_2_ended_at_ns: u64,
        ready_at_ns: u64,
        ended_at_ns: u64,
        bytes_copied: u64,
    }
}

/// Whether the trace tells of presents, or may.
pub(super) fn any(source: &Source) -> bool {
    any_of(source.trace())
}

/// The same of a trace.
pub(super) fn any_of(trace: &Trace) -> bool {
    trace.summary().complete && event_reader::any(trace, &[info::<mark::HybridPresentDecision>().of_event()])
}

/// Everything that happened, in order.
pub(super) fn events(source: &Source) -> Result<Vec<PresentEvent>, AnalyzeError> {
    let mut reader = EventReader::new(source);
    reader.each(|adapter| Some(PresentEvent::Adapter(adapter)))?;
    reader.each(|display| Some(PresentEvent::Display(display)))?;
    reader.each(|decision| Some(PresentEvent::Decision(decision)))?;
    reader.each(|frame| Some(PresentEvent::Frame(frame)))?;
    Ok(reader.read()?.into_iter().map(|(_, event)| event).collect())
}
