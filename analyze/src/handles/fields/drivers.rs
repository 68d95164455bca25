//! Reads the fields of the recorded driver from the trace's header.

use super::{Candidate, FieldCosts, FieldModel, TypeModel};
use crate::handles::FastMap;
use serde::Deserialize;
use taut_schemas::{FieldPlacement, HandleField, HandleType, TypeLayout};
use taut_traces::World;

/// The keys of a profile's table `[contexts]` that determine the layout.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct Contexts {
    #[serde(default)]
    immediate_handle_bytes: u64,
    #[serde(default)]
    handles: Vec<ListedHandle>,
    #[serde(default)]
    packs_fields: bool,
    #[serde(default)]
    fields: Vec<HandleField>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct ListedHandle {
    handle_type: String,
    size_bytes: u64,
}

impl Contexts {
    fn type_model(&self, handle_type: u32, name: &str) -> Option<TypeModel> {
        let fields: Vec<&HandleField> = self.fields.iter().filter(|field| field.handle_type == name).collect();
        let of_type = self.handles.iter().filter(|handle| handle.handle_type == name);
        let listed: Vec<u64> = of_type.map(|handle| handle.size_bytes).collect();
        let min_bytes = listed.iter().copied().min().unwrap_or_default();
        let layout = |fields: &[&HandleField]| TypeLayout::new(fields.iter().copied(), min_bytes, !self.packs_fields);
        let candidates = |index: usize, placement: FieldPlacement| {
            let moved = HandleField { placement, offset_bytes: 0, ..fields[index].clone() };
            let mut others = fields.clone();
            others[index] = &moved;
            let (open_lines, use_lines, opened_bytes) = (0, 0, 0);
            Candidate {
                placement,
                layout: layout(&others),
                open_lines,
                use_lines,
                opened_bytes,
                live_growth: 0,
                peak_bytes: 0,
            }
        };
        let models = fields.iter().enumerate().map(|(index, field)| {
            let others = FieldPlacement::ALL.into_iter().filter(|placement| *placement != field.placement);
            // A deferred context must not write to memory of the immediate context (rule H-38).
            let allowed = others.filter(|placement| *placement != FieldPlacement::Shared || !field.is_mutable());
            let candidates = allowed.map(|placement| candidates(index, placement)).collect();
            FieldModel { field: (*field).clone(), reads: 0, writes: 0, walks: 0, candidates }
        });
        let fields_of_type: Vec<FieldModel> = models.collect();
        (!fields.is_empty()).then(|| TypeModel {
            handle_type,
            listed,
            immediate_handle_bytes: self.immediate_handle_bytes,
            layout: layout(&fields),
            fields: fields_of_type,
            opened: 0,
            opened_bytes: 0,
        })
    }
}

impl FieldCosts {
    /// Creates the costs of a world's fields. There are none if several drivers have different ones: accesses do not
    /// show the driver.
    pub fn new(world: &World, line_bytes: u64) -> FieldCosts {
        let contexts = world.adapters.iter().filter_map(|adapter| adapter.profile.get("contexts"));
        let parsed = contexts.map(|contexts| Contexts::deserialize(contexts).unwrap_or_default());
        let mut parsed: Vec<Contexts> = parsed.collect();
        parsed.dedup();
        let types = match parsed.as_slice() {
            [contexts] => {
                HandleType::NAMES.iter().filter_map(|(value, name)| contexts.type_model(*value, name)).collect()
            }
            _ => Vec::new(),
        };
        FieldCosts { line_bytes, types, blocks: FastMap::default(), line_touches: 0 }
    }
}
