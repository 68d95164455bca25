//! Mapped surfaces of a trace with the accesses of each Map/Unmap pair.

use super::event::{Fenced, MapData, Read, Texture, TextureEvent, Unmapped, Written};
use crate::events::{At, Tracker};
use std::collections::HashMap;
use taut_schemas::{D3d11ResourceId, StoreRun};
use taut_tiling::{Layout, Surface};

/// An access to mapped memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Access {
    Write(Vec<StoreRun>),
    Read(Vec<StoreRun>),
    Fence,
}

/// A tiled texture that was mapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MappedSurface {
    pub resource: D3d11ResourceId,
    /// The texture that shares its memory, as bound by CopyResource.
    pub texture: Option<D3d11ResourceId>,
    /// Timestamp of the first Map.
    pub at_stamp: u64,
    pub layout: Layout,
    pub data: MapData,
    /// Size in texels and format; `None` if the texture's creation is not in the trace.
    pub desc: Option<Texture>,
    /// Accesses of each Map/Unmap pair.
    pub maps: Vec<Vec<Access>>,
}

impl MappedSurface {
    /// The mapped memory as a surface of the given layout; `None` if its dimensions do not fit.
    pub fn surface(&self, layout: Layout) -> Option<Surface> {
        let pitch_bytes = u64::from(self.data.pitch_bytes);
        Surface::new(layout, pitch_bytes, self.data.size_bytes.checked_div(pitch_bytes)?).ok()
    }

    /// Width in bytes and height in rows of the texture, without padding if that is known.
    pub fn extent(&self) -> (u64, u64) {
        let rows = self.data.size_bytes.checked_div(self.data.pitch_bytes.into()).unwrap_or_default();
        let whole = (
            self.data.pitch_bytes.saturating_sub(self.data.x_offset_bytes).into(),
            rows.saturating_sub(self.data.y_offset_rows.into()),
        );
        let extent = self.desc.and_then(extent_bytes);
        extent.map_or(whole, |(width, rows)| (width.min(whole.0), rows.min(whole.1)))
    }
}

/// Width in bytes and height in rows of blocks; `None` for an unknown format.
fn extent_bytes(desc: Texture) -> Option<(u64, u64)> {
    let info = desc.format.info()?;
    let (unit_width, unit_height) = info.unit_texels;
    let units = u64::from(desc.width.div_ceil(unit_width));
    Some((units * u64::from(info.unit_bits / 8), u64::from(desc.height.div_ceil(unit_height))))
}

/// The mapped surfaces of a trace.
#[derive(Debug, Default)]
pub(super) struct MappedSurfaces {
    /// The tiled ones, in order of their first Map.
    pub surfaces: Vec<MappedSurface>,
    /// Number of Map calls for memory that is not tiled.
    pub linear_maps: u64,
}

/// The tracker of mapped textures.
#[derive(Default)]
pub(super) struct SurfaceTracker {
    textures: HashMap<D3d11ResourceId, Texture>,
    bound: HashMap<D3d11ResourceId, D3d11ResourceId>,
    /// Index in `mapped.surfaces` by resource, bound texture and result of Map.
    places: HashMap<(D3d11ResourceId, Option<D3d11ResourceId>, MapData), usize>,
    /// Index of the currently mapped surface by resource.
    open: HashMap<D3d11ResourceId, usize>,
    mapped: MappedSurfaces,
}

impl Tracker for SurfaceTracker {
    type Event<'e> = TextureEvent;
    type Output = MappedSurfaces;

    fn on_event(&mut self, at: At, event: TextureEvent) {
        match event {
            TextureEvent::Created { resource, texture } => drop(self.textures.insert(resource, texture)),
            TextureEvent::Bound { resource, texture } => drop(self.bound.insert(resource, texture)),
            TextureEvent::Mapped { resource, data } => self.map(at.stamp, resource, data),
            TextureEvent::Unmapped(Unmapped { resource }) => drop(self.open.remove(&resource)),
            TextureEvent::Written(Written { resource, runs }) => self.access(resource, Access::Write(runs)),
            TextureEvent::Read(Read { resource, runs }) => self.access(resource, Access::Read(runs)),
            TextureEvent::Fenced(Fenced { resource }) => self.access(resource, Access::Fence),
        }
    }

    fn finish(self) -> MappedSurfaces {
        self.mapped
    }
}

impl SurfaceTracker {
    fn map(&mut self, stamp: u64, resource: D3d11ResourceId, data: MapData) {
        let layout = data.tile_format.layout_name().and_then(|name| name.parse().ok());
        let Some(layout) = layout else {
            self.mapped.linear_maps += 1;
            return;
        };
        let texture = self.bound.get(&resource).copied();
        // Repeated maps with the same result belong to one surface.
        let place = *self.places.entry((resource, texture, data)).or_insert_with(|| {
            let desc = self.textures.get(&resource).copied();
            let maps = Vec::new();
            self.mapped.surfaces.push(MappedSurface { resource, texture, at_stamp: stamp, layout, data, desc, maps });
            self.mapped.surfaces.len() - 1
        });
        self.mapped.surfaces[place].maps.push(Vec::new());
        self.open.insert(resource, place);
    }

    fn access(&mut self, resource: D3d11ResourceId, access: Access) {
        // Without an open tiled map, the memory is linear or the record of Map is missing.
        let Some(place) = self.open.get(&resource) else { return };
        if let Some(map) = self.mapped.surfaces[*place].maps.last_mut() {
            map.push(access);
        }
    }
}
