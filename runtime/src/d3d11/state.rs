//! What Direct3D 11 objects remember.

use taut_schemas::{AvailableExtensions, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, D3d11ResourceLayout};

/// A device, its immediate context and the extension on it.
#[derive(Debug, Clone, Default)]
pub(crate) struct D3d11Device {
    /// What Init found; none before it.
    pub extensions: Option<AvailableExtensions>,
    /// SetDirectAccessResourceExtension waits for its creation.
    pub marked: bool,
    /// Writes of the graphics processor submitted so far.
    pub submitted: u64,
    /// How many of them are done.
    pub completed: u64,
}

/// A buffer or texture.
#[derive(Debug, Clone)]
pub(crate) struct D3d11Resource {
    pub device: D3d11DeviceId,
    pub desc: D3d11DdiResourceDesc,
    /// It was created for direct access.
    pub direct_access: bool,
    /// The resource whose memory it uses: itself; of a direct-access staging texture the one it is bound to, null before.
    pub memory: D3d11ResourceId,
    /// Subresources that are mapped.
    pub mapped: Vec<u32>,
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
    /// The write of the device's that wrote it last, by number.
    pub written_by: u64,
    /// The resource itself, and the staging textures bound to it.
    pub users: u32,
    /// Open maps.
    pub maps: u32,
}
