//! Run of one seed: recording, end, checks.

use crate::checks::{self, Retained};
use crate::disk::Disk;
use crate::plan::{Fate, Plan};
use crate::random::Random;
use crate::world::{Simulated, World};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use taut_capture::{Adapters, Clock, Session, Workload};
use taut_schemas::ThreadRole;
use taut_traces::{OnFull, Trace, TraceWriter, WriteError};
use taut_workloads::{self as workloads, Parameters, WORKLOADS};

pub fn run(plan: &Plan) {
    let folder = tempfile::tempdir().expect("a folder");
    let world = World::new(plan.seed, folder.path(), plan.fate, plan.yields_once_in);
    let disk = match plan.fate {
        Fate::Failing { at } => Some(Disk::new(at, Random::new(plan.seed ^ 1))),
        _ => None,
    };
    let Some((session, (segment_sender, segments))) = begun(plan, &world, disk.clone(), folder.path()) else {
        // Not even the header could be written.
        assert!(matches!(plan.fate, Fate::Failing { .. }));
        return;
    };
    let known = WORKLOADS.iter().find(|known| known.name == plan.workload).expect("known");
    let parameters = Parameters::new(known.parameters, plan.parameters.clone()).expect("parameters");
    let rundowns = plan.options.mode.discards_oldest().then(|| {
        let mut recording = session.thread(ThreadRole::Recorder.thread());
        let wished = segments.into_iter().take_while(|goes_on| *goes_on);
        std::thread::spawn(move || wished.for_each(|_| drop(recording.rundown())))
    });
    // A faulty driver may end the workload with an error; the recording is checked all the same.
    let _ = workloads::run(plan.workload, &session, &parameters);
    // Fails if the receiver is gone.
    let _ = segment_sender.send(false);
    rundowns.into_iter().for_each(|thread| thread.join().expect("rundowns"));
    let Simulated { writer, .. } = session.end().expect("not ended");
    let ended = match plan.fate {
        Fate::Dropped => {
            drop(writer);
            None
        }
        _ => Some(writer.finish()),
    };
    let recorded_events = world.recorded_events();
    if world.is_dead() {
        let trace = Trace::open(folder.path().join("killed/x.taut")).expect("a trace");
        return checks::killed(plan, &trace, &recorded_events, world.torn());
    }
    match (disk, ended) {
        (Some(disk), Some(Err(WriteError::Output { lost, .. }))) => {
            let trace = Trace::from_bytes(disk.taken()).expect("a trace");
            checks::failed(&trace, &recorded_events, &lost);
        }
        (Some(disk), Some(ended)) => {
            ended.expect("what did not fail");
            checks::whole(plan, &Trace::from_bytes(disk.taken()).expect("a trace"), &recorded_events);
        }
        (None, Some(ended)) => {
            let summary = ended.expect("a trace");
            let trace = Trace::open(folder.path().join("x.taut")).expect("a trace");
            assert_eq!((summary.events, summary.lost_events), (trace.summary().events, trace.summary().lost_events));
            checks::whole(plan, &trace, &recorded_events);
        }
        (_, None) => {
            let trace = Trace::open(folder.path().join("x.taut")).expect("a trace");
            // Only the trailer is missing.
            let damage = trace.verify();
            assert!(damage.iter().all(|damage| damage.what == "trailer"), "{damage:?}");
            // All flushed events are in the trace, and every thread has ended.
            let retained = if plan.options.mode.discards_oldest() { Retained::Last } else { Retained::All };
            checks::events(plan, &trace, &recorded_events, None, retained);
            checks::replays(plan, &trace);
        }
    }
}

/// Channel for new segments; false ends its receiver.
type Segments = (Sender<bool>, Receiver<bool>);

/// Creates a session and the channel for its segments.
fn begun(plan: &Plan, world: &Arc<World>, disk: Option<Disk>, folder: &Path) -> Option<(Session<Simulated>, Segments)> {
    let adapters = Adapters::from(&plan.profile);
    let clock = if plan.is_logical { Clock::Logical } else { Clock::best() };
    let workload = Workload { name: plan.workload.to_owned(), parameters: Default::default() };
    let header = taut_capture::header(&adapters, &plan.settings, workload, &clock).expect("a header");
    let opened = match disk {
        Some(disk) => TraceWriter::new(disk, header, plan.options.clone()),
        None => Ok(TraceWriter::record(folder.join("x.taut"), header, plan.options.clone()).expect("a recording")),
    };
    let writer = opened.ok()?;
    let (segment, segments) = channel();
    let segment_sender = segment.clone();
    writer.on_segment(move || {
        let _ = segment.send(true);
    });
    let session =
        Session::recorded_by(Simulated { writer, world: Arc::clone(world) }, adapters, plan.settings.clone(), clock);
    Some((session, (segment_sender, segments)))
}

/// True if the trace must have all recorded events.
pub fn loses_nothing(plan: &Plan) -> bool {
    plan.options.on_full == OnFull::Block
}
