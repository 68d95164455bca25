//! The `handles` report: memory of Direct3D 11 driver handles per context, cache line sharing, and audits of the
//! context rules.

mod allocators;
mod audits;
mod contexts;
mod contributors;
mod fields;
mod lines;
mod lists;
mod memory;
mod page_data;
mod text;
mod verdict;

pub use crate::handles::HandleSettings;
pub use allocators::AllocatorFigures;
pub use audits::{AuditFigures, FindingFigures};
pub use contexts::{ContextFigures, CostFigures, ObjectFigures, ScalingFigures};
pub use fields::{FieldFigures, PlacementFigures};
pub use lines::{LineFigures, OwnerAccessFigures, SetConflictFigures, SetFigures, WordFigures};
pub use lists::{CommandListFigures, ListFigures, RecreationFigures, ReopenedFigures};
pub use memory::{
    ClassFigures, CopyFigures, LargeFigures, LeakFigures, LiveFigures, OutOfMemoryFigures, PeakFigures, TypeFigures,
};

use super::figures::{FigureValue, figures};
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::ValueNames;
use crate::handles::{HandleReader, HandleTracker};
use serde_json::Value;
use taut_schemas::{EventCode, HandleType, Opcode, SchemaTable, rule};

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct HandlesFigures {
        whole: bool, Flag, "The trace contains all recorded events.";
        cache_line_bytes: u64, Bytes, "Cache line size for lines, size classes and large handles: `--cache-geometry`, or the size in the trace's settings.";
        devices: u64, Count, "Direct3D 11 devices created.";
        peak_bytes: u64, Bytes, "Peak size of live handles in all contexts, without the contexts' own handles.", contributors = contributors::types;
        peak_allocated_bytes: u64, Bytes, "Peak of the memory allocated for live handles: cache lines (`cache_line_bytes`) that hold one, possibly at another time; of a context, its own peak.", contributors = contributors::types;
        peak_handles: u64, Count, "Peak number of live handles, possibly at another time.", contributors = contributors::types;
        peak: PeakFigures, Group, "Live handles at the peak of `peak_bytes`.", contributors = contributors::types;
        contexts: Vec<ContextFigures>, List, "Contexts in order of creation; as a number, their count.", contributors = contributors::contexts;
        cost: CostFigures, Group, "Cost of several deferred contexts compared to one. It depends on the objects that each has opened, not on time.", contributors = contributors::contexts;
        allocators: Vec<AllocatorFigures>, List, "Policies of the runtime's allocator of handle memory, as predicted from the same calls.";
        copies: CopyFigures, Group, "Handle copies in deferred contexts.", contributors = contributors::contexts;
        command_lists: CommandListFigures, Group, "Command lists: lifetimes, executions, and the memory that they pin.";
        recreation: RecreationFigures, Group, "Objects that consecutive recordings of a context open, because FinishCommandList closes all handles.", contributors = contributors::contexts;
        large: Vec<LargeFigures>, List, "Handles in deferred contexts larger than two cache lines, by type and size.";
        size_classes: Vec<ClassFigures>, List, "Memory of deferred contexts' handles, by size in full cache lines.";
        accesses: Option<u64>, Count, "Accesses to handle memory; contiguous ones count as one. Null without accesses: the setting `handle_accesses` records them, also in a replay.";
        unattributed_accesses: Option<u64>, Count, "Accesses outside all live handles. Only the rule checks examine them.";
        lines: Option<u64>, Count, "Cache lines accessed after the creation of the handle on them, counted once per period in which the line has live handles.";
        shared_lines: Option<u64>, Count, "False sharing: lines that more than one context wrote to while their handles were live. Calls in the immediate context's table for a deferred one, such as FinishCommandList, count as the deferred one's. The creating call does not count.", contributors = contributors::cache_lines;
        contended_lines: Option<u64>, Count, "Lines transferred between contexts.", contributors = contributors::cache_lines;
        line_transfers: Option<u64>, Count, "Transfers, as a coherence protocol makes them: a context's first read of a line since another context wrote it (later reads, in the same call or another, do not count until the next write), and writes to a line that another context wrote last or has read since. Calls that create a handle, RecycleCreateCommandList included, do not count.", contributors = contributors::cache_lines;
        contended: Vec<LineFigures>, List, "Lines with the most transfers.", contributors = contributors::cache_lines;
        line_touches: Option<u64>, Count, "Cache lines accessed per DDI call, summed over the calls on deferred contexts, with the calls that open handles. Null without accesses.";
        fields: Vec<FieldFigures>, List, "Fields of the driver's data, as the profile in the trace lists them: copy or share. Recommended changes first, by saved `line_touches`. Empty if the trace has no accesses, the profile no fields, or several drivers different ones.";
        accesses_by_owner: Option<OwnerAccessFigures>, Group, "Accesses of calls on deferred contexts, by owner of the memory; null if the trace has no accesses.";
        cache_sets: Option<SetFigures>, Group, "Cache-set conflicts of hot lines, per recording of a context (from its creation or recycling to its next recycling; the lifetime of an immediate context is one, in parts of 65,536 closed handles). The set of a line is its number (address / `cache_line_bytes`) modulo `sets`. The accesses of a handle are all reads and writes of its memory from its opening to its end; a handle counts in the recording in which it ends, if it has any. Hot are a handle with more than an eighth of the accesses of the most accessed such handle, on each of its lines, once per handle; and a line of the context's own memory, of which each access counts once per touched line, with more than the same number. Null if the trace has no accesses.";
        max_distance_bytes: u64, Bytes, "Maximum distance of an open handle from its deferred context's own handle, in bytes: less than a context's address range, if the runtime assigns ranges.", after cache_sets;
        lifetime_order_violations: u64, Count, "Violations of the two order rules: objects destroyed before their dependents.", contributors = contributors::audits;
        leaks: Option<u64>, Count, "Handles live at the destruction of their context or device. Null if no device is destroyed.", contributors = contributors::leaks;
        leaked: Vec<LeakFigures>, List, "`leaks` by type.", contributors = contributors::leaks;
        out_of_memory: Vec<OutOfMemoryFigures>, List, "Out-of-memory errors: E_OUTOFMEMORY returned or reported by a DDI function.", contributors = contributors::out_of_memory;
        audits: Vec<AuditFigures>, List, "Checks of the rules of contexts and handles on all DDI calls (see below).", contributors = contributors::audits;
        violations: u64, Count, "Findings of all audits that are not ok. If there are any, `taut analyze` ends with exit code 1.", contributors = contributors::audits;
    }
}

/// The `handles` report.
pub struct Handles;

impl Report for Handles {
    fn name(&self) -> &'static str {
        "handles"
    }

    fn title(&self) -> &'static str {
        "Handles"
    }

    fn description(&self) -> &'static str {
        "Memory of Direct3D 11 object handles per context, false sharing of cache lines, large and cold handles, and checks of the rules of contexts and handles."
    }

    fn figures(&self) -> &'static [FigureLine] {
        HandlesFigures::LINES
    }

    fn appendix(&self) -> String {
        audits::page()
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !HandleReader::any(analysis.trace()) || analysis.handles()?.device_count() == 0;
        let before = match analysis.head()?.left_out_events {
            0 => "",
            _ => "; the trace begins after the creation of the device, and earlier handles are not recorded",
        };
        Ok(none
            .then(|| format!("the trace creates no Direct3D 11 device whose driver has per-context handles{before}")))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = HandlesFigures::of(analysis)?;
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures), &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        page_data::page_data(analysis, figures)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../page/assets/handles.js")]
    }

    fn contradicts(&self, figures: &Value) -> bool {
        figures["violations"].as_u64().is_some_and(|violations| violations > 0)
    }
}

/// Inputs of the report.
struct ReportInputs<'a> {
    tracker: &'a HandleTracker,
    types: ValueNames<'a, HandleType>,
    lines: SchemaTable,
    /// True if the trace contains accesses to handle memory.
    has_accesses: bool,
}

impl ReportInputs<'_> {
    fn type_name(&self, handle_type: u32) -> String {
        self.types.of(&HandleType(handle_type))
    }

    /// Name of a driver function by its schema line.
    fn call(&self, line: u16) -> String {
        let start = self.lines.event(EventCode::new(line, Opcode::Start));
        start.map_or_else(|| line.to_string(), |event| event.name.clone())
    }

    /// Id of a context by its index.
    fn context(&self, place: u32) -> u64 {
        self.tracker.contexts.get(place as usize).map_or(0, |context| context.id)
    }
}

impl HandlesFigures {
    /// Computes the figures of a trace.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that the report needs.
    pub fn of(analysis: &Analysis) -> Result<HandlesFigures, AnalyzeError> {
        let (tracker, head) = (analysis.handles()?, analysis.head()?);
        let types = ValueNames::new(&analysis.trace().header().schema);
        let has_accesses = tracker.accesses > 0;
        let inputs = ReportInputs { tracker, types, lines: SchemaTable::current(), has_accesses };
        // Without recorded accesses these figures are unknown rather than 0.
        let if_recorded = |value: u64| has_accesses.then_some(value);
        let [lines, contended_lines, shared_lines, line_transfers] = tracker.line_counts().map(if_recorded);
        let audits = audits::audits(tracker, head.is_whole());
        let found = |rule: &str| tracker.broken().get(rule).map_or(0, |findings| findings.count);
        let violations = audits.iter().filter(|audit| !audit.ok).map(|audit| audit.findings).sum();
        Ok(HandlesFigures {
            whole: head.is_whole(),
            cache_line_bytes: tracker.settings.cache_line_bytes,
            devices: tracker.device_count(),
            peak_bytes: tracker.totals.peak.all.bytes(),
            peak_allocated_bytes: tracker.totals.peak_allocated_bytes,
            peak_handles: tracker.totals.peak_handles,
            peak: memory::peak(&inputs),
            contexts: contexts::contexts(&inputs),
            cost: contexts::cost(&inputs),
            allocators: allocators::allocators(&inputs),
            copies: memory::copies(&inputs),
            command_lists: lists::command_lists(analysis, &inputs),
            recreation: lists::recreation(&inputs),
            large: memory::large(&inputs),
            size_classes: memory::size_classes(&inputs),
            max_distance_bytes: tracker.max_distance_bytes(),
            accesses: if_recorded(tracker.accesses),
            unattributed_accesses: if_recorded(tracker.unattributed_accesses),
            lines,
            shared_lines,
            contended_lines,
            line_transfers,
            contended: lines::contended(&inputs),
            line_touches: if_recorded(tracker.fields.line_touches),
            fields: fields::fields(&inputs),
            accesses_by_owner: lines::accesses_by_owner(&inputs),
            cache_sets: lines::cache_sets(&inputs),
            lifetime_order_violations: found(rule::H_03.id) + found(rule::H_09.id),
            // Live handles are leaks only if their device or context was destroyed in the trace.
            leaks: (tracker.totals.devices_destroyed > 0)
                .then(|| tracker.totals.leaked.values().map(|(handles, _)| handles).sum()),
            leaked: memory::leaked(&inputs),
            out_of_memory: memory::out_of_memory(&inputs),
            audits,
            violations,
        })
    }
}
