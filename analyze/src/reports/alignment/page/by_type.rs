//! Waste by resource type.

use crate::memory::{HeapWalk, Resource, World};
use foldhash::HashMap;
use serde::Serialize;
use taut_schemas::Dimension;

/// Maximum number of types; the remaining ones are combined.
const TYPES: usize = 24;

/// Sums over the resources of one type in the whole trace, each counted once.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct TypeWaste {
    name: String,
    resources: u64,
    requested_bytes: u64,
    rounding_bytes: i64,
    padding_bytes: u64,
    granularity_bytes: i64,
}

impl TypeWaste {
    fn waste_bytes(&self) -> i128 {
        i128::from(self.rounding_bytes) + i128::from(self.padding_bytes) + i128::from(self.granularity_bytes)
    }

    fn add(&mut self, other: &TypeWaste) {
        self.resources += other.resources;
        self.requested_bytes = self.requested_bytes.saturating_add(other.requested_bytes);
        self.rounding_bytes = self.rounding_bytes.saturating_add(other.rounding_bytes);
        self.padding_bytes = self.padding_bytes.saturating_add(other.padding_bytes);
        self.granularity_bytes = self.granularity_bytes.saturating_add(other.granularity_bytes);
    }
}

/// Key of a type: backing and, for textures, dimension and format.
fn type_of(resource: &Resource) -> (Dimension, u32, &'static str) {
    let format = if resource.is_buffer() { 0 } else { resource.desc.format.0 };
    (resource.desc.dimension, format, resource.backing.name())
}

fn name_of(resource: &Resource) -> String {
    if resource.is_buffer() {
        return format!("{} buffers", resource.backing.name());
    }
    let dimension = format!("{:?}", resource.desc.dimension).replace("TEXTURE", "");
    format!("{} {dimension} {:?}", resource.backing.name(), resource.desc.format)
}

/// The types of a world in descending order of waste.
pub(super) fn by_type(world: &World, walks: &[HeapWalk]) -> Vec<TypeWaste> {
    let paddings = world.paddings(walks);
    let mut types: HashMap<_, TypeWaste> = HashMap::default();
    for (resource, padding_bytes) in world.resources.iter().zip(paddings) {
        if resource.is_reserved() || resource.allocation.is_none() {
            continue;
        }
        let narrow = |difference: i128| i64::try_from(difference).unwrap_or(i64::MAX);
        let one = TypeWaste {
            name: String::new(),
            resources: 1,
            requested_bytes: resource.requested_bytes,
            rounding_bytes: narrow(resource.rounding_bytes()),
            padding_bytes,
            granularity_bytes: narrow(resource.granularity_bytes()),
        };
        let named = || TypeWaste { name: name_of(resource), ..Default::default() };
        types.entry(type_of(resource)).or_insert_with(named).add(&one);
    }
    let mut types: Vec<TypeWaste> = types.into_values().collect();
    types.sort_by(|a, b| b.waste_bytes().cmp(&a.waste_bytes()).then_with(|| a.name.cmp(&b.name)));
    if types.len() > TYPES {
        let rest = types.split_off(TYPES - 1);
        let mut others = TypeWaste { name: format!("{} other types", rest.len()), ..Default::default() };
        rest.iter().for_each(|one| others.add(one));
        types.push(others);
    }
    types
}
