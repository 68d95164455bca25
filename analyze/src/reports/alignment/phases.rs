//! Resources created in each phase of the workload.

use super::figures::ResourceFigures;
use super::size_classes::{ClassSums, SizeClasses};
use crate::memory::{Live, World};
use crate::reports::figures::figures;

figures! {
    /// Sums over everything created in a workload phase, each resource counted once regardless of its lifetime.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PhaseFigures {
        buffers: ResourceFigures, Group, same;
        textures: ResourceFigures, Group, same;
        #[serde(flatten)] all: ResourceFigures, Group, flat;
        waste_ratio: f64, Ratio, same, unless snapshot;
        size_classes: SizeClasses, Group, same, unless snapshot;
        name: Option<String>, Text, "Name of the phase, cause or tag group; null outside all phases. Of a heap type: D3D12_HEAP_TYPE without its prefix. Of a resource or heap: its last name; of a resource in `worst` without a name: its description. Of a message: its id in words.";
    }
}

impl PhaseFigures {
    /// Figures of the phases that create resources, in order of their start; resources outside all phases come last.
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
