//! Cases of the grid.

use taut_runtime::{Display, MachineProfile};
use taut_schemas::format::Format;

/// Display modes of the manual test besides the display's own, which has its highest bandwidth: width, height, and
/// thousandths of a hertz. At 60 Hz, wider than 2K, and at 120 Hz or more.
const MODES: [(u32, u32, u64); 3] = [(1920, 1080, 60_000), (2560, 1600, 60_000), (1920, 1080, 165_000)];

/// Formats of the swap chain.
const FORMATS: [Format; 2] = [Format::R16G16B16A16_FLOAT, Format::B8G8R8A8_UNORM];

/// Size of the smaller swap chain.
const SMALL: (u32, u32) = (1920, 1080);

/// Sync intervals, and whether presents may tear.
const SYNCS: [(u32, bool); 3] = [(0, true), (0, false), (1, false)];

/// A combination of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridCase {
    /// The application presents with Direct3D 11; otherwise with a command queue of Direct3D 12.
    pub is_direct3d11: bool,
    /// Display mode in pixels, and in thousandths of a hertz.
    pub mode_width: u32,
    pub mode_height: u32,
    pub refresh_millihertz: u64,
    /// The swap chain's format and size in pixels.
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub sync_interval: u32,
    /// Presents have DXGI_PRESENT_ALLOW_TEARING.
    pub may_tear: bool,
    /// The swap chain covers the display; otherwise its window is narrower by one pixel.
    pub is_full_screen: bool,
}

/// Returns every case for a machine's first display.
pub(super) fn cases(machine: &MachineProfile) -> Vec<GridCase> {
    let Some(display) = machine.displays.first() else { return Vec::new() };
    let mut cases = Vec::new();
    for (mode_width, mode_height, refresh_millihertz) in modes(display) {
        let largest = (mode_width, mode_height);
        // Where the display is as large as the small size, the two sizes are one.
        let sizes = if largest == SMALL { vec![SMALL] } else { vec![SMALL, largest] };
        for (format, (width, height)) in
            FORMATS.into_iter().flat_map(|format| sizes.iter().map(move |size| (format, *size)))
        {
            for ((sync_interval, may_tear), is_full_screen) in
                SYNCS.into_iter().flat_map(|sync| [(sync, true), (sync, false)])
            {
                cases.extend([false, true].map(|is_direct3d11| GridCase {
                    is_direct3d11,
                    mode_width,
                    mode_height,
                    refresh_millihertz,
                    format,
                    width,
                    height,
                    sync_interval,
                    may_tear,
                    is_full_screen,
                }));
            }
        }
    }
    cases
}

/// Returns the modes that a display has: those of the test up to its own, and its own.
fn modes(display: &Display) -> Vec<(u32, u32, u64)> {
    let own = (display.width, display.height, display.refresh_millihertz);
    let is_possible = |(width, height, rate): &(u32, u32, u64)| *width <= own.0 && *height <= own.1 && *rate <= own.2;
    let mut modes: Vec<_> = MODES.into_iter().filter(is_possible).filter(|mode| *mode != own).collect();
    modes.push(own);
    modes
}
