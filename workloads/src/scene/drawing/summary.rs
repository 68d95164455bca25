//! Summary of a drawing.

use super::content::Drawing;
use crate::bundled::Parameters;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use taut_schemas::{counted, grouped};

/// Summary of a drawing under given parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawingSummary {
    /// Draws of a frame: primitives of nodes.
    pub draws: u64,
    /// Drawn nodes.
    pub nodes: u64,
    /// Used materials.
    pub materials: u64,
    /// Vertex and index buffers.
    pub buffers: u64,
    /// Used textures, each with a view.
    pub textures: u64,
    /// Used images without a texture.
    pub images_left_out: u64,
    /// State objects; equal descriptions share one.
    pub states: u64,
    /// Deferred contexts, each recorded on a thread of its own.
    pub contexts: u64,
    pub frames: u64,
    /// Command lists: one per context and frame.
    pub command_lists: u64,
}

impl DrawingSummary {
    /// Number of draws of all frames: the steps of the recording.
    pub fn steps(&self) -> u64 {
        self.draws.saturating_mul(self.frames)
    }
}

impl Drawing {
    /// Returns the summary under these parameters.
    pub fn summary(&self, parameters: &Parameters) -> DrawingSummary {
        let by_accessor = parameters.word("items") == "accessors";
        let of_draws = self.draws.iter().flat_map(|draw| {
            let indices = draw.shape.indices.iter().map(|(source, _)| source);
            draw.shape.attributes.iter().chain(indices)
        });
        let buffers: BTreeSet<usize> =
            of_draws.map(|source| if by_accessor { source.accessor } else { source.view }).collect();
        let uses = || self.materials.iter().flat_map(|material| material.textures.iter().flatten());
        let images: BTreeSet<usize> = uses().filter_map(|texture| texture.image).collect();
        let textures = images.iter().filter(|image| self.texture(**image).is_some()).count();
        let blends: BTreeSet<_> = self.materials.iter().map(|material| &material.blend).collect();
        let rasterizers: BTreeSet<_> = self.materials.iter().map(|material| &material.rasterizer).collect();
        let samplers: BTreeSet<_> = uses().map(|texture| &texture.sampler).collect();
        let (contexts, frames) = (parameters.get("contexts"), parameters.get("frames"));
        DrawingSummary {
            draws: self.draws.len() as u64,
            nodes: self.nodes as u64,
            materials: self.materials.len() as u64,
            buffers: buffers.len() as u64,
            textures: textures as u64,
            images_left_out: (images.len() - textures) as u64,
            states: (blends.len() + rasterizers.len() + samplers.len()) as u64,
            contexts,
            frames,
            command_lists: contexts.saturating_mul(frames),
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

    /// Name of the file, without its folder.
    pub fn name(&self) -> &str {
        &self.scene.name
    }

    /// Returns a line about the parts of the scene that are not drawn; `None` if everything is drawn.
    pub fn left_out(&self, parameters: &Parameters) -> Option<String> {
        let images = self.summary(parameters).images_left_out;
        let images =
            (images > 0).then(|| format!("{} of materials skipped: nothing is bound there", counted(images, "image")));
        let description: Vec<String> = [self.left_out.description(), images].into_iter().flatten().collect();
        (!description.is_empty()).then(|| description.join("; "))
    }
}

impl fmt::Display for DrawingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawingSummary { draws, nodes, materials, buffers, textures, states, contexts, frames, .. } = self;
        write!(
            f,
            "{} of {} with {}, {}, {} and {}; {} in {}: {}",
            counted(*draws, "draw"),
            counted(*nodes, "node"),
            counted(*materials, "material"),
            counted(*buffers, "buffer"),
            counted(*textures, "texture"),
            counted(*states, "state object"),
            counted(*frames, "frame"),
            counted(*contexts, "deferred context"),
            format_args!("{} command lists", grouped(self.command_lists)),
        )
    }
}
