//! Driver profile: the complete description of a driver model. A trace's header contains it.

use super::background_profile::Background;
use super::caps::Caps;
use super::contexts_profile::ContextHandles;
use super::ddi_version::DdiVersion;
use super::descriptors_profile::Descriptors;
use super::direct_access::DirectAccess;
use super::dlist_profile::DList;
use super::faults::Faults;
use super::kernel_profile::Kernel;
use super::overlay_profile::Overlay;
use serde::{Deserialize, Serialize};

/// Texture size model of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextureSizeModel {
    /// Whole tiles of standard swizzle; mips that fit into one tile share a tail.
    #[default]
    Tiled,
    /// Rows of texels without tiles.
    Packed,
}

/// Description of a driver model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name.
    pub name: String,
    /// Kind of driver, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Version of the driver interface.
    pub ddi_version: DdiVersion,
    /// Alignment of tight buffers, in bytes; raised to AlignmentRestriction for committed ones.
    #[serde(default = "default_tight_buffer_alignment_bytes")]
    pub tight_buffer_alignment_bytes: u64,
    /// Alignment of placed tight textures, in bytes; by default the classic one, for small textures the smaller one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tight_texture_alignment_placed_bytes: Option<u64>,
    /// Alignment of committed tight textures, in bytes; by default as for placed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tight_texture_alignment_committed_bytes: Option<u64>,
    /// Alignment of tight multisampled textures that are not small, in bytes, placed or committed; by default that of
    /// other tight textures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tight_msaa_alignment_bytes: Option<u64>,
    /// Alignment of buffers without the tight flag, cross-adapter ones aside, in bytes; by default the classic 64 KiB.
    /// Less is a driver lint (rule A-25).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classic_buffer_alignment_bytes: Option<u64>,
    /// Texture size model.
    #[serde(default)]
    pub texture_size_model: TextureSizeModel,
    /// Pitch alignment in bytes of textures with unknown layout in the linear size limit: such a texture is at most as
    /// large as its rows with this pitch plus a page of 4 KiB per mip level. By default only tiles count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear_pitch_alignment_bytes: Option<u64>,
    /// Maximum allocation size in bytes; by default unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Pitch alignment in bytes of packed textures, except block-compressed ones.
    #[serde(default = "one")]
    pub row_pitch_alignment_bytes: u64,
    /// Height alignment in rows of packed 2D and 3D textures, except block-compressed ones.
    #[serde(default = "one")]
    pub height_alignment: u64,
    /// Ids of the conformance checks that the driver fails on purpose, such as "A-52". A driver that lists A-55 may
    /// have alignments that are no powers of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<String>,
    /// Capabilities.
    #[serde(default)]
    pub caps: Caps,
    /// Sizes of descriptors.
    #[serde(default, skip_serializing_if = "Descriptors::is_default")]
    pub descriptors: Descriptors,
    /// Instant-access extension; without this table, the driver does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_access: Option<DirectAccess>,
    /// Direct3D 11 handles per context; without this table, the driver has neither them nor deferred contexts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<ContextHandles>,
    /// Background processing; without this table, the driver runs every pipeline state unspecialised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<Background>,
    /// Kernel-mode driver; without this table, the adapter reports none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Kernel>,
    /// Scan-out capabilities; without this table, the minimum of tier 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Overlay>,
    /// dList DLL of a hybrid system's discrete adapter; without this table, one that lists no program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dlist: Option<DList>,
    /// Injected faults.
    #[serde(default, skip_serializing_if = "Faults::is_none")]
    pub faults: Faults,
}

fn default_tight_buffer_alignment_bytes() -> u64 {
    256
}

fn one() -> u64 {
    1
}
