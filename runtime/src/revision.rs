//! Behaviour changes between builds for equal inputs.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Change of each revision after the first one, in order. An added line raises the revision; lines are never removed,
/// because old traces refer to them.
const CHANGES: [&str; 6] = [
    "Release of a resource or heap keeps the runtime's books before it tells the driver: a driver that panics there leaves them whole",
    "The runtime raises a placed tight resource to its requested alignment; the driver's restriction stays 8, because 4096 means a committed resource. A committed tight resource may request the driver's large page",
    "ResizeBuffers1 with queues is refused for a swap chain of a Direct3D 11 device. IDXGIOutput::ReleaseOwnership ends no full screen of the flip model, which owns no output",
    "A list command that copies, resolves or writes beyond its resource is refused, and Close fails. The runtime asks the driver for the size of descriptors",
    "GetFullscreenState returns no target for the flip model. A swap chain has a reference to its command queue or Direct3D 11 device, and through the queue to the device: Release returns the references left, and the last one destroys. Below WDDM 2.4, hybrid systems alone share frames. CreateDevice verifies the kernel-mode driver's tier of an adapter that was never started. DXGI creates cross-adapter resources of any color format with 4 bytes per pixel",
    "DXGI calls pfnCheckMultiplaneOverlaySupport before the kernel's static check, pfnPresent1 of the rendering adapter for the first frame of a swap chain, and pfnPresentMultiplaneOverlay for the first frame that is scanned out from a cross-adapter resource",
];

/// Revision of the runtime's behaviour. A trace's header contains that of the recording build, and a replay behaves
/// accordingly; traces/FORMAT.md describes each revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(u32);

impl Revision {
    /// Revision of traces whose header has none.
    pub const FIRST: Revision = Revision(0);
    /// Revision from which Release updates the runtime's state before it calls the driver.
    pub const STATE_FIRST: Revision = Revision(1);
    /// Revision from which the runtime applies the floor of a placed tight resource, and accepts a large page as the floor
    /// of a committed one.
    pub const PLACED_FLOOR: Revision = Revision(2);
    /// Revision from which a swap chain of a Direct3D 11 device has no queues, and one of the flip model owns no output.
    pub const CHAIN_OWNERS: Revision = Revision(3);
    /// Revision from which list commands have bounds, and the driver answers the size of descriptors.
    pub const COMMAND_BOUNDS: Revision = Revision(4);
    /// Revision from which a swap chain has a reference to its queue or device, and the rules C-08, C-09 and C-11 hold for
    /// adapters that were not started, for further formats, and for drivers below WDDM 2.4.
    pub const CHAIN_REFERENCES: Revision = Revision(5);
    /// Revision from which DXGI makes the user-mode drivers' calls that check overlays and present.
    pub const OVERLAY_FUNCTIONS: Revision = Revision(6);
    /// Revision of this build.
    pub const CURRENT: Revision = Revision(CHANGES.len() as u32);

    pub(crate) fn first() -> Revision {
        Revision::FIRST
    }
}

impl Serialize for Revision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Revision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (found, max) = (u32::deserialize(deserializer)?, CHANGES.len());
        let wrong = || serde::de::Error::custom(format_args!("expected a revision from 0 to {max}, found {found}"));
        Some(Revision(found)).filter(|revision| *revision <= Revision::CURRENT).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use crate::Settings;
    use std::path::Path;

    #[test]
    fn a_header_without_a_revision_is_of_the_first_and_a_later_one_is_refused() {
        let parse = |text: &str| serde_json::from_str::<Settings>(text).map(|settings| settings.revision);
        assert_eq!(parse("{}").unwrap(), super::Revision::FIRST);
        assert_eq!(parse(r#"{"revision":1}"#).unwrap(), super::Revision::STATE_FIRST);
        assert_eq!(Settings::default().revision, super::Revision::CURRENT);
        let error = parse(r#"{"revision":1000}"#).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("expected a revision from 0 to {}, found 1000", super::CHANGES.len())),
            "{error}"
        );
    }

    #[test]
    fn the_format_document_lists_the_change_of_each_revision() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/FORMAT.md");
        let document = std::fs::read_to_string(path).unwrap();
        for (before, change) in super::CHANGES.iter().enumerate() {
            let line = format!("| {} | {change} |", before + 1);
            assert!(document.lines().any(|found| found == line), "traces/FORMAT.md lacks: {line}");
        }
    }
}
