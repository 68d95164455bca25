//! Scan-out capabilities of a driver: the profile table `[overlay]`.

use serde::{Deserialize, Serialize};
use taut_schemas::format::Format;
use taut_schemas::{
    MultiplaneOverlayFlags, OverlayCheck, OverlayPlane, OverlayPlanes, PostComposition, PostCompositionFlags,
    PrimaryDesc, pixel_bytes,
};

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// Scan-out capabilities of an adapter. The defaults are the minimum of tier 3 (rule C-10).
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Overlay { $( $(#[$meta])+ pub $key: $ty, )* }

        impl Overlay {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

keys! {
    /// Number of planes, with the desktop's primary.
    planes: u32,
    /// Maximum width of a plane, in pixels.
    width: u32,
    /// Maximum height of a plane, in pixels.
    height: u32,
    /// Maximum scan-out bandwidth of all displays together, in MB/s.
    bandwidth_mb_per_second: u64,
    /// Formats, by their DXGI names.
    formats: Vec<String>,
    /// Linear planes, such as cross-adapter resources, can be scanned out to rotated panels.
    turns_linear_planes: bool,
}

/// Minimum formats of tier 3 (rule C-10).
const TIER_3_FORMATS: [&str; 6] = [
    "R16G16B16A16_FLOAT",
    "R10G10B10A2_UNORM",
    "R8G8B8A8_UNORM",
    "R8G8B8A8_UNORM_SRGB",
    "B8G8R8A8_UNORM",
    "B8G8R8A8_UNORM_SRGB",
];

impl Default for Overlay {
    fn default() -> Self {
        Overlay {
            planes: 2,
            width: 1920,
            height: 1080,
            bandwidth_mb_per_second: 1000,
            formats: TIER_3_FORMATS.map(str::to_owned).to_vec(),
            turns_linear_planes: false,
        }
    }
}

impl Overlay {
    /// Returns the first name in `formats` that is unknown.
    pub(crate) fn unknown_format(&self) -> Option<&str> {
        self.formats.iter().map(String::as_str).find(|name| Format::parse(name).is_none())
    }

    /// Returns the known formats.
    pub(crate) fn formats(&self) -> Vec<Format> {
        self.formats.iter().filter_map(|name| Format::parse(name)).collect()
    }

    fn has(&self, (width, height): (u32, u32), format: Format) -> bool {
        let known = self.formats.iter().filter_map(|name| Format::parse(name)).any(|known| known == format);
        width <= self.width && height <= self.height && known
    }

    /// True if a cross-adapter resource with this description can be scanned out.
    pub(crate) fn scans_out(&self, desc: &PrimaryDesc) -> bool {
        self.has((desc.width, desc.height), desc.format)
    }

    /// True if the planes can be scanned out. Depends on the configuration only, not on earlier checks (rules C-21,
    /// C-26).
    pub(crate) fn supports(&self, check: &OverlayCheck) -> bool {
        let mirrored = check.flags.without(MultiplaneOverlayFlags::STATIC_CHECK) != MultiplaneOverlayFlags::NONE;
        let turned = check.mode.rotation_degrees != 0 && check.cross_adapter && !self.turns_linear_planes;
        let own = check.mode.scan_out_bytes_per_second(pixel_bytes(check.format));
        let all = own.saturating_add(check.other_displays_bytes_per_second);
        let fits = all / 1_000_000 <= self.bandwidth_mb_per_second;
        !mirrored
            && !turned
            && fits
            && check.planes <= self.planes
            && self.has((check.width, check.height), check.format)
    }

    /// True if a plane can be shown among those of a check.
    pub(crate) fn shows(&self, plane: &OverlayPlane, among: &OverlayPlanes) -> bool {
        // The desktop's primary is shown already: the mode was set with it.
        let is_primary = plane.layer_index == 0 && !plane.cross_adapter;
        let is_of_mode = (plane.width, plane.height) == (among.mode.width, among.mode.height);
        let check = OverlayCheck {
            planes: u32::try_from(among.planes.len()).unwrap_or(u32::MAX),
            flags: plane.flags,
            width: plane.width,
            height: plane.height,
            format: plane.format,
            cross_adapter: plane.cross_adapter,
            mode: among.mode,
            other_displays_bytes_per_second: among.other_displays_bytes_per_second,
            from_application: false,
        };
        let is_shown = is_primary && is_of_mode && plane.format == Format::B8G8R8A8_UNORM;
        plane.destination.is_within(&among.mode) && (is_shown || self.supports(&check))
    }

    /// True if the composed image can be transformed so: without a mirror image, within the display's mode.
    pub(crate) fn transforms(&self, post: &PostComposition, among: &OverlayPlanes) -> bool {
        let rectangles = [post.source, post.destination];
        post.flags == PostCompositionFlags::NONE && rectangles.iter().all(|rectangle| rectangle.is_within(&among.mode))
    }
}
