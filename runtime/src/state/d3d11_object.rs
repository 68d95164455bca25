//! What Direct3D 11 objects remember, each under its own lock.

use super::ic_handle::IcHandle;
use super::token::Recording;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut_schemas::{
    AvailableExtensions, CreateDeviceFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, D3d11ResourceLayout,
    RecordedCommands,
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
    BlendState(()),
    CommandList(D3d11CommandList),
}

/// A view of a resource, which it holds.
#[derive(Debug, Clone)]
pub(crate) struct D3d11View {
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
        self.desc.mip_levels.saturating_mul(self.desc.array_size)
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
