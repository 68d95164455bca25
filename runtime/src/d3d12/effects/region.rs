//! Regions of resources in memory.

use super::{NO_BUFFER, NoEffect};
use crate::memory::effect::{Extent, Rows};
use crate::memory::space::AddressSpace;
use crate::placement::{Shape, Surface, surface};
use crate::state::{Object, Objects, ResourcePlacement, ResourceState};
use taut_schemas::{CopyBox, CpuAddress, Dimension, ResourceId};

/// Units of a resource that a command reads or writes, from a first one on.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    pub rows: Rows,
    /// Bytes of a unit.
    pub unit_bytes: u64,
    pub unit_texels: (u32, u32),
    /// Units of a row, rows, and slices.
    pub counts: [u64; 3],
    /// End of the resource's memory.
    pub end: u64,
    /// The region is a footprint in a buffer.
    pub is_footprint: bool,
}

/// The resource, if its memory is that of the simulation's address space: reserved resources have none, and memory that
/// adapters share has several addresses.
pub fn memory_of(objects: &dyn Objects, id: ResourceId) -> Result<&ResourceState, NoEffect> {
    let resource = objects.get(id.into()).and_then(Object::as_resource);
    let has_memory = |found: &&ResourceState| found.home != ResourcePlacement::Reserved && !found.is_shared;
    resource.filter(has_memory).ok_or(NoEffect::NotExecuted)
}

/// Address of the resource's first byte.
pub fn begin(resource: &ResourceState) -> u64 {
    AddressSpace::cpu_address(resource.address)
}

/// Bytes of a buffer; `None` if they are not all within it.
pub fn bytes_of(resource: &ResourceState, offset_bytes: u64, size_bytes: u64) -> Option<CpuAddress> {
    let is_in =
        resource.desc.dimension == Dimension::BUFFER && offset_bytes.checked_add(size_bytes)? <= resource.desc.width;
    is_in.then(|| CpuAddress(begin(resource) + offset_bytes))
}

/// Bytes of a buffer that a command names; `beyond` if they are not all within it.
pub fn buffer_bytes(
    resource: &ResourceState,
    offset_bytes: u64,
    size_bytes: u64,
    beyond: NoEffect,
) -> Result<CpuAddress, NoEffect> {
    if resource.desc.dimension != Dimension::BUFFER {
        return Err(NO_BUFFER);
    }
    bytes_of(resource, offset_bytes, size_bytes).ok_or(beyond)
}

/// A subresource that a command names; `beyond` if the texture does not have it.
pub fn subresource(resource: &ResourceState, subresource: u32, beyond: NoEffect) -> Result<Region, NoEffect> {
    if subresource >= resource.subresources {
        return Err(beyond);
    }
    region_of(resource, subresource).ok_or(NoEffect::NotExecuted)
}

/// A subresource of a texture.
pub fn region_of(resource: &ResourceState, subresource: u32) -> Option<Region> {
    let place: Surface = surface(&Shape::from(&resource.desc), subresource)?;
    let first = begin(resource);
    Some(Region {
        rows: Rows {
            address: CpuAddress(first.checked_add(place.offset_bytes)?),
            element_pitch_bytes: place.unit_pitch_bytes,
            row_pitch_bytes: place.row_pitch_bytes,
            slice_pitch_bytes: place.slice_pitch_bytes,
        },
        unit_bytes: place.unit_bytes,
        unit_texels: place.unit_texels,
        counts: [place.units, place.rows, place.slices],
        end: first.checked_add(resource.size_bytes)?,
        is_footprint: false,
    })
}

impl Region {
    /// Units from these texels on; `None` beyond the last.
    pub fn from(self, x: u32, y: u32, z: u32) -> Option<Region> {
        let first = [u64::from(x / self.unit_texels.0), u64::from(y / self.unit_texels.1), z.into()];
        let [units, rows, slices] = self.counts;
        let counts = [units.checked_sub(first[0])?, rows.checked_sub(first[1])?, slices.checked_sub(first[2])?];
        Some(Region { rows: self.rows.from(first[0], first[1], first[2])?, counts, ..self })
    }

    /// Units of a box of texels; `None` unless the region contains it.
    pub fn within(self, copied: &CopyBox) -> Option<Region> {
        let CopyBox { left, top, front, right, bottom, back } = *copied;
        let extents = [right.checked_sub(left)?, bottom.checked_sub(top)?, back.checked_sub(front)?];
        let counts = [
            extents[0].div_ceil(self.unit_texels.0).into(),
            extents[1].div_ceil(self.unit_texels.1).into(),
            extents[2].into(),
        ];
        let rest = self.from(left, top, front)?;
        let is_in = counts.iter().zip(rest.counts).all(|(count, rest)| *count <= rest);
        is_in.then_some(Region { counts, ..rest })
    }

    /// The extent of the units; `None` if they are not all within the resource.
    pub fn extent(&self) -> Option<Extent> {
        let [elements, rows, slices] = self.counts;
        let extent = Extent { element_bytes: self.unit_bytes, elements, rows, slices };
        (self.rows.end(&extent)? <= self.end).then_some(extent)
    }

    /// The region with each sample as a unit.
    pub fn by_samples(self, samples: u64) -> Region {
        let [units, rows, slices] = self.counts;
        let element_pitch_bytes = self.rows.element_pitch_bytes / samples;
        Region {
            rows: Rows { element_pitch_bytes, ..self.rows },
            counts: [units.saturating_mul(samples), rows, slices],
            ..self
        }
    }
}

/// Units of a box of a subresource, for a copy by the processor; `None` if they are not all within the resource.
pub fn region_for_copy(resource: &ResourceState, subresource: u32, copied: Option<&CopyBox>) -> Option<(Rows, Extent)> {
    let region = match region_of(resource, subresource) {
        Some(region) => region,
        None => Region {
            rows: Rows::of_bytes(bytes_of(resource, 0, resource.desc.width)?),
            unit_bytes: 1,
            unit_texels: (1, 1),
            counts: [resource.desc.width, 1, 1],
            end: begin(resource).checked_add(resource.desc.width)?,
            is_footprint: false,
        },
    };
    let region = match copied {
        Some(copied) => region.within(copied)?,
        None => region,
    };
    Some((region.rows, region.extent()?))
}
