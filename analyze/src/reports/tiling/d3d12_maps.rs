//! Textures that Direct3D 12 maps. Recordings have no stores into their memory.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::{self, EventReader};
use crate::render::counted;
use crate::view;
use std::collections::HashSet;
use std::ops::ControlFlow;
use taut_schemas::{HResultCode, HeapType, ResourceId, d3d12, start};

view! { struct Map of start d3d12::Map { resource: ResourceId, } }
view! { struct Mapped of stop d3d12::Map { hr: HResultCode, } }

/// Reason why the report has no figures of a trace whose memory Direct3D 12 maps; `None` if it maps nothing.
pub(super) fn not_applicable(analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
    if !events::any(analysis.trace(), &[start::<d3d12::Map>().event_ref()]) {
        return Ok(None);
    }
    Ok(Some(reason(mapped_textures(analysis)?)))
}

/// Number of textures that ID3D12Resource::Map mapped, each once.
fn mapped_textures(analysis: &Analysis) -> Result<u64, AnalyzeError> {
    let world = analysis.world()?;
    let resources = world.resources.iter().zip(world.heap_types());
    // The CPU cannot map memory of default heaps. Most traces have textures in such heaps only, and are not read again.
    let mappable = resources.filter(|(resource, heap_type)| !resource.is_buffer() && **heap_type != HeapType::DEFAULT);
    let mappable: HashSet<ResourceId> = mappable.map(|(resource, _)| resource.id).collect();
    if mappable.is_empty() {
        return Ok(0);
    }
    let mut reader = EventReader::new(analysis.source());
    reader.returned(|Map { resource }, Mapped { hr }| (hr == HResultCode::S_OK).then_some(resource))?;
    let mut mapped = HashSet::new();
    reader.visit(|_, resource| -> Result<_, AnalyzeError> {
        mapped.insert(resource);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(mapped.intersection(&mappable).count() as u64)
}

fn reason(textures: u64) -> String {
    let mapped = match textures {
        0 => "no texture is mapped".to_owned(),
        1 => "1 texture is mapped".to_owned(),
        _ => format!("{} are mapped", counted(textures, "texture")),
    };
    format!(
        "{mapped}, and the trace has no CPU stores to memory mapped by Direct3D 12 (call logs and captures contain none). \
         `taut record SCENE.gltf --set mode=linear-rows` records the stores of texture uploads"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_textures_are_counted_and_the_missing_stores_are_stated() {
        for (textures, begin) in
            [(0, "no texture is mapped, "), (1, "1 texture is mapped, "), (3, "3 textures are mapped, ")]
        {
            let text = reason(textures);
            assert!(text.starts_with(begin) && text.contains("has no CPU stores"), "{text}");
        }
    }
}
