//! Resources that Direct3D 12 maps. Recordings have no stores into their memory.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::{self, EventReader};
use crate::render::counted;
use crate::view;
use std::collections::HashSet;
use std::ops::ControlFlow;
use taut_schemas::{HResultCode, ResourceId, d3d12, start};

view! { struct Map of start d3d12::Map { resource: ResourceId, } }
view! { struct Mapped of stop d3d12::Map { hr: HResultCode, } }

/// Numbers of mapped resources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MappedResources {
    textures: u64,
    buffers: u64,
}

impl MappedResources {
    /// Counts the resources that ID3D12Resource::Map mapped, each once.
    pub fn of(analysis: &Analysis) -> Result<MappedResources, AnalyzeError> {
        if !events::any(analysis.trace(), &[start::<d3d12::Map>().event_ref()]) {
            return Ok(MappedResources::default());
        }
        let mut reader = EventReader::new(analysis.source());
        reader.returned(|Map { resource }, Mapped { hr }| (hr == HResultCode::S_OK).then_some(resource))?;
        let mut mapped = HashSet::new();
        reader.visit(|_, resource| -> Result<_, AnalyzeError> {
            mapped.insert(resource);
            Ok(ControlFlow::Continue(()))
        })?;
        let mut counts = MappedResources::default();
        for resource in analysis.world()?.resources.iter().filter(|resource| mapped.contains(&resource.id)) {
            *if resource.is_buffer() { &mut counts.buffers } else { &mut counts.textures } += 1;
        }
        Ok(counts)
    }

    /// Reason why the report has no figures of them; `None` if nothing was mapped.
    pub fn not_applicable(self) -> Option<String> {
        let mapped = match self {
            MappedResources { textures: 0, buffers: 0 } => return None,
            MappedResources { textures: 0, buffers } => {
                format!("no texture is mapped, but {}", counted(buffers, "buffer"))
            }
            MappedResources { textures, buffers: 0 } => format!("{} mapped", are(textures)),
            MappedResources { textures, buffers } => {
                format!("{} mapped, and {}", are(textures), counted(buffers, "buffer"))
            }
        };
        Some(format!(
            "{mapped}: the recording has no stores into memory that Direct3D 12 maps, as call logs and captures do not have them. \
             `taut record SCENE.gltf --set mode=linear-rows` records the stores of a scene's uploads"
        ))
    }
}

fn are(textures: u64) -> String {
    format!("{} {}", counted(textures, "texture"), if textures == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_textures_are_counted_and_the_missing_stores_are_stated() {
        let text = |textures, buffers| MappedResources { textures, buffers }.not_applicable().unwrap_or_default();
        assert!(text(1, 0).starts_with("1 texture is mapped: the recording has no stores"));
        assert!(text(3, 2).starts_with("3 textures are mapped, and 2 buffers: the recording has no stores"));
        assert!(text(0, 2).starts_with("no texture is mapped, but 2 buffers: the recording has no stores"));
        assert_eq!(MappedResources::default().not_applicable(), None);
    }
}
