//! The `client` report: calls of an unmodified program on the binary interface, and work that was not executed.

mod calls;
mod contributors;
mod event;
mod text;
mod verdict;
mod work;

use super::figures::{FigureValue, figures};
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::memory::Backing;
use serde_json::Value;
use std::collections::HashMap;
use taut_schemas::{HeapType, ResourceId, d3d12};
use work::{Memory, WorkTracker};

/// Maximum number of names and of calls in progress that are listed.
const LISTED: usize = 10;

figures! {
    /// Calls of one method.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MethodFigures {
        interface: String, Text, "Interface that declares the method, or header of a function.";
        method: String, Text, "The method or function.";
        count: u64, Count, "Number of occurrences. Of `queried`, `unsupported` and `after_release`: the highest power of two up to it.";
    }
}

figures! {
    /// Queries of one interface with one result.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct QueryFigures {
        interface: String, Text, same;
        returned: String, Text, "HRESULT of the queries.";
        count: u64, Count, same;
    }
}

figures! {
    /// Calls of a method that the runtime does not execute.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnsupportedFigures {
        interface: String, Text, same;
        method: String, Text, same;
        slot: u32, Count, "Number of the method's function in the interface's table.";
        count: u64, Count, same;
    }
}

figures! {
    /// Objects of one kind.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ObjectFigures {
        kind: String, Text, "Kind of the objects.";
        created: u64, Count, "Objects created.";
        alive: u64, Count, "Objects that are not released at the end of the trace.";
        names: Vec<String>, List, "Names of the first ten objects alive that have one.";
    }
}

figures! {
    /// A call that had not returned at the end of the program.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InProgressFigures {
        thread: u32, Id, "Thread of the call.";
        call: String, Text, "Name of the call.";
    }
}

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ClientFigures {
        represents_gpu: bool, Flag, "The trace represents the program's calls on a GPU: it is complete and not empty, each call was executed, and the program read no memory that draws and other work that was not executed would have written.";
        total_calls: u64, Count, "Calls of all methods that the runtime executed.";
        calls: Vec<MethodFigures>, List, "Calls that the runtime executed, most frequent first. Releases are those of last references.";
        queried: Vec<QueryFigures>, List, "Queries of interfaces by QueryInterface, and creations that name an interface that the object lacks.";
        unsupported_methods: u64, Count, "Methods that were called and that the runtime does not execute.", contributors = contributors::unsupported;
        unsupported: Vec<UnsupportedFigures>, List, "`unsupported_methods`, most frequent first.", contributors = contributors::unsupported;
        after_release: Vec<MethodFigures>, List, "Calls of objects whose last reference was released; they return E_HANDLE.";
        objects: Vec<ObjectFigures>, List, "Objects by kind. Kinds that the program did not create are left out.", contributors = contributors::objects;
        objects_alive: u64, Count, "Objects of all kinds that are not released at the end of the trace.", contributors = contributors::objects;
        draws_not_executed: u64, Count, "Draws in executed command lists.";
        dispatches_not_executed: u64, Count, "Dispatches in executed command lists.";
        indirect_not_executed: u64, Count, "ExecuteIndirect in executed command lists, each of several draws or dispatches.";
        copies_not_executed: u64, Count, "Copies of tiles, and of reserved resources, which have no memory, in executed command lists.";
        clears_not_executed: u64, Count, "Clears in executed command lists of views that are not known, or whose format has no single texel.";
        copied_bytes: u64, Bytes, "Bytes of the executed copies of buffers, textures and resources, without padding.";
        mapped_writes_bytes: u64, Bytes, "Bytes that Unmap states as written; without a range, the whole resource. Maps that have not ended are not included.";
        readbacks: u64, Count, "Maps of memory in readback, custom and GPU upload heaps, and reads of subresources.";
        submissions: u64, Count, "Calls of ExecuteCommandLists.";
        in_progress: Vec<InProgressFigures>, List, "First ten calls that had not returned at the end of the program.";
    }
}

/// The `client` report.
pub struct Client;

impl Report for Client {
    fn name(&self) -> &'static str {
        "client"
    }

    fn title(&self) -> &'static str {
        "Client"
    }

    fn description(&self) -> &'static str {
        "Calls of a program that `taut run` started, objects that it did not release, and work that was not executed."
    }

    fn figures(&self) -> &'static [FigureLine] {
        ClientFigures::LINES
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let is_of_program = analysis.trace().header().world.workload.is_of_program();
        Ok((!is_of_program).then(|| "the trace is not of a program that `taut run` started".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let (figures, losses) = (figures(analysis)?, verdict::losses(analysis)?);
        ReportResult::new(verdict::verdict(&figures, &losses), &figures, text::document(&figures))
    }

    fn page_data(&self, _: &Analysis, _: &Value) -> Result<Value, AnalyzeError> {
        Ok(Value::Null)
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The report in three lines, for the end of `taut run`: verdict, work and objects.
///
/// # Errors
/// The trace could not be read.
pub fn summary(analysis: &Analysis) -> Result<[String; 3], AnalyzeError> {
    let (figures, losses) = (figures(analysis)?, verdict::losses(analysis)?);
    let verdict = verdict::verdict(&figures, &losses);
    Ok([verdict.sentence, text::work(&figures), text::objects(&figures)])
}

fn figures(analysis: &Analysis) -> Result<ClientFigures, AnalyzeError> {
    let world = analysis.world()?;
    let resources = world.resources.iter().zip(world.heap_types());
    let memory: HashMap<ResourceId, Memory> = resources
        .map(|(resource, heap_type)| {
            // No GPU writes to these heaps, or no map of them succeeds. A custom heap that is mapped may be read.
            let is_readback = !matches!(*heap_type, HeapType::UPLOAD | HeapType::DEFAULT);
            let is_reserved = matches!(resource.backing, Backing::Reserved);
            (resource.id, Memory { desc: resource.desc, is_readback, is_reserved })
        })
        .collect();
    // Builds without this event executed no copy.
    let marker = taut_schemas::start::<d3d12::InvalidCommand>().event_ref();
    let executes_copies = analysis.trace().header().schema.find(marker).is_some();
    let tracker = WorkTracker { memory, executes_copies, ..WorkTracker::default() };
    let work = event::events(analysis.source())?.track(tracker)?;
    let calls = calls::calls(analysis)?;
    let unsupported = calls::unsupported(&work);
    let objects = calls::objects(&work);
    let mut figures = ClientFigures {
        represents_gpu: false,
        total_calls: calls.iter().map(|calls| calls.count).sum(),
        calls,
        queried: calls::queried(&work),
        unsupported_methods: unsupported.len() as u64,
        unsupported,
        after_release: calls::after_release(&work),
        objects_alive: objects.iter().map(|objects| objects.alive).sum(),
        objects,
        draws_not_executed: work.executed.draws,
        dispatches_not_executed: work.executed.dispatches,
        indirect_not_executed: work.executed.indirect,
        copies_not_executed: work.executed.copies_not_executed,
        clears_not_executed: work.executed.clears_not_executed,
        copied_bytes: work.executed.copied_bytes,
        mapped_writes_bytes: work.mapped_writes_bytes,
        readbacks: work.readbacks,
        submissions: work.submissions,
        in_progress: calls::in_progress(analysis)?,
    };
    figures.represents_gpu = verdict::differences(&figures).is_empty() && verdict::losses(analysis)?.is_empty();
    Ok(figures)
}
