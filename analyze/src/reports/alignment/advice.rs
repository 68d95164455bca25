//! Advice on a resource for which alignment wastes memory, in one sentence.

use super::advised::{Advised, AdvisedKind};
use crate::memory::{Backing, Resource, ResourceIndex, World};
use crate::render::{binary_bytes, binary_bytes_signed};
use taut_schemas::{ResourceFlags, ResourceSizes};

/// Returns the advice for one resource of a world. `padding_bytes` is the padding before it.
pub fn advice_on(world: &World, index: ResourceIndex, padding_bytes: u64, sizes: Option<&dyn ResourceSizes>) -> String {
    let resource = world.resource(index);
    let advised = sizes.and_then(|sizes| Advised::of(resource, 1, resource.in_use_bytes().into(), sizes));
    // If the padding is larger than the saving, another placement order is the better advice.
    let advised = advised.filter(|advised| advised.saving_bytes >= padding_bytes);
    advice(resource, padding_bytes, advised.as_ref(), sizes.is_some())
}

/// Returns the advice for the largest part of the waste. `advised` is a description with a smaller size; `has_sizes` is
/// true if the driver model was queried, so that without `advised` no such description exists. No sentence contains a
/// saving that was not computed.
pub(super) fn advice(resource: &Resource, padding_bytes: u64, advised: Option<&Advised>, has_sizes: bool) -> String {
    if let Some(advised) = advised {
        return described(resource, advised);
    }
    let (rounding, granularity) = (resource.rounding_bytes(), resource.granularity_bytes());
    let padding = i128::from(padding_bytes);
    let saving_bytes = resource.guaranteed_saving_bytes();
    // Without a driver model this is advised only if the guaranteed saving covers at least half of the waste.
    if !has_sizes && saving_bytes > 0 && i128::from(saving_bytes) * 2 >= rounding + granularity + padding {
        return format!(
            "Create the resource with USE_TIGHT_ALIGNMENT if the device supports tight alignment tier 1: saves at least {}.",
            binary_bytes(saving_bytes),
        );
    }
    if padding > rounding && padding >= granularity {
        return format!(
            "Place the resources of the heap in order of decreasing alignment: {} before the resource is padding.",
            binary_bytes(padding_bytes)
        );
    }
    if granularity >= rounding {
        return committed(resource);
    }
    if resource.is_buffer() {
        return buffer(resource, rounding);
    }
    texture(resource, rounding, has_sizes)
}

/// Describes the changes of the resource description and the saving.
fn described(resource: &Resource, advised: &Advised) -> String {
    let mut changes = Vec::new();
    if advised.kind == AdvisedKind::Placed && matches!(resource.backing, Backing::Committed { .. }) {
        changes.push("placed in a shared heap".to_owned());
    }
    if advised.adds_tight(resource) {
        changes.push("with USE_TIGHT_ALIGNMENT".to_owned());
    }
    if advised.alignment != resource.desc.alignment_bytes {
        changes.push(match advised.alignment {
            0 => "with Alignment 0".to_owned(),
            bytes => format!("with an Alignment of {}", binary_bytes(bytes)),
        });
    }
    format!(
        "Create the resource {}: {} instead of {}, saves {}.",
        crate::reports::verdict::listed(&changes),
        binary_bytes(advised.size_bytes),
        binary_bytes(resource.in_use_bytes()),
        binary_bytes(advised.saving_bytes),
    )
}

fn committed(resource: &Resource) -> String {
    format!(
        "Place the resource in a shared heap: the pages of 4 KiB of its implicit heap add {}.",
        binary_bytes_signed(i64::try_from(resource.granularity_bytes()).unwrap_or(i64::MAX)),
    )
}

fn buffer(resource: &Resource, rounding: i128) -> String {
    let alignment = alignment_bytes(resource);
    if resource.desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        return "Set ALLOW_CROSS_ADAPTER only if another adapter reads the buffer: cross-adapter buffers are aligned to \
                64 KiB."
            .to_owned();
    }
    format!(
        "Join several buffers into one and use offsets: each buffer is rounded up to a multiple of {}, this one by {}.",
        binary_bytes(alignment),
        binary_bytes_signed(i64::try_from(rounding).unwrap_or(i64::MAX)),
    )
}

fn texture(resource: &Resource, rounding: i128, has_sizes: bool) -> String {
    let rounding = binary_bytes_signed(i64::try_from(rounding).unwrap_or(i64::MAX));
    let allocated_bytes = resource.allocation.map_or(0, |allocation| allocation.size_bytes);
    if resource.requested_bytes.saturating_mul(2) <= allocated_bytes {
        return format!(
            "Join textures of this format in an atlas or a texture array: the driver's tiles exceed the texture by \
             {rounding}."
        );
    }
    if !has_sizes && !resource.is_tight() && alignment_bytes(resource) > 4096 {
        return format!(
            "Try USE_TIGHT_ALIGNMENT: the driver may align the texture to less than {}.",
            binary_bytes(alignment_bytes(resource))
        );
    }
    format!(
        "The driver's layout of mips and slices adds {rounding}: choose extents that are multiples of the tile, or fewer \
         mips."
    )
}

fn alignment_bytes(resource: &Resource) -> u64 {
    resource.allocation.map_or(0, |allocation| allocation.alignment_bytes)
}

impl Resource {
    /// Short description: `buffer of 500 B`, `texture 64×64 R8G8B8A8_UNORM`.
    pub fn short_description(&self) -> String {
        let desc = &self.desc;
        if self.is_buffer() {
            return format!("buffer of {}", binary_bytes(desc.width));
        }
        let mut text = format!("texture {}×{}", desc.width, desc.height);
        if desc.depth_or_array_size > 1 {
            text += &format!("×{}", desc.depth_or_array_size);
        }
        text += &format!(" {:?}", desc.format);
        if desc.sample_count > 1 {
            text += &format!(", {} samples", desc.sample_count);
        }
        text
    }
}
