//! The `handles` report: what the handles of Direct3D 11 take in each context, who shares cache lines, and whether the rules of
//! contexts were kept.

mod audits;
mod behind;
mod contexts;
mod definitions;
mod drawn;
mod lines;
mod memory;
mod text;
mod verdict;

pub use crate::handles::HandleSettings;
pub use audits::{AuditFigures, FindingFigures};
pub use contexts::{ContextFigures, CostFigures, DealtFigures, ObjectFigures};
pub use lines::{LineFigures, SetFigures, WalkFigures};
pub use memory::{
    ClassFigures, CopyFigures, LargeFigures, LeakFigures, LiveFigures, PeakFigures, RanOutFigures, TypeFigures,
};

use super::{Definition, Report, ReportResult};
use crate::analysis::Analysis;
use crate::columns::ValueNames;
use crate::error::AnalyzeError;
use crate::handles::{HandleBook, HandleReader};
use serde::Serialize;
use serde_json::Value;
use taut_schemas::{EventCode, HandleType, Opcode, SchemaTable, rule};

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HandlesFigures {
    /// The trace holds all that was recorded.
    pub whole: bool,
    /// Bytes of a cache line.
    pub cache_line_bytes: u64,
    /// Devices created.
    pub devices: u64,
    /// Most bytes of handles that live at once.
    pub peak_bytes: u64,
    /// Most handles that live at once.
    pub peak_handles: u64,
    /// When most bytes live.
    pub peak: PeakFigures,
    /// Contexts, in order of creation.
    pub contexts: Vec<ContextFigures>,
    /// What several contexts cost over one.
    pub cost: CostFigures,
    /// What deferred contexts hold of the same objects.
    pub copies: CopyFigures,
    /// Large handles of deferred contexts.
    pub large: Vec<LargeFigures>,
    /// Size classes.
    pub size_classes: Vec<ClassFigures>,
    /// How far, at most, what a deferred context has open lies behind its own handle.
    pub farthest_bytes: u64,
    /// Accesses to the memory of handles.
    pub accesses: Option<u64>,
    /// Of those, behind no handle.
    pub accesses_nowhere: Option<u64>,
    /// Lines touched after the creation of the handles on them.
    pub lines: Option<u64>,
    /// Lines that more than one context wrote to.
    pub shared_lines: Option<u64>,
    /// Lines that moved from one context to another.
    pub contended_lines: Option<u64>,
    /// How often.
    pub ownership_moves: Option<u64>,
    /// Those that moved most.
    pub contended: Vec<LineFigures>,
    /// Whose memory deferred contexts touch.
    pub walks: Option<WalkFigures>,
    /// Hot handles in the sets of a cache.
    pub cache_sets: Option<SetFigures>,
    /// Findings of the rules H-03 and H-09.
    pub lifetime_order_violations: u64,
    /// Handles that lived when their context was destroyed.
    pub leaks: Option<u64>,
    /// Those by type.
    pub leaked: Vec<LeakFigures>,
    /// What ran out.
    pub ran_out: Vec<RanOutFigures>,
    /// Audits.
    pub audits: Vec<AuditFigures>,
    /// Findings of those that are not ok.
    pub violations: u64,
}

/// The report.
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

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
    }

    fn appendix(&self) -> String {
        audits::page()
    }

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !HandleReader::any(analysis.trace()) || analysis.handles()?.device_count() == 0;
        let before = match analysis.head()?.left_out_events {
            0 => "",
            _ => "; it starts in mid-stream, and the handles of a device that was there before are not told",
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

    fn drawn(&self, analysis: &Analysis, _figures: &Value) -> Result<Value, AnalyzeError> {
        drawn::drawn(analysis)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../../assets/handles.js")]
    }

    fn behind(&self, place: &str, figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        behind::behind(place.split('.').next().unwrap_or_default(), figures)
    }

    fn contradicts(&self, figures: &Value) -> bool {
        figures["violations"].as_u64().is_some_and(|violations| violations > 0)
    }
}

/// What figures are made of.
struct Sheet<'a> {
    book: &'a HandleBook,
    types: ValueNames<'a, HandleType>,
    lines: SchemaTable,
    /// The trace has accesses, or may.
    has_accesses: bool,
}

impl Sheet<'_> {
    fn type_name(&self, handle_type: u32) -> String {
        self.types.of(&HandleType(handle_type))
    }

    /// Name of a line of the driver's interface.
    fn call(&self, line: u16) -> String {
        let start = self.lines.event(EventCode::new(line, Opcode::Start));
        start.map_or_else(|| line.to_string(), |event| event.name.clone())
    }

    /// Id of a context, by its place.
    fn context(&self, place: u32) -> u64 {
        self.book.contexts.get(place as usize).map_or(0, |context| context.id)
    }
}

impl HandlesFigures {
    /// The figures of a trace.
    ///
    /// # Errors
    /// The trace could not be read, or its schema table lacks a field that the report needs.
    pub fn of(analysis: &Analysis) -> Result<HandlesFigures, AnalyzeError> {
        let (book, head) = (analysis.handles()?, analysis.head()?);
        let types = ValueNames::new(&analysis.trace().header().schema);
        let has_accesses = book.accesses > 0;
        let sheet = Sheet { book, types, lines: SchemaTable::current(), has_accesses };
        let told = |value: u64| has_accesses.then_some(value);
        let [lines, contended_lines, shared_lines, ownership_moves] = book.line_counts().map(told);
        let audits = audits::audits(book, head.is_whole());
        let found = |rule: &str| book.broken().get(rule).map_or(0, |findings| findings.count);
        let violations = audits.iter().filter(|audit| !audit.ok).map(|audit| audit.findings).sum();
        Ok(HandlesFigures {
            whole: head.is_whole(),
            cache_line_bytes: book.settings.cache_line_bytes,
            devices: book.device_count(),
            peak_bytes: book.peak.all.bytes(),
            peak_handles: book.peak_handles.0,
            peak: memory::peak(&sheet),
            contexts: contexts::contexts(&sheet),
            cost: contexts::cost(&sheet),
            copies: memory::copies(&sheet),
            large: memory::large(&sheet),
            size_classes: memory::size_classes(&sheet),
            farthest_bytes: book.farthest_bytes(),
            accesses: told(book.accesses),
            accesses_nowhere: told(book.nowhere),
            lines,
            shared_lines,
            contended_lines,
            ownership_moves,
            contended: lines::contended(&sheet),
            walks: lines::walks(&sheet),
            cache_sets: lines::cache_sets(&sheet),
            lifetime_order_violations: found(rule::H_03.id) + found(rule::H_09.id),
            leaks: (book.devices_destroyed > 0).then(|| book.leaked.values().map(|(handles, _)| handles).sum()),
            leaked: memory::leaked(&sheet),
            ran_out: memory::ran_out(&sheet),
            audits,
            violations,
        })
    }
}
