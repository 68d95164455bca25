//! Report of a trace, and the same figures computed from the trace's world at the moment of peak memory use.

use crate::advice::heaps::{self, Free};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::memory::{Backing, ChangeKind, Resource, Turn, World};
use taut_analyze::reports::alignment::{AlignmentFigures, CauseFigures, ChangeFigures};
use taut_replay::{Changes, Options, RecordedSizes, Replayer, Tight};
use taut_schemas::SchemaTable;
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Trace with its report.
pub struct ReportedTrace {
    pub name: String,
    folder: PathBuf,
    trace: Arc<Trace>,
    analysis: Analysis,
    pub figures: AlignmentFigures,
    /// Moment of peak memory use.
    pub turn: Turn,
}

/// Memory use at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    pub in_use_bytes: u64,
    /// Part that committed resources take.
    pub committed_bytes: u64,
    /// Excess of allocated over requested bytes of resources.
    pub rounding_bytes: i64,
    pub heap_bytes: u64,
    pub free: Free,
}

impl Memory {
    /// Returns the memory use after a change.
    fn at(world: &World, turn: Turn) -> Memory {
        let live = || world.resources.iter().filter(|one| one.lives_after(turn) && one.allocation.is_some());
        let is_committed = |one: &&Resource| matches!(one.backing, Backing::Committed { .. });
        let taken = |one: &Resource| one.in_use_bytes();
        let in_use_bytes: u64 = live().map(taken).sum();
        let requested_bytes: u64 = live().map(|one| one.requested_bytes).sum();
        let heaps = world.heaps.iter().filter(|heap| heap.lives_after(turn));
        Memory {
            in_use_bytes,
            committed_bytes: live().filter(is_committed).map(taken).sum(),
            rounding_bytes: in_use_bytes as i64 - requested_bytes as i64,
            heap_bytes: heaps.map(|heap| heap.size_bytes).sum(),
            free: heaps::free(world, turn),
        }
    }

    /// Returns the bytes that no resource requested.
    fn wasted_bytes(&self) -> i64 {
        self.rounding_bytes + self.free.all_bytes as i64
    }

    pub fn real_bytes(&self) -> u64 {
        self.heap_bytes + self.committed_bytes
    }
}

/// Returns the change after which resources take most memory, summed change by change.
fn fullest(world: &World) -> Turn {
    let (mut bytes, mut max_bytes, mut at) = (0_u64, 0, Turn(0));
    for (turn, change) in (0..).map(Turn).zip(&world.changes) {
        match change.kind {
            ChangeKind::ResourceCreated(index) => bytes += world.resource(index).in_use_bytes(),
            ChangeKind::ResourceReleased(index) => bytes -= world.resource(index).in_use_bytes(),
            ChangeKind::HeapCreated(_) | ChangeKind::HeapReleased(_) => {}
        }
        if bytes > max_bytes {
            (max_bytes, at) = (bytes, turn);
        }
    }
    at
}

impl ReportedTrace {
    pub fn of(name: String, file: &Path) -> ReportedTrace {
        let trace = Arc::new(Trace::open(file).expect("a trace"));
        let analysis = Analysis::new(Arc::clone(&trace)).expect("an analysis");
        let sizes = RecordedSizes::of(&trace.header().world).expect("a world that this build knows");
        let world = analysis.world().expect("a world");
        let (figures, turn) = (AlignmentFigures::with_sizes(world, Some(&sizes)), fullest(world));
        let folder = file.parent().expect("a folder").to_owned();
        ReportedTrace { name, folder, trace, analysis, figures, turn }
    }

    pub fn world(&self) -> &World {
        self.analysis.world().expect("a world")
    }

    pub fn memory(&self) -> Memory {
        Memory::at(self.world(), self.turn)
    }

    /// Checks that the causes add up to the waste of the peak, and that each has a first one.
    pub fn assert_causes_are_the_waste(&self) {
        let (memory, peak, name) = (self.memory(), &self.figures.peak, &self.name);
        let claimed: i64 = self.figures.causes.iter().map(|cause| cause.waste_bytes).sum();
        assert_eq!(memory.in_use_bytes, peak.all.in_use_bytes, "{name}");
        assert_eq!(claimed, memory.wasted_bytes(), "{name}: {:#?}", self.figures.causes);
        let free_bytes = peak.layout.padding_bytes + peak.layout.hole_bytes + peak.layout.tail_bytes;
        assert_eq!(claimed, peak.all.rounding_bytes + peak.all.granularity_bytes + free_bytes as i64, "{name}");
        for cause in &self.figures.causes {
            assert!(cause.count > 0 && !cause.example.is_empty(), "{name}: {cause:?}");
        }
    }

    /// Replays the trace with one change, and returns the memory use at the same moment.
    pub fn replayed(&self, cause: &CauseFigures, change: &ChangeFigures) -> Memory {
        let requested = format!("{}={}", cause.name, change.change).parse().expect("a change of descriptions");
        let world = self.trace.header().world.clone();
        let header = Header { schema: SchemaTable::current(), world: world.clone(), ..Header::default() };
        let file = self.folder.join("changed.taut");
        let writer = TraceWriter::create(&file, header, WriteOptions::default()).expect("a file");
        let changes = Changes::new(Tight::AsRecorded, &[requested]);
        let replayer = Replayer::new(&self.trace, Options::default());
        let outcome = replayer.what_if(&world, changes, Some(&writer)).expect("a replay");
        writer.finish().expect("a trace");
        assert_eq!((outcome.skipped_calls, outcome.newly_failing_creations), (0, 0), "{}, {requested}", self.name);
        let analysis = Analysis::new(Trace::open(&file).expect("a trace")).expect("an analysis");
        let changed = analysis.world().expect("a world");
        assert_eq!(changed.changes.len(), self.world().changes.len(), "{}, {requested}", self.name);
        Memory::at(changed, self.turn)
    }

    /// Replays a change of descriptions and checks that it saves what the report claims.
    pub fn assert_saves_replayed(&self, cause: &CauseFigures, change: &ChangeFigures) {
        let (before, after) = (self.memory(), self.replayed(cause, change));
        let what = format!("{}, {} replayed with {change:?}", self.name, cause.name);
        assert_eq!(before.in_use_bytes - after.in_use_bytes, change.saving_bytes, "{what}");
        assert_eq!(before.committed_bytes - after.committed_bytes, change.reclaimed_bytes, "{what}");
    }
}

/// Returns true for a change that a replay can make.
pub fn is_of_descriptions(change: &ChangeFigures) -> bool {
    ["tight", "alignment_4_kib", "alignment_64_kib"].contains(&change.change)
}
