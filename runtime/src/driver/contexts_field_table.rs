//! Fields of the driver's data per object, by type, with the calls that access them.

use super::profile::Profile;
use taut_schemas::{Call, DriverHandle, FieldPlaces, HandleType, TypeLayout, d3d11_context_ddi as ddi};

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
pub(super) struct ModelField {
    pub place: FieldPlaces,
    /// Ids of the calls that read and write the field.
    pub read_by: Vec<u16>,
    pub written_by: Vec<u16>,
    pub every_n: u64,
}

/// Fields of one type.
#[derive(Debug)]
pub(super) struct TypeFields {
    handle_type: HandleType,
    pub layout: TypeLayout,
    pub fields: Vec<ModelField>,
}

/// Fields of all types.
#[derive(Debug, Default)]
pub(crate) struct FieldTable {
    types: Vec<TypeFields>,
    pub(super) has_area: bool,
}

impl FieldTable {
    /// Returns the type whose handles a call names.
    pub(super) fn of_call(&self, line: u16) -> Option<&TypeFields> {
        let handle_type = FIELD_CALLS.iter().find(|call| call.0 == line).map(|call| call.2)?;
        self.of(handle_type)
    }

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

    pub(super) fn of(&self, handle_type: HandleType) -> Option<&TypeFields> {
        self.types.iter().find(|of| of.handle_type == handle_type)
    }
}
