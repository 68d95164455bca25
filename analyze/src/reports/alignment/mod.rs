//! The `alignment` report: what the alignment of resources costs in memory, and what it would have cost at 64 KiB.
//!
//! All sums follow from the creations, the releases and the driver's answers that the trace holds:
//! * *requested*: a buffer's width; a texture's texels of all mips, slices and samples;
//! * *allocated*: SizeInBytes, as GetResourceAllocationInfo gives it;
//! * *rounding*: allocated less requested;
//! * *granularity*: the implicit heap of a committed resource less its SizeInBytes;
//! * *taken*: allocated and granularity together, which is what resources really take;
//! * *real*: heaps and implicit heaps, which is what the application really holds;
//! * *padding*, *holes*, *tail*, *overlap*: see [`Layout`](crate::world::Layout).

mod advice;
mod advised;
mod aliasing;
mod behind;
mod buffer_uses;
mod causes;
mod contributions;
mod definitions;
mod element_parts;
mod figures;
mod free;
mod heaps;
mod measure;
mod not_told;
mod owners;
mod page;
mod phases;
mod residency;
mod size_classes;
mod snapshot;
mod sweep;
mod text;
mod text_causes;
mod text_owners;
mod text_parts;
mod text_uses;
mod time_weighted;
mod verdict;
mod worst;

pub use advice::advice_on;
pub use advised::{Advised, AdvisedKind};
pub use aliasing::{AliasingFigures, SharingPair};
pub use buffer_uses::{BufferFloor, BufferUses};
pub use causes::{Cause, CauseFigures, Change, ChangeFigures};
pub use contributions::{Part, contributions};
pub use figures::{ResourceFigures, Snapshot, Totals};
pub use free::{FreeFigures, FreeHistogram};
pub use heaps::{HeapFigures, HeapsAtPeak};
pub use measure::Measure;
pub use owners::{Owner, Owners};
pub use phases::PhaseFigures;
pub use residency::ResidencyFigures;
pub use size_classes::{SizeClass, SizeClasses};
pub use sweep::{Peak, Sweep};
pub use time_weighted::TimeWeighted;
pub use worst::WorstFigures;

use super::messages::messages;
use super::{Definition, MessageFigures, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::world::{Gaps, World};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use size_classes::ClassSums;
use std::collections::BTreeMap;
use taut_schemas::ResourceSizes;

/// A measure's greatest value and when it is reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PeakFigure {
    /// The value, in bytes or things as the measure's name says.
    pub value: u64,
    /// Stamp of the API call that reaches it.
    pub at_stamp: u64,
    /// Line of the call log that the call is; left out where the workload follows no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_seq: Option<u64>,
}

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignmentFigures {
    /// Everything ever created, once each.
    pub totals: Totals,
    /// At the most bytes that live resources take.
    pub peak: Snapshot,
    /// At the most real memory: heaps, implicit ones among them.
    pub peak_real: Snapshot,
    /// At the most bytes of live placed resources.
    pub peak_placed: Snapshot,
    /// At the most live placed resources.
    pub peak_count: Snapshot,
    /// At the end of the trace.
    pub end: Snapshot,
    /// Averages over time.
    pub time_weighted: TimeWeighted,
    /// The greatest value of every measure, by the measure's name.
    pub peaks: BTreeMap<&'static str, PeakFigure>,
    /// Heaps that ever hold a resource, each at its own peak, together.
    pub heaps_at_own_peak: HeapsAtPeak,
    /// The same heaps one by one, in order of creation.
    pub heaps: Vec<HeapFigures>,
    /// All resources by what they ask for.
    pub size_classes: SizeClasses,
    /// Buffers by what they ask for.
    pub buffer_size_classes: SizeClasses,
    /// Textures by what they ask for.
    pub texture_size_classes: SizeClasses,
    /// What each part of the workload creates.
    pub phases: Vec<PhaseFigures>,
    /// Why memory is wasted at `peak`: what adds up to its rounding, padding, holes, tails and granularity.
    pub causes: Vec<CauseFigures>,
    /// Whose memory it is at `peak`.
    pub memory_of: Owners,
    /// What each type of heap holds at most.
    pub residency: Vec<ResidencyFigures>,
    /// What resources whose lives never overlap could share.
    pub aliasing: Vec<AliasingFigures>,
    /// What buffers are bound as that asks for an alignment; left out where none is, and none in the figures of a world alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_uses: Vec<BufferUses>,
    /// The same, buffer by buffer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_floors: Vec<BufferFloor>,
    /// Resources for which alignment wastes most.
    pub worst: Vec<WorstFigures>,
    /// Messages of the debug layer about alignment; none in the figures of a world alone.
    pub floor_violations: Vec<MessageFigures>,
    /// What the trace does not tell.
    pub gaps: Gaps,
}

impl AlignmentFigures {
    /// The figures of a world, of whose resources nobody can say what they would take.
    pub fn of(world: &World) -> AlignmentFigures {
        AlignmentFigures::with_sizes(world, None)
    }

    /// The figures of a world, and of what somebody says that its resources would take.
    pub fn with_sizes(world: &World, sizes: Option<&dyn ResourceSizes>) -> AlignmentFigures {
        let (sweep, walks) = rayon::join(|| Sweep::over(world), || world.walk_heaps());
        let snapshot = |measure| Snapshot::after(world, sweep.peak(measure).turn);
        let heaps = || {
            let peaks = walks.par_iter().filter_map(|walk| walk.peak.as_ref());
            peaks.map(|peak| HeapFigures::of(world, peak)).collect::<Vec<_>>()
        };
        let ((classes, phases), (worst, (time_weighted, heaps))) = rayon::join(
            || (ClassSums::of_all(world), PhaseFigures::all(world)),
            || rayon::join(|| WorstFigures::all(world, &walks, sizes), || (TimeWeighted::of(world, &walks), heaps())),
        );
        let peak = sweep.peak(Measure::TakenBytes).turn;
        let ((causes, memory_of), (residency, aliasing)) = rayon::join(
            || (CauseFigures::all(world, peak, sizes), Owners::after(world, peak)),
            || (ResidencyFigures::all(world), AliasingFigures::all(world)),
        );
        let [all, buffers, textures] = classes;
        let peaks = Measure::ALL.map(|measure| {
            let peak = sweep.peak(measure);
            let at = peak.turn.map_or(world.start, |turn| world.moment(turn));
            let value = figures::narrow(peak.value);
            (measure.name(), PeakFigure { value, at_stamp: at.stamp, at_seq: at.seq })
        });
        AlignmentFigures {
            totals: Totals::of(&sweep.created, sweep.reserved),
            peak: snapshot(Measure::TakenBytes),
            peak_real: snapshot(Measure::RealBytes),
            peak_placed: snapshot(Measure::PlacedBytes),
            peak_count: snapshot(Measure::Placed),
            end: Snapshot::end(world),
            time_weighted,
            peaks: peaks.into_iter().collect(),
            heaps_at_own_peak: HeapsAtPeak::of(&heaps),
            heaps,
            size_classes: all.into(),
            buffer_size_classes: buffers.into(),
            texture_size_classes: textures.into(),
            phases,
            causes,
            memory_of,
            residency,
            aliasing,
            worst,
            buffer_uses: Vec::new(),
            buffer_floors: Vec::new(),
            floor_violations: Vec::new(),
            gaps: world.gaps,
        }
    }
}

/// The report.
pub struct Alignment;

impl Report for Alignment {
    fn name(&self) -> &'static str {
        "alignment"
    }

    fn description(&self) -> &'static str {
        "What the alignment of resources costs in memory: at its peaks, in each heap, and over the whole trace."
    }

    fn title(&self) -> &'static str {
        "Alignment"
    }

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
    }

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let world = analysis.world()?;
        let none = world.heaps.is_empty() && world.resources.is_empty();
        Ok(none.then(|| "no heap and no resource is created in this trace".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let mut figures = AlignmentFigures::with_sizes(analysis.world()?, analysis.sizes());
        ResidencyFigures::measure(&mut figures.residency, analysis.world()?, analysis.heap_budgets());
        figures.buffer_floors = buffer_uses::floors(analysis.source(), analysis.world()?)?;
        figures.buffer_uses = BufferUses::of(&figures.buffer_floors);
        figures.floor_violations = messages(analysis)?;
        // Messages about alignment have it in their id; those about what a buffer is bound as have ids of the call that
        // binds it, and say so in their words.
        let is_about = |text: &str| text.to_ascii_lowercase().contains("align");
        figures.floor_violations.retain(|message| is_about(&message.name) || is_about(&message.description));
        let when = |snapshot: &Snapshot| text::when(snapshot, analysis.since_start_ns(snapshot.at_stamp));
        let document = text::document(&figures, analysis.head()?, &when);
        let verdict = verdict::verdict(&figures, analysis.head()?, &when);
        if figures.gaps.resources_of_snapshot > 0 {
            return ReportResult::new(verdict, &not_told::without(&figures)?, document);
        }
        ReportResult::new(verdict, &figures, document)
    }

    fn drawn(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        page::drawn(analysis, figures)
    }

    fn scripts(&self) -> &'static [&'static str] {
        page::SCRIPTS
    }

    fn behind(&self, place: &str, _figures: &Value, analysis: Option<&Analysis>) -> Vec<String> {
        analysis.map_or_else(Vec::new, |analysis| behind::behind(analysis, place))
    }
}
