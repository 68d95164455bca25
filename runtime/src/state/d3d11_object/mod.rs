//! State of Direct3D 11 objects, each under its own lock.

mod saved;

use super::deferred_command::DeferredCommand;
use super::ic_handle::IcHandle;
use super::state_desc::StateDesc;
use super::work::ListWork;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{
    AvailableExtensions, CreateDeviceFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11QueryId, D3d11ResourceId,
    D3d11ResourceLayout, Dimension, HandleType, ObjectId, QueryDesc, RecordedCommands, ShaderDesc,
};

/// A Direct3D 11 object.
#[derive(Debug, Clone)]
pub(crate) struct D3d11Object {
    /// The device that the object belongs to; a device belongs to itself.
    pub device: D3d11DeviceId,
    /// Public reference count.
    pub count: u32,
    /// Number of internal holders: contexts, command lists, views. The object lives while this or `count` is not 0.
    pub pins: u32,
    /// True once the device is removed: a context that opens the object loses its device as well.
    pub is_lost: bool,
    pub kind: D3d11Kind,
    /// Immediate-context handle, of a driver with handles per context.
    pub handle: Option<Arc<IcHandle>>,
}

impl D3d11Object {
    /// The reference count that the application gets: a device's includes the references to its contexts.
    pub fn reported_count(&self) -> u32 {
        match &self.kind {
            D3d11Kind::Device(device) => self.count + device.contexts + u32::from(device.immediate_counts),
            _ => self.count,
        }
    }

    /// Creates an object with one reference, its creator's.
    pub fn new(device: D3d11DeviceId, kind: D3d11Kind) -> D3d11Object {
        D3d11Object { device, count: 1, pins: 0, is_lost: false, kind, handle: None }
    }
}

/// Kind of a Direct3D 11 object, with the state of that kind.
#[derive(Debug, Clone)]
pub(crate) enum D3d11Kind {
    Device(D3d11Device),
    /// The context's state is under the context's own lock.
    Context,
    Resource(D3d11Resource),
    View(D3d11View),
    State(Arc<StateDesc>),
    Shader(Arc<ShaderDesc>),
    InputLayout,
    Query(QueryDesc),
    CommandList(D3d11CommandList),
    /// The bindings are in the context's state.
    ContextState,
}

impl D3d11Kind {
    /// The type of the object's handles; `None` for kinds without handles.
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

/// A view of a resource, which the view pins.
#[derive(Debug, Clone)]
pub(crate) struct D3d11View {
    /// Handle type, which is the kind of view.
    pub handle_type: HandleType,
    /// The mip level of the view, or its first.
    pub mip: u32,
    pub resource: D3d11ResourceId,
    /// Copy of the resource's immutable part.
    pub resource_object: Arc<D3d11Object>,
}

/// A command list.
#[derive(Debug, Clone)]
pub(crate) struct D3d11CommandList {
    /// Number and hash of the recorded commands, as the driver reported them.
    #[allow(dead_code)]
    pub commands: RecordedCommands,
    /// The dynamic resources that the list maps.
    pub maps: BTreeSet<D3d11ResourceId>,
    /// The deferred commands, if the driver builds no command lists.
    pub recording: Option<Arc<Recording>>,
    /// GPU work of the list's execution.
    pub work: ListWork,
    /// The queries that the list begins or ends.
    pub queries: BTreeSet<D3d11QueryId>,
}

/// A finished recording, with copies of the immutable parts of its objects.
#[derive(Debug)]
pub(crate) struct Recording {
    pub deferred_commands: Vec<DeferredCommand>,
    pub objects: BTreeMap<ObjectId, D3d11Object>,
}

impl Drop for Recording {
    /// Frees nested recordings without recursion, since lists nest to any depth.
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        let take_nested = |recording: &mut Recording, waiting: &mut Vec<Arc<Recording>>| {
            for object in recording.objects.values_mut() {
                if let D3d11Kind::CommandList(list) = &mut object.kind {
                    waiting.extend(list.recording.take());
                }
            }
        };
        take_nested(self, &mut waiting);
        while let Some(mut nested) = waiting.pop() {
            // Only the last holder of the `Arc` takes it apart.
            if let Some(nested) = Arc::get_mut(&mut nested) {
                take_nested(nested, &mut waiting);
            }
        }
    }
}

/// A device, and the state of its instant-access extension.
#[derive(Debug, Clone, Default)]
pub(crate) struct D3d11Device {
    pub flags: CreateDeviceFlags,
    /// Result of Init; `None` before it.
    pub extensions: Option<AvailableExtensions>,
    /// True if SetDirectAccessResourceExtension marked the next texture.
    pub marked: bool,
    /// Deferred contexts with references of the application; each counts as a reference to the device.
    pub contexts: u32,
    /// True if the immediate context counts as a reference to the device: once the application has a reference to it.
    pub immediate_counts: bool,
}

/// A buffer or texture.
#[derive(Debug, Clone)]
pub(crate) struct D3d11Resource {
    pub desc: D3d11DdiResourceDesc,
    /// True if created for direct access.
    pub direct_access: bool,
    /// Start address of the resource's own memory; 0 if it has none.
    pub address: u64,
    /// The driver's layout.
    pub layout: D3d11ResourceLayout,
    /// The resource whose memory this one uses: itself, or the texture that a direct-access staging texture is bound
    /// to; null before.
    pub memory: D3d11ResourceId,
    /// Open maps, counted only if the device uses an extension.
    pub maps: u32,
}

impl D3d11Resource {
    /// Number of subresources.
    pub fn subresources(&self) -> u32 {
        // `array_size` of a 3D texture is its depth, which is not a number of subresources.
        let layers = if self.desc.dimension == Dimension::TEXTURE3D { 1 } else { self.desc.array_size };
        self.desc.mip_levels.saturating_mul(layers)
    }
}

/// A resource's memory. It outlives the resource's last reference while a staging texture is bound to it.
#[derive(Debug)]
pub(crate) struct D3d11Memory {
    pub address: u64,
    pub layout: D3d11ResourceLayout,
    /// Number of users: the resource itself, and the staging textures bound to it.
    pub users: u32,
    /// Open maps, counted only if the device uses an extension.
    pub maps: u32,
}
