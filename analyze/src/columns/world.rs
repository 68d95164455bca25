//! Reads the world out of a trace: every creation and release, in the order of the lines.

use super::creation::{CallColumns, ThreadCalls};
use super::parts::{Part, Parts};
use super::{Events, JoinedCall, LineKind, Records, Selecting};
use crate::error::AnalyzeError;
use crate::world::{Backing, Moment, NewResource, World, WorldBuilder};
use taut_schemas::{HeapId, ResourceId};
use taut_traces::{Damage, Trace};

/// The world of a trace, and the damage in its blocks: what these held is missing.
///
/// # Errors
/// The trace's table lacks a field that creations need.
pub(crate) fn world(trace: &Trace) -> Result<(World, Vec<Damage>), AnalyzeError> {
    let mut selecting = Selecting::default();
    let parts = Parts::select(Events::new(&trace.header().schema), &mut selecting)?;
    let records = Records::read(trace, selecting)?;
    let fields = records.fields();
    let threads: Vec<_> = records.threads.iter().zip(&fields).map(|(t, f)| ThreadCalls::new(t, f, &parts)).collect();
    let mut builder = WorldBuilder::default();
    for line in &records.lines.lines {
        let LineKind::Call(index) = line.kind else { continue };
        let thread = &threads[line.thread_index as usize];
        let Some((call, columns)) = thread.call(index) else { continue };
        let Some(object) = columns.object(call) else { continue };
        match columns.part {
            Part::CreateHeap => builder.create_heap(line.moment, HeapId(object), columns.heap_desc(call)),
            Part::ReleaseHeap => builder.release_heap(line.moment, HeapId(object)),
            Part::ReleaseResource => builder.release_resource(line.moment, ResourceId(object)),
            _ => builder.create_resource(line.moment, resource(thread, index, call, columns, ResourceId(object))),
        }
    }
    let summary = trace.summary();
    let moment = |stamp: Option<u64>, seq| Moment { stamp: stamp.unwrap_or_default(), thread: 0, seq };
    let last_seq = records.lines.lines.last().and_then(|line| line.moment.seq);
    let world = builder.finish(moment(summary.first_stamp, None), moment(summary.last_stamp, last_seq));
    Ok((world, records.into_damage()))
}

fn resource(
    thread: &ThreadCalls<'_>,
    index: u32,
    call: &JoinedCall,
    columns: &CallColumns<'_>,
    id: ResourceId,
) -> NewResource {
    let answers = thread.answers(index);
    let backing = match columns.part {
        Part::CreatePlaced => {
            let (heap, heap_offset_bytes) = columns.place(call);
            Backing::Placed { heap, heap_offset_bytes }
        }
        Part::CreateCommitted => Backing::Committed { implicit_heap_bytes: answers.implicit_heap_bytes },
        _ => Backing::Reserved,
    };
    let (desc, mip_region) = columns.resource_desc(call);
    NewResource { id, desc, mip_region, backing, allocation: answers.allocation }
}
