//! Enumerations, flags and structures of what is presented: dxgi.h, dxgi1_2.h, dxgiddi.h, d3dkmddi.h; machines as inputs
//! describe them.

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

    /// `DXGI_SWAP_CHAIN_FLAG`, as far as anything depends on it.
    flags SwapChainFlags { NONE = 0, FRAME_LATENCY_WAITABLE_OBJECT = 0x40, ALLOW_TEARING = 0x800, }

    /// `DXGI_PRESENT`, as far as anything depends on it.
    flags PresentFlags { NONE = 0, TEST = 0x1, ALLOW_TEARING = 0x200, }

    /// `DXGI_DDI_PRIMARY_DRIVER_FLAG`.
    flags PrimaryDriverFlags { NONE = 0, NO_SCANOUT = 0x1, }

    /// `DXGK_MULTIPLANE_OVERLAY_FLAGS`. `STATIC_CHECK` is one from WDDM 3.0 on (ambiguity A2.1).
    flags MultiplaneOverlayFlags { NONE = 0, VERTICAL_FLIP = 0x1, HORIZONTAL_FLIP = 0x2, STATIC_CHECK = 0x4, }

    /// `HybridPresentMode` of the provider Microsoft-Windows-DXGI.
    code HybridPresentMode { NOT_HYBRID = 0, TWO_COPY_PATH = 1, ONE_COPY_PATH_CASO = 2, }

    /// Why a swap chain is not on the path with one copy. The provider's own values are not public: these are this project's.
    code FallbackReason {
        NONE = 0, SAME_ADAPTER = 1, NOT_FLIP_MODEL = 2, NO_CROSS_ADAPTER_RESOURCES = 3, CAP = 4, CREATE_FAILED = 5,
        NO_SCANOUT = 6, STATIC_CHECK = 7, OPEN_FAILED = 8, DIRECT3D_9 = 9,
    }

    /// A view of a texture: `ID3D11ShaderResourceView` and its kin.
    code TextureView { SHADER_RESOURCE = 0, UNORDERED_ACCESS = 1, RENDER_TARGET = 2, }

    /// What became of a frame.
    code FrameFate { FLIPPED = 0, COMPOSED = 1, TORN = 2, NEVER_SHOWN = 3, }
}

descs! {
    /// What an adapter is made of.
    #[derive(Copy)]
    AdapterParts {
        /// It has no memory of its own: its copies and its scan-out use the system's.
        uses_system_memory: bool,
        /// Bandwidth of its own memory, in bytes a second.
        memory_bytes_per_second: u64,
        /// One way of the link that it hangs on, after line coding and overheads, in bytes a second; 0 without a link.
        link_bytes_per_second: u64,
        /// Engines that copy beside its graphics engine.
        copy_engines: u32,
        /// What one of them copies alone, in bytes of payload a second.
        copy_bytes_per_second: u64,
    }

    /// A display and its mode.
    #[derive(Copy)]
    DisplayMode {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Refreshes, in thousandths of a hertz.
        refresh_millihertz: u64,
        /// How far the panel is turned, in degrees.
        rotation_degrees: u32,
        /// The slowest that it refreshes where it waits for frames, in thousandths of a hertz; 0 where its rate is fixed.
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

    /// `DXGI_DDI_PRIMARY_DESC` of a cross-adapter resource, with what the resource is.
    #[derive(Copy)]
    PrimaryDesc {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Format.
        format: Format,
        /// Bytes from one row to the next: a multiple of 128.
        pitch_bytes: u64,
        /// Bytes of the allocation: pitch by height rounded up to 4 rows, rounded up to pages.
        allocation_bytes: u64,
    }

    /// What DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3 is asked about: a plane over a display's whole mode.
    #[derive(Copy)]
    OverlayCheck {
        /// Planes, the desktop's primary among them.
        planes: u32,
        /// DXGK_MULTIPLANE_OVERLAY_FLAGS of the plane asked about; those of the others are none.
        flags: MultiplaneOverlayFlags,
        /// The plane's source: pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Its format.
        format: Format,
        /// It is a cross-adapter resource.
        cross_adapter: bool,
        /// The display's mode.
        mode: DisplayMode,
        /// What the other displays of the adapter are scanned out with, in bytes a second.
        other_displays_bytes_per_second: u64,
        /// The call comes from the application's process, not from the compositor's.
        from_application: bool,
    }

    /// How a plane is scanned out: what the hardware reads, and what the driver does before it. No structure of a header: what
    /// a bus analyser and the counters of the copy engines would say.
    #[derive(Copy)]
    ScanOut {
        /// The call's result.
        status: NtStatus,
        /// Bytes from one row that is read to the next.
        pitch_bytes: u64,
        /// Rows that are read.
        height: u32,
        /// Bytes that the driver copies elsewhere before it scans them out there.
        bytes_copied: u64,
    }

    /// What DXGKDDI_CHECKMULTIPLANEOVERLAYSUPPORT3 gives back.
    #[derive(Copy)]
    OverlaySupport {
        /// The call's result.
        status: NtStatus,
        /// Supported.
        supported: bool,
    }
}

impl SwapEffect {
    /// It is one of the flip model's.
    pub fn is_flip_model(self) -> bool {
        matches!(self, SwapEffect::FLIP_SEQUENTIAL | SwapEffect::FLIP_DISCARD)
    }
}

impl DisplayMode {
    /// What scanning the whole mode out takes, in bytes a second, at so many bytes a pixel.
    pub fn scan_out_bytes_per_second(&self, pixel_bytes: u64) -> u64 {
        let frame = u128::from(self.width) * u128::from(self.height) * u128::from(pixel_bytes);
        u64::try_from(frame * u128::from(self.refresh_millihertz) / 1000).unwrap_or(u64::MAX)
    }
}

impl PrimaryDesc {
    /// A cross-adapter resource of this size: rows 128 bytes apart or a multiple, 4 rows at a time, whole pages.
    pub fn new(width: u32, height: u32, format: Format) -> PrimaryDesc {
        let pitch_bytes = (u64::from(width) * pixel_bytes(format)).next_multiple_of(128);
        let allocation_bytes = (pitch_bytes * u64::from(height).next_multiple_of(4)).next_multiple_of(4096);
        PrimaryDesc { width, height, format, pitch_bytes, allocation_bytes }
    }

    /// The size is within what every driver of tier 3 scans out, in six formats (rule C-10).
    pub fn is_within_the_least(&self) -> bool {
        self.width <= 1920 && self.height <= 1080 && SCAN_OUT_FORMATS.contains(&self.format)
    }

    /// Bytes of its pixels.
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
