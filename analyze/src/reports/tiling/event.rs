//! Mapped texture events of a trace, merged over all threads.

use crate::error::AnalyzeError;
use crate::events::{self, EventReader, Selecting, Source};
use crate::view;
use taut_schemas::format::Format;
use taut_schemas::{CopyKind, D3d11ResourceId, EventCode, HResultCode, StoreRun, TileFormat, d3d11, info, mark, start};

/// A texture event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TextureEvent {
    Created {
        resource: D3d11ResourceId,
        texture: Texture,
    },
    /// CopyResource bound a staging texture to the memory of another texture.
    Bound {
        resource: D3d11ResourceId,
        texture: D3d11ResourceId,
    },
    Mapped {
        resource: D3d11ResourceId,
        data: MapData,
    },
    /// The texture was unmapped, which drains its write-combining buffers.
    Unmapped(Unmapped),
    /// The CPU wrote mapped memory.
    Written(Written),
    /// The CPU read mapped memory.
    Read(Read),
    Fenced(Fenced),
}

view! {
    /// A texture's size in texels, and its format.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Texture of start d3d11::CreateTexture2D {
        width: u32 = desc.width,
        height: u32 = desc.height,
        format: Format = desc.format,
    }
}
view! { struct Created of stop d3d11::CreateTexture2D { hr: HResultCode, resource: D3d11ResourceId = output, } }
view! {
    struct Copy of start d3d11::CopyResource { destination: D3d11ResourceId, source: D3d11ResourceId, }
}
view! { struct Copied of stop d3d11::CopyResource { hr: HResultCode, kind: CopyKind = output.kind, } }
view! { struct Map of start d3d11::Map { resource: D3d11ResourceId, } }
view! {
    /// Unmap of a texture.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Unmapped of start d3d11::Unmap {
        resource: D3d11ResourceId,
    }
}

view! {
    /// Result of Map.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub(super) struct MapData of stop d3d11::Map {
        hr: HResultCode,
        tile_format: TileFormat = output.tile_format,
        pitch_bytes: u32 = output.pitch_bytes,
        x_offset_bytes: u32 = output.x_offset_bytes,
        y_offset_rows: u32 = output.y_offset_rows,
        size_bytes: u64 = output.size_bytes,
    }
}
view! {
    /// CPU stores to mapped memory.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Written of info mark::MappedWrites {
        resource: D3d11ResourceId,
        runs: Vec<StoreRun>,
    }
}
view! {
    /// CPU loads from mapped memory.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Read of info mark::MappedReads {
        resource: D3d11ResourceId,
        runs: Vec<StoreRun>,
    }
}
view! {
    /// A memory fence on the CPU.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Fenced of info mark::MemoryFence {
        resource: D3d11ResourceId,
    }
}

/// True if the trace contains a Map call or a recorded access. The summary answers for a complete trace; one that was
/// cut off has no event counts and is read.
pub(super) fn any(source: &Source) -> Result<bool, AnalyzeError> {
    let looked_for = [
        start::<d3d11::Map>().event_ref(),
        info::<mark::MappedWrites>().event_ref(),
        info::<mark::MappedReads>().event_ref(),
    ];
    let trace = source.trace();
    if !events::any(trace, &looked_for) || trace.summary().complete {
        return Ok(events::any(trace, &looked_for));
    }
    let schema = &trace.header().schema;
    let mut selecting = Selecting::new(schema);
    looked_for.iter().for_each(|event| selecting.event(*event));
    let codes: Vec<EventCode> =
        looked_for.iter().filter_map(|event| schema.find(*event)).map(|event| event.code).collect();
    let extract = trace.extract(&selecting.finish())?;
    source.met(&extract.damage);
    Ok(extract.threads.iter().any(|thread| thread.codes.iter().any(|code| codes.contains(code))))
}

/// A reader of all texture events. Failed calls are omitted.
pub(super) fn events(source: &Source) -> Result<EventReader<'_, TextureEvent>, AnalyzeError> {
    let is_ok = |hr: HResultCode| hr == HResultCode::S_OK;
    let mut reader = EventReader::new(source);
    reader.returned(move |texture, Created { hr, resource }| {
        is_ok(hr).then_some(TextureEvent::Created { resource, texture })
    })?;
    reader.returned(move |Copy { destination, source }, Copied { hr, kind }| {
        let bound = TextureEvent::Bound { resource: destination, texture: source };
        (is_ok(hr) && kind == CopyKind::BOUND).then_some(bound)
    })?;
    reader.returned(move |Map { resource }, data: MapData| {
        is_ok(data.hr).then_some(TextureEvent::Mapped { resource, data })
    })?;
    reader.each(|unmapped| Some(TextureEvent::Unmapped(unmapped)))?;
    reader.each(|written| Some(TextureEvent::Written(written)))?;
    reader.each(|read| Some(TextureEvent::Read(read)))?;
    reader.each(|fenced| Some(TextureEvent::Fenced(fenced)))?;
    Ok(reader)
}
