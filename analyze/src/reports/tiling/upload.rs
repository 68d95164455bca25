//! What was stored and loaded in one map, measured in one pass.

use super::coverage::Coverage;
use super::order::{Candidate, Candidates, Fingerprint, opposite};
use super::surface::{Access, MappedSurface};
use taut_schemas::{StoreRun, StoreRuns};
use taut_tiling::{Layout, Rect, Store, Surface, WriteCombiner, WriteCounts};

/// Numbers of write-combining buffers that are looked at: 4 are guaranteed, 10 and 12 are common.
pub(super) const BUFFERS: [usize; 3] = [WriteCombiner::GUARANTEED, 10, 12];
/// The most stores of one mark that are walked.
const MOST_STORES: u64 = 1 << 32;

/// One map's figures.
#[derive(Debug)]
pub(super) struct Upload {
    pub coverage: Coverage,
    /// For each of [`BUFFERS`].
    pub counts: [WriteCounts; BUFFERS.len()],
    pub outside_stores: u64,
    pub reads: u64,
    pub read_bytes: u64,
    pub unread_runs: u64,
    fingerprint: Fingerprint,
    widest: u32,
    /// The rectangle that the stores fill, by the reported layout and by its opposite.
    boxes: Vec<(Surface, Bounds)>,
}

/// The smallest rectangle around some bytes.
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
    /// Walks everything that was done in one map. `None` for numbers that fit no surface.
    pub fn of(surface: &MappedSurface, accesses: &[Access]) -> Option<Upload> {
        let layouts = std::iter::once(surface.layout).chain(opposite(surface.layout));
        let boxes = layouts.map(|layout| Some((surface.surface(layout)?, Bounds::NONE))).collect::<Option<_>>()?;
        let mut upload = Upload {
            coverage: Coverage::new(surface.data.size_bytes),
            counts: Default::default(),
            outside_stores: 0,
            reads: 0,
            read_bytes: 0,
            unread_runs: 0,
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
        // Unmap, or the end of what is known.
        models.iter_mut().for_each(WriteCombiner::drain);
        upload.counts.iter_mut().zip(&models).for_each(|(counts, model)| *counts = model.counts());
        Some(upload)
    }

    fn write(&mut self, runs: &[StoreRun], models: &mut [WriteCombiner]) {
        let Ok(stores) = StoreRuns::new(runs, MOST_STORES) else {
            self.unread_runs += runs.len() as u64;
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
        let Ok(loads) = StoreRuns::new(runs, MOST_STORES) else {
            self.unread_runs += runs.len() as u64;
            return;
        };
        self.reads += loads.len();
        loads.for_each(|_, size| self.read_bytes = self.read_bytes.saturating_add(size.into()));
    }

    /// Whether anything was stored.
    pub fn has_stores(&self) -> bool {
        self.fingerprint != Fingerprint::default()
    }

    /// What every order costs in the rectangle that was written: the one by the layout by whose rule the stores were made, or
    /// by the one that Map reports where neither explains them.
    pub fn orders(&self, candidates: &Candidates, made_by: Option<Layout>) -> Vec<Candidate> {
        let meant = self.boxes.iter().find(|(surface, _)| Some(surface.layout()) == made_by);
        meant.or(self.boxes.first()).map(|of| self.candidates(candidates, of)).unwrap_or_default()
    }

    /// The order of the stores, and by the rule of which layout they were made: the reported one, if it explains them.
    pub fn recognised(&self, candidates: &Candidates) -> Option<(Candidate, Layout)> {
        self.boxes.iter().find_map(|of| {
            let made = self.candidates(candidates, of);
            let same = made.into_iter().find(|candidate| candidate.fingerprint == self.fingerprint)?;
            Some((same, of.0.layout()))
        })
    }

    fn candidates(&self, candidates: &Candidates, (surface, bounds): &(Surface, Bounds)) -> Vec<Candidate> {
        let rect = bounds.rect().filter(|_| self.has_stores());
        rect.map(|rect| candidates.of((*surface, rect, self.widest < 16))).unwrap_or_default()
    }
}
