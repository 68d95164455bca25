//! Accesses of the driver model to the fields of its data per object, as the profile describes them.

use super::contexts_model::{COMMANDS, Memory, at, report};
use super::model::Model;
use super::profile::Profile;
use taut_schemas::{
    Call, CreateHandle, DriverHandle, FieldPlacement, FieldPlaces, HResultCode, HandleType, SEPARATE_AREA,
    SEPARATE_AREA_BYTES, TypeLayout, d3d11_context_ddi as ddi,
};

/// Offset in a deferred context's memory of the used bytes of the area of separate fields.
const USED_AREA: u64 = 64;

/// Call that names handles of one type: its id, its name and the type.
type FieldCall = (u16, &'static str, HandleType);

macro_rules! field_calls {
    ($( $TYPE:ident: $($Name:ident)* ;)*) => {
        &[ $($( (ddi::$Name::ID, ddi::$Name::NAME, HandleType::$TYPE), )*)* ]
    };
}

/// Calls that can access fields of an object: they name its handle. SetRenderTargets accesses those of its first list.
const FIELD_CALLS: &[FieldCall] = field_calls! {
    RESOURCE: ResourceCopy DynamicResourceMap SetConstantBuffers IaSetVertexBuffers IaSetIndexBuffer
        ResourceUpdateSubresource;
    SHADERRESOURCEVIEW: SetShaderResources;
    RENDERTARGETVIEW: SetRenderTargets ClearRenderTargetView;
    DEPTHSTENCILVIEW: ClearDepthStencilView;
    UNORDEREDACCESSVIEW: CsSetUnorderedAccessViews ClearUnorderedAccessViewUint;
    SHADER: SetShader;
    ELEMENTLAYOUT: IaSetInputLayout;
    BLENDSTATE: SetBlendState;
    DEPTHSTENCILSTATE: SetDepthStencilState;
    RASTERIZERSTATE: SetRasterizerState;
    SAMPLERSTATE: SetSamplers;
    QUERY: SetPredication QueryBegin QueryEnd;
};

/// Returns the names of the calls that can access fields of a type.
pub(crate) fn calls_of(handle_type: HandleType) -> impl Iterator<Item = &'static str> {
    FIELD_CALLS.iter().filter(move |call| call.2 == handle_type).map(|call| call.1)
}

/// Call on a context that names handles.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldUse {
    /// Memory of the context.
    pub device: DriverHandle,
    /// Id of the call.
    pub line: u16,
}

/// A field as the model accesses it.
#[derive(Debug)]
struct ModelField {
    place: FieldPlaces,
    /// Ids of the calls that read and write the field.
    read_by: Vec<u16>,
    written_by: Vec<u16>,
    every_n: u64,
}

/// Fields of one type.
#[derive(Debug)]
struct TypeFields {
    handle_type: HandleType,
    layout: TypeLayout,
    fields: Vec<ModelField>,
}

/// Fields of all types.
#[derive(Debug, Default)]
pub(crate) struct FieldTable {
    types: Vec<TypeFields>,
    has_area: bool,
}

impl FieldTable {
    pub fn new(profile: &Profile) -> FieldTable {
        let Some(contexts) = profile.contexts.as_ref().filter(|contexts| !contexts.fields.is_empty()) else {
            return FieldTable::default();
        };
        let ids = |names: &[String]| -> Vec<u16> {
            FIELD_CALLS.iter().filter(|call| names.iter().any(|name| name == call.1)).map(|call| call.0).collect()
        };
        let of_type = |(value, _): &(u32, &str)| {
            let handle_type = HandleType(*value);
            let layout = contexts.layout(handle_type);
            let fields = contexts.fields_of(handle_type).zip(&layout.fields).map(|(field, place)| ModelField {
                place: *place,
                read_by: ids(&field.read_by),
                written_by: ids(&field.written_by),
                every_n: field.every_n.max(1),
            });
            TypeFields { handle_type, fields: fields.collect(), layout }
        };
        let types: Vec<TypeFields> = HandleType::NAMES.iter().map(of_type).filter(|of| !of.fields.is_empty()).collect();
        FieldTable { has_area: types.iter().any(|of| of.layout.block_bytes > 0), types }
    }

    fn of(&self, handle_type: HandleType) -> Option<&TypeFields> {
        self.types.iter().find(|of| of.handle_type == handle_type)
    }
}

fn read(memory: Memory<'_>, address: u64, size_bytes: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(size_bytes).unwrap_or_default()];
    memory.read(address, &mut bytes);
    bytes
}

impl Model {
    /// Accesses the fields of the objects that a command names. `objects` are their handles of the immediate context.
    pub(super) fn access_fields(
        &self,
        memory: Memory<'_>,
        field_use: FieldUse,
        handles: &[DriverHandle],
        objects: &[u64],
    ) {
        let FieldUse { device, line } = field_use;
        let handle_type = FIELD_CALLS.iter().find(|call| call.0 == line).map(|call| call.2);
        let Some(of_type) = handle_type.and_then(|handle_type| self.fields.of(handle_type)) else { return };
        let is_used = |field: &&ModelField| field.read_by.contains(&line) || field.written_by.contains(&line);
        let mut used: Vec<&ModelField> = of_type.fields.iter().filter(is_used).collect();
        if used.iter().any(|field| field.every_n > 1) {
            let commands = memory.read_u64(at(device, COMMANDS));
            used.retain(|field| commands.is_multiple_of(field.every_n));
        }
        let is_separate = |field: &&ModelField| field.place.placement == FieldPlacement::Separate;
        for (handle, object) in handles.iter().zip(objects).filter(|(handle, _)| handle.0 != 0) {
            let is_immediate = handle.0 == *object;
            let has_block = !is_immediate && used.iter().any(is_separate);
            let block = if has_block { memory.read_u64(at(*handle, of_type.layout.pointer_offset)) } else { 0 };
            for field in &used {
                let address = match field.place.placement {
                    _ if is_immediate => object.wrapping_add(field.place.immediate_offset),
                    FieldPlacement::Shared => object.wrapping_add(field.place.immediate_offset),
                    FieldPlacement::PerContext => at(*handle, field.place.deferred_offset),
                    FieldPlacement::Separate => block.wrapping_add(field.place.deferred_offset),
                };
                if field.read_by.contains(&line) {
                    read(memory, address, field.place.size_bytes);
                }
                if field.written_by.contains(&line) {
                    memory.write(address, &vec![0; usize::try_from(field.place.size_bytes).unwrap_or_default()]);
                }
            }
        }
    }

    /// Writes the fields of a new handle: all in the immediate context, there are the originals; in a deferred one those
    /// that it has, a read-only one as a copy of the original. Returns false and reports an error if the area of separate
    /// fields is full.
    pub(super) fn create_fields(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        handle_type: HandleType,
        handle: &CreateHandle,
    ) -> bool {
        let Some(TypeFields { layout, .. }) = self.fields.of(handle_type) else { return true };
        if handle.ic_handle.0 == 0 {
            for place in &layout.fields {
                let bytes = vec![0; usize::try_from(place.size_bytes).unwrap_or_default()];
                memory.write(at(handle.driver_handle, place.immediate_offset), &bytes);
            }
            return true;
        }
        let mut block = 0;
        if layout.block_bytes > 0 {
            let used = memory.read_u64(at(device, USED_AREA));
            if used + layout.block_bytes > SEPARATE_AREA_BYTES {
                report(memory, device, HResultCode::E_OUTOFMEMORY);
                return false;
            }
            memory.write_u64(at(device, USED_AREA), used + layout.block_bytes);
            block = at(device, SEPARATE_AREA + used);
            memory.write_u64(at(handle.driver_handle, layout.pointer_offset), block);
        }
        for place in &layout.fields {
            let address = match place.placement {
                FieldPlacement::Shared => continue,
                FieldPlacement::PerContext => at(handle.driver_handle, place.deferred_offset),
                FieldPlacement::Separate => block.wrapping_add(place.deferred_offset),
            };
            let bytes = match place.is_mutable {
                true => vec![0; usize::try_from(place.size_bytes).unwrap_or_default()],
                false => read(memory, at(handle.ic_handle, place.immediate_offset), place.size_bytes),
            };
            memory.write(address, &bytes);
        }
        true
    }

    /// Releases the blocks of separate fields of a context that is created or recycled.
    pub(super) fn release_blocks(&self, memory: Memory<'_>, device: DriverHandle) {
        if self.fields.has_area {
            memory.write_u64(at(device, USED_AREA), 0);
        }
    }
}
