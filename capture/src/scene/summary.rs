//! What a scene comes to.

use super::content::{Item, Scene};
use super::image::{Image, ImageFault, ImageFormat};
use crate::workloads::Parameters;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::{counted, grouped};

/// What a scene comes to, under given parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SceneSummary {
    /// Buffers of the items phase.
    pub items: u64,
    /// Their sizes as requested, added up.
    pub item_bytes: u64,
    /// Constant buffers.
    pub constants: u64,
    /// Textures.
    pub textures: u64,
    /// Images of the scene; those that are none of the textures are counted next.
    pub images: u64,
    /// Images whose files are not there.
    pub images_missing: u64,
    /// Images whose extents cannot be told from their first bytes.
    pub images_unknown: u64,
    /// Images whose extents no texture can have.
    pub images_unfit: u64,
    /// Textures of a format that their file holds, such as block-compressed ones.
    pub textures_declared: u64,
    /// Textures whose file holds a format that Direct3D lacks; they are taken as decoded to four channels of 8 bits.
    pub textures_foreign: u64,
    /// Textures whose file does not tell its format; taken likewise.
    pub textures_unknown: u64,
}

impl SceneSummary {
    /// Resources created: the steps of loading the scene.
    pub fn resources(&self) -> u64 {
        self.items.saturating_add(self.constants).saturating_add(self.textures)
    }
}

impl Scene {
    /// What becomes a buffer under these parameters.
    pub fn items(&self, parameters: &Parameters) -> &[Item] {
        if parameters.word("items") == "accessors" { &self.accessors } else { &self.views }
    }

    /// What the scene comes to under these parameters.
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
            images_unfit: faults(ImageFault::Extent),
            textures_declared: of(ImageFormat::Declared),
            textures_foreign: of(ImageFormat::Foreign),
            textures_unknown: of(ImageFormat::Unknown),
        }
    }

    /// The parameters and what the scene comes to under them, for a trace's header.
    pub fn facts(&self, parameters: &Parameters) -> BTreeMap<String, Value> {
        let mut facts = parameters.values();
        if let Ok(Value::Object(summary)) = serde_json::to_value(self.summary(parameters)) {
            facts.extend(summary.into_iter().map(|(name, count)| (format!("scene.{name}"), count)));
        }
        facts
    }
}

impl SceneSummary {
    /// What to tell of the images that became no texture, and of those whose format is another than in their file; `None` if
    /// there are none.
    pub fn left_out(&self) -> Option<String> {
        let told: Vec<String> = [self.no_texture(), self.decoded()].into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    fn decoded(&self) -> Option<String> {
        let SceneSummary { textures, textures_foreign, textures_unknown, .. } = self;
        let reasons = [
            (textures_foreign, "Direct3D has no format for their texels"),
            (textures_unknown, "the format of their texels is not known"),
        ];
        let told: Vec<_> = reasons.into_iter().filter(|(count, _)| **count > 0).collect();
        let taken: u64 = told.iter().map(|(count, _)| *count).sum();
        let told: Vec<_> =
            told.into_iter().map(|(count, reason)| format!("{} because {reason}", grouped(*count))).collect();
        let of = counted(*textures, "texture");
        (taken > 0).then(|| format!("{} of {of} taken as decoded to RGBA8: {}", grouped(taken), told.join(", ")))
    }

    fn no_texture(&self) -> Option<String> {
        let SceneSummary { images, images_missing, images_unknown, images_unfit, .. } = self;
        let reasons = [
            (images_missing, "not beside the scene"),
            (images_unknown, "of a format whose extents cannot be told"),
            (images_unfit, "of extents that no texture can have"),
        ];
        let told: Vec<_> = reasons.into_iter().filter(|(count, _)| **count > 0).collect();
        let left_out: u64 = told.iter().map(|(count, _)| *count).sum();
        let told: Vec<_> = told.into_iter().map(|(count, reason)| format!("{count} {reason}")).collect();
        (left_out > 0)
            .then(|| format!("{left_out} of {} became no texture: {}", counted(*images, "image"), told.join(", ")))
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
