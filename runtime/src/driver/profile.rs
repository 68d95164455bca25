//! A driver's profile: all that tells one driver model from another. A trace's header keeps it whole.

use super::background_profile::Background;
use super::caps::Caps;
use super::contexts_profile::ContextHandles;
use super::direct_access::DirectAccess;
use super::faults::Faults;
use super::kernel_profile::Kernel;
use super::overlay_profile::Overlay;
use crate::toml_source::ProfileError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A version of the driver interface, as documents write it: four digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DdiVersion(pub u32);

impl DdiVersion {
    /// The version whose SetBackgroundProcessingMode answers nothing.
    pub const V0062: DdiVersion = DdiVersion(62);
    /// The version whose SetBackgroundProcessingMode answers whether further measurements are desired.
    pub const V0063: DdiVersion = DdiVersion(63);
    /// The version that has CheckResourceAllocationInfo as it is used here.
    pub const V0088: DdiVersion = DdiVersion(88);
    /// The version that has tight alignment.
    pub const V0111: DdiVersion = DdiVersion(111);
    /// The version that marks implicit heaps.
    pub const V0115: DdiVersion = DdiVersion(115);
}

impl fmt::Display for DdiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0)
    }
}

impl Serialize for DdiVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DdiVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.parse() {
            Ok(version) if text.len() == 4 => Ok(DdiVersion(version)),
            _ => Err(serde::de::Error::custom(format_args!("expected four digits such as \"0115\", found {text:?}"))),
        }
    }
}

/// How a driver sizes textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextureSizeModel {
    /// Whole tiles of standard swizzle; the mips that fit into one tile share a tail.
    #[default]
    Tiled,
    /// Rows of texels one after another.
    Packed,
}

/// A driver model's description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name.
    pub name: String,
    /// What kind of driver it is, in a sentence.
    #[serde(default)]
    pub description: String,
    /// The version of the driver interface it speaks.
    pub ddi_version: DdiVersion,
    /// Alignment of tight buffers, in bytes; a committed one's is raised to what the runtime asks for.
    #[serde(default = "default_tight_buffer_alignment_bytes")]
    pub tight_buffer_alignment_bytes: u64,
    /// Alignment of placed tight textures, in bytes; by default the classic one: the smaller one for a small texture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tight_texture_alignment_placed_bytes: Option<u64>,
    /// The same for committed ones.
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
    /// How it sizes textures.
    #[serde(default)]
    pub texture_size_model: TextureSizeModel,
    /// Tiled textures of unknown layout: one is no larger than its rows, each rounded up to this many bytes, and a page of
    /// 4 KiB for each of its mip levels. Without it tiles are all there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear_pitch_alignment_bytes: Option<u64>,
    /// The greatest allocation that it has memory for, in bytes; without it all that addresses reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Packed textures: a row is rounded up to this many bytes, unless its format is block compressed.
    #[serde(default = "one")]
    pub row_pitch_alignment_bytes: u64,
    /// Packed 2D and 3D textures: the height is rounded up to this many rows, unless the format is block compressed.
    #[serde(default = "one")]
    pub height_alignment: u64,
    /// Ids of the conformance checks that it fails on purpose, such as "A-52". A driver that names A-55 may have
    /// alignments that are no powers of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<String>,
    /// What it supports.
    #[serde(default)]
    pub caps: Caps,
    /// The instant-access extension; a driver without this table has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_access: Option<DirectAccess>,
    /// Direct3D 11's handles per context; a driver without this table has none, and no deferred contexts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<ContextHandles>,
    /// Background processing; a driver without this table has none, and runs every pipeline state as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<Background>,
    /// Its kernel-mode driver; a driver without this table has none, and nothing of it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Kernel>,
    /// What it scans out; without the table the least that tier 3 asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Overlay>,
    /// What it does wrong on purpose.
    #[serde(default, skip_serializing_if = "Faults::is_none")]
    pub faults: Faults,
}

fn default_tight_buffer_alignment_bytes() -> u64 {
    256
}

fn one() -> u64 {
    1
}

impl Profile {
    /// Reads a profile. `origin` is what errors call the text.
    ///
    /// # Errors
    /// The text is no TOML, has a key that profiles do not have, or values that no driver could have.
    pub fn parse(text: &str, origin: &str) -> Result<Profile, ProfileError> {
        super::profile_text::parse(text, origin)
    }
}
