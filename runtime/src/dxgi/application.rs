//! Selection of the adapter for a program on a hybrid system (rule C-12).

use super::errors::invalid_arg;
use crate::context::Context;
use crate::d3dkmt::{is_hybrid_discrete, is_hybrid_integrated};
use crate::kernel::DisplayState;
use crate::violation::{ObservedValue, lint};
use taut_schemas::{AdapterId, DListQueryResult, HResult, QueriedDList, WddmVersion, dxgi_ddi, machine, rule};

/// Limits of a dList DLL (Hybrid system DDI: setting up the dList DLL): size in bytes and time of a query in nanoseconds,
/// both exclusive.
const LIBRARY_BYTES: u64 = 200 << 10;
const QUERY_NS: u64 = 4_000_000;

/// Selects the adapter for a new process.
pub(crate) fn start_application(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &machine::StartApplication,
) -> HResult<AdapterId> {
    if call.application.is_empty() {
        return invalid_arg(context, format_args!("StartApplication: the program has no name."));
    }
    let integrated = display.adapters().find(|adapter| is_hybrid_integrated(display, *adapter));
    let discrete = display.adapters().find(|adapter| is_hybrid_discrete(display, *adapter));
    // Without both, the system is not a hybrid system, and DXGI queries no list.
    let Some((integrated, discrete)) = integrated.zip(discrete) else { return Ok(AdapterId::FIRST) };
    let driver = display.started(discrete).map(|kernel| kernel.caps.wddm_version);
    // Before WDDM 2.9 drivers have QueryDListForApplication1, which no driver model implements.
    let has_query = [Some(context.settings.os_wddm_version.0), driver]
        .into_iter()
        .all(|version| version.is_some_and(|version| version >= WddmVersion::WDDM_2_9));
    if !has_query {
        return Ok(integrated);
    }
    if context.driver_of(discrete).dxgi_ddi().is_none() {
        let text = format_args!("Adapter {} has no pfnQueryDListForApplication2.", discrete.0);
        lint(context, rule::C_12, ObservedValue { found: 0, min: 1, max: 1 }, text);
        return Ok(integrated);
    }
    let query = dxgi_ddi::QueryDListForApplication2 { adapter: discrete, application: call.application.clone() };
    // Without an answer, the program runs on the adapter that saves power.
    let Ok(found) = context.ddi_of(discrete, query) else { return Ok(integrated) };
    check_limits(context, discrete, found);
    Ok(if found.result == DListQueryResult::HIGH_PERFORMANCE_PREFERENCE { discrete } else { integrated })
}

/// Records a lint for each exceeded limit of rule C-12.
fn check_limits(context: &mut Context<'_>, adapter: AdapterId, found: QueriedDList) {
    let limits = [
        ("bytes of the dList DLL", found.library_bytes, LIBRARY_BYTES),
        ("ns in pfnQueryDListForApplication2", found.elapsed_ns, QUERY_NS),
    ];
    for (what, found, limit) in limits.into_iter().filter(|(_, found, limit)| found >= limit) {
        let text = format_args!("Adapter {}: {found} {what}, expected less than {limit}.", adapter.0);
        lint(context, rule::C_12, ObservedValue { found, min: 0, max: limit - 1 }, text);
    }
}
