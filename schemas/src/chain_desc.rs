//! Enumerations, flags and structures of swap chains and their windows, beyond those of presents: dxgi.h, dxgi1_2.h to
//! dxgi1_5.h.

use crate::code::codes;
use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::identity::AdapterId;
use crate::present_desc::SwapChainDesc;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `DXGI_USAGE`.
    flags DxgiUsage {
        NONE = 0, SHADER_INPUT = 0x10, RENDER_TARGET_OUTPUT = 0x20, BACK_BUFFER = 0x40, SHARED = 0x80, READ_ONLY = 0x100,
        DISCARD_ON_PRESENT = 0x200, UNORDERED_ACCESS = 0x400,
    }

    /// State of a window, from the window system.
    flags WindowState { NONE = 0, COVERED = 0x1, MINIMISED = 0x2, HIDDEN = 0x4, }

    /// `DXGI_MWA`.
    flags WindowAssociation { NONE = 0, NO_WINDOW_CHANGES = 0x1, NO_ALT_ENTER = 0x2, NO_PRINT_SCREEN = 0x4, }

    /// `DXGI_SCALING`.
    code Scaling { STRETCH = 0, NONE = 1, ASPECT_RATIO_STRETCH = 2, }

    /// `DXGI_ALPHA_MODE`.
    code AlphaMode { UNSPECIFIED = 0, PREMULTIPLIED = 1, STRAIGHT = 2, IGNORE = 3, }

    /// `DXGI_COLOR_SPACE_TYPE`, restricted to the values in use.
    code ColorSpace {
        RGB_FULL_G22_NONE_P709 = 0, RGB_FULL_G10_NONE_P709 = 1, RGB_STUDIO_G22_NONE_P709 = 2,
        RGB_STUDIO_G22_NONE_P2020 = 3, RESERVED = 4, RGB_FULL_G2084_NONE_P2020 = 12,
    }

    /// `DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG`.
    flags ColorSpaceSupport { NONE = 0, PRESENT = 0x1, OVERLAY_PRESENT = 0x2, }

    /// `DXGI_FEATURE`.
    code DxgiFeature { PRESENT_ALLOW_TEARING = 0, }

    /// Kind of a back buffer's view.
    code BufferViewKind { RENDER_TARGET = 0, SHADER_RESOURCE = 1, }
}

descs! {
    /// The members of `DXGI_SWAP_CHAIN_DESC` beyond those of [`SwapChainDesc`].
    #[derive(Copy)]
    SwapChainWindowDesc {
        /// SampleDesc.Count.
        samples: u32,
        /// BufferUsage.
        usage: DxgiUsage,
        /// OutputWindow, by the number from CreateWindow; 0 is none.
        window: u64,
        /// Windowed.
        windowed: bool,
        /// BufferDesc.RefreshRate.Numerator.
        refresh_numerator: u32,
        /// BufferDesc.RefreshRate.Denominator.
        refresh_denominator: u32,
    }

    /// `DXGI_SWAP_CHAIN_DESC`, as the result of GetDesc.
    #[derive(Copy)]
    SwapChainFullDesc {
        /// The description of the buffers.
        desc: SwapChainDesc,
        /// The description of the window, usage and refresh rate.
        window_desc was of_window: SwapChainWindowDesc,
    }

    /// The members of `DXGI_SWAP_CHAIN_DESC1` beyond those of the older structure.
    #[derive(Copy)]
    SwapChainDesc1 {
        /// Stereo.
        stereo: bool,
        /// Scaling.
        scaling: Scaling,
        /// AlphaMode.
        alpha_mode: AlphaMode,
    }

    /// A back buffer, as described by its texture.
    #[derive(Copy)]
    BackBuffer {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
        /// Format.
        format: Format,
        /// IDXGIResource::GetUsage.
        usage: DxgiUsage,
        /// References held by the application.
        reference_count: u32,
    }

    /// The result of GetFullscreenState.
    #[derive(Copy)]
    FullscreenState {
        /// pFullscreen.
        fullscreen: bool,
        /// ppTarget: number of the output object; 0 is null.
        target: u64,
    }

    /// `DXGI_FRAME_STATISTICS`, for the last displayed frame.
    #[derive(Copy)]
    FrameStatistics {
        /// PresentCount.
        present_count: u64,
        /// Time at which the frame was displayed, in nanoseconds since the session began.
        sync_at_ns: u64,
    }

    /// An adapter object from an enumeration.
    #[derive(Copy)]
    EnumeratedAdapter {
        /// Number of the object: a new one per enumeration.
        object: u64,
        /// The adapter.
        adapter: AdapterId,
    }
}
