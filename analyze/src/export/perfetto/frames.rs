//! Frames on their present paths as slices in simulated time: on engines, links and displays, and per swap chain.

use super::spans::{Note, Span, Spans};
use super::tracks::{Rank, Tracks};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::presents::{self, Decision, Frame, PresentEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use taut_schemas::{AdapterId, FrameOutcome, SwapChainId};

/// Max frames on the timeline, so that memory stays bounded.
const FRAMES: usize = 1 << 16;

/// Adds the slices on tracks of a process of their own; a trace without presents has none.
pub fn lay(analysis: &Analysis, tracks: &mut Tracks) -> Result<Spans, AnalyzeError> {
    let mut spans = Spans::default();
    let ways = Ways::new(analysis)?;
    if ways.frames.is_empty() {
        return Ok(spans);
    }
    tracks.simulated();
    // Flows lead from slice to slice in the order of the file: the slice of the whole frame begins first.
    for (chain, frames) in ways.of_chains() {
        spans.lay(tracks, Rank::Chains, &format!("frames of swap chain {chain}, from Present to display"), frames);
    }
    let (engines, links) = ways.busy();
    for ((adapter, copies), busy) in engines {
        let kind = if copies { "copy" } else { "graphics" };
        spans.lay(tracks, Rank::Engines, &format!("{kind} engine of adapter {adapter}"), busy);
    }
    for (adapter, busy) in links {
        spans.lay(tracks, Rank::Links, &format!("link of adapter {adapter}"), busy);
    }
    for (display, shown) in ways.shown() {
        spans.lay(tracks, Rank::Displays, &format!("display {display}"), shown);
    }
    spans.sort();
    Ok(spans)
}

/// Slices by adapter, display or swap chain.
type By<K> = BTreeMap<K, Vec<Span>>;

/// Frames with the adapters of their swap chains, in order of their ends.
#[derive(Default)]
struct Ways {
    frames: Vec<(Frame, AdapterId, AdapterId)>,
    /// Adapters that are connected by links.
    linked: BTreeSet<u64>,
    /// Displays of swap chains, where known.
    displays: BTreeMap<SwapChainId, u32>,
}

impl Ways {
    fn new(analysis: &Analysis) -> Result<Ways, AnalyzeError> {
        let mut ways = Ways::default();
        if !presents::any(analysis.source()) {
            return Ok(ways);
        }
        let mut decided: BTreeMap<SwapChainId, Decision> = BTreeMap::new();
        let mut creating = BTreeMap::new();
        presents::each(analysis.source(), |at, event| -> Result<_, AnalyzeError> {
            match event {
                PresentEvent::Adapter(adapter) if !adapter.uses_system_memory => {
                    ways.linked.insert(adapter.adapter.0);
                }
                PresentEvent::Creation(creation) => drop(creating.insert(at.thread, creation.display)),
                PresentEvent::Creation9(creation) => drop(creating.insert(at.thread, creation.display)),
                PresentEvent::Decision(decision) => {
                    // Decisions of older traces have no display: it is taken from the preceding creation.
                    let display = decision.display.or(creating.remove(&at.thread));
                    ways.displays.extend(display.map(|display| (decision.swap_chain, display)));
                    decided.insert(decision.swap_chain, decision);
                }
                PresentEvent::Frame(frame) => {
                    let on = decided.get(&frame.swap_chain).map(|on| (on.render_adapter, on.display_adapter));
                    ways.frames.extend(on.map(|(render, shows)| (frame, render, shows)));
                }
                _ => {}
            }
            Ok(if ways.frames.len() < FRAMES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(ways)
    }

    /// Slices of engines and links: an engine is identified by its adapter, and true for its copy engine.
    fn busy(&self) -> (By<(u64, bool)>, By<u64>) {
        let (mut engines, mut links) = (By::new(), By::new());
        let mut drawn: BTreeMap<u64, Vec<(u64, u64, &Frame)>> = BTreeMap::new();
        for (frame, render, shows) in &self.frames {
            if frame.rendered_at_ns > 0 {
                drawn.entry(render.0).or_default().push((frame.rendered_at_ns, frame.presented_at_ns, frame));
            }
            let copies = [
                (render.0, frame.copy_1_started_at_ns, frame.copy_1_ended_at_ns),
                (shows.0, frame.copy_2_started_at_ns, frame.copy_2_ended_at_ns),
            ];
            for (place, (adapter, began, ended)) in (1..).zip(copies).filter(|(_, (_, _, ended))| *ended > 0) {
                let span = flowing(frame, span(frame, began, ended, &format!("copy {place}")));
                if self.linked.contains(&adapter) {
                    links.entry(adapter).or_insert_with(Vec::new).push(Span { flow: None, ..span.clone() });
                }
                engines.entry((adapter, true)).or_insert_with(Vec::new).push(span);
            }
            if let (Some(began), Some(ended)) = (frame.composition_started_at_ns, frame.composition_ended_at_ns)
                && ended > 0
            {
                let composition = flowing(frame, span(frame, began, ended, "composition"));
                engines.entry((shows.0, false)).or_insert_with(Vec::new).push(composition);
            }
        }
        for (adapter, mut drawn) in drawn {
            // An engine draws one frame at a time: a frame begins at its present, or at the end of the previous one.
            drawn.sort_unstable_by_key(|(ended, ..)| *ended);
            let mut free = 0;
            for (ended, presented, frame) in drawn {
                let of = engines.entry((adapter, false)).or_insert_with(Vec::new);
                of.push(flowing(frame, span(frame, presented.max(free).min(ended), ended, "rendering")));
                free = ended;
            }
        }
        (engines, links)
    }

    /// Slices per display: each frame from its display to that of the next one.
    fn shown(&self) -> By<u32> {
        let mut shown: BTreeMap<u32, Vec<&Frame>> = BTreeMap::new();
        for (frame, ..) in self.frames.iter().filter(|(frame, ..)| frame.is_shown()) {
            let display = self.displays.get(&frame.swap_chain).copied().unwrap_or_default();
            shown.entry(display).or_default().push(frame);
        }
        let mut displays = By::new();
        for (display, mut frames) in shown {
            frames.sort_by_key(|frame| frame.ended_at_ns);
            let until = frames.iter().skip(1).map(|next| Some(next.ended_at_ns)).chain([None]);
            let spans = frames.iter().zip(until).map(|(frame, until)| {
                let began = frame.ended_at_ns;
                let last_of_flows = flow(frame).into_iter().collect();
                Span { last_of_flows, ..span(frame, began, until.unwrap_or(began), "scan-out") }
            });
            displays.insert(display, spans.collect());
        }
        displays
    }

    /// Slices per swap chain, from Present to the frame's end.
    fn of_chains(&self) -> By<u64> {
        let mut chains = By::new();
        for (frame, ..) in &self.frames {
            let (began, ended) = (frame.presented_at_ns, frame.ended_at_ns);
            let name = format!("frame {}", frame.present_count);
            let way = flowing(frame, span(frame, began, ended, &name));
            chains.entry(frame.swap_chain.0).or_insert_with(Vec::new).push(way);
        }
        chains
    }
}

/// Bit that sets the flows of frames apart from those of background tasks.
const FRAME_FLOWS: u64 = 1 << 63;

/// Number of bits of a flow id for the number of a frame; the bits above are for its swap chain.
const FRAME_BITS: u32 = 40;

/// Id of the flow of a frame; `None` if nothing follows its Present.
fn flow(frame: &Frame) -> Option<u64> {
    let composed = frame.composition_ended_at_ns.unwrap_or_default();
    let steps = [frame.rendered_at_ns, frame.copy_1_ended_at_ns, frame.copy_2_ended_at_ns, composed];
    let is_followed = frame.is_shown() || steps.iter().any(|ended| *ended > 0);
    let id = FRAME_FLOWS | frame.swap_chain.0 << FRAME_BITS | frame.present_count & ((1 << FRAME_BITS) - 1);
    is_followed.then_some(id)
}

/// Adds the flow of the frame to a slice.
fn flowing(frame: &Frame, span: Span) -> Span {
    Span { flow: flow(frame), ..span }
}

fn span(frame: &Frame, began: u64, ended: u64, name: &str) -> Span {
    let outcome = match frame.outcome {
        FrameOutcome::FLIPPED => "flipped",
        FrameOutcome::COMPOSED => "composed",
        FrameOutcome::TORN => "torn",
        _ => "dropped",
    };
    Span {
        began_stamp: began,
        ended_stamp: Some(ended),
        name: name.to_owned(),
        category: "present",
        at_begin: vec![
            Note::Number("swap_chain", frame.swap_chain.0),
            Note::Number("present_count", frame.present_count),
            Note::Text("outcome", outcome.to_owned()),
        ],
        ..Span::default()
    }
}
