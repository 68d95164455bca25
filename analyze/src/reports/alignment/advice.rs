//! What to do about a resource for which alignment wastes memory, in one sentence.

use crate::render::{binary_bytes, binary_bytes_signed};
use crate::world::{Backing, Resource, round_up};
use taut_schemas::ResourceFlags;

/// Resources that ask for no more may be *small*, and so ask for a smaller alignment (checklist ).
const SMALL_TEXTURE_BYTES: u64 = 64 << 10;
const SMALL_MSAA_TEXTURE_BYTES: u64 = 4 << 20;

/// What wastes most decides.
pub(super) fn advice(resource: &Resource, padding_bytes: u64) -> String {
    let (rounding, granularity) = (resource.rounding_bytes(), resource.granularity_bytes());
    let padding = i128::from(padding_bytes);
    let saving_bytes = resource.guaranteed_saving_bytes();
    if saving_bytes > 0 && i128::from(saving_bytes) * 2 >= rounding + granularity + padding {
        return format!(
            "Create it with USE_TIGHT_ALIGNMENT where the device has tier 1: at least {} less.",
            binary_bytes(saving_bytes),
        );
    }
    if padding > rounding && padding >= granularity {
        return format!(
            "Place the resources of its heap in order of falling alignment: the {} before it are padding.",
            binary_bytes(padding_bytes)
        );
    }
    if granularity >= rounding {
        return committed(resource);
    }
    if resource.is_buffer() {
        return buffer(resource, rounding);
    }
    texture(resource, rounding)
}

fn committed(resource: &Resource) -> String {
    format!(
        "Place it in a heap with others: committed, it has an implicit heap of its own in pages of 4 KiB, {} more than \
         its size.",
        binary_bytes_signed(i64::try_from(resource.granularity_bytes()).unwrap_or(i64::MAX)),
    )
}

fn buffer(resource: &Resource, rounding: i128) -> String {
    let alignment = alignment_bytes(resource);
    if resource.desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        return "Make it cross-adapter only if another adapter reads it: such a buffer is aligned to 64 KiB."
            .to_owned();
    }
    format!(
        "Put several into one buffer and use offsets: each buffer of its own is rounded up to {}, here by {}.",
        binary_bytes(alignment),
        binary_bytes_signed(i64::try_from(rounding).unwrap_or(i64::MAX)),
    )
}

fn texture(resource: &Resource, rounding: i128) -> String {
    let desc = &resource.desc;
    let target = ResourceFlags(ResourceFlags::ALLOW_RENDER_TARGET.0 | ResourceFlags::ALLOW_DEPTH_STENCIL.0);
    let (multisampled, alignment) = (desc.sample_count > 1, alignment_bytes(resource));
    let (small_bytes, small) = match multisampled {
        true => (SMALL_MSAA_TEXTURE_BYTES, 64 << 10),
        false => (SMALL_TEXTURE_BYTES, 4 << 10),
    };
    let may_be_small = resource.requested_bytes <= small_bytes && (multisampled || !desc.flags.intersects(target));
    if may_be_small && !resource.is_tight() && alignment > small {
        let saved = round_up(resource.requested_bytes, alignment) - round_up(resource.requested_bytes, small);
        return format!(
            "Ask for an Alignment of {}, as a small resource may: about {} less.",
            binary_bytes(small),
            binary_bytes(saved)
        );
    }
    if resource.requested_bytes <= SMALL_TEXTURE_BYTES {
        return "Join it with others of its format in an atlas or a texture array: the driver's tiles are larger than \
                it."
        .to_owned();
    }
    if !resource.is_tight() && matches!(resource.backing, Backing::Placed { .. }) && alignment > 4096 {
        return format!("Try USE_TIGHT_ALIGNMENT: the driver may align it to less than {}.", binary_bytes(alignment));
    }
    format!(
        "Its {} are the driver's layout of its mips and slices: choose extents that are multiples of the tile, or fewer \
         mips.",
        binary_bytes_signed(i64::try_from(rounding).unwrap_or(i64::MAX)),
    )
}

fn alignment_bytes(resource: &Resource) -> u64 {
    resource.allocation.map_or(0, |allocation| allocation.alignment_bytes)
}

impl Resource {
    /// What it is, in a few words: `buffer of 500 B`, `texture 64×64 R8G8B8A8_UNORM`.
    pub fn what_it_is(&self) -> String {
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
