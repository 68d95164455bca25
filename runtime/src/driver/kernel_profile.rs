//! Kernel-mode driver of an adapter: the profile table `[kernel]` with WDDM version and caps.

use crate::wddm::Wddm;
use serde::{Deserialize, Serialize};
use taut_schemas::{DriverCaps, DriverInitializationData, FlipCaps, VidMmCaps};

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// The kernel-mode driver of an adapter.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Kernel { $( $(#[$meta])+ pub $key: $ty, )* }

        impl Kernel {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

keys! {
    /// DXGK_DRIVERCAPS::WDDMVersion.
    wddm_version: Wddm,
    /// DXGK_VIDMMCAPS::CrossAdapterResource: tier 1, copies.
    #[serde(default)]
    cross_adapter_resource: bool,
    /// DXGK_VIDMMCAPS::CrossAdapterResourceTexture: tier 2, views.
    #[serde(default)]
    cross_adapter_resource_texture: bool,
    /// DXGK_VIDMMCAPS::CrossAdapterResourceScanout: tier 3, scan-out.
    #[serde(default)]
    cross_adapter_resource_scanout: bool,
    /// DXGK_FLIPCAPS, by the names of its members.
    #[serde(default = "default_flip_caps")]
    flip_caps: Vec<String>,
    /// DXGK_DRIVERCAPS::HybridIntegrated.
    #[serde(default)]
    hybrid_integrated: bool,
    /// DXGK_DRIVERCAPS::HybridDiscrete.
    #[serde(default)]
    hybrid_discrete: bool,
    /// The driver has DxgkDdiCheckMultiPlaneOverlaySupport3.
    #[serde(default)]
    check_multiplane_overlay_support3: bool,
}

/// FlipIndependent has to be set from WDDM 1.3 on.
fn default_flip_caps() -> Vec<String> {
    ["FLIP_ON_VSYNC_MM_IO", "FLIP_IMMEDIATE_MM_IO", "FLIP_INDEPENDENT"].map(str::to_owned).to_vec()
}

impl Kernel {
    /// Returns the data that the driver passes to DxgkInitialize.
    pub(crate) fn functions(&self) -> DriverInitializationData {
        DriverInitializationData {
            wddm_version: self.wddm_version.0,
            check_multiplane_overlay_support3: self.check_multiplane_overlay_support3,
        }
    }

    /// Returns the driver caps.
    pub(crate) fn caps(&self) -> DriverCaps {
        let tiers = [
            (self.cross_adapter_resource, VidMmCaps::CROSS_ADAPTER_RESOURCE),
            (self.cross_adapter_resource_texture, VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE),
            (self.cross_adapter_resource_scanout, VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT),
        ];
        let flips = self.flip_caps.iter().filter_map(|name| FlipCaps::parse(name));
        DriverCaps {
            wddm_version: self.wddm_version.0,
            memory_management_caps: tiers
                .into_iter()
                .filter(|(set, _)| *set)
                .fold(VidMmCaps::NONE, |caps, (_, cap)| caps | cap),
            flip_caps: flips.fold(FlipCaps::NONE, |caps, cap| caps | cap),
            hybrid_integrated: self.hybrid_integrated,
            hybrid_discrete: self.hybrid_discrete,
        }
    }

    /// Returns the first name in `flip_caps` that is unknown.
    pub(crate) fn unknown_flip_cap(&self) -> Option<&str> {
        self.flip_caps.iter().map(String::as_str).find(|name| FlipCaps::parse(name).is_none())
    }
}
