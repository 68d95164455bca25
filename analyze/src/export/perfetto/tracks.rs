//! Tracks: one process, its threads by their roles, and additional ones.

use super::packets::{
    CHILD_ORDERING_EXPLICIT, CounterDescriptor, ProcessDescriptor, ThreadDescriptor, TrackDescriptor,
};
use taut_schemas::ThreadRole;
use taut_traces::World;

/// Id of the recorded program. Process and thread 0 are reserved in Perfetto.
const PROCESS: i32 = 1;

/// Id of the process for simulated time, which is not the recording's time.
const SIMULATED_PROCESS: i32 = 2;

/// Label of the process whose times are those of the recording.
const RECORDED_TIME: &str = "recorded time";

/// Label of the process whose times have no relation to those of the recording.
const SIMULATED_TIME: &str = "simulated time, unrelated to recorded time";

/// Id of the process's own track.
pub const PROCESS_TRACK: u64 = 1;

/// Order of a track among the tracks of the process.
#[derive(Debug, Clone, Copy)]
#[repr(i32)]
pub enum Rank {
    Phases,
    Frames,
    Submissions,
    Tasks,
    Memory,
    Engines,
    Links,
    Displays,
    Chains,
}

/// The tracks so far.
#[derive(Debug, Default)]
pub struct Tracks {
    pub descriptors: Vec<TrackDescriptor>,
    /// The process that new tracks belong to.
    parent: u64,
}

impl Tracks {
    /// Creates the tracks with a process that is named after the workload.
    pub fn new(world: &World) -> Tracks {
        let labels =
            [("driver", world.drivers()), ("rules", world.rules.clone()), ("clock:", RECORDED_TIME.to_owned())];
        let process = ProcessDescriptor {
            pid: Some(PROCESS),
            process_name: Some(world.workload.name.clone()),
            process_labels: labels.map(|(what, name)| format!("{what} {name}")).to_vec(),
        };
        let mut tracks = Tracks { parent: PROCESS_TRACK, ..Tracks::default() };
        let child_ordering = Some(CHILD_ORDERING_EXPLICIT);
        tracks.add(TrackDescriptor { process: Some(process), child_ordering, ..Default::default() });
        tracks
    }

    /// Begins the process for simulated time; later tracks belong to it.
    pub fn simulated(&mut self) {
        let (pid, process_name) = (Some(SIMULATED_PROCESS), Some("simulated time".to_owned()));
        let process_labels = vec![format!("clock: {SIMULATED_TIME}")];
        let process = Some(ProcessDescriptor { pid, process_name, process_labels });
        let child_ordering = Some(CHILD_ORDERING_EXPLICIT);
        self.parent = self.add(TrackDescriptor { process, child_ordering, ..Default::default() });
    }

    fn add(&mut self, track: TrackDescriptor) -> u64 {
        let uuid = PROCESS_TRACK + self.descriptors.len() as u64;
        self.descriptors.push(TrackDescriptor { uuid: Some(uuid), ..track });
        uuid
    }

    /// Adds the track of a thread of the trace.
    pub fn thread(&mut self, thread: u32) -> u64 {
        let thread = ThreadDescriptor {
            pid: Some(PROCESS),
            tid: Some(i64::from(thread) + 1),
            thread_name: Some(ThreadRole::from_thread(thread).to_string()),
        };
        self.add(TrackDescriptor { thread: Some(thread), parent_uuid: Some(PROCESS_TRACK), ..Default::default() })
    }

    /// Adds a track for slices.
    pub fn slices(&mut self, rank: Rank, name: String) -> u64 {
        self.child(rank, name, None)
    }

    /// Adds a track for a counter.
    pub fn counter(&mut self, rank: Rank, name: &str, counter: CounterDescriptor) -> u64 {
        self.child(rank, name.to_owned(), Some(counter))
    }

    fn child(&mut self, rank: Rank, name: String, counter: Option<CounterDescriptor>) -> u64 {
        let (parent_uuid, sibling_order_rank) = (Some(self.parent), Some(rank as i32));
        self.add(TrackDescriptor { name: Some(name), parent_uuid, sibling_order_rank, counter, ..Default::default() })
    }
}
