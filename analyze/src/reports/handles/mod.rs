//! The `handles` report: memory of Direct3D 11 driver handles per context, cache line sharing, and audits of the
//! context rules.

mod audits;
mod contexts;
mod contributors;
mod lines;
mod memory;
mod page_data;
mod text;
mod verdict;

pub use crate::handles::HandleSettings;
pub use audits::{AuditFigures, FindingFigures};
pub use contexts::{ContextFigures, CostFigures, ObjectFigures, ScalingFigures};
pub use lines::{LineFigures, OwnerAccessFigures, SetFigures};
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
        whole: bool, Flag, "The trace holds all that was recorded.";
        cache_line_bytes: u64, Bytes, "Bytes of a cache line, by which lines, classes and large handles are counted: `--cache-line-bytes`, or those of the trace's settings.";
        devices: u64, Count, "Devices of Direct3D 11 that were created.";
        peak_bytes: u64, Bytes, "Most bytes of handles that live at once, in all contexts. A context's own handle is none.", contributors = contributors::types;
        peak_handles: u64, Count, "Most handles that live at once, maybe at another moment.", contributors = contributors::types;
        peak: PeakFigures, Group, "The moment at which handles take most bytes.", contributors = contributors::types;
        contexts: Vec<ContextFigures>, List, "The contexts in order of their creation; as a number, how many.", contributors = contributors::contexts;
        cost: CostFigures, Group, "What several deferred contexts cost over one. It follows from which objects each has opened, not from when.", contributors = contributors::contexts;
        copies: CopyFigures, Group, "What deferred contexts hold of objects.", contributors = contributors::contexts;
        large: Vec<LargeFigures>, List, "Handles in deferred contexts of more than two cache lines, by type and size.";
        size_classes: Vec<ClassFigures>, List, "Memory of deferred contexts' handles, by its size in full cache lines.";
        accesses: Option<u64>, Count, "Accesses to the memory of handles; those without a gap are one. Null if the trace has none: they are recorded with the setting `handle_accesses`, which a replay can add.";
        unattributed_accesses: Option<u64>, Count, "Of those, behind no handle that lives, or beyond its end. They are counted and looked at no further, but for the rules.";
        lines: Option<u64>, Count, "Cache lines that were touched after the creation of the handle on them, each counted as often as a handle's life begins there.";
        shared_lines: Option<u64>, Count, "Of those, lines that more than one context wrote to while the handles on them lived. What is done in the immediate context's table for a deferred one, in FinishCommandList say, is that one's doing. The call that makes a handle does not count.", contributors = contributors::cache_lines;
        contended_lines: Option<u64>, Count, "Lines that moved from one context to another.", contributors = contributors::cache_lines;
        line_transfers: Option<u64>, Count, "How often: accesses to a line that another context wrote last, and writes to one that another has read since.", contributors = contributors::cache_lines;
        contended: Vec<LineFigures>, List, "The lines that moved most.", contributors = contributors::cache_lines;
        accesses_by_owner: Option<OwnerAccessFigures>, Group, "Owners of the memory that calls on deferred contexts access; null if the trace has no accesses.";
        cache_sets: Option<SetFigures>, Group, "Hot handles that fall into one set of a cache: a handle is hot if it is accessed more than an eighth as often as the most accessed one of its recording. An immediate context has one recording, its life. Null if the trace has no accesses.";
        max_distance_bytes: u64, Bytes, "How far, at most, what a deferred context has open lies behind its own handle, in bytes: where the runtime gives every context an address range of its own, less than that range.", after cache_sets;
        lifetime_order_violations: u64, Count, "Findings of the two rules of order: what was destroyed while something that needs it lived.", contributors = contributors::audits;
        leaks: Option<u64>, Count, "Handles that lived when their context, or the device, was destroyed. Null where no device is destroyed.", contributors = contributors::leaks;
        leaked: Vec<LeakFigures>, List, "Those by type.", contributors = contributors::leaks;
        out_of_memory: Vec<OutOfMemoryFigures>, List, "Where memory ran out: E_OUTOFMEMORY of a function of the driver's interface, answered or reported.", contributors = contributors::out_of_memory;
        audits: Vec<AuditFigures>, List, "Rules of contexts and their handles, each heard of everything that was said (see below).", contributors = contributors::audits;
        violations: u64, Count, "Findings of all audits that are not ok. Where it is not 0, `taut analyze` ends with exit code 1.", contributors = contributors::audits;
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
        "What the handles of Direct3D 11 objects take in each context, which cache lines contexts share, what is large and cold, and whether the rules of contexts and their handles were kept."
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
            _ => "; the trace begins after the device was created, whose earlier handles are not recorded",
        };
        Ok(none.then(|| {
            format!("no device of Direct3D 11 whose driver has handles per context is created in this trace{before}")
        }))
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
            peak_handles: tracker.totals.peak_handles,
            peak: memory::peak(&inputs),
            contexts: contexts::contexts(&inputs),
            cost: contexts::cost(&inputs),
            copies: memory::copies(&inputs),
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
