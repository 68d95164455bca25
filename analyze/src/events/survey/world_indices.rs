//! The world's indices of the descriptions and names of one thread.

use super::world_event::Descriptions;
use crate::memory::{Description, NameIndex, Names, WorldBuilder};

/// The world's indices of a thread's descriptions and names, by the thread's own.
#[derive(Debug, Default)]
pub(super) struct WorldIndices {
    descs: Vec<Description>,
    names: Vec<NameIndex>,
}

impl WorldIndices {
    /// Maps a thread's description to the world's.
    pub fn description(&mut self, number: u32, builder: &mut WorldBuilder, descs: &Descriptions) -> Description {
        while self.descs.len() <= number as usize {
            let (desc, mip_region) = descs.get(self.descs.len() as u32);
            self.descs.push(builder.describe(desc, mip_region));
        }
        self.descs[number as usize]
    }

    /// Maps a thread's name to the world's.
    pub fn name(&mut self, name: NameIndex, builder: &mut WorldBuilder, names: &Names) -> NameIndex {
        while self.names.len() <= name.0 as usize {
            self.names.push(builder.name_index(names.get(NameIndex(self.names.len() as u32))));
        }
        self.names[name.0 as usize]
    }
}
