//! One pass over all changes, with running sums, that finds the peaks.

use super::measure::Measure;
use crate::memory::{ChangeKind, Live, Turn, World};

/// Peak value of a measure, and the first change that reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Peak {
    pub value: u128,
    /// The change; `None` if the measure is always 0.
    pub turn: Option<Turn>,
}

/// Results of the pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    peaks: [Peak; Measure::ALL.len()],
    /// Sums over everything ever created, each object counted once regardless of its lifetime.
    pub created: Live,
    /// Reserved resources ever created.
    pub reserved: u64,
}

impl Sweep {
    /// Traverses the changes of a world.
    pub fn over(world: &World) -> Sweep {
        let (mut live, mut created) = (Live::default(), Live::default());
        let mut peaks = [Peak::default(); Measure::ALL.len()];
        for (turn, change) in (0..).map(Turn).zip(&world.changes) {
            live.turn(world, change.kind);
            if let ChangeKind::HeapCreated(_) | ChangeKind::ResourceCreated(_) = change.kind {
                created.turn(world, change.kind);
            }
            for (peak, measure) in peaks.iter_mut().zip(Measure::ALL) {
                let value = measure.of(&live);
                if value > peak.value {
                    *peak = Peak { value, turn: Some(turn) };
                }
            }
        }
        let reserved = world.resources.iter().filter(|resource| resource.is_reserved()).count() as u64;
        Sweep { peaks, created, reserved }
    }

    /// The peak of a measure.
    pub fn peak(&self, measure: Measure) -> Peak {
        self.peaks[measure as usize]
    }
}
