//! Layout of mapped memory.

use taut_schemas::{SharedMapData, TileFormat};
use taut_tiling::{Layout, Rect, Surface, TileCopy, TilingError};

/// Rectangle of mapped memory.
pub(super) struct Mapped {
    pub memory: MappedLayout,
    /// Rectangle relative to the start of the memory, including the texture's own offsets.
    pub rect: Rect,
}

/// Arrangement of the memory.
pub(super) enum MappedLayout {
    Tiled(Box<TileCopy>),
    Linear { pitch_bytes: u64 },
}

/// Converts the result of Map (rule T-06): tile format, pitch and offsets. `other` selects the opposite rule of
/// channel-select swizzle, like a program that ignores the reported one.
pub(super) fn mapped(data: &SharedMapData, rect: Rect, other: bool) -> Result<Mapped, TilingError> {
    let pitch_bytes = u64::from(data.pitch_bytes);
    let rect = Rect {
        x_bytes: rect.x_bytes + u64::from(data.x_offset_bytes),
        y: rect.y + u64::from(data.y_offset_rows),
        ..rect
    };
    let Some(layout) = layout(data.tile_format, other)? else {
        return Ok(Mapped { memory: MappedLayout::Linear { pitch_bytes }, rect });
    };
    let surface = Surface::new(layout, pitch_bytes, data.size_bytes / pitch_bytes.max(1))?;
    Ok(Mapped { memory: MappedLayout::Tiled(Box::new(TileCopy::new(&surface, rect, rect.width_bytes)?)), rect })
}

fn layout(format: TileFormat, other: bool) -> Result<Option<Layout>, TilingError> {
    let Some(name) = format.layout_name() else { return Ok(None) };
    let layout = name.parse()?;
    Ok(Some(match layout {
        Layout::TileY if other => Layout::TileYNoCsx,
        Layout::TileYNoCsx if other => Layout::TileY,
        Layout::TileX if other => Layout::TileXNoCsx,
        Layout::TileXNoCsx if other => Layout::TileX,
        layout => layout,
    }))
}
