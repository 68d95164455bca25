//! What Direct3D 11 objects remember, each under its own lock.

mod saved;

use super::ic_handle::IcHandle;
use super::state_desc::StateDesc;
use super::token::Recording;
use super::work::ListWork;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::{
    AvailableExtensions, CreateDeviceFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11QueryId, D3d11ResourceId,
    D3d11ResourceLayout, Dimension, HandleType, QueryDesc, RecordedCommands, ShaderDesc,
};

/// An object of Direct3D 11: what each has, and what it is.
#[derive(Debug, Clone)]
pub(crate) struct D3d11Object {
    /// The device it belongs to; a device belongs to itself.
    pub device: D3d11DeviceId,
    /// The public reference count.
    pub count: u32,
    /// What holds it besides: contexts, command lists, what was made of it. It is there as long as this or the count is not 0.
    pub pins: u32,
    /// The device was removed: who opens the object notices.
    pub is_lost: bool,
    pub kind: D3d11Kind,
    /// Its handle of the immediate context, of a driver with handles per context.
    pub handle: Option<Arc<IcHandle>>,
}

impl D3d11Object {
    /// The public count as an application is told it.
    pub fn told_count(&self) -> u32 {
        match &self.kind {
            D3d11Kind::Device(device) => self.count + device.contexts + u32::from(device.immediate_counts),
            _ => self.count,
        }
    }

    /// A new object, which its creator alone refers to.
    pub fn new(device: D3d11DeviceId, kind: D3d11Kind) -> D3d11Object {
        D3d11Object { device, count: 1, pins: 0, is_lost: false, kind, handle: None }
    }
}

/// What an object of Direct3D 11 is.
#[derive(Debug, Clone)]
pub(crate) enum D3d11Kind {
    Device(D3d11Device),
    /// What it remembers stands under its own lock.
    Context,
    Resource(D3d11Resource),
    View(D3d11View),
    State(Arc<StateDesc>),
    Shader(Arc<ShaderDesc>),
    InputLayout,
    Query(QueryDesc),
    CommandList(D3d11CommandList),
    /// What it keeps stands with the context.
    ContextState,
}

impl D3d11Kind {
    /// The type of its handles; none of what has none of its own.
    pub fn handle_type(&self) -> Option<HandleType> {
        match self {
            D3d11Kind::Device(_) | D3d11Kind::Context | D3d11Kind::ContextState => None,
            D3d11Kind::Resource(_) => Some(HandleType::RESOURCE),
            D3d11Kind::View(view) => Some(view.handle_type),
            D3d11Kind::State(desc) => Some(desc.handle_type()),
            D3d11Kind::Shader(_) => Some(HandleType::SHADER),
            D3d11Kind::InputLayout => Some(HandleType::ELEMENTLAYOUT),
            D3d11Kind::Query(_) => Some(HandleType::QUERY),
            D3d11Kind::CommandList(_) => Some(HandleType::COMMANDLIST),
        }
    }
}

/// A view of a resource, which it holds.
#[derive(Debug, Clone)]
pub(crate) struct D3d11View {
    /// Which of the four kinds it is.
    pub handle_type: HandleType,
    /// The mip level that it is of, or its first.
    pub mip: u32,
    pub resource: D3d11ResourceId,
    /// What the resource is, as far as it does not change.
    pub resource_object: Arc<D3d11Object>,
}

/// A command list.
#[derive(Debug, Clone)]
pub(crate) struct D3d11CommandList {
    /// What the driver says it is made of.
    #[allow(dead_code)]
    pub commands: RecordedCommands,
    /// The dynamic resources that it maps.
    pub maps: BTreeSet<D3d11ResourceId>,
    /// What was recorded, where the driver builds no command lists.
    pub recording: Option<Arc<Recording>>,
    /// What the graphics processor does when it is executed.
    pub work: ListWork,
    /// The queries that it begins or ends.
    pub queries: BTreeSet<D3d11QueryId>,
}

/// A device, and the extension on it.
#[derive(Debug, Clone, Default)]
pub(crate) struct D3d11Device {
    /// With which it was created.
    pub flags: CreateDeviceFlags,
    /// What Init found; none before it.
    pub extensions: Option<AvailableExtensions>,
    /// SetDirectAccessResourceExtension waits for its creation.
    pub marked: bool,
    /// Deferred contexts with references of the application's, each of which counts as one of the device.
    pub contexts: u32,
    /// The same of the immediate context, once it was asked for.
    pub immediate_counts: bool,
}

/// A buffer or texture.
#[derive(Debug, Clone)]
pub(crate) struct D3d11Resource {
    pub desc: D3d11DdiResourceDesc,
    /// It was created for direct access.
    pub direct_access: bool,
    /// Where its own memory begins; 0 if it has none.
    pub address: u64,
    /// What the driver made of it.
    pub layout: D3d11ResourceLayout,
    /// The resource whose memory it uses: itself; of a direct-access staging texture the one it is bound to, null before.
    pub memory: D3d11ResourceId,
    /// Subresources that are mapped, as far as an extension has to know.
    pub maps: u32,
}

impl D3d11Resource {
    /// Subresources.
    pub fn subresources(&self) -> u32 {
        // The depth of a 3D texture stands where others have their layers.
        let layers = if self.desc.dimension == Dimension::TEXTURE3D { 1 } else { self.desc.array_size };
        self.desc.mip_levels.saturating_mul(layers)
    }
}

/// A resource's memory. It outlives the resource's final release while a staging texture is bound to it.
#[derive(Debug)]
pub(crate) struct D3d11Memory {
    pub address: u64,
    pub layout: D3d11ResourceLayout,
    /// The resource itself, and the staging textures bound to it.
    pub users: u32,
    /// Open maps, as far as an extension has to know.
    pub maps: u32,
}
