//! Planes of a display, and a driver's list of applications: structures of dxgiddi.h, d3dkmddi.h and d3dumddi.h.

use crate::code::codes;
use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::present_desc::{DisplayMode, MultiplaneOverlayFlags};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION_FLAGS`.
    flags PostCompositionFlags { NONE = 0, VERTICAL_FLIP = 0x1, HORIZONTAL_FLIP = 0x2, }

    /// `D3DDDI_DLIST_QUERY_RESULT`, numbered in the order of its documentation.
    code DListQueryResult { NO_DATA = 0, POWER_SAVING_PREFERENCE = 1, HIGH_PERFORMANCE_PREFERENCE = 2, }

    /// `D3DDDI_DLIST_QUERY_DECISION_FACTOR`, numbered in the order of its documentation.
    code DListQueryDecisionFactor {
        UNDEFINED = 0, DLIST_APP_ENTRY = 1, APP_SPECIFIED_BY_USER = 2, GLOBAL_PREFERENCE_BY_USER = 3,
    }
}

descs! {
    /// `RECT`, in pixels; right and bottom are outside.
    #[derive(Copy)]
    PlaneRect {
        /// RECT::left.
        left: u32,
        /// RECT::top.
        top: u32,
        /// RECT::right.
        right: u32,
        /// RECT::bottom.
        bottom: u32,
    }

    /// A plane of a display: `DXGI_DDI_CHECK_MULTIPLANE_OVERLAY_SUPPORT_PLANE_INFO` with its resource's properties.
    #[derive(Copy)]
    OverlayPlane {
        /// LayerIndex: planes with a higher one are in front; 0 is the desktop's primary.
        layer_index: u32,
        /// DXGK_MULTIPLANE_OVERLAY_FLAGS.
        flags: MultiplaneOverlayFlags,
        /// Width of the resource in pixels.
        width: u32,
        /// Height of the resource in pixels.
        height: u32,
        /// Format of the resource.
        format: Format,
        /// True if the resource is a cross-adapter resource.
        cross_adapter: bool,
        /// DstRect, in pixels of the display.
        destination: PlaneRect,
    }

    /// `DXGK_MULTIPLANE_OVERLAY_POST_COMPOSITION`: a transform of the composed planes, such as that of a panel fitter.
    #[derive(Copy)]
    PostComposition {
        /// Flags.
        flags: PostCompositionFlags,
        /// SrcRect, in pixels of the composed image.
        source: PlaneRect,
        /// DstRect, in pixels of the display.
        destination: PlaneRect,
    }

    /// `DXGI_DDI_ARG_CHECKMULTIPLANEOVERLAYSUPPORT`: all planes of a display, and the transform that follows them.
    OverlayPlanes {
        /// pPlaneInfo.
        planes: Vec<OverlayPlane>,
        /// DXGKARG_CHECKMULTIPLANEOVERLAYSUPPORT3::ppPostComposition of the display; a static check has none.
        post_composition: Vec<PostComposition>,
        /// Mode of the display.
        mode: DisplayMode,
        /// Scan-out bandwidth of the adapter's other displays, in bytes a second.
        other_displays_bytes_per_second: u64,
    }

    /// The result of pfnQueryDListForApplication2, with properties of the dList DLL that a system measures.
    #[derive(Copy)]
    QueriedDList {
        /// The adapter that the application is to use.
        result: DListQueryResult,
        /// The factor that determined the result.
        decision_factor: DListQueryDecisionFactor,
        /// Size of the dList DLL in bytes.
        library_bytes: u64 as Size,
        /// Time of the call in nanoseconds.
        elapsed_ns: u64,
    }
}

impl PlaneRect {
    /// Returns the rectangle of this size at the origin.
    pub fn new(width: u32, height: u32) -> PlaneRect {
        PlaneRect { left: 0, top: 0, right: width, bottom: height }
    }

    /// True if the rectangle has no pixel.
    pub fn is_empty(&self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// True if the rectangle has pixels, all of which are on the display.
    pub fn is_within(&self, mode: &DisplayMode) -> bool {
        !self.is_empty() && self.right <= mode.width && self.bottom <= mode.height
    }
}
