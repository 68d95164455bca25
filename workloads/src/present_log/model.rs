//! Present model of a swap chain, from Runtime and PresentMode.

use super::row::{LoggedPresent, Runtime};

/// Present model of a swap chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresentModel {
    /// DXGI's flip model.
    Flip,
    /// Blt model: each frame is copied to the desktop's surface.
    Blt,
    /// Flips of an exclusive full screen, for which the capture names neither the flip model nor Direct3D 9.
    LegacyFlip,
    /// Direct3D 9, with any swap effect.
    Direct3D9,
}

impl PresentModel {
    /// Finds the model of a swap chain. A swap chain has one model, but PresentMode changes with the window.
    pub(super) fn from_presents<'p>(presents: impl Iterator<Item = &'p LoggedPresent> + Clone) -> PresentModel {
        let any = |is: fn(&LoggedPresent) -> bool| presents.clone().any(is);
        if any(|present| present.runtime == Runtime::Direct3D9) {
            return PresentModel::Direct3D9;
        }
        // "Composed: Flip" and every independent flip are modes of the flip model alone.
        if any(|present| present.mode.contains("Composed: Flip") || present.mode.contains("Independent Flip")) {
            return PresentModel::Flip;
        }
        match (any(|present| present.mode.contains("Legacy Flip")), any(|present| present.mode.contains("Copy"))) {
            (true, _) => PresentModel::LegacyFlip,
            (false, true) => PresentModel::Blt,
            (false, false) => PresentModel::Flip,
        }
    }
}
