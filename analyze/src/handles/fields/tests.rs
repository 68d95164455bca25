//! Predictions of a placement against the accesses that a driver makes with it.

use super::FieldCosts;
use crate::events::At;
use crate::handles::ContextState;
use crate::handles::live_handle::LiveHandle;
use crate::handles::live_handles::LiveHandles;
use crate::handles::tracker::NO_TYPE;
use proptest::prelude::*;
use serde_json::json;
use taut_schemas::{DriverHandle, FieldPlacement, HandleAccess, HandleField, HandleType, SEPARATE_AREA, TypeLayout};
use taut_traces::{AdapterWorld, World};

/// The context's own handle, an object's handle of the immediate context, and of the deferred one.
const DEVICE: u64 = 0x2000_0000;
const OBJECT: u64 = 0x1000_0000;
const HANDLE: u64 = 0x2000_1000;
/// Listed size of a handle, which has room for a dependency.
const LISTED: u64 = 16;

fn access(handle: u64, offset_bytes: u64, size_bytes: u64, is_write: bool) -> HandleAccess {
    HandleAccess { handle: DriverHandle(handle), offset_bytes, size_bytes: size_bytes as u32, is_write }
}

/// A driver with these fields.
struct Modelled {
    fields: Vec<HandleField>,
    layout: TypeLayout,
}

impl Modelled {
    fn new(fields: Vec<HandleField>) -> Modelled {
        let layout = TypeLayout::new(fields.iter(), LISTED, true);
        Modelled { fields, layout }
    }

    fn costs(&self) -> FieldCosts {
        let handles = json!([{ "handle_type": "SHADERRESOURCEVIEW", "size_bytes": LISTED }]);
        let profile = json!({ "contexts": {
            "immediate_handle_bytes": 64, "handles": handles, "fields": self.fields,
        }});
        let world = World { adapters: vec![AdapterWorld { profile, ..AdapterWorld::default() }], ..World::default() };
        FieldCosts::new(&world, 64)
    }

    fn open(&self) -> Vec<HandleAccess> {
        let mut all = vec![access(HANDLE, 0, 8, true)];
        if self.layout.block_bytes > 0 {
            all.extend([access(DEVICE, 64, 8, false), access(DEVICE, 64, 8, true)]);
            all.push(access(HANDLE, self.layout.pointer_offset, 8, true));
        }
        for place in self.layout.fields.iter().filter(|place| place.placement != FieldPlacement::Shared) {
            if !place.is_mutable {
                all.push(access(OBJECT, place.immediate_offset, place.size_bytes, false));
            }
            let is_own = place.placement == FieldPlacement::PerContext;
            let (handle, area) = if is_own { (HANDLE, 0) } else { (DEVICE, SEPARATE_AREA) };
            all.push(access(handle, area + place.deferred_offset, place.size_bytes, true));
        }
        all
    }

    /// A call that accesses the fields of these indices.
    fn accesses_of(&self, used: &[usize]) -> Vec<HandleAccess> {
        let mut all = vec![access(DEVICE, 0, 16, false), access(HANDLE, 0, 8, false)];
        for place in used.iter().map(|field| &self.layout.fields[*field]) {
            let (size_bytes, is_write) = (place.size_bytes, place.is_mutable);
            match place.placement {
                FieldPlacement::Shared => all.push(access(OBJECT, place.immediate_offset, size_bytes, is_write)),
                FieldPlacement::PerContext => all.push(access(HANDLE, place.deferred_offset, size_bytes, is_write)),
                FieldPlacement::Separate => {
                    all.push(access(HANDLE, self.layout.pointer_offset, 8, false));
                    all.push(access(DEVICE, SEPARATE_AREA + place.deferred_offset, size_bytes, is_write));
                }
            }
        }
        all
    }

    /// Costs of an opened handle that calls use.
    fn run(&self, calls: &[Vec<usize>]) -> FieldCosts {
        let at = At { stamp: 0, thread: 0 };
        let (mut costs, mut live) = (self.costs(), LiveHandles::default());
        let handle_type = HandleType::SHADERRESOURCEVIEW;
        live.insert(DEVICE, LiveHandle::new(1, NO_TYPE, u64::MAX, at));
        live.insert(OBJECT, LiveHandle::new(0, handle_type, self.layout.immediate_bytes.max(64), at));
        let size_bytes = self.layout.deferred_bytes.max(LISTED);
        let mut handle = LiveHandle::new(1, handle_type, size_bytes, at);
        handle.ic = OBJECT;
        live.insert(HANDLE, handle);
        let context = ContextState::new(2, 0, DEVICE, false);
        costs.call(&context, HANDLE, &self.open(), &live);
        for used in calls {
            let used: Vec<usize> = used.iter().map(|field| field % self.fields.len()).collect();
            costs.call(&context, 0, &self.accesses_of(&used), &live);
        }
        costs
    }
}

proptest! {
    #[test]
    fn the_prediction_of_each_placement_is_what_a_driver_with_it_accesses(
        parts in prop::collection::vec((0_usize..3, any::<bool>(), 1_u64..90, 0_u64..40), 1..5),
        calls in prop::collection::vec(prop::collection::vec(0_usize..5, 0..4), 0..6),
    ) {
        let fields: Vec<HandleField> = parts
            .iter()
            .enumerate()
            .map(|(index, (placement, is_written, size_bytes, offset_bytes))| HandleField {
                handle_type: "SHADERRESOURCEVIEW".to_owned(),
                name: format!("field_{index}"),
                offset_bytes: *offset_bytes,
                size_bytes: *size_bytes,
                // A written field is shared by no sound driver.
                placement: FieldPlacement::ALL[if *is_written { *placement / 2 * 2 } else { *placement }],
                read_by: Vec::new(),
                written_by: if *is_written { vec!["SetShaderResources".to_owned()] } else { Vec::new() },
                every_n: 1,
            })
            .collect();
        let costs = Modelled::new(fields.clone()).run(&calls);
        let of_type = &costs.types[0];
        for (index, model) in of_type.fields.iter().enumerate() {
            for candidate in &model.candidates {
                let mut moved = fields.clone();
                (moved[index].placement, moved[index].offset_bytes) = (candidate.placement, 0);
                let moved_costs = Modelled::new(moved).run(&calls);
                let predicted = costs.line_touches as i64 + candidate.open_lines + candidate.use_lines;
                prop_assert_eq!(predicted, moved_costs.line_touches as i64);
                prop_assert_eq!(candidate.opened_bytes, moved_costs.types[0].opened_bytes);
            }
        }
        let used = |field: usize| calls.iter().flatten().filter(|one| *one % fields.len() == field).count() as u64;
        for (index, model) in of_type.fields.iter().enumerate() {
            prop_assert_eq!(model.reads + model.writes, used(index));
            let walks = if model.field.placement == FieldPlacement::PerContext { 0 } else { used(index) };
            prop_assert_eq!(model.walks, walks);
        }
    }
}
