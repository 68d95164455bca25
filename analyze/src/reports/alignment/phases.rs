//! What each part of the workload creates.

use super::figures::ResourceFigures;
use super::size_classes::{ClassSums, SizeClasses};
use crate::world::{Live, World};
use serde::Serialize;

/// Everything created in one part of the workload, each resource counted once however short its life.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhaseFigures {
    /// Name of the part; none for what is created outside any.
    pub name: Option<String>,
    /// Sums over all its resources.
    #[serde(flatten)]
    pub all: ResourceFigures,
    /// The part that alignment wastes, without the padding between resources, which changes with time.
    pub waste_ratio: f64,
    /// Its resources by what they ask for.
    pub size_classes: SizeClasses,
    /// Sums over buffers.
    pub buffers: ResourceFigures,
    /// Sums over textures.
    pub textures: ResourceFigures,
}

impl PhaseFigures {
    /// The parts in which something is created, in the order they begin; what is created outside any comes last.
    pub fn all(world: &World) -> Vec<PhaseFigures> {
        if world.phases.is_empty() {
            return Vec::new();
        }
        let outside = world.phases.len();
        let mut sums = vec![(Live::default(), ClassSums::default()); outside + 1];
        for resource in &world.resources {
            let (created, classes) = &mut sums[resource.phase.map_or(outside, |phase| phase.0 as usize)];
            created.create(resource);
            classes.add(resource);
        }
        let names = world.phases.iter().map(|phase| Some(phase.name.clone())).chain([None]);
        let phases = names.zip(sums).filter(|(_, (created, _))| created.resources().allocated().count > 0);
        let figures = phases.map(|(name, (created, classes))| {
            let all = ResourceFigures::from(created.resources());
            PhaseFigures {
                name,
                all,
                waste_ratio: all.waste_ratio(0),
                size_classes: classes.into(),
                buffers: created.buffers.into(),
                textures: created.textures.into(),
            }
        });
        figures.collect()
    }
}
