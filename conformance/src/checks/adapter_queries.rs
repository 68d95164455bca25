//! Check C-03: user-mode queries about an adapter.

use super::bench::Bench;
use super::kernel::{ADAPTERS, Kernel};
use super::tally::{NotApplicable, Tally};
use taut_runtime::{Settings, Wddm};
use taut_schemas::{
    CrossAdapterTier, DriverCaps, KmtQueryAdapterInfoType, NtStatus, QueriedAdapterInfo, VidMmCaps, Wddm13Caps,
    WddmVersion, d3dkmt,
};

/// Types of queries, each of which returns 4 bytes.
const TYPES: [KmtQueryAdapterInfoType; 2] =
    [KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT, KmtQueryAdapterInfoType::WDDM_1_3_CAPS];

/// Tiers from the highest to the lowest, with their caps.
const TIERS: [(VidMmCaps, CrossAdapterTier); 3] = [
    (VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT, CrossAdapterTier::SCANOUT),
    (VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE, CrossAdapterTier::TEXTURE),
    (VidMmCaps::CROSS_ADAPTER_RESOURCE, CrossAdapterTier::COPY),
];

impl Kernel<'_> {
    /// Calls D3DKMTQueryAdapterInfo for the tested adapter.
    pub fn query(&mut self, info_type: KmtQueryAdapterInfoType, size_bytes: u32) -> QueriedAdapterInfo {
        let (adapter, private_driver_data_size_bytes) = (ADAPTERS[0], size_bytes);
        self.call(&d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes })
    }

    /// Returns D3DKMT_WDDM_1_3_CAPS of the tested adapter.
    pub fn wddm_1_3_caps(&mut self) -> Wddm13Caps {
        Wddm13Caps(word(&self.query(KmtQueryAdapterInfoType::WDDM_1_3_CAPS, 4)))
    }
}

/// Returns the only word of an answer; 0 without one.
fn word(answer: &QueriedAdapterInfo) -> u32 {
    <[u8; 4]>::try_from(&*answer.private_driver_data.0).map_or(0, u32::from_le_bytes)
}

/// Returns the tier of the caps that the driver's version has.
fn expected_tier(caps: DriverCaps) -> CrossAdapterTier {
    let is_later = caps.wddm_version >= WddmVersion::WDDM_2_9;
    let known = TIERS.into_iter().filter(|(_, tier)| is_later || *tier == CrossAdapterTier::COPY);
    let mut set = known.filter(|(cap, _)| caps.memory_management_caps.contains(*cap));
    set.next().map_or(CrossAdapterTier::NONE, |(_, tier)| tier)
}

/// The tier and the cap of WDDM 1.3 are those of the driver's caps, as long as the adapter runs.
pub(super) fn answers_are_those_of_the_caps(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut kernel = Kernel::started(bench)?;
    let mut tally = Tally::default();
    // The driver is queried after the adapter's start, so that an answer of another time differs.
    let caps = kernel.caps();
    let (found, expected) = (kernel.tier(ADAPTERS[0]), expected_tier(caps));
    let what = || format!("D3DKMTQueryAdapterInfo returns tier {found:?}; expected {expected:?}, that of the caps");
    tally.count_result((found != expected).then(what));
    let copies = caps.memory_management_caps.contains(VidMmCaps::CROSS_ADAPTER_RESOURCE);
    let found = kernel.wddm_1_3_caps().contains(Wddm13Caps::SUPPORT_CROSS_ADAPTER_RESOURCE);
    let what = || format!("D3DKMT_WDDM_1_3_CAPS::SupportCrossAdapterResource is {found}; expected {copies}");
    tally.count_result((found != copies).then(what));
    for (info_type, size_bytes) in TYPES.into_iter().flat_map(|info_type| (0..=8).map(move |size| (info_type, size))) {
        let expected = if size_bytes < 4 { NtStatus::INVALID_PARAMETER } else { NtStatus::SUCCESS };
        let status = kernel.query(info_type, size_bytes).status;
        let what = || format!("{info_type:?} with {size_bytes} bytes: {status:?}; expected {expected:?}");
        tally.count_result((status != expected).then(what));
    }
    older_systems(bench, &mut tally)?;
    Ok(tally)
}

/// A system below WDDM 2.9 has no query for the tier.
fn older_systems(bench: &Bench<'_>, tally: &mut Tally) -> Result<(), NotApplicable> {
    for version in [WddmVersion::WDDM_1_3, WddmVersion::WDDM_2_8] {
        let settings = Settings { os_wddm_version: Wddm(version), ..bench.settings().clone() };
        let mut kernel = Kernel::started_under(bench, settings)?;
        for (info_type, expected) in TYPES.into_iter().zip([NtStatus::INVALID_PARAMETER, NtStatus::SUCCESS]) {
            let status = kernel.query(info_type, 4).status;
            let what = || format!("{info_type:?} on a system of {version:?}: {status:?}; expected {expected:?}");
            tally.count_result((status != expected).then(what));
        }
    }
    Ok(())
}
