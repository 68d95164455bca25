//! Check C-12: adapters of hybrid systems, and their list of applications.

use super::bench::Bench;
use super::kernel::{ADAPTERS, Kernel};
use super::tally::{NotApplicable, Tally};
use taut_schemas::{DriverCall, DriverCaps, HResult, QueriedDList, VidMmCaps, Wddm13Caps, WddmVersion, dxgi_ddi};

/// Limits of the dList DLL, both exclusive (Hybrid system DDI: setting up the dList DLL): 200 KB, and 4 ms in nanoseconds.
const LIBRARY_BYTES: u64 = 204_800;
const QUERY_NS: u64 = 4_000_000;

/// Programs for which the list is queried: each gets an answer in time, whether it is listed or not.
const APPLICATIONS: [&str; 3] = ["game.exe", "Editor With Spaces.exe", "x"];

/// The adapter is the one of a hybrid system that its driver's caps name, and its list of applications has its limits.
pub(super) fn is_the_hybrid_adapter_of_its_caps(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut kernel = Kernel::started(bench)?;
    let caps = kernel.caps();
    if !caps.hybrid_integrated && !caps.hybrid_discrete {
        return Err(NotApplicable("the adapter belongs to no hybrid system".to_owned()));
    }
    let mut tally = Tally::default();
    let found = kernel.wddm_1_3_caps();
    if caps.hybrid_integrated {
        let what = || format!("HybridIntegrated with {found:?}; expected IsHybridIntegratedGPU");
        tally.count_result((!found.contains(Wddm13Caps::IS_HYBRID_INTEGRATED_GPU)).then(what));
    }
    if caps.hybrid_discrete {
        let copies = caps.memory_management_caps.contains(VidMmCaps::CROSS_ADAPTER_RESOURCE);
        let what = || "HybridDiscrete without CrossAdapterResource; expected both".to_owned();
        tally.count_result((!copies).then(what));
        kernel.start(ADAPTERS[1]);
        let found = kernel.wddm_1_3_caps();
        let what = || format!("HybridDiscrete with {found:?}; expected IsHybridDiscreteGPU");
        tally.count_result((copies && !found.contains(Wddm13Caps::IS_HYBRID_DISCRETE_GPU)).then(what));
        count_list(&kernel, caps, &mut tally);
    }
    Ok(tally)
}

/// Counts the answers of pfnQueryDListForApplication2, which drivers have from WDDM 2.9 on.
fn count_list(kernel: &Kernel<'_>, caps: DriverCaps, tally: &mut Tally) {
    if caps.wddm_version < WddmVersion::WDDM_2_9 {
        return;
    }
    if kernel.driver.dxgi_ddi().is_none() {
        return tally
            .count_result(Some("there is no pfnQueryDListForApplication2; expected one from WDDM 2.9 on".to_owned()));
    }
    for application in APPLICATIONS {
        let query = dxgi_ddi::QueryDListForApplication2 { adapter: ADAPTERS[0], application: application.to_owned() };
        let found: HResult<QueriedDList> = query.dispatch(kernel.driver);
        let fault = match found {
            Err(code) => Some(format!("{code:?}; expected S_OK")),
            Ok(found) if found.library_bytes >= LIBRARY_BYTES => {
                Some(format!("a DLL of {} bytes; expected less than {LIBRARY_BYTES}", found.library_bytes))
            }
            Ok(found) if found.elapsed_ns >= QUERY_NS => {
                Some(format!("an answer after {} ns; expected less than {QUERY_NS}", found.elapsed_ns))
            }
            Ok(_) => None,
        };
        tally.count_result(fault.map(|fault| format!("pfnQueryDListForApplication2 for {application}: {fault}")));
    }
}
