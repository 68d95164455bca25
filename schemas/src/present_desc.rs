//! Enumerations, flags and structures of presentation: dxgi.h, dxgi1_2.h, dxgiddi.h, d3dkmddi.h; and descriptions of
//! machines.

use crate::code::codes;
use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::kernel_desc::NtStatus;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `DXGI_SWAP_EFFECT`.
    code SwapEffect { DISCARD = 0, SEQUENTIAL = 1, FLIP_SEQUENTIAL = 3, FLIP_DISCARD = 4, }

    /// `DXGI_SWAP_CHAIN_FLAG`, restricted to the flags in use.
    flags SwapChainFlags { NONE = 0, FRAME_LATENCY_WAITABLE_OBJECT = 0x40, ALLOW_TEARING = 0x800, }

    /// `DXGI_PRESENT`, restricted to the flags in use.
    flags PresentFlags { NONE = 0, TEST = 0x1, ALLOW_TEARING = 0x200, }

    /// `DXGI_DDI_PRIMARY_DRIVER_FLAG`.
    flags PrimaryDriverFlags { NONE = 0, NO_SCANOUT = 0x1, }

    /// `DXGK_MULTIPLANE_OVERLAY_FLAGS`. `STATIC_CHECK` is one from WDDM 3.0 on (rule X-09).
    flags MultiplaneOverlayFlags { NONE = 0, VERTICAL_FLIP = 0x1, HORIZONTAL_FLIP = 0x2, STATIC_CHECK = 0x4, }

    /// `HybridPresentMode` of the provider Microsoft-Windows-DXGI.
    code HybridPresentMode { NOT_HYBRID = 0, TWO_COPY_PATH = 1, ONE_COPY_PATH_CASO = 2, }

    /// Reason why a swap chain is not on the path with one copy. The provider's own values are not public; these are
    /// this project's.
    code FallbackReason {
        NONE = 0, SAME_ADAPTER = 1, NOT_FLIP_MODEL = 2, NO_CROSS_ADAPTER_RESOURCES = 3, CAP = 4, CREATE_FAILED = 5,
        NO_SCANOUT = 6, STATIC_CHECK = 7, OPEN_FAILED = 8, DIRECT3D_9 = 9, NO_HYBRID_SYSTEM = 10,
    }

    /// Kind of a texture's view: `ID3D11ShaderResourceView` and its relatives.
    code TextureView { SHADER_RESOURCE = 0, UNORDERED_ACCESS = 1, RENDER_TARGET = 2, }

    /// Outcome of a frame.
    code FrameOutcome was FrameFate { FLIPPED = 0, COMPOSED = 1, TORN = 2, NEVER_SHOWN = 3, }
}

descs! {
    /// Hardware properties of an adapter.
    #[derive(Copy)]
    AdapterParts {
        /// True if the adapter has no memory of its own: its copies and its scan-out use system memory.
        uses_system_memory: bool,
        /// Bandwidth of the adapter's own memory, in bytes a second.
        memory_bytes_per_second: u64,
        /// Net bandwidth of the adapter's link in one direction, in bytes a second; 0 without a link.
        link_bytes_per_second: u64,
        /// Number of copy engines besides the graphics engine.
        copy_engines: u32,
        /// Payload that one copy engine alone copies, in bytes a second.
        copy_bytes_per_second: u64,
    }

    /// A display and its mode.
    #[derive(Copy)]
    DisplayMode {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Refresh rate, in thousandths of a hertz.
        refresh_millihertz: u64,
        /// Rotation of the panel, in degrees.
        rotation_degrees: u32,
        /// Min refresh rate with variable refresh, in thousandths of a hertz; 0 for a fixed rate.
        variable_refresh_from_millihertz: u64,
    }

    /// `DXGI_SWAP_CHAIN_DESC1`.
    #[derive(Copy)]
    SwapChainDesc {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
        /// Format.
        format: Format,
        /// BufferCount.
        buffer_count: u32,
        /// SwapEffect.
        swap_effect: SwapEffect,
        /// Flags.
        flags: SwapChainFlags,
    }

    /// `DXGI_DDI_PRIMARY_DESC` of a cross-adapter resource, and the resource's dimensions.
    #[derive(Copy)]
    PrimaryDesc {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Format.
        format: Format,
        /// Bytes from one row to the next: a multiple of 128.
        pitch_bytes: u64,
        /// Bytes of the allocation: pitch by height rounded up to 4 rows, rounded up to pages.
        allocation_bytes: u64,
    }

    /// Arguments of DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3: a plane that covers a display's whole mode.
    #[derive(Copy)]
    OverlayCheck {
        /// Number of planes, the desktop's primary among them.
        planes: u32,
        /// DXGK_MULTIPLANE_OVERLAY_FLAGS of the plane in question; those of the other planes are none.
        flags: MultiplaneOverlayFlags,
        /// Width of the plane's source in pixels.
        width: u32,
        /// Height of the plane's source in pixels.
        height: u32,
        /// Format of the plane.
        format: Format,
        /// True if the plane is a cross-adapter resource.
        cross_adapter: bool,
        /// Mode of the display.
        mode: DisplayMode,
        /// Scan-out bandwidth of the adapter's other displays, in bytes a second.
        other_displays_bytes_per_second: u64,
        /// True if the call comes from the application's process, not from the compositor's.
        from_application: bool,
    }

    /// Scan-out of a plane: the reads of the hardware, and the copies that the driver makes before. No structure of a
    /// header: the values are those that a bus analyser and the counters of the copy engines would show.
    #[derive(Copy)]
    ScanOut {
        /// The call's result.
        status: NtStatus,
        /// Bytes from one row that is read to the next.
        pitch_bytes: u64,
        /// Number of rows that are read.
        height: u32,
        /// Bytes that the driver copies to another place before it scans them out there.
        bytes_copied: u64,
    }

    /// The result of DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3.
    #[derive(Copy)]
    OverlaySupport {
        /// The call's result.
        status: NtStatus,
        /// Supported.
        supported: bool,
        /// Memory bandwidth that the check raised or lowered, in bytes a second, by the hardware's counters.
        moved_bytes_per_second: u64,
        /// Max interrupt request level during the call, as KeGetCurrentIrql returns it.
        irql: u32,
    }
}

impl SwapEffect {
    /// True if the effect is of the flip model.
    pub fn is_flip_model(self) -> bool {
        matches!(self, SwapEffect::FLIP_SEQUENTIAL | SwapEffect::FLIP_DISCARD)
    }
}

impl DisplayMode {
    /// Scan-out bandwidth of the whole mode, in bytes a second, at `pixel_bytes` bytes a pixel.
    pub fn scan_out_bytes_per_second(&self, pixel_bytes: u64) -> u64 {
        let frame = u128::from(self.width) * u128::from(self.height) * u128::from(pixel_bytes);
        u64::try_from(frame * u128::from(self.refresh_millihertz) / 1000).unwrap_or(u64::MAX)
    }
}

impl PrimaryDesc {
    /// Describes a cross-adapter resource of this size: pitch a multiple of 128 bytes, rows in groups of 4, whole
    /// pages.
    pub fn new(width: u32, height: u32, format: Format) -> PrimaryDesc {
        let pitch_bytes = (u64::from(width) * pixel_bytes(format)).next_multiple_of(128);
        let allocation_bytes = (pitch_bytes * u64::from(height).next_multiple_of(4)).next_multiple_of(4096);
        PrimaryDesc { width, height, format, pitch_bytes, allocation_bytes }
    }

    /// True if every driver of tier 3 scans out this size and format (rule C-10).
    pub fn is_within_min_scan_out(&self) -> bool {
        self.width <= 1920 && self.height <= 1080 && SCAN_OUT_FORMATS.contains(&self.format)
    }

    /// Bytes of the pixels, without padding.
    pub fn payload_bytes(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) * pixel_bytes(self.format)
    }
}

/// The formats that every driver of tier 3 scans out, and every driver of tier 2 views (rules C-09 and C-10).
pub const SCAN_OUT_FORMATS: [Format; 6] = [
    Format::R16G16B16A16_FLOAT,
    Format::R10G10B10A2_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::B8G8R8A8_UNORM_SRGB,
];

/// Bytes of a pixel of a format that can be scanned out.
pub fn pixel_bytes(format: Format) -> u64 {
    if format == Format::R16G16B16A16_FLOAT { 8 } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_and_allocations_are_those_of_the_published_table() {
        let of = |width, height, format| {
            let desc = PrimaryDesc::new(width, height, format);
            (desc.pitch_bytes, desc.allocation_bytes, desc.payload_bytes())
        };
        let narrow = Format::B8G8R8A8_UNORM;
        assert_eq!(of(1366, 768, narrow), (5504, 4_227_072, 4_196_352));
        assert_eq!(of(1920, 1080, narrow), (7680, 8_294_400, 8_294_400));
        assert_eq!(of(2560, 1600, Format::R16G16B16A16_FLOAT), (20480, 32_768_000, 32_768_000));
        assert_eq!(of(3440, 1440, narrow), (13824, 19_906_560, 19_814_400));
        assert_eq!(of(3840, 2160, narrow), (15360, 33_177_600, 33_177_600));
    }
}
