//! The `alignment` report: memory cost of resource alignment, compared to buffers padded to 64 KiB.
//!
//! All sums are computed from the creations, releases and driver answers in the trace:
//! * *requested*: a buffer's width; a texture's texels of all mips, slices and samples;
//! * *allocated* (on screens: SizeInBytes): SizeInBytes, as returned by GetResourceAllocationInfo;
//! * *rounding*: allocated minus requested;
//! * *granularity*: the implicit heap of a committed resource minus its SizeInBytes;
//! * *in use* (on screens: resource memory): allocated plus granularity, the memory that resources occupy;
//! * *real* (on screens: allocated memory): explicit and implicit heaps, the memory that the application holds;
//! * *padding*, *holes*, *tail*, *overlap*: see [`Layout`](crate::memory::Layout).

mod advice;
mod advised;
mod aliasing;
mod amounts;
mod budget_change;
mod buffer_uses;
mod causes;
mod contributions;
mod contributors;
mod element_parts;
mod figures;
mod free;
mod growth;
mod heaps;
mod measure;
mod owners;
mod page;
mod peak_classes;
mod peaks;
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
pub use peak_classes::PeakClass;
pub use peaks::{PeakFigure, Peaks};
pub use phases::PhaseFigures;
pub use residency::ResidencyFigures;
pub use size_classes::{SizeClass, SizeClasses};
pub use sweep::{Peak, Sweep};
pub use time_weighted::TimeWeighted;
pub use worst::WorstFigures;

pub(in crate::reports) use growth::largest_growth;

use super::figures::{FigureValue, figures, null_unknown};
use super::log_differences;
use super::messages::messages;
use super::{BudgetChange, FigureLine, Found, MessageFigures, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::memory::{Backing, Gaps, Resource, World};
use rayon::prelude::*;
use serde_json::Value;
use size_classes::ClassSums;
use taut_schemas::ResourceSizes;

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AlignmentFigures {
        totals: Totals, Group, "All resources and heaps ever created, each counted once regardless of its lifetime.";
        peak: Snapshot, Group, "State right after the first API call at which the memory in use (`in_use_bytes`) is at its maximum.", after totals;
        peak_real: Snapshot, Group, "Like `peak`, for heaps including implicit heaps (`real_bytes`).", after peak;
        peak_placed: Snapshot, Group, "Like `peak`, for SizeInBytes of placed resources.", after peak_real;
        peak_count: Snapshot, Group, "Like `peak`, for the number of placed resources.", after peak_placed;
        end: Snapshot, Group, "State at the end of the trace.", after peak_count;
        time_weighted: TimeWeighted, Group, "Averages from the first to the last stamp of the trace: each figure is weighted by its duration and rounded.", after end;
        peaks: Peaks, Group, "Peak of each measure, by name: `value`, and the time at which it is first reached.", after time_weighted;
        heaps: Vec<HeapFigures>, List, same;
        size_classes: SizeClasses, Group, "Resources by requested size (`requested_bytes`), in disjoint classes; over the whole trace, each counted once.", unless snapshot, after waste_ratio;
        buffer_size_classes: SizeClasses, Group, "`size_classes` of buffers only.", unless snapshot, after size_classes;
        texture_size_classes: SizeClasses, Group, "`size_classes` of textures only.", unless snapshot, after buffer_size_classes;
        phases: Vec<PhaseFigures>, List, "Resources created in each phase of the workload, in order of start; phases with the same name are combined.";
        heaps_at_own_peak: HeapsAtPeak, Group, "Sums over the heaps that ever contain a resource, each at its own peak.";
        causes: Vec<CauseFigures>, List, "Causes of the waste at `peak`. Every wasted byte has one cause: all `waste_bytes` add up to rounding, padding, holes, tails and granularity. Order: descending `reclaimed_bytes`, then `saving_bytes`, of the first change.";
        peak_classes: Vec<PeakClass>, List, "Resources at `peak` by the cause of their rounding.", unless snapshot;
        memory_by_group: Owners, Group, "Memory at `peak` by six tags: each tag counts every resource once, largest group first.";
        residency: Vec<ResidencyFigures>, List, "Memory of each heap type, implicit heaps included, for comparison with a video memory budget. Figure for a limit: `residency.DEFAULT.peak_bytes`.";
        aliasing: Vec<AliasingFigures>, List, "Memory that resources of one heap type could share if they are released before the trace ends: interval colouring in order of creation. Whether the GPU has finished with a resource before the next one begins is unknown.";
        worst: Vec<WorstFigures>, List, "Resources with the most waste: one per group of the same name and description, largest waste of the group first, at most ten.";
        #[serde(skip_serializing_if = "Vec::is_empty")] buffer_uses: Vec<BufferUses>, List, "Bindings of buffers that require an address alignment; buffers with the same bindings and alignment are combined. Absent without such bindings.";
        #[serde(skip_serializing_if = "Vec::is_empty")] buffer_floors: Vec<BufferFloor>, List, "`buffer_uses` by buffer, in order of handles.", after buffer_uses;
        floor_violations: Vec<MessageFigures>, List, "Debug layer messages about alignment, by id: illegal alignments, and bindings of buffers below the required alignment.";
        gaps: Gaps, Group, "Numbers of objects with missing records.";
    }
}

figures! {
    impl Gaps {
        resources_without_size: u64, Count, "Resources created without a recorded answer of the driver; all sums exclude them.";
        resources_without_texel_size: u64, Count, "Textures of a format with unknown texel size; their allocated size counts as requested size.";
        resources_of_snapshot: u64, Count, "Resources of a snapshot, with allocated sizes only. The requested size is assumed to be the allocated size, and alignment is derived from size and offset; figures that need requested sizes are null.";
        resources_without_heap: u64, Count, "Placed resources whose heap's creation is not recorded; heap layouts exclude them.";
        releases_of_unknown_objects: u64, Count, "Releases of objects whose creation is not recorded.";
        objects_of_rundown: u64, Count, "Heaps and resources whose creation is not recorded: a rundown lists them at the start of the recording or after a loss.";
    }
}

impl AlignmentFigures {
    /// Computes the figures of a world without a source of alternative resource sizes.
    pub fn of(world: &World) -> AlignmentFigures {
        AlignmentFigures::with_sizes(world, None)
    }

    /// Computes the figures of a world; `sizes` provides the sizes of alternative resource descriptions.
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
        let peak = sweep.peak(Measure::InUseBytes).turn;
        let ((causes, peak_classes, memory_by_group), (residency, aliasing)) = rayon::join(
            || (CauseFigures::all(world, peak, sizes), PeakClass::all(world, peak), Owners::after(world, peak)),
            || (ResidencyFigures::all(world), AliasingFigures::all(world)),
        );
        let [all, buffers, textures] = classes;
        AlignmentFigures {
            totals: Totals::of(&sweep.created, sweep.reserved),
            peak: snapshot(Measure::InUseBytes),
            peak_real: snapshot(Measure::RealBytes),
            peak_placed: snapshot(Measure::PlacedBytes),
            peak_count: snapshot(Measure::Placed),
            end: Snapshot::end(world),
            time_weighted,
            peaks: Peaks::of(world, &sweep),
            heaps_at_own_peak: HeapsAtPeak::of(&heaps),
            heaps,
            size_classes: all.into(),
            buffer_size_classes: buffers.into(),
            texture_size_classes: textures.into(),
            phases,
            causes,
            peak_classes,
            memory_by_group,
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

/// Reasons for imported traces.
const WITHOUT_HEAPS: &str = "the trace has no events of heaps and resources of Microsoft-Windows-Direct3D12 (keywords Resources, \
                             ObjectLifetime), and driver and kernel have rounded the sizes of its allocations (report `windows`)";
const WITHOUT_SIZES: &str = "events of Microsoft-Windows-Direct3D11 state no sizes of resources, and the trace has no events of heaps \
                             and resources of Microsoft-Windows-Direct3D12 (keywords Resources, ObjectLifetime)";

/// Figures that depend on calls, which an imported trace does not have.
const NEED_CALLS: [&str; 4] = ["phases", "floor_violations", "buffer_uses", "buffer_floors"];

/// The `alignment` report.
pub struct Alignment;

impl Report for Alignment {
    fn name(&self) -> &'static str {
        "alignment"
    }

    fn description(&self) -> &'static str {
        "Memory cost of resource alignment: at the peaks, per heap, and over the whole trace."
    }

    fn title(&self) -> &'static str {
        "Alignment"
    }

    fn figures(&self) -> &'static [FigureLine] {
        AlignmentFigures::LINES
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let world = analysis.world()?;
        let has_memory = |resource: &Resource| resource.backing != Backing::Unknown;
        let none = world.heaps.is_empty() && !world.resources.iter().any(has_memory);
        let why = match (crate::imported::is_imported(analysis.trace()), world.resources.is_empty()) {
            (false, _) => "the trace creates no heaps and no resources",
            (true, true) => WITHOUT_HEAPS,
            (true, false) => WITHOUT_SIZES,
        };
        Ok(none.then(|| why.to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let mut figures = AlignmentFigures::with_sizes(analysis.world()?, analysis.sizes());
        ResidencyFigures::measure(&mut figures.residency, analysis.world()?, analysis.heap_budgets());
        figures.buffer_floors = buffer_uses::floors(analysis.source(), analysis.world()?)?;
        figures.buffer_uses = BufferUses::of(&figures.buffer_floors);
        figures.floor_violations = messages(analysis)?;
        // Alignment messages have "align" in their id. Messages about buffer uses have the id of the call, but "align"
        // in their text.
        let is_about = |text: &str| text.to_ascii_lowercase().contains("align");
        figures.floor_violations.retain(|message| is_about(&message.name) || is_about(&message.description));
        let positions = analysis.file_positions();
        // The position in the recorded file: `line 1,319`, `event 12`; else the time since the start: `4.21 ms`.
        let when = |snapshot: &Snapshot| {
            snapshot.at_seq.map_or_else(|| analysis.moment(snapshot.at_stamp), |seq| positions.text(seq))
        };
        let mut document = text::document(&figures, analysis.head()?, &when);
        let differences = log_differences::log_differences(analysis.source())?;
        log_differences::sentence(&differences, positions).into_iter().for_each(|text| document.text(text));
        let verdict = verdict::verdict(&figures, analysis.head()?, &when);
        if analysis.world()?.is_imported {
            let mut json = serde_json::to_value(&figures)?;
            NEED_CALLS.into_iter().for_each(|key| json[key] = Value::Null);
            return ReportResult::new(verdict, &json, document);
        }
        if figures.gaps.resources_of_snapshot > 0 {
            let mut json = serde_json::to_value(&figures)?;
            null_unknown(AlignmentFigures::LINES, &mut json);
            return ReportResult::new(verdict, &json, document);
        }
        ReportResult::new(verdict, &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        page::page_data(analysis, figures)
    }

    fn scripts(&self) -> &'static [&'static str] {
        page::SCRIPTS
    }

    fn contributors(&self, place: &str, found: &Found<'_>) -> Vec<String> {
        contributors::contributors(place, found)
    }

    fn budget_change(&self, place: &str, found: &Found<'_>) -> Option<BudgetChange> {
        budget_change::budget_change(place, found)
    }
}
