//! Checks C-01 to C-08: cross-adapter caps of a kernel-mode driver.

use super::bench::Bench;
use super::tally::{NotApplicable, Tally};
use std::sync::Arc;
use taut_runtime::{Execute, Machine, NullTap, Settings};
use taut_schemas::{
    AdapterId, CrossAdapterTier, Driver, DriverCall, DriverCaps, HResultCode, KmtQueryAdapterInfoType, NtStatus,
    VidMmCaps, WddmVersion, d3d12, d3dkmt, dxgkddi, machine,
};

/// Tested adapter, and another one with the same driver.
pub(super) const ADAPTERS: [AdapterId; 2] = [AdapterId(1), AdapterId(2)];

/// Machine with two adapters of the driver, neither of which has started.
pub(super) struct Kernel<'d> {
    pub driver: &'d dyn Driver,
    machine: Machine<'d>,
}

impl<'d> Kernel<'d> {
    pub fn new(bench: &Bench<'d>) -> Result<Kernel<'d>, NotApplicable> {
        Kernel::under(bench, bench.settings().clone())
    }

    fn under(bench: &Bench<'d>, settings: Settings) -> Result<Kernel<'d>, NotApplicable> {
        let (driver, both) = (bench.ddi_recorder.driver, || Arc::clone(&bench.ddi_recorder) as Arc<dyn Driver + 'd>);
        let machine = Machine::with_adapters(settings, ADAPTERS.map(|_| both()).to_vec());
        match machine.filter(|_| driver.dxgkddi().is_some()) {
            Some(machine) => Ok(Kernel { driver, machine }),
            None => Err(NotApplicable("the driver has no kernel-mode driver".to_owned())),
        }
    }

    /// Creates the machine and starts the tested adapter.
    pub fn started(bench: &Bench<'d>) -> Result<Kernel<'d>, NotApplicable> {
        Kernel::started_under(bench, bench.settings().clone())
    }

    /// Creates the machine with these settings and starts the tested adapter.
    pub fn started_under(bench: &Bench<'d>, settings: Settings) -> Result<Kernel<'d>, NotApplicable> {
        let mut kernel = Kernel::under(bench, settings)?;
        match kernel.start(ADAPTERS[0]) {
            NtStatus::SUCCESS => Ok(kernel),
            status => Err(NotApplicable(format!("the adapter does not start: {status:?}"))),
        }
    }

    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.machine.call(call, &mut NullTap)
    }

    pub fn start(&mut self, adapter: AdapterId) -> NtStatus {
        self.call(&machine::StartAdapter { adapter })
    }

    /// Returns the driver's caps while its adapter is the only one.
    pub fn caps(&self) -> DriverCaps {
        dxgkddi::DxgkDdiQueryAdapterInfo { adapters: 1 }.dispatch(self.driver)
    }

    /// Returns the tier that user mode queries.
    pub fn tier(&mut self, adapter: AdapterId) -> CrossAdapterTier {
        let answer = self.call(&d3dkmt::D3DKMTQueryAdapterInfo {
            adapter,
            info_type: KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT,
            private_driver_data_size_bytes: 4,
        });
        let word = <[u8; 4]>::try_from(&*answer.private_driver_data.0).unwrap_or_default();
        CrossAdapterTier(u32::from_le_bytes(word))
    }
}

fn judged(what: Option<String>) -> Tally {
    let mut tally = Tally::default();
    tally.count_result(what);
    tally
}

/// C-01: the adapter of a driver with gapless tiers starts.
pub(super) fn tiers_are_supersets(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut kernel = Kernel::new(bench)?;
    let status = kernel.start(ADAPTERS[0]);
    let caps = kernel.caps().memory_management_caps;
    Ok(judged((status != NtStatus::SUCCESS).then(|| match caps.missing_tier() {
        Some(missing) => {
            format!("the caps say tier {:?} without tier {missing:?}: the adapter does not start", caps.tier())
        }
        None => format!("the adapter does not start: {status:?}"),
    })))
}

/// C-02: no bit is set that the driver's WDDM version does not have.
pub(super) fn reserved_bits_are_clear(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let caps = Kernel::new(bench)?.caps();
    let later = VidMmCaps::CROSS_ADAPTER_RESOURCE_TEXTURE | VidMmCaps::CROSS_ADAPTER_RESOURCE_SCANOUT;
    let old = caps.wddm_version < WddmVersion::WDDM_2_9;
    let reserved = caps.memory_management_caps.without(VidMmCaps::CROSS_ADAPTER_RESOURCE);
    let broken = old && reserved != VidMmCaps::NONE && later.contains(reserved);
    Ok(judged(broken.then(|| format!("{:?} sets {reserved:?}; expected neither below WDDM 2.9", caps.wddm_version))))
}

/// C-04: from WDDM 3.0 on, a hybrid-integrated driver has tier 3.
pub(super) fn hybrid_integrated_scans_out(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let caps = Kernel::new(bench)?.caps();
    let tier = caps.memory_management_caps.tier();
    let required = caps.hybrid_integrated && caps.wddm_version >= WddmVersion::WDDM_3_0;
    let broken = required && tier < CrossAdapterTier::SCANOUT;
    Ok(judged(
        broken.then(|| {
            format!("a hybrid-integrated driver of {:?} has tier {tier:?}; expected SCANOUT", caps.wddm_version)
        }),
    ))
}

/// C-06: an adapter has the same tier alone and with another adapter.
pub(super) fn tier_is_the_adapters_own(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut kernel = Kernel::started(bench)?;
    let alone = kernel.tier(ADAPTERS[0]);
    kernel.start(ADAPTERS[1]);
    let found = ADAPTERS.map(|adapter| kernel.tier(adapter));
    let mut tally = Tally::default();
    for (adapter, tier) in ADAPTERS.into_iter().zip(found) {
        let what = || format!("with two adapters, adapter {} has tier {tier:?}; alone it has {alone:?}", adapter.0);
        tally.count_result((tier != alone).then(what));
    }
    Ok(tally)
}

/// C-08: a device can be created on the started adapter.
pub(super) fn promises_no_more_than_the_kernel(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let refusal = HResultCode::from(bench.settings().kernel_tier_refusal);
    let mut kernel = Kernel::started(bench)?;
    let tier = kernel.tier(ADAPTERS[0]);
    let created = kernel.call(&d3d12::CreateDevice { adapter: ADAPTERS[0], ..Default::default() });
    Ok(judged((created == Err(refusal)).then(|| {
        format!("CrossAdapterRowMajorTextureSupported with tier {tier:?}: D3D12CreateDevice answers {refusal:?}")
    })))
}
