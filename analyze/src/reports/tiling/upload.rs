//! Statistics of the stores and loads within one Map/Unmap pair, computed in one pass.

use super::coverage::Coverage;
use super::order::{Candidate, CandidateKey, Candidates, Fingerprint, opposite};
use super::surface::{Access, MappedSurface};
use taut_schemas::{StoreRun, StoreRuns};
use taut_tiling::{Layout, Rect, Store, Surface, WriteCombiner, WriteCounts};

/// Write-combining buffer counts that are modelled: 4 are guaranteed, 10 and 12 are common.
pub(super) const BUFFERS: [usize; 3] = [WriteCombiner::GUARANTEED, 10, 12];
/// Maximum number of accesses decoded per event; events with more are counted as undecoded.
const MAX_DECODED_STORES: u64 = 1 << 32;

/// Statistics of one Map/Unmap pair.
#[derive(Debug)]
pub(super) struct Upload {
    pub coverage: Coverage,
    /// Write-combining results, one per entry of [`BUFFERS`].
    pub counts: [WriteCounts; BUFFERS.len()],
    pub outside_stores: u64,
    pub reads: u64,
    pub read_bytes: u64,
    pub undecoded_runs: u64,
    fingerprint: Fingerprint,
    widest: u32,
    /// Bounding rectangle of the stores, under the reported layout and under its opposite ([`opposite`]).
    boxes: Vec<(Surface, Bounds)>,
}

/// Bounding rectangle of some bytes, as inclusive ranges.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    x: (u64, u64),
    y: (u64, u64),
}

impl Bounds {
    const NONE: Bounds = Bounds { x: (u64::MAX, 0), y: (u64::MAX, 0) };

    fn add(&mut self, surface: &Surface, offset_bytes: u64) {
        let Ok(at) = surface.position(offset_bytes) else { return };
        self.x = (self.x.0.min(at.x_bytes), self.x.1.max(at.x_bytes));
        self.y = (self.y.0.min(at.y), self.y.1.max(at.y));
    }

    fn rect(&self) -> Option<Rect> {
        let (width_bytes, rows) = (self.x.1.checked_sub(self.x.0)? + 1, self.y.1.checked_sub(self.y.0)? + 1);
        Some(Rect { x_bytes: self.x.0, y: self.y.0, z: 0, width_bytes, rows })
    }
}

impl Upload {
    /// Replays the accesses of one Map/Unmap pair; `None` if the memory's dimensions do not form a surface.
    pub fn of(surface: &MappedSurface, accesses: &[Access]) -> Option<Upload> {
        // A program that uses the wrong swizzle rule writes the opposite layout: stores are matched with both.
        let layouts = std::iter::once(surface.layout).chain(opposite(surface.layout));
        let boxes = layouts.map(|layout| Some((surface.surface(layout)?, Bounds::NONE))).collect::<Option<_>>()?;
        let mut upload = Upload {
            coverage: Coverage::new(surface.data.size_bytes),
            counts: Default::default(),
            outside_stores: 0,
            reads: 0,
            read_bytes: 0,
            undecoded_runs: 0,
            fingerprint: Fingerprint::default(),
            widest: 0,
            boxes,
        };
        let mut models = Vec::new();
        for buffers in BUFFERS {
            models.push(WriteCombiner::new(buffers).ok()?);
        }
        for access in accesses {
            match access {
                Access::Write(runs) => upload.write(runs, &mut models),
                Access::Read(runs) => upload.read(runs),
                Access::Fence => models.iter_mut().for_each(WriteCombiner::drain),
            }
        }
        // Unmap drains the write-combining buffers; so does the end of a recording that was cut off.
        models.iter_mut().for_each(WriteCombiner::drain);
        upload.counts.iter_mut().zip(&models).for_each(|(counts, model)| *counts = model.counts());
        Some(upload)
    }

    fn write(&mut self, runs: &[StoreRun], models: &mut [WriteCombiner]) {
        let Ok(stores) = StoreRuns::new(runs, MAX_DECODED_STORES) else {
            self.undecoded_runs += runs.len() as u64;
            return;
        };
        stores.for_each(|offset, size| {
            if !self.coverage.add(offset, size) {
                self.outside_stores += 1;
                return;
            }
            self.fingerprint.add(offset, size.into());
            self.widest = self.widest.max(size);
            for (surface, bounds) in &mut self.boxes {
                bounds.add(surface, offset);
                bounds.add(surface, offset + u64::from(size) - 1);
            }
            models.iter_mut().for_each(|model| model.stored(offset as usize, size as usize));
        });
    }

    fn read(&mut self, runs: &[StoreRun]) {
        let Ok(loads) = StoreRuns::new(runs, MAX_DECODED_STORES) else {
            self.undecoded_runs += runs.len() as u64;
            return;
        };
        self.reads += loads.len();
        loads.for_each(|_, size| self.read_bytes = self.read_bytes.saturating_add(size.into()));
    }

    /// True if there was a store.
    pub fn has_stores(&self) -> bool {
        self.fingerprint != Fingerprint::default()
    }

    /// Costs of every write order in the written rectangle, under the layout `written_layout` that explains the stores, or
    /// under the reported layout if none explains them.
    pub fn orders(&self, candidates: &Candidates, written_layout: Option<Layout>) -> Vec<Candidate> {
        let meant = self.boxes.iter().find(|(surface, _)| Some(surface.layout()) == written_layout);
        let written = meant.or(self.boxes.first());
        written.map(|(surface, bounds)| self.candidates(candidates, surface, bounds)).unwrap_or_default()
    }

    /// The write order and the layout that explain the stores exactly; the reported layout is tried first.
    pub fn recognised(&self, candidates: &Candidates) -> Option<(Candidate, Layout)> {
        self.boxes.iter().find_map(|(surface, bounds)| {
            let computed = self.candidates(candidates, surface, bounds);
            let same = computed.into_iter().find(|candidate| candidate.fingerprint == self.fingerprint)?;
            Some((same, surface.layout()))
        })
    }

    fn candidates(&self, candidates: &Candidates, surface: &Surface, bounds: &Bounds) -> Vec<Candidate> {
        let rect = bounds.rect().filter(|_| self.has_stores());
        rect.map(|rect| candidates.of(CandidateKey { surface: *surface, rect, has_narrow: self.widest < 16 }))
            .unwrap_or_default()
    }
}
