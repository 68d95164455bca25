//! Parts of a scene that are not drawn.

use std::collections::BTreeSet;
use taut_schemas::counted;

/// Number of parts of a scene that are not drawn, by reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct DiscardedEvents {
    /// Primitives that are line loops or triangle fans, which Direct3D 11 lacks.
    pub fans_and_loops: u64,
    /// Primitives without positions, or with data in no buffer view.
    pub without_data: u64,
    /// Primitives with 8-bit indices.
    pub narrow_indices: u64,
    /// Nodes whose mesh has a skin or morph targets, drawn in their rest pose.
    pub at_rest: u64,
    /// Extensions that the file uses.
    pub extensions: BTreeSet<String>,
    /// True if the file has no scene.
    pub no_scene: bool,
}

impl DiscardedEvents {
    /// Returns all reasons in one line; `None` if everything is drawn.
    pub fn description(&self) -> Option<String> {
        let primitives = [
            (self.fans_and_loops, "line loops or triangle fans, which Direct3D 11 lacks"),
            (self.without_data, "without positions or buffer views"),
            (self.narrow_indices, "with indices of 8 bits"),
        ];
        let total: u64 = primitives.iter().map(|(count, _)| count).sum();
        let reasons: Vec<String> = primitives
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        let mut description = Vec::new();
        if self.no_scene {
            description.push("nothing is drawn: the file has no scene".to_owned());
        }
        if total > 0 {
            description.push(format!("{} not drawn: {}", counted(total, "primitive"), reasons.join(", ")));
        }
        if self.at_rest > 0 {
            description.push(format!("{} drawn without skin and morph targets", counted(self.at_rest, "node")));
        }
        if !self.extensions.is_empty() {
            let names: Vec<&str> = self.extensions.iter().map(String::as_str).collect();
            description.push(format!("effects of these extensions are not drawn: {}", names.join(", ")));
        }
        (!description.is_empty()).then(|| description.join("; "))
    }
}
