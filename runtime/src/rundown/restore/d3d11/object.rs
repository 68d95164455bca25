//! Restoration of Direct3D 11 objects.

use super::super::{Restored, Restoring};
use crate::records::{RestoreError, invalid_value};
use crate::state::{
    ContextWork, D3d11CommandList, D3d11Device, D3d11Kind, D3d11Resource, D3d11View, DeferredCommand, Recording,
    StateDesc,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::{D3d11ObjectState, D3d11StateId, Mark, state};

impl Restoring<'_> {
    fn state_object<M: Mark>(
        &mut self,
        id: D3d11StateId,
        object: D3d11ObjectState,
        desc: StateDesc,
    ) -> Result<(), RestoreError> {
        let key = (object.device.0, desc.clone());
        self.adapter_of::<M>(id)?.device.d3d11.states.insert(key, id);
        self.d3d11_object::<M>(id, object, D3d11Kind::State(Arc::new(desc)))
    }
}

impl Restored for state::D3d11Device {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let device = D3d11Device::restore(&self)?;
        restoring.d3d11_object::<Self>(self.device, self.object, D3d11Kind::Device(device))
    }
}

impl Restored for state::D3d11Context {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11_object::<Self>(self.context, self.object, D3d11Kind::Context)
    }
}

impl Restored for state::D3d11Resource {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let resource = D3d11Resource::restore(&self)?;
        restoring.d3d11_object::<Self>(self.resource, self.object, D3d11Kind::Resource(resource))
    }
}

impl Restored for state::D3d11View {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::D3d11View { view: id, object, handle_type, mip, resource } = self;
        let of = restoring.known::<Self>(resource.into())?;
        if !matches!(of.kind, D3d11Kind::Resource(_)) {
            return invalid_value::<_, Self>("a view of a resource", resource.0);
        }
        restoring.adapter_of::<Self>(id)?.device.d3d11.view_resources.insert(id.into(), resource.into());
        let view = D3d11View { handle_type, mip, resource, resource_object: Arc::new(of) };
        restoring.d3d11_object::<Self>(id, object, D3d11Kind::View(view))
    }
}

macro_rules! state_objects {
    ($($Name:ident $Kind:ident)*) => { $(
        impl Restored for state::$Name {
            fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
                restoring.state_object::<Self>(self.state, self.object, StateDesc::$Kind(self.desc))
            }
        }
    )* };
}

state_objects! {
    D3d11BlendState Blend
    D3d11DepthStencilState DepthStencil
    D3d11RasterizerState Rasterizer
    D3d11SamplerState Sampler
}

impl Restored for state::D3d11Shader {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11_object::<Self>(self.shader, self.object, D3d11Kind::Shader(Arc::new(self.desc)))
    }
}

impl Restored for state::D3d11InputLayout {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11_object::<Self>(self.input_layout, self.object, D3d11Kind::InputLayout)
    }
}

impl Restored for state::D3d11Query {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11_object::<Self>(self.query, self.object, D3d11Kind::Query(self.desc))
    }
}

impl Restored for state::D3d11ContextState {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        restoring.d3d11_object::<Self>(self.context_state, self.object, D3d11Kind::ContextState)
    }
}

impl Restored for state::RecordedCall {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let call = DeferredCommand::restore::<Self>(self.call)?;
        restoring.d3d11.of::<Self>(self.recording)?.0.push(call);
        Ok(())
    }
}

impl Restored for state::RecordedEffect {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let work = ContextWork::restore(self.work, |list| restoring.work_of(list))?;
        restoring.d3d11.of::<Self>(self.recording)?.1.push(work);
        Ok(())
    }
}

impl Restored for state::D3d11CommandList {
    fn restore(self, restoring: &mut Restoring<'_>) -> Result<(), RestoreError> {
        let state::D3d11CommandList { command_list: id, object, commands, maps, queries, is_stored, names } = self;
        let (deferred_commands, work) = restoring.d3d11.take::<Self>(id.into())?;
        if !is_stored && (!deferred_commands.is_empty() || !names.is_empty()) {
            return invalid_value::<_, Self>("a list without a recording", id.0);
        }
        let mut objects = BTreeMap::new();
        for name in names {
            objects.insert(name, restoring.known::<Self>(name)?);
        }
        let recording = is_stored.then(|| Arc::new(Recording { deferred_commands, objects }));
        let (maps, queries) = (maps.into_iter().collect(), queries.into_iter().collect());
        let list = D3d11CommandList { commands, maps, recording, work: work.into(), queries };
        restoring.d3d11_object::<Self>(id, object, D3d11Kind::CommandList(list))
    }
}
