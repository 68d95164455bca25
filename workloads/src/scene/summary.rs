//! Summary of a scene.

use super::compression::CompressedGeometry;
use super::content::{Item, Scene};
use super::image::{Image, ImageFault, ImageFormat};
use crate::bundled::Parameters;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::{counted, grouped};

/// Summary of a scene under given parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SceneSummary {
    /// Buffers of the items phase.
    pub items: u64,
    /// Total requested size of these buffers.
    pub item_bytes: u64,
    pub constants: u64,
    pub textures: u64,
    /// Images of the scene. The next three counts are the images without a texture.
    pub images: u64,
    /// Images whose files do not exist.
    pub images_missing: u64,
    /// Images whose extents cannot be determined from their first bytes.
    pub images_unknown: u64,
    /// Images whose extents exceed the maximum of textures.
    pub images_invalid_extent: u64,
    /// Textures whose file contains their format, such as block-compressed textures.
    pub textures_declared: u64,
    /// Textures whose file contains a format that Direct3D lacks; counted as decoded to four 8-bit channels.
    pub textures_foreign: u64,
    /// Textures whose file does not specify its format; counted as four 8-bit channels.
    pub textures_unknown: u64,
    #[serde(flatten)]
    pub compressed: CompressedGeometry,
    /// Number of accessors of an unknown type, which count as scalars.
    #[serde(skip_serializing_if = "is_zero")]
    pub unknown_types: u64,
    /// Bytes after the end of a .glb file, which are not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub trailing_bytes: u64,
}

/// True for a count that is left out of JSON: most scenes have no such elements.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl SceneSummary {
    /// Number of created resources: the steps of loading the scene.
    pub fn resources(&self) -> u64 {
        self.items.saturating_add(self.constants).saturating_add(self.textures)
    }
}

impl Scene {
    /// Returns the parts that become buffers under these parameters.
    pub fn items(&self, parameters: &Parameters) -> &[Item] {
        if parameters.word("items") == "accessors" { &self.accessors } else { &self.views }
    }

    /// Returns the summary under these parameters.
    pub fn summary(&self, parameters: &Parameters) -> SceneSummary {
        let items = self.items(parameters);
        let faults = |fault| self.images.iter().filter(|image| image.texture == Err(fault)).count() as u64;
        let is = |image: &&Image, format| image.texture.is_ok() && image.format == format;
        let of = |format| self.images.iter().filter(|image| is(image, format)).count() as u64;
        SceneSummary {
            items: items.len() as u64,
            item_bytes: items.iter().fold(0, |sum, item| sum.saturating_add(item.size_bytes)),
            constants: self.constants.len() as u64,
            textures: self.images.iter().filter(|image| image.texture.is_ok()).count() as u64,
            images: self.images.len() as u64,
            images_missing: faults(ImageFault::Missing),
            images_unknown: faults(ImageFault::UnknownFormat),
            images_invalid_extent: faults(ImageFault::Extent),
            textures_declared: of(ImageFormat::Declared),
            textures_foreign: of(ImageFormat::Foreign),
            textures_unknown: of(ImageFormat::Unknown),
            compressed: self.compressed,
            unknown_types: self.unknown_types,
            trailing_bytes: self.trailing_bytes,
        }
    }

    /// Returns the parameters and the summary, for a trace's header.
    pub fn facts(&self, parameters: &Parameters) -> BTreeMap<String, Value> {
        let mut facts = parameters.values();
        if let Ok(Value::Object(summary)) = serde_json::to_value(self.summary(parameters)) {
            facts.extend(summary.into_iter().map(|(name, count)| (format!("scene.{name}"), count)));
        }
        facts
    }
}

impl SceneSummary {
    /// Returns the images without a texture, the textures whose format differs from their file, the compressed
    /// geometry, and the unread bytes, in one line; `None` if there are none.
    pub fn left_out(&self) -> Option<String> {
        let notes = [self.no_texture(), self.decoded(), self.compressed.note(), self.untyped(), self.trailing()];
        let texts: Vec<String> = notes.into_iter().flatten().collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    fn untyped(&self) -> Option<String> {
        let accessors = counted(self.unknown_types, "accessor");
        (self.unknown_types > 0).then(|| format!("{accessors} of an unknown type counted as scalars"))
    }

    fn trailing(&self) -> Option<String> {
        (self.trailing_bytes > 0)
            .then(|| format!("{} after the end of the .glb not read", counted(self.trailing_bytes, "byte")))
    }

    fn decoded(&self) -> Option<String> {
        let SceneSummary { textures, textures_foreign, textures_unknown, .. } = self;
        let reasons = [
            (textures_foreign, "Direct3D has no format for their texels"),
            (textures_unknown, "the format of their texels is not known"),
        ];
        let texts: Vec<_> = reasons.into_iter().filter(|(count, _)| **count > 0).collect();
        let taken: u64 = texts.iter().map(|(count, _)| *count).sum();
        let texts: Vec<_> =
            texts.into_iter().map(|(count, reason)| format!("{} because {reason}", grouped(*count))).collect();
        let of = counted(*textures, "texture");
        (taken > 0).then(|| format!("{} of {of} taken as decoded to RGBA8: {}", grouped(taken), texts.join(", ")))
    }

    fn no_texture(&self) -> Option<String> {
        let SceneSummary { images, images_missing, images_unknown, images_invalid_extent, .. } = self;
        let reasons = [
            (images_missing, "not found"),
            (images_unknown, "of an unknown format"),
            (images_invalid_extent, "of invalid extents"),
        ];
        let texts: Vec<_> = reasons.into_iter().filter(|(count, _)| **count > 0).collect();
        let left_out: u64 = texts.iter().map(|(count, _)| *count).sum();
        let texts: Vec<_> = texts.into_iter().map(|(count, reason)| format!("{count} {reason}")).collect();
        (left_out > 0).then(|| format!("{left_out} of {} skipped: {}", counted(*images, "image"), texts.join(", ")))
    }
}

impl fmt::Display for SceneSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SceneSummary { items, item_bytes, constants, textures, .. } = self;
        let (buffers, bytes) = (counted(*items, "buffer"), counted(*item_bytes, "byte"));
        let (constants, textures) = (counted(*constants, "constant buffer"), counted(*textures, "texture"));
        write!(f, "{buffers} of {bytes}, {constants}, {textures}")
    }
}
